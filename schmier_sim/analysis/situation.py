"""What a player knows when it is his turn to call, checked and in the kernels' terms."""

from collections.abc import Sequence
from dataclasses import dataclass

from schmier_sim.game.cards import DECK, Card, in_order, mask_of
from schmier_sim.game.dealing import TEMPER_NAMES
from schmier_sim.game.laws import DEALER, auction_is_over, high_bid, legal_bids, may_pass
from schmier_sim.game.record import Call
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import check_bidding, check_scores, knows
from schmier_sim.game.symmetry import Relabelling, relabel, standard_form
from schmier_sim.kernel.bits import u64
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.equity import bidding_curves
from schmier_sim.kernel.simulate import STANDARD, bot_codes
from schmier_sim.kernel.unseen import Condition, Knowledge


class AdviceError(ValueError):
    """A question that cannot be answered; the message is one line that names the bad value and a right one.

    Attributes
    ----------
    about : str
        Which part of the question is wrong: seat, auction or scores; empty for any other.
    """

    def __init__(self, message: str, about: str = "") -> None:
        super().__init__(message)
        self.about = about


@dataclass(frozen=True)
class Situation:
    """What a player knows, and who the others are.

    Parameters
    ----------
    hand : tuple of 6 cards
        In canonical order.
    seat : int
        1 to 6, the dealer.
    auction : tuple of (int or None)
        The calls of the seats before, from seat 1 on; None passes.
    scores : tuple of int
        Of the own team, then of the teams to the left in order, before the deal.
    rules : Rules
    bots : str
        Who plays at all seats, and calls at the others.
    tempers : str
    heeds_calls : bool
        Whether unseen cards are drawn given the calls, or as if nobody had called yet.
    bidding : str
        What `club` bids by: the chance to win the match, or points.
    """

    hand: tuple[Card, ...]
    seat: int
    auction: tuple[int | None, ...]
    scores: tuple[int, ...]
    rules: Rules
    bots: str
    tempers: str
    heeds_calls: bool = True
    bidding: str = "points"

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far with their seats."""
        return tuple(enumerate(self.auction, start=1))

    @property
    def options(self) -> tuple[int | None, ...]:
        """Calls that the player may make; None passes."""
        passes: tuple[int | None, ...] = (None,) if may_pass(self.seat, self.calls, self.rules) else ()
        return passes + legal_bids(self.seat, self.calls, self.rules)

    @property
    def standing(self) -> tuple[int, int]:
        """Highest bid so far (0 none), and the seat 0 to 5 that holds it."""
        highest = high_bid(self.calls)
        return (0, 0) if highest is None else (highest[1], highest[0] - 1)

    @property
    def dealers_scores(self) -> tuple[int, ...]:
        """Scores of the dealer's team, and of the teams to its left in order."""
        n = self.rules.n_teams
        place = (DEALER - self.seat) % n
        return self.scores[place:] + self.scores[:place]

    @property
    def curves(self) -> tuple[int, ...]:
        """What `club` bids by at these scores."""
        return tuple(bidding_curves(self.rules, self.bidding, self.dealers_scores)[0].tolist())

    @property
    def relabelling(self) -> Relabelling:
        """How suits are relabelled, so that hands which are alike see the same deals."""
        return standard_form(self.hand)

    def knowledge(self, swap: tuple[Card, Card] | None = None, slack: Sequence[int] = ()) -> Knowledge:
        """Put it in the kernels' terms.

        Parameters
        ----------
        swap : tuple of two cards, optional
            A card of the hand and an unseen one that change places in all worlds.
        slack : sequence of int
            For each call how far its condition is weakened, see `conditions`.
        """
        suits = self.relabelling

        def mask(cards: Sequence[Card]) -> int:
            return mask_of(relabel(card, suits) for card in cards)

        give, take = ((), ()) if swap is None else ((swap[0],), (swap[1],))
        return Knowledge(
            self.seat - 1,
            u64(mask(self.hand)),
            self.conditions(slack) if self.heeds_calls and self.bots != "random" else (),
            bot_codes(self.bots),
            TEMPER_NAMES.index(self.tempers),
            bidding_curves(self.rules, self.bidding, self.dealers_scores),
            self.rules.packed(),
            u64(mask(give)),
            u64(mask(take)),
        )

    def conditions(self, slack: Sequence[int] = ()) -> tuple[Condition, ...]:
        """What is asked of the seats before. Weakened by 1, a bid may be higher; by 2, 3 … also so much lower.

        The last step is any bid at all; beyond that, as for a pass that is weakened, nothing is asked.
        """
        found = []
        for seat, (_, call) in enumerate(self.calls):
            weaker = slack[seat] if seat < len(slack) else 0
            high, holder = 0, 0
            if highest := high_bid(self.calls[:seat]):
                high, holder = highest[1], highest[0] - 1
            if call is None:
                if not weaker:
                    found.append(Condition(seat, high, holder, 0, 0))
                continue
            least = call - max(weaker - 1, 0)
            if least >= 3:
                found.append(Condition(seat, high, holder, least, 6 if weaker else call))
        return tuple(found)


