"""What follows in many worlds: who declares after each call of a player, and what comes of each way to declare.

A deal's cards are played alike whatever was bid.  So a world is played once for each seat and suit that may come to
declare, and that one play serves all calls and all bids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.kernel import block, unseen
from schmier_sim.kernel.auction import calls_of, name_trumps_by
from schmier_sim.kernel.bits import U0, sel, u64
from schmier_sim.kernel.block import AWAY, BASE, BID, DECLARER, HANDS, HELD_BY, ONE, REST, TRUMP, TWO, TYPE, B
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, draw_tempers
from schmier_sim.kernel.counts import TYPES_SHAPE
from schmier_sim.kernel.exchange import exchange, turn_to_trumps
from schmier_sim.kernel.jit import Entry, inline, phase
from schmier_sim.kernel.play import pass_the_lead, play_on, sit_down
from schmier_sim.kernel.rng import deal_base, start_of
from schmier_sim.kernel.score import address_cells, score
from schmier_sim.kernel.teams import N_TEAMS
from schmier_sim.kernel.unseen import Ints, Knowledge, Masks, Worlds

NOBODY = 6
"""Declarer of a deal that is passed out."""
WAYS = 24
"""Ways to declare: four times the seat, plus the suit."""
OUTCOMES = u64(TYPES_SHAPE[2])
"""Numbers of who won the points: a type of deal of `counts`, whoever declares and whatever is bid."""

_AS_IT_WOULD = np.zeros(0, np.uint64)


@Entry
def _call(
    w: Any,
    start: Any,
    rows: Any,
    index: Any,
    seat: int,
    high: int,
    holder: int,
    calls: Any,
    bots: Any,
    tempers: int,
    curves: Any,
    rules: Any,
    declarers: Any,
    bids: Any,
    trumps: Any,
) -> None:
    """Let a seat make each of some calls in each world, and the seats after it answer. Fills [calls, worlds]."""
    n = index.size
    for first in range(0, n, B):
        here = min(B, n - first)
        for number in range(calls.size):
            call = calls[number]
            _lay_hands(w, rows, index, start, first)
            draw_tempers(w, tempers)
            for b in range(B):
                w[BID + b] = u64(high if call == 0 else call)
                w[DECLARER + b] = u64(holder if call == 0 else seat)
            for later in range(seat + 1, 6):
                team = later % rules[N_TEAMS]
                calls_of(w, later, bots[team], HAND_VALUES, curves[team], rules)
            name_trumps_by(w, bots, HAND_VALUES, rules)
            for b in range(here):
                bid = w[BID + b]
                declarers[number, first + b] = NOBODY if bid == U0 else w[DECLARER + b]
                bids[number, first + b] = bid
                trumps[number, first + b] = w[TRUMP + b]


@phase
def _lay_hands(w: Any, rows: Any, index: Any, start: Any, first: Any) -> None:
    last = index.size - 1
    for b in range(B):
        at = min(first + b, last)
        w[BASE + b] = deal_base(start, u64(index[at]))
        for seat in range(6):
            w[HANDS[0] + seat * B + b] = rows[seat, at]


@Entry
def _play(
    w: Any,
    tables: Any,
    start: Any,
    rows: Any,
    index: Any,
    worlds: Any,
    declarers: Any,
    trumps: Any,
    away: Any,
    seat: int,
    bots: Any,
    rules: Any,
    outcomes: Any,
) -> None:
    """Play lanes: each a world, a declarer and a suit; in `away`, if it is not 0, what `seat` puts away."""
    last = worlds.size - 1
    for first in range(0, worlds.size, B):
        for b in range(B):
            lane = min(first + b, last)
            at = worlds[lane]
            w[BASE + b] = deal_base(start, u64(index[at]))
            for one in range(6):
                w[HANDS[0] + one * B + b] = rows[one, at]
            for one in range(5):
                w[ONE[0] + one * B + b] = rows[6 + one, at]
                w[TWO[0] + one * B + b] = rows[11 + one, at]
            w[REST + b] = rows[16, at]
            w[DECLARER + b] = u64(declarers[lane])
            w[TRUMP + b] = u64(trumps[lane])
            w[BID + b] = U0
        turn_to_trumps(w)
        exchange(w, tables, bots, rules)
        if away.size:
            for b in range(B):
                _put_away_instead(w, b, seat, away[min(first + b, last)], rules)
        sit_down(w)
        for trick in range(6):
            pass_the_lead(w)
            play_on(w, tables, trick, 0, bots, rules)
        score(w, rules)
        address_cells(w, rules)
        for b in range(min(B, worlds.size - first)):
            outcomes[first + b] = w[TYPE + b] % OUTCOMES


def is_ready() -> bool:
    """False if the first answer will have to compile the kernels."""
    return all(entry.is_ready for entry in (_call, _play, *unseen.ENTRIES))


@inline
def _put_away_instead(w: Any, b: int, seat: int, away: Any, rules: Any) -> None:
    """Make a seat put away other cards than it has, as many (none: leave it at that)."""
    swap = sel(away != U0, w[AWAY[0] + seat * B + b] ^ away, U0)
    w[AWAY[0] + seat * B + b] ^= swap
    w[HANDS[0] + seat * B + b] ^= swap
    w[HELD_BY[0] + seat % rules[N_TEAMS] * B + b] ^= swap


def play_lanes(
    tables: NDArray[np.int16],
    start: np.uint64,
    rows: Masks,
    index: Ints,
    worlds: Ints,
    declarers: Ints,
    trumps: Ints,
    bots: tuple[int, int, int],
    rules: tuple[int, ...],
    seat: int = 0,
    away: Masks = _AS_IT_WOULD,
) -> Ints:
    """Play worlds out, each as often as it stands in `worlds`.

    Parameters
    ----------
    tables : int16 array
        Weights of `club`.
    start : uint64
        Where the random words start.
    rows, index : uint64 [17, n], int64 [n]
        As of `unseen.Worlds`.
    worlds, declarers, trumps : int64 [lanes]
        Number of the world, seat 0 to 5, and column of the suit.
    bots, rules : tuples of int
        As of `unseen.Knowledge`.
    seat, away : int, uint64 [lanes], optional
        What a seat puts away, relative; 0 where it does as it would.

    Returns
    -------
    int64 [lanes]
        Who won the points: a number below `OUTCOMES`.
    """
    outcomes = np.zeros(len(worlds), np.int64)
    if len(worlds):
        _play(
            block.new_block(),
            tables,
            start,
            rows,
            index,
            np.ascontiguousarray(worlds),  # the kernel is compiled for one kind of array
            declarers,
            trumps,
            away,
            seat,
            bots,
            rules,
            outcomes,
        )
    return outcomes


@dataclass(frozen=True)
class Answers:
    """Who declares after each call: [calls, worlds].

    Parameters
    ----------
    declarers : int64
        Seat 0 to 5, or `NOBODY` where all passed.
    bids, trumps : int64
        His bid, 0 where all passed, and the column of the suit that he names.
    """

    declarers: Ints
    bids: Ints
    trumps: Ints


def answer(
    seed: int, known: Knowledge, worlds: Worlds, calls: Sequence[int], high: int, holder: int
) -> Answers:
    """Let the player make each of some calls (0 passes) in each world; `high` is the bid before it, 0 for none."""
    shape = (len(calls), len(worlds.index))
    declarers, bids, trumps = (np.zeros(shape, np.int64) for _ in range(3))
    if worlds.index.size:
        _call(
            block.new_block(),
            start_of(seed),
            worlds.rows,
            worlds.index,
            known.seat,
            high,
            holder,
            np.array(calls, np.int64),
            known.bots,
            known.tempers,
            known.curves,
            known.rules,
            declarers,
            bids,
            trumps,
        )
    return Answers(declarers, bids, trumps)
