"""The reference bots: `random` to the letter, `simple` rule by rule, and what neither may see."""

import random
from copy import copy, deepcopy
from dataclasses import replace

import pytest

from schmier_sim.game import reference_bots
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import DECK, SUITS, in_order, suit_of, trump_order
from schmier_sim.game.dealing import Dealt, deal_cards, declarer_of
from schmier_sim.game.laws import legal_cards
from schmier_sim.game.reference import Table, play_deal, play_table
from schmier_sim.game.reference_bots import ascending, suit_value
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import View
from schmier_sim.game.words import word

STANDARD = Rules()
TAKER = Rules(low_to="taker")
RANDOM, SIMPLE = BOTS["random"], BOTS["simple"]
LOW, HIGH = (lambda _: 0), (lambda _: 2**64 - 1)


def view_of(
    hand, *, seat=1, declarer=1, trump="S", leader=None, trick="", played="", rules=STANDARD, word=LOW
):
    """Look at a hand in play; `played` are cards of earlier tricks."""
    cards, on_table = tuple(hand.split()), tuple(trick.split())
    earlier = tuple(played.split())
    return View(
        seat=seat,
        rules=rules,
        hand=in_order(cards),
        declarer=declarer,
        trump=trump,
        tricks=((1, earlier, 1),) if earlier else (),
        leader=seat if leader is None else leader,
        trick=on_table,
        legal=in_order(legal_cards(cards, on_table, trump, rules, first_lead=not earlier and not on_table)),
        word=word,
    )


# --- ascending order


@pytest.mark.parametrize("trump", SUITS)
def test_ascending_is_by_rank_with_trumps_after_the_other_suits(trump):
    a, b, c = (SUITS[(SUITS.index(trump) + turn) % 4] for turn in (1, 2, 3))
    order = ascending(DECK, trump)
    assert order[:9] == [
        "Jo",
        *("2" + suit for suit in (a, b, c, trump)),
        *("3" + suit for suit in (a, b, c, trump)),
    ]
    left = "J" + b
    assert order[order.index("10" + trump) :][:5] == ["10" + trump, left, "J" + a, "J" + c, "J" + trump]
    assert [card for card in order if card in trump_order(trump)] == [*reversed(trump_order(trump))]


# --- random


def test_random_takes_its_choices_from_the_ends_of_the_documented_lists():
    assert RANDOM.trump(View(1, STANDARD, (), word=LOW)) == "S"
    assert RANDOM.trump(View(1, STANDARD, (), word=HIGH)) == "D"
    assert RANDOM.bid(View(1, STANDARD, (), bids=(4, 5, 6), word=LOW)) is None
    assert RANDOM.bid(View(1, STANDARD, (), bids=(4, 5, 6), word=HIGH)) == 6
    assert RANDOM.bid(View(6, STANDARD, (), bids=(3, 4, 5, 6), may_pass=False, word=LOW)) == 3
    assert RANDOM.play(view_of("AS 9H 2D Jo", word=LOW)) == "Jo"
    assert RANDOM.play(view_of("AS 9H 2D Jo", word=HIGH)) == "AS"


def test_random_puts_away_as_many_plain_cards_as_it_may():
    assert RANDOM.exchange(view_of("AS 9H 8H 2D 3C 4C")) == ("2D", "3C", "4C")
    assert RANDOM.exchange(view_of("AS 9H 8H 2D 3C 4C", word=HIGH)) == ("9H", "8H", "4C")
    assert RANDOM.exchange(view_of("AS KS QS JS JC 4C")) == ("4C",)
    assert RANDOM.exchange(view_of("AS KS QS JS JC Jo")) == ()


def test_random_dealer_keeps_all_trumps_and_any_plain_cards():
    away = RANDOM.exchange(view_of("AS JC Jo 9H 8H 2D 3C 4C 5C", seat=6))
    assert set(away) == {"5C", "8H", "9H"}
    away = RANDOM.exchange(view_of("AS KS JS JC Jo 2S 9S 8S AH", seat=6))
    assert set(away) == {"AH", "8S", "9S"}
    away = RANDOM.exchange(view_of("AS KS JS JC Jo 2S 9S 8S AH", seat=6, word=HIGH))
    assert set(away) == {"AH", "KS", "9S"}


