"""Looks at worlds: round by round, whatever the threads, and how often the bots call like this at all."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from schmier_sim.analysis import outlook as library
from schmier_sim.analysis.outlook import (
    CHUNK,
    MOST_NUMBER,
    NUMBER_MASK,
    ROUND,
    Outlook,
    Sharing,
    Weakening,
    gather,
)
from schmier_sim.analysis.situation import AdviceError, make_situation
from schmier_sim.game.cards import SUITS, mask_of
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.reference import Table
from schmier_sim.game.rules import Rules
from schmier_sim.game.symmetry import RELABELLINGS, relabel
from schmier_sim.game.words import MAX_INDEX, word
from schmier_sim.kernel.answers import NOBODY, answer, play_lanes
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.rng import start_of
from schmier_sim.kernel.unseen import NO_POOLS, deal_worlds
from tests.kernel.table import LIMIT, share_error
from tests.kernel.test_unseen import dealt_like

HAND = ("AS", "KS", "JC", "2S", "10H", "9D")
SEED = 21
FIELDS = ("numbers", "own", "others", "declarers", "bids", "picks")


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as executor:
        yield executor


def same(one, other, keep=slice(None), keep_other=slice(None)):
    """Whether two glances agree in some of their worlds."""
    return all(
        np.array_equal(getattr(one, field)[..., keep], getattr(other, field)[..., keep_other])
        for field in FIELDS
    )


CASES = {"opening": (1, []), "after passes": (3, [None, None]), "after bids": (5, [None, 3, None, 4])}


@pytest.mark.parametrize("case", CASES)
def test_a_longer_look_begins_with_the_same_worlds(case, pool):
    seat, auction = CASES[case]
    situation = make_situation(HAND, seat, auction)
    outlook = Outlook(situation, SEED, pool)
    short, long = outlook.look(0, CHUNK), outlook.look(0, 3 * CHUNK)
    assert same(short, long, keep_other=slice(short.n))
    assert (np.diff(long.numbers) > 0).all()
    assert long.numbers[-1] < 3 * CHUNK
    assert long.n > 3 * CHUNK * 0.99
    later = Outlook(situation, SEED, pool).look(ROUND, CHUNK)
    assert same(later, outlook.look(ROUND, CHUNK))
    assert later.numbers[0] >= ROUND
    assert same(
        Outlook(situation, SEED, pool).look(CHUNK, CHUNK), long, keep_other=long.numbers // CHUNK == 1
    )
    assert not same(short, Outlook(situation, SEED + 1, pool).look(0, CHUNK), slice(1000), slice(1000))


def test_threads_do_not_change_any_number(pool):
    situation = make_situation(HAND, 5, [None, 3, None, 4])
    with ThreadPoolExecutor(1) as single, ThreadPoolExecutor(5) as several:
        glances = [Outlook(situation, SEED, one).look(0, 2 * CHUNK) for one in (pool, single, several)]
    assert same(glances[0], glances[1])
    assert same(glances[0], glances[2])
    assert len({glance.tried for glance in glances}) == 1


@pytest.mark.parametrize("case", CASES)
def test_the_size_of_chunks_does_not_change_any_world(case, pool, monkeypatch):
    """But for the few that are given up: which they are hangs on how many are left of a chunk."""
    seat, auction = CASES[case]
    situation = make_situation(HAND, seat, auction)
    whole = Outlook(situation, SEED, pool).look(0, CHUNK)
    monkeypatch.setattr(library, "CHUNK", CHUNK // 8)
    pieces = Outlook(situation, SEED, pool).look(0, CHUNK)
    common = np.intersect1d(whole.numbers, pieces.numbers)
    assert len(common) > 0.99 * CHUNK
    assert same(whole, pieces, np.isin(whole.numbers, common), np.isin(pieces.numbers, common))
    assert pieces.n > 0.99 * CHUNK


@pytest.mark.parametrize("case", CASES)
def test_a_world_is_dealt_again_by_its_number(case, pool):
    """Its cards are dealt once more by hand, and what was seen of it follows from them."""
    seat, auction = CASES[case]
    situation = make_situation(HAND, seat, auction)
    outlook = Outlook(situation, SEED, pool)
    glance = gather([outlook.look(0, CHUNK), outlook.look(ROUND, CHUNK)])
    known = outlook.known
    for at in (0, 1, 77, CHUNK - 30, CHUNK + 5, glance.n - 1):
        number = int(glance.numbers[at])
        dealt, index = Outlook(situation, SEED, pool).world(number)
        assert index & NUMBER_MASK == number
        assert index < MAX_INDEX
        pooled = {one.seat: dealt.hands[one.seat] for one in known.conditions if one.most > 0}
        hand = dealt.hands[seat - 1]
        assert mask_of(hand) == int(known.hand)
        again = dealt_like(index, seat - 1, hand, pooled, seed=SEED)
        assert again == dealt
        rows = [*dealt.hands, *((one,) for one in dealt.singles), *dealt.pairs, dealt.rest]
        masks = np.array([[mask_of(cards)] for cards in rows], np.uint64)
        for column, suit in enumerate(SUITS):
            own = play_lanes(
                club_tables(),
                start_of(SEED),
                masks,
                np.array([index]),
                np.zeros(1, np.int64),
                np.array([seat - 1]),
                np.array([SUITS.index(situation.relabelling[suit])]),
                known.bots,
                known.rules,
            )
            assert own.tolist() == [glance.own[column, at]]


def test_worlds_that_are_not_there_are_refused(pool):
    outlook = Outlook(make_situation(HAND, 1), SEED, pool)
    for number in (-1, MOST_NUMBER):
        with pytest.raises(AdviceError, match=f"^world {number} is out of range: 0 to {MOST_NUMBER - 1}$"):
            outlook.world(number)
    assert outlook.world(MOST_NUMBER - 1)[1] == MOST_NUMBER - 1
    bidden = Outlook(make_situation(HAND, 5, [None, 3, None, 4]), SEED, pool)
    given_up = np.setdiff1d(np.arange(CHUNK), bidden.look(0, CHUNK).numbers)
    assert 0 < len(given_up) <= CHUNK // 256
    with pytest.raises(AdviceError, match=f"^world {given_up[0]} was given up: .*; take another$"):
        bidden.world(int(given_up[0]))


@pytest.mark.parametrize("bots", ["random", "simple", "club"])
def test_a_glance_tells_who_declares_after_each_call_and_what_comes_of_it(bots, pool):
    rules = Rules(teams="2x3")
    situation = make_situation(HAND, 3, [None, None], rules=rules, bots=bots)
    glance = Outlook(situation, SEED, pool).look(0, CHUNK)
    known = situation.knowledge()
    worlds = deal_worlds(SEED, known, NO_POOLS, 0, CHUNK, 200 * CHUNK)
    assert (worlds.index & NUMBER_MASK == glance.numbers).all()
    answers = answer(SEED, known, worlds, [call or 0 for call in situation.options], *situation.standing)
    assert (glance.declarers == answers.declarers).all()
    assert (glance.bids == answers.bids).all()
    for number in range(len(situation.options)):
        other = (answers.declarers[number] != NOBODY) & (answers.declarers[number] != 2)
        expected = play_lanes(
            club_tables(),
            start_of(SEED),
            worlds.rows,
            worlds.index,
            np.flatnonzero(other),
            answers.declarers[number][other],
            answers.trumps[number][other],
            known.bots,
            known.rules,
        )
        assert (glance.others[number][other] == expected).all()
    assert (glance.declarers[-1] == 2).all()


@pytest.mark.parametrize(
    "hand",
    [
        pytest.param(HAND, id="plain"),
        pytest.param(("AS", "KS", "AH", "KH", "Jo", "3C"), id="nearly alike"),
        pytest.param(("AS", "KS", "QS", "2S", "9H", "9D"), id="plain suits alike"),
        pytest.param(
            ("AS", "AH", "AC", "AD", "KS", "KH"),
            id="alike in pairs",
        ),
    ],
)
def test_all_hands_that_are_alike_see_the_same_worlds_suit_by_suit(hand, pool):
    one = Outlook(make_situation(hand, 3, [None, 3]), SEED, pool).look(0, CHUNK)
    for suits in RELABELLINGS:
        other = Outlook(make_situation([relabel(card, suits) for card in hand], 3, [None, 3]), SEED, pool)
        glance = other.look(0, CHUNK)
        assert (glance.numbers == one.numbers).all()
        for column, suit in enumerate(SUITS):
            assert (glance.own[SUITS.index(suits[suit])] == one.own[column]).all()
        assert (glance.others == one.others).all()
        assert (glance.declarers == one.declarers).all()


# --- how rare calls are


def test_chance_is_the_share_of_deals_in_which_the_bots_call_so(pool):
    """Beside plain rejection in the kernels: 4.5 standard errors, pools and all; and beside the reference bots."""
    for auction in ([3, None], [None, 4, None], [None, None, 3, 4]):
        situation = make_situation(HAND, len(auction) + 1, auction)
        outlook = Outlook(situation, SEED, pool)
        chance = outlook.chance(outlook.look(0, 2 * CHUNK))
        plain = deal_worlds(5, situation.knowledge(), NO_POOLS, 0, 2000, 10**7)
        rate = len(plain.index) / plain.tried
        error = np.sqrt(rate**2 * (1 / 2000 + 1 / 2000))
        assert abs(chance - rate) < LIMIT * error
    assert not outlook.weakenings
    free = Outlook(make_situation(HAND, 1), SEED, pool)
    assert free.chance(free.look(0, CHUNK)) == 1


def test_chance_is_that_of_the_plain_python_bots(pool):
    situation = make_situation(HAND, 3, [None, 3])
    outlook = Outlook(situation, SEED, pool)
    chance = outlook.chance(outlook.look(0, CHUNK))
    bot = ClubBot(tempers="mixed", curves=situation.curves)
    n, hits = 3000, 0
    for index in range(n):
        dealt = dealt_like(index, 2, HAND, {}, seed=99)
        table = Table(dealt, situation.rules, lambda k, index=index: word(99, index, k))
        if bot.bid(table.view(1)) is None:
            table.auction.append((1, None))
            hits += bot.bid(table.view(2)) == 3
    assert abs(share_error(hits, n, chance)) < LIMIT


def test_calls_that_bots_never_make_are_answered_and_marked(pool, monkeypatch):
    """`simple` never bids over its partner: step by step less is asked, at last nothing."""
    monkeypatch.setattr(library, "POOL_BUDGET", 100_000)
    situation = make_situation(HAND, 5, [4, None, None, 5], bots="simple")
    outlook = Outlook(situation, SEED, pool)
    glance = outlook.look(0, CHUNK)
    assert outlook.weakenings == (Weakening(4, 5, None),)
    assert [one.seat for one in outlook.known.conditions] == [0, 1, 2]
    assert glance.n > 0.99 * CHUNK
    fewer = make_situation(HAND, 4, [4, None, None], bots="simple")
    other = Outlook(fewer, SEED, pool)
    expected, found = other.chance(other.look(0, CHUNK)), outlook.chance(glance)
    assert found == pytest.approx(expected, rel=0.15)


def test_a_jump_that_hardly_any_hand_is_worth_is_taken_for_a_lower_one(pool):
    """`club` bids 4 or more here now and then, but 6 over its own partner's 5 is not in its book."""
    outlook = Outlook(make_situation(HAND, 5, [3, None, None, 5]), SEED, pool)
    glance = outlook.look(0, CHUNK)
    assert glance.n
    for weakening in outlook.weakenings:
        assert weakening.seat in (1, 4)
        assert weakening.least is None or 3 <= weakening.least <= weakening.call
    asked = {one.seat: one for one in outlook.known.conditions}
    for seat, slack in enumerate(outlook.slack):
        assert (slack > 0) == any(weakening.seat == seat + 1 for weakening in outlook.weakenings)
        if slack == 0:
            assert seat in asked


