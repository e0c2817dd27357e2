"""Matches whose bids hang on the scores: many side by side, a deal of each at a time.

Matches in the same bucket of needs (`kernel.match.bucket_of`) are dealt together, with bots that bid by the curves of
this bucket.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.bots.club_bids import POINT_CURVES, for_teams
from schmier_sim.kernel.equity import Curves
from schmier_sim.kernel.match import Floats, Ints, advance, buckets_of, ways_of
from schmier_sim.kernel.simulate import Setup, deal_types

#: Bot and bidding of a team.
Player = tuple[str, str]
_ROUND_SPAN = 1 << 32


@dataclass(frozen=True)
class Played:
    """Matches of one team, the challenger, against others.

    Attributes
    ----------
    start : int64 [matches]
        Place of the challenger at the beginning: 0 deals, 1 is to the dealer's left, and so on.
    winner : int64 [matches]
        Place at the beginning of the team that has won.
    deals : int64 [matches]
        Deals, passed-out ones too.
    declared : int64 [matches]
        Deals that the challenger's team declared.
    passed : int64 [matches]
    relative, declaring : int64 [matches]
        Own points less those of the others, times the number of the others: of all deals, and of those declared.
    """

    start: Ints
    winner: Ints
    deals: Ints
    declared: Ints
    passed: Ints
    relative: Ints
    declaring: Ints

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether the challenger has won."""
        return np.asarray(self.start == self.winner)


def play_matches(
    setup: Setup,
    curves: Curves,
    challenger: Player,
    opponent: Player,
    scores: Ints,
    start: Ints,
    *,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Played:
    """Play matches to their ends.

    Parameters
    ----------
    setup : Setup
        Seed, rules and tempers.
    curves : uint16 [buckets, n]
        What a team bids by whose bidding is "equity".
    challenger, opponent : Player
    scores : int64 [matches, teams]
        To begin with: of the dealer's team, the team to its left, the third team.
    start : int64 [matches]
        Place of the challenger.
    """
    rules = setup.rules
    n, ways = rules.n_teams, ways_of(rules)
    scores, place, lanes = scores.copy(), start.copy(), np.arange(len(start))
    turns = np.zeros(len(start), np.int64)
    tallies = np.zeros((6, len(start)), np.int64)
    winner, deals, declared, passed, relative, declaring = tallies
    number = 0
    with ThreadPoolExecutor(workers or available_cores()) as pool:
        while len(lanes):
            order, groups = _groups(scores, place, rules)
            lanes, scores, place = lanes[order], scores[order], place[order]
            bucket = buckets_of(scores, rules)
            jobs = [
                pool.submit(
                    _types,
                    setup,
                    curves,
                    (challenger, opponent),
                    int(place[first]),
                    int(bucket[first]),
                    number * _ROUND_SPAN + first,
                    end - first,
                )
                for first, end in groups
            ]
            way_of = ways.of_type[np.concatenate([job.result() for job in jobs])]
            gains, declarer = ways.gains[way_of], ways.declarers[way_of]
            rows = np.arange(len(lanes))
            apart = n * gains[rows, place] - gains.sum(axis=1)
            deals[lanes] += 1
            passed[lanes] += declarer < 0
            declared[lanes] += declarer == place
            relative[lanes] += apart
            declaring[lanes] += apart * (declarer == place)
            won, turned = advance(scores, way_of, ways, rules)
            over = won >= 0
            winner[lanes[over]] = (won[over] + turns[lanes[over]]) % n
            turns[lanes] += turned
            place = np.where(turned, (place - 1) % n, place)
            lanes, scores, place = lanes[~over], np.ascontiguousarray(scores[~over]), place[~over]
            number += 1
            if progress is not None:
                progress(Progress(len(start) - len(lanes), len(start)))
    return Played(start, winner, deals, declared, passed, relative, declaring)


def _groups(scores: Ints, place: Ints, rules: Rules) -> tuple[Ints, list[tuple[int, int]]]:
    """An order in which matches of the same bucket, with the challenger in the same place, stand together."""
    key = buckets_of(scores, rules) * scores.shape[1] + place
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1)).tolist()
    return order, list(zip(starts, [*starts[1:], len(order)], strict=True))


def _types(
    setup: Setup,
    curves: Curves,
    players: tuple[Player, Player],
    place: int,
    bucket: int,
    first: int,
    n: int,
) -> NDArray[np.int32]:
    """Deal types of so many deals in a bucket, the challenger in a place from the dealer's."""
    n_teams = setup.rules.n_teams
    # Team 0 of a deal, that of seat 1, is to the dealer's left.
    seated = [players[0] if (team + 1) % n_teams == place else players[1] for team in range(n_teams)]
    own = [curves[bucket] if bidding == "equity" else POINT_CURVES[0] for _, bidding in seated]
    here = replace(setup, bots=tuple(bot for bot, _ in seated), bidding="points", scores=())
    return deal_types(here, first, n, curves=for_teams(*own, *own[: 3 - n_teams]))


def share_and_error(values: Ints, counts: Ints) -> tuple[float, float]:
    """Ratio of two sums over matches, and its standard error."""
    total = float(counts.sum())
    if not total:
        return float("nan"), float("nan")
    mean = float(values.sum()) / total
    apart: Floats = values - mean * counts
    n = len(values)
    return mean, float(np.sqrt(apart @ apart * n / max(n - 1, 1)) / total)
