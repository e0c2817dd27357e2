"""Teams that bid by common advice: the tables of `club` (`game.club_bids`), changed as a piece of advice says.

Advice about cards changes what hands are worth, cell by cell; advice about the auction changes the curves of some of
its states. Some advice is a way of bidding of its own: count something and bid that number (`by_number`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.club_bids import (
    BIDS,
    CALLS,
    KNOT,
    KNOTS,
    N_ACES,
    N_CELLS,
    N_ROLES,
    N_STATES,
    STATES_OF_SEAT,
    UNIT,
)
from schmier_sim.game.holdings import HOLDINGS, NAMED
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.counts import N_SEATS

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

HELD = np.repeat([holding.held for holding in HOLDINGS], N_ACES * N_ROLES)
TRUMPS = np.repeat([holding.trumps for holding in HOLDINGS], N_ACES * N_ROLES)
"""Of each cell."""
SEAT, _KIND = np.divmod(np.arange(N_STATES), STATES_OF_SEAT)
HIGH = np.where(_KIND > 0, (_KIND - 1) // 2 + BIDS[0], 0)
"""Of each state of the auction: the seat 0..5 that is to call, and the high bid, 0 without one."""
EVERYWHERE = np.ones(N_STATES, np.bool_)
DEALER_CALLS = SEAT == N_SEATS - 1
PARTNER_HOLDS = _KIND % 2 == 1
OVER_THREE = _KIND == 2

NUMBER = 2048
"""A point of those who bid a number: so many units of a hand's value, eight knots of a curve."""
_STEPS = 8
_BITS = 16
_LAST = np.uint64(0xFFFF)
# A curve that leaps from 0 to a bid's height between two knots stays below that of a pass but for the last unit.
_PASS, _BID, _NEVER = 60_000, 60_100, 65_000
_HIGHEST_VALUE = 18_000
_NOTHING = Fraction(0)


@dataclass(frozen=True, eq=False)
class Bidder:
    """What a team bids by.

    Parameters
    ----------
    values : uint64 [2 * N_CELLS]
        As of `kernel.bots.club_bids.value_table`.
    curves : uint16 [states, calls, knots]
    """

    values: NDArray[np.uint64]
    curves: NDArray[np.uint16]


_CURVES = POINT_CURVES[0].reshape(N_STATES, len(CALLS), KNOTS)
CLUB = Bidder(HAND_VALUES, _CURVES)


def holds(card: str) -> Bools:
    """Cells that hold one of the named trumps (`game.holdings.NAMED`)."""
    return np.asarray(HELD & dict(NAMED)[card] > 0)


def never(cells: Bools, bids: Collection[int]) -> Bidder:
    """`club`, but that some cells are worth no bid of these."""
    values, curves = HAND_VALUES.copy(), _CURVES.copy()
    for level, bid in enumerate(BIDS):
        if bid in bids:
            values[:N_CELLS][cells] &= ~(_LAST << np.uint64(_BITS * level))
    curves[:, 1:, 0] = 0  # a hand without a suit for the bid
    return Bidder(values, curves)


def richer(cells: Bools, bids: Collection[int], margin: int) -> Bidder:
    """`club`, but that it takes some bids on some cells for so many thousandths better than they are.

    None is worth more than where the curves end.
    """
    values = HAND_VALUES.copy()
    for level, bid in enumerate(BIDS):
        if bid in bids:
            shift = np.uint64(_BITS * level)
            own = HAND_VALUES[:N_CELLS][cells] >> shift & _LAST
            more = np.minimum(own + np.uint64(margin), np.uint64(KNOT * (KNOTS - 1) - 1))
            values[:N_CELLS][cells] += (more - own) << shift
    return Bidder(values, _CURVES)


def lighter(states: Bools, margin: int) -> Bidder:
    """`club`, but that bids bring so many thousandths more in some states; fewer, if the margin is negative."""
    return Bidder(HAND_VALUES, with_margin(_CURVES, states, margin))


