from types import SimpleNamespace

import numpy as np
import pytest

from schmier_sim.analysis.auctions import deal_type_summary
from schmier_sim.analysis.ratios import wilson
from schmier_sim.analysis.store import Run
from schmier_sim.analysis.tally import Tally

RIGHT_TO_TEAM_2_GAME_TIED = 1 * 3**2 * 4 + 3


def test_a_deal_is_booked_for_declarers_and_others(synthetic: SimpleNamespace) -> None:
    tally = Tally.empty()
    tally.types[3, 2, RIGHT_TO_TEAM_2_GAME_TIED] = 3  # seat 4 (team 1) bid 4 and won 4
    tally.types[1, 1, RIGHT_TO_TEAM_2_GAME_TIED] = 1  # seat 2 (team 2) bid 3 and won 1
    tally.cells[3, 300, 0, 0b011011] = 3
    tally.cells[1, 300, 0, 0b000100] = 1
    tally.passed = 4
    summary = deal_type_summary(Run(synthetic.make_info(8, mode="auction"), tally))
    assert (summary.deals, summary.passed, summary.passed_share) == (8, 4, 0.5)
    seats = summary.seats.set_index("seat")
    assert seats.loc[4, ["share", "made", "declarer_points", "others_points", "declarer_score"]].tolist() == [
        0.75, 1, 4, 0.5, 4
    ]  # fmt: skip
    bids = summary.bids.set_index("bid")
    assert bids.loc[3, ["share", "made", "declarer_points", "others_points", "declarer_score"]].tolist() == [
        0.25, 0, 1, 2, -3
    ]  # fmt: skip
    assert (bids.loc[4, "made_low"], bids.loc[4, "made_high"]) == tuple(map(float, wilson(3, 3)))
    assert np.isnan(bids.loc[6, "made"])
    assert summary.total["declarer_score"].tolist() == [(3 * 4 - 3) / 4]


@pytest.mark.parametrize("rules", ["standard", "two-teams"])
def test_seats_bids_and_total_agree(synthetic: SimpleNamespace, rules: str) -> None:
    run = synthetic.make_auction_run(5000, passed=100, rules=rules)
    summary = deal_type_summary(run)
    others = run.info.rules.n_teams - 1
    for frame in (summary.seats, summary.bids, summary.total):
        assert frame["deals"].sum() == 4900
        assert frame["share"].sum() == pytest.approx(1)
        points = frame["declarer_points"] + others * frame["others_points"]
        assert (points * frame["deals"]).sum() == pytest.approx(4900 * 6)
    assert summary.bids["share"].tolist() == pytest.approx([0.6, 0.3, 0.08, 0.02], abs=0.03)


def test_without_deals_nothing_is_known(synthetic: SimpleNamespace) -> None:
    summary = deal_type_summary(Run(synthetic.make_info(0, mode="auction"), Tally.empty()))
    assert np.isnan(summary.passed_share)
    assert summary.total["made_high"].tolist() == [1]


def test_forced_declarations_are_no_auctions(synthetic: SimpleNamespace) -> None:
    with pytest.raises(ValueError, match="nobody bids"):
        deal_type_summary(synthetic.make_run(60))