def test_random_reads_the_documented_words():
    asked = []

    def words(k):
        asked.append(k)
        return 0

    RANDOM.trump(View(3, STANDARD, (), word=words))
    RANDOM.bid(View(3, STANDARD, (), bids=(3, 4, 5, 6), word=words))
    RANDOM.exchange(view_of("AS 9H 8H 2D 3C 4C", seat=3, word=words))
    RANDOM.exchange(view_of("AS JC Jo 9H 8H 2D 3C 4C", seat=6, word=words))
    RANDOM.play(view_of("AS 9H", seat=3, played="2D 3D 4D 5D 6D 7D", word=words))
    assert asked == [8, 12, 32, 33, 34, 56, 57, 58, 72 + 6 + 2]


# --- simple: suit, call, exchange


def test_simple_values_a_suit_by_its_named_trumps():
    assert suit_value(("2H", "3H", "4H", "5H", "6H", "7H"), "S") == 156
    assert suit_value(("3S", "4S", "AH", "KH", "9D", "8D"), "S") == 156 + 2 * 3
    assert suit_value(("AS", "KS", "QS", "JS", "JC", "10S"), "S") == 156 + 161 + 47 + 31 + 43 + 32 + 8 + 6 * 3
    assert suit_value(("2S", "Jo", "JH", "AH", "9D", "8D"), "S") == 156 + 71 + 7 + 2 * 3


def test_simple_names_the_suit_of_the_highest_value_and_the_first_of_equal_ones():
    assert SIMPLE.trump(View(1, STANDARD, ("KS", "AH", "9H", "JD", "2C", "3C"))) == "H"
    assert SIMPLE.trump(View(1, STANDARD, ("9H", "9C", "9D", "8C", "8H", "8D"))) == "H"
    assert SIMPLE.trump(View(1, STANDARD, ("9S", "9H", "9C", "8C", "8H", "8S"))) == "S"


BIDS = (300, 390, 480, 520)
WORTH = (
    "7S 8S 9S 8H 9H 9C",
    "AS 9S 8H 9H 9C 8C",
    "AS KS JS 8H 9H 9C",
    "AS KS QS JS JC 9C",
    "AS KS QS JS 2S 9C",
)
"""Hands that reach none, one, two, three and all four of these bids."""


@pytest.mark.parametrize(
    ("reached", "auction", "seat", "bids", "call"),
    [
        (0, (), 1, (3, 4, 5, 6), None),
        (1, (), 1, (3, 4, 5, 6), 3),
        (2, (), 1, (3, 4, 5, 6), 4),
        (3, (), 1, (3, 4, 5, 6), 5),
        (4, (), 1, (3, 4, 5, 6), 6),
        (1, ((1, 3),), 2, (4, 5, 6), None),
        (2, ((1, 3),), 2, (4, 5, 6), 4),
        (4, ((1, 3), (2, None), (3, None)), 4, (4, 5, 6), None),
        (4, ((1, 3), (2, 4), (3, None)), 4, (5, 6), 6),
        (4, ((1, None), (2, None), (3, None), (4, None), (5, None)), 6, (3, 4, 5, 6), 3),
        (4, ((1, 3), (2, None), (3, None), (4, None), (5, None)), 6, (4, 5, 6), 4),
        (4, ((1, None), (2, None), (3, 3), (4, None), (5, None)), 6, (4, 5, 6), None),
        (1, ((1, 3), (2, None), (3, None), (4, None), (5, None)), 6, (3, 4, 5, 6), 3),
    ],
)
def test_simple_bids_its_level_but_not_over_a_partner_and_as_dealer_no_more_than_needed(
    monkeypatch, reached, auction, seat, bids, call
):
    monkeypatch.setattr(reference_bots, "SIMPLE_BIDS", BIDS)
    view = View(seat, STANDARD, tuple(WORTH[reached].split()), auction=auction, bids=bids)
    assert SIMPLE.bid(view) == call


def test_simple_dealer_who_must_bid_bids_three():
    passes = tuple((seat, None) for seat in range(1, 6))
    view = View(6, STANDARD, tuple(WORTH[0].split()), auction=passes, bids=(3, 4, 5, 6), may_pass=False)
    assert SIMPLE.bid(view) == 3


