"""Who won which of the six points, and the deal's cells in the tally, a block at a time."""

from typing import Any

import numpy as np

from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.kernel.bits import U0, U1, U2, U3, U4, count, sel, u64
from schmier_sim.kernel.block import (
    BID,
    CARD_POINTS,
    CELL,
    DEALT,
    DECLARER,
    HELD_BY,
    POINTS,
    TAKEN,
    TYPE,
    B,
)
from schmier_sim.kernel.counts import CELLS_SHAPE, TYPES_SHAPE
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.masks import (
    ACE,
    JOKER,
    LEFT,
    PLAIN_ACES,
    RIGHT,
    SMALL,
    TWO,
    card_points,
)
from schmier_sim.kernel.teams import GAME_TIE, LOW_TO_TAKER, N_TEAMS, team_of


def _class_table() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Class id by ``8 * held + small``."""
    table = np.zeros(256 * 8, dtype=np.uint64)
    for number, holding in enumerate(HOLDINGS):
        table[8 * holding.held + holding.small] = number
    return table


CLASS_OF = _class_table()
_, _CLASSES, _ACES_AXIS, _MASKS = (u64(n) for n in CELLS_SHAPE)
_, _BIDS, _WINS = (u64(n) for n in TYPES_SHAPE)


@phase
def score(w: Any, rules: Any) -> None:
    """Fill POINTS and CARD_POINTS."""
    n_teams = rules[N_TEAMS]
    low_to_taker = rules[LOW_TO_TAKER] != 0
    game_tie = rules[GAME_TIE]
    for b in range(B):
        held0, held1 = w[HELD_BY[0] + b], w[HELD_BY[1] + b]
        taken0, taken1, taken2 = w[TAKEN[0] + b], w[TAKEN[1] + b], w[TAKEN[2] + b]
        w[POINTS[0] + b] = _team_with(ACE, held0, held1)
        w[POINTS[1] + b] = _team_with(TWO, sel(low_to_taker, taken0, held0), sel(low_to_taker, taken1, held1))
        w[POINTS[2] + b] = _team_with(RIGHT, taken0, taken1)
        w[POINTS[3] + b] = _team_with(LEFT, taken0, taken1)
        w[POINTS[4] + b] = _team_with(JOKER, taken0, taken1)
        c0, c1, c2 = card_points(taken0), card_points(taken1), card_points(taken2)
        w[CARD_POINTS[0] + b] = c0
        w[CARD_POINTS[1] + b] = c1
        w[CARD_POINTS[2] + b] = c2
        w[POINTS[5] + b] = _game(c0, c1, c2, team_of(w[DECLARER + b], n_teams), game_tie)


@inline
def _team_with(card: Any, cards0: Any, cards1: Any) -> Any:
    return sel(cards0 & card != U0, U0, sel(cards1 & card != U0, U1, U2))


@inline
def _game(c0: Any, c1: Any, c2: Any, declarer: Any, game_tie: int) -> Any:
    """Team with the most card points; tied: nobody, or by house rule the declarer's team or the only defenders."""
    best = sel(c0 > c1, c0, c1)
    best = sel(c2 > best, c2, best)
    # Teams with the most card points as three bits; those of defenders alone.
    tied = sel(c0 == best, U1, U0) | sel(c1 == best, U2, U0) | sel(c2 == best, U4, U0)
    own = U1 << declarer
    if game_tie == 1:
        tied = sel(tied & own != U0, own, tied)
    if game_tie == 2:
        others = tied & ~own
        tied = sel(others != U0, others, tied)
    return sel(tied == U1, U0, sel(tied == U2, U1, sel(tied == U4, U2, U3)))


@phase
def address_cells(w: Any, rules: Any) -> None:
    """Fill CELL and TYPE: flat indices into arrays of `CELLS_SHAPE` and `TYPES_SHAPE`, the class still as its key."""
    n_teams = rules[N_TEAMS]
    for b in range(B):
        seat, dealt = w[DECLARER + b], w[DEALT + b]
        own = team_of(seat, n_teams)
        high, low, right = w[POINTS[0] + b], w[POINTS[1] + b], w[POINTS[2] + b]
        left, joker, game = w[POINTS[3] + b], w[POINTS[4] + b], w[POINTS[5] + b]
        won = sel(high == own, U1, U0) | sel(low == own, U2, U0) | sel(right == own, U4, U0)
        won |= sel(left == own, u64(8), U0) | sel(joker == own, u64(16), U0) | sel(game == own, u64(32), U0)
        w[CELL + b] = class_key(dealt) << u64(16) | count(dealt & PLAIN_ACES) << u64(8) | won
        bid = w[BID + b]
        bid = sel(bid == U0, U0, bid - U2)
        who = ((((high * U3 + low) * U3 + right) * U3 + left) * U3 + joker) * U4 + game
        w[TYPE + b] = (seat * _BIDS + bid) * _WINS + who


@inline
def class_key(dealt: Any) -> Any:
    """``8 * held + small``: ace to ten stand at bits 59, 55, … 39, the two at 7, the joker at 3."""
    held = dealt >> u64(59) & U1
    for bit in (55, 51, 47, 43, 39, 7, 3):
        held = held << U1 | (dealt >> u64(bit) & U1)
    return held << U3 | count(dealt & SMALL)


@inline
def cell_of(seat: Any, packed: Any) -> Any:
    """Flat index of a deal in an array of `CELLS_SHAPE`."""
    number = CLASS_OF[packed >> u64(16)]
    aces = packed >> u64(8) & u64(255)
    return ((seat * _CLASSES + number) * _ACES_AXIS + aces) * _MASKS + (packed & u64(255))
