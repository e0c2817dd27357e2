"""Short rules of card play, as a player may say them, and which options keep to them.

A rule looks at one decision of one seat, and sees what the seat sees (`analysis.playsights`). It sorts the options into
those that keep to it and the others; where all are of one sort, it has nothing to say.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from schmier_sim.analysis.playsights import DRAW, FOLLOW, KEEP, LEAD, Away, Exchange, Sight, suits
from schmier_sim.game.cards import Card, card_points
from schmier_sim.game.reference_bots import ascending
from schmier_sim.game.view import View

DECLARING, DEFENDERS, ALL = "declaring side", "defenders", "all"
SOME = 4
"""Card points from which a trick is worth something."""


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


def _from_the_top(at: Sight) -> list[Card]:
    return at.tops if len(at.tops) > 1 and at.out else []


def _only_top_stays(at: Sight) -> list[Card]:
    return at.besides(at.tops) if len(at.tops) == 1 and at.out else []


def _small_trump(at: Sight) -> list[Card]:
    return at.besides([*at.plain, *at.treasures]) if at.out and not at.tops else []


def _plain_card(at: Sight) -> list[Card]:
    return at.plain


def _plain_ace(at: Sight) -> list[Card]:
    return [card for card in at.plain if card[:-1] == "A"]


def _the_two(at: Sight) -> list[Card]:
    return at.those(lambda card: card == at.two)


def _no_plain_ten(at: Sight) -> list[Card]:
    return at.besides(card for card in at.plain if card[:-1] == "10")


def _no_plain_king_or_queen(at: Sight) -> list[Card]:
    return at.besides(card for card in at.plain if card[:-1] in ("K", "Q"))


def _no_treasure_under(at: Sight) -> list[Card]:
    return at.besides(card for card in at.treasures if card in at.trumps and card not in at.tops)


def _single(at: Sight) -> list[Card]:
    held = [card[-1] for card in at.plain]
    return [card for card in at.plain if held.count(card[-1]) == 1]


# Cards to a trick.


def _bank(at: Sight) -> list[Card]:
    if at.partner_wins:
        return at.treasures if at.partner_holds else []
    return [] if at.behind else [card for card in at.treasures if card in at.winning]


def _give_likely(at: Sight) -> list[Card]:
    if not at.partner_wins or at.partner_holds or at.best not in at.order:
        return []
    return at.treasures if at.above(at.best) == 1 or len(at.trumps_behind) == 1 else []


def _fatten(at: Sight) -> list[Card]:
    if not at.partner_holds or at.treasures:
        return []
    return [card for card in at.plain if card_points(card)]


def _no_overtaking(at: Sight) -> list[Card]:
    return at.besides(at.winning) if at.partner_wins else []


def _high_trumps_stay(at: Sight) -> list[Card]:
    return at.besides([at.ace, at.king, at.queen]) if at.partner_wins or not at.rich else []


def _take(at: Sight) -> list[Card]:
    return at.winning if at.rich and not at.partner_wins else []


def _take_surely(at: Sight) -> list[Card]:
    if at.partner_wins or not at.rich or not at.trumps_behind:
        return []
    return [card for card in at.winning if card in at.tops]


def _lowest_taker(at: Sight) -> list[Card]:
    if at.behind or any(card in at.treasures for card in at.winning):
        return []
    takers = [card for card in at.winning if card in at.trumps]
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
    lost = (card for card in at.plain if card not in at.winning and card not in at.treasures)
    return at.besides(card for card in lost if card_points(card))


def _no_risk(at: Sight) -> list[Card]:
    if at.partner_wins or not at.trumps_behind:
        return []
    return at.besides(card for card in at.winning if card in at.points and card not in at.tops)


def _two_goes(at: Sight) -> list[Card]:
    if at.partner_wins or at.view.trick[0] not in at.order:
        return []
    return at.those(lambda card: card == at.two and card not in at.winning)


def _ruff_some(at: Sight) -> list[Card]:
    return at.winning if at.void and not at.partner_wins and at.fat >= SOME and not at.rich else []


def _no_ruff(at: Sight) -> list[Card]:
    return at.plain if at.void and not at.partner_wins and at.fat < SOME and not at.has_point else []


CANDIDATES: tuple[Candidate, ...] = (
    Candidate(
        "draw",
        "Not the dealer: put away three plain cards, aces and tens too.",
        ALL,
        DRAW,
        _as_many_as_may_be,
    ),
    Candidate("few-suits", "Keep plain cards of as few suits as you can.", ALL, KEEP, _few_suits),
    Candidate("aces-stay", "Of plain cards, keep the aces.", ALL, KEEP, _aces_stay),
    Candidate("tens-go", "Put plain tens away first.", ALL, KEEP, _tens_go),
    Candidate(
        "lead-tops",
        "Lead trumps from the top if you hold the two highest still in play.",
        ALL,
        LEAD,
        _from_the_top,
    ),
    Candidate(
        "no-treasure-led",
        "Never lead bauer, joker or ten of trumps while a higher trump is out.",
        ALL,
        LEAD,
        _no_treasure_under,
    ),
    Candidate("save-top", "Do not lead your only top trump.", DECLARING, LEAD, _only_top_stays),
    Candidate("lead-small", "Without a top trump, lead a small one.", DECLARING, LEAD, _small_trump),
    Candidate("lead-plain", "Lead a plain card, not a trump.", DEFENDERS, LEAD, _plain_card),
    Candidate("lead-ace", "Lead a plain ace.", ALL, LEAD, _plain_ace),
    Candidate("lead-two", "Lead the 2 of trumps.", ALL, LEAD, _the_two),
    Candidate("lead-single", "Lead a plain card that is alone in its suit.", ALL, LEAD, _single),
    Candidate("no-ten-led", "Never lead a plain ten.", ALL, LEAD, _no_plain_ten),
    Candidate("no-king-led", "Never lead a plain king or queen.", ALL, LEAD, _no_plain_king_or_queen),
    Candidate(
        "take",
        "If an opponent's trick holds a bauer, the joker or a ten, take it if you can.",
        ALL,
        FOLLOW,
        _take,
    ),
    Candidate(
        "no-treasure-lost",
        "Put no bauer, joker or ten on an opponent's trick unless it wins.",
        ALL,
        FOLLOW,
        _no_treasure_lost,
    ),
    Candidate(
        "no-picture-lost",
        "Put no plain ace, king, queen or jack on an opponent's trick unless it wins.",
        ALL,
        FOLLOW,
        _no_picture_lost,
    ),
    Candidate(
        "bank", "Put a bauer, the joker or a ten on a trick that is surely your team's.", ALL, FOLLOW, _bank
    ),
    Candidate(
        "high-stay",
        "Put ace, king, queen of trumps only on opponents' tricks with a bauer, joker or ten.",
        ALL,
        FOLLOW,
        _high_trumps_stay,
    ),
    Candidate(
        "take-surely",
        "Take an opponent's rich trick with a trump that nobody can beat.",
        ALL,
        FOLLOW,
        _take_surely,
    ),
    Candidate(
        "lowest-taker",
        "No opponent to come: take with your lowest trump that wins.",
        ALL,
        FOLLOW,
        _lowest_taker,
    ),
    Candidate("low-early", "Little in the trick, opponents to come: stay low.", ALL, FOLLOW, _low_early),
    Candidate("no-overtaking", "Never beat your partner's winning card.", ALL, FOLLOW, _no_overtaking),
    Candidate(
        "give-likely",
        "Put a bauer, the joker or a ten on your partner's trick if it is likely his.",
        ALL,
        FOLLOW,
        _give_likely,
    ),
    Candidate("fatten", "Put plain aces, kings, queens on your partner's sure trick.", ALL, FOLLOW, _fatten),
    Candidate(
        "no-risk", "Never take with a bauer or the joker that can still be beaten.", ALL, FOLLOW, _no_risk
    ),
    Candidate("two-goes", "Trumps led and lost: play the 2.", ALL, FOLLOW, _two_goes),
    Candidate(
        "ruff-some", "Void: trump an opponent's trick with an ace or as much in it.", ALL, FOLLOW, _ruff_some
    ),
    Candidate("no-ruff", "Void: do not trump a trick with less than an ace in it.", ALL, FOLLOW, _no_ruff),
)
"""All rules that are measured."""

KEPT = frozenset(
    {
        "take",
        "no-treasure-lost",
        "high-stay",
        "no-treasure-led",
        "no-picture-lost",
        "draw",
        "bank",
        "lead-tops",
    }
)
"""Those that cost most to break, cost little to keep to blindly, and do not say the same twice."""
