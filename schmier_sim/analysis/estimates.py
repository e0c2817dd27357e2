"""Tables: what declarers win, by kind of hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.patterns import GRID, Key, cell_hands, make_keys, parse_where
from schmier_sim.analysis.ratios import Z95, RatioEstimate, estimate_ratios
from schmier_sim.analysis.store import Run
from schmier_sim.analysis.tally import count_points, count_wins
from schmier_sim.game.cards import POINTS
from schmier_sim.game.holdings import HANDS, HOLDINGS
from schmier_sim.kernel.counts import BIDS, N_SEATS

if TYPE_CHECKING:
    from pandas import DataFrame

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
Int64Array = NDArray[np.int64]

RESULTS = np.arange(len(POINTS) + 1)
"""What a deal can give the declaring team: 0 to 6 points."""

MADE = {bid: (bid <= RESULTS).astype(np.int64) for bid in BIDS}
NET = {bid: np.where(bid <= RESULTS, RESULTS, -bid) for bid in BIDS}
"""For each bid and result: 1 where the bid is made, and the net points."""

NO_BID = "none"
"""`best_bid` where even a bid of 3 does not gain."""


def make_table(
    run: Run, by: Sequence[str | Key] = ("trumps",), where: str | None = None, min_deals: int = 100
) -> "DataFrame":
    """Tabulate what declarers win, by kind of hand.

    Parameters
    ----------
    run
        What was counted.
    by
        Keys, some of `patterns.KEYS` or of one's own, in the order of columns and of sorting; none for one row of
        everything.
    where
        Filter in the language of `patterns.parse_where`.
    min_deals
        Rows with fewer deals are left out.

    Returns
    -------
    DataFrame, a row for each kind of hand. Columns: the keys; ``deals``; ``effective_deals``; ``share`` (of the
    deals played in natural runs; in stratified ones the exact chance of such a hand in one named suit, and of the
    seat or role where it is a key or filtered); ``mean_points``; ``points_0`` … ``points_6`` (the row's deals by
    points won; in stratified runs the weighted shares times ``deals``, rounded to whole numbers that add up to
    ``deals``, and thus not counts where hands of different weights share a row); ``make_b``,
    ``make_b_low``, ``make_b_high`` (chance to win at least b points, Wilson 95 %); ``net_b``, ``net_b_se``
    (points if at least b, else -b; b = 3..6); ``best_bid``; ``won_high`` … ``won_game`` (chance of each point).

    ``best_bid`` is the highest bid that surely gains net points ("3" … "6"), or "none". Where the 95 % interval of
    the next bid's net points holds 0 it names both: "none or 3" … "5 or 6"; where those of several do, the lowest
    and the highest: "3 to 5".

    ``attrs``: ``dropped``, rows left out for having fewer than `min_deals`, and ``incomplete``, rows left out
    because some of their hands have not been dealt yet in a stratified run.

    Raises
    ------
    PatternError
        An unknown key or a filter that cannot be read.
    """
    import pandas as pd  # takes a third of a second, for which commands without tables need not wait

    keys = make_keys(by, run.info.rules)
    picked = parse_where(where or "", run.info.rules) & (cell_hands() > 0)
    strata = _make_strata(run)
    ids, row = _number_rows(keys, picked)
    missing = _any_by_row(row, strata.sizes[strata.of_cell[picked]] == 0, len(ids))
    deals = np.bincount(row, run.tally.cells.sum(axis=-1)[picked], minlength=len(ids))
    kept = ~missing & (deals >= max(min_deals, 1))
    columns = _key_columns(keys, ids[kept]) | _columns(run, strata, picked, kept, row)
    frame = pd.DataFrame(columns)
    frame.attrs["dropped"] = int((~missing & ~kept).sum())
    frame.attrs["incomplete"] = int(missing.sum())
    return frame


def worst_half_width(table: "DataFrame") -> float:
    """Return the largest half-width of the intervals of ``make_3`` … ``make_6``, in percentage points.

    Infinite for a table without rows: nothing is known yet.
    """
    widths = [float((table[f"make_{bid}_high"] - table[f"make_{bid}_low"]).max()) for bid in BIDS]
    return 50 * max(widths) if len(table) else float("inf")


@dataclass(frozen=True)
class _Strata:
    """How a run was dealt: the stratum of each cell [6, 769, 4], and weight and deals of each stratum [S]."""

    of_cell: Int64Array
    weights: FloatArray
    sizes: Int64Array


def _make_strata(run: Run) -> _Strata:
    seat_class = run.tally.cells.sum(axis=(2, 3)).ravel()
    if run.info.sample == "natural":
        played = seat_class.sum(keepdims=True)
        return _Strata(np.zeros(GRID, np.int64), np.ones(1), played)
    of_cell = np.arange(N_SEATS * len(HOLDINGS)).reshape(N_SEATS, -1, 1)
    weights = np.tile(cell_hands().sum(axis=1) / (HANDS * N_SEATS), N_SEATS)
    return _Strata(np.broadcast_to(of_cell, GRID), weights, seat_class)


def _number_rows(keys: Sequence[Key], picked: BoolArray) -> tuple[Int64Array, Int64Array]:
    """Find the combinations of the keys' values that occur in picked cells.

    Returns
    -------
    For each row the combination, ascending, and for each picked cell its row.
    """
    combination = np.zeros(GRID, np.int64)
    for key in keys:
        combination = combination * len(key.values) + key.labels
    ids, row = np.unique(combination[picked], return_inverse=True)
    return ids, row.astype(np.int64)


def _key_columns(keys: Sequence[Key], ids: Int64Array) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for key in reversed(keys):
        ids, labels = np.divmod(ids, len(key.values))
        columns[key.name] = [key.values[label] for label in labels]
    return dict(reversed(columns.items()))


def _any_by_row(row: Int64Array, flags: BoolArray, rows: int) -> BoolArray:
    return np.bincount(row, flags, minlength=rows) > 0


def _columns(
    run: Run, strata: _Strata, picked: BoolArray, kept: BoolArray, row: Int64Array
) -> dict[str, Any]:
    """Compute all columns but the keys, for the rows that are kept."""
    cells = kept[row]
    rows = int(kept.sum())
    row = (np.cumsum(kept) - 1)[row[cells]]
    stratum = strata.of_cell[picked][cells]
    counts = run.tally.cells[picked][cells]
    pairs, pair_of_cell = np.unique(row * len(strata.sizes) + stratum, return_inverse=True)
    row_of_pair, stratum_of_pair = np.divmod(pairs, len(strata.sizes))
    points = np.zeros((len(pairs), len(RESULTS)), np.int64)
    np.add.at(points, pair_of_cell, count_points(counts))
    estimate = estimate_ratios(row_of_pair, stratum_of_pair, points, strata.weights, strata.sizes, rows)
    if run.info.sample == "natural":
        share = estimate.deals / strata.sizes
    else:
        hands = np.broadcast_to(cell_hands(), GRID)[picked][cells]
        share = np.bincount(row, hands, minlength=rows) / (HANDS * N_SEATS)
    weight = (strata.weights / np.maximum(strata.sizes, 1))[stratum]
    won = np.stack(
        [np.bincount(row, weight * wins, minlength=rows) for wins in count_wins(counts).T], axis=-1
    )
    return (
        {"deals": estimate.deals, "effective_deals": estimate.effective, "share": share}
        | _result_columns(estimate)
        | {f"won_{point}": won[:, i] / estimate.total for i, point in enumerate(POINTS)}
    )


def _result_columns(estimate: RatioEstimate) -> dict[str, Any]:
    columns: dict[str, Any] = {"mean_points": estimate.mean(RESULTS)}
    whole = _apportion(estimate.shares, estimate.deals)
    columns |= {f"points_{result}": whole[:, result] for result in RESULTS}
    for bid in BIDS:
        names = (f"make_{bid}", f"make_{bid}_low", f"make_{bid}_high")
        columns |= dict(zip(names, estimate.probability(MADE[bid]), strict=True))
    for bid in BIDS:
        columns |= {f"net_{bid}": estimate.mean(NET[bid]), f"net_{bid}_se": estimate.standard_error(NET[bid])}
    return columns | {"best_bid": _best_bids(estimate)}


def _apportion(shares: FloatArray, deals: Int64Array) -> Int64Array:
    """Turn shares [R, K] into whole deals that add up to `deals` [R], by largest remainders."""
    exact = shares * deals[:, np.newaxis]
    whole = np.floor(exact).astype(np.int64)
    left = deals - whole.sum(axis=1)
    rank = np.argsort(np.argsort(whole - exact, axis=1, kind="stable"), axis=1)
    whole[rank < left[:, np.newaxis]] += 1
    return whole


def _best_bids(estimate: RatioEstimate) -> list[str]:
    """Name the highest bid that gains net points, or the lowest and the highest that it may be.

    A lower bid never has fewer net points on the same deal, so the bids that gain are those up to some level. It is
    at least the highest bid that surely gains, and below the lowest that surely loses.
    """
    means = np.stack([estimate.mean(NET[bid]) for bid in BIDS], axis=-1)
    errors = Z95 * np.stack([estimate.standard_error(NET[bid]) for bid in BIDS], axis=-1)
    lowest = np.max((means > errors) * np.arange(1, len(BIDS) + 1), axis=1)
    highest = np.maximum(lowest, np.cumprod(means >= -errors, axis=1).sum(axis=1))
    names = [NO_BID, *map(str, BIDS)]
    return [_bid_range(names, low, high) for low, high in zip(lowest.tolist(), highest.tolist(), strict=True)]


def _bid_range(names: Sequence[str], low: int, high: int) -> str:
    if low == high:
        return names[low]
    return f"{names[low]} {'or' if high == low + 1 else 'to'} {names[high]}"
