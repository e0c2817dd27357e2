"""The match as a chain of states: the chances of all of them, solved, and how often a match comes through each.

The chances are those of a system of linear equations, one for each state and team: each is the mean of those that
follow, as often as they follow.  It is solved by sweeps from high scores to low ones until nothing changes any more.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.rules import Rules
from schmier_sim.kernel.jit import Entry
from schmier_sim.kernel.match import (
    LEAST,
    N_NEEDS,
    Floats,
    Ints,
    Ways,
    following,
    match_numbers,
    need_classes,
    read_scores,
    winner_after,
)

MOST_GAIN = 6
TOLERANCE = 1e-9
MOST_SWEEPS = 500
NEGLIGIBLE, ENOUGH = 1e-10, 1e-5
"""What is too little to be sent on, and how much of a match may still be on its way."""


@Entry
def _follow(
    n: int,
    size: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    gains: Any,
    declarers: Any,
    bucket: Any,
    starts: Any,
    listed: Any,
    edge: Any,
    begin: Any,
    before: Any,
    totals: Any,
    followers: Any,
) -> None:
    """Fill in where each way leads from the states at the edge, see `Chain`."""
    for state in edge:
        read_scores(n, size, state, before)
        first = starts[bucket[state]]
        for at in range(first, starts[bucket[state] + 1]):
            way = listed[at]
            winner = winner_after(
                n, target, declarer_first, must_bid, before, gains, way, declarers[way], totals
            )
            # A match that is won leads to one more state for each team, by its place when the deal has passed on.
            after = size**n + (winner - 1) % n if winner >= 0 else following(n, size, target, totals)
            followers[begin[state] + at - first] = after


@Entry
def _sweep(
    n: int,
    bucket: Any,
    starts: Any,
    shares: Any,
    base: Any,
    begin: Any,
    followers: Any,
    means: Any,
    wins: Any,
) -> float:
    """Set each state to the mean of those that follow it, from high scores to low ones; return the largest change."""
    largest = 0.0
    third = min(n - 1, 2)
    for state in range(bucket.size - 1, -1, -1):
        first, last = starts[bucket[state]], starts[bucket[state] + 1]
        apart = begin[state] - first
        # Single variables: the compiler keeps them in registers.
        mean, mean_2, mean_3 = 0.0, 0.0, 0.0
        for at in range(first, last):
            after, share = base[state] + followers[apart + at], shares[at]
            mean += share * wins[after, 0]
            mean_2 += share * wins[after, 1]
            mean_3 += share * wins[after, third]
        # Means are by the next deal's teams, of which the last is this deal's first.
        means[0], means[1], means[third] = mean, mean_2, mean_3
        for team in range(n):
            value = means[team - 1 if team else n - 1]
            largest = max(largest, abs(value - wins[state, team]))
            wins[state, team] = value
    return largest


@Entry
def _visit(
    n: int,
    bucket: Any,
    starts: Any,
    shares: Any,
    base: Any,
    begin: Any,
    followers: Any,
    wins: Any,
    waiting: Any,
    worth: Any,
    visits: Any,
) -> float:
    """Send what waits at each state on its way, from low scores to high ones; return how much waits then.

    `waiting` [states and winners, turns] is how often a match stands at a state after a number of deals that leaves
    `turns` when divided by the number of teams. Adds to `worth` [listed ways, teams] the chances of the teams of the
    first deal after a state has been left in each way, and to `visits` [buckets] how often there is a deal.
    """
    for state in range(bucket.size):
        first, last = starts[bucket[state]], starts[bucket[state] + 1]
        apart = begin[state] - first
        for turn in range(n):
            here = waiting[state, turn]
            if here < NEGLIGIBLE:
                continue
            waiting[state, turn] = 0.0
            visits[bucket[state]] += here
            turned = turn + 1 if turn < n - 1 else 0
            for at in range(first, last):
                after = base[state] + followers[apart + at]
                waiting[after, turned] += here * shares[at]
                for place in range(n):
                    team = place + turned
                    worth[at, team if team < n else team - n] += here * wins[after, place]
    left = 0.0
    for state in range(bucket.size):
        for turn in range(n):
            left += waiting[state, turn]
    return left


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


@dataclass(frozen=True)
class Chain:
    """What follows each state of the match, and how often.

    A state of number `s` is in a bucket; its ways are those listed at ``starts[bucket]`` and on, of which each comes in
    one of ``1 / shares`` deals and leads to the state ``base[s] + followers[begin[s] + i]``.  Beyond the last state
    there is one for each team that may have won, by its place when the deal has passed on.

    In the midst, where no score can reach the target or fall below the lowest, followers are steps from where the
    scores would stand after the deal has passed on: those are the same for all states of the bucket.

    Attributes
    ----------
    n : int
        Teams.
    listed : int64 [ways of all buckets]
        Number of the way.
    shares : float64 [ways of all buckets]
    starts : int64 [buckets + 1]
    bucket, base, begin : int64 [states]
    followers : int32 [any]
    n_ways : int
    """

    n: int
    listed: Ints
    shares: Floats
    starts: Ints
    bucket: Ints
    base: Ints
    begin: Ints
    followers: NDArray[np.int32]
    n_ways: int

    def with_deals(self, deals: Ints, ways: Ways, rules: Rules) -> "Chain":
        """The same with other deals, in which no other ways come than those listed."""
        return replace(self, shares=shares_of(deals, ways, rules)[self._of_bucket, self.listed])

    @property
    def _of_bucket(self) -> Ints:
        """Bucket of each listed way."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def solve(self, begin: Floats | None = None) -> Solution:
        """Solve the chances of all states.

        Parameters
        ----------
        begin : float64 [states, teams], optional
            Chances that are near already.

        Raises
        ------
        NoEnd
        """
        n, states = self.n, len(self.bucket)
        wins = self._with_winners(np.full((states, n), 1 / n) if begin is None else begin)
        means = np.zeros(n)
        for sweep in range(1, MOST_SWEEPS + 1):
            residual = _sweep(*self._arguments(), means, wins)
            if residual < TOLERANCE:
                return Solution(wins[:states], residual, sweep)
        raise NoEnd

    def visit(self, wins: Floats, state: int) -> tuple[Floats, Floats]:
        """Follow matches from a state to their ends.

        Returns
        -------
        worth : float64 [buckets, ways, teams]
            Chances of the first deal's teams after each way, summed over the deals of the match that are in the bucket:
            by so much chances move if that way comes more often there.
        visits : float64 [buckets]
            Deals of the match in each bucket.
        """
        n, buckets = self.n, len(self.starts) - 1
        waiting = np.zeros((len(self.bucket) + n, n))
        waiting[state, 0] = 1.0
        listed, visits = np.zeros((len(self.listed), n)), np.zeros(buckets)
        arguments = *self._arguments(), self._with_winners(wins)
        while _visit(*arguments, waiting, listed, visits) > ENOUGH:
            pass
        worth = np.zeros((buckets, self.n_ways, n))
        worth[self._of_bucket, self.listed] = listed
        return worth, visits

    def _with_winners(self, wins: Floats) -> Floats:
        return np.concatenate([wins, np.eye(self.n)])

    def _arguments(self) -> tuple[Any, ...]:
        return (self.n, self.bucket, self.starts, self.shares, self.base, self.begin, self.followers)


