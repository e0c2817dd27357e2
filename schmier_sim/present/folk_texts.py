"""What players advise about bids, in words, and by whom it was tested (`analysis.folk`)."""

from dataclasses import dataclass
from fractions import Fraction

from schmier_sim.analysis.folk import ADDED, DEALER_ADDS, MARGINS, ROUNDED, SCALE_ADDED, Effect, Folk, counted
from schmier_sim.present.numbers import MINUS, Z95, decimal, signed

WITHOUT_ACE = "5 or more rather without the ace"

Pair = tuple[str, str]


@dataclass(frozen=True)
class Advice:
    """A piece of advice about the cards or the auction.

    Attributes
    ----------
    claim
    test
        What stands in the table: who is compared with whom.
    pair
        The two bidders (`Folk.effects`).
    text
        How players mean it, and what was done.
    readings
        Other ways to follow it: what they are called, and their pairs.
    """

    claim: str
    test: str
    pair: Pair
    text: str
    readings: tuple[tuple[str, Pair], ...]


def advice(folk: Folk) -> tuple[Advice, ...]:
    """All advice that was tested on deals."""
    own, half, won, adds = (counted(scale, added) for scale, added in folk.best_added.items())
    nothing, one = counted("folk", Fraction(0)), counted("folk", Fraction(1))
    best = [_eighths(added) for added in folk.best_added.values()]
    return (
        Advice(
            "Never bid the top without the ace",
            "no 5 or 6 without the ace of trumps",
            ("5 or more needs the ace", "club"),
            "The ace counts if it is among the six cards dealt. `club` is free to bid without it, and hardly ever "
            "does.",
            (
                (
                    "the other way, 5 and 6 without it taken for 3 points better than they are",
                    (WITHOUT_ACE, "club"),
                ),
                ("no 6 without it", ("6 or more needs the ace", "club")),
                ("no 6 without ace and 2", ("6 needs ace and 2", "club")),
                ("no 4, 5 or 6 without it", ("4 or more needs the ace", "club")),
                ("no bid at all without it", ("3 or more needs the ace", "club")),
            ),
        ),
        Advice(
            "Add one for partner",
            "own sure points and 1, against own sure points alone",
            (one, nothing),
            "Count 1 for the ace, 1 for the 2, and for each bauer 0, ½, ¾ or 1 by its companions; add something "
            "for what partner brings, drop the fraction and bid that number (the dealer: as little of it as he "
            "must; nobody over his partner). Against `club`, which knows more than these four cards:",
            tuple((f"adding {_eighths(added)}", (counted("folk", added), "club")) for added in ADDED),
        ),
        Advice(
            "Round down",
            "mean points rounded down, against to the nearest",
            ("rounded down", "rounded nearest"),
            "A hand is worth the mean points of hands like it, partner's share included. With 3.9 one bids 3 by the "
            "advice, 4 by the nearest number. Against `club`:",
            tuple((_ROUNDING[name], (f"rounded {name}", "club")) for name in ROUNDED),
        ),
        Advice(
            "A bauer is worth 0, ½, ¾, 1 with 0, 1, 2, 3 companions",
            "counted so, against ½ for every bauer",
            (own, half),
            "Both count as in “Add one for partner”, each with the addition that suits it best of "
            f"{_eighths(SCALE_ADDED[0])} to {_eighths(SCALE_ADDED[-1])}: here {best[0]} and {best[1]}. The table shows "
            "what bauers were worth, hands counting as often as they are dealt. Against ½ for every bauer as well:",
            (
                (f"bauers counted by how often their points are won ({best[2]} added)", (won, half)),
                (f"by the points they add ({best[3]} added)", (adds, half)),
            ),
        ),
        Advice(
            "The dealer bids lighter",
            "the dealer takes each bid for ¼ point better than it is",
            ("dealer 250", "club"),
            "Lighter than `club`'s dealer, who knows already that he speaks last. For a team that rounds down "
            "(see there), and against it, the dealer adding first: "
            + "; ".join(
                f"{_eighths(more)}: {gain(folk.effects[f'rounded down, dealer + {more}', 'rounded down'])}"
                for more in DEALER_ADDS
            )
            + ". Other margins on `club`, in points:",
            (
                *((margin_text(margin), (f"dealer {margin}", "club")) for margin in MARGINS if margin != 250),
                ("if nobody has bid, not lighter than the first seat", ("dealer as first seat", "club")),
            ),
        ),
        Advice(
            "Pass when partner holds the bid",
            "always pass then",
            ("pass over partner", "club"),
            "`club` bids over its partner where its own hand promises clearly more.",
            (("the other way, treat him as a rival", ("partner as a rival", "club")),),
        ),
        Advice(
            "When in doubt, bid",
            "every seat takes each bid for ¼ point better than it is",
            ("all 250", "club"),
            "Doubtful hands are those for which a pass is worth little more than a bid. Other margins, in points:",
            tuple((margin_text(margin), (f"all {margin}", "club")) for margin in MARGINS if margin != 250),
        ),
        Advice(
            "Never sell out for a three",
            "over a rival's 3, takes each bid for ½ point better",
            ("three 500", "club"),
            "Where a rival holds the bid with 3, bid 4 a little sooner. Other margins, in points:",
            tuple((margin_text(margin), (f"three {margin}", "club")) for margin in MARGINS if margin != 500),
        ),
        Advice(
            "Bid on four trumps or more",
            "no bid on fewer than four",
            ("4 trumps at least", "club"),
            "Trumps among the six cards dealt, before the exchange.",
            (("no bid on fewer than three", ("3 trumps at least", "club")),),
        ),
        Advice(
            "Bid no more than you must",
            "only the lowest bid that is still to be had",
            ("no more than needed", "club"),
            "All points won are scored, whatever was bid; but a higher bid keeps others from bidding over it. "
            "`club` may jump, and rarely does.",
            (),
        ),
    )


_ROUNDING = {
    "down": "down",
    "down, less a quarter": "down, with ¼ to spare",
    "up from three quarters": "up from ¾ on",
    "nearest": "to the nearest",
}
_FRACTIONS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def _eighths(number: Fraction) -> str:
    """Write a number in quarters: `1¼`."""
    whole, rest = divmod(number, 1)
    return f"{whole or ''}{_FRACTIONS[rest]}" if rest else str(whole)


def margin_text(thousandths: int) -> str:
    """Write a margin in points: `+½`."""
    number = _eighths(Fraction(abs(thousandths), 1000))
    return f"{'+' if thousandths > 0 else MINUS}{number}"


def gain(effect: Effect) -> str:
    """Write what a way of bidding brings: `−0.012 ±0.002`, or `0` where it changes nothing."""
    if not effect.changed and not effect.gain:
        return "0"
    return f"{signed(effect.gain, 3)} ±{decimal(max(Z95 * effect.error, 0.001), 3)}"
