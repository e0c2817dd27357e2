"""Answers to calls and play-outs of worlds, beside the reference engine at the same table with the same words."""

import numpy as np
import pytest

from schmier_sim.analysis.seating import type_of
from schmier_sim.analysis.situation import make_situation
from schmier_sim.game.cards import SUITS, cards_of, mask_of, relative, suit_of
from schmier_sim.game.laws import auction_is_over, check_exchange, high_bid
from schmier_sim.game.reference import SEATS, Table, name_trumps, play_trick, run_exchange
from schmier_sim.game.rules import Rules
from schmier_sim.game.words import word
from schmier_sim.kernel.answers import NOBODY, OUTCOMES, WAYS, answer, play_lanes
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.rng import start_of
from schmier_sim.kernel.unseen import NO_POOLS, deal_worlds
from tests.kernel.table import STANDARD
from tests.kernel.test_unseen import BOT_NAMES, HAND, HOUSES, PLENTY, SEED, dealt_in, situations, twin


def table_of(situation, worlds, at):
    """The table of a world, nobody having called."""
    index = int(worlds.index[at])
    return Table(dealt_in(worlds, at), situation.rules, lambda k: word(SEED, index, k))


def answered(situation, worlds, at, call):
    """Declarer 0 to 5, bid and column of the suit, as the bots of the reference engine go on after a call."""
    table = table_of(situation, worlds, at)
    bot = twin(situation.bots, rules=situation.rules)
    for seat in SEATS:
        if not auction_is_over(table.auction):
            before = situation.auction[seat - 1] if seat < situation.seat else call
            table.auction.append((seat, bot.bid(table.view(seat)) if seat > situation.seat else before))
    highest = high_bid(table.auction)
    if highest is None:
        return NOBODY, 0
    table.declarer, table.bid = highest
    name_trumps(table, bot)
    return table.declarer - 1, table.bid, SUITS.index(table.trump)


def assert_answers(situation, n):
    known = situation.knowledge()
    worlds = deal_worlds(SEED, known, NO_POOLS, 0, n, PLENTY)
    assert len(worlds.index)
    answers = answer(SEED, known, worlds, [call or 0 for call in situation.options], *situation.standing)
    for number, call in enumerate(situation.options):
        for at in range(len(worlds.index)):
            found = answers.declarers[number, at], answers.bids[number, at], answers.trumps[number, at]
            expected = answered(situation, worlds, at, call)
            assert found[: len(expected)] == expected, (situation, call, at)
    return answers


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("bots", BOT_NAMES)
def test_seats_behind_answer_each_call_as_the_plain_python_bots(bots):
    assert_answers(make_situation(HAND, 1, bots=bots), 3)
    assert_answers(make_situation(HAND, 3, [None, 3], bots=bots, heeds_calls=False), 2)


@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_answers_are_those_of_the_plain_python_bots_under_all_house_rules(rules, bots):
    first = make_situation(HAND, 1, rules=rules, bots=bots)
    seen = set()
    for situation in (first, *situations(rules, bots, 6, first=500)):
        answers = assert_answers(situation, 6)
        seen.update(answers.declarers.ravel().tolist())
    assert len(seen) >= 5


def test_a_deal_is_passed_out_only_after_six_passes():
    hand = ["2S", "3H", "4C", "5D", "7S", "8H"]
    for rules, passed in ((STANDARD, True), (Rules(all_pass="dealer-bids-3"), False)):
        situation = make_situation(hand, 4, rules=rules, bots="simple")
        answers = assert_answers(situation, 40)
        assert bool((answers.declarers[0] == NOBODY).any()) == passed
        assert not (answers.declarers[1:] == NOBODY).any()
        assert (answers.bids[0][answers.declarers[0] == NOBODY] == 0).all()
    bidden = make_situation(hand, 4, [3, None, None], bots="simple")
    assert not (assert_answers(bidden, 40).declarers == NOBODY).any()


def lanes_of(n, rng):
    """Some ways to declare in each of n worlds: worlds, seats and columns."""
    worlds, ways = np.repeat(np.arange(n), 3), rng.integers(0, WAYS, 3 * n)
    return worlds, ways // 4, ways % 4


def played(situation, worlds, lanes, **more):
    known = situation.knowledge()
    return play_lanes(
        club_tables(),
        start_of(SEED),
        worlds.rows,
        worlds.index,
        *lanes,
        known.bots,
        known.rules,
        **more,
    )


class Instead:
    """A bot that puts away other cards than it would."""

    def __init__(self, bot, away):
        self.bot, self.away, self.play = bot, away, bot.play

    def exchange(self, _view):
        return self.away


