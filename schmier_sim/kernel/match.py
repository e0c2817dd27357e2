"""The match: what deals do to the scores, who has won, and how states of the scores are numbered and put together.

A state is the teams' scores in the order: dealer's team, team to its left, (third team).  A deal changes the scores and
passes to the left: so the next state has the same form, and no dealer has to be remembered.  How often the scores
change in each way may hang on the state: states are put together in buckets, by how many
points each team needs.  Scores below `LEAST` count as `LEAST`.
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


def buckets_of(scores: Ints, rules: Rules) -> Ints:
    """Buckets of some scores [n, teams]: the teams' classes, the dealer's the highest digit: int64 [n]."""
    classes = np.searchsorted(MOST_NEEDED, rules.target - scores)
    return np.asarray(classes @ N_NEEDS ** np.arange(scores.shape[1] - 1, -1, -1))


def bucket_of(scores: tuple[int, ...], rules: Rules) -> int:
    """Bucket of one state."""
    return int(buckets_of(np.array([scores]), rules)[0])


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
def winner_after(
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
def following(n: int, size: int, target: int, totals: Any) -> int:
    """The state with these scores once the deal has passed on.

    Where two others are level beyond the target, the match goes on from just below it.
    """
    state = 0
    for place in range(n):
        team = place + 1 if place < n - 1 else 0
        state = state * size + min(max(totals[team], LEAST), target - 1) - LEAST
    return state


@inline
def read_scores(n: int, size: int, state: int, before: Any) -> None:
    """Fill in the scores of a state."""
    for step in range(n):
        before[n - 1 - step] = state % size + LEAST
        state //= size


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
        read_scores(n, size, states[i], before)
        for way in range(declarers.size):
            declarer = declarers[way]
            if declarer < 0 and not deal_passes:
                for team in range(n):
                    found[i, way, team] = wins[states[i], team]
                continue
            winner = winner_after(n, target, declarer_first, must_bid, before, gains, way, declarer, totals)
            if winner >= 0:
                for team in range(n):
                    found[i, way, team] = certain if team == winner else 0.0
            else:
                state = following(n, size, target, totals)
                for team in range(n):
                    found[i, way, team] = wins[state, team - 1 if team else n - 1]


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
        winners[lane] = winner_after(
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
    n, _, *end = match_numbers(rules)
    winners = np.zeros(len(way_of), np.int64)
    deal_passes = rules.all_pass == "next-dealer"
    totals = np.zeros(n, np.int64)
    _advance(n, *end, deal_passes, ways.gains, ways.declarers, way_of, scores, winners, totals)
    return winners, (ways.declarers[way_of] >= 0) | deal_passes


def match_numbers(rules: Rules) -> tuple[int, int, int, bool, bool]:
    """What the kernels are told of the match: teams, scores told apart, how it ends."""
    return (
        rules.n_teams,
        rules.target - LEAST,
        rules.target,
        rules.endgame == "declarer-first",
        rules.must_bid_to_win,
    )


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
    n, *_ = match = match_numbers(rules)
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
