"""Calls as they were to be made in auctions of `club`, and what each possible call would have brought.

By the tables that `club` bids by (`game.club_bids`), which take a hand's trumps by their class, its plain aces and
where it sits; counts (`analysis.pointcount`) are fitted and measured by them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.pointcount import ROLE_OF_SEAT, Ints, situation_of
from schmier_sim.game import club_bids
from schmier_sim.game.club_bids import BIDS, CALLS, KNOT, KNOTS, N_ACES, N_CELLS, N_ROLES, N_STATES
from schmier_sim.kernel.block import CALLS as CALL_ROWS
from schmier_sim.kernel.block import HANDS, NOT_ASKED, B
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.score import CLASS_OF
from schmier_sim.kernel.simulate import Setup, logged_blocks

N_TEAMS, N_SEATS, N_SUITS = 3, 6, 4
NOT_LEGAL = 1 << 20
"""Loss of a call that may not be made, in thousandths: at least this."""
_DEALT, _CALLED = 0, 1
_SMALL = np.uint64(sum(1 << 4 * row for row in range(2, 9)))
_ACES = np.uint64(0xF << 56)


@dataclass(frozen=True)
class Auctions:
    """Calls that were to be made, in auctions of `club`.

    Attributes
    ----------
    deals : int64 [calls]
        Number of the deal, from 0.
    states : int64 [calls]
        As of `game.club_bids.state_of`.
    cells : int64 [calls, suits]
        Cell of the hand, were each suit trumps.
    calls : int64 [calls]
        What `club` called, as numbered in `game.club_bids.CALLS`.
    """

    deals: Ints
    states: Ints
    cells: Ints
    calls: Ints

    def losses(self) -> Ints:
        """What each call in each suit brings less than the best, in thousandths: int64 [calls, suits, CALLS]."""
        values = _cell_values()[self.cells]
        brings = np.empty((len(self.states), N_SUITS, len(CALLS)), np.int64)
        best = values[:, :, 0].max(axis=1)
        brings[:, :, 0] = _read(self.states, 0, best)[:, np.newaxis]
        open_from = _LEAST_LEVEL[self.states]
        for level in range(len(BIDS)):
            of_level = _read(self.states[:, np.newaxis], level + 1, values[:, :, level])
            brings[:, :, level + 1] = np.where(level >= open_from[:, np.newaxis], of_level, -NOT_LEGAL)
        return np.asarray(brings.max(axis=(1, 2))[:, np.newaxis, np.newaxis] - brings)

    def own_cells(self) -> Ints:
        """Cell of each hand in the suit that is best at the bid of `club`, or where it passes at 3: int64 [calls]."""
        values = _cell_values()[self.cells, np.maximum(self.calls - 1, 0)[:, np.newaxis]]
        return np.asarray(self.cells[np.arange(len(self.calls)), values.argmax(axis=1)])


def _least_level(state: int) -> int:
    high = situation_of(state)[1]
    return high - BIDS[0] + 1 if high else 0


_LEAST_LEVEL = np.array([_least_level(state) for state in range(N_STATES)])
"""Place in `BIDS` of the lowest bid that is still open, by state."""


def _cell_values() -> Ints:
    """Values of declaring at bids 3 to 6: int64 [cells, bids]."""
    packed = HAND_VALUES[:N_CELLS, np.newaxis] >> (16 * np.arange(len(BIDS), dtype=np.uint64))
    return np.asarray(packed & np.uint64(0xFFFF), np.int64)


def _read(states: Ints, call: int, values: Ints) -> Ints:
    """Height of curves at some values, as `game.club_bids` reads them."""
    curves = POINT_CURVES[0].reshape(N_STATES, len(CALLS), KNOTS).astype(np.int64)
    knot, beyond = np.divmod(values, KNOT)
    low, high = (curves[states, call, knot + step] for step in (0, 1))
    return np.asarray((low * (KNOT - beyond) + high * beyond) // KNOT)


def auctions_of(seed: int, first: int, deals: int) -> Auctions:
    """Play auctions of `club`, and keep each call with what its seat knew."""
    parts = []
    done = 0
    for log in logged_blocks(Setup(seed, "auction", "natural", "club"), first, deals):
        parts.append(_auctions_of_block(log, done))
        done += log.shape[2]
    return Auctions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _auctions_of_block(log: NDArray[np.uint64], first: int) -> tuple[Ints, Ints, Ints, Ints]:
    n = log.shape[2]
    high, holder = np.zeros(n, np.int64), np.zeros(n, np.int64)
    deals, states, cells, calls = [], [], [], []
    for seat in range(N_SEATS):
        call = log[_CALLED, CALL_ROWS[seat] // B].astype(np.int64)
        asked = call != NOT_ASKED
        others = (holder % N_TEAMS != seat % N_TEAMS).astype(np.int64)
        kind = np.where(high == 0, 0, 1 + 2 * (high - BIDS[0]) + others)
        deals.append(first + np.flatnonzero(asked))
        states.append((seat * club_bids.STATES_OF_SEAT + kind)[asked])
        cells.append(cells_of(log[_DEALT, HANDS[seat] // B][asked], ROLE_OF_SEAT[seat]))
        calls.append(np.where(call > 0, call - BIDS[0] + 1, 0)[asked])
        bids = asked & (call > 0)
        high, holder = np.where(bids, call, high), np.where(bids, seat, holder)
    return (
        np.concatenate(deals),
        np.concatenate(states),
        np.concatenate(cells),
        np.concatenate(calls),
    )


def cells_of(hands: NDArray[np.uint64], role: int) -> Ints:
    """Cells of natural hands of a role, were each suit trumps (`game.club_bids.cell_of`): int64 [hands, suits]."""
    cells = np.empty((len(hands), N_SUITS), np.int64)
    for column in range(N_SUITS):
        own = hands >> np.uint64(column)
        other_jack = _bit(hands, 44 + (column + 2) % N_SUITS)
        named = [*(_bit(own, bit) for bit in (56, 52, 48, 44)), other_jack]
        named += [_bit(own, 36), _bit(own, 4), _bit(hands, 0)]
        held = np.zeros(len(hands), np.int64)
        for card in named:
            held = held << 1 | card
        small = np.bitwise_count(own & _SMALL).astype(np.int64)
        aces = np.bitwise_count(hands & _ACES).astype(np.int64) - named[0]
        cells[:, column] = (CLASS_OF[held << 3 | small].astype(np.int64) * N_ACES + aces) * N_ROLES + role
    return cells


def _bit(masks: NDArray[np.uint64], bit: int) -> Ints:
    return (masks >> np.uint64(bit) & np.uint64(1)).astype(np.int64)


def counted(points: Ints, cells: Ints) -> tuple[Ints, Ints]:
    """Points of hands in the suit that counts most, by the points of all cells, and that suit; of equals the first."""
    of_suits = points[cells]
    suits = of_suits.argmax(axis=1)
    return of_suits[np.arange(len(suits)), suits], suits
