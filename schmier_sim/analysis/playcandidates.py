"""Short rules of card play, as a player may say them, and what keeps to them in a given situation.

A rule looks at one decision of one seat and sees what the seat sees (`game.view.View`). It sorts the options into those
that keep to it and the others; where all are of one sort, it has nothing to say.

Exchange
    Options are sets of cards to put away. How many is one decision (`DRAW`: as many as may be, or one fewer), which
    ones is another (`KEEP`).
Play
    Options are the cards that may be played, to a lead (`LEAD`) or to a trick that is on (`FOLLOW`).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from schmier_sim.game.cards import JOKER, MATE, Card, card_points, in_order, suit_of, trump_order
from schmier_sim.game.club_bot import KEEP_CLASSES, KEEP_START, Look, weights
from schmier_sim.game.holdings import HAND_SIZE
from schmier_sim.game.laws import DEALER, MOST_PUT_AWAY, winning_place
from schmier_sim.game.reference_bots import ascending
from schmier_sim.game.view import View

DRAW, KEEP, LEAD, FOLLOW = "draw", "keep", "lead", "follow"
DECLARING, DEFENDERS, ALL = "declaring side", "defenders", "all"
RICH, SOME = 10, 4
"""Card points from which a trick is worth taking without a point in it, and from which it is worth something."""
RUN = 3
"""Top trumps in sequence that are led from the top."""

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

    @property
    def opponent_wins(self) -> bool:
        """Whether an opponent's card wins so far."""
        return not self.partner_wins


def suits(cards: Iterable[Card]) -> set[str]:
    """Suits of plain cards."""
    return {card[-1] for card in cards}


@dataclass(frozen=True)
class Candidate:
    """A rule.

    Attributes
    ----------
    key
        Its name in files.
    rule
        Its words, in the imperative.
    who
        `DECLARING`, `DEFENDERS` or `ALL`.
    decision
        `DRAW`, `KEEP`, `LEAD` or `FOLLOW`.
    keeping
        The options that keep to it; none where it does not apply.
    """

    key: str
    rule: str
    who: str
    decision: str
    keeping: Callable[..., Collection[Away] | Collection[Card]]

    def concerns(self, view: View) -> bool:
        """Whether it is a rule for this side."""
        return self.who == ALL or view.declares == (self.who == DECLARING)


# Exchange.


def _as_many_as_may_be(at: Exchange) -> list[Away]:
    most = len(at.plain) - at.least
    return [away for away in at.options(DRAW) if len(away) == most]


def _least(at: Exchange, count: Callable[[list[Card]], int]) -> list[Away]:
    """Ways to put away that leave the least of something among the plain cards kept."""
    options = at.options(KEEP)
    counts = [count(at.kept(away)) for away in options]
    return [away for away, n in zip(options, counts, strict=True) if n == min(counts)]


def _few_suits(at: Exchange) -> list[Away]:
    return _least(at, lambda kept: len(suits(kept)))


def _aces_stay(at: Exchange) -> list[Away]:
    return _least(at, lambda kept: -sum(card[:-1] == "A" for card in kept))


def _tens_go(at: Exchange) -> list[Away]:
    return _least(at, lambda kept: sum(card[:-1] == "10" for card in kept))


# Leads.


def _run_from_the_top(at: Sight) -> list[Card]:
    return at.tops if len(at.tops) >= RUN and at.out else []


def _two_from_the_top(at: Sight) -> list[Card]:
    return at.tops if len(at.tops) == RUN - 1 and at.out else []


def _top_stays(at: Sight) -> list[Card]:
    return at.besides(at.tops) if len(at.tops) == 1 and at.out else []


def _small_trump(at: Sight) -> list[Card]:
    if at.tops or not at.out:
        return []
    return [card for card in at.trumps if card not in at.treasures]


def _plain(at: Sight) -> list[Card]:
    return at.plain


def _plain_ace(at: Sight) -> list[Card]:
    return [card for card in at.plain if card[:-1] == "A"]


def _the_two(at: Sight) -> list[Card]:
    return at.those(lambda card: card == at.two)


def _no_plain_ten(at: Sight) -> list[Card]:
    return at.besides(card for card in at.plain if card[:-1] == "10")


