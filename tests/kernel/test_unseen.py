"""Worlds for one who is to call: dealt as the plain-Python dealer deals, and of the law of hands that call so."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest

from schmier_sim.analysis.situation import make_situation
from schmier_sim.game import dealing
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import DECK, SUITS, cards_of, in_order, mask_of, trump_order
from schmier_sim.game.club_bids import TEMPERS
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.dealing import Dealt, deal_cards
from schmier_sim.game.laws import auction_is_over
from schmier_sim.game.reference import SEATS, Table
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import knows
from schmier_sim.game.symmetry import relabel
from schmier_sim.game.words import MAX_INDEX, RESERVE_WORD, draw, word
from schmier_sim.kernel import unseen
from schmier_sim.kernel.equity import bidding_curves
from schmier_sim.kernel.unseen import ATTEMPT, NO_POOLS, Pools, deal_worlds, find_hands, join
from tests.kernel.table import LIMIT, STANDARD, chi_square_error, same_law_error, size

HOUSES = {
    "standard": STANDARD,
    "two teams": Rules(teams="2x3", low_to="taker"),
    "dealer steals": Rules(dealer_steals=True, game_tie="declarer"),
    "dealer bids": Rules(all_pass="dealer-bids-3", trump_anytime=True),
    "all of them": Rules(
        teams="2x3", dealer_steals=True, all_pass="dealer-bids-3", first_lead="trump", game_tie="defender"
    ),
}
BOT_NAMES = ("random", "simple", "club")
HAND = ("AS", "KS", "JC", "2S", "10H", "9D")
SEED = 77
PLENTY = 10**7
SHORT = {
    "random": [(2, [3])],
    "simple": [(3, [None, 3]), (2, [None])],
    "club": [(3, [None, 3]), (3, [3, None])],
}
"""Situations that worlds are soon found for, even without the compiler."""


def twin(bots, temper="mixed", rules=STANDARD):
    """The bot of the reference engine that calls like the seats of a situation at 0-0-0."""
    if bots != "club":
        return BOTS[bots]
    bidding = "equity" if knows(rules) else "points"
    curves = bidding_curves(rules, bidding, (0,) * rules.n_teams)[0]
    return ClubBot(tempers=temper, curves=curves.tolist())


def auction_of(index, rules, bots):
    """A deal's hands and the calls that the reference bots make with them."""
    table = Table(deal_cards(SEED, index), rules, lambda k: word(SEED, index, k))
    for seat in SEATS:
        if not auction_is_over(table.auction):
            table.auction.append((seat, twin(bots, rules=rules).bid(table.view(seat))))
    return table.dealt.hands, [call for _, call in table.auction]


def situations(rules, bots, n, first=0):
    """What each seat in turn knew in some deals, once somebody had called before it."""
    found = []
    index = first
    while len(found) < n:
        hands, calls = auction_of(index, rules, bots)
        seat = 6 - len(found) % 5
        if seat <= len(calls):
            found.append(make_situation(hands[seat - 1], seat, calls[: seat - 1], None, rules, bots))
        index += 1
    return found


def pools_of(known, n):
    """Hands for all seats that have bid."""
    wanted = [condition for condition in known.conditions if condition.most > 0]
    return join([(one.seat, find_hands(SEED, known, one, 0, n, PLENTY)[0]) for one in wanted])


def dealt_in(worlds, at):
    """A world as the reference engine deals."""
    *cards, rest = (cards_of(int(row)) for row in worlds.rows[:, at])
    return Dealt(tuple(cards[:6]), tuple(one for (one,) in cards[6:11]), tuple(cards[11:]), rest)


def dealt_like(index, own, hand, pooled, seed=SEED):
    """The plain-Python deal of an index, but for the own hand and those that come from pools."""
    hands = {own: hand} | pooled
    left = [card for card in DECK if not any(card in held for held in hands.values())]
    for seat in range(6):
        if seat not in hands:
            hands[seat] = dealing._two_triples(left, word(seed, index, seat))
    singles, pairs = dealing._reserve(left, word(seed, index, RESERVE_WORD))
    return Dealt(tuple(in_order(hands[seat]) for seat in range(6)), singles, pairs, in_order(left))


