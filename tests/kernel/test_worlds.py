from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import DECK, RANKS, TRUMPS, mask_of, relative, trump_order
from schmier_sim.game.dealing import Dealt, deal_cards
from schmier_sim.game.reference import SEATS, Table, name_trumps, play_table, run_exchange
from schmier_sim.game.rules import Rules
from schmier_sim.game.words import word
from schmier_sim.kernel.jit import DISABLED
from schmier_sim.kernel.worlds import (
    Hidden,
    cards_played,
    cards_to_mask,
    voids_shown,
    weight_of_hand,
    worlds_dealt,
    worlds_in_play,
)
from tests.kernel.table import LIMIT, STANDARD, chi_square_error, size

START = np.uint64(12345)
SLOWER = 4 if DISABLED else 1
"""As plain Python so many times fewer deals are looked at, and worlds drawn."""
HEARTS = [rank + "H" for rank in RANKS]
DECK_MASK = relative(mask_of(DECK), "S")
HOUSES = [STANDARD, Rules(teams="2x3", trump_anytime=True), Rules(first_lead="trump")]
HOUSE_NAMES = ["standard", "trump at any time", "first lead a trump"]


class Seen:
    """A bot that keeps the views of its decisions, each with where the cards lay."""

    def __init__(self, bot, table=None):
        self.bot, self.table, self.exchanges, self.plays, self.namings = bot, table, [], [], []

    def bid(self, view):
        return self.bot.bid(view)

    def trump(self, view):
        self.namings.append(view)
        return self.bot.trump(view)

    def exchange(self, view):
        self.exchanges.append(view)
        return self.bot.exchange(view)

    def play(self, view):
        hands = [cards_to_mask(self.table.hands[seat], view.trump) for seat in SEATS]
        away = [cards_to_mask(self.table.discards[seat], view.trump) for seat in SEATS]
        self.plays.append((view, hands, away))
        return self.bot.play(view)


def seen(index, rules=STANDARD, bot="simple", dealt=None, trump=None):
    """Play a deal and tell what was seen."""
    table = Table(deal_cards(7, index) if dealt is None else dealt, rules, lambda k: word(7, index, k))
    watcher = Seen(BOTS[bot] if isinstance(bot, str) else bot, table)
    play_table(table, watcher, declarer=index % 6 + 1, trump=trump)
    return watcher


def mask(cards, trump="S"):
    return cards_to_mask(cards, trump)


