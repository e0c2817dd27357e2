"""How `club` bids and names trumps: by what hands like its own have brought, in plain Python.

Two tables ship (`data/club-bids.bin.xz`, made by ``scripts/bid-table``):

* the chance of each number of points that the declaring team wins, by the class of its trumps, its plain aces and where
  it sits to the dealer. From it follow, in whole numbers, the value of declaring at each bid and the mean points;
* what a call brings in each state of the auction, over the value of the hand: curves through `KNOTS` points.

Values are relative points (own points less the mean of the other two teams') in thousandths, plus `OFFSET`, so that no
number is negative. The kernels' twin is `kernel.bots.club_bids`.
"""

import hashlib
import json
import lzma
import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from schmier_sim.game.cards import SUITS, Card, Suit, suit_of
from schmier_sim.game.dealing import TEMPER_NAMES
from schmier_sim.game.holdings import HOLDINGS, holding_of
from schmier_sim.game.laws import DEALER, LOWEST_BID, high_bid
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import View
from schmier_sim.game.words import draw, temper_word

PATH = Path(__file__).resolve().parent.parent / "data" / "club-bids.bin.xz"
ABOUT_PATH = PATH.with_name("club-bids.json")
"""How the tables were made, and the margins of the tempers."""

BIDS = (3, 4, 5, 6)
CALLS = (0, *BIDS)
"""Calls as the curves number them; 0 is a pass."""
TEMPERS, MIXED = TEMPER_NAMES[:-1], TEMPER_NAMES[-1]
"""Tempers by their codes; where they are mixed a seat draws one of these."""

N_ACES, N_ROLES, N_POINTS = 4, 3, 7
UNIT = 10_000
"""The chances of a cell add up to this."""
OFFSET = 9_000
KNOT = 256
"""Distance of a curve's points, in thousandths."""
KNOTS = 60
STATES_OF_SEAT = 7
N_STATES = DEALER * STATES_OF_SEAT
N_CELLS = len(HOLDINGS) * N_ACES * N_ROLES
SIZE = N_CELLS * N_POINTS + N_STATES * len(CALLS) * KNOTS


@dataclass(frozen=True)
class Bidding:
    """The two tables as they ship.

    Parameters
    ----------
    chances : sequence of int
        By cell (`cell_of`) and number of points 0..6: chances in units of 1 / `UNIT`.
    curves : sequence of int
        By state (`state_of`), call (`CALLS`) and knot: thousandths of a point plus `OFFSET`.
    margins : tuple of int
        What each of `TEMPERS` adds to the value of a bid, in thousandths of a point.
    """

    chances: Sequence[int]
    curves: Sequence[int]
    margins: tuple[int, ...]


def pack(chances: Iterable[int], curves: Iterable[int]) -> bytes:
    """Write the two tables as the bytes of a file."""
    numbers = array("H", [*chances, *curves])
    if len(numbers) != SIZE:
        raise ValueError(f"{len(numbers)} numbers are no bidding tables: wanted {SIZE}")
    return lzma.compress(_little_endian(numbers).tobytes(), preset=9 | lzma.PRESET_EXTREME)


@cache
def bidding() -> Bidding:
    """Read the tables that ship.

    Raises
    ------
    ValueError
        The files are damaged, or do not belong to each other.
    """
    data = unpacked(PATH.read_bytes())
    about = json.loads(ABOUT_PATH.read_text(encoding="utf-8"))
    if digest(data) != about["sha256"] or len(data) != 2 * SIZE:
        raise ValueError(f"{PATH.name} is damaged: it is not what {ABOUT_PATH.name} describes")
    numbers = array("H")
    numbers.frombytes(data)
    numbers = _little_endian(numbers)
    split = N_CELLS * N_POINTS
    margins = tuple(int(about["margins"][temper]) for temper in TEMPERS)
    return Bidding(numbers[:split], numbers[split:], margins)


def unpacked(data: bytes) -> bytes:
    """The tables' bytes, out of those of a file."""
    return lzma.decompress(data)


def digest(data: bytes) -> str:
    """Hash of the tables' bytes, unpacked."""
    return hashlib.sha256(data).hexdigest()