def with_margin(curves: NDArray[np.uint16], states: Bools, margin: int) -> NDArray[np.uint16]:
    """Curves with a margin on all bids in some states."""
    changed = curves.astype(np.int64)
    changed[states, 1:] += margin
    # A bid that brings 0 is none to the kernels; nothing that `club` may call is so low.
    return changed.clip(0, _PASS).astype(np.uint16)


def passing(states: Bools) -> Bidder:
    """`club`, but that it passes in some states."""
    curves = _CURVES.copy()
    curves[states, 0] = _NEVER
    return Bidder(HAND_VALUES, curves)


def with_curves_of(states: Any, others: Any) -> Bidder:
    """`club`, but that it calls in some states as it would in others."""
    curves = _CURVES.copy()
    curves[states] = _CURVES[others]
    return Bidder(HAND_VALUES, curves)


def lowest_only() -> Bidder:
    """`club`, but that it bids no higher than it must."""
    curves = _CURVES.copy()
    for number, bid in enumerate(BIDS, start=1):
        curves[np.maximum(HIGH + 1, BIDS[0]) < bid, number] = 0
    return Bidder(HAND_VALUES, curves)


def sure_points(bauers: tuple[tuple[Fraction, ...], ...]) -> Ints:
    """Count ace, 2 and bauers, in eighths of a point: int64 [cells].

    Parameters
    ----------
    bauers : two tuples of Fraction
        What right and left bauer are worth with 0, 1, 2 … other trumps, the last with more; rounded to eighths.
    """
    found = _STEPS * (holds("A").astype(np.int64) + holds("2"))
    for card, scale in zip(("R", "L"), bauers, strict=True):
        others = np.clip(TRUMPS - 1, 0, len(scale) - 1)
        found += holds(card) * np.array([round(_STEPS * worth) for worth in scale])[others]
    return found


def by_count(eighths: Ints, added: Fraction) -> Bidder:
    """Bid what a hand counts and something added, rounded down.

    Of suits that count alike the better one for `club` is named.

    Parameters
    ----------
    eighths : int64 [cells]
    added : Fraction
        In whole eighths.
    """
    values = HAND_VALUES.copy()
    values[:N_CELLS] = 0
    for level in range(len(BIDS)):
        shift = np.uint64(_BITS * level)
        true = HAND_VALUES[:N_CELLS] >> shift & _LAST
        number = eighths.astype(np.uint64) * np.uint64(NUMBER // _STEPS)
        number += true * np.uint64(NUMBER // _STEPS - 1) // np.uint64(_HIGHEST_VALUE)
        values[:N_CELLS] |= number << shift
    return Bidder(values, by_number(added))


def by_mean(added: Fraction, dealer_adds: Fraction = _NOTHING) -> Bidder:
    """Bid the mean points of hands like one's own and something added, rounded down; see `by_number`."""
    values = HAND_VALUES.copy()
    number = HAND_VALUES[N_CELLS:] * np.uint64(NUMBER) // np.uint64(UNIT)
    values[:N_CELLS] = 0
    for level in range(len(BIDS)):
        values[:N_CELLS] |= number << np.uint64(_BITS * level)
    return Bidder(values, by_number(added, dealer_adds))


def by_number(added: Fraction, dealer_adds: Fraction = _NOTHING) -> NDArray[np.uint16]:
    """Curves that bid a hand's value, in units of `NUMBER`, and something added, rounded down.

    The whole number is bid at once, but the dealer bids no higher than he must, and may add still more. Nobody bids
    over his partner. Both additions are in whole eighths.
    """
    curves = np.zeros((N_STATES, len(CALLS), KNOTS), np.uint16)
    curves[:, 0] = _PASS
    curves[PARTNER_HOLDS, 0] = _NEVER
    for number, bid in enumerate(BIDS, start=1):
        knot, of_dealer = (int(_STEPS * (bid - more)) for more in (added, added + dealer_adds))
        curves[~DEALER_CALLS, number, knot:] = _BID + bid
        curves[DEALER_CALLS, number, of_dealer:] = _BID - bid
    return curves
