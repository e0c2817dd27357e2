"""Chances with a closed form, derived here from what is dealt and drawn, and the kernels' counts beside them.

All hold under the standard rules for players who always put away as many plain cards as they may: `random` and `simple`
do. Who draws does not see the stock, so what one seat does not hold is for it a heap of 47 cards in any order, and each
seat draws from that heap. `random` names a suit without looking at its cards, so for its deals the trumps are any suit.

Each figure is tested to 4.5 standard errors (a right program fails with 7e-6 a figure, some 2e-4 for the whole file).
"""

from fractions import Fraction
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest

from schmier_sim.analysis.tally import count_points
from schmier_sim.game.holdings import HOLDINGS, parse_holding
from schmier_sim.kernel.block import AWAY, DECLARER, DRAWN, HANDS, POINTS
from schmier_sim.kernel.simulate import Setup, logged_blocks, play_into
from tests.kernel.table import (
    ACE,
    EXCHANGED,
    LIMIT,
    SCORED,
    TRUMPS,
    TWO,
    chi_square_error,
    collect,
    no_counts,
    rows,
    share_error,
    size,
)

STRATA = 6 * len(HOLDINGS)
DIGITS = 6e-7
"""Figures that are quoted have six decimals, not all rounded alike."""


def draws(trumps):
    """Cards that a hand of six with so many trumps puts away and draws."""
    return min(3, 6 - trumps)


def chance_of(k, marked, n, heap):
    """Chance of k marked cards among n of a heap."""
    if k < 0 or n - k < 0:
        return Fraction(0)
    return Fraction(comb(marked, k) * comb(heap - marked, n - k), comb(heap, n))


def after_exchange(dealt, held):
    """Chance that one who is dealt so many trumps holds so many after the exchange (not the dealer)."""
    return chance_of(held - dealt, 15 - dealt, draws(dealt), 47)


def to_partner(k):
    """Chance that a trump which the declarer, with k trumps, does not hold gets to one other non-dealer.

    It is dealt to him with 6/47. Otherwise he draws n of 41 cards; n depends on how many of the other 14 - k
    trumps he is dealt.
    """
    dealt = Fraction(6, 47)
    drawn = sum(chance_of(t, 14 - k, 6, 46) * Fraction(draws(t), 41) for t in range(7))
    return dealt + (1 - dealt) * drawn


def to_dealing_partner(k):
    """The same for a partner who deals: what neither the declarer nor the four others get."""
    return 1 - Fraction(draws(k), 47) - 4 * to_partner(k)


def heap_of_dealer(seats, marked, heap):
    """Chances of (cards, marked ones) among all that the dealer sees.

    `seats` others are dealt six of a heap, of which some are marked: the trumps that they may hold. Then they
    draw, and the rest is the dealer's.
    """
    states = {(0, 0): Fraction(1)}  # marked cards dealt to the seats so far, cards that they will draw
    for seat in range(seats):
        step = {}
        for (dealt, drawn), chance in states.items():
            for t in range(min(6, marked - dealt) + 1):
                key = dealt + t, drawn + draws(t)
                step[key] = step.get(key, 0) + chance * chance_of(t, marked - dealt, 6, heap - 6 * seat)
        states = step
    left = heap - 6 * seats
    return {
        (dealt, drawn, k): chance * chance_of(k, marked - dealt, left - drawn, left)
        for (dealt, drawn), chance in states.items()
        for k in range(marked - dealt + 1)
    }


def six_elsewhere():
    """Chance that a hand beside that of a declarer with six trumps, not the dealer, ends with six trumps too.

    Nine are left, so there is at most one such hand.
    """
    drawer = sum(chance_of(t, 9, 6, 47) * chance_of(6 - t, 9 - t, 6 - t, 41) for t in range(3, 7))
    dealer = sum(chance for (*_, k), chance in heap_of_dealer(4, 9, 47).items() if k >= 6)
    return 4 * drawer + dealer


