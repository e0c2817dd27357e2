"""What a seat knows when it puts cards away or plays one, in the terms of a player; and what `club` makes of it.

All of it follows from the seat's view (`game.view.View`).
"""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from itertools import combinations

from schmier_sim.game.cards import JOKER, MATE, Card, card_points, in_order, suit_of, trump_order
from schmier_sim.game.club_bot import KEEP_CLASSES, KEEP_START, Look, weights
from schmier_sim.game.holdings import HAND_SIZE
from schmier_sim.game.laws import DEALER, MOST_PUT_AWAY, winning_place
from schmier_sim.game.reference_bots import ascending
from schmier_sim.game.view import View

DRAW, KEEP, LEAD, FOLLOW = "draw", "keep", "lead", "follow"
"""Decisions: how many plain cards to put away (as many as one may, or one fewer), which ones, what to lead, what to
play to a trick that is on."""
RICH = 10
"""Card points from which a trick is worth taking without a point in it."""

Away = tuple[Card, ...]


class Exchange:
    """An exchange: which plain cards may go, and what `club` makes of those that stay.

    Parameters
    ----------
    view : View
        Of a seat that is to put cards away.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        trump = view.trumps_named
        self.plain = ascending((card for card in view.hand if suit_of(card, trump) != trump), trump)
        self.dealer = view.seat == DEALER
        trumps = len(view.hand) - len(self.plain)
        self.excess = self.dealer and trumps > HAND_SIZE
        self.least = HAND_SIZE - trumps if self.dealer else max(len(self.plain) - MOST_PUT_AWAY, 0)

    def options(self, decision: str) -> list[Away]:
        """Sets of cards to put away; none where there is no choice of this kind."""
        if self.excess or (decision == DRAW and (self.dealer or self.least == len(self.plain))):
            return []
        if decision == KEEP:
            return [self._away(kept) for kept in combinations(self.plain, self.least)]
        sizes = (self.least, self.least + 1)
        return [self._away(kept) for size in sizes for kept in combinations(self.plain, size)]

    def _away(self, kept: Collection[Card]) -> Away:
        return in_order(card for card in self.plain if card not in kept)

    def kept(self, away: Away) -> list[Card]:
        """Plain cards that stay."""
        return [card for card in self.plain if card not in away]

    def weight(self, away: Away) -> int:
        """What the plain cards that stay are worth to `club`."""
        role = 2 * int(self.dealer) + int(not self.view.declares)
        first = KEEP_START + role * (len(KEEP_CLASSES) + 1)
        *worths, cost = weights()[first : first + len(KEEP_CLASSES) + 1]
        kept = self.kept(away)
        classes = (card[:-1] if card[:-1] in KEEP_CLASSES else "x" for card in kept)
        return sum(worths[KEEP_CLASSES.index(name)] for name in classes) - cost * len(suits(kept))


class Sight:
    """A card to be played: what rules speak of.

    Parameters
    ----------
    view : View
        Of a seat that is to play a card.
    """

    def __init__(self, view: View) -> None:
        self.view, self.trump, self.cards = view, view.trumps_named, view.legal
        self.order = trump_order(self.trump)
        self.ace, self.king, self.queen, self.two = (rank + self.trump for rank in ("A", "K", "Q", "2"))
        self.points = {"J" + self.trump, "J" + MATE[self.trump], JOKER}
        """The cards whose point goes to whoever takes them."""
        self.leads = not view.trick
        self.leader = view.leader or view.seat
        self.place = len(view.trick)

    @cached_property
    def out(self) -> list[Card]:
        """Trumps that others hold, from the highest."""
        seen = {card for _, cards, _ in self.view.tricks for card in cards}
        seen.update(self.view.trick, self.view.hand)
        return [card for card in self.order if card not in seen]

    @cached_property
    def behind(self) -> list[int]:
        """Seats of opponents who have yet to play to this trick."""
        seats = ((self.leader + place - 1) % 6 + 1 for place in range(self.place + 1, 6))
        return [seat for seat in seats if self.view.rules.team(seat) != self.view.team]

    @cached_property
    def trumps_behind(self) -> list[int]:
        """Those of them who have not shown that they are out of trumps."""
        spent = {
            (leader + place - 1) % 6 + 1
            for leader, cards, _ in self.view.tricks
            if cards[0] in self.order
            for place, card in enumerate(cards)
            if card not in self.order
        }
        return [seat for seat in self.behind if seat not in spent]

    @cached_property
    def best_place(self) -> int:
        """Place of the card that wins so far."""
        return winning_place(self.view.trick, self.trump)

    @property
    def best(self) -> Card:
        """The card that wins so far."""
        return self.view.trick[self.best_place]

    @cached_property
    def partner_wins(self) -> bool:
        """Whether that is the partner's."""
        return self.view.rules.team((self.leader + self.best_place - 1) % 6 + 1) == self.view.team

    @cached_property
    def fat(self) -> int:
        """Card points in the trick."""
        return sum(card_points(card) for card in self.view.trick)

    @cached_property
    def has_point(self) -> bool:
        """Whether a bauer or the joker lies in the trick."""
        return not self.points.isdisjoint(self.view.trick)

    @cached_property
    def trumps(self) -> list[Card]:
        """Trumps that may be played."""
        return self.those(lambda card: card in self.order)

    @cached_property
    def plain(self) -> list[Card]:
        """Plain cards that may be played."""
        return self.those(lambda card: card not in self.order)

    @cached_property
    def treasures(self) -> list[Card]:
        """Bauers, joker and tens that may be played."""
        return self.those(lambda card: card in self.points or card[:-1] == "10")

    @cached_property
    def tops(self) -> list[Card]:
        """Trumps that may be played above all that are out."""
        return [card for card in self.trumps if self.is_top(card)]

    def options(self, decision: str) -> list[Card]:
        """Cards that may be played, from the lowest, if it is a decision of this kind."""
        return ascending(self.cards, self.trump) if (decision == LEAD) == self.leads else []

    @cached_property
    def _look(self) -> Look:
        return Look(self.view)

    def weight(self, card: Card) -> int:
        """What a card is worth to `club`."""
        return self._look.weight(card, weights())

    def those(self, keep: Callable[[Card], bool]) -> list[Card]:
        """Legal cards of some kind."""
        return [card for card in self.cards if keep(card)]

    def besides(self, cards: Iterable[Card]) -> list[Card]:
        """Legal cards but some."""
        left_out = set(cards)
        return self.those(lambda card: card not in left_out)

    def above(self, card: Card) -> int:
        """How many of the trumps that are out are above a trump."""
        place = self.order.index(card)
        return sum(self.order.index(other) < place for other in self.out)

    def is_top(self, card: Card) -> bool:
        """Whether a card is a trump above all that are out."""
        return card in self.order and self.above(card) == 0

    @cached_property
    def winning(self) -> list[Card]:
        """Cards that beat the trick so far."""
        trick = self.view.trick
        return self.those(lambda card: winning_place((*trick, card), self.trump) == len(trick))

    @cached_property
    def void(self) -> bool:
        """Whether a plain suit is led that the seat does not hold."""
        led = suit_of(self.view.trick[0], self.trump)
        return led != self.trump and all(suit_of(card, self.trump) != led for card in self.cards)

    @cached_property
    def partner_holds(self) -> bool:
        """Whether the partner's card wins, and nobody who plays after can beat it."""
        if not self.partner_wins:
            return False
        if self.best in self.order:
            return not self.trumps_behind or self.is_top(self.best)
        return not self.behind or (self.best[:-1] == "A" and not self.out)

    @property
    def rich(self) -> bool:
        """Whether a bauer, the joker or ten card points lie in the trick."""
        return self.has_point or self.fat >= RICH


def suits(cards: Iterable[Card]) -> set[str]:
    """Suits of plain cards."""
    return {card[-1] for card in cards}
