"""What short rules of card play are worth, measured by breaking them.

One team breaks a rule (`analysis.playcandidates`): it plays as `club`, but where `club` keeps to the rule and could do
otherwise, it takes what `club` likes best of all that breaks it. The others play as `club`. The team sits in each of
the three places in turn, on the same deals; what counts is its relative points a deal, less what `club` scores there.

That alone would flatter a rule which `club` follows only where it is right. So in the same way a team keeps to the rule
*blindly*: where `club` would break it, it takes what `club` likes best of all that keeps to it.

A deal in which a team never comes to do otherwise is not played again: its difference is exactly 0. Bids never differ.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache, partial
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from schmier_sim.analysis.audited import mean, ratio
from schmier_sim.analysis.bidtable import weights_hash
from schmier_sim.analysis.crew import open_crew
from schmier_sim.analysis.playbreaks import (
    BLIND,
    BREAK,
    CAME_UP,
    GAIN,
    OCCASIONS,
    SITUATIONS,
    TEMPERS,
    Counts,
    play_deals,
)
from schmier_sim.analysis.playcandidates import CANDIDATES, KEPT, Candidate
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.analysis.seating import Report
from schmier_sim.kernel.simulate import STANDARD

PATH = Path(__file__).with_name("playrules.json")
SEED = 52
DEALS = 24_000
LEAST_PLAYED = 2
BATCH = 16
"""Deals that are played side by side."""


@dataclass(frozen=True)
class PlayRule:
    """A rule of play, and what it is worth to a team, in relative points; each figure with its standard error.

    Attributes
    ----------
    key, rule, who, decision
        As in `playcandidates.Candidate`.
    kept
        Whether it is one of the eight for the head.
    per_100
        In how many deals of a hundred a team comes to break it where `club` keeps to it.
    occasions_per_100
        How often in a hundred deals.
    cost_per_deal, cost_per_deal_se
        What breaking it costs a deal that is played.
    cost_per_occasion, cost_per_occasion_se
        The same each time; None for a rule that never comes up.
    blind_cost, blind_cost_se
        What it costs a deal to keep to it where `club` does not.
    worth, worth_se
        The difference of both: a team that always keeps to it against one that never does.
    club_keeps
        Share of the decisions with a choice in which `club` keeps to it; None without any.
    """

    key: str
    rule: str
    who: str
    decision: str
    kept: bool
    per_100: float
    occasions_per_100: float
    cost_per_deal: float
    cost_per_deal_se: float
    cost_per_occasion: float | None
    cost_per_occasion_se: float | None
    blind_cost: float
    blind_cost_se: float
    worth: float
    worth_se: float
    club_keeps: float | None


@dataclass(frozen=True)
class PlayRules:
    """All rules that were measured, those that cost most to break first.

    Attributes
    ----------
    rules : tuple of PlayRule
    made : dict
        How: seed, deals (dealt and played), the command, the tempers, and a hash of the weights that `club` plays by.
    """

    rules: tuple[PlayRule, ...]
    made: dict[str, Any]

    @property
    def kept(self) -> tuple[PlayRule, ...]:
        """The rules for the head."""
        return tuple(rule for rule in self.rules if rule.kept)

    @property
    def others(self) -> tuple[PlayRule, ...]:
        """The rules that were measured too."""
        return tuple(rule for rule in self.rules if not rule.kept)

    def to_json(self) -> str:
        """Write them as a file."""
        return json.dumps(asdict(self), indent=2) + "\n"


@cache
def play_rules() -> PlayRules:
    """Read the rules that ship."""
    values = json.loads(PATH.read_text(encoding="utf-8"))
    return PlayRules(tuple(PlayRule(**rule) for rule in values["rules"]), values["made"])


def is_stale(rules: PlayRules) -> bool:
    """Whether `club` plays by other weights since."""
    return bool(rules.made["weights_sha256"] != weights_hash())


def measure(
    deals: int = DEALS,
    *,
    seed: int = SEED,
    workers: int | None = None,
    command: str = "",
    progress: Callable[[Progress], None] | None = None,
) -> PlayRules:
    """Measure all rules. The results follow from deals and seed, whatever the number of workers.

    Raises
    ------
    ValueError
        If fewer than `LEAST_PLAYED` deals are not passed out.
    """
    report = Report(progress or (lambda _progress: None), None)
    # In the calling process first: the others then find the machine code on disk.
    play_deals(seed, CANDIDATES, range(1))
    batches = [range(first, min(first + BATCH, deals)) for first in range(0, deals, BATCH)]
    with open_crew(workers or available_cores()) as crew:
        counts = np.concatenate(crew.each(partial(play_deals, seed, CANDIDATES), batches, report))
    if len(counts) < LEAST_PLAYED:
        raise ValueError(f"of {deals} deals {len(counts)} are played: take more, such as {DEALS}")
    rules = [summary(rule, counts[:, number]) for number, rule in enumerate(CANDIDATES)]
    rules.sort(key=lambda rule: -rule.cost_per_deal)
    made = {
        "seed": seed,
        "deals": deals,
        "played": len(counts),
        "tempers": TEMPERS,
        "command": command,
        "weights_sha256": weights_hash(),
    }
    return PlayRules(tuple(rules), made)


def summary(rule: Candidate, counts: Counts) -> PlayRule:
    """Add up what came of a rule: `counts` is int64 [deals, ways, 4], see `play_deals`."""
    places = STANDARD.n_teams
    broken, blind = (counts[:, way, GAIN] / (2 * places) for way in (BREAK, BLIND))
    occasions = counts[:, BREAK, OCCASIONS] / places
    situations = counts[..., SITUATIONS].sum(axis=0)
    cost, cost_se = mean(-broken)
    each, each_se = ratio(-broken, occasions)
    blind_cost, blind_cost_se = mean(-blind)
    worth, worth_se = mean(blind - broken)
    return PlayRule(
        key=rule.key,
        rule=rule.rule,
        who=rule.who,
        decision=rule.decision,
        kept=rule.key in KEPT,
        per_100=_rounded(100 * float(counts[:, BREAK, CAME_UP].mean()) / places),
        occasions_per_100=_rounded(100 * float(occasions.mean())),
        cost_per_deal=_rounded(cost),
        cost_per_deal_se=_rounded(cost_se),
        cost_per_occasion=_rounded(each) if isfinite(each) else None,
        cost_per_occasion_se=_rounded(each_se) if isfinite(each_se) else None,
        blind_cost=_rounded(blind_cost),
        blind_cost_se=_rounded(blind_cost_se),
        worth=_rounded(worth),
        worth_se=_rounded(worth_se),
        club_keeps=_rounded(float(situations[BREAK] / situations.sum())) if situations.any() else None,
    )


def _rounded(number: float) -> float:
    """No more digits than mean anything, and no negative zero."""
    return round(number, 5) + 0.0