def call_of(condition, dealt, index, known_calls, rules, bot, seed=SEED):
    """What a seat calls in a world, after the calls that were made."""
    table = Table(dealt, rules, lambda k: word(seed, index, k))
    table.auction = list(known_calls[: condition.seat])
    return bot.bid(table.view(condition.seat + 1))


def assert_calls(situation, pools, worlds):
    known = situation.knowledge()
    for at, index in enumerate(worlds.index.tolist()):
        dealt = dealt_in(worlds, at)
        for condition in known.conditions:
            wanted = situation.auction[condition.seat]
            tempers = ("mixed",) if pools.sizes[condition.seat] == 0 else TEMPERS
            if pools.sizes[condition.seat] and situation.bots == "random":
                continue  # its call is no matter of the hand, and its word went into the choice of it
            calls = {
                call_of(
                    condition,
                    dealt,
                    index,
                    situation.calls,
                    situation.rules,
                    twin(situation.bots, temper, situation.rules),
                )
                for temper in tempers
            }
            assert wanted in calls, (situation, at, condition)


def assert_whole(situation, worlds):
    rows = worlds.rows
    known = situation.knowledge()
    assert (rows[known.seat] == known.hand).all()
    assert (np.bitwise_or.reduce(rows) == np.uint64(mask_of(DECK))).all()
    sizes = size(rows)
    assert (sizes.sum(axis=0) == 53).all()
    assert (sizes.T == [6] * 6 + [1] * 5 + [2] * 6).all()


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("bots", BOT_NAMES)
def test_every_world_has_all_cards_once_and_calls_that_were_made(bots):
    for seat, auction in SHORT[bots]:
        situation = make_situation(HAND, seat, auction, bots=bots)
        known = situation.knowledge()
        for pools in (NO_POOLS, pools_of(known, 12)):
            worlds = deal_worlds(SEED, known, pools, 0, 6, 20_000)
            assert len(worlds.index)
            assert_whole(situation, worlds)
            assert_calls(situation, pools, worlds)


@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_seats_before_have_called_as_they_did_under_all_house_rules(rules, bots):
    seen = set()
    for situation in situations(rules, bots, 15):
        known = situation.knowledge()
        for pools in (NO_POOLS, pools_of(known, 200)):
            worlds = deal_worlds(SEED, known, pools, 0, 20, PLENTY)
            assert len(worlds.index) == 20
            assert_whole(situation, worlds)
            assert_calls(situation, pools, worlds)
        seen.update(situation.auction)
    assert {None, 3} <= seen


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("bots", BOT_NAMES)
def test_a_world_is_the_first_attempt_of_its_number_that_fits(bots):
    """Dealt by the plain-Python dealer, attempt by attempt, and asked by the plain-Python bots."""
    situation = make_situation(HAND, *SHORT[bots][0], bots=bots)
    known = situation.knowledge()
    hand = cards_of(int(known.hand))
    bot = twin(bots)
    worlds = deal_worlds(SEED, known, NO_POOLS, 5, 4, PLENTY)
    for at, number in enumerate(range(5, 9)):
        for attempt in range(3000):
            index = number + (attempt << ATTEMPT)
            dealt = dealt_like(index, known.seat, hand, {})
            if all(
                call_of(one, dealt, index, situation.calls, situation.rules, bot)
                == situation.auction[one.seat]
                for one in known.conditions
            ):
                break
        assert int(worlds.index[at]) == index
        assert dealt_in(worlds, at) == dealt


@pytest.mark.boundscheck
@pytest.mark.jitless
def test_hands_from_pools_are_picked_by_the_worlds_own_words_until_none_has_a_card_of_another():
    situation = make_situation(HAND, 4, [3, None, 4])
    known = situation.knowledge()
    hand = cards_of(int(known.hand))
    pools = pools_of(known, 60)
    assert (pools.sizes > 0).tolist() == [True, False, True, False, False, False]
    worlds = deal_worlds(SEED, known, pools, 0, 8, PLENTY)
    for at, index in enumerate(worlds.index.tolist()):
        pooled = {}
        for seat in (0, 2):
            pick = draw(word(SEED, index, 116 + seat), int(pools.sizes[seat]))
            assert worlds.picks[seat, at] == pick
            pooled[seat] = cards_of(int(pools.hands[seat, pick]))
        assert dealt_in(worlds, at) == dealt_like(index, known.seat, hand, pooled)


