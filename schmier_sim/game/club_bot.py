"""The bot `club` in plain Python: every legal card is weighed by sums from tables, and the heaviest is played.

A card's weight is the sum of one entry from each of seven tables, in thousandths of a point.  The tables are addressed
by small numbers that say what the card is and what the seat knows: what becomes of the trick, which trumps are out,
what else is held, how the game point stands.  Their entries ship (`data/club-play.bin.xz`) and are learned from
play-outs (``scripts/tune``).  The bid is not among what is looked at: one play-out serves all four bids.

The kernels' twin is `kernel.bots.club_bot`.
"""

import lzma
import sys
from array import array
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

from schmier_sim.game import club_bids
from schmier_sim.game.cards import DECK, JOKER, MATE, SUITS, Card, Suit, card_points, suit_of, trump_order
from schmier_sim.game.holdings import HAND_SIZE
from schmier_sim.game.laws import DEALER, MOST_PUT_AWAY, winning_place
from schmier_sim.game.reference_bots import SimpleBot, ascending
from schmier_sim.game.view import View

PATH = Path(__file__).resolve().parent.parent / "data" / "club-play.bin.xz"
ABOUT_PATH = PATH.with_name("club-play.json")
"""How the tables were made."""

BITS = (16, 16, 15, 15, 16, 14, 16)
"""Bits of an address in each of the tables."""
STARTS = tuple(sum(1 << bits for bits in BITS[:i]) for i in range(len(BITS)))
"""Where each table begins in the flat array."""
KEEP_CLASSES = ("A", "K", "Q", "J", "10", "x")
"""Plain cards as the exchange values them; x is 2 to 9."""
KEEP_START = sum(1 << bits for bits in BITS)
"""Where the numbers of the exchange begin, role by role: worth of keeping a card of each class, cost of a suit."""
KEEP_ROLES = 4
"""Declaring, defending; declaring as dealer, defending as dealer."""
SIZE = KEEP_START + KEEP_ROLES * (len(KEEP_CLASSES) + 1)

_PACK = frozenset(DECK)
_LEADS, _WINS, _FRIEND, _LOST = range(4)
"""Kinds of card: led, beats the trick so far, leaves it to the partner, leaves it to an opponent."""
_TRUMP_CLASSES = ("Jo", "2", "x", "10", "L", "R", "Q", "K", "A")
_PLAIN_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "L", "J", "Q", "K", "A")


@cache
def weights() -> Sequence[int]:
    """Entries of all tables, one after the other."""
    numbers = array("h", lzma.decompress(PATH.read_bytes()))
    if sys.byteorder == "big":
        numbers.byteswap()
    if len(numbers) != SIZE:
        raise ValueError(
            f"{PATH.name} holds {len(numbers)} weights: wanted {SIZE}; install the program again"
        )
    return numbers


