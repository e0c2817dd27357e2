"""The policies by themselves: given what a seat sees in a deal of the kernels, they decide as in that deal.

What they are given is put together from the record alone, seat by seat: its own cards, the calls, how many cards others
put away, and the cards that lie or lay on the table. So no decision of a kernel rests on anything else.
"""

import numpy as np
import pytest

from schmier_sim.game import words
from schmier_sim.game.cards import SUITS, mask_of, relative, suit_of, trump_order
from schmier_sim.game.laws import high_bid, legal_bids, legal_cards, may_pass, winning_place
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.bots import random_bot, simple_bot
from schmier_sim.kernel.masks import LED_TRUMP, TRUMPS
from schmier_sim.kernel.masks import suit_of as suit_mask
from schmier_sim.kernel.replay import replay
from tests.kernel.table import STANDARD, WAYS, setup_of

u64 = np.uint64
HOUSE = Rules(
    teams="2x3",
    low_to="taker",
    trump_anytime=True,
    first_lead="trump",
    dealer_steals=True,
    all_pass="dealer-bids-3",
)


class Seat:
    """One seat's eyes on one deal, and the policies asked with what they see. Seats are 1..6."""

    def __init__(self, setup, index, seat, record):
        self.setup, self.rules, self.seat, self.record = setup, setup.rules, seat, record
        self.is_random = setup.bots == "random"
        start = words.mix((setup.seed + words.GAMMA) % 2**64)
        self.base = u64((start + words.WORDS_PER_DEAL * index * words.GAMMA) % 2**64)
        self.at = u64(seat - 1)

    def mask(self, cards):
        return u64(relative(mask_of(cards), self.record.trump))

    def is_friend(self, seat):
        return self.rules.team(seat) == self.rules.team(self.seat)

    def call(self, before, hand):
        high = high_bid(before)
        minimal = u64(legal_bids(self.seat, before, self.rules)[0])
        must_bid = not may_pass(self.seat, before, self.rules)
        if self.is_random:
            return random_bot.call(self.base, self.at, minimal, must_bid)
        partner_holds = high is not None and self.is_friend(high[0])
        return simple_bot.call(u64(mask_of(hand)), minimal, partner_holds, self.seat == 6, must_bid)

    def name_suit(self, hand):
        if self.is_random:
            return SUITS[random_bot.name_suit(self.base)]
        return SUITS[simple_bot.name_suit(u64(mask_of(hand)))]

    def put_away(self, hand):
        if self.is_random:
            return random_bot.put_away(self.base, self.at, self.mask(hand))
        return simple_bot.put_away(self.mask(hand), self.is_friend(self.record.declarer))

    def keep(self, cards):
        mask = self.mask(cards)
        kept = random_bot.keep(self.base, mask) if self.is_random else simple_bot.keep(mask)
        shed = 0
        while (int(kept) & int(TRUMPS)).bit_count() > 6:
            trumps = u64(kept)
            spare = (
                random_bot.spare_trump(self.base, trumps, u64(shed))
                if self.is_random
                else simple_bot.spare_trump(trumps)
            )
            kept, shed = int(kept) ^ int(spare), shed + 1
        return kept

    def play(self, hand, tricks, leader, trick):
        trump = self.record.trump
        legal = self.mask(legal_cards(hand, trick, trump, self.rules, first_lead=not tricks and not trick))
        if self.is_random:
            return random_bot.play(self.base, u64(len(tricks)), self.at, legal)
        seen = self.mask(card for _, cards, _ in tricks for card in cards)
        taker = self.rules.low_to == "taker"
        if not trick:
            return simple_bot.lead(legal, self.mask(hand), seen, self.is_friend(self.record.declarer), taker)
        place = winning_place(trick, trump)
        best = self.mask([trick[place]])
        if suit_of(trick[place], trump) == trump:
            best |= LED_TRUMP
        return simple_bot.follow(
            legal,
            self.mask(hand),
            seen,
            self.mask(trick),
            u64(suit_mask(self.mask(trick[:1]))),
            best,
            self.is_friend((leader + place - 1) % 6 + 1),
            all(self.is_friend((leader + later - 1) % 6 + 1) for later in range(len(trick) + 1, 6)),
            taker,
        )


def check_deal(setup, index, record):
    """Ask every seat for every decision of a deal."""
    seats = [Seat(setup, index, seat, record) for seat in range(1, 7)]
    for turn, (seat, bid) in enumerate(record.auction):
        assert (seats[seat - 1].call(record.auction[:turn], record.hands[seat - 1]) or None) == bid
    if record.redeal:
        return
    if setup.sample == "natural":
        assert seats[record.declarer - 1].name_suit(record.hands[record.declarer - 1]) == record.trump
    hands = []
    for seat, away, drawn in record.exchange:
        eyes, hand = seats[seat - 1], record.hands[seat - 1]
        if seat < 6:
            assert eyes.put_away(hand) == eyes.mask(away)
        hands.append({*hand, *drawn} - {*away})
        if seat == 6:
            assert eyes.keep((*hand, *drawn)) == eyes.mask(hands[-1])
    for number, (leader, cards, _) in enumerate(record.tricks):
        for place, card in enumerate(cards):
            seat = (leader + place - 1) % 6
            eyes = seats[seat]
            chosen = eyes.play(hands[seat], record.tricks[:number], leader, cards[:place])
            assert chosen == eyes.mask([card])
            hands[seat].remove(card)


@pytest.mark.jitless
@pytest.mark.parametrize("rules", [STANDARD, HOUSE], ids=["standard", "house"])
@pytest.mark.parametrize("way", WAYS, ids="-".join)
@pytest.mark.parametrize("bots", ["random", "simple"])
def test_what_a_seat_sees_decides_what_it_does(bots, way, rules):
    setup = setup_of(way, bots, seed=12, rules=rules)
    for index, record in enumerate(replay(setup, 4000, 120), start=4000):
        check_deal(setup, index, record)


@pytest.mark.parametrize("bots", ["random", "simple"])
def test_a_dealer_who_sheds_trumps_decides_by_what_he_sees(bots):
    setup = setup_of(WAYS[1], bots, seed=5)
    sheds = 0
    for index in range(4613 - 6 * 100, 4614, 6):
        (record,) = replay(setup, index)
        check_deal(setup, index, record)
        sheds += any(card in trump_order("S") for card in record.exchange[5][1])
    assert sheds > 20