@pytest.mark.parametrize(
    ("hand", "declarer", "away"),
    [
        ("AS 10H AH KD QD 2C", 1, "2C QD KD"),
        ("AS 10H AH KD 9S 8S", 1, "KD 10H AH"),
        ("AS 10H AH KD QD 2C", 4, "2C QD KD"),
        ("AS 10H AH KD QD 2C", 2, "10H 2C QD"),
        ("AS 10H 10D AH KD 8S", 2, "10H 10D KD"),
        ("AS KS QS JS 10S 2C", 2, "2C"),
    ],
)
def test_simple_puts_away_tens_first_when_defending_and_aces_last_when_declaring(hand, declarer, away):
    assert SIMPLE.exchange(view_of(hand, declarer=declarer)) == tuple(away.split())


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("AS 9S 10H AH KD QD 2C 3C 4C", "AS 9S AH KD 2C 3C"),
        ("AS 9S 8S 7S 10H 9H 9D 10D", "AS 9S 8S 7S 9H 9D"),
        ("AS 9S 8S 7S 10H 10D 9D 10C", "AS 9S 8S 7S 9D 10H"),
        ("AS KS QS JS 10S 9S 3S 2S Jo AH", "AS KS QS JS 2S Jo"),
    ],
)
def test_simple_dealer_keeps_trumps_aces_kings_small_cards_and_tens_last(hand, kept):
    away = SIMPLE.exchange(view_of(hand, seat=6))
    assert set(hand.split()) - set(away) == set(kept.split())


# --- simple: leading

ALL_TRUMPS = " ".join(trump_order("S"))


@pytest.mark.parametrize(
    ("hand", "card", "how"),
    [
        pytest.param("AS KS QS 4S 3S 8D", "AS", {}, id="five trumps, ten out: from the top"),
        pytest.param("AS KS QS 3S 9H 8D", "8D", {}, id="four trumps, eleven out: the tops are kept"),
        pytest.param(
            "KS JS 3S 9H", "KS", {"played": "AS QS 4S 5S 6S 7S"}, id="three trumps, six out: from the top"
        ),
        pytest.param("QS JS 3S 9H", "9H", {"played": "AS 4S 5S 6S 7S 8S"}, id="no top trump: low plain card"),
        pytest.param("AS KS", "AS", {"played": "2D"}, id="nothing but tops"),
        pytest.param(
            "4S JS 9H", "JS", {"played": ALL_TRUMPS.replace("4S ", "").replace("JS ", "")}, id="no trumps out"
        ),
        pytest.param("AS 4S 2S 9H", "9H", {}, id="low plain card before a small trump"),
        pytest.param("AS 4S 2S 10H", "4S", {}, id="small trump, not the 2"),
        pytest.param("AS 2S 9H 8D AD 10C", "8D", {}, id="low plain card"),
        pytest.param("AS 2S AD 10C", "AD", {}, id="plain ace before the 2"),
        pytest.param("AS 2S 10C", "2S", {}, id="the 2 before the top"),
        pytest.param("AS 2S 10C", "AS", {"rules": TAKER}, id="the 2 is kept where the taker gets it"),
        pytest.param("KS 10S JC 10C", "KS", {}, id="queen or king before tens and bauers"),
        pytest.param("10S JC", "10S", {}, id="ten before bauers"),
        pytest.param("10S JC Jo", "Jo", {}, id="joker before tens and bauers"),
        pytest.param("AS KS Jo", "Jo", {}, id="joker before high trumps that are kept"),
        pytest.param("2S Jo", "Jo", {"rules": TAKER}, id="joker before the taker's 2"),
        pytest.param("QS 9H 8D", "QS", {"rules": Rules(first_lead="trump")}, id="trump by house rule"),
    ],
)
def test_simple_leads_as_declaring_side(hand, card, how):
    assert SIMPLE.play(view_of(hand, **how)) == card
    assert SIMPLE.play(view_of(hand, declarer=4, **how)) == card


@pytest.mark.parametrize(
    ("hand", "card", "rules"),
    [
        pytest.param("AS KS AH 2S 9D", "AS", STANDARD, id="trump ace"),
        pytest.param("KS AH 2S 9D 3S", "AH", STANDARD, id="plain ace"),
        pytest.param("KS 2S 9D 3S", "2S", STANDARD, id="the 2"),
        pytest.param("KS 2S 9D 3S", "9D", TAKER, id="no 2 where the taker gets it"),
        pytest.param("KS 9D QC 3S", "9D", STANDARD, id="low plain card"),
        pytest.param("KS 10D 3S", "3S", STANDARD, id="small trump before a plain ten"),
        pytest.param("KS 10D Jo", "KS", STANDARD, id="king before a plain ten"),
        pytest.param("10D JS Jo", "10D", STANDARD, id="plain ten before a bauer"),
    ],
)
def test_simple_leads_as_defender(hand, card, rules):
    assert SIMPLE.play(view_of(hand, declarer=2, rules=rules)) == card


def test_put_away_trumps_still_count_as_out():
    """The dealer who put away the king does not treat his queen as top."""
    view = view_of("QS JS JC 9H", seat=6, declarer=6, played="AS 2D 3D 4D 5D 6D")
    assert SIMPLE.play(replace(view, discards=("KS",))) == "9H"


# --- simple: following (seat 1 plays; seat 4 is its partner)


