"""How much a side gains that knows how the others play: `search` with play-outs by the player's own policy.

Deals are played three times: by the player at all seats, with `search` on the declaring side, and with `search` at the
four seats of the defenders, each for his own team. Calls are the player's in all three, so that the same seat declares
for the same bid. `search` is one answer, not the best one: the gap to the best response is at least as large. With few
worlds their luck misleads it, and what it loses by that is part of the gap: it may be negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from schmier_sim.analysis.audited import Address, FloatArray, Subject, declaring_points, mean
from schmier_sim.analysis.crew import Crew
from schmier_sim.analysis.seating import Report
from schmier_sim.game.cards import Card, Suit
from schmier_sim.game.record import DealRecord
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import Bot, View
from schmier_sim.kernel.counts import BIDS

SIDES = ("declaring", "defending")
MEASURES = ("points", *(f"make_{bid}" for bid in BIDS), "made", "relative")
"""Of the declaring side: points won, at least 3 to 6 of them, whether the bid was made, relative points scored."""
WITH_A_BID = ("made", "relative")


@dataclass(frozen=True)
class Gap:
    """What a side gains if `search` plays for it.

    Attributes
    ----------
    mode
        "declare" or "auction".
    side
        One of `SIDES`.
    measure
        One of `MEASURES`, always that of the declaring side.
    deals
        Deals that were played.
    base, search
        Mean where the player sits at all seats, and where `search` has the side.
    gap, gap_se
        Gain of the side, and its standard error: of differences on the same deals. For defenders it is what the
        declaring side loses.
    """

    mode: str
    side: str
    measure: str
    deals: int
    base: float
    search: float
    gap: float
    gap_se: float


@dataclass(frozen=True)
class Response:
    """Gaps of a player."""

    worlds: int
    gaps: tuple[Gap, ...]

    def gap(self, mode: str, side: str, measure: str = "points") -> Gap:
        """Find a gap; StopIteration where it was not measured."""
        return next(gap for gap in self.gaps if (gap.mode, gap.side, gap.measure) == (mode, side, measure))


class Sided:
    """One player on the declaring side and another among the defenders; calls are those of a third."""

    def __init__(self, declaring: Bot, defending: Bot, calling: Bot) -> None:
        self.declaring, self.defending, self.calling = declaring, defending, calling

    def _player(self, view: View) -> Bot:
        return self.declaring if view.declares else self.defending

    def bid(self, view: View) -> int | None:
        """Call."""
        return self.calling.bid(view)

    def trump(self, view: View) -> Suit:
        """Name a suit."""
        return self._player(view).trump(view)

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Put cards away."""
        return self._player(view).exchange(view)

    def play(self, view: View) -> Card:
        """Play a card."""
        return self._player(view).play(view)


def measures_of(record: DealRecord, rules: Rules) -> list[float]:
    """`MEASURES` of a deal; without a bid the last two are 0 and the points' own relative ones."""
    points = declaring_points(record, rules)
    own = record.scores[rules.team(record.declarer or 1) - 1]
    others = (sum(record.scores) - own) / (rules.n_teams - 1)
    bid = record.bid
    return [points, *(points >= level for level in BIDS), bid is not None and points >= bid, own - others]


def answers_of(subject: Subject, worlds: int, address: Address) -> FloatArray | None:
    """Play a deal by the player and by `search` on each side: float64 [3, measures]; None if it is passed out."""
    player, searcher = subject.player, subject.searcher(worlds)
    plain = address.play(subject.rules, player)
    if plain.declarer is None:
        return None
    records = [
        plain,
        address.play(subject.rules, Sided(searcher, player, player)),
        address.play(subject.rules, Sided(player, searcher, player)),
    ]
    return np.array([measures_of(record, subject.rules) for record in records], np.float64)


def gaps_of(mode: str, answers: Sequence[FloatArray]) -> list[Gap]:
    """Sum up deals of one mode, each [3, measures]."""
    gaps = []
    values = np.array(answers).reshape(-1, 3, len(MEASURES))
    for number, side in enumerate(SIDES, start=1):
        for at, measure in enumerate(MEASURES):
            if mode == "declare" and measure in WITH_A_BID:
                continue
            plain, search = values[:, 0, at], values[:, number, at]
            gain = search - plain if side == SIDES[0] else plain - search
            gaps.append(Gap(mode, side, measure, len(values), mean(plain)[0], mean(search)[0], *mean(gain)))
    return gaps


def measure_response(
    subject: Subject, seed: int, deals: int, worlds: int, crew: Crew, report: Report
) -> Response:
    """Measure what each side gains by `search`, in deals of which half are declared in turn, half have an auction."""
    by_mode = {"declare": deals - deals // 2, "auction": deals // 2}
    addresses = [Address(seed, index, mode) for mode, n in by_mode.items() for index in range(n)]
    found = crew.each(partial(answers_of, subject, worlds), addresses, report)
    gaps = []
    for mode in by_mode:
        answers = [
            answer
            for address, answer in zip(addresses, found, strict=True)
            if address.mode == mode and answer is not None
        ]
        if answers:
            gaps += gaps_of(mode, answers)
    return Response(worlds, tuple(gaps))
