"""Advice as tables to bid by: it says what the words say, and nothing more; and what is measured is what was won."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

from schmier_sim.analysis.bidding import RELATIVE
from schmier_sim.analysis.folk import (
    FOLK_SCALE,
    HALF,
    Effect,
    Share,
    beginnings,
    compare,
    curves_by_score,
    play,
)
from schmier_sim.analysis.folkbids import (
    CLUB,
    DEALER_CALLS,
    EVERYWHERE,
    PARTNER_HOLDS,
    Bidder,
    by_count,
    by_mean,
    holds,
    lighter,
    lowest_only,
    never,
    passing,
    richer,
    sure_points,
    with_margin,
)
from schmier_sim.game.club_bids import (
    BIDS,
    CALLS,
    KNOT,
    KNOTS,
    N_ACES,
    N_CELLS,
    N_ROLES,
    N_STATES,
    call_values,
    state_of,
)
from schmier_sim.game.dealing import deal_cards
from schmier_sim.game.holdings import HOLDINGS, parse_holding
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import N_DEAL_TYPES
from schmier_sim.kernel.forced import PASSED
from schmier_sim.kernel.match import bucket_of

SEED, DEALS = 11, 3000


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as threads:
        yield threads


@pytest.fixture(scope="module")
def as_club(pool):
    return play(CLUB, SEED, DEALS, pool)


def cell(text, aces=0, role=2):
    return (parse_holding(text) * N_ACES + aces) * N_ROLES + role


def values_of(table, level):
    return table[:N_CELLS] >> np.uint64(16 * level) & np.uint64(0xFFFF)


def called(bidder, state, values):
    """The call that brings most in a state without a high bid."""
    brings = call_values(state, values, bidder.curves.ravel())
    return CALLS[brings.index(max(brings))]


def test_advice_that_says_nothing_changes_nothing(as_club, pool):
    for idle in (lighter(EVERYWHERE, 0), never(np.zeros(N_CELLS, bool), BIDS), passing(~EVERYWHERE)):
        assert compare(play(idle, SEED, DEALS, pool), as_club) == Effect(0.0, 0.0, 0.0)


def test_three_alike_win_nothing_from_each_other(as_club):
    assert (as_club == as_club[0]).all()
    even = np.full_like(as_club, PASSED)
    even[:, 0] = as_club[0, np.argmax(as_club[0] != PASSED)]
    assert abs(compare(as_club, even).gain) < 1e-12


def test_whoever_never_passes_loses(as_club, pool):
    effect = compare(play(lighter(EVERYWHERE, 9000), SEED, DEALS, pool), as_club)
    assert effect.gain + 10 * effect.error < -2
    assert effect.changed > 0.9


def test_a_deal_that_all_pass_counts_for_the_next_one():
    won = int(np.argmax(RELATIVE[:-1, 0]))
    types = np.full((3, 4), won, np.int16)
    types[:, 2:] = PASSED
    level = np.full((3, 4), won, np.int16)
    assert compare(types, level).gain == 0
    assert compare(types, level).changed == 0.5


def test_the_error_is_that_of_the_mean_where_no_deal_is_passed_out():
    rng = np.random.default_rng(4)
    types = rng.integers(N_DEAL_TYPES, 5 * N_DEAL_TYPES, (3, 500)).astype(np.int16)
    other = np.full_like(types, 4 * N_DEAL_TYPES)
    apart = sum(RELATIVE[types[i], i] - RELATIVE[other[i], i] for i in range(3)) / 6
    effect = compare(types, other)
    assert effect.gain == pytest.approx(apart.mean())
    assert effect.error == pytest.approx(apart.std(ddof=1) / np.sqrt(500))


def test_no_top_without_the_ace_touches_fives_and_sixes_without_it_alone():
    table = never(~holds("A"), (5, 6)).values
    with_ace = np.repeat(["A" in holding.text.split() for holding in HOLDINGS], N_ACES * N_ROLES)
    assert 0 < with_ace.sum() < N_CELLS
    for level, bid in enumerate(BIDS):
        kept = values_of(CLUB.values, level)
        expected = np.where(with_ace, kept, 0) if bid >= 5 else kept
        np.testing.assert_array_equal(values_of(table, level), expected)
    np.testing.assert_array_equal(table[N_CELLS:], CLUB.values[N_CELLS:])


def test_no_top_without_the_ace_is_kept_on_random_deals(pool):
    ruled = never(~holds("A"), (5, 6))
    eager = with_margin(ruled.curves, EVERYWHERE, 2500)
    eager[:, 1:, 0] = 0

    def tops(values):
        """Deals in which the team bids 5 or 6, and how many of these hands hold no ace at all."""
        types = play(Bidder(values, eager), SEED, DEALS, pool).astype(np.int64)
        seat, bid = np.divmod(types // N_DEAL_TYPES, 5)
        own = (types != PASSED) & (bid >= 3) & (seat % 3 == np.arange(3)[:, np.newaxis])
        hands = [deal_cards(SEED, int(deal)).hands[seat[place, deal]] for place, deal in np.argwhere(own)]
        return len(hands), sum(not any(card.startswith("A") for card in hand) for hand in hands)

    many, without = tops(CLUB.values)
    assert without > 0
    assert many > 50
    many, without = tops(ruled.values)
    assert many > 50
    assert without == 0


def test_richer_bids_are_richer_by_the_margin_and_others_as_they_were():
    table = richer(~holds("A"), (5, 6), 3000).values
    for level, bid in enumerate(BIDS):
        usual = values_of(CLUB.values, level).astype(int)
        richest = np.where(holds("A") | (bid < 5), usual, np.minimum(usual + 3000, KNOT * (KNOTS - 1) - 1))
        np.testing.assert_array_equal(values_of(table, level), richest)


def test_a_partner_who_holds_the_bid_keeps_it():
    curves = passing(PARTNER_HOLDS).curves
    rules = Rules()
    for seat, holder in ((4, 1), (5, 2), (6, 3)):
        for bid in BIDS[:-1]:
            assert PARTNER_HOLDS[state_of(seat, (holder, bid), rules)]
            assert not PARTNER_HOLDS[state_of(seat, (2 if seat != 5 else 3, bid), rules)]
    for state in range(N_STATES):
        brings = call_values(state, [14_000] * 4, curves.ravel())
        if PARTNER_HOLDS[state]:
            assert brings[0] > max(brings[1:])
        else:
            assert brings == call_values(state, [14_000] * 4)


def test_a_lighter_dealer_is_the_dealer_alone():
    changed = (lighter(DEALER_CALLS, 250).curves != CLUB.curves).any(axis=(1, 2))
    assert [state // 7 for state in np.flatnonzero(changed)] == [5] * 7


def test_the_lowest_bid_alone_is_left():
    curves = lowest_only().curves
    for state in range(N_STATES):
        high = 0 if state % 7 == 0 else 3 + (state % 7 - 1) // 2
        least = max(high + 1, 3)
        assert [
            bid for number, bid in enumerate(BIDS, 1) if curves[state, number].any() and bid >= least
        ] in (
            [least],
            [],
        )


@pytest.mark.parametrize(
    ("text", "points"),
    [("", 0), ("A", 1), ("2", 1), ("R", 0), ("L x", 0.5), ("R L", 1), ("R x x", 0.75), ("A R L x 2", 4)],
)
def test_sure_points_are_counted_as_players_do(text, points):
    assert sure_points((FOLK_SCALE,) * 2)[cell(text)] == 8 * points


@pytest.mark.parametrize("added", [Fraction(0), HALF, Fraction(5, 4)])
def test_a_count_is_bid_rounded_down(added):
    eighths = np.arange(N_CELLS) % 41
    bidder = by_count(eighths, added)
    for number in range(41):
        values = [int(values_of(bidder.values, level)[number]) for level in range(4)]
        whole = int(Fraction(number, 8) + added)
        assert called(bidder, 0, values) == (0 if whole < 3 else min(whole, 6))
        assert called(bidder, 35, values) == (0 if whole < 3 else 3)  # the dealer, as little as he must


def test_mean_points_are_bid_rounded_down_and_by_the_dealer_with_what_he_adds():
    bidder = by_mean(Fraction(0), HALF)
    mean = CLUB.values[N_CELLS:]
    for number in range(0, N_CELLS, 7):
        values = [int(values_of(bidder.values, level)[number]) for level in range(4)]
        points = mean[number] / 10_000
        if abs(points - round(2 * points) / 2) > 0.001:
            assert called(bidder, 0, values) == (0 if points < 3 else int(points))
            assert called(bidder, 35, values) == (0 if points < 2.5 else 3)


def test_margins_by_score_are_where_the_advice_applies():
    rules = Rules()
    rival, lead = curves_by_score("rival", 500), curves_by_score("lead", -500)
    plain = CLUB.curves.reshape(6, -1)

    def lightened(curves, scores):
        """Seats from 1 whose curves are changed."""
        own = curves[bucket_of(scores, rules)].reshape(6, -1)
        return [seat + 1 for seat in range(6) if (own[seat] != plain[seat]).any()]

    # Scores of the dealer's team (seats 3 and 6), the team to its left (1 and 4), the third team (2 and 5).
    assert lightened(rival, (18, 9, 9)) == [1, 2, 4, 5]
    assert lightened(rival, (9, 18, 9)) == [2, 3, 5, 6]
    assert lightened(rival, (17, 9, 9)) == []
    assert lightened(rival, (18, 18, 20)) == []
    assert lightened(lead, (9, 15, 9)) == [1, 4]
    assert lightened(lead, (9, 12, 15)) == [2, 5]
    assert lightened(lead, (9, 13, 15)) == []
    assert lightened(lead, (14, 9, 9)) == []


def test_matches_begin_in_every_order_equally_often():
    scores, place = beginnings((15, 9, 0), 12)
    assert (scores[np.arange(12), place] == 15).all()
    assert sorted(map(tuple, scores[:6].tolist())) == sorted(map(tuple, scores[6:].tolist()))
    assert len({tuple(row) for row in scores.tolist()}) == 6


def test_the_error_of_two_shares_is_that_of_their_difference():
    one, other = (Share("lead", (15, 9, 9), 0, 400, won) for won in (0.5, 0.8))
    assert one.gain_over(other) == (pytest.approx(-0.3), pytest.approx(np.sqrt((0.25 + 0.16) / 400)))