@pytest.mark.parametrize(
    ("hand", "leader", "trick", "card", "how"),
    [
        # a. partner's trick is safe
        pytest.param("Jo 9S JC 10D", 2, "9H 2H AH 3H 4H", "Jo", {}, id="last, partner wins: joker"),
        pytest.param("9S JC 10D", 2, "9H 2H AH 3H 4H", "JC", {}, id="last, partner wins: left before ten"),
        pytest.param(
            "2S JC 10D", 2, "9H 2H AH 3H 4H", "2S", {"rules": TAKER}, id="last, partner wins: the taker's 2"
        ),
        pytest.param("9S 10D KD", 2, "9H 2H AH 3H 4H", "10D", {}, id="last, partner wins: ten"),
        pytest.param("9S KD", 2, "9H 2H AH 3H 4H", "KD", {}, id="last, partner wins: junk"),
        pytest.param("Jo 9S", 4, "AS 3S 4S", "Jo", {}, id="partner's ace of trumps is safe"),
        pytest.param(
            "JS JC 9D", 2, "9H 2H AH 3H 4H", "9D", {"played": "AS KS QS"}, id="top trumps are not given"
        ),
        pytest.param(
            "10D 9D",
            4,
            "AH 3H 4H",
            "10D",
            {"played": ALL_TRUMPS},
            id="partner's plain ace is safe without trumps",
        ),
        # b. partner wins, not safe
        pytest.param(
            "AS KS 4D", 3, "Jo 9S 3S 4S", "KS", {}, id="partner's trick unsafe with joker in it: secure it"
        ),
        pytest.param("AS KS 4D", 4, "KH 2H 3H", "4D", {}, id="partner's trick unsafe, nothing in it: junk"),
        # c. opponent wins, nobody of them plays after
        pytest.param("AS JC 4D", 2, "9H 2H 3H AH 4H", "JC", {}, id="last: win with left"),
        pytest.param("AS Jo JC 4D", 2, "9H 2H 3H AH 4H", "Jo", {}, id="last: win with joker"),
        pytest.param("10H 2H", 2, "9H 3H 4H 5H 6H", "10H", {}, id="last: win with the plain ten"),
        pytest.param("AH KH 2H", 2, "9H 3H 4H QH 6H", "KH", {}, id="last: win with a plain card"),
        pytest.param("9S 5S 4D", 2, "KH 3H 4H 2H 6H", "5S", {}, id="last: ruff an ace or king"),
        pytest.param("9S 5S 4D", 2, "QH 3H 4H 2H 6H", "4D", {}, id="last: do not ruff a queen"),
        pytest.param("2S 5S 4D", 2, "KH 3H 4H 2H 6H", "2S", {}, id="last: ruff with the 2"),
        pytest.param("KS 4D", 2, "10H 3H 4H 2H 6H", "KS", {}, id="last: king for a ten"),
        pytest.param("KS 4D", 2, "AH 3H 4H 2H 6H", "4D", {}, id="last: no king for less"),
        pytest.param("JC 4D", 5, "9H 2H", "4D", {}, id="only the partner after: like last"),
        # d. opponent wins, another plays after
        pytest.param("AS KS 4D", 6, "Jo", "KS", {}, id="joker in it: cheapest sure card"),
        pytest.param("AS KS 4D", 4, "9H JC 2H", "KS", {}, id="left in it: cheapest sure card"),
        pytest.param("QS JC 4D", 5, "KH AH", "QS", {}, id="two aces and kings in it: any winner but a bauer"),
        pytest.param("QS JC 4D", 5, "3H AH", "4D", {}, id="one ace in it: no ruff"),
        pytest.param("QS JC 4D", 6, "10H", "QS", {}, id="a ten in it: any winner but a bauer"),
        pytest.param("JC 4D", 6, "10H", "4D", {}, id="a ten in it: no bauer"),
        pytest.param("AH KH 2H", 6, "9H", "AH", {}, id="little in it: plain ace"),
        pytest.param("KH 2H", 6, "9H", "2H", {}, id="little in it: low card"),
    ],
)
def test_simple_follows(hand, leader, trick, card, how):
    assert SIMPLE.play(view_of(hand, declarer=2, leader=leader, trick=trick, **how)) == card


