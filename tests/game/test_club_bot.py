"""The bot `club` in plain Python: single decisions that any strong player would agree with, and what it may not know.

In every position the cards asked for are better than any other by at least 0.15 points, in play-outs of 2000 worlds.
"""

import hashlib
import json
import lzma
import random
from array import array
from copy import copy
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.game import club_bot
from schmier_sim.game.cards import DECK, in_order, trump_order
from schmier_sim.game.club_bot import ABOUT_PATH, PATH, SIZE, STARTS, ClubBot, weights
from schmier_sim.game.dealing import TEMPER_NAMES, Dealt, deal_cards, declarer_of
from schmier_sim.game.laws import legal_cards, winning_place
from schmier_sim.game.reference import Table, play_table
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import View
from schmier_sim.game.words import word

STANDARD = Rules()
CLUB = ClubBot()


def position(hand, seat, trick="", declarer=1, earlier=()):
    """Look at a hand, spades trumps; `earlier` tricks are the cards from the leader on, the declarer the first."""
    cards, on_table = tuple(hand.split()), tuple(trick.split())
    leader, tricks = declarer, []
    for played in map(str.split, earlier):
        winner = (leader + winning_place(played, "S") - 1) % 6 + 1
        tricks.append((leader, tuple(played), winner))
        leader = winner
    seen = [*cards, *on_table, *(card for _, played, _ in tricks for card in played)]
    assert len(set(seen)) == len(seen) == 6 + 6 * len(tricks) - len(tricks) + len(on_table)
    assert (leader + len(on_table) - seat) % 6 == 0
    return View(
        seat=seat,
        rules=STANDARD,
        hand=in_order(cards),
        declarer=declarer,
        trump="S",
        exchanged=(3, 3, 3, 3, 3, 2),
        tricks=tuple(tricks),
        leader=leader,
        trick=on_table,
        legal=in_order(legal_cards(cards, on_table, "S", STANDARD)),
    )


ACE_GONE = ("AS 3S 7S 5S 6S 9S",)
"""The declarer has led the ace of trumps to the first trick."""


def case(reason, hand, seat, right, trick="", earlier=(), declarer=1):
    return pytest.param(position(hand, seat, trick, declarer, earlier), right.split(), id=reason)


