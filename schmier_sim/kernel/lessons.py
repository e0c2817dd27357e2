"""Lessons for `club`: decisions in the middle of deals, each legal card played out to the end of the very deal.

The hidden cards of a deal are a fair sample of what the seat may expect there, whatever it has seen.  So what comes of
playing on is an unbiased sample of what each card is worth, and all cards of a decision are compared on the same deal.
`practise` then moves the tables towards the cards that did better.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.club_bot import SIZE
from schmier_sim.game.rules import Rules
from schmier_sim.kernel import block
from schmier_sim.kernel.auction import auction, name_trumps
from schmier_sim.kernel.bits import U0, U3, U4, U5, U6, count, sel, u64
from schmier_sim.kernel.block import BID, CHOICE, DEALT, DECLARER, FEATURES, LEADER, OPTIONS, POINTS, B
from schmier_sim.kernel.bots import club_bot
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES, draw_tempers, role_of
from schmier_sim.kernel.deal import deal
from schmier_sim.kernel.exchange import exchange, turn_to_trumps
from schmier_sim.kernel.jit import Entry, inline, phase
from schmier_sim.kernel.masks import PLAIN_ACES
from schmier_sim.kernel.play import choose, lay_choice, pass_the_lead, play_on, sit_down
from schmier_sim.kernel.rng import start_of
from schmier_sim.kernel.score import CLASS_OF, class_key, score
from schmier_sim.kernel.simulate import bot_codes
from schmier_sim.kernel.teams import team_of

#: How a block of lessons comes about: an auction, or a declarer without one, with natural or stratified hands.
AUCTION, DECLARED, STRATIFIED = range(3)
#: Share of the lessons in each trick; the last has no choice.
TRICKS = (0.3, 0.25, 0.2, 0.15, 0.1)
_STANDARD = Rules()
_TEAMS = 3
_LAST, _BIDS = u64(0xFFFF), (U3, U4, U5, U6)
_CELLS_OF_CLASS, _ROLES = u64(12), U3
_DEALER = u64(5 % _TEAMS)


@dataclass(frozen=True, slots=True)
class Lessons:
    """Decisions of `club`, under the standard rules.

    Parameters
    ----------
    addresses : uint64 array [decisions, 6, 2]
        Of each option in the tables, packed as in `club_bot.weigh`; those past `options` mean nothing.
    options : int8 array [decisions]
        Number of legal cards, at least two.
    results : int8 array [decisions, 6]
        What came of each option: twice the own team's score of the deal, less the scores of the other two. A declarer
        without an auction is taken to have bid what his hand is worth.
    """

    addresses: NDArray[np.uint64]
    options: NDArray[np.int8]
    results: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.options)


@phase
def _play_to(w: Any, tables: Any, trick: int, place: int, bots: Any, rules: Any) -> None:
    """Play the tricks before `trick`, and its cards before `place`."""
    sit_down(w)
    for t in range(trick):
        pass_the_lead(w)
        play_on(w, tables, t, 0, bots, rules)
    pass_the_lead(w)
    club_bot.note_voids(w, trick, rules)
    club_bot.count_game(w)
    for at in range(place):
        choose(w, tables, trick, at, bots, rules)
        lay_choice(w, at)
    club_bot.weigh(w, trick, place, rules)


@phase
def _play_out(w: Any, tables: Any, trick: int, place: int, bots: Any, rules: Any) -> None:
    """The seat at `place` plays CHOICE, and all go on to the end."""
    lay_choice(w, place)
    play_on(w, tables, trick, place + 1, bots, rules)
    for t in range(trick + 1, 6):
        pass_the_lead(w)
        play_on(w, tables, t, 0, bots, rules)
    score(w, rules)


@phase
def _bid_what_it_is_worth(w: Any) -> None:
    """A declarer without an auction: the bid at which his hand is worth most, for what a deal is then worth."""
    for b in range(B):
        seat, dealt = w[DECLARER + b], w[DEALT + b]
        role = role_of(seat, team_of(seat, _TEAMS) == _DEALER)
        cell = CLASS_OF[class_key(dealt)] * _CELLS_OF_CLASS + count(dealt & PLAIN_ACES) * _ROLES + role
        values = HAND_VALUES[cell]
        most = U0
        for level in range(4):
            value = values >> u64(16 * level) & _LAST
            w[BID + b] = sel(value > most, _BIDS[level], w[BID + b])
            most = sel(value > most, value, most)


@inline
def _result(w: Any, b: Any, bid: Any, team: Any) -> Any:
    """Twice the score of a team, less those of the others."""
    declarer = team_of(w[DECLARER + b], _TEAMS)
    total = 0
    for other in range(_TEAMS):
        points = 0
        for point in range(6):
            points += 1 if w[POINTS[0] + point * B + b] == u64(other) else 0
        if u64(other) == declarer and points < bid:
            points = -bid
        total += 2 * points if u64(other) == team else -points
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
    bots: Any,
    tempers: Any,
    curves: Any,
    rules: Any,
    addresses: Any,
    options: Any,
    results: Any,
) -> Any:
    """Fill the arrays; return how many decisions there are. `blocks` int64 [blocks, 3]: way, trick, place."""
    n = 0
    for number in range(len(blocks)):
        way, trick, place = blocks[number, 0], blocks[number, 1], blocks[number, 2]
        deal(w, start, first + u64(number * B), way == STRATIFIED)
        draw_tempers(w, tempers)
        for b in range(B):
            w[BID + b] = U0
        if way == AUCTION:
            auction(w, bots, curves, rules)
        if way != STRATIFIED:
            name_trumps(w, bots, rules)
        turn_to_trumps(w)
        if way != AUCTION:
            _bid_what_it_is_worth(w)
        exchange(w, before, bots, rules)
        _play_to(w, before, trick, place, bots, rules)
        m = n
        for k in range(6 - trick):
            for i in range(w.size):
                copy[i] = w[i]
            for b in range(B):
                card = w[OPTIONS[0] + k * B + b]
                copy[CHOICE + b] = sel(card == U0, w[OPTIONS[0] + b], card)
            _play_out(copy, after, trick, place, bots, rules)
            m = n
            for b in range(B):
                if w[OPTIONS[1] + b] == U0 or w[BID + b] == U0:
                    continue
                seat = w[LEADER + b] + u64(place)
                team = team_of(sel(seat >= U6, seat - U6, seat), _TEAMS)
                results[m, k] = _result(copy, b, np.int64(w[BID + b]), team)
                at = FEATURES[1][0] + 2 * k * B + b
                addresses[m, k, 0], addresses[m, k, 1] = w[at], w[at + B]
                options[m] = k + 1 if w[OPTIONS[0] + k * B + b] != U0 else options[m]
                m += 1
        n = m
    return n


def teach(
    seed: int,
    first: int,
    blocks: NDArray[np.int64],
    before: NDArray[np.int16],
    after: NDArray[np.int16],
) -> Lessons:
    """Play blocks of deals, each to some decision, and there all legal cards to the end.

    Parameters
    ----------
    seed, first : int
        Address of the first deal.
    blocks : int64 array [blocks, 3]
        Of each block: AUCTION, DECLARED or STRATIFIED; the trick and the place in it where the decision is.
    before, after : int16 array [SIZE]
        The tables that lead to the decision, and those that play on.
    """
    n = len(blocks) * B
    addresses = np.zeros((n, 6, 2), np.uint64)
    options, results = np.zeros(n, np.int8), np.zeros((n, 6), np.int8)
    found = _teach(
        block.new_block(),
        block.new_block(),
        before,
        after,
        start_of(seed),
        u64(first),
        blocks,
        bot_codes("club"),
        0,
        POINT_CURVES,
        _STANDARD.packed(),
        addresses,
        options,
        results,
    )
    return Lessons(addresses[:found], options[:found], results[:found])


@inline
def _sum_of(weights: Any, first: Any, second: Any) -> Any:
    total = 0.0
    for at in club_bot.places(first, second):
        total += weights[at]
    return total


@Entry
def _practise(
    addresses: Any,
    options: Any,
    results: Any,
    order: Any,
    weights: Any,
    spent: Any,
    rate: Any,
    warmth: Any,
    scratch: Any,
) -> Any:
    """See `practise`."""
    weight, chance, gain = scratch[0], scratch[1], 0.0
    for i in order:
        n = options[i]
        mean, best = 0.0, 0
        for k in range(n):
            weight[k] = _sum_of(weights, addresses[i, k, 0], addresses[i, k, 1])
            mean += results[i, k] / n
            if weight[k] > weight[best]:
                best = k
        gain += results[i, best] - mean
        if rate == 0.0:
            continue
        total, expected = 0.0, 0.0
        most = weight[best]
        for k in range(n):
            chance[k] = math.exp((weight[k] - most) / warmth)
            total += chance[k]
        for k in range(n):
            chance[k] /= total
            expected += chance[k] * results[i, k]
        for k in range(n):
            slope = chance[k] * (results[i, k] - expected) / _TEAMS
            for at in club_bot.places(addresses[i, k, 0], addresses[i, k, 1]):
                spent[at] += slope * slope
                weights[at] += rate * slope / math.sqrt(spent[at] + 10.0)
    return gain / len(order)


def practise(
    lessons: Lessons,
    order: NDArray[np.int64],
    weights: NDArray[np.float64],
    spent: NDArray[np.float64],
    rate: float,
    warmth: float,
) -> float:
    """Move the weights towards cards that did better, decision by decision.

    A seat that plays card k with a chance proportional to ``exp(weight / warmth)`` can expect the mean of the results
    by these chances. Its slope is known exactly, since the result of every card is known; each weight goes up it by a
    step that is the shorter the more it has moved before (AdaGrad: Duchi, Hazan, Singer, JMLR 2011).

    Parameters
    ----------
    lessons : Lessons
    order : int64 array
        Decisions to look at.
    weights, spent : float64 array [SIZE]
        In points; changed in place. `spent` sums the squares of the slopes.
    rate : float
        Length of the steps; 0: only measure.
    warmth : float
        In points: the warmer, the more a card is played that weighs less.

    Returns
    -------
    float
        Mean result of the heaviest card over that of a random one, as `Lessons` count it (twice relative points).
    """
    assert weights.shape == spent.shape == (SIZE,)
    return float(
        _practise(
            lessons.addresses,
            lessons.options,
            lessons.results,
            order,
            weights,
            spent,
            rate,
            warmth,
            np.zeros((2, 6)),
        )
    )
