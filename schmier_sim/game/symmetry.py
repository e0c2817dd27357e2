"""Suits that may change places: the rules tell suits apart by nothing but their colours.

Both suits of one colour can be exchanged, and the two colours as a whole: eight permutations in all.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

from schmier_sim.game.cards import JOKER, MATE, SUITS, Card, Suit, in_order, mask_of
from schmier_sim.game.record import DealRecord

Relabelling = dict[Suit, Suit]

RELABELLINGS: tuple[Relabelling, ...] = tuple(
    relabelling
    for order in permutations(SUITS)
    for relabelling in (dict(zip(SUITS, order, strict=True)),)
    if all(relabelling[MATE[suit]] == MATE[relabelling[suit]] for suit in SUITS)
)


def relabel(card: Card, suits: Relabelling) -> Card:
    """Return the card that takes a card's place."""
    return card if card == JOKER else card[:-1] + suits[card[-1]]


def inverse(suits: Relabelling) -> Relabelling:
    """Return the permutation that undoes another."""
    return {new: old for old, new in suits.items()}


def standard_form(cards: Iterable[Card]) -> Relabelling:
    """Find how to relabel suits so that all hands which are alike become the same one."""
    held = tuple(cards)
    return max(RELABELLINGS, key=lambda suits: mask_of(relabel(card, suits) for card in held))


def alike(cards: Iterable[Card]) -> dict[Suit, Relabelling]:
    """Find, for each suit, how it takes the place of the first one that it can take without any change to a hand."""
    held = frozenset(cards)
    same = [suits for suits in RELABELLINGS if {relabel(card, suits) for card in held} == held]
    return {suit: min(same, key=lambda suits: SUITS.index(suits[suit])) for suit in SUITS}


def relabel_deal(record: DealRecord, suits: Relabelling) -> DealRecord:
    """Return the same deal with other suits."""

    def cards(old: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(relabel(card, suits) for card in old)

    return replace(
        record,
        hands=tuple(in_order(cards(hand)) for hand in record.hands),
        stock=cards(record.stock),
        trump=None if record.trump is None else suits[record.trump],
        exchange=tuple(
            (seat, in_order(cards(away)), in_order(cards(drawn))) for seat, away, drawn in record.exchange
        ),
        tricks=tuple((leader, cards(played), winner) for leader, played, winner in record.tricks),
    )
