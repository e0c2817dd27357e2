"""The 53 cards: their codes, their bits, and how they stand once trumps are named.

A card is a string, rank then suit: ``"AS"``, ``"10D"``, ``"2C"``, and ``"Jo"`` for the joker.
A set of cards can also be one integer mask. Its bit ``4 * row + column`` stands for a card:

* column: the suit, S H C D = 0..3 (the two suits of one colour are two columns apart);
* row: 0 joker, 1 = "2", 2 = "3", ... 8 = "9", 9 = "10", 10 left bauer, 11 = J, 12 = Q, 13 = K, 14 = A.

In a *natural* mask no trumps are named: the joker is bit 0 and row 10 is empty. In a *relative* mask the
columns are rotated so that trumps are column 3, with joker and left bauer in their places there. So all
15 trumps are the bits of ``TRUMPS`` in rank order, and the lowest bit of any set is its lowest rank.
"""

from collections.abc import Iterable

Card = str
Suit = str

SUITS: tuple[Suit, ...] = ("S", "H", "C", "D")
MATE: dict[Suit, Suit] = {"S": "C", "C": "S", "H": "D", "D": "H"}
RANKS: tuple[str, ...] = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
JOKER: Card = "Jo"
POINTS: tuple[str, ...] = ("high", "low", "right", "left", "joker", "game")
CARD_POINTS_TOTAL = 81
TRUMPS = 0x888_8888_8888_8888

_ROWS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14)
_ROW_OF_RANK = dict(zip(RANKS, _ROWS, strict=True))
_CARD_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}
_TRUMP_COLUMN = 3
_MATE_COLUMN = 1
_LEFT_BIT = 1 << (4 * 10 + _TRUMP_COLUMN)
_MATE_JACK_BIT = 1 << (4 * 11 + _MATE_COLUMN)
_JOKER_BIT = 1 << _TRUMP_COLUMN
_EVERY_ROW = 0x111_1111_1111_1111

_CARD_AT: dict[int, Card] = {0: JOKER} | {
    4 * row + column: rank + suit for rank, row in _ROW_OF_RANK.items() for column, suit in enumerate(SUITS)
}
_BIT_OF: dict[Card, int] = {card: position for position, card in _CARD_AT.items()}

DECK: tuple[Card, ...] = tuple(_CARD_AT[position] for position in sorted(_CARD_AT))
"""All 53 cards in ascending natural bit order: the joker, the four twos, ... the four aces."""

CANONICAL: tuple[Card, ...] = (*(rank + suit for suit in SUITS for rank in reversed(RANKS)), JOKER)
"""All 53 cards in the order in which they are shown: S H C D, each from the ace down, the joker last."""

_PLACE = {card: place for place, card in enumerate(CANONICAL)}


def bit(card: Card) -> int:
    """Position 0..59 of a card's bit in a natural mask. KeyError for what is no card."""
    return _BIT_OF[card]


def mask_of(cards: Iterable[Card]) -> int:
    """Natural mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << _BIT_OF[card]
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """Cards of a natural mask in canonical order. ValueError if a bit stands for no card."""
    cards = []
    rest = mask
    while rest > 0:
        lowest = rest & -rest
        position = lowest.bit_length() - 1
        if position not in _CARD_AT:
            raise ValueError(f"bit {position} stands for no card in a natural mask")
        cards.append(_CARD_AT[position])
        rest ^= lowest
    return in_order(cards)


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort cards canonically: S H C D, each from the ace down, the joker last."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def relative(mask: int, trump: Suit) -> int:
    """Relative mask of a natural one, for trumps ``trump``."""
    shift = _TRUMP_COLUMN - SUITS.index(trump)
    turned = _rotate(mask & ~1, shift)
    if turned & _MATE_JACK_BIT:
        turned ^= _MATE_JACK_BIT | _LEFT_BIT
    return turned | (_JOKER_BIT if mask & 1 else 0)


def natural(relative_mask: int, trump: Suit) -> int:
    """Natural mask of a relative one: the inverse of `relative`."""
    mask = relative_mask & ~_JOKER_BIT
    if mask & _LEFT_BIT:
        mask ^= _MATE_JACK_BIT | _LEFT_BIT
    shift = SUITS.index(trump) - _TRUMP_COLUMN
    return _rotate(mask, shift) | (1 if relative_mask & _JOKER_BIT else 0)


def _rotate(mask: int, columns: int) -> int:
    turned = 0
    for column in range(4):
        turned |= ((mask >> column) & _EVERY_ROW) << ((column + columns) % 4)
    return turned


def _trump_order(trump: Suit) -> tuple[Card, ...]:
    ranks = ("10", "9", "8", "7", "6", "5", "4", "3", "2")
    honours = tuple(rank + trump for rank in ("A", "K", "Q", "J"))
    return (*honours, "J" + MATE[trump], *(rank + trump for rank in ranks), JOKER)


_TRUMP_ORDER = {trump: _trump_order(trump) for trump in SUITS}
_SUIT_OF = {
    trump: {card: trump if card in order else card[-1] for card in DECK}
    for trump, order in _TRUMP_ORDER.items()
}


def trump_order(trump: Suit) -> tuple[Card, ...]:
    """List the 15 trumps, high to low: A K Q right left 10 9 ... 2 joker."""
    return _TRUMP_ORDER[trump]


def suit_of(card: Card, trump: Suit) -> Suit:
    """Suit to which a card belongs in play; the left bauer and the joker belong to trumps."""
    return _SUIT_OF[trump][card]


def card_points(card: Card) -> int:
    """Card points: ace 4, king 3, queen 2, jack 1, ten 10, joker 1, else 0."""
    return 1 if card == JOKER else _CARD_POINTS.get(card[:-1], 0)
