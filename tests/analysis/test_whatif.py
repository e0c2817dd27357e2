"""Other cards in the same worlds, and single worlds told card by card by the reference engine."""

from concurrent.futures import ThreadPoolExecutor
from math import sqrt

import pytest

from schmier_sim.analysis import advice as advices
from schmier_sim.analysis import outlook as outlooks
from schmier_sim.analysis import whatif as library
from schmier_sim.analysis.advice import Plan, advise
from schmier_sim.analysis.outlook import CHUNK, ROUND, Outlook
from schmier_sim.analysis.seating import type_of
from schmier_sim.analysis.situation import AdviceError, make_situation
from schmier_sim.analysis.whatif import swaps_of, tell_world, value_swaps
from schmier_sim.game.cards import SUITS
from schmier_sim.game.rules import Rules
from tests.kernel.table import LIMIT

HAND = ("AS", "KS", "JC", "2S", "10H", "9D")
TWO_TEAMS = Rules(teams="2x3", low_to="taker")
HOUSE = Rules(
    all_pass="dealer-bids-3", dealer_steals=True, game_tie="declarer", trump_anytime=True, first_lead="trump"
)


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as executor:
        yield executor


@pytest.fixture
def few_worlds(monkeypatch):
    """Chunks and pools so small that a world is soon dealt again."""
    monkeypatch.setattr(outlooks, "CHUNK", 256)
    monkeypatch.setattr(outlooks, "POOL", 4096)
    monkeypatch.setattr(outlooks, "POOL_CHUNK", 4096)
    monkeypatch.setattr(outlooks, "POOL_BUDGET", 300_000)
    monkeypatch.setattr(outlooks, "LEAST_POOL", 40)


SITUATIONS = {
    "opening": (HAND, 1, [], {}),
    "after a pass and a three": (HAND, 3, [None, 3], {}),
    "a jump before": (("QS", "JS", "3S", "AH", "KH", "Jo"), 5, [3, None, None, 5], {}),
    "dealer": (("AD", "JH", "2D", "4C", "5C", "6S"), 6, [None, 3, None, 4, None], {}),
    "dealer after passes": (HAND, 6, None, {"bots": "simple"}),
    "partner bids": (("AH", "QH", "3H", "AC", "4D", "5S"), 4, [4, None, None], {"bots": "simple"}),
    "by chance": (("AC", "KC", "JS", "2C", "10H", "9D"), 2, [3], {"bots": "random"}),
    "two teams": (HAND, 2, [None], {"rules": TWO_TEAMS}),
    "two teams, as they come": (HAND, 3, [None, 3], {"rules": TWO_TEAMS, "heeds_calls": False}),
    "house rules": (("AD", "KD", "JH", "2D", "10S", "9C"), 6, [None, None, 3, None, None], {"rules": HOUSE}),
    "house rules, first": (HAND, 1, [], {"rules": HOUSE, "bots": "simple"}),
    "cautious": (HAND, 2, [4], {"tempers": "cautious"}),
    "alike": (("AS", "AH", "KS", "KH", "2S", "2H"), 1, [], {}),
    "never called": (HAND, 5, [4, None, None, 5], {"bots": "simple"}),
}


@pytest.mark.usefixtures("few_worlds")
@pytest.mark.parametrize("name", SITUATIONS)
def test_worlds_are_told_by_the_reference_engine_as_the_kernels_have_played_them(name, pool):
    """Five worlds of a later round, after each call."""
    hand, seat, auction, more = SITUATIONS[name]
    situation = make_situation(hand, seat, auction, **more)
    outlook = Outlook(situation, 8, pool)
    plan = Plan(situation, outlook.look(0, 256))
    glance = outlook.look(ROUND, 256)
    types = plan.types(glance)
    for at in (0, 40, 99, 180, glance.n - 1):
        number = int(glance.numbers[at])
        for option, call in enumerate(situation.options):
            record = tell_world(situation, 8, number, call, plan.suits[option])
            assert type_of(record) == types[option][at]
            assert record.hands[seat - 1] == situation.hand
            before = record.auction[: seat - 1]
            assert before == tuple(enumerate(situation.auction, start=1))
            assert record.auction[seat - 1] == (seat, call)
            if record.declarer == seat:
                assert record.trump == plan.suits[option]


