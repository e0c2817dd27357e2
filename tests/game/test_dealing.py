from collections import Counter
from itertools import combinations
from math import comb

import pytest

from schmier_sim.game.cards import CANONICAL, DECK, in_order, trump_order
from schmier_sim.game.dealing import class_of, deal_cards, declarer_of
from schmier_sim.game.holdings import HOLDINGS, holding_of
from schmier_sim.game.words import (
    GAMMA,
    bid_word,
    chain,
    draw,
    exchange_word,
    is_own_word,
    mix,
    play_word,
    subset,
    word,
)


def test_mix_is_that_of_splitmix64():
    """First words of splitmix64 from state 0, as published with its reference code."""
    assert mix(GAMMA) == 0xE220A8397B1DCDAF
    assert mix(2 * GAMMA % 2**64) == 0x6E789E6AA1B965F4


def test_words_differ_by_seed_index_and_address():
    words = {
        word(seed, index, k) for seed in (0, 1, 2**63 - 1) for index in (0, 1, 2**56 - 1) for k in range(128)
    }
    assert len(words) == 3 * 3 * 128
    assert word(5, 7, 11) == mix((mix(5 + GAMMA) + (128 * 7 + 11) * GAMMA) % 2**64)


def test_draw_and_chain_cover_their_range():
    assert [draw(w, 5) for w in (0, 2**63, 2**64 - 1)] == [0, 2, 4]
    assert chain(2**64 - 1, 7) == (6, 2**64 - 7)
    assert chain(123, 1) == (0, 123)


@pytest.mark.parametrize(("n", "m"), [(1, 0), (5, 1), (7, 3), (8, 8), (9, 4)])
def test_subsets_are_in_colexicographic_order(n, m):
    expected = sorted(combinations(range(n), m), key=lambda chosen: chosen[::-1])
    assert [subset(n, m, index) for index in range(comb(n, m))] == expected
    with pytest.raises(ValueError, match="no subset"):
        subset(n, m, comb(n, m))


def test_every_address_belongs_to_one_choice():
    addresses = [bid_word(seat) for seat in range(1, 7)]
    addresses += [exchange_word(seat, i) for seat in range(1, 7) for i in range(16 if seat == 6 else 8)]
    addresses += [play_word(seat, trick) for seat in range(1, 7) for trick in range(6)]
    assert sorted(addresses) == [*range(10, 16), *range(16, 72), *range(72, 108)]


def test_no_seat_may_read_words_that_deal_cards_or_move_others():
    owners = {k: [seat for seat in range(1, 7) if is_own_word(seat, k)] for k in range(128)}
    assert not any(owners[k] for k in (*range(8), 9, *range(108, 110), *range(116, 128)))
    assert owners[8] == [1, 2, 3, 4, 5, 6]
    assert all(len(owners[k]) == 1 for k in (*range(10, 108), *range(110, 116)))


def every_card(dealt):
    hands = [card for hand in dealt.hands for card in hand]
    pairs = [card for pair in dealt.pairs for card in pair]
    return [*hands, *dealt.singles, *pairs, *dealt.rest]


@pytest.mark.parametrize("sample", ["natural", "stratified"])
@pytest.mark.parametrize("index", [0, 1, 4613, 2**56 - 1])
def test_a_deal_is_the_whole_pack_in_canonical_sets(sample, index):
    dealt = deal_cards(3, index, sample)
    assert sorted(every_card(dealt)) == sorted(DECK)
    assert [len(hand) for hand in dealt.hands] == [6] * 6
    assert all(cards == in_order(cards) for cards in (*dealt.hands, *dealt.pairs, dealt.rest))


def test_what_is_not_drawn_is_left_for_the_dealer():
    dealt = deal_cards(3, 5)
    counts = (3, 0, 1, 2, 3)
    drawn = [dealt.drawn(seat, count) for seat, count in enumerate(counts, start=1)]
    assert [len(cards) for cards in drawn] == list(counts)
    assert drawn[2] == (dealt.singles[2],)
    assert drawn[3] == dealt.pairs[3]
    assert set(drawn[0]) == {dealt.singles[0], *dealt.pairs[0]}
    left = dealt.left(counts)
    assert set(left) == {*dealt.rest, dealt.singles[1], *dealt.pairs[1], *dealt.pairs[2], dealt.singles[3]}


def test_stratified_deals_give_each_seat_each_class_in_turn():
    seen = Counter()
    for index in range(0, 6 * 769, 7):
        dealt = deal_cards(11, index, "stratified")
        hand = dealt.hands[declarer_of(index) - 1]
        assert holding_of(hand, "S") == class_of(index)
        assert sum(card in trump_order("S") for card in hand) == HOLDINGS[class_of(index)].trumps
        seen[declarer_of(index)] += 1
    assert len(seen) == 6
    assert [declarer_of(index) for index in range(7)] == [1, 2, 3, 4, 5, 6, 1]
    assert [class_of(index) for index in (0, 5, 6, 6 * 768, 6 * 769)] == [0, 0, 1, 768, 0]


def test_every_card_is_as_likely_everywhere():
    """2 000 deals: 53 cards x 11 places, each count within 5 standard deviations (error rate about 3e-4)."""
    deals = 2000
    places = Counter()
    for index in range(deals):
        dealt = deal_cards(17, index)
        groups = (*dealt.hands, *[(single,) for single in dealt.singles], dealt.rest)
        places.update((card, place) for place, cards in enumerate(groups) for card in cards)
    for place, size in enumerate((6, 6, 6, 6, 6, 6, 1, 1, 1, 1, 1, 2)):
        mean = deals * size / 53
        spread = 5 * (mean * (1 - size / 53)) ** 0.5 + 1
        assert all(abs(places[card, place] - mean) < spread for card in CANONICAL)


def test_a_missing_card_reaches_declarer_and_partner_as_often_as_counting_says():
    """All draw three, 47 cards unseen: own draw 3/47, partner 9/47, a partner who deals 8/47, own as dealer 2/47.

    Each share lies within 4.5 standard deviations (error rate about 3e-5 for all).
    """
    deals = 3000
    found: Counter[str] = Counter()
    tries: Counter[str] = Counter()
    for index in range(deals):
        dealt = deal_cards(23, index)
        draws = [set(dealt.drawn(seat, 3)) for seat in range(1, 6)] + [set(dealt.rest)]
        ends = [set(hand) | drawn for hand, drawn in zip(dealt.hands, draws, strict=True)]
        for name, seat, places in (
            ("own", 1, draws[0]),
            ("partner", 1, ends[3]),
            ("partner who deals", 3, ends[5]),
            ("own as dealer", 6, draws[5]),
        ):
            if "AS" not in dealt.hands[seat - 1]:
                tries[name] += 1
                found[name] += "AS" in places
    expected = {"own": 3 / 47, "partner": 9 / 47, "partner who deals": 8 / 47, "own as dealer": 2 / 47}
    for name, share in expected.items():
        error = (share * (1 - share) / tries[name]) ** 0.5
        assert abs(found[name] / tries[name] - share) < 4.5 * error, name
