"""What a player may do, and who wins a trick: the laws of auction, exchange and play as pure functions."""

from collections.abc import Sequence
from functools import cache

from schmier_sim.game.cards import DECK, JOKER, MATE, RANKS, Card, Suit, suit_of, trump_order
from schmier_sim.game.record import Call
from schmier_sim.game.rules import Rules

DEALER = 6
HIGHEST_BID = 6
LOWEST_BID = 3
MOST_PUT_AWAY = 3


class IllegalMove(ValueError):
    """A call, exchange or card that the rules forbid; the message is one line."""


def high_bid(auction: Sequence[Call]) -> tuple[int, int] | None:
    """Seat and bid of the highest bid so far: the last one that was made. None if all have passed."""
    for seat, bid in reversed(auction):
        if bid is not None:
            return seat, bid
    return None


def auction_is_over(auction: Sequence[Call]) -> bool:
    """Whether all six have called, or one has bid 6."""
    return len(auction) == DEALER or (bool(auction) and auction[-1][1] == HIGHEST_BID)


def legal_bids(seat: int, auction: Sequence[Call], rules: Rules) -> tuple[int, ...]:
    """Bids that a seat may make, ascending: 3 to 6, higher than every bid before.

    Under ``dealer_steals`` the dealer may also make the highest bid again, and thereby takes it over.
    """
    highest = high_bid(auction)
    lowest = LOWEST_BID if highest is None else highest[1] + 1
    if highest is not None and seat == DEALER and rules.dealer_steals:
        lowest = highest[1]
    return tuple(range(lowest, HIGHEST_BID + 1))


def may_pass(seat: int, auction: Sequence[Call], rules: Rules) -> bool:
    """Whether a seat may pass: all may, but the dealer after five passes under ``dealer-bids-3``."""
    return not (seat == DEALER and rules.all_pass == "dealer-bids-3" and high_bid(auction) is None)


def check_exchange(seat: int, hand: Sequence[Card], discards: Sequence[Card], trump: Suit) -> None:
    """Check what a seat puts away; the dealer's `hand` includes all that was left of the stock.

    Raises
    ------
    IllegalMove
        Cards that the seat does not hold; more than three, or a trump, from another than the dealer; from
        the dealer a hand that is not down to six, trumps while he has six or fewer, plain cards kept beside
        more than six, or one of ace, right, left, 2 and joker.
    """
    if len(set(discards)) != len(discards) or not set(discards) <= set(hand):
        raise IllegalMove(f"seat {seat} cannot put away {_words(discards)}: it holds {_words(hand)}")
    trumps = set(trump_order(trump))
    trumps_away = [card for card in discards if card in trumps]
    if seat != DEALER:
        if trumps_away or len(discards) > MOST_PUT_AWAY:
            raise IllegalMove(f"seat {seat} may put away at most three plain cards, not {_words(discards)}")
        return
    excess = max(0, len(trumps.intersection(hand)) - 6)
    protected = {"A" + trump, "J" + trump, "J" + MATE[trump], "2" + trump, JOKER}
    if len(hand) - len(discards) != 6:
        raise IllegalMove(f"the dealer must keep six cards, not {len(hand) - len(discards)}")
    if len(trumps_away) != excess or protected.intersection(trumps_away):
        raise IllegalMove(
            f"the dealer must put away {excess} trumps, none of ace, right, left, 2 and joker;"
            f" not {_words(trumps_away)}"
        )


def legal_cards(
    hand: Sequence[Card], trick: Sequence[Card], trump: Suit, rules: Rules, *, first_lead: bool = False
) -> tuple[Card, ...]:
    """Cards of a hand that may be played to a trick, in the hand's order.

    Parameters
    ----------
    hand, trick : sequence of cards
        The cards held, and those played to the trick so far; none if this one leads.
    first_lead : bool
        True for the lead to the first trick.
    """
    if not (trick or (first_lead and rules.first_lead == "trump")):
        return tuple(hand)
    wanted = suit_of(trick[0], trump) if trick else trump
    suits = [suit_of(card, trump) for card in hand]
    if wanted not in suits:
        return tuple(hand)
    allowed = (wanted, trump) if rules.trump_anytime else (wanted,)
    return tuple(card for card, suit in zip(hand, suits, strict=True) if suit in allowed)


def winning_place(trick: Sequence[Card], trump: Suit) -> int:
    """Find the place (0 leads) that wins a trick so far: highest trump, else highest of the suit led."""
    strength = _strengths(suit_of(trick[0], trump), trump)
    strengths = [strength[card] for card in trick]
    return strengths.index(max(strengths))


@cache
def _strengths(led: Suit, trump: Suit) -> dict[Card, int]:
    """Map every card to the number by which it wins a trick: trumps 101..115, the suit led 1..13, others 0."""
    strength = dict.fromkeys(DECK, 0)
    strength |= {rank + led: number for number, rank in enumerate(RANKS, start=1)}
    strength |= {card: number for number, card in enumerate(reversed(trump_order(trump)), start=101)}
    return strength


def _words(cards: Sequence[Card]) -> str:
    return " ".join(cards) if cards else "no card"
