"""How numbers are written for people.  Every table, chart and sheet writes its numbers here.

A number that is not there (not a number, or infinite) is a dash, never `nan`.  CSV and JSON are for programs: they
are given `plain` ones.
"""

import math
from collections.abc import Callable
from typing import Any

MISSING = "–"
DIGITS = 9
MINUS = "−"
Z95 = 1.959963984540054  # standard errors to either side of a 95 % interval


def decimal(value: float, digits: int = 2) -> str:
    """Write a number with a fixed number of decimals and a true minus sign: `3.42`, `−0.18`."""
    if not math.isfinite(value):
        return MISSING
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        return text.lstrip("-")  # no negative zero
    return text.replace("-", MINUS)


def signed(value: float, digits: int = 2) -> str:
    """Write a gain or a loss with its sign: `+1.84`, `−0.18`, `0.00`."""
    text = decimal(value, digits)
    return text if text[0] in (MINUS, MISSING) or float(text) == 0 else "+" + text


def count(value: float) -> str:
    """Write a whole number with its thousands apart: `22,957,480`."""
    return f"{round(value):,}" if math.isfinite(value) else MISSING


def percent(probability: float, digits: int = 1) -> str:
    """Write a probability in percent, without the sign `%`: `71.3`."""
    return decimal(100 * probability, digits)


def percent_interval(probability: float, low: float, high: float) -> str:
    """Write a probability in percent with its 95 % interval: `71.3 ±0.4`.

    Wilson intervals are not symmetrical: the number after ± is the distance to the farther limit, so that both
    limits lie within it.  At 0.0 and 100.0 the only possible side is shown: `0.0 +0.3`, `100.0 −0.3`.  A width that
    would be rounded to nothing is written as 0.1: no probability that was counted is certain.

    Parameters
    ----------
    probability, low, high : float
        Between 0 and 1, low ≤ probability ≤ high.
    """
    value = percent(probability)
    width = 100 * max(probability - low, high - probability)
    if not math.isfinite(width):
        return value
    sign = {"0.0": "+", "100.0": MINUS}.get(value, "±")
    return f"{value} {sign}{decimal(max(width, 0.1), 1)}"


def one_sided_limits(text: str) -> tuple[str, str]:
    """Write both limits of a chance that `percent_interval` wrote without ±: `100.0 −0.3` is from 99.7 to 100.0."""
    value, width = text.split(" ")
    limit = float(value) + float(width.replace(MINUS, "-"))
    return (value, decimal(limit, 1)) if width[0] == "+" else (decimal(limit, 1), value)


def once_in(share: float) -> str:
    """Write how often something is dealt: `once in 41 hands`, `once in 1.6 hands`, `every hand`, `never`."""
    number = one_in(share)
    if number in (MISSING, "0"):
        return {"0": "never"}.get(number, MISSING)
    return "every hand" if share >= 1 else f"once in {number} hands"


def grouped(value: float, digits: int) -> str:
    """Write a number with decimals, or a whole one with its thousands apart."""
    return decimal(value, digits) if digits else count(value)


def one_in(share: float, write: Callable[[float, int], str] = grouped) -> str:
    """Write the number of hands in `once_in`: `41`, `1.6`, `3,280,000`; `0` if it is never dealt.

    Under ten hands it has one decimal; from ten thousand on three leading digits are enough for anybody. Other
    languages `write` numbers, given with how many decimals, in their own way.
    """
    if not math.isfinite(share):
        return MISSING
    if share <= 0:
        return "0"
    hands = 1 / share
    if hands < 9.95:
        return write(hands, 1)
    return write(round(hands) if hands < 10_000 else round(hands, 2 - math.floor(math.log10(hands))), 0)


def plain(value: Any) -> Any:
    """Turn a number into a plain Python one for programs, not-a-number and infinity into None; leave the rest.

    Nine digits are far more than any estimate has, and leave out the last ones, in which processors may differ.
    """
    value = value.item() if hasattr(value, "item") else value
    if not isinstance(value, float):
        return value
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
