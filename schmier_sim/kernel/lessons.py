"""Lessons: decisions in the middle of deals, each legal card played out to the end of the very deal.

The hidden cards of a deal are a fair sample of what a seat may expect there, so the result of playing on is an unbiased
sample of what each card is worth to it, and all cards of a decision are compared on the same deal.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.rules import Rules
from schmier_sim.kernel import block
from schmier_sim.kernel.auction import auction, name_trumps, of_seat
from schmier_sim.kernel.bits import U0, U1, U2, U3, U6, sel, u64
from schmier_sim.kernel.block import BID, CHOICE, DECLARER, FEATURES, LEADER, OPTIONS, POINTS, TRUMP, B
from schmier_sim.kernel.bots import CLUB, club_bot, simple_bot
from schmier_sim.kernel.deal import deal
from schmier_sim.kernel.exchange import exchange, turn_to_trumps
from schmier_sim.kernel.jit import Entry, inline, phase
from schmier_sim.kernel.play import follow_with_choice, lead_with_choice, pass_the_lead, play_on, sit_down
from schmier_sim.kernel.rng import start_of
from schmier_sim.kernel.score import score
from schmier_sim.kernel.teams import N_TEAMS, code_of, team_of


@dataclass(frozen=True, slots=True)
class Lessons:
    """Decisions: the addresses of each option in the tables of `club`, and what came of it.

    Parameters
    ----------
    features : uint64 array [decisions, 6, 2]
        Addresses of each option, packed as in `club_bot.weigh`; those past `options` mean nothing.
    options : int64 array [decisions]
        Number of legal cards, at least two.
    points : int64 array [decisions, 6]
        Points that the own team won after each option.
    place : int64 array [decisions, 5]
        Trick, place, whether the own team declares, bid (0 none), and the declarer's points are not among own ones.
    """

    features: NDArray[np.uint64]
    options: NDArray[np.int64]
    points: NDArray[np.int8]
    scores: NDArray[np.int8]
    where: NDArray[np.int8]


@phase
def _play_to(w: Any, tables: Any, trick: int, place: int, bots: Any, rules: Any) -> None:
    """Play the tricks before `trick`, and its cards before `place`."""
    sit_down(w)
    for t in range(trick):
        pass_the_lead(w)
        club_bot.note_voids(w, t, rules)
        play_on(w, tables, t, 0, bots, rules)
    pass_the_lead(w)
    club_bot.note_voids(w, trick, rules)
    club_bot.count_game(w)
    for at in range(place):
        club_bot.weigh(w, trick, at, rules)
        club_bot.choose(w, tables, trick, at, rules)
        if at == 0:
            lead_with_choice(w)
        else:
            follow_with_choice(w, at)


@phase
def _play_out(w: Any, tables: Any, trick: int, place: int, bots: Any, rules: Any) -> None:
    """The seat at `place` plays CHOICE, and all go on to the end."""
    if place == 0:
        lead_with_choice(w)
    else:
        follow_with_choice(w, place)
    play_on(w, tables, trick, place + 1, bots, rules)
    for t in range(trick + 1, 6):
        pass_the_lead(w)
        club_bot.note_voids(w, t, rules)
        play_on(w, tables, t, 0, bots, rules)
    score(w, rules)


@inline
def _score_of(w: Any, b: Any, team: Any, bid: Any) -> Any:
    """Twice the team's relative score: its own twice less those of the others (three teams)."""
    by = team_of(w[DECLARER + b], 3)
    total = 0
    for t in range(3):
        p = np.int64(_points_of(w, b, u64(t)))
        if u64(t) == by and p < bid:
            p = -bid
        total += 2 * p if u64(t) == team else -p
    return total


@inline
def _points_of(w: Any, b: Any, team: Any) -> Any:
    total = U0
    for point in range(6):
        total += sel(w[POINTS[0] + point * B + b] == team, U1, U0)
    return total


