"""Deals in which one team breaks a rule of play, or keeps to it blindly, beside the same deals without.

The team plays as `club` but where the rule tells it otherwise, and so do the others. A deal in which it never comes to
differ is not played again: the difference is exactly 0. Bids never differ.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.playcandidates import Candidate
from schmier_sim.analysis.playlanes import play_out
from schmier_sim.analysis.playsights import DRAW, FOLLOW, KEEP, LEAD, Exchange, Sight
from schmier_sim.game.cards import Card, in_order
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.dealing import deal_cards
from schmier_sim.game.reference import SEATS, Table, name_trumps, run_auction, run_exchange
from schmier_sim.game.view import Bot, View
from schmier_sim.game.words import word
from schmier_sim.kernel.block import B
from schmier_sim.kernel.simulate import STANDARD

TEMPERS = "mixed"
CLUB = ClubBot(tempers=TEMPERS)

BREAK, BLIND = range(2)
"""Ways to differ from `club`: break the rule where it keeps to it, keep to it where it breaks it."""
SITUATIONS, CAME_UP, OCCASIONS, GAIN = range(4)
"""What a deal adds up over the three places: decisions of `club` at which one would differ, places in which one did,
how often, and the relative points gained by it, in halves."""

Counts = NDArray[np.int64]
Option = Any
"""A card to be played, or cards to be put away."""

Key = tuple[int, int, int]
"""Rule, way and team (0, 1, 2)."""


def others(rule: Candidate, at: Exchange | Sight, chosen: Option) -> tuple[int, list[Option]] | None:
    """In which way one may differ from what `club` has chosen by a rule, and by which options.

    None where all options are of one sort, or the rule has nothing to say.
    """
    if not rule.concerns(at.view):
        return None
    options: list[Option] = list(at.options(rule.decision))
    keeping: set[Option] = set(rule.keeping(at)) if len(options) > 1 else set()
    keeps = chosen in keeping
    rest = [option for option in options if (option in keeping) != keeps]
    return (BREAK if keeps else BLIND, rest) if keeping and rest else None


def otherwise(rule: Candidate, way: int, at: Exchange | Sight, chosen: Option) -> Option | None:
    """What is done in place of what `club` has chosen: of the others what it likes best; None where that stands."""
    found = others(rule, at, chosen)
    return best(at, found[1]) if found is not None and found[0] == way else None


def best(at: Exchange | Sight, options: Sequence[Option]) -> Option:
    """Of some options that which `club` likes best; of equals the first."""
    weight: Callable[[Option], int] = at.weight
    return max(options, key=weight) if len(options) > 1 else options[0]


class Exchanger(ClubBot):
    """Puts away as `club` does, but for one rule; it counts where it differs."""

    def __init__(self, rule: Candidate, way: int) -> None:
        super().__init__(tempers=TEMPERS)
        self.rule, self.way, self.occasions = rule, way, 0

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Put cards away."""
        away = in_order(super().exchange(view))
        other = otherwise(self.rule, self.way, Exchange(view), away)
        self.occasions += other is not None
        return away if other is None else other


class Watcher(ClubBot):
    """Plays as `club`, and notes where each team may differ by each rule.

    Attributes
    ----------
    counts : int64 [rules, ways, teams]
        Decisions at which one may differ.
    first : dict
        The first of them in play, by rule, way and team: its number in the deal, and the card that is played.
    """

    def __init__(self, rules: Sequence[Candidate]) -> None:
        super().__init__(tempers=TEMPERS)
        self.rules = rules
        self.counts = np.zeros((len(rules), 2, STANDARD.n_teams), np.int64)
        self.first: dict[Key, tuple[int, Card]] = {}

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Put cards away."""
        away = in_order(super().exchange(view))
        self._note(Exchange(view), away, (DRAW, KEEP))
        return away

    def note(self, table: Table, seat: int, card: Card) -> Card:
        """Note a card that `club` plays."""
        at = Sight(table.view(seat))
        for key, other in self._note(at, card, (LEAD,) if at.leads else (FOLLOW,)):
            if key not in self.first:
                self.first[key] = number_of(table), best(at, other)
        return card

    def _note(
        self, at: Exchange | Sight, chosen: Option, decisions: tuple[str, ...]
    ) -> list[tuple[Key, list[Option]]]:
        noted = []
        for number, rule in enumerate(self.rules):
            found = others(rule, at, chosen) if rule.decision in decisions else None
            if found is not None:
                key = number, found[0], at.view.team - 1
                self.counts[key] += 1
                noted.append((key, found[1]))
        return noted


@dataclass
class Replay:
    """A deal in which one team differs by one rule.

    Attributes
    ----------
    deal
        Which of the deals that are played side by side.
    rule, way, team
    table
        After the exchange.
    occasions
        How often the team differed.
    first
        Number of the first card that differs, and that card; by an exchange it is none of these.
    """

    deal: int
    rule: int
    way: int
    team: int
    table: Table
    occasions: int = 0
    first: tuple[int, Card] | None = None

    def decide(self, rule: Candidate, seat: int, card: Card) -> Card:
        """Play `club`'s card or another."""
        if (
            self.first is None
            or STANDARD.team(seat) - 1 != self.team
            or number_of(self.table) < self.first[0]
        ):
            return card
        if (rule.decision == LEAD) == bool(self.table.trick):
            return card
        if number_of(self.table) == self.first[0]:
            other: Card | None = self.first[1]
        else:
            other = otherwise(rule, self.way, Sight(self.table.view(seat)), card)
        self.occasions += other is not None
        return card if other is None else other