@pytest.mark.parametrize(
    ("view", "right"),
    [
        # Points and tens go where the partner has the trick for certain. Seat 4 is the declarer's partner.
        case("joker on partner's ace", "Jo 7S QS KD 8H 3C", 4, "Jo", "AS 5S 4S"),
        case("left on partner's ace", "JC 7S QS KD 8H 3C", 4, "JC", "AS 5S 4S"),
        case(
            "right on partner's ace: king and queen may take it later",
            "JS 7S 4S KD 8H 3C",
            4,
            "JS",
            "AS 5S 3S",
        ),
        case("a point before anything else on partner's ace", "JC Jo 4S KD 8H 3C", 4, "JC Jo", "AS 5S 3S"),
        case(
            "ten of trumps on partner's ace: card points for game", "10S 4S 9D 8H 3C 2C", 4, "10S", "AS 5S 3S"
        ),
        case(
            "ten, not queen, on partner's ace: the queen wins again",
            "10S QS 9D 8H 3C 2C",
            4,
            "10S",
            "AS 5S 3S",
        ),
        case("no queen on partner's ace: it wins again", "QS 2S 4S 8H 3C 2C", 4, "2S 4S", "AS 5S 3S"),
        case("neither king nor queen on partner's ace", "QS 3S KS 9D 8D 7C", 4, "3S", "AS 5S 4S"),
        case("joker on partner's king: the ace is in hand", "AS Jo 9D 8H 3C 2C", 4, "Jo", "KS 5S 3S"),
        case("no ace on partner's king: it was safe", "AS 4S 9D 8H 3C 2C", 4, "4S", "KS 5S 3S"),
        case("joker on partner's king: the ace is gone", "Jo 4S 9D 8D 7C", 4, "Jo", "KS 8S 10S", ACE_GONE),
        case("left on partner's king: the ace is gone", "JC 4S 9D 8D 7C", 4, "JC", "KS 8S 10S", ACE_GONE),
        case(
            "no queen on partner's king once the ace is gone",
            "QS 4S 9D 8D 7C",
            4,
            "4S",
            "KS 8S 10S",
            ACE_GONE,
        ),
        case("no king on partner's queen: it was safe", "KS 4S 9D 8D 7C", 4, "4S", "QS 8S 10S", ACE_GONE),
        case("joker, not king, on partner's queen", "KS Jo 9D 8D 7C", 4, "Jo", "QS 8S 10S", ACE_GONE),
        case("plain ten on partner's top trump", "10D 9D 8D 7C 3C", 4, "10D", "KS 8S 10S", ACE_GONE),
        # The dealer plays last; seat 3 is his partner.
        case("joker on partner's trick, last", "Jo 9D KC 4S 5S 8C", 6, "Jo", "9H 2H AH 3H 4H"),
        case("left on partner's trick, last", "JC 9D KC 4S 5S 8C", 6, "JC", "9H 2H AH 3H 4H"),
        case("a point before a ten, last", "JS 9D KC 10D 5S 8C", 6, "JS", "9H 2H AH 3H 4H"),
        case("joker, not king, on partner's queen, last", "Jo KS 9D 8D 7C 3C", 6, "Jo", "8S 3S QS 4S 5S"),
        case("left, not king, on partner's queen, last", "JC KS 9D 8D 7C 3C", 6, "JC", "8S 3S QS 4S 5S"),
        case("ten, not ace, on partner's right, last", "4S 10S AS 8D 7C 3C", 6, "10S", "8S 3S JS 6S 5S"),
        case("small trump on partner's queen, last", "4S KS AS 8D 7C 3C", 6, "4S", "8S 3S QS 6S 5S"),
        case("no ace or king ruffs partner's trick", "AS KS 9D 8D 7C 3C", 6, "9D 8D 7C 3C", "9H 2H AH 3H 4H"),
        case(
            "no king or queen ruffs partner's trick", "KS QS 9D 8D 7C 3C", 6, "9D 8D 7C 3C", "9H 2H AH 3H 4H"
        ),
        # The last to play takes what is worth more than the card.
        case("nine takes the joker", "9S 4S 9D 8D 7C 3C", 6, "9S", "5S 7S 3S Jo 8S"),
        case("king takes the joker: a point is worth it", "KS 4S 9D 8D 7C 3C", 6, "KS", "5S 7S 3S Jo 8S"),
        case("queen takes the left, the ace stays", "AS QS 3S 8D 7C 3C", 6, "QS", "7S JC 2S 4S 5S"),
        case("queen takes the right", "QS 3S 9D 8D 7C 3C", 6, "QS", "7S JS 2S 4S 5S"),
        case("queen takes joker and left", "QS 4S 9D 8D 7C 3C", 6, "QS", "5S 7S 3S Jo JC"),
        case("small trump ruffs over the joker", "4S 9S 9D 8D 7C 3C", 6, "4S 9S", "9H 3H 4H Jo 6H"),
        case("small trump ruffs a ten and an ace", "4S 9D 8D 7C 3C 2C", 6, "4S", "10H 3H 4H AH 6H"),
        case("small trump, not the ace, ruffs a ten", "AS 4S 9D 8D 7C 3C", 6, "4S", "10H 3H 4H 5H KH"),
        case("small trump, not the king, ruffs two tens", "4S KS 9D 8D 7C 3C", 6, "4S", "10H 3H 4H 10D KH"),
        case("even the king ruffs two tens", "KS 9D 8D 7C 3C 2C", 6, "KS", "10H 3H 4H 10D KH"),
        # It wins with the card whose point it banks.
        case("left wins itself", "JC AS 3S 8D 7C 3C", 6, "JC", "7S 4S 2S 9S 6S"),
        case("left wins before the ten", "JC 10S 3S 8D 7C 3C", 6, "JC", "7S 4S 2S 9S 6S"),
        case("right wins itself, the king stays", "JS KS 3S 8D 7C 3C", 6, "JS", "7S 4S 2S 9S 6S"),
        case("left, not king, takes a ten", "JC KS 9D 8D 7C 3C", 6, "JC", "10S 3S 5S 6S 7S"),
        case("joker ruffs", "Jo AS 9D 8D 7C 3C", 6, "Jo", "9H 3H 4H 5H 6H"),
        case("left ruffs", "JC 4S 9D 8D 7C 3C", 6, "JC", "9H 3H 4H 5H 6H"),
        case("plain ten wins itself", "10H 3H 8D 7C 3C 4C", 6, "10H", "9H 2H 4H 8H 5H"),
        case("ten of trumps wins itself", "10S 3S 8D 7C 3C 4C", 6, "10S", "9S 2S 4S 8S 5S"),
        # A point on the table is taken before opponents who are still to play, too.
        case("ace or king takes the joker", "AS KS 4S 9D 8D 3C", 3, "AS KS", "8S Jo"),
        case("ace takes the left", "AS 4S 9D 8D 3C 7C", 3, "AS", "8S JC"),
        case("ace takes the joker that was led", "AS 4S 9D 8D 7C 3C", 2, "AS", "Jo"),
        # A worthless trick is left.
        case("no ace or king ruffs nothing, last", "AS KS 9D 8D 7C 3C", 6, "9D 8D 7C 3C", "9H 3H 4H 5H 6H"),
        case("no ace or king ruffs nothing, third", "AS KS 9D 8D 7C 3C", 3, "9D 8D 7C 3C", "9H 3H"),
        # What is lost costs as little as can be.
        case("small trump, not the king, under the ace", "KS 4S 9D 8D 7C 3C", 3, "4S", "AS 3S"),
        case("the 2, not the king, under the ace: its point is safe", "KS 2S 9D 8D 7C 3C", 3, "2S", "AS 3S"),
        case("the 2, not the left, under the ace", "JC 2S 9D 8D 7C 3C", 3, "2S", "AS 3S"),
        case("small trump, not the left, under the ace", "JC 4S 9D 8D 7C 3C", 3, "4S", "AS 3S"),
        case("small trump, not the joker, under the ace", "Jo 4S 9D 8D 7C 3C", 3, "4S", "AS 3S"),
        case("small trump, not the ten, under the ace", "10S 4S 9D 8D 7C 3C", 3, "4S", "AS 3S"),
        case("queen, not right, under the ace: a point is worth more", "QS JS 9D 8D 7C 3C", 3, "QS", "AS 3S"),
        case("queen, not joker, under the ace: a point is worth more", "QS Jo 9D 8D 7C 3C", 3, "QS", "AS 3S"),
        case("small trump, not the left, under the queen", "JC 4S 9D 8D 7C 3C", 3, "4S", "QS 5S"),
        case("small trump, not the right, under the king", "JS 4S 9D 8D 7C 3C", 3, "4S", "KS 5S"),
        case("no left under an opponent's queen", "JC 9D 8D 7C 3C 4C", 4, "9D 8D 7C 3C 4C", "9H 3H QS"),
        case("no joker under an opponent's queen", "Jo 9D 8D 7C 3C 4C", 4, "9D 8D 7C 3C 4C", "9H 3H QS"),
        case("the 2, not the queen, while the ace may come", "2S QS 9D 8D 7C 3C", 4, "2S", "KS 5S 3S"),
        # The declarer leads from the top where he can go on, and nothing that others take.
        case("three tops first", "AS KS QS 5S 4S 3S", 1, "AS KS QS"),
        case("four tops first", "AS KS QS JS 3S 8D", 1, "AS KS QS JS"),
        case("three tops before the 2", "AS KS QS 2S 8D 9H", 1, "AS KS QS"),
        case("three tops before plain cards", "AS KS QS 9D 8D 3H", 1, "AS KS QS"),
        case("on from the top: bauers are out", "KS QS 8S 9D 7C", 1, "KS QS", earlier=ACE_GONE),
        case("on from the top with the 2 in hand", "KS QS 2S 9D 7C", 1, "KS QS", earlier=ACE_GONE),
        case("no joker led", "AS 7S 5S 9D 8D Jo", 1, "AS 7S 5S 9D 8D"),
        case("no right led under ace and queen", "JS KS 7S 5S 9D 3C", 1, "KS 7S 5S 9D 3C"),
        case("no left led under ace and queen", "JC KS 7S 5S 9D 3C", 1, "KS 7S 5S 9D 3C"),
    ],
)
def test_club_plays(view, right):
    assert set(right) < set(view.legal)
    assert CLUB.play(view) in right