@Entry
def _teach(
    w: Any,
    copy: Any,
    before: Any,
    after: Any,
    start: Any,
    first: Any,
    blocks: Any,
    kinds: Any,
    bots: Any,
    rules: Any,
    features: Any,
    options: Any,
    points: Any,
    scores: Any,
    where: Any,
    bids: Any,
) -> Any:
    """Fill the arrays; return how many decisions there are. `kinds` [blocks, 3]: way, trick, place of each block."""
    n = 0
    n_teams = rules[N_TEAMS]
    for number in range(blocks):
        way, trick, place = kinds[number, 0], kinds[number, 1], kinds[number, 2]
        deal(w, start, first + u64(number * B), way == 2)
        for b in range(B):
            w[BID + b] = U0
        if way == 0:
            auction(w, bots, rules)
        if way != 2:
            name_trumps(w, bots, rules)
        for b in range(B):
            if way == 0:
                copy[b] = w[BID + b]
            else:
                v = simple_bot.suit_value(of_seat(w, b, w[DECLARER + b]), w[TRUMP + b])
                copy[b] = sel(v >= u64(520), U6, sel(v >= u64(430), u64(5), sel(v >= u64(370), u64(4), U3)))
        for b in range(B):
            bids[b] = copy[b]
        turn_to_trumps(w)
        exchange(w, bots, rules)
        _play_to(w, before, trick, place, bots, rules)
        club_bot.weigh(w, trick, place, rules)
        for k in range(6 - trick):
            for i in range(w.size):
                copy[i] = w[i]
            for b in range(B):
                card = w[OPTIONS[0] + k * B + b]
                copy[CHOICE + b] = sel(card == U0, w[OPTIONS[0] + b], card)
            _play_out(copy, after, trick, place, bots, rules)
            m = n
            for b in range(B):
                if w[OPTIONS[1] + b] == U0 or (way == 0 and w[BID + b] == U0):
                    continue
                seat = w[LEADER + b] + u64(place)
                seat = sel(seat >= U6, seat - U6, seat)
                if k == 0:
                    number_of = 0
                    for j in range(6 - trick):
                        features[m, j, 0] = w[FEATURES[1][0] + 2 * j * B + b]
                        features[m, j, 1] = w[FEATURES[1][1] + 2 * j * B + b]
                        number_of += w[OPTIONS[0] + j * B + b] != U0
                    options[m] = number_of
                    own = team_of(w[DECLARER + b], n_teams) == team_of(seat, n_teams)
                    where[m, 0], where[m, 1], where[m, 2], where[m, 3] = trick, place, own, w[BID + b]
                points[m, k] = _points_of(copy, b, team_of(seat, n_teams))
                scores[m, k] = _score_of(copy, b, team_of(seat, n_teams), np.int64(bids[b]))
                m += 1
        n = m
    return n


def teach(
    seed: int,
    first: int,
    blocks: int,
    before: NDArray[np.int16],
    after: NDArray[np.int16],
    bots: tuple[int, int, int] = (CLUB, CLUB, CLUB),
    rules: Rules = Rules(),
    rng: np.random.Generator | None = None,
) -> Lessons:
    """Play `blocks` blocks of deals, each to some decision, and there all legal cards to the end.

    `before` are the tables that lead to the decision, `after` those that play on.
    """
    rng = rng or np.random.default_rng(first)
    kinds = np.stack([rng.integers(0, 3, blocks), rng.choice(5, blocks, p=[.3,.25,.2,.15,.1]), rng.integers(0, 6, blocks)], axis=1)
    n = blocks * B
    features = np.zeros((n, 6, 2), np.uint64)
    options = np.zeros(n, np.int64)
    points = np.zeros((n, 6), np.int8)
    scores = np.zeros((n, 6), np.int8)
    where = np.zeros((n, 4), np.int8)
    m = _teach(
        block.new_block(), block.new_block(), before, after, start_of(seed), u64(first), blocks, kinds, bots,
        rules.packed(), features, options, points, scores, where, np.zeros(B, np.uint64),
    )
    return Lessons(features[:m], options[:m], points[:m], scores[:m], where[:m])
