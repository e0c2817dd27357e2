"""Counts for the head: their points and calls, what they cost, and how they are fitted."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from schmier_sim.analysis import pointcost, pointfit
from schmier_sim.analysis.pointcalls import NOT_LEGAL, auctions_of, cells_of, counted
from schmier_sim.analysis.pointcost import FRESH, NEVER, by_tables, played_out, rate, tables_of
from schmier_sim.analysis.pointcount import (
    HONOURS,
    MOST,
    PATH,
    ROLE_OF_SEAT,
    Count,
    bids_hash,
    ladder,
    situation_of,
)
from schmier_sim.game import club_bids
from schmier_sim.game.cards import DECK, JOKER, MATE, SUITS, mask_of
from schmier_sim.game.club_bids import BIDS, CALLS, N_STATES
from schmier_sim.game.dealing import deal_cards
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.game.laws import high_bid
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import TYPES_SHAPE
from schmier_sim.kernel.forced import PASSED, Table

STANDARD = Rules()
LADDER = ladder()
BEST = LADDER[LADDER.recommended]
ODD = Count(
    "odd", "", (8, 1, 2, 5, 3, 0, 6, 4), 1, 2, ((9, 13, 15, 20), (8, 10, 18, 19), (11, 12, 13, 14)), 1, 16
)
"""Everything differs: seats, honours, plain aces."""
EACH = pytest.mark.parametrize("count", [*LADDER.counts, ODD], ids=lambda count: count.name)


@pytest.fixture(scope="module")
def auctions():
    return auctions_of(5, FRESH, 3000)


def points_by_hand(count, hand, trump):
    """Count card by card."""
    points = 0
    for card in hand:
        rank, suit = card[:-1], card[-1]
        name = rank if suit == trump else ""
        if card == JOKER:
            name = "Jo"
        elif rank == "J" and suit == trump:
            name = "R"
        elif rank == "J" and suit == MATE[trump]:
            name = "L"
        if name in HONOURS:
            points += count.honours[HONOURS.index(name)]
        elif name:
            points += count.small
        elif rank == "A":
            points += count.ace
    return points


def test_the_ladder_goes_from_few_to_many_honours():
    apart = [
        sum(points != count.small for points in count.honours)
        for count in LADDER.counts
        if count.name in ("trumps", *pointfit.NUMBERS)
    ]
    assert apart == list(range(7))
    assert LADDER.fit["bids_sha256"] == bids_hash() or pointfit.main(["--check"]) == 1
    assert PATH.read_text().endswith("}\n")


@EACH
def test_thresholds_ascend(count):
    for row in count.thresholds:
        assert list(row) == sorted(set(row))
        assert count.opens_four is None or count.opens_four >= row[0]


@EACH
def test_a_small_trump_made_an_honour_or_added_never_counts_less(count):
    cells = count.of_cells().reshape(len(HOLDINGS), -1)
    points = {(holding.held, holding.small): cells[at, 0] for at, holding in enumerate(HOLDINGS)}
    for (held, small), counted_ in points.items():
        if (held, small + 1) in points:
            assert points[held, small + 1] >= counted_
        for bit, worth in zip((128, 64, 32, 16, 8, 4, 2, 1), count.honours, strict=True):
            if not held & bit and small and worth >= count.small:
                assert points[held | bit, small - 1] >= counted_


@EACH
def test_more_points_never_bid_less(count):
    policy = count.policy()
    assert (np.diff(policy, axis=1) >= 0).all()
    for state in range(N_STATES):
        high = situation_of(state)[1]
        assert all(CALLS[call] == 0 or CALLS[call] > high for call in policy[state])


def test_the_rule_as_the_card_says_it():
    row = (11, 14, 17, 20)
    count = Count("c", "", (9, 4, 3, 3, 3, 1, 4, 1), 1, 0, (row,) * 3, 3, 18)
    assert [count.call(points, 2) for points in (10, 11, 17, 18)] == [0, 3, 3, 4]
    assert count.call(25, 0) == 3
    assert [count.call(points, 2, 3) for points in (13, 14, 30)] == [0, 4, 4]
    assert [count.call(points, 1, 3, partner_holds=True) for points in (16, 17)] == [0, 4]
    assert [count.call(points, 0, 5) for points in (19, 20)] == [0, 6]
    assert count.call(58, 0, 6) == 0
    assert replace(count, partner_more=None).call(58, 2, 3, partner_holds=True) == 0
    assert count.of_hand(["AS", "KS", "JC", "2S", "10H", "9D"]) == (20, "S")


@pytest.mark.parametrize(
    "changes",
    [{"honours": (1,) * 7}, {"thresholds": ((1, 2, 3, 4),) * 2}, {"small": -1}, {"honours": (20,) * 8}],
)
def test_what_is_no_count_is_refused(changes):
    with pytest.raises(ValueError, match="count odd: "):
        replace(ODD, **changes)


def test_hands_are_counted_card_by_card():
    rng = random.Random(1)
    hands = [rng.sample(DECK, 6) for _ in range(300)]
    for role in range(3):
        cells = cells_of(np.array([mask_of(hand) for hand in hands], np.uint64), role)
        for hand, row in zip(hands, cells, strict=True):
            assert [club_bids.cell_of(hand, suit, role) for suit in SUITS] == row.tolist()
        points, suits = counted(ODD.of_cells(), cells)
        for hand, most, suit in zip(hands, points, suits, strict=True):
            of_suits = [points_by_hand(ODD, hand, trump) for trump in SUITS]
            assert (most, suit) == (max(of_suits), of_suits.index(max(of_suits)))
            assert ODD.of_hand(hand) == (most, SUITS[suit])


def test_the_calls_of_club_lose_nothing_and_no_call_wins(auctions):
    losses = auctions.losses()
    assert losses.min() == 0
    rows = np.arange(len(auctions.calls))
    assert (losses.min(axis=1)[rows, auctions.calls] == 0).all()
    for state, loss in zip(auctions.states[:500], losses, strict=False):
        high = situation_of(state)[1]
        assert [bool(legal) for legal in loss[0] < NOT_LEGAL // 2] == [True, *(bid > high for bid in BIDS)]


def test_a_deal_costs_what_its_calls_lose(auctions):
    with ThreadPoolExecutor(1) as pool:
        found = by_tables([BEST, NEVER], 1, 5, 3000, pool, lambda _: None)
    losses = auctions.losses()
    rated = rate(NEVER, auctions, losses)
    assert found.calls == len(rated.calls)
    assert found.sums[1].mean == pytest.approx(losses[:, 0, 0].sum() / 1000 / 3 / 3000)
    assert found.others[1] == (auctions.calls != 0).sum()
    by_deal = rated.by_deal(auctions, 3000)
    assert found.sums[1].error == pytest.approx(by_deal.std() / np.sqrt(3000))
    assert 0 < found.sums[0].mean < found.sums[1].mean / 20
    worst, dearest = found.worst()
    costs = [each.loss * each.share for each in worst]
    assert costs == sorted(costs, reverse=True)
    assert [each.loss for each in dearest] == sorted((each.loss for each in dearest), reverse=True)
    assert all(each.call == 0 for each in worst)


def auction_by_rule(count, place, index):
    """Declarer and bid of a deal where one team bids by a count, the others as `club`; None if passed out."""
    hands = deal_cards(1, index).hands
    calls: list[tuple[int, int | None]] = []
    for seat in range(1, 7):
        high = high_bid(calls)
        if high is not None and high[1] == 6:
            break
        role = ROLE_OF_SEAT[seat - 1]
        if (seat - 1) % 3 == place:
            most = max(points_by_hand(count, hands[seat - 1], suit) for suit in SUITS)
            partner = high is not None and (high[0] - seat) % 3 == 0
            bid = count.call(most, role, high[1] if high else 0, partner_holds=partner)
        else:
            values = club_bids.hand_values(hands[seat - 1], role)
            brings = club_bids.call_values(club_bids.state_of(seat, high, STANDARD), values)
            legal = [0, *(bid for bid in BIDS if high is None or bid > high[1])]
            bid = max(legal, key=lambda call: brings[CALLS.index(call)])
        calls.append((seat, bid or None))
    return high_bid(calls)


@pytest.mark.parametrize("count", [BEST, ODD, LADDER["fine"]], ids=lambda count: count.name)
def test_a_team_at_the_table_calls_as_the_rule_says(count):
    bids = 0
    for place in range(3):
        types = Table(1, *tables_of(count, place)).play(0, 200)[2]
        for index, kind in enumerate(types):
            expected = auction_by_rule(count, place, index)
            if expected is None:
                assert kind == PASSED
                continue
            seat, rest = divmod(int(kind), TYPES_SHAPE[1] * TYPES_SHAPE[2])
            assert (seat + 1, rest // TYPES_SHAPE[2] + 2) == expected
            bids += seat % 3 == place
    assert bids > 100


def test_a_team_that_bids_as_club_loses_nothing_in_any_deal():
    table = Table(1, pointcost.HAND_VALUES, pointcost.POINT_CURVES[0])
    with ThreadPoolExecutor(2) as pool:
        assert played_out([table] * 3, 2000, pool, lambda _: None) == (0.0, 0.0)


def test_measuring_is_the_same_for_any_number_of_workers():
    one, two = (pointcost.measure(deals=400, seed=3, workers=workers) for workers in (1, 2))
    assert one == two
    assert one.level == LADDER.recommended
    assert one.passing.relative < one.simple[0] < one.cost("six").relative
    assert one.cost("trumps").loss > one.cost("two").loss > one.cost("six").loss > 0


def planted(count, deals=4000):
    """Auctions in which each call loses by how far the points are from what it takes."""
    auctions = auctions_of(9, 0, deals)
    points = count.of_cells()[auctions.cells]
    losses = np.zeros((*points.shape, len(CALLS)), np.int64)
    for state in range(N_STATES):
        here = auctions.states == state
        role, high, partner = situation_of(state)
        more = count.partner_more if partner else 0
        for number, bid in enumerate(BIDS, start=1):
            least = count.thresholds[role][number - 1] + more
            losses[here, :, number] = NOT_LEGAL if bid <= high else 0
            if bid == (high + 1 if high else BIDS[0]):
                losses[here, :, number] = 1000 * (least - points[here]) - 500
    opens = 1000 * (count.opens_four - points) - 500
    first = np.isin(auctions.states % 7, 0) & (auctions.states < 35)
    losses[first, :, 2] = losses[first, :, 1] + opens[first]
    losses[auctions.states == 35, :, 2] = losses[auctions.states == 35, :, 1] + 1
    return pointfit.Sample.of(auctions.cells, auctions.states, losses)


def test_a_planted_count_is_found_again():
    truth = Count("p", "", (5, 3, 2, 1, 1, 1, 2, 1), 1, 0, ((7, 9, 11, 13),) * 3, 2, 12)
    sample = planted(truth)
    start = np.array([4, 2, 2, 2, 1, 1, 2, 1, 1, 0])
    weights, _ = pointfit.descend(sample, start, [0, 1, 2, 3, 6])
    assert weights.tolist() == [*truth.honours, 1, 0]
    found = pointfit.finish(sample, "p", "", weights)
    assert found.thresholds[0][:3] == (7, 9, 11)
    assert (found.partner_more, found.opens_four) == (2, 12)


def test_seats_that_need_other_thresholds_get_them():
    truth = Count("p", "", BEST.honours, 1, 0, ((9, 14, 17, 20), (12, 14, 17, 20), (11, 14, 17, 20)), 3, 18)
    weights = np.array([*truth.honours, 1, 0])
    found = pointfit.finish(planted(truth, 8000), "p", "", weights, by_role=True)
    assert [row[0] for row in found.thresholds] == [9, 12, 11]


def test_thresholds_of_rare_bids_rise_by_even_steps():
    sums = np.zeros((len(BIDS), MOST + 2))
    sums[0], sums[1] = np.abs(np.arange(MOST + 2) - 9), np.abs(np.arange(MOST + 2) - 11)
    assert pointfit._rising(sums) == (9, 11, 13, 15)
    sums[2] = np.abs(np.arange(MOST + 2) - 14)
    assert pointfit._rising(sums) == (9, 11, 14, 17)


def test_the_simplest_that_costs_hardly_more_is_recommended():
    counts = LADDER.counts[:4]
    within = pointfit.HARDLY
    assert pointfit.recommend(counts, [0.3, 0.01 + within, 0.01, 0.02]) == "one"
    assert pointfit.recommend(counts, [0.3, 0.0101 + within, 0.01, 0.02]) == "two"