def _little_endian(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


def role_of(seat: int, rules: Rules) -> int:
    """Where a declarer sits: 0 he deals, 1 a partner deals, 2 neither."""
    if seat == DEALER:
        return 0
    return 1 if rules.team(seat) == rules.team(DEALER) else 2


def cell_of(hand: Iterable[Card], trump: Suit, role: int) -> int:
    """Cell of six cards, were these trumps."""
    cards = tuple(hand)
    aces = sum(card[:-1] == "A" and suit_of(card, trump) != trump for card in cards)
    return (holding_of(cards, trump) * N_ACES + aces) * N_ROLES + role


def values_of(chances: Sequence[int]) -> tuple[int, ...]:
    """Values of declaring at bids 3 to 6, rounded down, and the mean points in units of 1 / `UNIT`.

    The declaring team scores its points k, or loses its bid; the others' k' = 6 - k points are two teams'.

    Parameters
    ----------
    chances : sequence of 7 int
        Chance of each number of points, in units of 1 / `UNIT`.
    """
    values = [
        sum(chance * (2 * (k if k >= bid else -bid) - (6 - k)) for k, chance in enumerate(chances))
        for bid in BIDS
    ]
    least = 2 * UNIT * OFFSET // 1000
    return (
        *((value + least) * 1000 // (2 * UNIT) for value in values),
        sum(k * chance for k, chance in enumerate(chances)),
    )


@cache
def _values(cell: int) -> tuple[int, ...]:
    return values_of(bidding().chances[N_POINTS * cell : N_POINTS * (cell + 1)])


def suit_values(hand: Iterable[Card], trump: Suit, role: int) -> tuple[int, ...]:
    """`values_of` a hand, were these trumps."""
    return _values(cell_of(hand, trump, role))


def hand_values(hand: Iterable[Card], role: int) -> tuple[int, ...]:
    """Values of declaring at bids 3 to 6, each in the suit that is best for it."""
    cards = tuple(hand)
    of_suits = [suit_values(cards, suit, role) for suit in SUITS]
    return tuple(max(values[level] for values in of_suits) for level in range(len(BIDS)))


def state_of(seat: int, high: tuple[int, int] | None, rules: Rules) -> int:
    """State 0..41 of the auction when a seat is to call: seven for each seat, by the high bid and who holds it.

    Parameters
    ----------
    seat : int
        1..6.
    high : (int, int), optional
        Seat and bid of the highest bid so far.
    rules : Rules
        Who is whose partner.
    """
    first = (seat - 1) * STATES_OF_SEAT
    if high is None:
        return first
    holder, bid = high
    return first + 1 + 2 * (bid - LOWEST_BID) + (rules.team(holder) != rules.team(seat))


def call_values(state: int, values: Sequence[int], curves: Sequence[int] | None = None) -> tuple[int, ...]:
    """What each of `CALLS` brings in a state of the auction, for a hand of these values; the pass goes by the first.

    By the curves that ship, or by others.
    """
    curves = bidding().curves if curves is None else curves
    strengths = (values[0], *values[: len(BIDS)])
    return tuple(_read(curves, state * len(CALLS) + number, value) for number, value in enumerate(strengths))


def _read(curves: Sequence[int], curve: int, value: int) -> int:
    """Height of a curve at a value, on the straight line between two points, rounded down."""
    knot, beyond = divmod(value, KNOT)
    at = curve * KNOTS + knot
    return (int(curves[at]) * (KNOT - beyond) + int(curves[at + 1]) * beyond) // KNOT


def temper_of(view: View, tempers: str = "normal") -> int:
    """Temper of a seat in this deal, by its code."""
    if tempers == MIXED:
        return draw(view.word(temper_word(view.seat)), len(TEMPERS))
    return TEMPERS.index(tempers)


def name_trumps(view: View) -> Suit:
    """Name the suit of the highest value at the bid, or without one that of the most points; of equals the first."""
    role = role_of(view.seat, view.rules)
    level = len(BIDS) if view.bid is None else view.bid - LOWEST_BID
    return max(SUITS, key=lambda suit: suit_values(view.hand, suit, role)[level])


def call(view: View, tempers: str = "normal", curves: Sequence[int] | None = None) -> int | None:
    """Make the call that brings most: a bid, or None to pass; of equal ones the lowest.

    Parameters
    ----------
    view : View
        What the seat knows.
    tempers : str
        One of `TEMPERS`, or `MIXED`.
    curves : sequence of int, optional
        What calls bring, in place of the curves that ship.
    """
    values = hand_values(view.hand, role_of(view.seat, view.rules))
    brings = call_values(state_of(view.seat, high_bid(view.auction), view.rules), values, curves)
    margin = bidding().margins[temper_of(view, tempers)]
    options: list[tuple[int, int | None]] = [(brings[0], None)] if view.may_pass else []
    options += [(brings[CALLS.index(bid)] + margin, bid) for bid in view.bids]
    return max(options, key=lambda option: option[0])[1]


def blank() -> tuple[bytes, dict[str, Any]]:
    """Tables of nothing, to begin with where there are none: every hand wins 0 points, every call brings 0."""
    chances = ([UNIT] + [0] * (N_POINTS - 1)) * N_CELLS
    data = pack(chances, [OFFSET] * (N_STATES * len(CALLS) * KNOTS))
    return data, {"sha256": digest(unpacked(data)), "margins": dict.fromkeys(TEMPERS, 0)}