@pytest.mark.parametrize("bots", ["simple", "club"])
def test_hands_of_a_pool_are_the_first_of_their_numbers_that_make_the_call(bots):
    situation = make_situation(HAND, 4, [3, None, 4], bots=bots)
    known = situation.knowledge()
    hand = cards_of(int(known.hand))
    condition = known.conditions[2]
    stream = SEED ^ (unseen._STREAM >> condition.seat & 2**63 - 1)
    found, tried = find_hands(SEED, known, condition, 30, 12, PLENTY)
    attempts = 0
    for number, mask in zip(range(30, 42), found.tolist(), strict=True):
        for attempt in range(3000):
            attempts += 1
            index = number + (attempt << ATTEMPT)
            left = [card for card in DECK if card not in hand]
            held = dealing._two_triples(left, word(stream, index, condition.seat))
            hands = tuple(held if seat == condition.seat else () for seat in range(6))
            table = Table(Dealt(hands, (), (), ()), STANDARD, lambda k, index=index: word(stream, index, k))
            table.auction = list(situation.calls[: condition.seat])
            if twin(bots).bid(table.view(condition.seat + 1)) == 4:
                break
        assert cards_of(mask) == held
    assert tried == attempts


@pytest.mark.boundscheck
@pytest.mark.jitless
def test_worlds_do_not_depend_on_the_pieces_in_which_they_are_dealt():
    situation = make_situation(HAND, 4, [3, None, None])
    known = situation.knowledge()
    pools = pools_of(known, 40)
    whole = deal_worlds(SEED, known, pools, 0, 150, PLENTY)
    pieces = [deal_worlds(SEED, known, pools, *piece, PLENTY) for piece in ((0, 1), (1, 19), (20, 130))]
    assert len(whole.index) == 150
    assert (np.concatenate([piece.rows for piece in pieces], axis=1) == whole.rows).all()
    assert (np.concatenate([piece.index for piece in pieces]) == whole.index).all()
    assert (np.concatenate([piece.picks for piece in pieces], axis=1) == whole.picks).all()
    assert sum(piece.tried for piece in pieces) == whole.tried
    condition = known.conditions[0]
    found = find_hands(SEED, known, condition, 0, 150, PLENTY)
    parts = [find_hands(SEED, known, condition, *piece, PLENTY) for piece in ((0, 1), (1, 19), (20, 130))]
    assert (np.concatenate([hands for hands, _ in parts]) == found[0]).all()
    assert sum(tried for _, tried in parts) == found[1]


def test_a_small_budget_finds_some_of_the_same_worlds():
    known = make_situation(HAND, 4, [3, None, 4]).knowledge()
    whole = deal_worlds(SEED, known, NO_POOLS, 0, 200, PLENTY)
    few = deal_worlds(SEED, known, NO_POOLS, 0, 200, 5000)
    assert 0 < len(few.index) < len(whole.index) == 200
    kept = np.isin(whole.index, few.index)
    assert (whole.index[kept] == few.index).all()
    assert (whole.rows[:, kept] == few.rows).all()
    assert 5000 <= few.tried < 5200
    condition = known.conditions[2]
    hands, tried = find_hands(SEED, known, condition, 0, 200, 1000)
    assert 0 < len(hands) < 200
    assert 1000 <= tried < 1200
    assert set(hands) <= set(find_hands(SEED, known, condition, 0, 200, PLENTY)[0])


def test_what_nobody_calls_is_not_found():
    known = make_situation(HAND, 5, [3, None, None, 4], bots="simple").knowledge()
    assert known.conditions[3].seat == 3  # over his partner's bid
    hands, tried = find_hands(SEED, known, known.conditions[3], 0, 500, 10_000)
    assert len(hands) == 0
    assert tried == 10_000
    worlds = deal_worlds(SEED, known, NO_POOLS, 0, 50, 5000)
    assert worlds.rows.shape == (17, 0)
    assert len(worlds.index) == 0


