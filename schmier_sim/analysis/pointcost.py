"""What it costs to bid by a count: by the tables that `club` bids by, and played out.

By the tables
    In auctions of `club` every call that is to be made is looked at, before it is made: what the best call brings
    (`game.club_bids`) less what the count's call brings, in the suit that the count names. A deal costs the sum
    over all its calls, divided by the number of teams: what one team loses, which calls about twice.
Played out
    One team bids and names trumps by the count, the others by the tables; all play their cards alike. Its relative
    points a deal, mean over its three places, are what it loses to the same deals where all bid by the tables: there
    the three places add up to nothing in every deal.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.bidding import RELATIVE
from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.pointcalls import N_TEAMS, Auctions, auctions_of, counted
from schmier_sim.analysis.pointcount import MOST, Count, Ints, Ladder, ladder, situation_of
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.analysis.seating import Report
from schmier_sim.game.club_bids import (
    BIDS,
    CALLS,
    KNOT,
    KNOTS,
    N_ACES,
    N_CELLS,
    N_ROLES,
    N_STATES,
    STATES_OF_SEAT,
)
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.forced import Table
from schmier_sim.kernel.forced import is_ready as forced_is_ready
from schmier_sim.kernel.simulate import is_ready

Floats = NDArray[np.float64]

DEFAULT_DEALS = 150_000
CHUNK = 1 << 14
FRESH = 1 << 40
"""Where the deals begin that costs are measured on: counts are fitted to deals below, whatever the seed."""
WORST = 10
PASS = "pass"
"""Name of the count that always passes."""


def tables_of(count: Count, place: int) -> tuple[NDArray[np.uint64], Sequence[Ints]]:
    """Values and curves of the three teams, for `kernel.forced.Table`.

    Where `club` reads the value of a hand, at each bid, the team finds its points, times `KNOT`: so it reads its curves
    at their knots only. There the call of the count brings most.
    """
    points = count.of_cells().astype(np.uint64) * np.uint64(KNOT)
    values = np.broadcast_to(HAND_VALUES, (N_TEAMS, len(HAND_VALUES))).copy()
    values[place, :N_CELLS] = sum(points << np.uint64(16 * level) for level in range(len(BIDS)))
    values[place, N_CELLS:] = points
    curves = [np.asarray(POINT_CURVES[0], np.int64)] * N_TEAMS
    chosen = np.zeros((N_STATES, len(CALLS), KNOTS), np.int64)
    policy = count.policy()
    for call in range(len(CALLS)):
        chosen[:, call, : MOST + 1] = policy == call
    curves[place] = chosen.reshape(-1)
    return values, curves


@dataclass(frozen=True)
class Worst:
    """A hand and a place in the auction where the count costs.

    Attributes
    ----------
    holding : int
        Class of its trumps, in the suit that `club` would name.
    aces : int
        Its plain aces.
    role, high, partner_holds
        As of `pointcount.situation_of`.
    call, best : int
        Bid by the count and by `club`; 0 passes.
    loss : float
        What the count's call brings less, in points.
    share : float
        Share of all calls.
    """

    holding: int
    aces: int
    role: int
    high: int
    partner_holds: bool
    call: int
    best: int
    loss: float
    share: float


@dataclass(frozen=True)
class Cost:
    """What a count costs.

    Attributes
    ----------
    loss, loss_se : float
        Points a deal that a team loses by the tables, and the standard error.
    otherwise : float
        Share of calls that are not `club`'s.
    calls : int
        Calls that were looked at.
    relative, relative_se : float
        Relative points a deal of a team that bids by it, played out, and the standard error.
    """

    loss: float
    loss_se: float
    otherwise: float
    calls: int
    relative: float
    relative_se: float


@dataclass(frozen=True)
class Measured:
    """The ladder of counts, and what they cost on fresh deals.

    Attributes
    ----------
    ladder : Ladder
    costs : tuple of Cost
        Of each of its counts.
    passing : Cost
        Of passing always.
    simple : (float, float)
        Relative points a deal of a team that bids as the bot `simple`, and the standard error.
    level : str
        Name of the count that `worst` is about.
    worst : tuple of Worst
        Where that costs most: loss times share.
    dearest : tuple of Worst
        Where a single call costs most.
    seed, deals : int
    """

    ladder: Ladder
    costs: tuple[Cost, ...]
    passing: Cost
    simple: tuple[float, float]
    level: str
    worst: tuple[Worst, ...]
    dearest: tuple[Worst, ...]
    seed: int
    deals: int

    @property
    def count(self) -> Count:
        """The count that `worst` is about."""
        return self.ladder[self.level]

    def cost(self, name: str) -> Cost:
        """Cost of a count of the ladder."""
        return dict(zip((count.name for count in self.ladder.counts), self.costs, strict=True))[name]


NEVER = Count(PASS, "always pass", (0,) * 8, 0, 0, ((MOST + 1,) * len(BIDS),) * N_ROLES, None, None)


def measure(
    level: str | None = None,
    *,
    seed: int = 21,
    deals: int = DEFAULT_DEALS,
    workers: int | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Measured:
    """Measure what the counts that ship cost, on deals that they were not fitted to.

    Parameters
    ----------
    level : str, optional
        The count whose worst hands are looked for, by default the recommended one.
    seed, deals : int
    workers : int, optional
        Threads, by default one a core; the numbers are the same for any number.
    progress : function
        Told of how far the work is.
    """
    steps = ladder()
    level = level or steps.recommended
    counts = (*steps.counts, NEVER)
    report = Report(progress, deals * (1 + N_TEAMS * (len(counts) + 1)))
    if not (is_ready() and forced_is_ready()):
        say_compiling(report.say)
    auctions_of(seed, FRESH, 1)
    _table_of(NEVER, 0, seed).play(FRESH, 1)
    report.start()
    done = 0

    def tick(n: int) -> None:
        nonlocal done
        done += n
        report.tick(done, deals)

    with ThreadPoolExecutor(workers or available_cores()) as pool:
        names = [count.name for count in counts]
        found = by_tables(counts, names.index(level), seed, deals, pool, tick)
        played = [
            played_out([_table_of(count, place, seed) for place in range(N_TEAMS)], deals, pool, tick)
            for count in counts
        ]
        simple = played_out([_simple_at(place, seed) for place in range(N_TEAMS)], deals, pool, tick)
    costs = [
        Cost(sums.mean, sums.error, others / found.calls, found.calls, *outcome)
        for sums, others, outcome in zip(found.sums, found.others, played, strict=True)
    ]
    return Measured(steps, tuple(costs[:-1]), costs[-1], simple, level, *found.worst(), seed, deals)


def _table_of(count: Count, place: int, seed: int) -> Table:
    """A table where the team in a place (0..2) bids and names trumps by a count, the others as `club`."""
    return Table(seed, *tables_of(count, place))


def _simple_at(place: int, seed: int) -> Table:
    bidders = tuple("simple" if team == place else "club" for team in range(N_TEAMS))
    return Table(seed, HAND_VALUES, POINT_CURVES[0], bidders=bidders)


def played_out(
    tables: Sequence[Table], deals: int, pool: Executor, tick: Callable[[int], None]
) -> tuple[float, float]:
    """Relative points a deal of the team in place i at table i, over the same deals, and their standard error."""

    def play(first: int, n: int) -> Ints:
        parts = [RELATIVE[table.play(FRESH + first, n)[2], place] for place, table in enumerate(tables)]
        tick(n * len(tables))
        return np.asarray(sum(parts))

    sums = _Sums()
    for won in pool.map(play, *_chunks(deals)):
        sums.add(won / (2 * len(tables)))
    return sums.mean, sums.error


def _chunks(deals: int) -> tuple[list[int], list[int]]:
    starts = list(range(0, deals, CHUNK))
    return starts, [min(CHUNK, deals - start) for start in starts]


class _Sums:
    """Mean and standard error of numbers that come in parts."""

    def __init__(self) -> None:
        self.n, self.sum, self.squares = 0, 0.0, 0.0

    def add(self, values: Floats) -> None:
        self.n += len(values)
        self.sum += float(values.sum())
        self.squares += float((values**2).sum())

    @property
    def mean(self) -> float:
        return self.sum / self.n

    @property
    def error(self) -> float:
        return sqrt(max(self.squares / self.n - self.mean**2, 0.0) / self.n)


@dataclass(frozen=True)
class _Rated:
    """What the calls of a count lose in some auctions.

    Attributes
    ----------
    calls, best : int64 [calls]
        Its calls and those of `club`, as numbered in `CALLS`.
    losses : float64 [calls]
        In points.
    """

    calls: Ints
    best: Ints
    losses: Floats

    def by_deal(self, auctions: Auctions, deals: int) -> Floats:
        """What a team loses, by deal."""
        return np.asarray(np.bincount(auctions.deals, self.losses, deals) / N_TEAMS)


def rate(count: Count, auctions: Auctions, losses: Ints) -> _Rated:
    """Let a count make the calls of some auctions, in the suits that it names."""
    points, suits = counted(count.of_cells(), auctions.cells)
    calls = count.policy()[auctions.states, points]
    return _Rated(calls, auctions.calls, losses[np.arange(len(calls)), suits, calls] / 1000)


class _ByTables:
    """What counts lose by the tables; the hands of one of them, its place in `counts` is `detailed`."""

    def __init__(self, counts: Sequence[Count], detailed: int) -> None:
        self.counts, self.detailed = counts, detailed
        self.sums = [_Sums() for _ in counts]
        self.others = [0] * len(counts)
        self.calls = 0
        self.hands: list[tuple[Ints, Floats]] = []

    def rate(self, seed: int, first: int, n: int) -> tuple[list[_Rated], list[Floats], tuple[Ints, Floats]]:
        """Let all counts call in some deals."""
        auctions = auctions_of(seed, FRESH + first, n)
        losses = auctions.losses()
        rated = [rate(count, auctions, losses) for count in self.counts]
        own = rated[self.detailed]
        costs = own.losses > 0
        keys = (auctions.own_cells() * STATES_OF_SEAT + auctions.states % STATES_OF_SEAT) * len(CALLS)
        keys = (keys + own.calls) * len(CALLS) + own.best
        return rated, [each.by_deal(auctions, n) for each in rated], (keys[costs], own.losses[costs])

    def add(self, found: tuple[list[_Rated], list[Floats], tuple[Ints, Floats]]) -> None:
        """Add what `rate` found."""
        rated, of_deals, hands = found
        for at, (each, losses) in enumerate(zip(rated, of_deals, strict=True)):
            self.sums[at].add(losses)
            self.others[at] += int((each.calls != each.best).sum())
        self.calls += len(rated[0].calls)
        self.hands.append(hands)

    def worst(self) -> tuple[tuple[Worst, ...], tuple[Worst, ...]]:
        """Hands by what they cost in all, and by what a call costs."""
        keys, losses = (np.concatenate(part) for part in zip(*self.hands, strict=True))
        keys, places, numbers = np.unique(keys, return_inverse=True, return_counts=True)
        total = np.bincount(places, losses, len(keys))
        by_all = np.argsort(-total, kind="stable")[:WORST]
        by_call = np.argsort(-total / numbers, kind="stable")[:WORST]
        rows = [
            [self._worst(int(keys[at]), total[at], numbers[at]) for at in order]
            for order in (by_all, by_call)
        ]
        return tuple(rows[0]), tuple(rows[1])

    def _worst(self, key: int, total: float, number: int) -> Worst:
        key, best = divmod(key, len(CALLS))
        key, call = divmod(key, len(CALLS))
        cell, kind = divmod(key, STATES_OF_SEAT)
        hand, role = divmod(cell, N_ROLES)
        _, high, partner_holds = situation_of(kind)
        return Worst(
            *divmod(hand, N_ACES),
            role,
            high,
            partner_holds,
            CALLS[call],
            CALLS[best],
            float(total / number),
            float(number / self.calls),
        )


def by_tables(
    counts: Sequence[Count],
    detailed: int,
    seed: int,
    deals: int,
    pool: Executor,
    tick: Callable[[int], None],
) -> _ByTables:
    """Measure what counts lose by the tables, on fresh deals."""
    result = _ByTables(counts, detailed)

    def rate_chunk(first: int, n: int) -> tuple[list[_Rated], list[Floats], tuple[Ints, Floats]]:
        found = result.rate(seed, first, n)
        tick(n)
        return found

    for found in pool.map(rate_chunk, *_chunks(deals)):
        result.add(found)
    return result
