"""Counts that a player can do in his head: small whole points for cards, and what to bid from how many of them.

A hand is counted in each suit, were that trumps; the suit that counts most is named, and its points decide the call:
the lowest bid that is still open, if they reach what that bid takes, else a pass. The counts that ship are made by
``scripts/pointcount`` (`analysis.pointfit`); what they cost is measured by `analysis.pointcost`.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game import club_bids
from schmier_sim.game.cards import SUITS, Card, Suit
from schmier_sim.game.club_bids import BIDS, CALLS, KNOTS, N_ACES, N_ROLES, N_STATES
from schmier_sim.game.holdings import HOLDINGS, NAMED, parse_holding
from schmier_sim.game.laws import DEALER, LOWEST_BID
from schmier_sim.game.rules import Rules

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PATH = Path(__file__).with_name("pointcounts.json")
HONOURS = tuple(name for name, _ in NAMED)
"""The trumps that may count more than a small one, in the order of `Count.honours`."""
MOST = KNOTS - 2
"""A hand never counts more than this."""
DEALS = 0
"""Role of the dealer, as of `game.club_bids.role_of`."""
STANDARD = Rules()
ROLE_OF_SEAT = tuple(club_bids.role_of(seat, STANDARD) for seat in range(1, DEALER + 1))
NO_BID, HIGHEST = 0, BIDS[-1]


@dataclass(frozen=True)
class Count:
    """Points for cards, and what to bid from how many of them.

    Attributes
    ----------
    name : str
        What it is called on the command line.
    about : str
        What is counted, in a few words.
    honours : tuple of int
        Points of the trumps A K Q R L 10 2 Jo.
    small : int
        Points of every other trump.
    ace : int
        Points of each plain ace.
    thresholds : tuple of tuple of int
        Points that bids of 3 to 6 take: of the dealer, of the player whose partner deals, of all others.
    partner_more : int or None
        Points that it takes more where the partner holds the highest bid; None passes there.
    opens_four : int or None
        Points from which all but the dealer open with 4 in place of 3; None never does.
    """

    name: str
    about: str
    honours: tuple[int, ...]
    small: int
    ace: int
    thresholds: tuple[tuple[int, ...], ...]
    partner_more: int | None
    opens_four: int | None

    def __post_init__(self) -> None:
        rows = {len(row) for row in self.thresholds}
        if len(self.honours) != len(HONOURS) or len(self.thresholds) != N_ROLES or rows != {len(BIDS)}:
            raise ValueError(
                f"count {self.name}: wanted {len(HONOURS)} honours, {N_ROLES} rows of {len(BIDS)}"
            )
        if min(*self.honours, self.small, self.ace) < 0 or self.of_cells().max() > MOST:
            raise ValueError(f"count {self.name}: points of a hand are from 0 to {MOST}")

    def of_cells(self) -> Ints:
        """Points by cell of `game.club_bids.cell_of`: int64 [cells]."""
        classes = np.array([self._of_class(holding.held, holding.small) for holding in HOLDINGS])
        points = classes[:, np.newaxis] + self.ace * np.arange(N_ACES)
        return np.repeat(points.reshape(-1), N_ROLES)

    def _of_class(self, held: int, small: int) -> int:
        named = sum(points for points, (_, bit) in zip(self.honours, NAMED, strict=True) if held & bit)
        return named + self.small * small

    def of_holding(self, text: str) -> int:
        """Points of a trump holding in words, such as ``A K R x x``, without plain aces."""
        holding = HOLDINGS[parse_holding(text)]
        return self._of_class(holding.held, holding.small)

    def of_hand(self, hand: Iterable[Card]) -> tuple[int, Suit]:
        """Points of six cards in the suit that counts most, and that suit; of equals the first."""
        cards = tuple(hand)
        cells = self.of_cells()
        points = {suit: int(cells[club_bids.cell_of(cards, suit, DEALS)]) for suit in SUITS}
        suit = max(SUITS, key=lambda name: points[name])
        return points[suit], suit

    def call(self, points: int, role: int, high: int = NO_BID, *, partner_holds: bool = False) -> int:
        """Call with so many points: a bid, or 0 to pass.

        Parameters
        ----------
        points : int
        role : int
            As of `game.club_bids.role_of`.
        high : int
            The highest bid so far; 0 without one.
        partner_holds : bool
            Whether that is the partner's.
        """
        bid = high + 1 if high else LOWEST_BID
        if bid > HIGHEST or (partner_holds and self.partner_more is None):
            return NO_BID
        more = self.partner_more or 0 if partner_holds else 0
        if points < self.thresholds[role][bid - LOWEST_BID] + more:
            return NO_BID
        opens = not high and role != DEALS and self.opens_four is not None and points >= self.opens_four
        return bid + 1 if opens else bid

    def policy(self) -> Ints:
        """Number of the call (`game.club_bids.CALLS`) in every state of the auction: int64 [states, points]."""
        table = np.zeros((N_STATES, MOST + 1), np.int64)
        for state in range(N_STATES):
            role, high, partner_holds = situation_of(state)
            for points in range(MOST + 1):
                table[state, points] = CALLS.index(self.call(points, role, high, partner_holds=partner_holds))
        return table

    def to_dict(self) -> dict[str, Any]:
        """The count as plain values, honours by name."""
        return asdict(self) | {
            "honours": dict(zip(HONOURS, self.honours, strict=True)),
            "thresholds": [list(row) for row in self.thresholds],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Count":
        """Read what `to_dict` gave."""
        return cls(
            **values
            | {
                "honours": tuple(values["honours"][name] for name in HONOURS),
                "thresholds": tuple(tuple(row) for row in values["thresholds"]),
            }
        )


@dataclass(frozen=True)
class Ladder:
    """The counts that ship, from the simplest to the finest.

    Attributes
    ----------
    counts : tuple of Count
    recommended : str
        Name of the simplest that costs hardly more than the best (`pointfit.HARDLY`), by the table on fresh deals.
    fit : dict
        How they were found: seed, deals, and a hash of the tables that `club` bid by.
    """

    counts: tuple[Count, ...]
    recommended: str
    fit: dict[str, Any]

    def __getitem__(self, name: str) -> Count:
        return next(count for count in self.counts if count.name == name)


@cache
def ladder() -> Ladder:
    """Read the counts that ship."""
    values = json.loads(PATH.read_text(encoding="utf-8"))
    return Ladder(tuple(map(Count.from_dict, values["counts"])), values["recommended"], values["fit"])


def situation_of(state: int) -> tuple[int, int, bool]:
    """Role of the seat, highest bid (0 without one), and whether that is its partner's, in a state of the auction."""
    seat, kind = divmod(state, club_bids.STATES_OF_SEAT)
    if kind == 0:
        return ROLE_OF_SEAT[seat], NO_BID, False
    return ROLE_OF_SEAT[seat], LOWEST_BID + (kind - 1) // 2, kind % 2 == 1


def bids_hash() -> str:
    """Hash of the tables that `club` bids by."""
    tables = club_bids.bidding()
    return hashlib.sha256(np.array([*tables.chances, *tables.curves], "<u2").tobytes()).hexdigest()