def make_situation(
    hand: Sequence[Card],
    seat: int,
    auction: Sequence[int | None] | None = None,
    scores: Sequence[int] | None = None,
    rules: Rules = STANDARD,
    bots: str = "club",
    tempers: str = "mixed",
    heeds_calls: bool = True,
    bidding: str | None = None,
) -> Situation:
    """Check what a player knows.

    Without `bidding`, calls of `club` are weighed by equity where they can be.

    Raises
    ------
    AdviceError
        One line that names the bad value and a right one.
    """
    cards = tuple(hand)
    for card in cards:
        if card not in DECK:
            raise AdviceError(f"{card} is no card: write cards such as AS, 10D or Jo")
        if cards.count(card) > 1:
            raise AdviceError(f"{card} is there twice: there is only one in the pack")
    if len(cards) != 6:
        raise AdviceError(f"{len(cards)} cards where 6 are wanted: such as AS KS JC 2S 10H 9D")
    if not 1 <= seat <= DEALER:
        raise AdviceError(f"there is no seat {seat}: 1, left of the dealer, to 6, the dealer", "seat")
    calls = (None,) * (seat - 1) if auction is None else tuple(auction)
    if reason := _bad_auction(calls, seat, rules):
        raise AdviceError(reason, "auction")
    points = (0,) * rules.n_teams if scores is None else tuple(scores)
    try:
        check_scores(points, rules)
    except ValueError as error:
        raise AdviceError(str(error), "scores") from None
    if bots not in BOT_NAMES:
        raise AdviceError(f"there is no bot '{bots}': choose {' or '.join(BOT_NAMES)}")
    if tempers not in TEMPER_NAMES:
        raise AdviceError(f"there is no temper '{tempers}': choose {' or '.join(TEMPER_NAMES)}")
    if bidding is None:
        bidding = "equity" if knows(rules) and bots == "club" else "points"
    try:
        check_bidding(rules, bidding, points)
    except ValueError as error:
        raise AdviceError(str(error)) from None
    return Situation(in_order(cards), seat, calls, points, rules, bots, tempers, heeds_calls, bidding)


def _bad_auction(calls: Sequence[int | None], seat: int, rules: Rules) -> str:
    """What is wrong with the calls before a seat; empty if nothing is."""
    if len(calls) != seat - 1:
        given = f"{len(calls)} call{'s' if len(calls) != 1 else ''}"
        if seat == 1:
            return f"{given} before seat 1, which calls first: leave them out"
        right = " ".join(["p"] * (seat - 1))
        return f"{given} before seat {seat}: give one for each seat before it, such as {right}"
    so_far: list[Call] = []
    for number, call in enumerate(calls, start=1):
        if auction_is_over(so_far):
            return f"nobody calls after a bid of 6: leave out what follows call {number - 1}"
        legal = legal_bids(number, so_far, rules)
        if call is not None and call not in legal:
            return f"seat {number} cannot bid {call}: it can pass or bid {', '.join(map(str, legal))}"
        so_far.append((number, call))
    if auction_is_over(so_far):
        return "after a bid of 6 nobody is asked any more: lower the last call, such as 5"
    return ""
