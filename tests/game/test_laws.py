import pytest

from schmier_sim.game.laws import (
    IllegalMove,
    auction_is_over,
    check_exchange,
    high_bid,
    legal_bids,
    legal_cards,
    may_pass,
    winning_place,
)
from schmier_sim.game.rules import Rules

STANDARD = Rules()
STEALS = Rules(dealer_steals=True)
MUST = Rules(all_pass="dealer-bids-3")
ANYTIME = Rules(trump_anytime=True)
TRUMP_FIRST = Rules(first_lead="trump")


def calls(*bids):
    return tuple(enumerate(bids, start=1))


def test_bids_are_three_to_six_and_higher_than_every_bid_before():
    assert legal_bids(1, (), STANDARD) == (3, 4, 5, 6)
    assert legal_bids(2, calls(3), STANDARD) == (4, 5, 6)
    assert legal_bids(5, calls(3, None, 5, None), STANDARD) == (6,)
    assert legal_bids(6, calls(None, 4, None, None, None), STANDARD) == (5, 6)


def test_dealer_takes_the_bid_at_the_same_level_only_by_house_rule():
    auction = calls(None, 4, None, None, None)
    assert legal_bids(6, auction, STEALS) == (4, 5, 6)
    assert legal_bids(5, auction[:4], STEALS) == (5, 6)
    assert legal_bids(6, calls(*[None] * 5), STEALS) == (3, 4, 5, 6)


def test_a_bid_of_six_ends_the_auction():
    assert auction_is_over(calls(None, 6))
    assert not auction_is_over(calls(None, 5))
    assert not auction_is_over(())
    assert auction_is_over(calls(None, None, None, None, None, None))


def test_the_highest_bid_is_the_last_one():
    assert high_bid(calls(3, None, 4, None)) == (3, 4)
    assert high_bid(((1, 3), (6, 3))) == (6, 3)
    assert high_bid(calls(None, None)) is None


def test_dealer_may_not_pass_after_five_passes_by_house_rule():
    passes = calls(*[None] * 5)
    assert may_pass(6, passes, STANDARD)
    assert not may_pass(6, passes, MUST)
    assert legal_bids(6, passes, MUST) == (3, 4, 5, 6)
    assert may_pass(6, calls(None, 3, None, None, None), MUST)
    assert may_pass(5, passes[:4], MUST)


HAND = ("AS", "JC", "KH", "10H", "7C", "2D")


@pytest.mark.parametrize("discards", [(), ("KH",), ("KH", "10H", "2D")])
def test_up_to_three_plain_cards_may_be_put_away(discards):
    check_exchange(1, HAND, discards, "S")


@pytest.mark.parametrize(
    "discards",
    [("AS",), ("JC",), ("KH", "10H", "7C", "2D"), ("KH", "KH"), ("AH",)],
    ids=lambda cards: " ".join(cards),
)
def test_trumps_more_than_three_and_foreign_cards_may_not(discards):
    with pytest.raises(IllegalMove, match="seat 1"):
        check_exchange(1, HAND, discards, "S")


DEALER_EIGHT = (*HAND, "QH", "3S")


def test_dealer_puts_away_down_to_six_but_no_trumps():
    check_exchange(6, DEALER_EIGHT, ("10H", "2D"), "S")
    for discards in ((), ("10H",), ("10H", "2D", "7C"), ("3S", "2D"), ("JC", "2D")):
        with pytest.raises(IllegalMove, match="the dealer must"):
            check_exchange(6, DEALER_EIGHT, discards, "S")


DEALER_SEVEN_TRUMPS = ("AS", "KS", "JS", "JC", "3S", "2S", "Jo", "AH")


def test_dealer_with_more_than_six_trumps_keeps_six_of_them():
    check_exchange(6, DEALER_SEVEN_TRUMPS, ("AH", "3S"), "S")
    check_exchange(6, DEALER_SEVEN_TRUMPS, ("AH", "KS"), "S")


@pytest.mark.parametrize("card", ["AS", "JS", "JC", "2S", "Jo"])
def test_dealer_puts_away_no_point_card(card):
    with pytest.raises(IllegalMove, match="none of ace, right, left, 2 and joker"):
        check_exchange(6, DEALER_SEVEN_TRUMPS, ("AH", card), "S")


def test_suit_must_be_followed_and_else_any_card_goes():
    assert legal_cards(HAND, ("3H",), "S", STANDARD) == ("KH", "10H")
    assert legal_cards(HAND, ("3D", "AS"), "S", STANDARD) == ("2D",)
    assert legal_cards(HAND[:5], ("3D",), "S", STANDARD) == HAND[:5]


def test_left_bauer_and_joker_follow_trumps_only():
    assert legal_cards(HAND, ("4S",), "S", STANDARD) == ("AS", "JC")
    assert legal_cards(HAND, ("4C",), "S", STANDARD) == ("7C",)
    assert legal_cards(("Jo", "7C", "JC"), ("JS",), "C", STANDARD) == ("Jo", "7C", "JC")
    assert legal_cards(("Jo", "7C", "KH"), ("JC",), "S", STANDARD) == ("Jo",)
    assert legal_cards(("JC", "KH"), ("4C",), "S", STANDARD) == ("JC", "KH")


def test_trumps_at_any_time_by_house_rule():
    assert legal_cards(HAND, ("3H",), "S", ANYTIME) == ("AS", "JC", "KH", "10H")
    assert legal_cards(HAND, ("4S",), "S", ANYTIME) == ("AS", "JC")
    assert legal_cards(HAND[:5], ("3D",), "S", ANYTIME) == HAND[:5]


def test_first_lead_is_a_trump_by_house_rule_if_there_is_one():
    assert legal_cards(HAND, (), "S", TRUMP_FIRST, first_lead=True) == ("AS", "JC")
    assert legal_cards(HAND, (), "S", TRUMP_FIRST) == HAND
    assert legal_cards(HAND, (), "S", STANDARD, first_lead=True) == HAND
    assert legal_cards(HAND[2:], (), "S", TRUMP_FIRST, first_lead=True) == HAND[2:]


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        (("3H", "KH", "10H", "AD", "2H", "AC"), 1),
        (("3H", "KH", "2S", "AD", "AH", "AC"), 2),
        (("3H", "KH", "2S", "Jo", "AH", "9S"), 5),
        (("3H", "AH", "Jo", "KH", "QH", "JH"), 2),
        (("10S", "JC", "JS", "QS", "KS", "AS"), 5),
        (("10S", "JC", "9S", "2S", "Jo", "AH"), 1),
        (("JC", "JS", "9S", "2S", "Jo", "AH"), 1),
        (("Jo", "2S", "AH", "KH", "QH", "AD"), 1),
        (("10H", "JH", "9H", "8H", "7H", "6H"), 1),
        (("JC", "AC", "KC", "QC", "AH", "AD"), 0),
        (("9H",), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_highest_trump_wins_else_highest_of_the_suit_led(trick, winner):
    assert winning_place(trick, "S") == winner
