"""Deals at all scores of a match, put together in buckets by what the teams need: how scores change in each."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import N_TEAMS
from schmier_sim.kernel.bots.club_bids import for_teams
from schmier_sim.kernel.equity import Curves
from schmier_sim.kernel.match import (
    MOST_NEEDED,
    N_NEEDS,
    Floats,
    Ints,
    state_of,
    ways_of,
)
from schmier_sim.kernel.simulate import Setup, deal_types, is_ready

N_BUCKETS = N_NEEDS**N_TEAMS
BUCKET_SPAN = 1 << 32
"""Deals of a bucket begin so far from those of the one before."""
TYPICAL_NEEDS = (*MOST_NEEDED[:6], 7, 10, 13, 19)
"""Points that a team of each bucket needs when its bids are weighed: about the middle of the bucket."""


def typical_states(rules: Rules) -> Ints:
    """State of the match that stands for each bucket: int64 [buckets]."""
    scores = rules.target - np.array(TYPICAL_NEEDS)
    digits = np.stack(np.unravel_index(np.arange(N_BUCKETS), (N_NEEDS,) * N_TEAMS), axis=1)
    return np.array([state_of(tuple(row), rules) for row in scores[digits].tolist()])


def spread(parts: Floats, total: int) -> Ints:
    """Share a number out in proportion, so that the whole numbers add up to it."""
    ends = np.rint(np.cumsum(parts) / parts.sum() * total).astype(np.int64)
    return np.asarray(np.diff(ends, prepend=0))


def play_buckets(
    setup: Setup,
    curves: Curves,
    first: int,
    deals: Ints,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Ints:
    """Play deals in each bucket and count the ways in which scores change.

    Parameters
    ----------
    setup : Setup
        What is played, but for what `club` bids by.
    curves : uint16 [buckets, n]
        This.
    first : int
        Where the deals begin; a span of `BUCKET_SPAN` for each bucket follows.
    deals : int64 [buckets]
        How many in each.

    Returns
    -------
    int64 [buckets, ways]
    """
    ways, total, done = ways_of(setup.rules), int(deals.sum()), 0

    def count(bucket: int) -> Ints:
        n = int(deals[bucket])
        types = deal_types(setup, first + bucket * BUCKET_SPAN, n, curves=for_teams(curves[bucket]))
        return np.bincount(ways.of_type[types], minlength=len(ways))

    if progress is not None and not is_ready():
        say_compiling(lambda text: progress(Progress(0, 1, message=text)))
    found = np.zeros((len(deals), len(ways)), np.int64)
    with ThreadPoolExecutor(workers or available_cores()) as pool:
        for bucket, counts in enumerate(pool.map(count, range(len(deals)))):
            found[bucket] = counts
            done += int(deals[bucket])
            if progress is not None:
                progress(Progress(done, total))
    return found
