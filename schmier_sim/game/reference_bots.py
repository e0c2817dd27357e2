"""The bots `random` and `simple`, written as one would explain them.

Sets of cards are lists. Where several cards of a set would do, the lowest by rank is taken, whatever its
suit: joker 2 3 ... 9 10 left J Q K A, trumps after the other suits of the same rank (`lowest`).
"""

from collections.abc import Iterable, Sequence
from functools import cache

from schmier_sim.game.cards import DECK, JOKER, MATE, SUITS, Card, Suit, suit_of, trump_order
from schmier_sim.game.laws import DEALER, LOWEST_BID, MOST_PUT_AWAY, high_bid, winning_place
from schmier_sim.game.view import View
from schmier_sim.game.words import SUIT_WORD, bid_word, draw, exchange_word, play_word

SIMPLE_BIDS: tuple[int, int, int, int] = (300, 370, 430, 520)
"""`simple` bids 3, 4, 5 or 6 from these values of its best suit on, in hundredths of a point."""

SUIT_VALUE_BASE = 156
SUIT_VALUE_PER_TRUMP = 3
SUIT_VALUES: dict[str, int] = {
    "A": 161, "2": 71, "K": 47, "R": 43, "L": 32, "Q": 31, "10": 8, "Jo": 7,
}  # fmt: skip
"""Value of a suit in hundredths of a point: the base, each trump, and each named trump besides."""

_RANKS = ("Jo", "2", "3", "4", "5", "6", "7", "8", "9", "10", "L", "J", "Q", "K", "A")


def ascending(cards: Iterable[Card], trump: Suit) -> list[Card]:
    """Sort cards by rank, whatever their suit; of one rank, the suits after trumps in turn, trumps last."""
    return sorted(cards, key=_places(trump).__getitem__)


@cache
def _places(trump: Suit) -> dict[Card, int]:
    def key(card: Card) -> tuple[int, int]:
        suit = suit_of(card, trump)
        rank = "Jo" if card == JOKER else "L" if card == "J" + MATE[trump] else card[:-1]
        return _RANKS.index(rank), (SUITS.index(suit) - SUITS.index(trump) - 1) % 4

    return {card: place for place, card in enumerate(sorted(DECK, key=key))}


def lowest(cards: Iterable[Card], trump: Suit) -> Card:
    """Find the lowest card by rank."""
    return ascending(cards, trump)[0]


def highest(cards: Iterable[Card], trump: Suit) -> Card:
    """Find the highest card by rank."""
    return ascending(cards, trump)[-1]


def first_nonempty(sets: Iterable[Sequence[Card]], trump: Suit) -> Card:
    """Take the lowest card of the first set that has any."""
    return next(lowest(cards, trump) for cards in sets if cards)


def suit_value(hand: Iterable[Card], trump: Suit) -> int:
    """Value of a hand with these trumps, in hundredths of a point that the declaring side makes."""
    worth = _trump_values(trump)
    return SUIT_VALUE_BASE + sum(worth[card] for card in hand if card in worth)


@cache
def _trump_values(trump: Suit) -> dict[Card, int]:
    named = {"R": "J" + trump, "L": "J" + MATE[trump], "Jo": JOKER}
    values = dict.fromkeys(trump_order(trump), SUIT_VALUE_PER_TRUMP)
    for name, value in SUIT_VALUES.items():
        values[named.get(name, name + trump)] += value
    return values


