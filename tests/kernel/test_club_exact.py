"""Chances with a closed form that `club` must reach too: hands that win by themselves if they are led from the top."""

from functools import cache

import numpy as np
import pytest

from schmier_sim.analysis.tally import count_points
from schmier_sim.game.cards import trump_order
from schmier_sim.game.holdings import HOLDINGS, parse_holding
from schmier_sim.kernel.block import HANDS, POINTS
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.simulate import Setup, logged_blocks, play_into
from tests.kernel.table import EXCHANGED, LIMIT, SCORED, TRUMPS, no_counts, rows, share_error, size
from tests.kernel.test_exact import six_elsewhere, to_dealing_partner, to_partner

SETUP = Setup(seed=9, bots="club", sample="stratified")
STRATA = 6 * len(HOLDINGS)
TOPS = trump_order("S")


def firsts_of(text, rounds):
    """First of the six indices, one for each seat, at which a class is declared, round after round."""
    return range(6 * parse_holding(text), STRATA * rounds, STRATA)


@cache
def points_of(text, rounds):
    """Deals by the declarer's seat and his team's points: int [6, 7]."""
    cells, types = no_counts()
    for first in firsts_of(text, rounds):
        play_into(SETUP, first, 6, cells, types)
    points = count_points(cells[:, parse_holding(text)]).sum(axis=1)
    assert points.sum() == cells.sum() == 6 * rounds
    return points


def test_six_tops_win_five_points_for_certain_and_six_if_the_partner_holds_the_two():
    rounds = 6000
    points = points_of("A K Q R L 10", rounds)
    assert not points[:5, :5].any()
    sixes = points[:, 6]
    assert abs(share_error(sixes[[0, 1, 3, 4]].sum(), 4 * rounds, float(to_partner(6)))) < LIMIT
    assert abs(share_error(sixes[2], rounds, float(to_dealing_partner(6)))) < LIMIT


def test_five_tops_and_the_two_win_all_unless_another_hand_holds_six_trumps():
    """Led from the top they fetch every trump of a hand with five, and the joker is the last of them at most."""
    seats = np.arange(5)
    rounds = 3000
    won = 0
    for first in firsts_of("A K Q R L 2", rounds):
        (log,) = logged_blocks(SETUP, first, 5)
        trumps = size(rows(log, EXCHANGED, HANDS) & TRUMPS)
        assert (trumps[seats, seats] == 6).all()
        trumps[seats, seats] = 0
        all_won = (rows(log, SCORED, POINTS) == seats % 3).all(axis=0)
        assert (trumps.max(axis=0)[~all_won] == 6).all()
        won += int(all_won.sum())
    surely = float(1 - six_elsewhere())
    assert share_error(won, 5 * rounds, surely) > -LIMIT
    assert won / (5 * rounds) > 0.995


def test_five_tops_and_the_joker_never_win_less_than_high_and_both_bauers():
    """The joker may fall to a last trump of another hand, and game with it; the other three points are sure."""
    assert not points_of("A K Q R L Jo", 1500)[:5, :3].any()


def led_first(text, rounds):
    """Cards that the declarer led and the tricks' winners, as long as he led, in deals of a class."""
    for first in firsts_of(text, rounds):
        for deal in replay(SETUP, first, 5):
            led = []
            for leader, cards, winner in deal.tricks:
                if leader != deal.declarer:
                    break
                led.append((cards[0], winner))
            yield deal.declarer, led


def test_three_tops_before_three_small_trumps_win_the_first_three_tricks():
    """Every trump of the others is lower: the tops fetch bauers, joker and tens before the small ones may lose."""
    tops = set(TOPS[:3])
    n = kept = 0
    for declarer, led in led_first("A K Q x x x", 400):
        n += 1
        kept += {card for card, _ in led[:3]} == tops and all(winner == declarer for _, winner in led[:3])
    assert kept >= 0.99 * n


@pytest.mark.parametrize("text", ["A K Q R", "A K Q R L", "A K Q x x", "A K Q Jo", "A K Q 2"])
def test_the_first_two_leads_are_tops(text):
    """They fetch what is out; in which order is all the same."""
    n = kept = 0
    for _, led in led_first(text, 300):
        n += 1
        kept += {card for card, _ in led[:2]} <= set(TOPS[:5])
    assert kept >= 0.97 * n


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("A K Q R L 2", "A K Q R L 10"),
        ("A K Q 2", "A K 2 x"),
        ("A K R 2", "A R 2 x"),
        ("A K Q R", "A K Q x"),
        ("A K Q x x x", "A K Q x x"),
        ("A 2", "K 2"),
        ("A K Q R L", "A K Q R x"),
    ],
)
def test_better_trumps_win_more_points(better, worse):
    """Means of 6 * 600 deals: 4.5 standard errors of a difference are below .15 points."""
    means = [points_of(text, 600).sum(axis=0) @ np.arange(7) / (6 * 600) for text in (better, worse)]
    assert means[0] > means[1]


def test_with_both_sure_points_a_declarer_seldom_wins_less_than_three():
    """Ace and 2 are two points; king and queen fetch one of right, left, joker and game nearly always."""
    points = points_of("A K Q 2", 1500)
    assert points[:, :2].sum() == 0
    assert points[:, 3:].sum() >= 0.98 * points.sum()
