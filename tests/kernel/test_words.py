"""Random words, bits and masks: the kernels' helpers beside the plain ones of `game`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.game import cards, words
from schmier_sim.kernel import bits, deal, jit, masks, rng

pytestmark = [pytest.mark.boundscheck, pytest.mark.jitless]

u64 = np.uint64
WORDS = st.integers(0, 2**64 - 1)
SEEDS = st.integers(0, 2**63 - 1) | st.sampled_from([0, 2**63 - 1])
INDICES = st.integers(0, 2**56 - 1) | st.sampled_from([0, 2**56 - 1])
NATURAL = st.sets(st.sampled_from(cards.DECK)).map(cards.mask_of)
SUITS = st.sampled_from(cards.SUITS)


def ones(mask):
    """Set bits of a mask, the lowest first."""
    return [place for place in range(64) if mask >> place & 1]


def deposited(x, mask):
    """Put bit i of x at the i-th set bit of a mask."""
    return sum(1 << place for i, place in enumerate(ones(mask)) if x >> i & 1)


# Compiled, because an intrinsic cannot be called from Python.
@jit.phase
def deposit(x, mask):
    return deal.deposit(x, mask)


@jit.phase
def deposit_slowly(x, mask):
    return deal._deposit_slowly(x, mask)


@jit.phase
def count(x):
    return bits.count(x)


@jit.phase
def mul_high(a, b):
    return bits.mul_high(a, b)


# --- words


@given(WORDS)
def test_mix_is_that_of_the_reference(z):
    assert rng.mix(u64(z)) == words.mix(z)


@given(SEEDS, INDICES, st.integers(0, 127))
def test_a_word_has_the_same_address(seed, index, k):
    base = rng.deal_base(rng.start_of(seed), u64(index))
    assert rng.word(u64(base), u64(k)) == words.word(seed, index, k)


@given(WORDS, st.integers(1, 2**32))
def test_draws_and_chains_are_those_of_the_reference(w, n):
    assert rng.draw(u64(w), u64(n)) == words.draw(w, n)
    assert tuple(map(int, rng.chain(u64(w), u64(n)))) == words.chain(w, n)


def test_addresses_are_those_of_the_reference():
    assert rng.WORDS_PER_DEAL == words.WORDS_PER_DEAL
    for own, others in (
        (rng.RESERVE_WORD, words.RESERVE_WORD),
        (rng.HOLDING_WORD, words.STRATIFIED_WORD),
        (rng.SUIT_WORD, words.SUIT_WORD),
        (rng.BID_WORD, words.bid_word(1)),
        (rng.EXCHANGE_WORD, words.exchange_word(1, 0)),
        (rng.PLAY_WORD, words.play_word(1, 0)),
    ):
        assert own == others


def test_words_that_are_known():
    """splitmix64 of seed 0 begins with these (Vigna's reference code); ours begins at the mixed seed."""
    first = 0xE220A8397B1DCDAF
    assert rng.mix(rng.GAMMA) == first
    assert rng.start_of(0) == first


# --- bits


@given(WORDS)
def test_lowest_bits_and_counts(x):
    lowest = x & -x
    assert count(u64(x)) == x.bit_count()
    assert bits.low(u64(x)) == lowest
    assert bits.drop_low(u64(x)) == x ^ lowest


@given(WORDS, WORDS)
def test_high_half_of_a_product(a, b):
    assert mul_high(u64(a), u64(b)) == a * b >> 64


@given(st.integers(0, 63))
def test_above_a_bit_are_all_higher_ones(place):
    assert bits.above(u64(1 << place)) == sum(1 << higher for higher in range(place + 1, 64))
    assert bits.above(u64(0)) == 0


@given(st.sets(st.integers(0, 63), max_size=6), st.integers(0, 5))
def test_nth_bit_of_a_small_set(places, n):
    wanted = sorted(places)[n : n + 1]
    assert bits.nth(u64(sum(1 << p for p in places)), u64(n)) == sum(1 << p for p in wanted)


@given(st.sets(st.integers(0, 63), min_size=3, max_size=3), st.integers(0, 2))
def test_nth_bit_of_three(places, n):
    assert bits.nth3(u64(sum(1 << p for p in places)), u64(n)) == 1 << sorted(places)[n]


@given(WORDS, st.integers(0, 63))
def test_nth_bit_of_a_set_of_any_size(x, n):
    if n < x.bit_count():
        assert bits.nth_of_many(u64(x), u64(n)) == 1 << ones(x)[n]


@given(st.lists(WORDS | st.just(0), min_size=4, max_size=4))
def test_first_set_that_is_not_empty(sets):
    for n, first in ((2, bits.first2), (3, bits.first3), (4, bits.first4)):
        assert first(*map(u64, sets[:n])) == next((some for some in sets[:n] if some), sets[n - 1])


@given(WORDS, st.data())
def test_bits_are_deposited_alike_with_and_without_the_processors_help(mask, data):
    width = mask.bit_count()
    places = data.draw(st.sets(st.integers(0, max(width - 1, 0)), max_size=min(3, width)))
    x = sum(1 << place for place in places)
    assert deposit(u64(x), u64(mask)) == deposited(x, mask)
    assert deposit_slowly(u64(x), u64(mask)) == deposited(x, mask)


# --- masks


def as_relative(mask, trump):
    shift = u64(3 - cards.SUITS.index(trump))
    return int(masks.relative(u64(mask), shift, u64(masks.wrapped_columns(shift))))


@given(NATURAL, SUITS)
def test_hands_are_turned_to_trumps_as_in_game_cards(mask, trump):
    turned = as_relative(mask, trump)
    assert turned == cards.relative(mask, trump)
    assert cards.natural(turned, trump) == mask


@pytest.mark.parametrize("trump", cards.SUITS)
def test_every_single_card_is_turned_to_trumps_and_knows_its_suit(trump):
    suits = {}
    for card in cards.DECK:
        turned = as_relative(cards.mask_of([card]), trump)
        assert turned == cards.relative(cards.mask_of([card]), trump)
        suits.setdefault(int(masks.suit_of(u64(turned))), set()).add(cards.suit_of(card, trump))
        assert (turned & int(masks.TRUMPS) > 0) == (cards.suit_of(card, trump) == trump)
    assert sorted(map(len, suits.values())) == [1] * 4
    assert suits[int(masks.TRUMPS)] == {trump}


@given(st.sets(st.sampled_from(cards.trump_order("S"))))
def test_highest_trump(held):
    order = cards.trump_order("S")
    mask = u64(cards.relative(cards.mask_of(held), "S"))
    best = min(map(order.index, held), default=None)
    assert masks.highest_trump(mask) == (
        0 if best is None else cards.relative(cards.mask_of([order[best]]), "S")
    )
    reached = [] if best is None else order[best:]
    assert masks.trumps_up_to(mask) == cards.relative(cards.mask_of(reached), "S")


@pytest.mark.parametrize("n", range(54))
def test_one_table_of_subsets_serves_every_number_of_cards(n):
    for m in range(4):
        first = int(deal.FROM[m])
        for index in {0, 1, words.comb(n, m) // 2, words.comb(n, m) - 1}:
            if 0 <= index < words.comb(n, m):
                assert ones(int(deal.SUBSETS[first + index])) == [*words.subset(n, m, index)]
