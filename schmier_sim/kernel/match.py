"""The match as a chain of deals: what deals do to the scores, who has won, and the chances of all states, solved.

A state is the teams' scores in the order: dealer's team, team to its left, (third team).  A deal changes the scores and
passes to the left: so the next state has the same form, and no dealer has to be remembered.  How often the scores
change in each way may hang on the state: states are put together in buckets, by how many points each team needs.

The chances solve a system of linear equations, one for each state and team, by sweeps from high scores to low ones
until nothing changes any more.  Scores below `LEAST` count as `LEAST`.
"""

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import BIDS, N_DEAL_TYPES, N_SEATS, TYPES_SHAPE, team_points
from schmier_sim.kernel.jit import Entry, inline

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST = -18
"""Lowest score that is told apart: from there nearly every match is lost."""
MOST_GAIN = 6
TOLERANCE = 1e-9
MOST_SWEEPS = 500
NEGLIGIBLE, ENOUGH = 1e-12, 1e-6
"""What is too little to be sent on, and how much of a match may still be on its way."""
MOST_NEEDED = (1, 2, 3, 4, 5, 6, 8, 11, 15)
"""Most points that a team of each bucket still needs to win; a last one holds those who need more."""
N_NEEDS = len(MOST_NEEDED) + 1


def score_table(rules: Rules) -> Ints:
    """Score of each team in each type of deal, as `game.scoring.deal_scores`: int64 [types, n_teams]."""
    shape = (*TYPES_SHAPE[:2], N_DEAL_TYPES, rules.n_teams)
    points = np.stack([team_points(team) for team in range(rules.n_teams)], axis=-1)
    scores = np.array(np.broadcast_to(points, shape))
    for seat in range(N_SEATS):
        team = rules.team(seat + 1) - 1
        for level, bid in enumerate(BIDS, start=1):
            own = scores[seat, level, :, team]
            own[own < bid] = -bid
    return scores.reshape(-1, rules.n_teams)


def declarer_table(rules: Rules) -> Ints:
    """Team 0, 1 (2) that declares in each type of deal: int64 [types]."""
    seats = np.arange(N_SEATS).repeat(prod(TYPES_SHAPE[1:]))
    return np.asarray(seats % rules.n_teams, np.int64)


@dataclass(frozen=True)
class Ways:
    """All ways in which a deal with an auction may change the scores.

    Teams are numbered from the dealer's: 0 deals, 1 is to its left, and so on.

    Parameters
    ----------
    gains : int64 [ways, teams]
    declarers : int64 [ways]
        Team that declared; -1 for a deal that was passed out, which is the last way.
    bids : int64 [ways]
        0 for a deal that was passed out.
    of_type : int64 [types + 1]
        The way of each type of deal, -1 of those without a bid; the last is that of a deal that was passed out, so that
        the type -1 finds it.
    """

    gains: Ints
    declarers: Ints
    bids: Ints
    of_type: Ints

    def __len__(self) -> int:
        """How many there are."""
        return len(self.bids)

    @property
    def passed(self) -> int:
        """The way of a deal that was passed out."""
        return len(self.bids) - 1


@cache
def ways_of(rules: Rules) -> Ways:
    """All ways under some rules; nothing but the number of teams matters."""
    n = rules.n_teams
    levels = np.arange(prod(TYPES_SHAPE)) // N_DEAL_TYPES % TYPES_SHAPE[1]
    known = levels > 0
    # Seat 1 is to the dealer's left: team 0 of the deal is team 1 from the dealer's.
    order = [(team - 1) % n for team in range(n)]
    rows = np.column_stack(
        [(declarer_table(rules) + 1) % n, levels + BIDS[0] - 1, score_table(rules)[:, order]]
    )
    ways, number = np.unique(rows[known], axis=0, return_inverse=True)
    of_type = np.full(len(rows) + 1, -1, np.int64)
    of_type[:-1][known] = number.ravel()
    of_type[-1] = len(ways)
    ways = np.vstack([ways, [-1, 0, *[0] * n]]).astype(np.int64)
    return Ways(np.ascontiguousarray(ways[:, 2:]), ways[:, 0].copy(), ways[:, 1].copy(), of_type)


def need_classes(rules: Rules, buckets: int) -> Ints:
    """Class of each score from `LEAST` to one below the target, by what is needed; all alike for a single bucket."""
    needed = rules.target - np.arange(LEAST, rules.target)
    if buckets == 1:
        return np.zeros(len(needed), np.int64)
    return np.searchsorted(MOST_NEEDED, needed)