def assert_fit(view, true_hands, true_away):
    """Worlds have all that a seat knows in common with the truth; the trumps put away in them."""
    hands, away = worlds_in_play(view, 20, START)
    own = view.seat - 1
    played = cards_played(view)
    known = sum(played)
    assert (hands[own] == true_hands[own]).all()
    assert (away[own] == true_away[own]).all()
    assert (np.bitwise_or.reduce([*hands, *away]) == DECK_MASK & ~known).all()
    assert (sum(size(row) for row in [*hands, *away]) == 53 - known.bit_count()).all()
    for seat in range(6):
        assert (size(hands[seat]) == true_hands[seat].bit_count()).all()
        assert (size(away[seat]) == view.exchanged[seat]).all()
        void = voids_shown(view)[seat]
        assert not true_hands[seat] & void
        assert not (hands[seat] & np.uint64(void)).any()
        if seat < 5 and view.exchanged[seat] < 3:
            trumps = size(hands[seat] & np.uint64(TRUMPS)) + (played[seat] & TRUMPS).bit_count()
            assert (trumps >= 6 - view.exchanged[seat]).all()
    return [int(row.max()) for row in away & np.uint64(TRUMPS)]


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("rules", HOUSES, ids=HOUSE_NAMES)
@pytest.mark.parametrize("bot", ["random", "simple"])
def test_worlds_in_play_agree_with_all_that_a_seat_knows(rules, bot):
    for index in range(12 // SLOWER):
        for view, hands, away in seen(index, rules, bot).plays:
            assert assert_fit(view, hands, away) == [0] * 6


def test_who_neither_follows_nor_trumps_shows_void():
    view = next(view for view, _, _ in seen(3).plays if view.trick)
    led = ("8H", "9H", "3S", "2D")
    for rules, voids in (
        (STANDARD, [0, 0, mask(HEARTS), mask(HEARTS), 0, 0]),
        (Rules(trump_anytime=True), [0, 0, 0, mask(HEARTS), 0, 0]),
        (Rules(first_lead="trump"), [TRUMPS, 0, mask(HEARTS), mask(HEARTS), 0, 0]),
    ):
        view = replace(view, rules=rules, trump="S", declarer=1, leader=1, tricks=(), trick=led)
        assert [void & DECK_MASK for void in voids_shown(view)] == voids


EXCESS = Dealt(
    hands=(
        ("AS", "JC", "3H", "4H", "5H", "6H"),
        ("KS", "2H", "7H", "8H", "3D", "4D"),
        ("QS", "Jo", "9H", "3C", "4C", "5C"),
        ("JS", "5D", "6D", "7D", "8D", "9D"),
        ("2S", "6C", "7C", "8C", "9C", "2C"),
        ("3S", "4S", "5S", "6S", "7S", "8S"),
    ),
    singles=("AH", "KH", "AD", "KD", "AC"),
    pairs=(("QH", "JH"), ("10H", "QD"), ("JD", "10D"), ("2D", "KC"), ("QC", "10C")),
    rest=("9S", "10S"),
)
"""The dealer gets eight trumps."""


@pytest.mark.parametrize("bot", ["random", "simple"])
def test_a_dealer_with_more_than_six_trumps_is_believed_once_no_other_has_room(bot):
    most = 0
    for index in range(6):
        for view, hands, away in seen(index, bot=bot, dealt=EXCESS, trump="S").plays:
            *others, dealer = assert_fit(view, hands, away)
            assert others == [0] * 5
            most = max(most, dealer.bit_count() if view.seat != 6 else 0)
    assert most == 2


class Keeper:
    """A bot that puts away nothing if it may."""

    def exchange(self, view):
        return () if view.seat != 6 else BOTS["simple"].exchange(view)

    def trump(self, view):
        return BOTS["simple"].trump(view)

    def play(self, view):
        return BOTS["simple"].play(view)


def test_players_who_keep_plain_cards_leave_worlds_that_fit_their_voids():
    for index in range(6):
        for view, true_hands, _ in seen(index, bot=Keeper()).plays:
            hands, away = worlds_in_play(view, 10, START)
            for seat in range(6):
                assert (size(hands[seat]) == true_hands[seat].bit_count()).all()
                assert (size(away[seat]) == view.exchanged[seat]).all()


def test_who_exchanges_last_refuses_players_who_keep_plain_cards():
    with pytest.raises(ValueError, match="not as many as they may"):
        worlds_dealt(seen(0, bot=Keeper()).exchanges[-1], 5, START)


@pytest.mark.parametrize("bot", ["random", "simple"])
def test_worlds_before_the_exchange_agree_with_all_that_a_seat_knows(bot):
    for index in range(30):
        watcher = seen(index, bot=bot)
        for view in (*watcher.namings, *watcher.exchanges):
            worlds = worlds_dealt(view, 20, START)
            rows = [*worlds.hands, *worlds.one, *worlds.two, worlds.rest]
            assert (np.bitwise_or.reduce(rows) == mask_of(DECK)).all()
            assert (sum(size(row) for row in rows) == 53).all()
            assert (worlds.hands[view.seat - 1] == mask_of(view.hand)).all()
            assert (size(np.delete(worlds.hands, view.seat - 1, axis=0)) == 6).all()
            taken = len(view.exchanged) == 5
            assert (size(worlds.rest) == (0 if taken else 2)).all()
            for seat, away in enumerate(view.exchanged):
                trumps = size(worlds.hands[seat] & np.uint64(mask_of(trump_order(view.trump))))
                assert (np.minimum(6 - trumps, 3) == away).all()
                if taken:
                    assert (size(worlds.one[seat] | worlds.two[seat]) == away).all()


def test_trumps_of_each_seat_are_as_frequent_in_worlds_as_in_deals():
    """The declarer's worlds before the first lead; the players put away any plain cards, as the law has it."""
    n, worlds = 1500, 40
    found, expected, variance = np.zeros((3, 2, 7))
    player = dict.fromkeys(SEATS, BOTS["random"])
    for index in range(n):
        table = Table(deal_cards(77, index), STANDARD, lambda k, index=index: word(77, index, k))
        table.declarer = table.leader = index % 6 + 1
        name_trumps(table, player[1])
        run_exchange(table, player)
        hands, _ = worlds_in_play(table.view(table.declarer), worlds, np.uint64(1000 * index))
        for seat in SEATS:
            if seat == table.declarer:
                continue
            deals = seat == 6
            found[int(deals), (mask(table.hands[seat], table.trump) & TRUMPS).bit_count()] += 1
            trumps = size(hands[seat - 1] & np.uint64(TRUMPS))
            share = np.bincount(trumps, minlength=7) / worlds
            expected[int(deals)] += share
            variance[int(deals)] += share * (1 - share) * (1 + 1 / worlds)
    assert (np.abs(found - expected) / np.sqrt(variance) < LIMIT).all()


def assignments(cards, sizes):
    """All ways to lay cards into places of some sizes, as tuples of masks."""
    if not sizes:
        yield ()
        return
    for chosen in combinations(cards, sizes[0]):
        for others in assignments([card for card in cards if card not in chosen], sizes[1:]):
            yield (sum(1 << card for card in chosen), *others)


SMALL = {
    "voids": ([0b111, 0b11000, 0b1100000, 0], [(2, 0b0110, [1.0] * 7), (2, 0b0011, [1.0] * 7)], [2, 1], True),
    "trumps all held": ([0b11, 0, 0, 0b1111100], [(2, -1, [1.0] * 7), (2, -1, [1.0] * 7)], [2, 1], False),
    "weights": (
        [0b111, 0b1000, 0, 0b1110000],
        [(2, -1, [1.0, 4.0, 0.5, 0, 0, 0, 0]), (1, 0b1001, [1.0, 2.0, 0, 0, 0, 0, 0])],
        [1, 3],
        True,
    ),
}


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("case", SMALL)
def test_each_world_is_drawn_as_often_as_enumeration_says(case):
    kinds, hands, piles, may_hold_trumps = SMALL[case]
    cards = [card for card in range(8) if any(mask >> card & 1 for mask in kinds)]
    law = {}
    for world in assignments(cards, [hand[0] for hand in hands] + piles):
        weight = 1.0
        for mask, (_, may, weights) in zip(world, hands, strict=False):
            weight *= weights[(mask & kinds[0]).bit_count()]
            weight *= all(may >> kind & 1 or not mask & cards for kind, cards in enumerate(kinds))
        if not may_hold_trumps:
            weight *= not any(mask & kinds[0] for mask in world[len(hands) :])
        if weight:
            law[world] = weight
    n = 200 // SLOWER * len(law)
    drawn = np.concatenate(Hidden(kinds, hands, piles, may_hold_trumps).sample(n, START))
    counts = dict.fromkeys(law, 0)
    for world in drawn.T.tolist():
        counts[tuple(world)] += 1
    expected = np.array(list(law.values()))
    assert abs(chi_square_error(list(counts.values()), n * expected / expected.sum())) < LIMIT


def test_cards_that_fit_in_no_way_give_no_world():
    assert Hidden([0b11, 0, 0, 0b1100], [(2, 0b1000, [1.0] * 7)], [2], False).sample(5, START) is None


def test_weights_of_a_hand_count_its_ways_to_come_about():
    """All ways to deal six cards and draw three from nine, uniformly, and to put away any three plain cards."""
    trumps, deck = 4, 9
    found = np.zeros(7)
    for hand in combinations(range(deck), 6):
        plain = [card for card in hand if card >= trumps]
        drawn = [card for card in range(deck) if card not in hand]
        choices = list(combinations(plain, 3))
        for away in choices:
            final = [card for card in (*hand, *drawn) if card not in away]
            found[sum(card < trumps for card in final)] += 1 / len(choices)
    assert found[:4].sum() == 0
    assert found[4] == pytest.approx(10 * weight_of_hand(4, 3))


@pytest.mark.parametrize(
    ("away", "trumps", "weight"), [(0, 6, 1), (1, 5, 1), (1, 6, 6), (2, 5, 5), (2, 3, 0)]
)
def test_who_puts_away_fewer_than_three_was_dealt_the_other_trumps(away, trumps, weight):
    assert weight_of_hand(trumps, away) == weight