@pytest.mark.usefixtures("few_worlds")
def test_any_suit_may_be_named(pool):
    situation = make_situation(HAND, 3, [None, 3])
    outlook = Outlook(situation, 8, pool)
    glance = outlook.look(0, 256)
    plan = Plan(situation, glance)
    top = len(situation.options) - 1
    for at in (3, 50, 200):
        for suit in SUITS:
            record = tell_world(situation, 8, int(glance.numbers[at]), 6, suit)
            assert record.trump == suit
            assert record.declarer == 3
            assert type_of(record) == plan._types_of(glance, top, suit)[at]


def test_failures_of_an_advice_fail_when_they_are_told():
    advice = advise(HAND, seat=2, auction=[3], precision=3, max_seconds=60)
    call, suit = advice.verdict.call, advice.verdict.suit
    assert call
    missing = set()
    for number in advice.failures:
        record = tell_world(advice.situation, advice.seed, number, call, suit)
        assert (record.declarer, record.bid, record.trump) == (2, call, suit)
        assert record.scores[1] == -call
        missing.add(tuple(point for point, team in record.points.items() if team != 2))
    assert len(missing) == 1
    assert len(advice.failures) == 3


def test_what_cannot_be_told_is_refused_in_one_line():
    situation = make_situation(HAND, 2, [4])
    with pytest.raises(AdviceError, match=r"^call 4 is not possible here: pass, 5, 6$"):
        tell_world(situation, 1, 0, 4, "S")
    with pytest.raises(AdviceError, match=r"^world -1 is out of range: 0 to 4294967295$"):
        tell_world(situation, 1, -1, 5, "S")
    forced = make_situation(HAND, 6, rules=HOUSE)
    with pytest.raises(AdviceError, match=r"^call None is not possible here: 3, 4, 5, 6$"):
        tell_world(forced, 1, 0, None, "S")


# --- swaps


SWAPS = {
    "plain": (HAND, "S", "AS-QS KS-QS 2S-3S 2S-Jo 10H-JH 10H-9H JC-JS JC-10S 9D-10D 9D-8D 9D-3S"),
    "both bauers": (
        ("AH", "JH", "JD", "3H", "Jo", "AC"),
        "H",
        "AH-KH JH-QH JH-10H 3H-4H 3H-2H AC-KC JD-QH JD-10H Jo-2H AC-4H",
    ),
    "all trumps": (
        ("3S", "4S", "5S", "6S", "7S", "Jo"),
        "S",
        "7S-8S 7S-2S 6S-8S 6S-2S 5S-8S 5S-2S 4S-8S 4S-2S 3S-8S 3S-2S Jo-2S",
    ),
    "no trumps, and clubs without their jack": (
        ("QC", "10C", "2D", "3D", "AD", "KD"),
        "S",
        "AD-QD KD-QD 3D-4D 2D-4D QC-KC QC-9C 10C-KC 10C-9C 2D-3S",
    ),
}


@pytest.mark.parametrize("name", SWAPS)
def test_swaps_are_for_the_next_cards_that_are_not_held(name):
    hand, trump, swaps = SWAPS[name]
    found = swaps_of(make_situation(hand, 1), trump)
    assert sorted(found) == sorted(tuple(pair.split("-")) for pair in swaps.split())


def test_every_swap_is_a_card_that_is_held_for_one_that_is_not():
    for trump in SUITS:
        for give, take in swaps_of(make_situation(HAND, 1), trump):
            assert give in HAND
            assert take not in HAND


@pytest.fixture
def short_looks(monkeypatch):
    for module in (advices, library):
        monkeypatch.setattr(module, "FIRST_LOOK", CHUNK)
    monkeypatch.setattr(library, "SWAP_WORLDS", 2 * CHUNK)