def told(situation, worlds, world, declarer, trump, away=None):
    """Who wins the points of one lane by the reference engine, and what each seat puts away.

    In `away` a seat and its cards, if it does not put away what it would.
    """
    table = table_of(situation, worlds, world)
    table.declarer = declarer + 1
    bot = twin(situation.bots, rules=situation.rules)
    name_trumps(table, bot, SUITS[trump])
    players = dict.fromkeys(SEATS, bot)
    if away is not None:
        players[away[0] + 1] = Instead(bot, away[1])
    run_exchange(table, players)
    for _ in range(6):
        play_trick(table, players)
    return type_of(table.record()) % int(OUTCOMES), table.discards


def assert_played(situation, n, seed=1):
    worlds = deal_worlds(SEED, situation.knowledge(), NO_POOLS, 0, n, PLENTY)
    lanes = lanes_of(n, np.random.default_rng(seed))
    outcomes = played(situation, worlds, lanes)
    expected = [told(situation, worlds, *map(int, lane))[0] for lane in zip(*lanes, strict=True)]
    assert outcomes.tolist() == expected


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("bots", BOT_NAMES)
def test_lanes_are_played_as_by_the_reference_engine(bots):
    assert_played(make_situation(HAND, 1, bots=bots), 2)


@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_lanes_are_played_as_by_the_reference_engine_under_all_house_rules(rules, bots):
    for seat in (1, 4, 6):
        assert_played(make_situation(HAND, seat, rules=rules, bots=bots, heeds_calls=False), 8, seat)


@pytest.mark.parametrize("bots", ["simple", "club"])
@pytest.mark.parametrize("seat", [2, 6])
def test_a_seat_puts_away_what_it_is_told_and_all_else_goes_on_from_there(bots, seat):
    """Other cards, as many as it would put away; where none are given it does as it would."""
    situation = make_situation(HAND, seat, bots=bots, heeds_calls=False)
    n = 16
    worlds = deal_worlds(SEED, situation.knowledge(), NO_POOLS, 0, n, PLENTY)
    lanes = lanes_of(n, np.random.default_rng(seat))
    me = seat - 1
    away, expected = [], []
    other = 0
    for lane in zip(*(some.tolist() for some in lanes), strict=True):
        usual, discards = told(situation, worlds, *lane)
        trump = SUITS[lane[2]]
        own, left = discards[seat], list(cards_of(int(worlds.rows[me, lane[0]])))
        if seat == 6:
            left += table_of(situation, worlds, lane[0]).dealt.left(
                tuple(len(discards[one]) for one in SEATS[:5])
            )
        kept = [card for card in left if card not in own and suit_of(card, trump) != trump]
        swap = kept[:1] if own and suit_of(own[0], trump) != trump else []
        changed = (*own[len(swap) :], *swap)
        if lane[0] % 4 == 0:
            away.append(0)
            expected.append(usual)
            continue
        check_exchange(seat, left, changed, trump)
        away.append(relative(mask_of(changed), trump))
        expected.append(told(situation, worlds, *lane, away=(me, changed))[0])
        other += expected[-1] != usual
    outcomes = played(situation, worlds, lanes, seat=me, away=np.array(away, np.uint64))
    assert outcomes.tolist() == expected
    assert other


@pytest.mark.boundscheck
@pytest.mark.jitless
def test_lanes_do_not_depend_on_one_another():
    """In any order, alone, or in blocks with a rest."""
    situation = make_situation(HAND, 1, bots="simple")
    worlds = deal_worlds(SEED, situation.knowledge(), NO_POOLS, 0, 45, PLENTY)
    lanes = lanes_of(45, np.random.default_rng(2))
    outcomes = played(situation, worlds, lanes)
    assert len(outcomes) == 135
    backwards = played(situation, worlds, [some[::-1].copy() for some in lanes])
    assert (backwards[::-1] == outcomes).all()
    for at in (0, 77, 134):
        assert played(situation, worlds, [some[at : at + 1] for some in lanes]).tolist() == [outcomes[at]]
    assert ((outcomes >= 0) & (outcomes < int(OUTCOMES))).all()


def test_no_lanes_and_no_worlds_bring_nothing():
    situation = make_situation(HAND, 1)
    known = situation.knowledge()
    worlds = deal_worlds(SEED, known, NO_POOLS, 0, 0, PLENTY)
    nothing = np.zeros(0, np.int64)
    assert played(situation, worlds, [nothing] * 3).shape == (0,)
    answers = answer(SEED, known, worlds, [0, 3, 4], 0, 0)
    assert answers.declarers.shape == answers.bids.shape == answers.trumps.shape == (3, 0)