class RandomBot:
    """Every choice uniformly at random; it puts away as many plain cards as it may."""

    def trump(self, view: View) -> Suit:
        """Name any suit."""
        return SUITS[draw(view.word(SUIT_WORD), len(SUITS))]

    def bid(self, view: View) -> int | None:
        """Pass or make any legal bid."""
        options: list[int | None] = [None] if view.may_pass else []
        options += view.bids
        return options[draw(view.word(bid_word(view.seat)), len(options))]

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Put away any three plain cards; as dealer, keep the trumps and any plain cards."""
        trump = view.trumps_named
        trumps = [card for card in view.hand if suit_of(card, trump) == trump]
        plain = ascending((card for card in view.hand if card not in trumps), trump)
        if view.seat != DEALER:
            return self._pick(view, plain, min(MOST_PUT_AWAY, len(plain)))
        if len(trumps) > 6:
            can_go = [card for card in trumps if card in _may_be_put_away(trump)]
            return (*plain, *self._pick(view, ascending(can_go, trump), len(trumps) - 6))
        kept = self._pick(view, plain, 6 - len(trumps))
        return tuple(card for card in plain if card not in kept)

    def play(self, view: View) -> Card:
        """Play any legal card."""
        cards = ascending(view.legal, view.trumps_named)
        return cards[draw(view.word(play_word(view.seat, len(view.tricks))), len(cards))]

    def _pick(self, view: View, cards: list[Card], count: int) -> tuple[Card, ...]:
        left = list(cards)
        words = [view.word(exchange_word(view.seat, i)) for i in range(count)]
        return tuple(left.pop(draw(word, len(left))) for word in words)


class SimpleBot:
    """A sensible beginner: ordered rules, of which the first that applies is followed."""

    def trump(self, view: View) -> Suit:
        """Name the suit of the highest value; of equal ones the first in S H C D."""
        return max(SUITS, key=lambda suit: suit_value(view.hand, suit))

    def bid(self, view: View) -> int | None:
        """Bid what the best suit is worth, but never over a partner; the dealer no more than he needs to."""
        value = max(suit_value(view.hand, suit) for suit in SUITS)
        reached = sum(value >= threshold for threshold in SIMPLE_BIDS)
        level = LOWEST_BID - 1 + reached if reached else 0
        high = high_bid(view.auction)
        partner_has_it = high is not None and view.rules.team(high[0]) == view.team
        if level < min(view.bids) or partner_has_it:
            return None if view.may_pass else LOWEST_BID
        return min(view.bids) if view.seat == DEALER else level

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Put away three plain cards; as dealer keep trumps, aces, kings, small ones, then tens."""
        trump = view.trumps_named
        trumps = [card for card in view.hand if suit_of(card, trump) == trump]
        plain = [card for card in view.hand if card not in trumps]
        if view.seat != DEALER:
            return _take(plain, min(MOST_PUT_AWAY, len(plain)), trump, _go_first(view.declares))
        if len(trumps) > 6:
            can_go = [card for card in trumps if card in _may_be_put_away(trump)]
            return (*plain, *_take(can_go, len(trumps) - 6, trump, ((),)))
        kept = _take(plain, 6 - len(trumps), trump, (("A",), ("K",), _ALL_BUT_TENS))
        return tuple(card for card in plain if card not in kept)

    def play(self, view: View) -> Card:
        """Lead or follow."""
        if len(view.legal) == 1:
            return view.legal[0]
        sight = Sight(view)
        sets = _follow(sight) if view.trick else _lead(sight)
        return first_nonempty(sets, view.trumps_named)


_SMALL = ("3", "4", "5", "6", "7", "8", "9")
_ALL_BUT_TENS = ("2", *_SMALL, "J", "Q", "K", "A")


def _go_first(declares: bool) -> tuple[tuple[str, ...], ...]:
    """Ranks of plain cards to put away, set after set."""
    if declares:
        return (("2", *_SMALL, "J", "Q", "K"), ("10",), ("A",))
    return (("10",), _ALL_BUT_TENS)


def _take(
    cards: Sequence[Card], count: int, trump: Suit, sets: Sequence[tuple[str, ...]]
) -> tuple[Card, ...]:
    """Take cards by sets of ranks, the lowest first in each set; cards of no set last."""
    left = list(cards)
    taken = []
    for _ in range(count):
        choices = [[card for card in left if card[:-1] in ranks] for ranks in sets]
        taken.append(first_nonempty((*choices, left), trump))
        left.remove(taken[-1])
    return tuple(taken)


def _may_be_put_away(trump: Suit) -> tuple[Card, ...]:
    """Trumps that a dealer with more than six may put away."""
    return tuple(rank + trump for rank in (*_SMALL, "10", "Q", "K"))


class Sight:
    """What `simple` makes of a view: the sets of cards that its rules speak of."""

    def __init__(self, view: View) -> None:
        trump = view.trumps_named
        self.view = view
        self.trump = trump
        self.right, self.left = "J" + trump, "J" + MATE[trump]
        self.two = "2" + trump
        self.low_to_taker = view.rules.low_to == "taker"
        self.legal = list(view.legal)

        seen = {card for _, cards, _ in view.tricks for card in cards} | set(view.trick) | set(view.hand)
        order = trump_order(trump)
        self.out = [card for card in order if card not in seen]
        above_out = order[: order.index(self.out[0])] if self.out else order
        self.tops = [card for card in view.hand if card in above_out]
        self.length = sum(card in order for card in view.hand)

        self.plain = [card for card in self.legal if suit_of(card, trump) != trump]
        self.plain_aces = [card for card in self.plain if card[:-1] == "A"]
        self.tens = [card for card in self.legal if card[:-1] == "10"]
        self.small_trumps = self.trumps(*_SMALL)

    def trumps(self, *ranks: str) -> list[Card]:
        """Legal trumps of some ranks."""
        return self.these(*(rank + self.trump for rank in ranks))

    def these(self, *cards: Card) -> list[Card]:
        """Those of some cards that are legal."""
        return [card for card in self.legal if card in cards]

    @property
    def low_two(self) -> list[Card]:
        """The 2 of trumps where its point is its player's."""
        return [] if self.low_to_taker else self.these(self.two)

    @property
    def small(self) -> list[Card]:
        """Trumps to spare: 3 to 9, and the 2 where its point is its player's."""
        return self.small_trumps + self.low_two

    @property
    def prey(self) -> tuple[Card, ...]:
        """The cards whose point goes to the taker of the trick."""
        return (JOKER, self.left, self.right, *((self.two,) if self.low_to_taker else ()))


