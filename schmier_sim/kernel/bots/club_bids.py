"""How `club` bids and names trumps, by the tables of `game.club_bids`: its twin in plain Python tells what is in them.

What stands here takes its tables as arguments, so that ``scripts/bid-table`` can try others. The auction gives it
`HAND_VALUES`, which become constants of the machine code, and curves: `POINT_CURVES`, the ones that ship, or those of
`kernel.bots.club_equity`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game import club_bids as twin
from schmier_sim.kernel.bits import U0, U1, U2, U3, U4, U5, U6, count, sel, u64
from schmier_sim.kernel.block import (
    BASE,
    BID,
    BRINGS,
    CALLS,
    CELLS,
    DECLARER,
    HAND,
    HANDS,
    NOT_ASKED,
    TEMPERS,
    TRUMP,
    VALUES,
    B,
)
from schmier_sim.kernel.bots import CLUB
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.masks import COLUMN
from schmier_sim.kernel.rng import TEMPER_WORD, draw, word
from schmier_sim.kernel.score import CLASS_OF
from schmier_sim.kernel.teams import DEALER_MUST_BID, DEALER_STEALS, N_TEAMS, code_of, is_in, mates, team_of

MIXED = len(twin.TEMPERS)
"""Code of tempers that are drawn; the others are their places in `game.club_bids.TEMPERS`."""

# Where the cells of a class begin, by its key: of the values, then of the mean points.
FIRST_CELL = np.concatenate([CLASS_OF * u64(12), CLASS_OF * u64(12) + u64(twin.N_CELLS)])
_MEANS = u64(len(CLASS_OF) << 8)  # added to a place: that of the mean points
_CLUB, _NOT_ASKED = u64(CLUB), u64(NOT_ASKED)
_CALLS, _KNOTS, _KNOT = u64(len(twin.CALLS)), u64(twin.KNOTS), u64(twin.KNOT)
_STATES_OF_SEAT = u64(twin.STATES_OF_SEAT)
_EVEN = u64(4096)  # added to all values that are compared: more than any margin
_S8, _S16, _S32, _S36, _S44, _S48 = u64(8), u64(16), u64(32), u64(36), u64(44), u64(48)
_LAST = u64(0xFFFF)
_HONOURS = u64(0x1111)
_BYTE = u64(255)
_FOUR_BITS = u64(15)
_ACE_ROW = u64(0xF << 56)
_SMALL_ROWS = COLUMN & u64(0x1_FFFF_FF00)  # 3 to 9


def value_table(chances: Any) -> NDArray[np.uint64]:
    """Tables of `game.club_bids.values_of` for all cells: uint64 [2 * N_CELLS].

    First the values at bids 3 to 6 of each cell, 16 bits each, the lowest bits for 3; then the mean points of each.
    """
    of_cells = np.asarray(chances, np.int64).reshape(twin.N_CELLS, twin.N_POINTS)
    points = np.arange(twin.N_POINTS)
    table = np.zeros(2 * twin.N_CELLS, np.uint64)
    for level, bid in enumerate(twin.BIDS):
        scores = 2 * np.where(points >= bid, points, -bid) - (6 - points)
        values = (of_cells @ scores + 2 * twin.UNIT * twin.OFFSET // 1000) * 1000 // (2 * twin.UNIT)
        table[: twin.N_CELLS] |= values.astype(np.uint64) << u64(16 * level)
    table[twin.N_CELLS :] = of_cells @ points
    return table


def _shipped() -> tuple[NDArray[np.uint64], NDArray[np.uint16], tuple[int, ...]]:
    tables = twin.bidding()
    return value_table(tables.chances), for_teams(tables.curves), tables.margins


def for_teams(*curves: Any) -> NDArray[np.uint16]:
    """Curves for all teams, or for each of three, as the kernels want them: uint16 [3, states * calls * knots]."""
    each = np.array(curves, np.uint16).reshape(len(curves), -1)
    # Writable, in rows, as all arrays are that kernels are given: for another kind they would be compiled once more.
    return np.array(np.broadcast_to(each, (3, each.shape[1])), order="C")


HAND_VALUES, POINT_CURVES, _MARGINS = _shipped()
_NORMAL, _CAUTIOUS, _BOLD = (u64(4096 + margin) for margin in _MARGINS)


@phase
def draw_tempers(w: Any, tempers: int) -> None:
    """Fill TEMPERS."""
    for seat in range(6):
        for b in range(B):
            if tempers == MIXED:
                w[TEMPERS[0] + seat * B + b] = draw(word(w[BASE + b], TEMPER_WORD + u64(seat)), U3)
            else:
                w[TEMPERS[0] + seat * B + b] = u64(tempers)


@inline
def role_of(seat: Any, partner_deals: bool) -> Any:
    """0 the seat deals, 1 a partner does, 2 neither."""
    return sel(seat == U5, U0, sel(partner_deals, U1, U2))


@inline
def _place_of(hand: Any, column: int, role: Any) -> Any:
    """Where a natural hand stands in the tables, were `column` trumps: key of its class, and the rest of the cell."""
    own = hand >> u64(column)
    high = own >> _S44 & _HONOURS
    high = (high | high >> U3 | high >> U6 | high >> u64(9)) & _FOUR_BITS
    other_jack = hand >> u64(44 + (column + 2) % 4) & U1
    held = high << U4 | other_jack << U3 | (own >> _S36 & U1) << U2 | (own >> U4 & U1) << U1 | hand & U1
    aces = count(hand & _ACE_ROW) - (own >> u64(56) & U1)
    return (held << U3 | count(own & _SMALL_ROWS)) << _S8 | (aces * U3 + role)


@inline
def _look_up(values: Any, place: Any) -> Any:
    return values[FIRST_CELL[place >> _S8] + (place & _BYTE)]


@phase
def name_trumps(w: Any, bots: Any, values: Any, rules: Any) -> None:
    """Fill TRUMP where `club` declares; HAND holds the declarer's cards.

    The suit of the highest value at the bid, or without one of the most points; of equals the first.
    """
    n_teams = rules[N_TEAMS]
    for b in range(B):
        declarer, bid = w[DECLARER + b], w[BID + b]
        role = role_of(declarer, team_of(declarer, n_teams) == u64(5 % n_teams))
        plane = sel(bid == U0, _MEANS, U0)
        shift = sel(bid == U0, U0, (bid - U3) << U4)
        best = U0
        for column in range(4):
            value = _look_up(values, _place_of(w[HAND + b], column, role) + plane)
            value = (value >> shift & _LAST) << U2 | (U3 - u64(column))
            best = _larger(best, value)
        if code_of(declarer, bots, n_teams) == _CLUB:
            w[TRUMP + b] = U3 - (best & U3)


@inline
def _larger(one: Any, other: Any) -> Any:
    return sel(other > one, other, one)


@inline
def state_of(seat: Any, high: Any, partner_holds: bool) -> Any:
    """State of the auction (`game.club_bids.state_of`); seats from 0, `high` 0 without a bid."""
    side = sel(partner_holds, U0, U1)
    return seat * _STATES_OF_SEAT + sel(high == U0, U0, U1 + ((high - U3) << U1) + side)


@phase
def find_values(w: Any, seat: int, values: Any, rules: Any) -> None:
    """Fill VALUES for a seat: of declaring at bids 3 to 6, each in the suit that is best for it."""
    role = role_of(u64(seat), is_in(mates(seat, rules[N_TEAMS]), U5))
    row = HANDS[0] + seat * B
    for b in range(B):
        w[HAND + b] = w[row + b]
    for b in range(B):
        hand = w[HAND + b]
        w[CELLS[0] + b] = _place_of(hand, 0, role)
        w[CELLS[1] + b] = _place_of(hand, 1, role)
        w[CELLS[2] + b] = _place_of(hand, 2, role)
        w[CELLS[3] + b] = _place_of(hand, 3, role)
    # Table look-ups in loops of their own: the arithmetic before and after is vector code without them.
    for b in range(B):
        w[VALUES[0] + b] = _look_up(values, w[CELLS[0] + b])
        w[VALUES[1] + b] = _look_up(values, w[CELLS[1] + b])
        w[VALUES[2] + b] = _look_up(values, w[CELLS[2] + b])
        w[VALUES[3] + b] = _look_up(values, w[CELLS[3] + b])
    for b in range(B):
        s, h, c, d = w[VALUES[0] + b], w[VALUES[1] + b], w[VALUES[2] + b], w[VALUES[3] + b]
        w[VALUES[0] + b] = _largest(s & _LAST, h & _LAST, c & _LAST, d & _LAST)
        w[VALUES[1] + b] = _largest(
            s >> _S16 & _LAST, h >> _S16 & _LAST, c >> _S16 & _LAST, d >> _S16 & _LAST
        )
        w[VALUES[2] + b] = _largest(
            s >> _S32 & _LAST, h >> _S32 & _LAST, c >> _S32 & _LAST, d >> _S32 & _LAST
        )
        w[VALUES[3] + b] = _largest(s >> _S48, h >> _S48, c >> _S48, d >> _S48)


@inline
def _largest(a: Any, b: Any, c: Any, d: Any) -> Any:
    return _larger(_larger(a, b), _larger(c, d))


@phase
def weigh_calls(w: Any, seat: int, values: Any, curves: Any, rules: Any) -> None:
    """Fill BRINGS for a seat: what each call brings, the temper's margin and `_EVEN` added."""
    find_values(w, seat, values, rules)
    own = mates(seat, rules[N_TEAMS])
    row = TEMPERS[0] + seat * B
    for b in range(B):
        w[CELLS[0] + b] = w[row + b]
    for b in range(B):
        high = w[BID + b]
        # After a bid of 6 nobody is asked and there is no such state: read that of 5.
        stands = sel(high == U6, U5, high)
        state = state_of(u64(seat), stands, (high != U0) & is_in(own, w[DECLARER + b]))
        w[CELLS[1] + b] = state * (_CALLS * _KNOTS)
    for b in range(B):
        first = w[CELLS[1] + b]
        w[BRINGS[0] + b] = _read(curves, first, w[VALUES[0] + b])
        w[BRINGS[1] + b] = _read(curves, first + _KNOTS, w[VALUES[0] + b])
        w[BRINGS[2] + b] = _read(curves, first + U2 * _KNOTS, w[VALUES[1] + b])
        w[BRINGS[3] + b] = _read(curves, first + U3 * _KNOTS, w[VALUES[2] + b])
        w[BRINGS[4] + b] = _read(curves, first + U4 * _KNOTS, w[VALUES[3] + b])
    for b in range(B):
        temper = w[CELLS[0] + b]
        margin = sel(temper == U0, _NORMAL, sel(temper == U1, _CAUTIOUS, _BOLD))
        w[BRINGS[0] + b] += _EVEN
        w[BRINGS[1] + b] += margin
        w[BRINGS[2] + b] += margin
        w[BRINGS[3] + b] += margin
        w[BRINGS[4] + b] += margin