TRUMPS_AFTER = [sum(chance_of(t, 15, 6, 53) * after_exchange(t, k) for t in range(7)) for k in range(7)]
DEALER_SEES = heap_of_dealer(5, 15, 53)
DEALER_TRUMPS = [sum(p for (*_, k), p in DEALER_SEES.items() if k == trumps) for trumps in range(16)]
ACE_TO_DRAWER = Fraction(6, 53) + Fraction(47, 53) * sum(
    chance_of(t, 14, 6, 52) * Fraction(draws(t), 47) for t in range(7)
)


def close(*figures):
    return pytest.approx(figures, abs=DIGITS)


# --- the formulas give the figures that are quoted for them


def test_a_non_dealer_holds_two_and_a_half_trumps_after_the_exchange():
    assert sum(TRUMPS_AFTER) == 1
    assert tuple(map(float, TRUMPS_AFTER)) == close(
        0.036784, 0.165527, 0.299017, 0.283443, 0.160560, 0.048999, 0.005671
    )
    assert (mean(TRUMPS_AFTER),) == close(2.535147)
    assert tuple(float(after_exchange(3, k)) for k in range(3, 7)) == close(
        0.403639, 0.440333, 0.142461, 0.013568
    )
    assert tuple(float(after_exchange(4, k)) for k in range(4, 7)) == close(0.582794, 0.366327, 0.050879)


def test_a_dealer_sees_the_other_trumps_and_hardly_ever_more_than_six():
    cards = [sum(p for (_, drawn, _), p in DEALER_SEES.items() if drawn == 15 - n) for n in range(3)]
    assert tuple(map(float, cards)) == close(0.774492, 0.191591, 0.031457)
    assert sum(DEALER_TRUMPS[7:]) == Fraction(48816224, 156258693773)
    assert (mean(DEALER_TRUMPS),) == close(2.324267)
    assert 5 * exact_mean(TRUMPS_AFTER) + exact_mean(DEALER_TRUMPS) == 15


def test_the_ace_goes_more_often_to_one_who_draws_than_to_the_dealer():
    assert Fraction(250497, 1482145) == ACE_TO_DRAWER
    assert (float(1 - 5 * ACE_TO_DRAWER),) == close(0.154951)


def test_one_card_goes_to_the_partner_with_about_19_percent():
    assert tuple(float(to_partner(k)) for k in (2, 3, 4, 6)) == close(0.190730, 0.190967, 0.191146, 0.191368)
    assert tuple(float(to_dealing_partner(k)) for k in (2, 3, 4, 6)) == close(
        0.173250, 0.172303, 0.192862, 0.234529
    )


def test_five_tops_and_the_two_win_six_points_unless_another_holds_six_trumps():
    assert (float(1 - six_elsewhere()),) == close(0.996319)


def mean(chances):
    return float(exact_mean(chances))


def exact_mean(chances):
    return sum(k * chance for k, chance in enumerate(chances))


# --- the kernels' deals


@pytest.fixture(scope="module")
def deals():
    """Natural deals of `random`: hands dealt and held after the exchange [6, n], relative, and who declares."""
    setup = Setup(seed=4, bots="random")
    held, away, drawn, declarer = collect(
        setup, 0, 600_000, *((EXCHANGED, some) for some in (HANDS, AWAY, DRAWN, [DECLARER]))
    )
    return SimpleNamespace(
        n=held.shape[1], held=held, away=away, dealt=(held | away) & ~drawn, declarer=declarer[0].astype(int)
    )


@pytest.mark.parametrize("seat", range(1, 6))
def test_non_dealers_draw_trumps_as_they_should(deals, seat):
    """All pairs of trumps dealt and held, in every seat that draws."""
    dealt, held = size(deals.dealt[seat - 1] & TRUMPS), size(deals.held[seat - 1] & TRUMPS)
    seen = np.bincount(7 * dealt + held, minlength=49)
    expected = [
        float(deals.n * chance_of(t, 15, 6, 53) * after_exchange(t, k)) for t in range(7) for k in range(7)
    ]
    assert abs(chi_square_error(seen, expected)) < LIMIT


