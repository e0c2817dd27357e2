"""Readers for the values of options.  Each refuses with one line that names the bad value and shows a right one."""

import datetime
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

import typer

from schmier_sim.cli.console import shown
from schmier_sim.game import notation

T = TypeVar("T")

#: Above this, a JSON reader that keeps numbers as doubles would no longer count deals exactly.
MOST_DEALS = 2**53
MOST_SEED = 2**63 - 1
MOST_SECONDS = 1_000_000
MOST_CALLS = 5
SCORES = "14,9,18"
SCORE = re.compile(r"[-+\u2212]?[0-9]{1,6}")
SHARD = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")
ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.%]{2,60}\]):([0-9]{1,5})")
DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
MOST_LETTERS = 200
#: Longer texts are no numbers that anybody writes, and would take their time to read.
MOST_DIGITS = 60
#: What chances could be known to with all the deals that can be counted.
LEAST_POINTS = 0.0001
SUIT_NAMES = {"SPADES": "S", "HEARTS": "H", "CLUBS": "C", "DIAMONDS": "D"}
SEPARATORS = str.maketrans("", "", "_,")
SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
NUMBER = re.compile(
    r"((?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)(?:\.[0-9]+)?(?:e\+?[0-9]{1,3})?)\s*([kmgb]?)",
    re.IGNORECASE,
)
DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]{1,3})?|\.[0-9]+", re.IGNORECASE)


def _whole(text: object) -> int | None:
    """Read ``10000000``, ``10_000_000``, ``10,000,000``, ``10M`` or ``2.5e6``; None if it is no whole number.

    Defaults come here as the numbers that they are.
    """
    found = _match(NUMBER, text)
    if found is None:
        return None
    value = Decimal(found[1].translate(SEPARATORS)) * SUFFIXES[found[2].lower()]
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


