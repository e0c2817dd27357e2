from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from schmier_sim.game.cards import DECK, SUITS, trump_order
from schmier_sim.game.holdings import HANDS, HOLDINGS, holding_id, holding_of, parse_holding


def test_769_classes_sorted_by_trumps_then_held():
    assert len(HOLDINGS) == 769
    keys = [(holding.trumps, holding.held) for holding in HOLDINGS]
    assert keys == sorted(set(keys))
    assert [holding_id(holding.held, holding.small) for holding in HOLDINGS] == list(range(769))


def test_number_of_trumps_is_hypergeometric():
    found: Counter[int] = Counter()
    for holding in HOLDINGS:
        found[holding.trumps] += holding.count
    assert found == {k: comb(15, k) * comb(38, 6 - k) for k in range(7)}
    assert list(found.values()) == [2_760_681, 7_529_130, 7_750_575, 3_838_380, 959_595, 114_114, 5_005]
    assert Fraction(sum(k * n for k, n in found.items()), HANDS) == Fraction(90, 53)


def test_class_weights_come_out_of_counting_all_trump_sets():
    """Every set of at most six trumps, with its number of plain rests, adds up to the weights of the classes."""
    found: Counter[int] = Counter()
    sets = 0
    for k in range(7):
        for cards in combinations(trump_order("H"), k):
            found[holding_of(cards, "H")] += comb(38, 6 - k)
            sets += 1
    assert sets == 9_949
    assert found == {number: holding.count for number, holding in enumerate(HOLDINGS)}
    assert sum(Fraction(holding.count, HANDS) for holding in HOLDINGS) == 1
    assert sum(holding.chance for holding in HOLDINGS) == pytest.approx(1)


@pytest.mark.parametrize("trump", SUITS)
def test_holding_of_does_not_look_at_plain_cards(trump):
    plain = [card for card in DECK if card not in trump_order(trump)]
    assert holding_of(plain, trump) == 0
    named = [card for card in trump_order(trump) if card[:-1] not in ("3", "4", "5", "6", "7", "8", "9")]
    assert HOLDINGS[holding_of([*named[:3], *plain], trump)].text == "A K Q"
    assert HOLDINGS[holding_of(named[3:], trump)].text == "R L 10 2 Jo"


def test_text_reads_back_to_its_class():
    assert [parse_holding(holding.text) for holding in HOLDINGS] == list(range(769))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x K a X r", "A K R x x"),
        ("AKRxx", "A K R x x"),
        ("t,2,joker", "10 2 Jo"),
        ("10 2 *", "10 2 Jo"),
        ("", ""),
    ],
)
def test_holdings_are_read_in_any_order_and_case(text, same):
    assert HOLDINGS[parse_holding(text)].text == same


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A K A", '"A" is there twice'),
        ("A 7", '"7" is no trump'),
        ("A K Q R L 10 2", "7 trumps"),
        ("x x x x x x x", "7 trumps"),
        ("A" * 1_000_000, "1000000 characters"),
        ("A\nB", '"B" is no trump'),
    ],
)
def test_bad_holdings_are_refused_in_one_line(text, complaint):
    with pytest.raises(ValueError, match=complaint) as error:
        parse_holding(text)
    assert "\n" not in str(error.value)
    assert "write the trumps" in str(error.value)


def test_impossible_class_is_refused():
    with pytest.raises(ValueError, match="no six cards"):
        holding_id(255, 0)