@pytest.mark.parametrize(
    ("view", "right"),
    [
        case("ace takes the king that was led, second", "AS 5S 4S QH 7H KD", 2, "AS", "KS"),
        case(
            "ace takes the king that was led, before the partner",
            "AS 5S 4S QH 7H KD",
            4,
            "AS",
            "KS",
            declarer=3,
        ),
    ],
)
def test_the_ace_takes_a_king_that_was_led(view, right):
    assert CLUB.play(view) in right


@pytest.mark.xfail(reason="0.4 to 0.7 points each by play-outs, but not in the tables yet", strict=True)
@pytest.mark.parametrize(
    ("view", "right"),
    [
        case("ace takes the queen that was led", "AS JS 5S 2S AH JC", 6, "AS", "QS", declarer=5),
        case("queen is the top trump: joker goes", "QS KH 8H 6C 8D Jo", 4, "Jo", "AS 5S 7S KS", declarer=6),
    ],
)
def test_club_should_play(view, right):
    assert CLUB.play(view) in right


@pytest.mark.parametrize(
    "hand",
    [
        "JS QH 5H 3H KC 3C AD 7D",
        "JS AH 4H 8C 7C 4C JD 4D",
        "4S 6H 2H JC 8C 3C KD JD",
        "JC 3S KH 8H KD 7D 6C 5C",
        "JC JS 9H 3H KD 5C 4C 3C",
    ],
)
def test_the_dealer_leaves_himself_as_few_plain_suits_as_he_can(hand):
    """Void in a suit he ruffs, and a bauer or a small trump wins the trick itself."""
    view = View(6, STANDARD, in_order(hand.split()), declarer=2, trump="S", exchanged=(3, 3, 3, 3, 3))
    away = CLUB.exchange(view)
    plain = [card for card in view.hand if card not in trump_order("S")]
    suits = [
        len({card[-1] for card in plain if card not in gone})
        for gone in combinations(plain, len(view.hand) - 6)
    ]
    assert len({card[-1] for card in plain if card not in away}) == min(suits)


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("AS JC Jo 9S 3S AH KD QD", "AS JC Jo 9S 3S"),
        ("3S 4S 5S 6S 7S 8S AH AD", "3S 4S 5S 6S 7S 8S"),
        ("AS KS QS JS 10S 9S 3S 2S Jo AH", "AS KS QS JS 2S Jo"),
    ],
)
def test_the_dealer_keeps_all_trumps_and_of_more_than_six_the_best(hand, kept):
    view = View(6, STANDARD, in_order(hand.split()), declarer=2, trump="S", exchanged=(3, 3, 3, 3, 3))
    away = CLUB.exchange(view)
    assert len(away) == len(view.hand) - 6
    assert set(kept.split()).isdisjoint(away)


