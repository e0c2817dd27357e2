import pytest

from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import (
    apply_scores,
    card_points_won,
    deal_scores,
    game_winner,
    match_winner,
    points_won,
)

STANDARD = Rules()
TWO_TEAMS = Rules(teams="2x3")

# Seat 1 leads; the winner of each trick follows from the cards. Trumps are spades.
TRICKS = (
    (1, ("5S", "2S", "KS", "JH", "3S", "4S"), 3),
    (3, ("AD", "Jo", "2D", "3D", "4D", "5D"), 4),
    (4, ("10S", "JC", "6S", "AS", "2H", "3H"), 1),
    (1, ("7S", "8S", "10H", "9S", "JS", "4H"), 5),
    (5, ("AH", "5H", "6H", "7H", "8H", "9H"), 5),
    (5, ("KC", "2C", "3C", "4C", "5C", "6C"), 5),
)


def test_high_and_low_go_to_their_players_and_bauers_and_joker_to_the_takers():
    won = points_won(TRICKS, "S", 1, STANDARD)
    assert won == {"high": 1, "low": 2, "right": 2, "left": 1, "joker": 1, "game": 1}
    assert list(won) == ["high", "low", "right", "left", "joker", "game"]


def test_low_goes_to_the_taker_by_house_rule():
    assert points_won(TRICKS, "S", 1, Rules(low_to="taker"))["low"] == 3


def test_teams_of_three_sit_in_alternate_seats():
    won = points_won(TRICKS, "S", 1, TWO_TEAMS)
    assert won == {"high": 1, "low": 2, "right": 1, "left": 1, "joker": 2, "game": 1}


def test_card_points_are_counted_where_the_trick_went():
    assert card_points_won(TRICKS, STANDARD) == (4 + 1 + 10 + 1 + 4, 10 + 1 + 4 + 3, 3 + 1)
    assert card_points_won(TRICKS, TWO_TEAMS) == (4 + 15 + 18, 5)


@pytest.mark.parametrize(
    ("card_points", "declarer", "nobody", "to_declarer", "to_defender"),
    [
        ((30, 20, 10), 2, 1, 1, 1),
        ((30, 30, 10), 1, None, 1, 2),
        ((30, 30, 10), 2, None, 2, 1),
        ((30, 30, 10), 3, None, None, None),
        ((20, 20, 20), 3, None, 3, None),
        ((10, 30, 30), 3, None, 3, 2),
        ((30, 30), 2, None, 2, 1),
    ],
)
def test_tied_game_goes_to_nobody_or_by_house_rule_to_a_side_among_the_tied(
    card_points, declarer, nobody, to_declarer, to_defender
):
    assert game_winner(card_points, declarer, STANDARD) == nobody
    assert game_winner(card_points, declarer, Rules(game_tie="declarer")) == to_declarer
    assert game_winner(card_points, declarer, Rules(game_tie="defender")) == to_defender


POINTS = {"high": 1, "low": 2, "right": 1, "left": 3, "joker": 1, "game": None}


def test_a_made_bid_scores_all_points_and_a_failed_one_loses_the_bid():
    assert deal_scores(POINTS, 1, 3, STANDARD) == (3, 1, 1)
    assert deal_scores(POINTS, 1, 4, STANDARD) == (-4, 1, 1)
    assert deal_scores(POINTS, 2, 3, STANDARD) == (3, -3, 1)
    assert deal_scores(POINTS, 2, None, STANDARD) == (3, 1, 1)


def test_made_by_more_scores_more():
    assert deal_scores(dict.fromkeys(POINTS, 2), 2, 3, STANDARD) == (0, 6, 0)


def test_totals_add_up_and_may_be_negative():
    assert apply_scores((0, 20, 5), (-4, 2, 1), 1, STANDARD) == (-4, 22, 6)


def test_who_must_bid_to_win_stops_one_short_when_another_declared():
    rules = Rules(must_bid_to_win=True)
    assert apply_scores((19, 19, 5), (3, 3, 1), 1, rules) == (22, 20, 6)
    assert apply_scores((20, 20, 5), (-3, 2, 1), 1, rules) == (17, 20, 6)
    assert apply_scores((8, 9, 10), (0, 3, 3), 1, Rules(must_bid_to_win=True, target=11)) == (8, 10, 10)


@pytest.mark.parametrize(
    ("totals", "declarer", "highest", "declarer_first"),
    [
        ((20, 20, 20), 1, None, None),
        ((21, 5, -3), 2, 1, 1),
        ((22, 21, 3), 2, 1, 2),
        ((22, 22, 3), 2, 2, 2),
        ((22, 22, 3), 3, None, None),
        ((22, 22, 21), 3, None, 3),
        ((25, 25, 25), 3, 3, 3),
        ((22, 22, 20), 3, None, None),
        ((21, 24, 22), 1, 2, 1),
    ],
)
def test_match_goes_to_the_highest_then_to_the_declarers_team(totals, declarer, highest, declarer_first):
    assert match_winner(totals, declarer, STANDARD) == highest
    assert match_winner(totals, declarer, Rules(endgame="declarer-first")) == declarer_first


def test_target_is_a_house_rule():
    assert match_winner((11, 3), 2, Rules(teams="2x3", target=11)) == 1
    assert match_winner((11, 3), 2, TWO_TEAMS) is None
