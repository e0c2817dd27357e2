"""Matches side by side: equal teams win alike, and matches end as the table of chances says."""

import numpy as np
import pytest

from schmier_sim.analysis.duel import DuelError, duel
from schmier_sim.analysis.equity import shipped_table
from schmier_sim.analysis.lockstep import play_matches, share_and_error
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.equity import all_curves
from schmier_sim.kernel.simulate import Setup

SETUP = Setup(17, "auction", tempers="mixed")
CLUB = ("club", "equity")


def matches(n, scores=(0, 0, 0), challenger=CLUB, opponent=CLUB, setup=SETUP, workers=None):
    return play_matches(
        setup,
        all_curves(),
        challenger,
        opponent,
        np.tile(scores, (n, 1)),
        np.arange(n) % len(scores),
        workers=workers,
    )


def test_chances_are_those_of_matches_that_are_played_out():
    """3000 matches from each of three scores: 9 chances, each within 4.2 errors (3e-4 in all)."""
    _, table, _ = shipped_table()
    n = 3000
    for scores in ((0, 0, 0), (18, 16, 11), (20, 20, -3)):
        won = np.bincount(matches(n, scores).winner, minlength=3) / n
        chances = table.chances(scores)
        error = np.sqrt(chances * (1 - chances) / n)
        assert (np.abs(won - chances) < 4.2 * error + 1e-3).all(), (scores, won, chances)


def test_numbers_of_threads_and_repetition_change_nothing():
    one, two = matches(300, workers=1), matches(300, workers=2)
    for name in ("winner", "deals", "declared", "passed", "relative", "declaring"):
        assert (getattr(one, name) == getattr(two, name)).all()


def test_sums_of_a_match_hang_together():
    found = matches(450)
    assert (found.deals > found.passed).all()
    assert (found.declared <= found.deals - found.passed).all()
    assert set(found.winner.tolist()) == {0, 1, 2}
    # Among equals nobody has more points than the others, but by luck: within 4 errors.
    mean, error = share_and_error(found.relative, found.deals)
    assert abs(mean) < 4 * error


def test_two_teams_and_house_rules_play_matches_too():
    rules = Rules(teams="2x3", all_pass="next-dealer", must_bid_to_win=True)
    found = matches(400, (0, 0), ("club", "points"), ("simple", "points"), Setup(2, "auction", rules=rules))
    assert found.won.mean() > 0.6


def test_club_that_heeds_the_score_beats_two_that_do_not():
    """A fair share is a third; 3000 matches tell it to 0.9 %."""
    aware = duel("club", "club", bidding=("equity", "points"), matches=3000)
    blind = duel("club", "club", bidding=("points", "equity"), matches=3000)
    assert aware.match_wins_low > aware.fair_share > blind.match_wins_high
    assert aware.matches == 3000
    assert aware.by_score


def test_a_share_and_its_error_are_those_of_a_ratio():
    values, counts = np.array([3, 0, 1, 4]), np.array([2, 1, 1, 4])
    mean, error = share_and_error(values, counts)
    assert mean == 1
    apart = values - counts
    assert error == pytest.approx(np.sqrt((apart**2).sum() * 4 / 3) / 8)
    assert np.isnan(share_and_error(values, np.zeros(4, np.int64))[0])


@pytest.mark.parametrize(
    ("challenger", "more", "message"),
    [
        ("simple", {}, r"^simple cannot bid by equity"),
        ("club", {"deals": 9}, r"instead of deals$"),
        ("club", {"rules": Rules(teams="2x3")}, r"three teams"),
    ],
)
def test_duels_by_equity_that_cannot_be_are_refused(challenger, more, message):
    with pytest.raises(DuelError, match=message):
        duel(challenger, "club", bidding=("equity", "points"), **more)