def bucket_of(scores: tuple[int, ...], rules: Rules) -> int:
    """Bucket of some scores: the teams' classes, the dealer's the highest digit."""
    bucket = 0
    for score in scores:
        bucket = bucket * N_NEEDS + int(np.searchsorted(MOST_NEEDED, rules.target - score))
    return bucket


def state_of(scores: tuple[int, ...], rules: Rules) -> int:
    """Number of a state."""
    state = 0
    for score in scores:
        state = state * (rules.target - LEAST) + max(score, LEAST) - LEAST
    return state


@inline
def gain(total: Any, score: Any, declares: bool, must_bid: bool, target: Any) -> Any:
    """A team's total after a deal, as `game.scoring.apply_scores` has it."""
    after = total + score
    return min(after, max(total, target - 1)) if must_bid and not declares else after


@inline
def winner_of(totals: Any, n_teams: int, declarer: Any, declarer_first: bool, target: Any) -> int:
    """Team that has won the match by these totals, as `game.scoring.match_winner` has it; -1 if it goes on.

    `declarer` is below 0 after a deal that was passed out.
    """
    most, winner = target - 1, -1
    for team in range(n_teams):
        if totals[team] > most:
            most, winner = totals[team], team
        elif totals[team] == most:
            winner = -1
    if declarer >= 0 and totals[declarer] >= target and (declarer_first or totals[declarer] == most):
        winner = declarer
    return winner


@inline
def _winner(
    n: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    before: Any,
    gains: Any,
    way: int,
    declarer: Any,
    totals: Any,
) -> int:
    """Add a way's gains to the scores, as `totals`; the team that wins the match thereby, or -1."""
    for team in range(n):
        totals[team] = gain(before[team], gains[way, team], team == declarer, must_bid, target)
    return winner_of(totals, n, declarer, declarer_first, target)


@inline
def _following(n: int, size: int, target: int, totals: Any) -> int:
    """The state with these scores once the deal has passed on.

    Where two others are level beyond the target, the match goes on from just below it.
    """
    state = 0
    for place in range(n):
        team = place + 1 if place < n - 1 else 0
        state = state * size + min(max(totals[team], LEAST), target - 1) - LEAST
    return state


@inline
def _read(n: int, size: int, state: int, before: Any) -> None:
    """Fill in the scores of a state."""
    for step in range(n):
        before[n - 1 - step] = state % size + LEAST
        state //= size


@inline
def _bucket(n: int, classes: Any, n_classes: int, before: Any) -> int:
    bucket = 0
    for team in range(n):
        bucket = bucket * n_classes + classes[before[team] - LEAST]
    return bucket


@Entry
def _sweep(
    wins: Any,
    n: int,
    size: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    classes: Any,
    n_classes: int,
    shares: Any,
    gains: Any,
    declarers: Any,
    merged: Any,
    steps: Any,
    before: Any,
    totals: Any,
    means: Any,
) -> float:
    """Set each state to the mean of those that follow it, from high scores to low ones; return the largest change.

    Where no score can reach the target or fall below the lowest, it does not matter who declared: there, ways with the
    same gains are `merged` shares, and the state that follows is so many `steps` from where the turned one stands.
    """
    largest = 0.0
    for state in range(size**n - 1, -1, -1):
        _read(n, size, state, before)
        bucket = _bucket(n, classes, n_classes, before)
        highest, lowest = before[0], before[0]
        for team in range(1, n):
            highest, lowest = max(highest, before[team]), min(lowest, before[team])
        means[:] = 0.0
        if highest + MOST_GAIN < target and lowest >= LEAST + MOST_GAIN:
            turned = _following(n, size, target, before)
            for way in range(steps.size):
                share = merged[bucket, way]
                if share > 0.0:
                    for team in range(n):
                        means[team] += share * wins[turned + steps[way], team]
        else:
            for way in range(declarers.size):
                share = shares[bucket, way]
                if share == 0.0:
                    continue
                winner = _winner(
                    n, target, declarer_first, must_bid, before, gains, way, declarers[way], totals
                )
                if winner >= 0:
                    means[winner - 1 if winner else n - 1] += share
                else:
                    following = _following(n, size, target, totals)
                    for team in range(n):
                        means[team] += share * wins[following, team]
        # Means are by the next deal's teams, of which the last is this deal's first.
        for team in range(n):
            value = means[team - 1 if team else n - 1]
            largest = max(largest, abs(value - wins[state, team]))
            wins[state, team] = value
    return largest