def _no_plain_picture(at: Sight) -> list[Card]:
    return at.besides(card for card in at.plain if card[:-1] in ("K", "Q"))


def _no_treasure_under(at: Sight) -> list[Card]:
    return at.besides(card for card in at.treasures if card in at.trumps and card not in at.tops)


def _short_suit(at: Sight) -> list[Card]:
    held = [card[-1] for card in at.plain]
    return [card for card in at.plain if held.count(card[-1]) == 1]


# Cards to a trick.


def _give_sure(at: Sight) -> list[Card]:
    return at.treasures if at.partner_holds else []


def _give_likely(at: Sight) -> list[Card]:
    if not at.partner_wins or at.partner_holds or at.best not in at.order:
        return []
    return at.treasures if at.above(at.best) == 1 or len(at.trumps_behind) == 1 else []


def _give_never(at: Sight) -> list[Card]:
    if not at.partner_wins or at.partner_holds:
        return []
    likely = at.best in at.order and (at.above(at.best) == 1 or len(at.trumps_behind) == 1)
    return at.besides(at.treasures) if not likely else []


def _fatten(at: Sight) -> list[Card]:
    if not at.partner_holds or at.treasures:
        return []
    return [card for card in at.plain if card_points(card)]


def _no_overtaking(at: Sight) -> list[Card]:
    return at.besides(at.winning) if at.partner_wins else []


def _high_trumps_stay(at: Sight) -> list[Card]:
    return at.besides([at.ace, at.king, at.queen]) if at.partner_wins else []


def _bank(at: Sight) -> list[Card]:
    if at.partner_wins or at.behind:
        return []
    return [card for card in at.winning if card in at.treasures]


def _take_last(at: Sight) -> list[Card]:
    return [] if at.partner_wins or at.behind or at.void else at.winning


def _take_rich(at: Sight) -> list[Card]:
    return at.winning if at.rich and at.opponent_wins and not at.void else []


def _take_surely(at: Sight) -> list[Card]:
    if at.partner_wins or not at.rich or not at.trumps_behind:
        return []
    return [card for card in at.winning if card in at.tops]


def _lowest_taker(at: Sight) -> list[Card]:
    if at.behind:
        return []
    takers = [card for card in at.winning if card in at.trumps and card not in at.treasures]
    return at.besides(ascending(takers, at.trump)[1:])


def _low_early(at: Sight) -> list[Card]:
    if at.partner_wins or at.rich or not at.behind or at.void:
        return []
    return at.besides(at.winning)


def _no_treasure_lost(at: Sight) -> list[Card]:
    if at.partner_wins:
        return []
    return at.besides(card for card in at.treasures if card not in at.winning)


def _no_picture_lost(at: Sight) -> list[Card]:
    if at.partner_wins:
        return []
    lost = (card for card in at.plain if card not in at.winning and card[:-1] != "10")
    return at.besides(card for card in lost if card_points(card))


def _no_risk(at: Sight) -> list[Card]:
    if at.partner_wins or not at.trumps_behind:
        return []
    return at.besides(card for card in at.winning if card in at.points and card not in at.tops)


def _two_goes(at: Sight) -> list[Card]:
    if at.partner_wins or at.view.trick[0] not in at.order:
        return []
    return at.those(lambda card: card == at.two and card not in at.winning)


def _ruff_rich(at: Sight) -> list[Card]:
    return at.winning if at.void and at.opponent_wins and at.rich else []


def _ruff_some(at: Sight) -> list[Card]:
    return at.winning if at.void and at.opponent_wins and SOME <= at.fat < RICH and not at.has_point else []


def _no_ruff(at: Sight) -> list[Card]:
    return at.plain if at.void and at.opponent_wins and at.fat < SOME and not at.has_point else []


def _no_high_ruff(at: Sight) -> list[Card]:
    return at.besides([at.ace, at.king]) if at.void and at.opponent_wins and not at.rich else []


