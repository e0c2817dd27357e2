"""Masks of trump-relative hands: bit = 4 * row + column, trumps in column 3.

Rows from the bottom: joker, 2, 3, …, 9, 10, left bauer, jack (right bauer), queen, king, ace (`game.cards`).  Ranks run
across the suits, so the lowest set bit of the plain cards is the lowest rank of any suit, and within a suit a higher
card is a higher number.
"""

from typing import Any

import numpy as np

from schmier_sim.game import cards
from schmier_sim.kernel.bits import U0, U1, U2, U3, U4, count, sel, u64
from schmier_sim.kernel.jit import inline


def _relative(*names: str) -> np.uint64:
    """Mask of cards once spades are trumps (then columns are S 3, H 0, C 1, D 2)."""
    return u64(cards.relative(cards.mask_of(names), "S"))


def _all(rank: str) -> np.uint64:
    return _relative(*(rank + suit for suit in cards.SUITS))


DECK = u64(cards.mask_of(cards.DECK))  # natural, not relative
TRUMPS = _relative(*cards.trump_order("S"))
PLAIN = u64(int(_relative(*cards.DECK)) & ~int(TRUMPS))
ACE, KING, QUEEN, RIGHT, LEFT, TEN, TWO, JOKER = (
    _relative(name) for name in ("AS", "KS", "QS", "JS", "JC", "10S", "2S", "Jo")
)
SMALL = _relative(*(rank + "S" for rank in "3456789"))
ACES, KINGS, QUEENS, TENS = (_all(rank) for rank in ("A", "K", "Q", "10"))
JACKS = u64(int(_all("J")) | int(LEFT))  # the plain jacks and both bauers: one card point each
PLAIN_ACES = ACES & PLAIN
COLUMN = u64(0x0111_1111_1111_1111)  # column 0; shifted left for the others
DISCARDABLE_TRUMPS = u64(int(TRUMPS) & ~int(ACE | RIGHT | LEFT | TWO | JOKER))
LED_TRUMP = u64(1 << 62)  # set in a trick's best card, as a number, when it is a trump
_MATE_JACK = u64(1 << 45)  # where the left bauer stands when only the columns have been turned
_S8, _S16, _S32 = u64(8), u64(16), u64(32)
_TEN_POINTS = u64(10)
_C1, _C2 = COLUMN << U1, COLUMN << U2
_NIBBLES = u64(0x1111_1111_1111_1111)  # one row more than there is: a turn pushes the aces' row there


@inline
def wrapped_columns(shift: Any) -> Any:
    """The columns that a turn by `shift` (0..3) columns fills from the other end."""
    one, two, three = (
        sel(shift > U0, _NIBBLES, U0),
        sel(shift > U1, _NIBBLES, U0),
        sel(shift > U2, _NIBBLES, U0),
    )
    return one | (two << U1) | (three << U2)


@inline
def relative(natural: Any, shift: Any, wrapped: Any) -> Any:
    """A natural mask as it stands once trumps are named: `shift` = 3 - trump's column, `wrapped` its columns."""
    joker = natural & U1
    turned = natural ^ joker
    turned = ((turned << shift) & ~wrapped) | ((turned >> (U4 - shift)) & wrapped)
    jack = turned & _MATE_JACK
    return (turned ^ jack) | (jack >> U2) | (joker << U3)


@inline
def trumps_up_to(trumps: Any) -> Any:
    """All trumps' places at or below the highest of some trumps."""
    trumps |= trumps >> U4
    trumps |= trumps >> _S8
    trumps |= trumps >> _S16
    return trumps | (trumps >> _S32)


@inline
def highest_trump(trumps: Any) -> Any:
    """The highest of some trumps; 0 of none."""
    reached = trumps_up_to(trumps)
    return reached ^ (reached >> U4)


@inline
def suit_of(card: Any) -> Any:
    """Mask of the suit of one card."""
    plain = sel(card & COLUMN != U0, COLUMN, sel(card & _C1 != U0, _C1, _C2))
    return sel(card & TRUMPS != U0, TRUMPS, plain)


@inline
def card_points(cards: Any) -> Any:
    """Card points of some cards."""
    return (
        _TEN_POINTS * count(cards & TENS)
        + U4 * count(cards & ACES)
        + U3 * count(cards & KINGS)
        + U2 * count(cards & QUEENS)
        + count(cards & (JACKS | JOKER))
    )
