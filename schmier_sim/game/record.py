"""What happened in one deal, from the hands to the scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from schmier_sim.game.cards import Card, Suit

SCHEMA = "schmier-sim/deal/1"

Call = tuple[int, int | None]
"""A seat 1..6 and its call in the auction: None (pass) or a bid 3..6."""

Exchange = tuple[int, tuple[Card, ...], tuple[Card, ...]]
"""A seat 1..6, the cards that it put away and the cards that it drew."""

Trick = tuple[int, tuple[Card, ...], int]
"""The leader's seat, the six cards in the order played, and the winner's seat."""


@dataclass(frozen=True)
class DealRecord:
    """One deal. Seats are 1..6 (6 deals), teams 1..3 (or 1..2).

    Parameters
    ----------
    hands : tuple of 6 tuples of 6 cards
        The cards dealt to seats 1..6, in canonical order.
    stock : tuple of 17 cards
        The next to be drawn first.
    auction : tuple of (seat, bid or None)
        Empty if the declarer was named without an auction.
    redeal : bool
        True if all passed: then there is no declarer, no exchange and no trick, and nobody scores.
    declarer, bid, trump
        None where there is none.
    exchange : tuple of 6 (seat, discards, drawn)
        Each set in canonical order. What the dealer drew is all that was left.
    tricks : tuple of 6 (leader, cards in the order played, winner)
    points : dict of str to int or None
        For each of the six points the team that won it, None for nobody.
    game_points : tuple of int
        Card points won by each team.
    scores : tuple of int
        What each team scores; without a bid, the points that it won.
    """

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    auction: tuple[Call, ...]
    redeal: bool
    declarer: int | None
    bid: int | None
    trump: Suit | None
    exchange: tuple[Exchange, ...]
    tricks: tuple[Trick, ...]
    points: dict[str, int | None]
    game_points: tuple[int, ...]
    scores: tuple[int, ...]

    def to_json(self, seed: int, index: int, rules_name: str) -> dict[str, Any]:
        """Return the deal as the object that ``deal --json`` writes, for ``json.dumps``.

        Parameters
        ----------
        seed, index : int
            Where the deal's random numbers come from.
        rules_name : str
            Name of the rules in force.
        """
        return {
            "schema": SCHEMA,
            "seed": seed,
            "index": index,
            "rules": rules_name,
            "hands": {str(seat): list(hand) for seat, hand in enumerate(self.hands, start=1)},
            "stock": list(self.stock),
            "auction": [{"seat": seat, "bid": bid} for seat, bid in self.auction],
            "redeal": self.redeal,
            "declarer": self.declarer,
            "bid": self.bid,
            "trump": self.trump,
            "exchange": [
                {"seat": seat, "discards": list(discards), "drawn": list(drawn)}
                for seat, discards, drawn in self.exchange
            ],
            "tricks": [
                {"leader": leader, "cards": list(cards), "winner": winner}
                for leader, cards, winner in self.tricks
            ],
            "points": dict(self.points),
            "game_points": _by_team(self.game_points),
            "scores": _by_team(self.scores),
        }


def _by_team(numbers: Iterable[int]) -> dict[str, int]:
    return {str(team): number for team, number in enumerate(numbers, start=1)}