def chain_of(deals: Ints, ways: Ways, rules: Rules) -> Chain:
    """Lay out what follows each state.

    Parameters
    ----------
    deals : int64 [buckets, ways]
        How often scores changed in each way, with one bucket for all states or ``N_NEEDS ** teams``.
    ways : Ways
    rules : Rules

    Raises
    ------
    NoEnd
    """
    n, size, target, *_ = match = match_numbers(rules)
    shares = shares_of(deals, ways, rules)
    # The last bucket is that where matches begin.
    if shares[-1] @ ways.gains.sum(axis=1) <= 0:
        raise NoEnd
    of_bucket, listed = np.nonzero(shares)
    starts = np.searchsorted(of_bucket, np.arange(len(deals) + 1))

    scores = np.indices([size] * n).reshape(n, -1)
    strides = size ** np.arange(n - 1, -1, -1)
    classes = need_classes(rules, len(deals))[scores]
    bucket = N_NEEDS ** np.arange(n - 1, -1, -1) @ classes
    edge = (scores.max(axis=0) + LEAST + MOST_GAIN >= target) | (scores.min(axis=0) < MOST_GAIN)
    counts = np.where(edge, np.diff(starts)[bucket], 0)
    ends = len(listed) + np.cumsum(counts)
    begin = np.where(edge, ends - counts, starts[bucket])
    base = np.where(edge, 0, strides @ np.roll(scores, -1, axis=0))
    followers = np.empty(ends[-1], np.int32)
    followers[: len(listed)] = np.roll(ways.gains, -1, axis=1)[listed] @ strides
    _follow(
        *match,
        ways.gains,
        ways.declarers,
        bucket,
        starts,
        listed,
        np.flatnonzero(edge),
        begin,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        followers,
    )
    return Chain(n, listed, shares[of_bucket, listed], starts, bucket, base, begin, followers, len(ways))