class ClubBot:
    """A strong club player: bids and plays by what the same has brought in millions of deals."""

    def __init__(
        self,
        tables: Sequence[int] | None = None,
        tempers: str = "normal",
        curves: Sequence[int] | None = None,
    ) -> None:
        self._tables, self.tempers, self.curves = tables, tempers, curves

    @property
    def tables(self) -> Sequence[int]:
        """The numbers that it plays by: those that ship, or others."""
        return weights() if self._tables is None else self._tables

    def trump(self, view: View) -> Suit:
        """Name the suit that is worth most at the bid."""
        return club_bids.name_trumps(view)

    def bid(self, view: View) -> int | None:
        """Make the call that is worth most."""
        return club_bids.call(view, self.tempers, self.curves)

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Keep all trumps and the plain cards that are worth most together: good ones, of few suits."""
        trump = view.trumps_named
        plain = [card for card in view.hand if suit_of(card, trump) != trump]
        trumps = len(view.hand) - len(plain)
        dealer = view.seat == DEALER
        if dealer and trumps > HAND_SIZE:
            return _EXCHANGER.exchange(view)
        count = HAND_SIZE - trumps if dealer else max(len(plain) - MOST_PUT_AWAY, 0)
        role = 2 * int(dealer) + int(not view.declares)
        kept = self._kept(ascending(plain, trump), count, role, trump)
        return tuple(card for card in plain if card not in kept)

    def _kept(self, plain: list[Card], count: int, role: int, trump: Suit) -> list[Card]:
        """The plain cards to keep: of every set of suits the best ones, of these the best; of equals the first."""
        first = KEEP_START + role * (len(KEEP_CLASSES) + 1)
        *worths, cost = self.tables[first : first + len(KEEP_CLASSES) + 1]
        suits = [SUITS[(SUITS.index(trump) + i) % 4] for i in (1, 2, 3)]

        def worth(card: Card) -> int:
            return worths[KEEP_CLASSES.index(_class_name(card))]

        best: list[Card] = []
        most = -1_000_000
        for number in range(1, 8):
            chosen = [suit for bit, suit in enumerate(suits) if number >> bit & 1]
            cards = [card for card in plain if card[-1] in chosen]
            cards.sort(key=lambda card: (-worth(card), KEEP_CLASSES.index(_class_name(card))))
            kept = cards[:count]
            value = sum(worth(card) for card in kept) - cost * len({card[-1] for card in kept})
            if len(kept) == count and value > most:
                best, most = kept, value
        return best

    def play(self, view: View) -> Card:
        """Play the heaviest card, of equal ones the lowest."""
        cards = ascending(view.legal, view.trumps_named)
        if len(cards) == 1:
            return cards[0]
        look = Look(view)
        return max(cards, key=lambda card: look.weight(card, self.tables))


_EXCHANGER = SimpleBot()


def _class_name(card: Card) -> str:
    """Class of a plain card in the exchange."""
    return card[:-1] if card[:-1] in KEEP_CLASSES else "x"


class Look:
    """What a seat sees before it plays a card, in the small numbers that address the tables."""

    def __init__(self, view: View) -> None:
        trump = view.trumps_named
        rules = view.rules
        assert view.leader is not None
        assert view.declarer is not None
        self.view, self.trump, self.order = view, trump, trump_order(trump)
        self.number = len(view.tricks)
        self.place = len(view.trick)
        self.seen = [card for _, cards, _ in view.tricks for card in cards]
        known = {*self.seen, *view.trick, *view.hand}
        self.unknown = _PACK - known
        self.out = [card for card in self.order if card not in known]
        self.own_trumps = sum(card in self.order for card in view.hand)
        self.leads = not view.trick

        seats = [(view.leader + place - 1) % 6 + 1 for place in range(6)]
        self.friends = [place for place in range(6) if rules.team(seats[place]) == view.team]
        self.opponents = [place for place in range(6) if place not in self.friends]
        voids = _voids(view)
        self.voids = {place: voids[seats[place]] for place in range(6)}
        self.in_play = sum(place > self.place for place in self.opponents)
        self.behind = sum(place > self.place and trump not in self.voids[place] for place in self.opponents)
        self.partner_behind = any(place > self.place for place in self.friends)
        self.declares = view.declares
        self.declarer = seats.index(view.declarer)

        taken = dict.fromkeys(range(1, rules.n_teams + 1), 0)
        for _, cards, winner in view.tricks:
            taken[rules.team(winner)] += sum(card_points(card) for card in cards)
        self.mine = taken.pop(view.team)
        self.ahead = self.mine - max(taken.values())

        self.fat = sum(card_points(card) for card in view.trick)
        prey = {"J" + trump, "J" + MATE[trump], JOKER} | ({"2" + trump} if rules.low_to == "taker" else set())
        self.prey = sum(card in prey for card in view.trick)
        if view.trick:
            winner = winning_place(view.trick, trump)
            self.best = view.trick[winner]
            self.friend_wins = winner in self.friends
            by_declarer = rules.team(seats[winner]) == rules.team(view.declarer)
            self.lost_to = 1 if by_declarer else 0

    def weight(self, card: Card, tables: Sequence[int]) -> int:
        """Weight of a legal card, in thousandths of a point."""
        return sum(tables[start + at] for start, at in zip(STARTS, self.addresses(card), strict=True))

    def addresses(self, card: Card) -> tuple[int, ...]:
        """Address of a legal card in each of the tables."""
        kind = self._kind(card)
        role = int(self.declares)
        class_ = self._class(card)
        return (
            role << 15 | self._prospect(card, kind) << 8 | self.stake << 4 | class_,
            role << 15 | kind << 13 | self.level << 10 | self.own_trumps << 7 | self.number << 4 | class_,
            role << 14 | kind << 12 | self.named_out << 4 | class_,
            role << 14 | kind << 12 | self.named_held << 4 | class_,
            self._suit(card, kind),
            self.place << 11 | self._whose(card, kind) << 9 | self.side << 7 | self.number << 4 | class_,
            kind << 14 | self.game << 7 | self.number << 4 | class_,
        )

    @cached_property
    def level(self) -> int:
        """How many trumps are out, in steps."""
        return _steps(len(self.out), (0, 1, 2, 3, 4, 6, 8))

    @cached_property
    def named_out(self) -> int:
        """Which of the named trumps are out."""
        return self._named(self.out)

    @cached_property
    def named_held(self) -> int:
        """Which of the named trumps are held."""
        return self._named(self.view.hand)

    def _kind(self, card: Card) -> int:
        if self.leads:
            return _LEADS
        if winning_place((*self.view.trick, card), self.trump) == self.place:
            return _WINS
        return _FRIEND if self.friend_wins else _LOST

    def _class(self, card: Card) -> int:
        """Trumps: joker 0, 2, 3 to 9, 10, left, right, Q, K, A 8; plain: 2 to 9 9, 10, J, Q, K, A 14."""
        if card in self.order:
            return _TRUMP_CLASSES.index(self._name(card))
        return (
            9
            if card[:-1] in _PLAIN_RANKS[:8]
            else _PLAIN_RANKS.index(card[:-1]) + (1 if card[:-1] == "10" else 0) + 1
        )

    def _name(self, card: Card) -> str:
        """Name of a trump: its rank, x for 3 to 9, R and L for the bauers."""
        if card == JOKER:
            return "Jo"
        if card[:-1] == "J":
            return "R" if card[-1] == self.trump else "L"
        return card[:-1] if card[:-1] in _TRUMP_CLASSES else "x"

    def _named(self, cards: Sequence[Card]) -> int:
        """Which of joker, 2, 10, left, right, Q, K, A of trumps are among some cards: eight bits."""
        names = [name for name in _TRUMP_CLASSES if name != "x"]
        held = {self._name(card) for card in cards if card in self.order}
        return sum(1 << bit for bit, name in enumerate(names) if name in held)

    def _above(self, card: Card) -> int:
        """How many trumps that are out are higher than a card: all of them, where it is plain."""
        if card not in self.order:
            return 0
        return sum(other in self.out for other in self.order[: self.order.index(card)])

    def _higher(self, card: Card) -> int:
        """How many plain cards of its suit that were not seen are higher than a card."""
        return len(_plain_above(card, self.trump) & self.unknown)

    def _prospect(self, card: Card, kind: int) -> int:
        """Who will have the trick after this card, and how surely: seven bits."""
        if kind == _LEADS:
            if card in self.order:
                return min(self._above(card), 7)
            return 8 + min(self._higher(card), 3) * 4 + _some(len(self.out))
        if kind == _WINS:
            return self._danger(card, 2)
        if kind == _FRIEND:
            return 57 + self._danger(self.best, 1)
        height = 0
        if self.best in self.order:
            height = 1 + (0 if self._above(self.best) == 0 else 1 if self._above(self.best) <= 2 else 2)
        return 102 + (2 * self.lost_to + int(self.partner_behind)) * 4 + height

    def _danger(self, card: Card, most_higher: int) -> int:
        """Danger to the winning card: 0 none, to 20 for a trump, from 21 on for a plain card."""
        if card in self.order:
            above = self._above(card)
            if above == 0 or self.behind == 0:
                return 0
            level = above - 1 if above <= 3 else 3 if above <= 5 else 4
            return level * 4 + self.behind
        if self.in_play == 0 or (self._higher(card) == 0 and not self.out):
            return 0
        return (
            21
            + (min(self._higher(card), most_higher) * 3 + min(_some(len(self.out)), 2)) * 4
            + self.in_play
            - 1
        )

    @cached_property
    def stake(self) -> int:
        """Points (up to two) and card points in the trick; 15 before a lead."""
        if self.leads:
            return 15
        return min(self.prey, 2) * 5 + _steps(self.fat, (1, 4, 9, 14))

    def _suit(self, card: Card, kind: int) -> int:
        """How the card stands in its suit."""
        suit = suit_of(card, self.trump)
        length = sum(suit_of(other, self.trump) == suit for other in self.view.hand)
        role = int(self.declares)
        if suit == self.trump:
            above = min(self._above(card), 7)
            # Once the partner has played, his bit tells that he is overtaken.
            partner = self.partner_behind or (kind == _WINS and self.friend_wins)
            behind = int(partner) << 5 | int(self.in_play > 0) << 4
            return 1 << 15 | kind << 13 | length << 10 | above << 7 | role << 6 | behind | self._class(card)
        played = any(suit_of(other, self.trump) == suit for other in self.seen)
        return (
            role << 14
            | kind << 12
            | _some(len(self.out)) << 10
            | min(self.own_trumps, 3) << 8
            | min(length - 1, 3) << 6
            | int(played) << 5
            | int(self._higher(card) > 1) << 4
            | (_PLAIN_RANKS.index(card[:-1]) + 1)
        )

    def _whose(self, card: Card, kind: int) -> int:
        """Whose the trick was; for a lead who can ruff, or how many opponents have no trumps."""
        if kind == _WINS:
            return int(self.friend_wins)
        if kind == _FRIEND:
            return 1
        if kind == _LOST:
            return 2 + self.lost_to
        if card in self.order:
            spent = sum(self.trump in self.voids[place] for place in self.opponents)
            return _steps(spent, (0, 2, 3))
        suit = suit_of(card, self.trump)
        ruff = [
            place for place in range(6) if suit in self.voids[place] and self.trump not in self.voids[place]
        ]
        by_opponents = any(place in self.opponents for place in ruff)
        by_partner = any(place in self.friends and place != self.place for place in ruff)
        return int(by_opponents) | int(by_partner) << 1

    @cached_property
    def side(self) -> int:
        """Declarer 0, his partner 1; a defender 2 where the declarer plays later (a leader: sits far), else 3."""
        if self.declares:
            return 0 if self.declarer == self.place else 1
        return 2 if self.declarer > (2 if self.leads else self.place) else 3

    @cached_property
    def game(self) -> int:
        """Card points in the trick, and how the game point stands."""
        fat = _steps(self.fat, (3, 9, 14))
        much = _steps(self.mine, (5, 13, 23))
        ahead = _steps(self.ahead, (-13, -4, 3, 12))
        return fat << 5 | much << 3 | ahead


def _voids(view: View) -> dict[int, set[Suit]]:
    """Suits of which each seat has shown in a finished trick that it holds none."""
    trump = view.trumps_named
    voids: dict[int, set[Suit]] = {seat: set() for seat in range(1, 7)}
    for leader, cards, _ in view.tricks:
        led, *others = (suit_of(card, trump) for card in cards)
        for seat, own in enumerate(others, start=leader):
            if own != led and not (view.rules.trump_anytime and own == trump):
                voids[seat % 6 + 1].add(led)
    return voids


@cache
def _plain_above(card: Card, trump: Suit) -> frozenset[Card]:
    """The plain cards of a card's suit that are higher; none for a trump."""
    suit = suit_of(card, trump)
    if suit == trump:
        return frozenset()
    same = [other for other in DECK if suit_of(other, trump) == suit]
    rank = _PLAIN_RANKS.index(card[:-1])
    return frozenset(other for other in same if _PLAIN_RANKS.index(other[:-1]) > rank)


def _steps(n: int, most: Sequence[int]) -> int:
    """How many of the bounds a number is above."""
    return sum(n > bound for bound in most)


def _some(n: int) -> int:
    """0, 1 to 3, 4 to 7, more: 0 to 3."""
    return _steps(n, (0, 3, 7))