@Entry
def _visit(
    n: int,
    size: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    classes: Any,
    n_classes: int,
    shares: Any,
    gains: Any,
    declarers: Any,
    wins: Any,
    before: Any,
    totals: Any,
    waiting: Any,
    worth: Any,
    visits: Any,
) -> float:
    """Send what waits at each state on its way, from low scores to high ones; return how much waits then.

    `waiting` [states, turns] is how often a match stands at a state after a number of deals that leaves `turns` when
    divided by the number of teams. Adds to `worth` [buckets, ways, teams] the chances of the teams of the first deal
    after a state has been left in each way, and to `visits` [buckets] how often there is a deal.
    """
    for state in range(size**n):
        for turn in range(n):
            here = waiting[state, turn]
            if here < NEGLIGIBLE:
                continue
            waiting[state, turn] = 0.0
            _read(n, size, state, before)
            bucket = _bucket(n, classes, n_classes, before)
            visits[bucket] += here
            for way in range(declarers.size):
                share = shares[bucket, way]
                if share == 0.0:
                    continue
                winner = _winner(
                    n, target, declarer_first, must_bid, before, gains, way, declarers[way], totals
                )
                if winner >= 0:
                    worth[bucket, way, (winner + turn) % n] += here
                    continue
                following = _following(n, size, target, totals)
                for team in range(n):
                    worth[bucket, way, (team + 1 + turn) % n] += here * wins[following, team]
                waiting[following, (turn + 1) % n] += here * share
    left = 0.0
    for state in range(size**n):
        for turn in range(n):
            left += waiting[state, turn]
    return left


@Entry
def _after(
    wins: Any,
    n: int,
    size: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    deal_passes: bool,
    states: Any,
    gains: Any,
    declarers: Any,
    certain: Any,
    before: Any,
    totals: Any,
    found: Any,
) -> None:
    """Fill `found` [states, ways, teams]: what is in `wins` for each team after each way; `certain` for a match won."""
    for i in range(states.size):
        _read(n, size, states[i], before)
        for way in range(declarers.size):
            declarer = declarers[way]
            if declarer < 0 and not deal_passes:
                for team in range(n):
                    found[i, way, team] = wins[states[i], team]
                continue
            winner = _winner(n, target, declarer_first, must_bid, before, gains, way, declarer, totals)
            if winner >= 0:
                for team in range(n):
                    found[i, way, team] = certain if team == winner else 0.0
            else:
                following = _following(n, size, target, totals)
                for team in range(n):
                    found[i, way, team] = wins[following, team - 1 if team else n - 1]


@Entry
def _advance(
    n: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    deal_passes: bool,
    gains: Any,
    declarers: Any,
    way_of: Any,
    scores: Any,
    winners: Any,
    totals: Any,
) -> None:
    """See `advance`."""
    for lane in range(way_of.size):
        way = way_of[lane]
        declarer = declarers[way]
        winners[lane] = _winner(
            n, target, declarer_first, must_bid, scores[lane], gains, way, declarer, totals
        )
        for place in range(n):
            team = place + 1 if place < n - 1 else 0
            if declarer < 0 and not deal_passes:
                team = place
            scores[lane, place] = min(totals[team], target - 1)


def advance(scores: Ints, way_of: Ints, ways: Ways, rules: Rules) -> tuple[Ints, NDArray[np.bool_]]:
    """Go on with matches by one deal each: changes `scores`.

    Parameters
    ----------
    scores : int64 [matches, teams]
        Of the dealer's team, the team to its left, the third team; then those of the next dealer's, and so on.
    way_of : int64 [matches]
        How each deal changes them.
    ways : Ways
    rules : Rules

    Returns
    -------
    winners : int64 [matches]
        Team that has won, from this deal's dealer's; -1 where the match goes on.
    turned : bool [matches]
        Whether the deal has passed on.
    """
    n, _, *end = _match(rules)
    winners = np.zeros(len(way_of), np.int64)
    deal_passes = rules.all_pass == "next-dealer"
    totals = np.zeros(n, np.int64)
    _advance(n, *end, deal_passes, ways.gains, ways.declarers, way_of, scores, winners, totals)
    return winners, (ways.declarers[way_of] >= 0) | deal_passes


