"""What a seat may know when it decides, and what a bot is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from schmier_sim.game.cards import Card, Suit
from schmier_sim.game.record import Call, Trick
from schmier_sim.game.rules import Rules


def _no_words(k: int) -> int:
    raise ValueError(f"no random word {k} in this view")


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat knows at the moment of a decision; two views are equal if it knows the same.

    Parameters
    ----------
    seat : int
        1..6.
    rules : Rules
        The rules in force.
    hand : tuple of cards
        The cards held now, in canonical order; for the dealer's exchange with what was left of the stock.
    auction : tuple of (seat, bid or None)
        The calls so far.
    bids : tuple of int
        The bids that may be made now, ascending; empty outside the auction.
    may_pass : bool
        Whether one may pass now.
    declarer, bid, trump
        None as long as they are not known.
    exchanged : tuple of int
        How many cards the seats from 1 on have put away, as far as the exchange has gone.
    discards : tuple of cards
        What this seat has put away.
    tricks : tuple of (leader, cards, winner)
        The tricks that are over.
    leader : int or None
        Who leads, or has led, to the trick that is on.
    trick : tuple of cards
        The cards played to it so far, the leader's first.
    legal : tuple of cards
        The cards that may be played now, in canonical order.
    word : function of int
        The seat's own random words by address; ValueError for any other, for it would tell hidden cards.
    """

    seat: int
    rules: Rules
    hand: tuple[Card, ...]
    auction: tuple[Call, ...] = ()
    bids: tuple[int, ...] = ()
    may_pass: bool = True
    declarer: int | None = None
    bid: int | None = None
    trump: Suit | None = None
    exchanged: tuple[int, ...] = ()
    discards: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    leader: int | None = None
    trick: tuple[Card, ...] = ()
    legal: tuple[Card, ...] = ()
    word: Callable[[int], int] = field(default=_no_words, compare=False, repr=False)

    @property
    def team(self) -> int:
        """Team of this seat."""
        return self.rules.team(self.seat)

    @property
    def trumps_named(self) -> Suit:
        """Trumps, where they are known. ValueError where they are not."""
        if self.trump is None:
            raise ValueError("no trumps are named yet")
        return self.trump

    @property
    def declares(self) -> bool:
        """Whether this seat is of the declaring team."""
        return self.declarer is not None and self.rules.team(self.declarer) == self.team


class Bot(Protocol):
    """A player: four decisions, each from a view alone."""

    def trump(self, view: View) -> Suit:
        """Name trumps, holding the six cards dealt."""

    def bid(self, view: View) -> int | None:
        """Call: one of ``view.bids``, or None to pass."""

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Choose the cards to put away."""

    def play(self, view: View) -> Card:
        """Choose one of ``view.legal``."""