CANDIDATES: Sequence[Candidate] = (
    Candidate("draw", "Put away three plain cards, aces and tens too.", ALL, DRAW, _as_many_as_may_be),
    Candidate("few-suits", "Plain cards that you keep: of as few suits as you can.", ALL, KEEP, _few_suits),
    Candidate("keep-aces", "Plain cards that you keep: aces first.", ALL, KEEP, _aces_stay),
    Candidate("tens-go", "Put plain tens away first.", ALL, KEEP, _tens_go),
    Candidate("lead-run", "Lead from the top if you hold the three highest trumps.", ALL, LEAD, _run_from_the_top),
    Candidate("lead-two-tops", "Lead from the top if you hold just the two highest trumps.", ALL, LEAD, _two_from_the_top),
    Candidate("save-top-d", "Do not lead your only top trump.", DECLARING, LEAD, _top_stays),
    Candidate("save-top-f", "Do not lead your only top trump.", DEFENDERS, LEAD, _top_stays),
    Candidate("small-trump-d", "Without a top trump, lead a small one.", DECLARING, LEAD, _small_trump),
    Candidate("plain-f", "Lead a plain card, not a trump.", DEFENDERS, LEAD, _plain),
    Candidate("plain-ace", "Lead a plain ace.", ALL, LEAD, _plain_ace),
    Candidate("lead-two", "Lead the 2 of trumps.", ALL, LEAD, _the_two),
    Candidate("no-ten-led", "Never lead a plain ten.", ALL, LEAD, _no_plain_ten),
    Candidate("no-picture-led", "Never lead a plain king or queen.", ALL, LEAD, _no_plain_picture),
    Candidate("no-treasure-led", "Never lead bauer, joker or ten of trumps while a higher one is out.", ALL, LEAD, _no_treasure_under),
    Candidate("short-suit", "Lead a plain card that is alone in its suit.", ALL, LEAD, _short_suit),
    Candidate("give", "Put bauer, joker or ten on a trick that is surely your partner's.", ALL, FOLLOW, _give_sure),
    Candidate("give-likely", "Likewise if just one higher trump is out, or one opponent left to play.", ALL, FOLLOW, _give_likely),
    Candidate("give-never", "Else do not give it.", ALL, FOLLOW, _give_never),
    Candidate("fatten", "Put plain aces, kings and queens on your partner's sure trick.", ALL, FOLLOW, _fatten),
    Candidate("no-overtaking", "Do not beat your partner's winning card.", ALL, FOLLOW, _no_overtaking),
    Candidate("save-high", "No ace, king or queen of trumps on a trick your partner is winning.", ALL, FOLLOW, _high_trumps_stay),
    Candidate("bank", "No opponent left to play: take with a bauer, joker or ten.", ALL, FOLLOW, _bank),
    Candidate("take-last", "No opponent left to play: take the trick if you can follow suit.", ALL, FOLLOW, _take_last),
    Candidate("take", "Able to follow: take an opponent's trick with bauer, joker or ten in it.", ALL, FOLLOW, _take_rich),
    Candidate("take-surely", "Take it with a trump that nobody can beat.", ALL, FOLLOW, _take_surely),
    Candidate("lowest-taker", "No opponent left to play: of other trumps, take with the lowest.", ALL, FOLLOW, _lowest_taker),
    Candidate("low-early", "Opponents left to play, little in the trick: stay low.", ALL, FOLLOW, _low_early),
    Candidate("no-treasure-lost", "No bauer, joker or ten on an opponent's trick.", ALL, FOLLOW, _no_treasure_lost),
    Candidate("no-picture-lost", "No plain ace, king, queen or jack on an opponent's trick.", ALL, FOLLOW, _no_picture_lost),
    Candidate("no-risk", "Do not take with a bauer or joker that can still be beaten.", ALL, FOLLOW, _no_risk),
    Candidate("two-goes", "Trumps led and lost: play the 2.", ALL, FOLLOW, _two_goes),
    Candidate("ruff-rich", "Void: trump an opponent's trick with a bauer, joker or ten in it.", ALL, FOLLOW, _ruff_rich),
    Candidate("ruff-some", "Void: trump an opponent's trick with an ace or as much in it.", ALL, FOLLOW, _ruff_some),
    Candidate("no-ruff", "Void: do not trump a trick with less than an ace in it.", ALL, FOLLOW, _no_ruff),
    Candidate("no-high-ruff", "Void: no ace or king of trumps on a trick without bauer, joker or ten.", ALL, FOLLOW, _no_high_ruff),
)