@pytest.mark.parametrize("declarer", range(1, 7))
def test_whoever_draws_puts_away_three_plain_cards_and_no_trump(declarer):
    """Whatever is drawn is worth more than a plain card, an ace or a ten too."""
    for seat in range(1, 6):
        for hand, n in (("AS 9S AH 10D KD 3C", 3), ("2S 3S 4S Jo AH AD", 2), ("AS KS QS JS JC 10S", 0)):
            view = View(
                seat,
                STANDARD,
                in_order(hand.split()),
                declarer=declarer,
                trump="S",
                exchanged=(3,) * (seat - 1),
            )
            away = CLUB.exchange(view)
            assert len(away) == n
            assert not set(away) & set(trump_order("S"))


# --- what club may not know


class Doubter:
    """Ask `club`, turn every card that the seat has not seen into another, and ask again."""

    def __init__(self, tempers, rng):
        self.club, self.rng, self.table = ClubBot(tempers=tempers), rng, None

    def trump(self, view):
        return self.ask("trump", view)

    def bid(self, view):
        return self.ask("bid", view)

    def exchange(self, view):
        return self.ask("exchange", view)

    def play(self, view):
        return self.ask("play", view)

    def ask(self, question, view):
        other = self.other_world(view).view(view.seat)
        assert other == view
        answer = getattr(self.club, question)(view)
        assert getattr(self.club, question)(other) == answer
        return answer

    def other_world(self, view):
        table = self.table
        known = {
            *view.hand,
            *view.discards,
            *view.trick,
            *(card for _, cards, _ in view.tricks for card in cards),
        }
        hidden = [card for card in DECK if card not in known]
        become = dict(zip(hidden, self.rng.sample(hidden, len(hidden)), strict=True))

        def turned(cards):
            return tuple(become.get(card, card) for card in cards)

        other = copy(table)
        other.hands = {seat: list(turned(cards)) for seat, cards in table.hands.items()}
        other.discards = {seat: turned(cards) for seat, cards in table.discards.items()}
        other.exchange = [(seat, turned(away), turned(drawn)) for seat, away, drawn in table.exchange]
        dealt = table.dealt
        other.dealt = Dealt(
            tuple(map(turned, dealt.hands)),
            turned(dealt.singles),
            tuple(map(turned, dealt.pairs)),
            turned(dealt.rest),
        )
        return other


