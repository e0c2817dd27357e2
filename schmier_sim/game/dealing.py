"""Dealing from addressed random numbers, as the kernels deal, but with lists and in the open.

The stock is not a queue: three cards are set aside for each of the seats 1 to 5, of which one is its
*single* and two its *pair*. A seat that draws one card gets the single, two the pair, three all; the
dealer gets whatever is not drawn. Because every order of the stock is as likely as any other, this is the
same game as drawing from the top, and no seat's cards depend on how many others draw.
"""

from dataclasses import dataclass
from math import comb

from schmier_sim.game.cards import DECK, MATE, Card, in_order, trump_order
from schmier_sim.game.holdings import HOLDINGS, NAMED, Holding
from schmier_sim.game.words import RESERVE_WORD, STRATIFIED_WORD, chain, subset, word

MODES: tuple[str, ...] = ("declare", "auction")
"""Who declares: each seat in turn, or the highest bidder."""

SAMPLES: tuple[str, ...] = ("natural", "stratified")
"""Which hands are dealt: any, or those of each class of trump holdings equally often."""

TEMPER_NAMES: tuple[str, ...] = ("normal", "cautious", "bold", "mixed")
"""How readily the bot `club` bids; mixed: each seat draws one of the other three in each deal."""

STRATIFIED_TRUMP = "S"


@dataclass(frozen=True)
class Dealt:
    """Where all 53 cards lie before the first call.

    Parameters
    ----------
    hands : tuple of 6 tuples of 6 cards
        Seats 1..6, in canonical order.
    singles : tuple of 5 cards
        What each of the seats 1..5 draws if it draws one card.
    pairs : tuple of 5 tuples of 2 cards
        What each of the seats 1..5 draws if it draws two.
    rest : tuple of 2 cards
        What the dealer gets in any case.
    """

    hands: tuple[tuple[Card, ...], ...]
    singles: tuple[Card, ...]
    pairs: tuple[tuple[Card, ...], ...]
    rest: tuple[Card, ...]

    def drawn(self, seat: int, count: int) -> tuple[Card, ...]:
        """Cards that one of the seats 1..5 draws if it draws `count` (0..3), in canonical order."""
        single, pair = (self.singles[seat - 1],), self.pairs[seat - 1]
        return in_order(((), single, pair, single + pair)[count])

    def left(self, counts: tuple[int, ...]) -> tuple[Card, ...]:
        """Cards left for the dealer when seats 1..5 have drawn `counts`, in canonical order."""
        kept = [self.drawn(seat, (3, 2, 1, 0)[count]) for seat, count in enumerate(counts, start=1)]
        return in_order((*self.rest, *(card for cards in kept for card in cards)))


def declarer_of(index: int) -> int:
    """Seat 1..6 that declares deal `index` when there is no auction."""
    return index % 6 + 1


def class_of(index: int) -> int:
    """Class 0..768 of the trumps that the declarer of a stratified deal holds."""
    return index // 6 % len(HOLDINGS)


def deal_cards(seed: int, index: int, sample: str = "natural") -> Dealt:
    """Deal `index` of a seed.

    Parameters
    ----------
    seed, index : int
        Address of the random numbers.
    sample : "natural" | "stratified"
        Natural: six random hands. Stratified: seat ``index % 6 + 1`` holds the trumps of class
        ``index // 6 % 769`` in spades, everything else is random.
    """
    remaining = list(DECK)
    hands: dict[int, tuple[Card, ...]] = {}
    first_seat = 1
    if sample == "stratified":
        first_seat = declarer_of(index)
        hand = _hand_of_class(HOLDINGS[class_of(index)], word(seed, index, STRATIFIED_WORD))
        remaining = [card for card in remaining if card not in hand]
        hands[first_seat] = in_order(hand)
    for h in range(len(hands), 6):
        hands[(first_seat + h - 1) % 6 + 1] = _two_triples(remaining, word(seed, index, h))
    singles, pairs = _reserve(remaining, word(seed, index, RESERVE_WORD))
    return Dealt(tuple(hands[seat] for seat in range(1, 7)), singles, pairs, in_order(remaining))


def _two_triples(remaining: list[Card], random: int) -> tuple[Card, ...]:
    hand = []
    for _ in range(2):
        index, random = chain(random, comb(len(remaining), 3))
        hand += _take(remaining, 3, index)
    return in_order(hand)


def _reserve(remaining: list[Card], random: int) -> tuple[tuple[Card, ...], tuple[tuple[Card, ...], ...]]:
    triples = []
    for _ in range(5):
        index, random = chain(random, comb(len(remaining), 3))
        triples.append(_take(remaining, 3, index))
    singles = []
    for triple in triples:
        place, random = chain(random, 3)
        singles.append(triple.pop(place))
    return tuple(singles), tuple(in_order(pair) for pair in triples)


def _hand_of_class(holding: Holding, random: int) -> list[Card]:
    """Six cards with the trumps of a class in spades: named ones, random small ones, random plain ones."""
    card_of = {name: name + STRATIFIED_TRUMP for name, _ in NAMED}
    card_of |= {"R": "J" + STRATIFIED_TRUMP, "L": "J" + MATE[STRATIFIED_TRUMP], "Jo": "Jo"}
    hand = [card_of[name] for name, value in NAMED if holding.held & value]
    small = [str(rank) + STRATIFIED_TRUMP for rank in range(3, 10)]
    index, random = chain(random, comb(len(small), holding.small))
    hand += _take(small, holding.small, index)

    plain = [card for card in DECK if card not in trump_order(STRATIFIED_TRUMP)]
    wanted = 6 - holding.trumps
    for count in (min(3, wanted), wanted - min(3, wanted)):
        index, random = chain(random, comb(len(plain), count))
        hand += _take(plain, count, index)
    return hand


def _take(cards: list[Card], m: int, index: int) -> list[Card]:
    """Take the index-th m-subset out of a list."""
    taken = [cards[place] for place in subset(len(cards), m, index)]
    for card in taken:
        cards.remove(card)
    return taken
