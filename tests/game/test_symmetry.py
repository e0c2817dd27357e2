from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import DECK, JOKER, MATE, SUITS, suit_of, trump_order
from schmier_sim.game.reference import play_deal
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import card_points_won, points_won
from schmier_sim.game.symmetry import RELABELLINGS, alike, inverse, relabel, relabel_deal, standard_form

hands = st.lists(st.sampled_from(DECK), unique=True, min_size=0, max_size=8)
relabellings = st.sampled_from(RELABELLINGS)


def moved(cards, suits):
    return {relabel(card, suits) for card in cards}


def test_there_are_eight_permutations_that_keep_colours_together():
    kept = [
        dict(zip(SUITS, order, strict=True))
        for order in permutations(SUITS)
        if {order[0], order[2]} in ({"S", "C"}, {"H", "D"})
    ]
    assert len(kept) == len(RELABELLINGS) == 8
    assert all(suits in RELABELLINGS for suits in kept)


@given(relabellings)
def test_a_relabelling_keeps_trumps_and_their_order(suits):
    for trump in SUITS:
        assert tuple(relabel(card, suits) for card in trump_order(trump)) == trump_order(suits[trump])
    for card in DECK:
        assert relabel(card, suits)[:-1] == card[:-1]
        for trump in SUITS:
            assert suit_of(relabel(card, suits), suits[trump]) == suits[suit_of(card, trump)]
    assert relabel(JOKER, suits) == JOKER
    assert moved(DECK, suits) == set(DECK)


def test_other_permutations_do_not():
    others = [
        suits
        for order in permutations(SUITS)
        if (suits := dict(zip(SUITS, order, strict=True))) not in RELABELLINGS
    ]
    assert len(others) == 16
    for suits in others:
        assert any(moved(trump_order(trump), suits) != set(trump_order(suits[trump])) for trump in SUITS)


@given(relabellings, hands)
def test_the_inverse_undoes_it(suits, cards):
    assert [relabel(relabel(card, suits), inverse(suits)) for card in cards] == cards
    assert inverse(inverse(suits)) == suits
    assert inverse(suits) in RELABELLINGS


@given(relabellings, hands)
def test_hands_that_are_alike_have_one_standard_form(suits, cards):
    other = moved(cards, suits)
    assert moved(cards, standard_form(cards)) == moved(other, standard_form(other))
    assert standard_form(cards) in RELABELLINGS
    assert standard_form(cards) == standard_form(cards[::-1])


@given(hands, hands)
def test_hands_that_are_not_alike_have_different_standard_forms(one, other):
    same = any(moved(one, suits) == set(other) for suits in RELABELLINGS)
    assert (moved(one, standard_form(one)) == moved(other, standard_form(other))) == same


@given(hands)
def test_suits_are_alike_if_the_hand_stays_as_it_is_when_they_change_places(cards):
    same = alike(cards)
    for suit in SUITS:
        places = {suits[suit] for suits in RELABELLINGS if moved(cards, suits) == set(cards)}
        assert suit in places
        assert moved(cards, same[suit]) == set(cards)
        assert same[suit][suit] == next(one for one in SUITS if one in places)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("AS KS JC 2S 10H 9D", "SHCD"),
        ("AS KS 2S AH KH 2H", "SSCC"),
        ("AS AH AC AD Jo", "SSSS"),
        ("AS KS QS 2S 9H 9D", "SHCH"),
        ("AS AC 9H 8H 7H Jo", "SHSD"),
        ("AS AC 9H 9D 8H 8D", "SHSH"),
        ("AS KC AH KD 2S 2H", "SSCC"),
        ("", "SSSS"),
    ],
)
def test_which_suits_of_a_hand_are_alike(text, same):
    """Given for each suit in the order S H C D."""
    assert "".join(alike(text.split())[suit][suit] for suit in SUITS) == same


@pytest.mark.parametrize("suits", RELABELLINGS, ids=lambda suits: "".join(suits.values()))
def test_a_deal_with_other_suits_is_still_played_by_the_rules_and_scores_the_same(suits):
    rules = Rules()
    for index in range(8):
        deal = play_deal(3, index, rules, BOTS["simple"], "auction" if index % 2 else "declare")
        other = relabel_deal(deal, suits)
        assert relabel_deal(other, inverse(suits)) == deal
        assert [set(hand) for hand in other.hands] == [moved(hand, suits) for hand in deal.hands]
        assert sorted(card for hand in other.hands for card in hand) == sorted(set(DECK) - set(other.stock))
        assert (other.auction, other.declarer, other.bid, other.scores) == (
            deal.auction,
            deal.declarer,
            deal.bid,
            deal.scores,
        )
        if deal.trump is None:
            assert other.trump is None
            continue
        assert other.trump == suits[deal.trump]
        assert points_won(other.tricks, other.trump, other.declarer, rules) == deal.points
        assert card_points_won(other.tricks, rules) == deal.game_points
        for (seat, away, drawn), (_, before, got) in zip(other.exchange, deal.exchange, strict=True):
            assert set(away) == moved(before, suits)
            assert set(drawn) == moved(got, suits)
            assert seat in range(1, 7)
        assert all(MATE[suits[suit]] == suits[MATE[suit]] for suit in SUITS)


def test_a_deal_that_is_passed_out_has_no_trumps_before_and_after():
    passed = next(
        deal
        for index in range(500)
        if (deal := play_deal(3, index, Rules(), BOTS["simple"], "auction")).redeal
    )
    assert relabel_deal(passed, RELABELLINGS[-1]).trump is None
    assert relabel_deal(passed, RELABELLINGS[-1]).redeal
