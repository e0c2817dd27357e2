"""What club bids by at a score: how it is stored, and that kernels and the plain bot bid by it alike."""

import numpy as np
import pytest

from schmier_sim.game.club_bids import BIDS, CALLS, KNOTS, N_STATES
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.reference import play_deal
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import check_bidding, knows
from schmier_sim.kernel import equity
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.equity import ROWS, STEP, UNIT, bidding_curves, curves_in, fold, unfold
from schmier_sim.kernel.forced import ILLEGAL, Table
from schmier_sim.kernel.match import bucket_of
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.simulate import Setup

STANDARD = Rules()
SCORES = [(0, 0, 0), (18, 18, 18), (20, 3, 11), (-14, 20, 20)]


def rising(seed, buckets=3):
    """Curves that never fall, as they might be fitted."""
    steps = np.random.default_rng(seed).uniform(0, 900, (buckets, N_STATES * len(CALLS), KNOTS))
    return np.minimum(steps.cumsum(axis=-1), UNIT).reshape(buckets, -1)


def test_what_is_stored_is_what_was_fitted_within_its_steps():
    curves = rising(1)
    stored = unfold(*fold(curves)).reshape(3, -1, KNOTS)
    wanted = curves.reshape(3, -1, KNOTS)
    even = np.abs(stored[:, ROWS][..., ::2].astype(float) - wanted[:, ROWS][..., ::2])
    assert even.max() <= STEP
    assert (np.diff(stored[:, ROWS].astype(int), axis=-1) >= 0).all()
    assert stored.min() >= 1  # a bid that brings 0 is none
    others = np.setdiff1d(np.arange(N_STATES * len(CALLS)), ROWS)
    assert (stored[:, others] == 1).all()
    one = unfold(*(part[1] for part in fold(curves)))
    assert (one == stored[1].reshape(-1)).all()


@pytest.mark.parametrize("rules", [STANDARD, Rules(dealer_steals=True)])
def test_every_call_that_can_be_made_has_a_curve(rules):
    asked = set()
    for seat in range(6):
        for call in CALLS:
            table = Table(8, HAND_VALUES, POINT_CURVES[0], tempers=(2, 2, 2), rules=rules)
            states, _, types = table.play(0, 3000, seat, call)
            asked |= {int(state) * len(CALLS) + CALLS.index(call) for state in states[types != ILLEGAL]}
    assert asked <= set(ROWS.tolist())
    assert len(asked) > 50


@pytest.mark.parametrize("scores", SCORES)
def test_kernels_and_the_plain_bot_call_alike_at_a_score(scores):
    setup = Setup(3, "auction", tempers="mixed", bidding="equity", scores=scores)
    bot = ClubBot(tempers="mixed", curves=curves_in(bucket_of(scores, STANDARD)).tolist())
    for index, record in enumerate(replay(setup, 0, 25)):
        assert record == play_deal(3, index, STANDARD, bot, "auction")


def test_teams_may_bid_by_different_things():
    mixed = bidding_curves(STANDARD, ("points", "equity", "points"), (0, 0, 0))
    assert (mixed[[0, 2]] == POINT_CURVES[0]).all()
    assert (mixed[1] == curves_in(bucket_of((0, 0, 0), STANDARD))).all()
    assert (bidding_curves(STANDARD, "points", (0, 0, 0)) == POINT_CURVES).all()


def test_scores_change_who_bids():
    """Where one rival is about to go out, and where all are at the beginning."""

    def bids(scores):
        setup = Setup(5, "auction", bidding="equity", scores=scores)
        return [record.auction for record in replay(setup, 0, 200)]

    assert bids((0, 0, 0)) == bids(())
    assert sum(a != b for a, b in zip(bids((0, 0, 0)), bids((3, 20, 3)), strict=True)) > 60


def test_nobody_bids_sixes_on_nothing():
    """At every score that matters, bids of 6 are as rare as hands that could make one, unless all is lost else."""
    for scores in ((0, 0, 0), (10, 10, 10), (12, 15, 9), (18, 5, 5)):
        records = replay(Setup(7, "auction", bidding="equity", scores=scores), 0, 1500)
        sixes = [record for record in records if record.bid == max(BIDS)]
        assert len(sixes) <= 45, scores


def test_a_damaged_table_is_refused(tmp_path, monkeypatch):
    tables = equity.shipped()
    wins = tables.wins.copy()
    wins[5, 1] += 1
    path = tmp_path / "club-equity.npz"
    np.savez_compressed(path, first=tables.first, rises=tables.rises, wins=wins, deals=tables.deals)
    monkeypatch.setattr(equity, "PATH", path)
    with pytest.raises(ValueError, match=r"club-equity\.npz is damaged"):
        equity.shipped.__wrapped__()


@pytest.mark.parametrize(
    ("rules", "bidding", "scores", "message"),
    [
        (STANDARD, "luck", (0, 0, 0), r"^there is no bidding 'luck': choose equity or points$"),
        (STANDARD, ("points", "equity"), (0, 0, 0), r"^2 ways to bid for 3 teams"),
        (STANDARD, "equity", (0, 0), r"^2 scores for 3 teams: .* 14,9,18$"),
        (STANDARD, "equity", (0, 21, 0), r"^score 21 is out of range: -200 to 20"),
        (Rules(teams="2x3"), "equity", (0, 0), r"three teams and targets up to 50: take points"),
        (Rules(target=51), "equity", (0, 0, 0), r"three teams and targets up to 50: take points"),
    ],
)
def test_what_is_no_way_to_bid_is_refused_in_one_line(rules, bidding, scores, message):
    with pytest.raises(ValueError, match=message):
        check_bidding(rules, bidding, scores)
    assert knows(STANDARD)
    assert not knows(Rules(teams="2x3"))