@pytest.mark.boundscheck
@pytest.mark.jitless
def test_a_swap_changes_places_of_two_cards_and_nothing_else():
    plain = make_situation(HAND, 1)
    for give, take in (("2S", "3S"), ("9D", "AH"), ("JC", "Jo")):
        swapped = plain.knowledge((give, take))
        before, after = (
            deal_worlds(SEED, known, NO_POOLS, 0, 40, PLENTY) for known in (plain.knowledge(), swapped)
        )
        assert (before.index == after.index).all()
        names = {give: take, take: give}
        suits = plain.relabelling
        moved = {relabel(old, suits): relabel(new, suits) for old, new in names.items()}
        for at in range(40):
            *rows, rest = [cards_of(int(row)) for row in before.rows[:, at]]
            expected = [mask_of(moved.get(card, card) for card in cards) for cards in (*rows, rest)]
            assert after.rows[:, at].tolist() == expected


@pytest.mark.boundscheck
@pytest.mark.jitless
def test_swapped_worlds_have_the_calls_of_the_cards_as_they_are_then():
    situation = make_situation(HAND, 3, [None, 3])
    for pools in (False, True):
        known = situation.knowledge(("2S", "AH"))
        taken = pools_of(known, 100) if pools else NO_POOLS
        worlds = deal_worlds(SEED, known, taken, 0, 20, PLENTY)
        assert len(worlds.index) == 20
        assert_calls(situation, taken, worlds)
        suits = situation.relabelling
        own = mask_of(relabel(card, suits) for card in (*(c for c in HAND if c != "2S"), "AH"))
        assert (worlds.rows[2] == np.uint64(own)).all()
        assert (np.bitwise_or.reduce(worlds.rows) == np.uint64(mask_of(DECK))).all()
        assert (size(worlds.rows).sum(axis=0) == 53).all()


# --- the law


@pytest.mark.parametrize("seat", range(1, 7))
def test_without_conditions_trumps_lie_as_in_natural_deals(seat):
    """Hypergeometric, in every other seat, in what it draws, and in what is left.

    4.5 standard errors for each of 17 places: a right program fails with 1.2e-4 in one of six cases.
    """
    n = 20_000
    situation = make_situation(HAND, seat, heeds_calls=False)
    worlds = deal_worlds(3 + seat, situation.knowledge(), NO_POOLS, 0, n, PLENTY)
    assert worlds.tried == n
    trumps = np.uint64(mask_of(relabel(card, situation.relabelling) for card in trump_order("S")))
    for row, cards in enumerate(worlds.rows):
        if row == seat - 1:
            continue
        held = int(size(cards[:1])[0])
        law = [comb(11, k) * comb(36, held - k) / comb(47, held) for k in range(held + 1)]
        seen = np.bincount(size(cards & trumps), minlength=held + 1)
        assert abs(chi_square_error(seen, [n * chance for chance in law])) < LIMIT


def longest(hands):
    """Most trumps that hands have in any suit."""
    lengths = [size(hands & np.uint64(mask_of(trump_order(suit)))) for suit in SUITS]
    return np.max(lengths, axis=0)


RANK = {rank: np.uint64(mask_of(rank + suit for suit in SUITS)) for rank in ("A", "K", "2")}


def figures(hands):
    """What is compared of hands: aces, kings, twos, and the longest suit."""
    return [*(size(hands & mask) for mask in RANK.values()), longest(hands)]


CASES = {
    "jump over two": (4, [3, None, 4], "club"),
    "two passes and a three": (4, [None, None, 3], "club"),
    "simple": (5, [None, 3, None, 4], "simple"),
    "partner bids": (5, [None, 4, None, None], "club"),
}