def test_a_later_round_asks_for_what_the_first_one_found(pool, monkeypatch):
    monkeypatch.setattr(library, "POOL_BUDGET", 100_000)
    situation = make_situation(HAND, 5, [4, None, None, 5], bots="simple")
    one = Outlook(situation, SEED, pool)
    one.look(0, CHUNK)
    slack = list(one.slack)
    later = one.look(3 * ROUND, CHUNK)
    assert one.slack == slack
    again = Outlook(situation, SEED, pool, slack=tuple(slack)).look(3 * ROUND, CHUNK)
    assert same(later, again)
    dealt, index = Outlook(situation, SEED, pool).world(int(later.numbers[0]))
    assert index & NUMBER_MASK == later.numbers[0]
    assert len(dealt.hands) == 6


def test_each_round_has_hands_of_its_own(pool):
    """Some hands are found twice by chance, but worlds of different rounds share none by design."""
    situation = make_situation(HAND, 5, [None, 3, None, 4])
    outlook = Outlook(situation, SEED, pool)
    rounds = [outlook.look(number * ROUND, CHUNK) for number in (0, 1, 2)]
    pools = [outlook._pools_of(number) for number in (0, 1, 2)]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not len(np.intersect1d(rounds[one].picks, rounds[other].picks))
        for seat in (1, 3):
            found = [pools[number].hands[seat, : pools[number].sizes[seat]] for number in (one, other)]
            assert np.isin(*found).mean() < 0.1
    assert [int(one.picks.min()) // library.POOL for one in rounds] == [0, 1, 2]
    assert [int(one.picks.max()) // library.POOL for one in rounds] == [0, 1, 2]


# --- clusters


def independent(glance, values):
    """How many independent worlds tell as much."""
    return glance.n * Sharing(glance.picks).independent(*values)


def glance_of(picks, n):
    nothing = np.zeros((1, n), np.int16)
    few = np.zeros((1, n), np.int8)
    return library.Glance(
        np.arange(n),
        nothing,
        nothing,
        few,
        few,
        np.atleast_2d(np.array(picks, np.int32)) if len(picks) else np.zeros((0, n), np.int32),
        n,
    )


def test_worlds_without_shared_hands_are_independent():
    values = np.random.default_rng(1).normal(size=500)
    assert independent(glance_of([], 500), [values]) == 500
    assert independent(glance_of(np.arange(500), 500), [values]) == pytest.approx(500)
    assert independent(glance_of(np.zeros((1, 0)), 0), []) == 0
    assert independent(glance_of(np.zeros(500), 500), [np.ones(500)]) == 500


def test_worlds_that_are_the_same_count_once():
    """Each hand comes k times with one value: n / k worlds tell as much; the worst value and all seats count."""
    rng = np.random.default_rng(2)
    hands = np.repeat(np.arange(300), 4)
    value = rng.normal(size=300)[hands]
    assert independent(glance_of(hands, 1200), [value]) == pytest.approx(300)
    other = rng.normal(size=1200)
    assert independent(glance_of(hands, 1200), [other, value]) == pytest.approx(300)
    assert independent(glance_of([hands, np.arange(1200)], 1200), [value]) == pytest.approx(300)


def test_effective_worlds_tell_how_far_means_of_other_seeds_differ():
    """Values are a hand's part plus the world's own; the spread of means over 400 repetitions has a 4 % error."""
    rng = np.random.default_rng(3)
    n, means, effective = 1000, [], []
    for _ in range(400):
        hands = rng.integers(0, 250, n)
        values = rng.normal(size=250)[hands] + rng.normal(size=n)
        means.append(values.mean())
        effective.append(independent(glance_of(hands, n), [values]))
    spread = np.std(means, ddof=1)
    assert 0.84 < np.sqrt(2 / np.mean(effective)) / spread < 1.16


def test_glances_at_different_worlds_are_put_together(pool):
    outlook = Outlook(make_situation(HAND, 3, [None, 3]), SEED, pool)
    parts = [outlook.look(start, CHUNK) for start in (0, CHUNK)]
    whole = gather(parts)
    assert whole.n == sum(part.n for part in parts)
    assert same(whole, outlook.look(0, 2 * CHUNK))
    assert whole.tried == sum(part.tried for part in parts)


def test_calls_of_random_come_as_often_as_it_makes_them(pool):
    """Pass or any bid, all alike: 5 ways, then 5, then 3 after a bid of 4, 2 after a 5."""
    for rules, seat, auction, chance in (
        (Rules(), 1, [], 1),
        (Rules(), 4, [None, 4, None], 1 / (5 * 5 * 3)),
        (Rules(), 3, [5, None], 1 / (5 * 2)),
    ):
        outlook = Outlook(make_situation(HAND, seat, auction, rules=rules, bots="random"), SEED, pool)
        glance = outlook.look(0, CHUNK)
        assert glance.tried == glance.n
        assert outlook.chance(glance) == pytest.approx(chance)
