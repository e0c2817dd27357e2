from collections import Counter
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.game.cards import (
    CARD_POINTS_TOTAL,
    DECK,
    MATE,
    SUITS,
    TRUMPS,
    bit,
    card_points,
    cards_of,
    in_order,
    mask_of,
    natural,
    relative,
    suit_of,
    trump_order,
)

hands = st.sets(st.sampled_from(DECK), max_size=12)
trumps = st.sampled_from(SUITS)


def test_pack_has_53_cards_and_81_card_points():
    assert len(set(DECK)) == 53
    assert sum(card_points(card) for card in DECK) == CARD_POINTS_TOTAL == 81


def test_deck_ascends_in_natural_bit_order():
    assert [bit(card) for card in DECK] == sorted(bit(card) for card in DECK)
    assert DECK[:3] == ("Jo", "2S", "2H")
    assert bit("Jo") == 0
    assert bit("JS") == 44
    assert bit("AD") == 59


@pytest.mark.parametrize("trump", SUITS)
def test_trumps_are_fifteen_with_both_bauers_and_joker(trump):
    order = trump_order(trump)
    assert len(set(order)) == 15
    assert order[:6] == ("A" + trump, "K" + trump, "Q" + trump, "J" + trump, "J" + MATE[trump], "10" + trump)
    assert order[-2:] == ("2" + trump, "Jo")
    assert {card for card in DECK if suit_of(card, trump) == trump} == set(order)


@pytest.mark.parametrize("trump", SUITS)
def test_plain_suit_of_trumps_colour_has_no_jack(trump):
    sizes = Counter(suit_of(card, trump) for card in DECK)
    assert sizes == {trump: 15, MATE[trump]: 12} | {s: 13 for s in SUITS if s not in (trump, MATE[trump])}


@pytest.mark.parametrize("trump", SUITS)
def test_relative_trumps_are_one_column_in_rank_order(trump):
    bits = [relative(1 << bit(card), trump) for card in trump_order(trump)]
    assert bits == sorted(bits, reverse=True)
    assert sum(bits) == TRUMPS


@pytest.mark.parametrize("trump", SUITS)
def test_relative_columns_turn_with_trumps_last(trump):
    suits = [SUITS[(SUITS.index(trump) + turn) % 4] for turn in (1, 2, 3)]
    assert [relative(1 << bit("7" + suit), trump) for suit in suits] == [1 << 24, 1 << 25, 1 << 26]


@given(hands, trumps)
def test_relative_and_natural_are_inverse(cards, trump):
    mask = mask_of(cards)
    assert natural(relative(mask, trump), trump) == mask
    assert relative(mask, trump).bit_count() == len(cards)


@given(hands)
def test_masks_and_cards_are_inverse(cards):
    assert set(cards_of(mask_of(cards))) == cards
    assert cards_of(mask_of(cards)) == in_order(cards)


def test_canonical_order_is_suits_then_ranks_down_then_joker():
    assert in_order(["Jo", "2S", "10S", "AD", "KC", "AS", "3H"]) == (
        "AS",
        "10S",
        "2S",
        "3H",
        "KC",
        "AD",
        "Jo",
    )


@pytest.mark.parametrize("mask", [1 << 1, 1 << 40, 1 << 60])
def test_bits_that_are_no_card_are_refused(mask):
    with pytest.raises(ValueError, match="no card"):
        cards_of(mask)


def test_longest_suit_over_four_choices_by_enumeration():
    """Cards that count for the same suits are alike: four suits of twelve, two pairs of jacks, the joker."""
    kinds = Counter(tuple(suit_of(card, trump) == trump for trump in SUITS) for card in DECK)
    assert sorted(kinds.values()) == [1, 2, 2, 12, 12, 12, 12]
    found: Counter[int] = Counter()
    for taken in product(*(range(min(6, size) + 1) for size in kinds.values())):
        if sum(taken) != 6:
            continue
        ways = 1
        for number, size in zip(taken, kinds.values(), strict=True):
            ways *= comb(size, number)
        lengths = [sum(n for n, kind in zip(taken, kinds, strict=True) if kind[suit]) for suit in range(4)]
        found[max(lengths)] += ways
    assert found == {2: 6_335_784, 3: 12_343_632, 4: 3_801_588, 5: 456_456, 6: 20_020}
    assert found.total() == comb(53, 6)