@pytest.mark.parametrize("case", CASES)
def test_hands_from_pools_have_the_same_law_as_plain_rejection(case):
    """Seat by seat, and of two bidders together; the pools are seven times as many hands as there are worlds.

    Worlds that share a hand widen the error by a fourteenth at most, which 4.5 standard errors leave room for.
    """
    seat, auction, bots = CASES[case]
    n = 4500
    known = make_situation(HAND, seat, auction, bots=bots).knowledge()
    wanted = [condition for condition in known.conditions if condition.most > 0]
    pools = join([(one.seat, find_hands(5, known, one, 0, 7 * n, PLENTY)[0]) for one in wanted])
    one, other = deal_worlds(1, known, NO_POOLS, 0, n, PLENTY), deal_worlds(2, known, pools, 0, n, PLENTY)
    assert not one.picks.any()
    assert len(np.unique(other.picks[wanted[0].seat])) > n // 2
    for row in (*(row for row in range(6) if row != known.seat), 16):
        for figure in zip(figures(one.rows[row]), figures(other.rows[row]), strict=True):
            table = np.array([np.bincount(values, minlength=8) for values in figure])
            if (table.sum(axis=0) >= 20).sum() > 1:  # who passes as `simple` has no ace at all
                assert same_law_error(table) < LIMIT
    first, last = wanted[0].seat, (wanted[-1].seat + 1) % 6
    both = [
        np.bincount(8 * longest(worlds.rows[first]) + longest(worlds.rows[last]), minlength=64)
        for worlds in (one, other)
    ]
    assert same_law_error(both) < LIMIT


@pytest.mark.parametrize("bots", ["simple", "club"])
def test_who_has_passed_is_weaker_and_who_has_bid_is_stronger(bots):
    """By aces and kings, and by the longest suit; those who have not called hold what is left."""
    n = 10_000
    plain = make_situation(HAND, 4, heeds_calls=False, bots=bots)
    heeded = make_situation(HAND, 4, [None, None, 4], bots=bots)
    worlds = [deal_worlds(9, one.knowledge(), NO_POOLS, 0, n, PLENTY) for one in (plain, heeded)]

    def apart(seat):
        values = [
            size(each.rows[seat] & (RANK["A"] | RANK["K"])) + longest(each.rows[seat]) for each in worlds
        ]
        error = np.sqrt(sum(value.var() / len(value) for value in values))
        return (values[1].mean() - values[0].mean()) / error

    assert apart(0) < -LIMIT
    assert apart(1) < -LIMIT
    assert apart(2) > LIMIT
    passed = make_situation(HAND, 6, bots=bots)
    worlds[1] = deal_worlds(9, make_situation(HAND, 4, bots=bots).knowledge(), NO_POOLS, 0, n, PLENTY)
    assert len(passed.knowledge().conditions) == 5
    assert apart(4) > LIMIT
    assert apart(5) > LIMIT


def test_random_calls_tell_nothing_of_hands():
    n = 4000
    situation = make_situation(HAND, 3, [None, 4], bots="random")
    assert not situation.knowledge().conditions  # so nothing is asked of them
    known = replace(situation.knowledge(), conditions=situation.conditions())
    pools = pools_of(known, 7 * n)
    for taken in (NO_POOLS, pools):
        worlds = deal_worlds(4, known, taken, 0, n, PLENTY)
        assert worlds.tried > 3 * n
        for seat in (0, 1, 5):
            seen = np.bincount(size(worlds.rows[seat] & RANK["A"]), minlength=4)
            law = [comb(3, k) * comb(44, 6 - k) / comb(47, 6) for k in range(4)]
            assert abs(chi_square_error(seen, [len(worlds.index) * chance for chance in law])) < LIMIT


def test_pools_are_put_together_by_seats():
    masks = [np.array([5, 6, 7], np.uint64), np.array([9], np.uint64)]
    pools = join([(0, masks[0]), (4, masks[1])])
    assert isinstance(pools, Pools)
    assert pools.sizes.tolist() == [3, 0, 0, 0, 1, 0]
    assert pools.hands[0].tolist() == [5, 6, 7]
    assert pools.hands[4, 0] == 9
    assert not join(()).sizes.any()
    assert join([(2, np.zeros(0, np.uint64))]).sizes.sum() == 0


def test_all_attempts_have_an_address():
    assert unseen.MOST_ATTEMPTS << ATTEMPT <= MAX_INDEX