@given(
    index=st.integers(0, 2**40),
    auction=st.booleans(),
    tempers=st.sampled_from(TEMPER_NAMES),
    teams=st.sampled_from(["3x2", "2x3"]),
    low_to=st.sampled_from(["player", "taker"]),
    trump_anytime=st.booleans(),
    first_lead=st.sampled_from(["any", "trump"]),
    rng=st.randoms(use_true_random=False),
)
def test_hidden_cards_change_no_call_no_suit_no_exchange_and_no_card(
    index, auction, tempers, teams, low_to, trump_anytime, first_lead, rng
):
    rules = Rules(teams=teams, low_to=low_to, trump_anytime=trump_anytime, first_lead=first_lead)
    doubter = Doubter(tempers, random.Random(rng.random()))
    doubter.table = Table(deal_cards(6, index), rules, partial(word, 6, index))
    play_table(doubter.table, doubter, declarer=None if auction else declarer_of(index))


def renamed(card, suits):
    return card if card == "Jo" else card[:-1] + suits[card[-1]]


@given(index=st.integers(0, 2**40), turn=st.integers(1, 3))
def test_turning_the_suits_turns_the_play(index, turn):
    """Spades become hearts and so on round the table of suits; the two colours stay pairs."""
    suits = dict(zip("SHCD", ("SHCD" * 2)[turn : turn + 4], strict=True))

    class Turned:
        """Ask `club` about the same deal in other suits."""

        exchange = CLUB.exchange
        trump = CLUB.trump

        def play(self, view):
            other = View(
                seat=view.seat,
                rules=view.rules,
                hand=in_order(renamed(card, suits) for card in view.hand),
                declarer=view.declarer,
                trump=suits[view.trump],
                tricks=tuple(
                    (leader, tuple(renamed(card, suits) for card in cards), winner)
                    for leader, cards, winner in view.tricks
                ),
                leader=view.leader,
                trick=tuple(renamed(card, suits) for card in view.trick),
                legal=in_order(renamed(card, suits) for card in view.legal),
            )
            card = CLUB.play(view)
            assert CLUB.play(other) == renamed(card, suits)
            return card

    play_table(Table(deal_cards(7, index), STANDARD), Turned(), declarer=declarer_of(index))


# --- the tables


def test_the_tables_that_ship_are_whole():
    data = lzma.decompress(PATH.read_bytes())
    assert len(data) == 2 * SIZE
    assert len(weights()) == SIZE
    assert STARTS[-1] + (1 << club_bot.BITS[-1]) == club_bot.KEEP_START
    if ABOUT_PATH.exists():
        about = json.loads(ABOUT_PATH.read_text(encoding="utf-8"))
        assert about["sha256"] == hashlib.sha256(PATH.read_bytes()).hexdigest()


def test_every_table_weighs_something():
    for start, bits in zip(STARTS, club_bot.BITS, strict=True):
        assert any(weights()[start : start + (1 << bits)])


@pytest.mark.parametrize("size", [0, 1, SIZE - 1, SIZE + 1, 3 * SIZE])
def test_tables_of_another_size_are_refused_in_one_line(size, monkeypatch, tmp_path):
    other = tmp_path / PATH.name
    other.write_bytes(lzma.compress(array("h", bytes(2 * size)).tobytes(), preset=0))
    monkeypatch.setattr(club_bot, "PATH", other)
    with pytest.raises(ValueError, match=PATH.name) as refusal:
        weights.__wrapped__()
    assert "\n" not in str(refusal.value)
    assert str(size) in str(refusal.value) or "damaged" in str(refusal.value)


def test_tables_of_nothing_leave_the_lowest_card():
    """Of equally heavy cards the lowest is played, so every choice of the bot comes from its tables."""
    nothing = ClubBot(tables=array("h", bytes(2 * SIZE)))
    assert nothing.play(position("AS 7S 5S 9D 8D Jo", 1)) == "Jo"
    assert nothing.play(position("KS 4S 9D 8D 7C 3C", 3, "AS 3S")) == "4S"