def _without(cards: Iterable[Card], *others: Iterable[Card]) -> list[Card]:
    gone = {card for other in others for card in other}
    return [card for card in cards if card not in gone]


def _lead(sight: Sight) -> list[list[Card]]:
    """List the sets to lead from, first things first."""
    top = [highest(sight.tops, sight.trump)] if sight.tops else []
    if sight.view.declares:
        cash = 2 * sight.length >= len(sight.out)
        first = [
            top if cash else [],
            _without(sight.plain, sight.tens, sight.plain_aces),
            sight.small_trumps,
            sight.plain_aces,
            sight.low_two,
            sight.these(JOKER),
        ]
    else:
        first = [
            sight.trumps("A"),
            sight.plain_aces,
            sight.low_two,
            _without(sight.plain, sight.tens),
            sight.small_trumps,
        ]
    last = [top, sight.trumps("Q", "K", "A"), sight.tens + sight.these(sight.left, sight.right), sight.legal]
    return first + last


def _follow(sight: Sight) -> list[list[Card]]:
    """List the sets to follow from, first things first."""
    view, trump = sight.view, sight.trump
    place = winning_place(view.trick, trump)
    best = view.trick[place]
    friend = view.rules.team(_seat_at(view, place)) == view.team
    still_to_play = [_seat_at(view, later) for later in range(len(view.trick) + 1, 6)]
    last = all(view.rules.team(seat) == view.team for seat in still_to_play)

    win = [card for card in sight.legal if winning_place((*view.trick, card), trump) == len(view.trick)]
    sure_aces = [] if sight.out else sight.plain_aces
    top_win = win if last else [card for card in win if card in sight.tops or card in sure_aces]
    if friend:
        if last or _holds(sight, best):
            return _give(sight) + _junk(sight)
        return [top_win if _stake(sight) else [], *_junk(sight)]
    return (_win_last(sight, win) if last else _win_early(sight, win, top_win)) + _junk(sight)


def _seat_at(view: View, place: int) -> int:
    """Seat that plays at a place 0..5 of the trick."""
    if view.leader is None:
        raise ValueError("no trick is on")
    return (view.leader + place - 1) % 6 + 1


def _holds(sight: Sight, best: Card) -> bool:
    """Whether nobody can beat the winning card: a trump with none above it out, or an ace with none out."""
    order = trump_order(sight.trump)
    if best in order:
        return not any(card in sight.out for card in order[: order.index(best)])
    return not sight.out and best[:-1] == "A"


def _stake(sight: Sight) -> bool:
    """Whether a point lies in the trick."""
    return any(card in sight.prey for card in sight.view.trick)


def _is_rich(sight: Sight) -> bool:
    """Whether the trick holds a point, a ten, or two aces and kings."""
    ranks = [card[:-1] for card in sight.view.trick]
    return _stake(sight) or "10" in ranks or ranks.count("A") + ranks.count("K") >= 2


def _is_fat(sight: Sight) -> bool:
    """Whether the trick holds a point, a ten, an ace or a king."""
    return _stake(sight) or any(card[:-1] in ("10", "A", "K") for card in sight.view.trick)


def _give(sight: Sight) -> list[list[Card]]:
    """List the sets to give to a partner whose trick is safe: points, then tens, but no top trumps."""
    return [_without(sight.these(*sight.prey), sight.tops), _without(sight.tens, sight.tops)]


def _win_last(sight: Sight, win: list[Card]) -> list[list[Card]]:
    """List the sets to win with when no opponent plays after: a point card or a ten banks itself."""
    return [
        [card for card in win if card in sight.prey],
        [card for card in win if card in sight.tens],
        [card for card in win if card in sight.plain],
        [card for card in win if card in sight.small] if _is_fat(sight) else [],
        win if _is_rich(sight) else [],
    ]


def _win_early(sight: Sight, win: list[Card], top_win: list[Card]) -> list[list[Card]]:
    """List the sets to win with when an opponent plays after."""
    if _is_rich(sight):
        return [top_win, _without(win, sight.prey, sight.tens)]
    return [[card for card in win if card in sight.plain_aces]]


def _junk(sight: Sight) -> list[list[Card]]:
    """List the sets to throw from when there is nothing to win."""
    return [
        _without(sight.plain, sight.tens),
        sight.small,
        sight.trumps("Q", "K", "A"),
        sight.tens,
        sight.legal,
    ]