class NoEnd(ValueError):
    """Matches do not end, as teams lose more than they win."""


@dataclass(frozen=True)
class Solution:
    """Chances to win the match.

    Parameters
    ----------
    wins : float64 [states, teams]
    residual : float
        By how much the chances of any state fail to be the mean of those that follow it.
    sweeps : int
    """

    wins: Floats
    residual: float
    sweeps: int


def shares_of(deals: Ints, ways: Ways, rules: Rules) -> Floats:
    """How often each way comes in each bucket, of the deals that count: float64 [buckets, ways].

    Parameters
    ----------
    deals : int64 [buckets, ways]
        Deals passed out count where they pass the deal on.
    """
    counted = deals.astype(np.float64)
    if rules.all_pass != "next-dealer":
        counted[:, ways.declarers < 0] = 0.0
    return np.asarray(counted / np.maximum(counted.sum(axis=1, keepdims=True), 1.0))


def _match(rules: Rules) -> tuple[int, int, int, bool, bool]:
    """What the kernels are told of the match: teams, scores told apart, how it ends."""
    return (
        rules.n_teams,
        rules.target - LEAST,
        rules.target,
        rules.endgame == "declarer-first",
        rules.must_bid_to_win,
    )


def solve_chain(deals: Ints, ways: Ways, rules: Rules, begin: Floats | None = None) -> Solution:
    """Solve the chances of all states.

    Parameters
    ----------
    deals : int64 [buckets, ways]
        How often scores changed in each way, with one bucket for all states or ``N_NEEDS ** teams``.
    ways : Ways
    rules : Rules
    begin : float64 [states, teams], optional
        Chances that are near already.

    Raises
    ------
    NoEnd
    """
    n, size, *_ = match = _match(rules)
    shares = shares_of(deals, ways, rules)
    if shares[-1] @ ways.gains.sum(axis=1) <= 0:
        raise NoEnd
    # The last bucket is that where matches begin.
    gains, number = np.unique(ways.gains, axis=0, return_inverse=True)
    alike = number.ravel()[:, np.newaxis] == np.arange(len(gains))
    merged = shares @ alike.astype(np.float64)
    strides = size ** np.arange(n - 1, -1, -1)
    wins = np.full((size**n, n), 1 / n) if begin is None else begin.copy()
    arguments = (
        *match,
        need_classes(rules, len(deals)),
        N_NEEDS if len(deals) > 1 else 1,
        shares,
        ways.gains,
        ways.declarers,
        merged,
        np.roll(gains, -1, axis=1) @ strides,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.float64),
    )
    for sweep in range(1, MOST_SWEEPS + 1):
        residual = _sweep(wins, *arguments)
        if residual < TOLERANCE:
            return Solution(wins, residual, sweep)
    raise NoEnd


def visit(deals: Ints, ways: Ways, rules: Rules, wins: Floats, state: int) -> tuple[Floats, Floats]:
    """Follow matches from a state to their ends.

    Returns
    -------
    worth : float64 [buckets, ways, teams]
        Chances of the first deal's teams after each way, summed over the deals of the match that are in the bucket: by
        so much chances move if that way comes more often there.
    visits : float64 [buckets]
        Deals of the match in each bucket.
    """
    n, size, *_ = match = _match(rules)
    waiting = np.zeros((size**n, n))
    waiting[state, 0] = 1.0
    worth, visits = np.zeros((*deals.shape, n)), np.zeros(len(deals))
    arguments = (
        *match,
        need_classes(rules, len(deals)),
        N_NEEDS if len(deals) > 1 else 1,
        shares_of(deals, ways, rules),
        ways.gains,
        ways.declarers,
        wins,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )
    while _visit(*arguments, waiting, worth, visits) > ENOUGH:
        pass
    return worth, visits


def after_one_deal(wins: Floats, ways: Ways, rules: Rules, states: Ints, certain: float = 1.0) -> Floats:
    """Chances of each team once the scores have changed in each way: float64 [states, ways, teams].

    Parameters
    ----------
    wins : float64 [states, teams]
        Chances, in any unit.
    ways : Ways
    rules : Rules
    states : int64 [n]
    certain : float
        The unit: what a match that is won counts.
    """
    n, *_ = match = _match(rules)
    found = np.zeros((len(states), len(ways), n))
    _after(
        wins,
        *match,
        rules.all_pass == "next-dealer",
        states,
        ways.gains,
        ways.declarers,
        float(certain),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        found,
    )
    return found