@inline
def _read(curves: Any, first: Any, value: Any) -> Any:
    """Height at a value of the curve that begins at `first`."""
    at = first + (value >> _S8)
    beyond = value & _BYTE
    return (u64(curves[at]) * (_KNOT - beyond) + u64(curves[at + U1]) * beyond) >> _S8


@phase
def make_calls(w: Any, seat: int, rules: Any) -> None:
    """A seat makes the call that brings most, once they are weighed; of equal ones the lowest."""
    here, is_dealer = u64(seat), seat == 5
    step = U0 if is_dealer and rules[DEALER_STEALS] != 0 else U1
    forced = is_dealer and rules[DEALER_MUST_BID] != 0
    for b in range(B):
        high = w[BID + b]
        bidden = high != U0
        minimal = sel(bidden, high + step, U3)
        most, chosen = sel((not bidden) & forced, U0, w[BRINGS[0] + b]), U0
        brings = sel(minimal <= U3, w[BRINGS[1] + b], U0)
        chosen = sel(brings > most, U3, chosen)
        most = _larger(most, brings)
        brings = sel(minimal <= U4, w[BRINGS[2] + b], U0)
        chosen = sel(brings > most, U4, chosen)
        most = _larger(most, brings)
        brings = sel(minimal <= U5, w[BRINGS[3] + b], U0)
        chosen = sel(brings > most, U5, chosen)
        most = _larger(most, brings)
        chosen = sel(w[BRINGS[4] + b] > most, U6, chosen)
        asked = high != U6
        wins = asked & (chosen != U0)
        w[CELLS[0] + b] = sel(asked, chosen, _NOT_ASKED)
        w[BID + b] = sel(wins, chosen, high)
        w[DECLARER + b] = sel(wins, here, w[DECLARER + b])
    row = CALLS[0] + seat * B
    for b in range(B):
        w[row + b] = w[CELLS[0] + b]
