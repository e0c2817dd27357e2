"""Regret: what a player gives away, by kind of decision, beside `search` with many worlds.

Each decision of a deal that the player plays at all seats is evaluated by `SearchBot.evaluate`. The best of several
noisy means looks better than it is: so the best option is chosen in one set of worlds and valued, as the difference to
the option that was taken, in a second one that is independent of the first. Nothing is then gained by luck of the
worlds: where two options are worth the same, the difference is 0 on average. The expectation is what `search` would
gain in this one decision, if all went on as the policy plays; the regret against the unknown best option is at least
as large.
Values are those of the worlds of `kernel.worlds`, which take no notice of what was bid.

The worst decisions are picked among those that look worst, which is luck in part: they are valued anew, in a third
set of more worlds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.audited import Address, Subject, mean, ratio, spread_strata
from schmier_sim.analysis.crew import Crew
from schmier_sim.analysis.ratios import Z95
from schmier_sim.analysis.seating import Report
from schmier_sim.game.cards import Card, Suit, in_order, suit_of
from schmier_sim.game.laws import winning_place
from schmier_sim.game.view import View
from schmier_sim.kernel.search import Evaluation, Option, SearchBot

#: Seeds of the searches that choose the best option, value it, and judge the worst decisions.
CHOOSING, VALUING, JUDGING = range(3)
#: Worlds in which the worst decisions are judged, for each one of the others.
JUDGED = 10
#: How many decisions that look worst are judged, and how many of these are told.
CANDIDATES, WORST = 40, 10
#: Every fourth deal is a stratified one.
STRATIFIED_SHARE = 4

NAMING, EXCHANGE = "name the suit", "exchange"
ROLES = ("declarer", "partner", "defender")
SITUATIONS = (
    "lead",
    "follow, own side wins",
    "follow, opponents win",
    "void, own side wins",
    "void, opponents win",
)
KINDS = (NAMING, *(f"{role}: {what}" for role in ROLES for what in (EXCHANGE, *SITUATIONS)))
"""Kinds of decision. A defender's own side is his own team; whose the trick is goes by the card that wins so far."""


@dataclass(frozen=True)
class Decision:
    """A decision, and what was given away in it.

    Attributes
    ----------
    address, number
        The deal, and which of its decisions with more than one option this is, from 0.
    seat, trick
        Who decides, and in which trick 1..6; 0 before the first.
    kind
        One of `KINDS`.
    trump, bid
        Trumps and the bid; None where there are none yet, and without an auction.
    hand, table
        Cards held, and those that lie in the trick.
    played, better
        What was done, and what is best in the first set of worlds: a card, a suit, or cards to put away.
    regret, error
        How much more that is worth in the second set, in relative points, and the standard error. 0 if it is the same.
    """

    address: Address
    number: int
    seat: int
    trick: int
    kind: str
    trump: Suit | None
    bid: int | None
    hand: tuple[Card, ...]
    table: tuple[Card, ...]
    played: Option
    better: Option
    regret: float
    error: float

    @property
    def clear(self) -> bool:
        """Whether the regret is beyond its error: above 0 by 1.96 standard errors."""
        return self.regret > Z95 * self.error and self.regret > 0


@dataclass(frozen=True)
class RegretRow:
    """Regret of a kind of decision; each with the standard error over deals.

    Attributes
    ----------
    kind
        One of `KINDS`, or "all".
    decisions
        How many with more than one option there were.
    per_deal
        Decisions a deal.
    clear, clear_se
        Share of the decisions whose regret is beyond its error. Where two options are worth the same, one in forty is
        so by luck.
    each, each_se
        Mean regret of a decision, in relative points.
    deal, deal_se
        Mean regret of a deal, of all six seats together.
    share, share_se
        Share of the regret of all kinds.
    """

    kind: str
    decisions: int
    per_deal: float
    clear: float
    clear_se: float
    each: float
    each_se: float
    deal: float
    deal_se: float
    share: float
    share_se: float


