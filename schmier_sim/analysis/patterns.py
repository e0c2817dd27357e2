"""Classes of hands: the keys that tables are grouped by, and the filters that pick hands.

Everything a table can tell apart is a function of the declarer's seat, the class of his trumps and his plain
aces, so keys are small label arrays and filters boolean arrays over these cells, [6, 769, 4].

Filters are comparisons joined by ``and``, ``&`` or a comma, all of which must hold::

    trumps>=3 and aces=0            = != < <= > >= with numbers: trumps 0-6, aces (plain) 0-3, seat 1-6
    role=dealer                     dealer, partner-deals or neither (= and !=)
    pattern="A K x"                 exactly these trumps, x for each of 9 to 3 (= and !=)
    honours="A K"                   exactly these of A K Q R L 10 2 Jo, any number of small ones (= and !=)
    holds=AK, lacks=2               all of these, none of these
"""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.holdings import (
    HAND_SIZE,
    HOLDINGS,
    NAMED,
    PLAIN_CARDS,
    SMALL_CARDS,
    parse_holding,
)
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import CELLS_SHAPE, N_ACES, N_SEATS

BoolArray = NDArray[np.bool_]
Int64Array = NDArray[np.int64]

GRID = CELLS_SHAPE[:3]
"""Seats, trump-holding classes, plain aces."""

PLAIN_ACES = N_ACES - 1
HONOURS = dict(NAMED)
ROLES = ("dealer", "partner-deals", "neither")
KEYS = ("trumps", "pattern", "aces", "seat", "role", "honours", *(f"holds_{name}" for name in HONOURS))

_LONGEST_FILTER = 500
_NUMBERS = {"trumps": (0, HAND_SIZE), "aces": (0, N_ACES - 1), "seat": (1, N_SEATS)}
_EXAMPLES = {
    "trumps": "trumps>=3",
    "aces": "aces=0",
    "seat": "seat=1",
    "role": "role=dealer",
    "pattern": 'pattern="A K x"',
    "honours": 'honours="A K"',
    "holds": "holds=AK",
    "lacks": "lacks=2",
}
_ORDERED: dict[str, Callable[[Int64Array, int], BoolArray]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge
}  # fmt: skip
_SPELLINGS = {"==": "=", "≠": "!=", "≤": "<=", "≥": ">="}
_JOINER = re.compile(r"""("[^"]*"|'[^']*')|(&&?|,|\band\b)""", re.IGNORECASE)
_COMPARISON = re.compile(r"\s*([A-Za-z_]+)\s*(==|!=|<=|>=|=|<|>|≠|≤|≥)(.*)", re.DOTALL)
_HONOUR = re.compile(r"10|joker|jo|jk|[akqrlt2*]", re.IGNORECASE | re.ASCII)
_HONOUR_NAMES = {name.lower(): name for name in HONOURS} | {"t": "10", "joker": "Jo", "jk": "Jo", "*": "Jo"}


class PatternError(ValueError):
    """A key or filter that cannot be read; the message is one line and shows a right one."""


@dataclass(frozen=True, eq=False)
class Key:
    """What a table is grouped by.

    Attributes
    ----------
    name
        One of KEYS, the column's name.
    labels
        int64 [6, 769, 4]: for each cell the index of its value.
    values
        The values in the order in which a player would look for them.
    """

    name: str
    labels: Int64Array
    values: tuple[str | int | bool, ...]