def number_of(table: Table) -> int:
    """Number of the card to be played in its deal, from 0."""
    return 6 * len(table.tricks) + len(table.trick)


def play_deals(seed: int, rules: Sequence[Candidate], indices: Sequence[int]) -> Counts:
    """Play deals with and without each rule, by each team in turn.

    Parameters
    ----------
    seed : int
    rules : sequence of Candidate
    indices : sequence of int
        At most `B` deals. Those that are passed out are left out of the result.

    Returns
    -------
    int64 [deals, rules, ways, 4]
        By `SITUATIONS`, `CAME_UP`, `OCCASIONS` and `GAIN`, added up over the teams.
    """
    watchers: list[Watcher] = []
    plain: list[Table] = []
    replays: list[Replay] = []
    for index in indices:
        watcher = Watcher(rules)
        table = Table(deal_cards(seed, index), STANDARD, partial(word, seed, index))
        run_auction(table, dict.fromkeys(SEATS, watcher))
        if table.declarer is None:
            continue
        name_trumps(table, watcher)
        called = _copy(table)
        run_exchange(table, dict.fromkeys(SEATS, watcher))
        replays += _exchanged_otherwise(len(plain), called, watcher)
        watchers.append(watcher)
        plain.append(table)
    counts = np.zeros((len(plain), len(rules), 2, 4), np.int64)
    if not plain:
        return counts
    exchanged = [_copy(table) for table in plain]
    play_out(plain, lambda lane, seat, card: watchers[lane].note(plain[lane], seat, card))
    for deal, watcher in enumerate(watchers):
        counts[deal, ..., SITUATIONS] = watcher.counts.sum(axis=-1)
        replays += [
            Replay(deal, *key, _copy(exchanged[deal]), first=first) for key, first in watcher.first.items()
        ]
    scores = [table.record().scores for table in plain]
    for start in range(0, len(replays), B):
        lanes = replays[start : start + B]
        play_out([one.table for one in lanes], partial(_decide, rules, lanes))
        for one in lanes:
            gain = relative(one.table.record().scores, one.team) - relative(scores[one.deal], one.team)
            counts[one.deal, one.rule, one.way, CAME_UP:] += (1, one.occasions, gain)
    return counts


def _exchanged_otherwise(deal: int, called: Table, watcher: Watcher) -> list[Replay]:
    """Deals in which a team puts away otherwise: `called` is the table before the exchange."""
    replays = []
    for number, way, team in np.argwhere(watcher.counts).tolist():
        player = Exchanger(watcher.rules[number], way)
        table = _copy(called)
        seated: dict[int, Bot] = {seat: player if STANDARD.team(seat) == team + 1 else CLUB for seat in SEATS}
        run_exchange(table, seated)
        replays.append(Replay(deal, number, way, team, table, player.occasions))
    return replays


def _decide(rules: Sequence[Candidate], lanes: Sequence[Replay], lane: int, seat: int, card: Card) -> Card:
    one = lanes[lane]
    return one.decide(rules[one.rule], seat, card)


def _copy(table: Table) -> Table:
    """A table that can be played on by itself."""
    other = copy(table)
    other.hands = {seat: list(hand) for seat, hand in table.hands.items()}
    other.discards, other.exchange = dict(table.discards), list(table.exchange)
    other.tricks, other.trick = list(table.tricks), list(table.trick)
    return other


def relative(scores: Sequence[int], team: int) -> int:
    """Points of a team (0, 1, 2) less the mean of the other two, in halves."""
    return 3 * scores[team] - sum(scores)
