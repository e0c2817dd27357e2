"""What the bots bid in auctions, and what became of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.ratios import wilson
from schmier_sim.analysis.store import Run
from schmier_sim.kernel.counts import BIDS, N_SEATS, team_points

if TYPE_CHECKING:
    from pandas import DataFrame

Int64Array = NDArray[np.int64]


@dataclass(frozen=True)
class AuctionSummary:
    """Who declared, how high, and what the teams won.

    Attributes
    ----------
    deals, passed
        All deals, and those in which all six passed.
    seats, bids, total
        DataFrames with a row for each declarer's seat (``seat``), for each bid (``bid``), and for all together.
        ``deals`` played; ``share`` of the deals played with its 95 % interval ``share_low``, ``share_high``;
        ``made``, ``made_low``, ``made_high``, the chance to make the bid; ``declarer_points``,
        ``others_points``, points won by the declaring team and by each other team on average; and
        ``declarer_score``, the declaring team's score (points if made, else minus the bid).
        Without deals, averages are NaN and intervals reach from 0 to 1.
    """

    deals: int
    passed: int
    seats: "DataFrame"
    bids: "DataFrame"
    total: "DataFrame"

    @property
    def passed_share(self) -> float:
        """Share of all deals that were passed out; NaN without deals."""
        return self.passed / self.deals if self.deals else float("nan")


def deal_type_summary(run: Run) -> AuctionSummary:
    """Sum up the auctions of a run.

    Raises
    ------
    ValueError
        A run of mode "declare": nobody bids in it.
    """
    import pandas as pd

    if run.info.mode != "auction":
        raise ValueError("nobody bids in a run of mode declare: play one with --mode auction")
    totals = _total_up(run)
    others = run.info.rules.n_teams - 1
    return AuctionSummary(
        deals=run.tally.deals,
        passed=run.tally.passed,
        seats=pd.DataFrame({"seat": range(1, N_SEATS + 1)} | _average(totals.sum(axis=1), others)),
        bids=pd.DataFrame({"bid": BIDS} | _average(totals.sum(axis=0), others)),
        total=pd.DataFrame(_average(totals.sum(axis=(0, 1))[np.newaxis], others)),
    )


def _total_up(run: Run) -> Int64Array:
    """Add up over the deal types of each seat and bid: int64 [seat 6, bid 4, 5].

    The last axis: deals, bids made, points of the declaring team, points of the others, declaring team's score.
    """
    n_teams = run.info.rules.n_teams
    totals = np.zeros((N_SEATS, len(BIDS), 5), np.int64)
    for seat in range(N_SEATS):
        declarers = run.info.rules.team(seat + 1) - 1
        own = team_points(declarers)
        others = sum(team_points(team) for team in range(n_teams) if team != declarers)
        for i, bid in enumerate(BIDS):
            made = own >= bid
            counts = run.tally.types[seat, i + 1]
            values = np.stack([np.ones_like(own), made, own, others, np.where(made, own, -bid)])
            totals[seat, i] = values @ counts
    return totals


def _average(totals: Int64Array, others: int) -> dict[str, NDArray[np.float64] | Int64Array]:
    """Turn totals [R, 5] into the columns of a summary; `others` is the number of other teams."""
    deals, made, own, others_points, score = totals.T
    played = deals.sum()
    share_low, share_high = wilson(deals, played)
    made_low, made_high = wilson(made, deals)
    with np.errstate(invalid="ignore"):
        return {
            "deals": deals,
            "share": deals / played,
            "share_low": share_low,
            "share_high": share_high,
            "made": made / deals,
            "made_low": made_low,
            "made_high": made_high,
            "declarer_points": own / deals,
            "others_points": others_points / (deals * others),
            "declarer_score": score / deals,
        }