@pytest.mark.usefixtures("short_looks")
@pytest.mark.parametrize(("seat", "auction"), [(1, []), (3, [None, 3])])
def test_a_swap_is_worth_what_advice_for_the_other_hand_says_and_is_known_much_better(seat, auction):
    """4.5 standard errors of both looks together; of a card that changes little, the pair's error is a third."""
    advice = advise(HAND, seat=seat, auction=auction, precision=2, max_seconds=60)
    swaps = (("2S", "3S"), ("JC", "JS"), ("9D", "8D"))
    for swap, (give, take) in zip(value_swaps(advice, swaps), swaps, strict=True):
        assert (swap.give, swap.take) == (give, take)
        hand = [take if card == give else card for card in HAND]
        direct = advise(hand, seat=seat, auction=auction, seed=500, precision=2, max_seconds=60)
        plain, other = advice.verdict.relative, direct.verdict.relative
        apart = other.value - plain.value
        assert abs(apart - swap.gain.value) < LIMIT * sqrt(plain.se**2 + other.se**2 + swap.gain.se**2)
        assert swap.call in [call.call for call in direct.close]
        unpaired = sqrt(2 * advice.effective_deals / (2 * CHUNK)) * plain.se
        assert swap.gain.se < unpaired / {"3S": 0.5, "JS": 1, "8D": 3}[take]


@pytest.mark.usefixtures("short_looks")
def test_better_cards_gain_and_worse_ones_lose():
    advice = advise(HAND, seat=1, precision=2, max_seconds=60)
    swaps = (("2S", "3S"), ("9D", "QS"), ("AS", "3S"), ("KS", "QS"))
    gains = [swap.gain for swap in value_swaps(advice, swaps, workers=2)]
    for gain, sign in zip(gains, (-1, 1, -1, -1), strict=True):
        assert sign * gain.value > LIMIT * gain.se


@pytest.mark.usefixtures("short_looks")
def test_swaps_there_and_back_cancel_out():
    """The same pair of worlds from both sides: what one swap gains, the other loses, for one seed."""
    other = ("AS", "KS", "JS", "2S", "10H", "9D")
    there = value_swaps(advise(HAND, seat=1, precision=3, max_seconds=60), (("JC", "JS"),))[0]
    back = value_swaps(advise(other, seat=1, precision=3, max_seconds=60), (("JS", "JC"),))[0]
    assert abs(there.gain.value + back.gain.value) < LIMIT * sqrt(there.gain.se**2 + back.gain.se**2)
    assert there.gain.value > 0 > back.gain.value


@pytest.mark.usefixtures("short_looks")
def test_by_default_all_swaps_of_the_verdicts_suit_are_valued(monkeypatch):
    advice = advise(HAND, seat=1, precision=3, max_seconds=60)
    monkeypatch.setattr(library, "SWAP_WORLDS", CHUNK)
    seen = []
    found = value_swaps(advice, progress=seen.append, workers=1)
    expected = swaps_of(advice.situation, advice.verdict.suit)
    assert tuple((swap.give, swap.take) for swap in found) == expected
    assert [(one.done, one.total) for one in seen] == [(k + 1, len(expected)) for k in range(len(expected))]
    again = value_swaps(advice, expected[:2], workers=3)
    assert again == found[:2]


@pytest.mark.usefixtures("short_looks")
@pytest.mark.parametrize(
    ("swap", "message"),
    [
        (("3S", "4S"), "3S is not in the hand: it holds AS KS 2S 10H JC 9D"),
        (("AS", "KS"), "KS cannot come in: it has to be a card that is not in the hand"),
        (("AS", "1S"), "1S cannot come in: it has to be a card that is not in the hand"),
    ],
)
def test_swaps_that_cannot_be_made_are_refused_in_one_line(swap, message):
    advice = advise(HAND, seat=1, precision=5, max_seconds=60)
    with pytest.raises(AdviceError, match=f"^{message}$"):
        value_swaps(advice, (swap,))