def parse_keys(text: str, rules: Rules) -> tuple[Key, ...]:
    """Read a list of keys such as ``"trumps,seat"``; PatternError names what is unknown or doubled."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    return make_keys(names, rules)


def make_keys(names: Sequence[str | Key], rules: Rules) -> tuple[Key, ...]:
    """Return the keys of these names; PatternError names one that is unknown or doubled. Keys stay what they are."""
    for place, name in enumerate(names):
        if isinstance(name, Key):
            continue
        if name not in KEYS:
            raise PatternError(f"no key {_shown(name)}: write some of {', '.join(KEYS)}")
        if name in names[:place]:
            raise PatternError(f"key {_shown(name)} is there twice: name each key once")
    return tuple(name if isinstance(name, Key) else _make_key(name, rules) for name in names)


def parse_where(text: str, rules: Rules) -> BoolArray:
    """Read a filter (the module's head shows the language).

    Parameters
    ----------
    text
        Comparisons joined by ``and``, ``&`` or a comma; nothing at all picks every hand.
    rules
        The rules in force: they say whose partner deals.

    Returns
    -------
    bool [6, 769, 4], True for the cells that are picked.

    Raises
    ------
    PatternError
        One line with the part that cannot be read and a right one.
    """
    if len(text) > _LONGEST_FILTER:
        raise PatternError(f"{len(text)} characters are no filter: write e.g. trumps>=3 and aces=0")
    picked = np.ones(GRID, np.bool_)
    if text.strip():
        for part in _split(text):
            picked &= _compare(part, rules)
    return picked


@cache
def cell_hands() -> Int64Array:
    """Return int64 [769, 4]: six-card hands of each class and number of plain aces, for one named trump suit.

    Three of the 38 plain cards are aces. The sum over everything is C(53, 6).
    """
    others = PLAIN_CARDS - PLAIN_ACES
    hands = np.array(
        [
            [
                comb(SMALL_CARDS, holding.small)
                * comb(PLAIN_ACES, aces)
                * _comb(others, HAND_SIZE - holding.trumps - aces)
                for aces in range(N_ACES)
            ]
            for holding in HOLDINGS
        ],
        dtype=np.int64,
    )
    hands.flags.writeable = False
    return hands


def _comb(n: int, k: int) -> int:
    return comb(n, k) if k >= 0 else 0


def _make_key(name: str, rules: Rules) -> Key:
    if name in _NUMBERS:
        first, last = _NUMBERS[name]
        return Key(name, _numbers(name) - first, tuple(range(first, last + 1)))
    if name == "role":
        return Key(name, _on_seats(_roles(rules)), ROLES)
    if name == "pattern":
        order = sorted(range(len(HOLDINGS)), key=lambda i: (-HOLDINGS[i].trumps, -HOLDINGS[i].held))
        return Key(name, _on_holdings(np.argsort(order)), tuple(HOLDINGS[i].text for i in order))
    if name == "honours":
        all_held = sorted({holding.held for holding in HOLDINGS}, reverse=True)
        labels = [all_held.index(holding.held) for holding in HOLDINGS]
        return Key(name, _on_holdings(labels), tuple(honours_text(held) for held in all_held))
    missing = (_held() & HONOURS[name.removeprefix("holds_")]) == 0
    return Key(name, missing.astype(np.int64), (True, False))


def honours_text(held: int) -> str:
    """Return the named trumps of a holding from the top, e.g. ``"A K R"``; ``""`` for none."""
    return " ".join(name for name, bit in HONOURS.items() if held & bit)


def _numbers(name: str) -> Int64Array:
    if name == "trumps":
        return _on_holdings([holding.trumps for holding in HOLDINGS])
    if name == "seat":
        return _on_seats(range(1, N_SEATS + 1))
    return np.broadcast_to(np.arange(N_ACES), GRID)


def _roles(rules: Rules) -> list[int]:
    """Return for each seat the index of its role in ROLES; seat 6 deals."""
    dealers_team = rules.team(N_SEATS)
    partners = [int(rules.team(seat) != dealers_team) + 1 for seat in range(1, N_SEATS)]
    return [*partners, 0]


def _held() -> Int64Array:
    return _on_holdings([holding.held for holding in HOLDINGS])


def _on_seats(values: Sequence[int]) -> Int64Array:
    return np.broadcast_to(np.array(values, np.int64)[:, np.newaxis, np.newaxis], GRID)


def _on_holdings(values: Sequence[int] | Int64Array) -> Int64Array:
    return np.broadcast_to(np.array(values, np.int64)[:, np.newaxis], GRID)


def _split(text: str) -> list[str]:
    parts, start = [], 0
    for match in _JOINER.finditer(text):
        if match[2]:
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _compare(part: str, rules: Rules) -> BoolArray:
    match = _COMPARISON.fullmatch(part)
    if match is None:
        raise PatternError(f"cannot read {_shown(part)} in the filter: write e.g. trumps>=3 and aces=0")
    name, sign = match[1].lower(), _SPELLINGS.get(match[2], match[2])
    if name not in _EXAMPLES:
        raise PatternError(f"cannot filter by {_shown(match[1])}: write some of {', '.join(_EXAMPLES)}")
    value = _unquoted(match[3], name)
    if name in _NUMBERS:
        return _ORDERED[sign](_numbers(name), _number(value, name))
    if sign not in ("=",) if name in ("holds", "lacks") else sign not in ("=", "!="):
        raise PatternError(f"{name} cannot be compared by {sign}: write e.g. {_EXAMPLES[name]}")
    cells = _equal_cells(name, value, rules)
    return cells if sign == "=" else ~cells


def _equal_cells(name: str, value: str, rules: Rules) -> BoolArray:
    if name == "role":
        if value.lower() not in ROLES:
            raise PatternError(f"no role {_shown(value)}: write one of {', '.join(ROLES)}")
        return np.equal(_on_seats(_roles(rules)), ROLES.index(value.lower()))
    if name == "pattern":
        try:
            wanted = parse_holding("" if value.lower() == "none" else value)
        except ValueError as error:
            raise PatternError(f"pattern {_shown(value)}: {error}") from None
        return np.equal(_on_holdings(range(len(HOLDINGS))), wanted)
    honours = _parse_honours(name, value)
    if name == "honours":
        return np.equal(_held(), honours)
    if not honours:
        raise PatternError(f"{name} without a card: write e.g. {_EXAMPLES[name]}")
    common = np.bitwise_and(_held(), honours)
    return np.equal(common, honours if name == "holds" else 0)


def _unquoted(text: str, name: str) -> str:
    value = text.strip()
    if value[:1] in ("'", '"') and value:
        if len(value) < 2 or value[-1] != value[0]:
            raise PatternError(f"quote is not closed in {_shown(value)}: write e.g. {_EXAMPLES[name]}")
        return value[1:-1].strip()
    return value


def _number(text: str, name: str) -> int:
    first, last = _NUMBERS[name]
    if re.fullmatch("[0-9]{1,3}", text) is None or not first <= int(text) <= last:
        raise PatternError(
            f"{name} must be from {first} to {last}, not {_shown(text)}: write e.g. {_EXAMPLES[name]}"
        )
    return int(text)


def _parse_honours(name: str, text: str) -> int:
    """Read ``"AK"``, ``"A K 10"``, ``"R+L"`` or ``"none"`` into bits of HONOURS."""
    held, place = 0, 0
    rest = "" if text.lower() == "none" else re.sub(r"[\s+]+", "", text)
    while place < len(rest):
        match = _HONOUR.match(rest, place)
        if match is None:
            raise PatternError(
                f"no named trump {_shown(rest[place:])} in {name}: use {' '.join(HONOURS)}, e.g. {_EXAMPLES[name]}"
            )
        held |= HONOURS[_HONOUR_NAMES[match[0].lower()]]
        place = match.end()
    return held


def _shown(text: str) -> str:
    """Quote a piece of input for a message: one line, cut where it is long."""
    piece = "".join(letter if letter.isprintable() else "?" for letter in text.strip()[:80])
    return f'"{piece if len(piece) <= 30 else piece[:29] + "…"}"'
