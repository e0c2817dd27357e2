"""The tables by which `club` bids: made from its own deals (`game.club_bids` tells what is in them).

Points
    Stratified deals, each declared by its seat in spades, are counted by class of holding, plain aces and role. Where
    few were dealt, what is counted is drawn towards a neighbour (`smooth_chances`).
Curves
    In deals with an auction the call of one seat is forced: pass, and each bid that it may make, on the same cards. The
    seats before it call as the tables of the last round say, and so do those that answer. What its team won and the
    others did not is fitted over the value of the hand, for each state of the auction and each call (`fit_curves`). So
    hands count as often as they stand before that choice, and passing has a value like any other call. The new curves
    change who bids, so this goes on until the bids stay the same.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game import club_bids
from schmier_sim.game.club_bids import (
    BIDS,
    CALLS,
    KNOT,
    KNOTS,
    N_ACES,
    N_POINTS,
    N_STATES,
    OFFSET,
    UNIT,
)
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.kernel.counts import CELLS_SHAPE, TYPES_SHAPE, team_points
from schmier_sim.kernel.forced import ILLEGAL, PASSED, Table
from schmier_sim.kernel.simulate import Setup, play_into

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Deals that a neighbour's law counts for where a cell's own are few. Of 100, 300, 1000 and 3000, values came nearest
#: to what was won on fresh deals with 1000.
NEIGHBOUR_DEALS = 1_000
#: Fewer deals than this say nothing of how neighbouring cells differ.
POOL_DEALS = 2_000
#: Deals that the other seats' states count for in a curve.
PARENT_DEALS = 300
#: How straight curves are: deals at a knot that weigh as much as a bend there.
STRAIGHTNESS = 8_000
CHUNK = 1 << 15
#: Bids of 5 and 6 are rarely the best call: they are forced in one of so many chunks.
RARELY = 3
N_TEAMS, N_SEATS, N_KINDS = 3, 6, club_bids.STATES_OF_SEAT


def _relative_points() -> Ints:
    """Relative points of each team by deal type, in half points, last those of `PASSED`: int64 [types + 1, 3]."""
    shape = (*TYPES_SHAPE, N_TEAMS)
    scores = np.array(
        np.broadcast_to(np.stack([team_points(team) for team in range(N_TEAMS)], axis=-1), shape)
    )
    for seat in range(N_SEATS):
        for level, bid in enumerate(BIDS, start=1):
            own = scores[seat, level, :, seat % N_TEAMS]
            own[own < bid] = -bid
    scores = scores.reshape(-1, N_TEAMS)
    relative = N_TEAMS * scores - scores.sum(axis=1, keepdims=True)
    return np.vstack([relative, np.zeros((1, N_TEAMS), np.int64)])


RELATIVE = _relative_points()
"""The last row is that of `PASSED`."""


def count_points(seed: int, deals: int, players: str, workers: int) -> Ints:
    """Play stratified deals: int64 [classes, aces, roles, points] counts of what the declaring team won."""
    cells = _in_chunks(_Stratified(seed, players), deals, 8 * CHUNK, workers)
    total = sum(cells, np.zeros(CELLS_SHAPE, np.int64))
    points = np.bitwise_count(np.arange(64))
    by_points = np.stack([total[..., points == k].sum(axis=-1) for k in range(N_POINTS)], axis=-1)
    return np.stack([by_points[5], by_points[2], by_points[[0, 1, 3, 4]].sum(axis=0)], axis=2)


@dataclass(frozen=True)
class _Stratified:
    seed: int
    players: str

    def __call__(self, first: int, n: int) -> Ints:
        cells, types = np.zeros(CELLS_SHAPE, np.int64), np.zeros(TYPES_SHAPE, np.int64)
        play_into(Setup(self.seed, sample="stratified", bots=self.players), first, n, cells, types)
        return cells


def _in_chunks(play: Callable[[int, int], Any], deals: int, size: int, workers: int) -> Iterator[Any]:
    """Play deals in chunks on some threads; what came of each, in order."""
    with ThreadPoolExecutor(workers) as pool:
        starts = range(0, deals, size)
        yield from pool.map(lambda start: play(start, min(size, deals - start)), starts)


def smooth_chances(counts: Ints) -> Ints:
    """Chances of points in units of 1 / `UNIT`: int64 [classes, aces, roles, points].

    Cells of the role "neither" without plain aces are as counted. One with more is drawn to that with one ace less, one
    of another role to "neither" with as many aces: the neighbour's law, changed as all holdings of as many trumps
    change together between the two, counts for `NEIGHBOUR_DEALS` deals.
    """
    trumps = np.array([holding.trumps for holding in HOLDINGS])
    pooled = np.stack([counts[trumps == n].sum(axis=0) for n in range(7)]).astype(float)
    deals = pooled.sum(axis=-1, keepdims=True)
    shares = (pooled + 1) / (deals + N_POINTS)
    found = np.zeros(counts.shape)
    found[:, 0, 2] = counts[:, 0, 2] / counts[:, 0, 2].sum(axis=-1, keepdims=True)

    def draw_to(cell: tuple[int, int], neighbour: tuple[int, int]) -> None:
        known = np.minimum(deals[:, *cell], deals[:, *neighbour]) >= POOL_DEALS
        change = np.where(known, shares[:, *cell] / shares[:, *neighbour], 1.0)
        prior = found[:, *neighbour] * change[trumps]
        prior /= prior.sum(axis=-1, keepdims=True)
        own = counts[:, *cell] + NEIGHBOUR_DEALS * prior
        found[:, *cell] = own / own.sum(axis=-1, keepdims=True)

    for aces in range(1, N_ACES):
        draw_to((aces, 2), (aces - 1, 2))
    for aces in range(N_ACES):
        draw_to((aces, 0), (aces, 2))
        draw_to((aces, 1), (aces, 2))
    return _whole(found)


def _whole(shares: Floats) -> Ints:
    """Round shares to whole numbers that add up to `UNIT`: the largest remainders are rounded up."""
    exact = shares * UNIT
    whole = np.floor(exact).astype(np.int64)
    missing = UNIT - whole.sum(axis=-1, keepdims=True)
    rank = np.argsort(np.argsort(whole - exact, axis=-1, kind="stable"), axis=-1, kind="stable")
    return np.asarray(whole + (rank < missing), np.int64)


@dataclass(frozen=True)
class Sums:
    """What was won in each state after each call, as sums for fits by straight lines from knot to knot.

    Parameters
    ----------
    near, both : float64 [states, calls, knots]
        With h_k the weight of knot k for a hand (1 at the knot, 0 at the next): sums of h_k², and of h_k h_{k+1}.
    won : float64 [states, calls, knots], or with one more axis
        Sums of h_k times the relative points; or times 1 for the way that the scores changed.
    deals : float64 [states, calls]
    """

    near: Floats
    both: Floats
    won: Floats
    deals: Floats

    @classmethod
    def empty(cls, *more: int) -> "Sums":
        """Sums of nothing."""
        shape = (N_STATES, len(CALLS), KNOTS)
        return cls(np.zeros(shape), np.zeros(shape), np.zeros((*shape, *more)), np.zeros(shape[:2]))

    def add(self, other: "Sums") -> None:
        """Add what others have found."""
        for name in ("near", "both", "won", "deals"):
            getattr(self, name)[...] += getattr(other, name)


@dataclass(frozen=True)
class _Forced:
    """Plays chunks in which one seat makes each call in turn."""

    table: Table
    passed: Floats

    def __call__(self, first: int, n: int) -> Sums:
        seat = first // CHUNK % N_SEATS
        sums = Sums.empty()
        often = first // (CHUNK * N_SEATS) % RARELY == 0
        for number, call in enumerate(CALLS if often else CALLS[:3]):
            states, held, types = self.table.play(first, n, seat, call)
            legal = types != ILLEGAL
            state, kind = states[legal].astype(np.int64), types[legal]
            value = held[legal, max(number - 1, 0)].astype(np.int64)
            won = np.where(kind == PASSED, self.passed[seat % N_TEAMS], RELATIVE[kind, seat % N_TEAMS] / 2)
            knot, beyond = np.divmod(value, KNOT)
            far = beyond / KNOT
            at = state * KNOTS + knot
            for into, weights in (
                (sums.near, ((1 - far) ** 2, far**2)),
                (sums.won, ((1 - far) * won, far * won)),
            ):
                for step, weight in enumerate(weights):
                    into[:, number] += _binned(at + step, weight)
            sums.both[:, number] += _binned(at, far * (1 - far))
            sums.deals[:, number] += np.bincount(state, minlength=N_STATES)
        return sums


def _binned(at: Ints, weights: Floats) -> Floats:
    return np.asarray(np.bincount(at, weights, N_STATES * KNOTS).reshape(N_STATES, KNOTS), np.float64)


def force_calls(table: Table, first: int, deals: int, passed: Floats, workers: int) -> Sums:
    """Force the calls of each seat in turn in deals from `first` on (a multiple of `CHUNK`).

    `passed` is what a passed-out deal is worth to each team, in relative points: float64 [3].
    """
    forced = _Forced(table, passed)
    total = Sums.empty()
    for sums in _in_chunks(lambda start, n: forced(first + start, n), deals, CHUNK, workers):
        total.add(sums)
    return total


def fit_curves(sums: Sums) -> Ints:
    """Fit curves to what calls have brought: int64 [states, calls, knots], in thousandths plus `OFFSET`.

    Curves never fall: where a fit does, knots are averaged.
    """
    lines, weights = (array.reshape(-1, KNOTS) for array in fit_lines(sums))
    found = np.array([never_falling(*row) for row in zip(lines, weights + 1e-3, strict=True)])
    found = found.reshape(N_STATES, len(CALLS), KNOTS)
    return np.asarray(np.clip(np.rint(1000 * found) + OFFSET, 0, 2 * OFFSET), np.int64)


def fit_lines(
    sums: Sums,
    bids_alike: float = 0.0,
    wider: "tuple[Sums, float] | None" = None,
    straightness: float = STRAIGHTNESS,
) -> tuple[Floats, Floats]:
    """Fit lines from knot to knot to what calls have brought.

    Least squares, with a weight on bends that holds where there are few hands, and with what the same call brought in
    the like states of all seats as `PARENT_DEALS` more deals; what the same bid brought in any state as so many more as
    `bids_alike` says; and what a call brought in its state in `wider` sums, as so many as is said there.

    Returns
    -------
    lines : float64, of the shape of `Sums.won`
    weights : float64 [states, calls, knots]
        Deals at each knot.
    """
    found, weights = np.zeros(sums.won.shape), np.zeros(sums.near.shape)
    bends = np.diff(np.eye(KNOTS), 2, axis=0)
    straight = straightness * bends.T @ bends
    data = [getattr(sums, name) for name in ("near", "both", "won", "deals")]
    parents = [values.reshape(N_SEATS, N_KINDS, *values.shape[1:]).sum(axis=0) for values in data]
    everywhere = [values.sum(axis=0) for values in parents]
    for state in range(N_STATES):
        for call in range(len(CALLS)):
            share = PARENT_DEALS / max(parents[3][state % N_KINDS, call], 1.0)
            alike = bids_alike / max(everywhere[3][call], 1.0) if call else 0.0
            near, both, won = (
                own[state, call] + share * parent[state % N_KINDS, call] + alike * every[call]
                for own, parent, every in zip(data[:3], parents[:3], everywhere[:3], strict=True)
            )
            if wider is not None:
                more, counts = wider
                share = counts / max(more.deals[state, call], 1.0)
                near = near + share * more.near[state, call]
                both = both + share * more.both[state, call]
                won = won + share * more.won[state, call]
            if not near.any():
                continue  # a call that is never possible
            matrix = np.diag(near + 1e-6) + np.diag(both[:-1], 1) + np.diag(both[:-1], -1) + straight
            found[state, call], weights[state, call] = np.linalg.solve(matrix, won), near
    return found, weights


def never_falling(values: Floats, weights: Floats) -> Floats:
    """The nearest values that never fall (pool adjacent violators)."""
    pools: list[list[float]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        pools.append([value, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            value1, weight1, n1 = pools.pop()
            value0, weight0, n0 = pools.pop()
            weight = weight0 + weight1
            pools.append([(value0 * weight0 + value1 * weight1) / weight, weight, n0 + n1])
    return np.array([value for value, _, n in pools for _ in range(int(n))])


@dataclass(frozen=True)
class Stand:
    """Hands as they stand before their calls, in auctions by some tables.

    Parameters
    ----------
    states : int64 [hands]
    held : int64 [hands, 4]
        As of `kernel.forced.Table.play`.
    """

    states: Ints
    held: Ints

    def brings(self, curves: Ints) -> Floats:
        """What each call brings by some curves, -inf where it may not be made: float64 [hands, calls]."""
        values = np.column_stack([self.held[:, 0], self.held])
        knot, beyond = np.divmod(values, KNOT)
        calls = np.arange(len(CALLS))
        curve = curves.reshape(N_STATES, len(CALLS), KNOTS)
        low, high = (curve[self.states[:, np.newaxis], calls, knot + step] for step in (0, 1))
        brings = ((low * (KNOT - beyond) + high * beyond) // KNOT).astype(float)
        kind = self.states % N_KINDS
        bid = np.where(kind > 0, (kind - 1) // 2 + BIDS[0], 0)
        brings[:, 1:][np.array(BIDS) <= bid[:, np.newaxis]] = -np.inf
        return np.asarray(brings, np.float64)


def stand(table: Table, first: int, deals: int, workers: int) -> Stand:
    """Hands before their calls, one of each deal, the seats in turn."""
    found = list(
        _in_chunks(
            lambda start, n: table.play(first + start, n, (first + start) // CHUNK % N_SEATS),
            deals,
            CHUNK,
            workers,
        )
    )
    states, held, types = (np.concatenate([part[i] for part in found]) for i in range(3))
    asked = types != ILLEGAL
    return Stand(states[asked].astype(np.int64), held[asked].astype(np.int64))


def team_means(table: Table, first: int, deals: int, workers: int) -> Floats:
    """Relative points a deal of each team where nobody is forced, of deals that were not passed out: float64 [3]."""
    parts = _in_chunks(lambda start, n: table.play(first + start, n)[2], deals, CHUNK, workers)
    types = np.concatenate(list(parts))
    return np.asarray(RELATIVE[types[types != PASSED]].mean(axis=0) / 2)


def compare(tables: Sequence[Table], first: int, deals: int, workers: int) -> tuple[float, float]:
    """Relative points a deal of the team in place i at table i, over the same deals, and their standard error."""

    def play(start: int, n: int) -> Floats:
        parts = [RELATIVE[table.play(first + start, n)[2], place] for place, table in enumerate(tables)]
        return np.asarray(sum(parts) / (2 * len(parts)))

    won = np.concatenate(list(_in_chunks(play, deals, CHUNK, workers)))
    return float(won.mean()), float(won.std() / sqrt(len(won)))