@dataclass(frozen=True)
class RegretTable:
    """Regret in deals of one mode and sample; the last row adds up the others."""

    mode: str
    sample: str
    deals: int
    rows: tuple[RegretRow, ...]


@dataclass(frozen=True)
class Regret:
    """Regret of a player, in `worlds` worlds a set; the worst decisions judged in `judged`."""

    worlds: int
    judged: int
    tables: tuple[RegretTable, ...]
    worst: tuple[Decision, ...]


class _Search(SearchBot):
    """A search that keeps the results of each option in each world, for errors of differences between any two."""

    def _results(self, view: View, options: tuple[Option, ...], start: np.uint64) -> NDArray[np.int64]:
        self.results = super()._results(view, options, start)
        return self.results

    def value(
        self, view: View, better: Option, played: Option, also: Sequence[Option]
    ) -> tuple[float, float]:
        """How much more one option is worth than another, and the standard error."""
        options = self.evaluate(view, also).options
        gains = self.results[options.index(better)] - self.results[options.index(played)]
        return mean(gains / (view.rules.n_teams - 1))


class Observer:
    """A player who plays as the one that is audited, and notes what he gives away.

    Parameters
    ----------
    subject : Subject
    address : Address
        The deal that is played.
    worlds : int
        Worlds in each of the two sets.
    """

    def __init__(self, subject: Subject, address: Address, worlds: int) -> None:
        self.player, self.address = subject.player, address
        self.choosing = _Search(worlds, CHOOSING, subject.policy)
        self.valuing = _Search(worlds, VALUING, subject.policy)
        self.decisions: list[Decision] = []

    def bid(self, view: View) -> int | None:
        """Call."""
        return self.player.bid(view)

    def trump(self, view: View) -> Suit:
        """Name a suit."""
        suit = self.player.trump(view)
        self.note(view, suit, NAMING)
        return suit

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Put cards away."""
        away = in_order(self.player.exchange(view))
        self.note(view, away, f"{role_of(view)}: {EXCHANGE}")
        return away

    def play(self, view: View) -> Card:
        """Play a card."""
        card = self.player.play(view)
        if len(view.legal) > 1:
            self.note(view, card, kind_of_play(view))
        return card

    def note(self, view: View, played: Option, kind: str) -> None:
        """Note a decision, if there was something to decide."""
        also = [played] if isinstance(played, tuple) else []
        evaluation: Evaluation = self.choosing.evaluate(view, also)
        if len(evaluation.options) == 1:
            return
        better = evaluation.options[evaluation.chosen]
        regret, error = (0.0, 0.0) if better == played else self.valuing.value(view, better, played, also)
        trick = len(view.tricks) + 1 if view.leader is not None else 0
        self.decisions.append(
            Decision(
                self.address,
                len(self.decisions),
                view.seat,
                trick,
                kind,
                view.trump,
                view.bid,
                view.hand,
                view.trick,
                played,
                better,
                regret,
                0.0 if isnan(error) else error,
            )
        )


class _Judge(Observer):
    """Values one decision anew, by a search of its own."""

    def __init__(self, subject: Subject, decision: Decision, worlds: int) -> None:
        super().__init__(subject, decision.address, 1)
        self.judging = _Search(worlds, JUDGING, subject.policy)
        self.decision, self.number = decision, 0

    def note(self, view: View, played: Option, kind: str) -> None:
        """Judge the decision when it comes to it."""
        del kind
        also = [played] if isinstance(played, tuple) else []
        if len(self.choosing.evaluate(view, also).options) == 1:
            return
        if self.number == self.decision.number:
            regret, error = self.judging.value(view, self.decision.better, played, also)
            self.decision = replace(self.decision, regret=regret, error=error)
        self.number += 1


def role_of(view: View) -> str:
    """Role of the seat that decides: one of `ROLES`."""
    return ROLES[0] if view.seat == view.declarer else ROLES[1] if view.declares else ROLES[2]


def kind_of_play(view: View) -> str:
    """Kind of a decision in play: who plays, whether he leads, follows suit or is void, and whose the trick is."""
    trump = view.trumps_named
    if not view.trick or view.leader is None:
        return f"{role_of(view)}: {SITUATIONS[0]}"
    led = suit_of(view.trick[0], trump)
    void = all(suit_of(card, trump) != led for card in view.hand)
    winner = (view.leader + winning_place(view.trick, trump) - 1) % 6 + 1
    own = view.rules.team(winner) == view.team
    return f"{role_of(view)}: {SITUATIONS[(3 if void else 1) + (0 if own else 1)]}"


def decisions_of(subject: Subject, worlds: int, address: Address) -> list[Decision]:
    """Play a deal, and note its decisions in their order."""
    observer = Observer(subject, address, worlds)
    address.play(subject.rules, observer)
    return observer.decisions


def judge(subject: Subject, worlds: int, decision: Decision) -> Decision:
    """Value a decision anew, in a set of worlds that had no part in picking it."""
    judge = _Judge(subject, decision, worlds)
    decision.address.play(subject.rules, judge)
    return judge.decision


def regret_table(mode: str, sample: str, deals: Sequence[Sequence[Decision]]) -> RegretTable:
    """Add up the decisions of each of some deals by kind; kinds that do not occur have no row."""
    kinds = {kind: number for number, kind in enumerate(KINDS)}
    counts, clear, regret = (np.zeros((len(KINDS), len(deals))) for _ in range(3))
    for at, decisions in enumerate(deals):
        for decision in decisions:
            row = kinds[decision.kind]
            counts[row, at] += 1
            clear[row, at] += decision.clear
            regret[row, at] += decision.regret
    total = regret.sum(axis=0)
    rows = [
        _row(kind, counts[row], clear[row], regret[row], total)
        for kind, row in kinds.items()
        if counts[row].any()
    ]
    rows.append(_row("all", counts.sum(axis=0), clear.sum(axis=0), total, total))
    return RegretTable(mode, sample, len(deals), tuple(rows))


FloatArray = NDArray[np.float64]


def _row(
    kind: str, counts: FloatArray, clear: FloatArray, regret: FloatArray, total: FloatArray
) -> RegretRow:
    return RegretRow(
        kind,
        int(counts.sum()),
        mean(counts)[0],
        *ratio(clear, counts),
        *ratio(regret, counts),
        *mean(regret),
        *ratio(regret, total),
    )


def measure_regret(
    subject: Subject, seed: int, deals: int, worlds: int, crew: Crew, report: Report
) -> Regret:
    """Measure what a player gives away.

    Parameters
    ----------
    subject : Subject
    seed, deals : int
        Three quarters of the deals are the seed's first ones with an auction; the others are stratified ones with a
        declarer in turn (and no bid), so that strong hands are seen. They are tabled apart.
    worlds : int
        Worlds in each of the two sets, at least 2.
    """
    stratified = deals // STRATIFIED_SHARE
    samples = [[Address(seed, index, "auction") for index in range(deals - stratified)]]
    if stratified:
        samples.append([Address(seed, index, "declare", "stratified") for index in spread_strata(stratified)])
    played = crew.each(
        partial(decisions_of, subject, worlds), [address for sample in samples for address in sample], report
    )
    tables, at = [], 0
    for sample in samples:
        tables.append(regret_table(sample[0].mode, sample[0].sample, played[at : at + len(sample)]))
        at += len(sample)
    found = [decision for decisions in played for decision in decisions if decision.regret > 0]
    # The lower end of the interval: large regrets of few worlds are luck more often than small ones of many.
    found.sort(key=lambda decision: decision.error - decision.regret)
    judged = crew.each(partial(judge, subject, JUDGED * worlds), found[:CANDIDATES], report)
    judged.sort(key=lambda decision: -decision.regret)
    return Regret(worlds, JUDGED * worlds, tuple(tables), tuple(judged[:WORST]))


def option_text(option: Option) -> str:
    """Write an option: cards to put away with blanks between."""
    return " ".join(option) if isinstance(option, tuple) else option