@pytest.mark.parametrize(
    ("hand", "card", "rules"),
    [
        ("KD 10D 3S 2S AS Jo", "KD", STANDARD),
        ("10D 3S 2S AS Jo", "2S", STANDARD),
        ("10D 3S 2S AS Jo", "3S", TAKER),
        ("10D QS AS Jo", "QS", STANDARD),
        ("10D JC JS Jo 10S", "10D", STANDARD),
        ("JC JS Jo", "Jo", STANDARD),
        ("JC JS", "JC", STANDARD),
        ("2S Jo", "Jo", TAKER),
    ],
)
def test_simple_throws_plain_cards_small_trumps_court_cards_tens_then_points(hand, card, rules):
    """The trick is lost to the ace of trumps or to a seat that plays later."""
    view = view_of(hand, declarer=2, leader=6, trick="AH", rules=rules)
    assert SIMPLE.play(view) == card


# --- what a bot may see


class Spy:
    """Ask a bot, then turn every hidden card into another, and ask again."""

    def __init__(self, bot, rng):
        self.bot, self.rng, self.table, self.asked = bot, rng, None, 0

    def trump(self, view):
        return self.twice(view, "trump")

    def bid(self, view):
        return self.twice(view, "bid")

    def exchange(self, view):
        return self.twice(view, "exchange")

    def play(self, view):
        return self.twice(view, "play")

    def twice(self, view, question):
        answer = getattr(self.bot, question)(view)
        other = shuffled(self.table, view.seat, self.rng).view(view.seat)
        assert other == view
        assert getattr(self.bot, question)(other) == answer
        self.asked += 1
        return answer


def shuffled(table, seat, rng):
    """Copy a table with all cards that a seat has not seen dealt anew."""
    seen = {*table.hands[seat], *table.discards.get(seat, ()), *table.trick}
    seen |= {card for _, cards, _ in table.tricks for card in cards}
    hidden = [card for card in DECK if card not in seen]
    become = {card: card for card in seen} | dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def changed(cards):
        return tuple(become[card] for card in cards)

    other = copy(table)
    other.hands = {at: list(changed(cards)) for at, cards in table.hands.items()}
    other.discards = {at: changed(cards) for at, cards in table.discards.items()}
    other.exchange = [(at, changed(away), changed(drawn)) for at, away, drawn in table.exchange]
    dealt = table.dealt
    other.dealt = Dealt(
        tuple(map(changed, dealt.hands)),
        changed(dealt.singles),
        tuple(map(changed, dealt.pairs)),
        changed(dealt.rest),
    )
    return other


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("auction", [False, True], ids=["declare", "auction"])
def test_hidden_cards_do_not_change_a_decision(name, auction):
    rng = random.Random(1)
    asked = 0
    for index in range(25):
        rules = Rules(teams=rng.choice(["3x2", "2x3"]), low_to=rng.choice(["player", "taker"]))
        spy = Spy(BOTS[name], rng)
        spy.table = Table(deal_cards(41, index), rules, lambda k, index=index: word(41, index, k))
        play_table(spy.table, spy, declarer=None if auction else declarer_of(index))
        asked += spy.asked
    assert asked > 25 * 40


def test_a_view_gives_away_no_random_word_but_its_own():
    table = Table(deal_cards(41, 0), STANDARD, lambda k: word(41, 0, k))
    view = table.view(2)
    assert view.word(11) == word(41, 0, 11)
    for k in (0, 6, 7, 10, 12, 16, 72, 127):
        with pytest.raises(ValueError, match="no random word"):
            view.word(k)


@pytest.mark.parametrize("name", BOTS)
def test_bots_keep_nothing_in_mind_between_deals(name):
    bot = deepcopy(BOTS[name])
    first = play_deal(8, 3, STANDARD, bot, "auction")
    play_deal(8, 4, STANDARD, bot, "auction")
    assert play_deal(8, 3, STANDARD, bot, "auction") == first


def test_simple_beats_random():
    """Relative points of a simple team against two random ones over 300 deals: above 0 by far more than chance."""
    total = 0
    for index in range(300):
        team = index // 6 % 3
        bots = tuple(SIMPLE if place == team else RANDOM for place in range(3))
        scores = play_deal(4, index, STANDARD, bots).scores
        total += 3 * scores[team] - sum(scores)
    assert total / 2 / 300 > 0.4


def test_simple_rarely_passes_a_deal_out():
    passed = sum(play_deal(6, index, STANDARD, SIMPLE, "auction").redeal for index in range(300))
    assert passed < 30


def test_suits_are_named_alike_often_at_random():
    """400 deals, 100 for each suit expected, within 5 standard deviations."""
    named = [
        RANDOM.trump(Table(deal_cards(1, i), STANDARD, lambda k, i=i: word(1, i, k)).view(1))
        for i in range(400)
    ]
    assert all(abs(named.count(suit) - 100) < 44 for suit in SUITS)
    assert all(suit_of("Jo", suit) == suit for suit in named)