def shard(text: str) -> tuple[int, int]:
    """Read which part of how many: ``3/7``."""
    found = SHARD.fullmatch(text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise typer.BadParameter(f"{shown(text)} is no part of a run; write 1/7 for the first of seven parts")
    return int(found[1]), int(found[2])


def address(text: str) -> str:
    """Read where a scheduler listens."""
    found = ADDRESS.fullmatch(text)
    if found is None or not 1 <= int(found[1]) <= 65535 or not _is_host(text.rpartition(":")[0]):
        raise typer.BadParameter(f"{shown(text)} is no address; write, for example, tcp://127.0.0.1:8786")
    return text


def _is_host(text: str) -> bool:
    """Whether a name, after its scheme, has parts of 1 to 63 letters between its dots; or numbers in brackets."""
    name = text.rpartition("/")[2].removesuffix(".")
    return name.startswith("[") or all(1 <= len(part) <= 63 for part in name.split("."))


def points(text: object) -> float:
    """Read a half-width in percentage points, from 0.0001 to below 50."""
    value = _decimal(text, "%")
    if not LEAST_POINTS <= value < 50:
        raise typer.BadParameter(
            f"{shown(text)} is not a number of percentage points from {LEAST_POINTS} to 50; write, for example, 0.5"
        )
    return value


def seconds(text: object) -> float:
    """Read a time in seconds, above 0."""
    value = _decimal(text, "s")
    if not 0 < value <= MOST_SECONDS:
        raise typer.BadParameter(
            f"{shown(text)} is not a number of seconds above 0, up to {MOST_SECONDS}; write, for example, 30"
        )
    return value


def _decimal(text: object, unit: str) -> float:
    """Read ``0.5``, ``.5``, ``5e-1`` or the same with a unit; no number at all is not a number."""
    found = _match(DECIMAL, str(text).strip().removesuffix(unit))
    return math.nan if found is None else float(found[0])


def _match(pattern: re.Pattern[str], text: object) -> re.Match[str] | None:
    """Match all of a short text, but for blanks around it."""
    stripped = str(text).strip()
    return pattern.fullmatch(stripped) if len(stripped) <= MOST_DIGITS else None


def line(text: str) -> str:
    """Read a line of plain text; nothing at all is nothing."""
    if not text:
        return text
    if not text.strip() or not text.isprintable():
        raise typer.BadParameter(f"{shown(text)} is no line of text; write letters that can be printed")
    if len(text) > MOST_LETTERS:
        raise typer.BadParameter(f"{len(text)} characters are too many; write at most {MOST_LETTERS}")
    return text


def day(text: str) -> datetime.date:
    """Read a day."""
    try:
        if not DAY.fullmatch(text):
            raise ValueError
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{shown(text)} is no day; write, for example, 2026-11-30") from None


def cards(text: str) -> tuple[str, ...]:
    """Read the six cards of a hand."""
    return _noted(lambda: notation.parse_cards(text, count=6))


def calls(text: str) -> tuple[int | None, ...]:
    """Read the calls before a player's; None is a pass."""
    found = _noted(lambda: notation.parse_calls(text))
    if len(found) > MOST_CALLS:
        raise typer.BadParameter(
            f"{len(found)} calls are too many before your own: at most {MOST_CALLS}, such as p 3 p"
        )
    return found


def call(text: str) -> tuple[int | None]:
    """Read one call; in a tuple, lest a pass, None, be taken for nothing at all."""
    try:
        found = notation.parse_calls(text)
    except notation.NotationError:
        found = ()
    if len(found) != 1:
        raise typer.BadParameter(f"{shown(text)} is not one call; write p to pass, or a bid from 3 to 6")
    return (found[0],)


def scores(text: str) -> tuple[int, ...]:
    """Read the scores of some teams; how many there are only the rules know."""
    found = text.replace(",", " ").replace(";", " ").split()
    for word in found:
        if not SCORE.fullmatch(word):
            raise typer.BadParameter(
                f"{shown(word)} is no score; write numbers with commas, such as {SCORES}"
            )
    if not found:
        raise typer.BadParameter(f"no score is there; write numbers with commas, such as {SCORES}")
    return tuple(int(word.replace("\u2212", "-")) for word in found)


def suit(text: str) -> str:
    """Read a suit: its letter, symbol or name."""
    found = {name: letter for letter, name in notation.SYMBOLS.items()} | SUIT_NAMES
    value = found.get(text.strip().upper(), text.strip().upper())
    if value not in notation.SYMBOLS:
        raise typer.BadParameter(f"{shown(text)} is no suit; write S, H, C or D")
    return value


def _noted(read: Callable[[], T]) -> T:
    """Refuse what notation refuses, with its words."""
    try:
        return read()
    except notation.NotationError as error:
        raise typer.BadParameter(str(error)) from None


def checked(read: Callable[[str], object]) -> Callable[[str], str]:
    """Make a reader that refuses what `read` refuses and leaves the text as it is."""

    def check(text: str) -> str:
        read(text)
        return text

    return check


def keys(text: object) -> str:
    """Read names with commas, at least one; which there are only the library knows."""
    if not words(str(text)):
        raise typer.BadParameter("nothing is named; write, for example, trumps or pattern,role")
    return str(text)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reader of names takes: one of some `names`, or `several` with commas."""

    names: tuple[str, ...]
    several: bool = False


#: The readers that `one_of` and `some_of` made, for whoever offers their names.
CHOICES: dict[object, Choice] = {}


def one_of(*names: str) -> Callable[[str], str]:
    """Make a reader of one of a few names."""

    def read(text: str) -> str:
        if text not in names:
            raise typer.BadParameter(f"{shown(text)} is not known; write {' or '.join(names)}")
        return text

    CHOICES[read] = Choice(names)
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

    CHOICES[read] = Choice(names, several=True)
    return read


def words(text: str) -> tuple[str, ...]:
    """Split at commas; blanks around a word, empty and doubled words fall away."""
    return tuple(dict.fromkeys(word for word in (part.strip() for part in text.split(",")) if word))