def test_dealers_see_as_many_cards_and_trumps_as_they_should(deals):
    seen = deals.held[5] | deals.away[5]
    cells = np.bincount(16 * size(seen) + size(seen & TRUMPS), minlength=24 * 16)
    expected = np.zeros((24, 16))
    for (_, drawn, k), chance in DEALER_SEES.items():
        expected[23 - drawn, k] += float(deals.n * chance)
    assert abs(chi_square_error(cells, expected)) < LIMIT
    more = int((size(seen & TRUMPS) > 6).sum())
    assert abs(share_error(more, deals.n, float(sum(DEALER_TRUMPS[7:])))) < LIMIT


def test_the_ace_of_trumps_ends_where_it_should(deals):
    by_seat = (deals.held & ACE > 0).sum(axis=1)
    expected = [float(deals.n * ACE_TO_DRAWER)] * 5 + [float(deals.n * (1 - 5 * ACE_TO_DRAWER))]
    assert abs(chi_square_error(by_seat, expected)) < LIMIT


@pytest.mark.parametrize("card", [ACE, TWO], ids=["ace", "two"])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_partner_gets_a_missing_trump_as_often_as_he_should(deals, card, k):
    at = np.arange(deals.n)
    dealt = deals.dealt[deals.declarer, at]
    partners = deals.held[(deals.declarer + 3) % 6, at]
    lacks = (dealt & card == 0) & (size(dealt & TRUMPS) == k)
    for seats, chance in (((0, 1, 3, 4), to_partner(k)), ((2,), to_dealing_partner(k))):
        here = lacks & np.isin(deals.declarer, seats)
        gets = int((here & (partners & card > 0)).sum())
        assert abs(share_error(gets, int(here.sum()), float(chance))) < LIMIT


def firsts_of(text, rounds):
    """First indices of the six stratified deals, seat by seat, in which a class is declared, round after round."""
    return range(6 * parse_holding(text), STRATA * rounds, STRATA)


def test_six_tops_win_five_points_for_certain_and_six_if_the_partner_holds_the_two():
    """`simple` leads them from the top, for nothing is above them; seat 6 is left out, he draws."""
    setup = Setup(seed=8, sample="stratified")
    cells, types = no_counts()
    for first in firsts_of("A K Q R L 10", 6000):
        play_into(setup, first, 6, cells, types)
    points = count_points(cells[:, parse_holding("A K Q R L 10")]).sum(axis=1)
    assert points.sum() == cells.sum() == 6 * 6000
    assert not points[:5, :5].any()
    sixes = points[:, 6]
    assert abs(share_error(sixes[[0, 1, 3, 4]].sum(), 4 * 6000, float(to_partner(6)))) < LIMIT
    assert abs(share_error(sixes[2], 6000, float(to_dealing_partner(6)))) < LIMIT


@pytest.fixture(scope="module")
def tops_and_two():
    """Deals declared by seats 1 to 5 with five tops and the 2: index, most trumps of another, all won [round, seat]."""
    setup, seats = Setup(seed=8, sample="stratified"), np.arange(5)
    firsts = firsts_of("A K Q R L 2", 3000)
    most, won = np.zeros((len(firsts), 5), np.int64), np.zeros((len(firsts), 5), bool)
    for at, first in enumerate(firsts):
        (log,) = logged_blocks(setup, first, 5)
        trumps = size(rows(log, EXCHANGED, HANDS) & TRUMPS)
        assert (trumps[seats, seats] == 6).all()
        trumps[seats, seats] = 0
        most[at] = trumps.max(axis=0)
        won[at] = (rows(log, SCORED, POINTS) == seats % 3).all(axis=0)
    return SimpleNamespace(index=np.array(firsts)[:, np.newaxis] + seats, most=most, won=won)


def test_five_tops_and_the_two_meet_another_hand_with_six_trumps_as_often_as_they_should(tops_and_two):
    met = int((tops_and_two.most == 6).sum())
    assert abs(share_error(met, tops_and_two.most.size, float(six_elsewhere()))) < LIMIT


def test_five_tops_and_the_two_win_all_unless_another_hand_holds_six_trumps(tops_and_two):
    """`simple` leads from the top: what is out falls in pairs, so it always holds half as many as are out."""
    beaten = ~tops_and_two.won
    assert beaten.any()
    assert (tops_and_two.most[beaten] == 6).all()
