"""Additive integer counts of played deals, and the sums over outcomes that tables are made of.

Sums of tallies are tallies, so chunks, threads, shards and machines add up to the same counts in any order.
"""

from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.cards import POINTS
from schmier_sim.kernel.counts import (
    CELLS_SHAPE,
    N_OUTCOMES,
    TYPES_SHAPE,
    winners,
)

Int64Array = NDArray[np.int64]


@dataclass(eq=False)
class Tally:
    """Counts of deals.

    Attributes
    ----------
    cells
        int64 [seat 6, trump-holding class 769, plain aces 4, outcome 64]: the declarer's seat and six dealt
        cards, and which points the declaring team won (bit 0 high, 1 low, 2 right, 3 left, 4 joker, 5 game).
    types
        int64 [seat 6, bid 5, deal type 972]: the declarer's seat, the bid (0 none, 1..4 for bids of 3..6),
        and the teams that won the six points (`winners` says how a type is numbered).
    passed
        Deals in which all six passed.
    """

    cells: Int64Array
    types: Int64Array
    passed: int

    @classmethod
    def empty(cls) -> Self:
        """Return a tally of no deals."""
        return cls(np.zeros(CELLS_SHAPE, np.int64), np.zeros(TYPES_SHAPE, np.int64), 0)

    @property
    def played(self) -> int:
        """Deals that were played."""
        return int(self.cells.sum())

    @property
    def deals(self) -> int:
        """All deals, played or passed out."""
        return self.played + self.passed

    def add(self, other: "Tally") -> None:
        """Add the counts of `other` to this tally, in place."""
        self.cells += other.cells
        self.types += other.types
        self.passed += other.passed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (
            self.passed == other.passed
            and np.array_equal(self.cells, other.cells)
            and np.array_equal(self.types, other.types)
        )


@cache
def outcome_wins() -> Int64Array:
    """Return int64 [64, 6]: 1 where the declaring team won the point in that outcome, in the order of POINTS."""
    outcomes = np.arange(N_OUTCOMES)[:, np.newaxis]
    return _constant(outcomes >> np.arange(len(POINTS)) & 1)


@cache
def outcome_points() -> Int64Array:
    """Return int64 [64]: how many of the six points the declaring team won."""
    return _constant(outcome_wins().sum(axis=1))


def count_points(cells: Int64Array) -> Int64Array:
    """Sum over outcomes [..., 64] of equal points: int64 [..., 7], deals with 0..6 points."""
    return np.stack([cells[..., outcome_points() == n].sum(axis=-1) for n in range(len(POINTS) + 1)], axis=-1)


def count_wins(cells: Int64Array) -> Int64Array:
    """Sum over outcomes [..., 64] that won a point: int64 [..., 6], in the order of POINTS."""
    return np.stack([cells[..., won == 1].sum(axis=-1) for won in outcome_wins().T], axis=-1)


@cache
def type_outcomes(team: int) -> Int64Array:
    """Return int64 [972]: the outcome, as in `Tally.cells`, that each deal type is for this team (0..2)."""
    return _constant((winners() == team) @ (1 << np.arange(len(POINTS))))


def _constant(values: NDArray[np.integer]) -> Int64Array:
    array = np.ascontiguousarray(values, dtype=np.int64)
    array.flags.writeable = False
    return array
