"""Readers for the values of options.  Each refuses with one line that names the bad value and shows a right one."""

import math
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

import typer

from schmier_sim.cli.console import shown

#: Above this, a JSON reader that keeps numbers as doubles would no longer count deals exactly.
MOST_DEALS = 2**53
MOST_SEED = 2**63 - 1
SEPARATORS = str.maketrans("", "", "_,")
SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
NUMBER = re.compile(
    r"((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)(?:\.[0-9]+)?(?:e\+?[0-9]{1,3})?)\s*([kmgb]?)",
    re.IGNORECASE,
)


def _whole(text: object) -> int | None:
    """Read ``10000000``, ``10_000_000``, ``10,000,000``, ``10M`` or ``2.5e6``; None if it is no whole number.

    Defaults come here as the numbers that they are.
    """
    found = NUMBER.fullmatch(str(text).strip())
    if found is None:
        return None
    try:
        value = Decimal(found[1].translate(SEPARATORS)) * SUFFIXES[found[2].lower()]
    except InvalidOperation:
        return None
    return int(value) if value == value.to_integral_value() else None


def deals(text: object) -> int:
    """Read a number of deals, at least 1."""
    value = _whole(text)
    if value is None or not 1 <= value <= MOST_DEALS:
        raise typer.BadParameter(
            f"{shown(text)} is not a number of deals from 1 to {MOST_DEALS}; write 10000000, 10_000_000, 10M or 2.5e6"
        )
    return value


def whole(low: int, high: int, example: str) -> Callable[[object], int]:
    """Make a reader of whole numbers from `low` to `high`; `example` is a right one, shown in errors."""

    def read(text: object) -> int:
        value = _whole(text)
        if value is None or not low <= value <= high:
            raise typer.BadParameter(
                f"{shown(text)} is not a whole number from {low} to {high}; write, for example, {example}"
            )
        return value

    return read


def points(text: object) -> float:
    """Read a half-width in percentage points, above 0 and below 50."""
    try:
        value = float(str(text).removesuffix("%"))
    except ValueError:
        value = math.nan
    if not 0 < value < 50:
        raise typer.BadParameter(
            f"{shown(text)} is not a number of percentage points between 0 and 50; write, for example, 0.5"
        )
    return value


def keys(text: object) -> str:
    """Read names with commas, at least one; which there are only the library knows."""
    if not words(str(text)):
        raise typer.BadParameter("nothing is named; write, for example, trumps or pattern,role")
    return str(text)


def one_of(*names: str) -> Callable[[str], str]:
    """Make a reader of one of a few names."""

    def read(text: str) -> str:
        if text not in names:
            raise typer.BadParameter(f"{shown(text)} is not known; write {' or '.join(names)}")
        return text

    return read


def some_of(*names: str) -> Callable[[str], str]:
    """Make a reader of a comma-separated list of some names; doubled ones count once."""

    def read(text: str) -> str:
        items = words(text)
        for item in items:
            if item not in names:
                raise typer.BadParameter(
                    f"{shown(item)} is not known; write one or more of {', '.join(names)}, with commas"
                )
        if not items:
            raise typer.BadParameter(
                f"nothing is named; write one or more of {', '.join(names)}, with commas"
            )
        return ",".join(items)

    return read


def words(text: str) -> tuple[str, ...]:
    """Split at commas; blanks around a word, empty and doubled words fall away."""
    return tuple(dict.fromkeys(word for word in (part.strip() for part in text.split(",")) if word))
