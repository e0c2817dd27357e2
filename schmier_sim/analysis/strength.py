"""How strong the bots are: duels of each with each, `search` against `club`, an audit of `club`; and the goals set."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

from schmier_sim.analysis.audit import LEAST_WORLDS, Audit, audit
from schmier_sim.analysis.duel import Duel, duel, duels
from schmier_sim.analysis.ratios import Z95
from schmier_sim.analysis.response import SIDES
from schmier_sim.analysis.run import Progress
from schmier_sim.analysis.seating import SEARCH
from schmier_sim.kernel.bots import BOT_NAMES

BOT = "club"
#: Not a seed by which tables of `club` are made.
SEED = 4711


@dataclass(frozen=True)
class Sizes:
    """Deals of each measurement, and worlds a decision: of `search` in duels, and in audits.

    An audit looks for what could be gained, so its `search` has more worlds: with few it is misled by their luck so
    often that it loses what it gains.
    """

    duels: int
    search: int
    regret: int
    response: int
    cells: int
    calibration: int
    worlds: int
    audit_worlds: int


FULL = Sizes(200_000, 3000, 800, 2000, 2000, 1_000_000, 40, 150)
QUICK = Sizes(5000, 60, 60, 60, 60, 20_000, 4, 10)


@dataclass(frozen=True)
class Strength:
    """What came of all measurements.

    Attributes
    ----------
    seed, sizes
        Of all deals.
    duels
        Each bot against each other one.
    search
        `search` against two teams of `club`: with few worlds, and with many.
    audits
        Audits of `club` by part, each as the command of that part alone.
    """

    seed: int
    sizes: Sizes
    duels: tuple[Duel, ...]
    search: tuple[Duel, Duel]
    audits: dict[str, Audit]


@dataclass(frozen=True)
class Goal:
    """A goal, and what was reached.

    Attributes
    ----------
    name
        "random", "simple", "response", "search", "cells" or "calibration".
    bound, at_least
        What was to be reached: at least or at most so much, in points, or as a probability.
    value, low, high
        What was measured, and its 95 % interval.
    """

    name: str
    bound: float
    at_least: bool
    value: float
    low: float
    high: float

    @property
    def reached(self) -> bool | None:
        """True or False where all of the interval is on one side of the bound, else None."""
        if self.low >= self.bound or self.high <= self.bound:
            return (self.low >= self.bound) == self.at_least
        return None


def measure(
    sizes: Sizes = FULL,
    *,
    seed: int = SEED,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Strength:
    """Measure everything. The results follow from sizes and seed, whatever the number of workers."""
    depths = {
        "regret": sizes.audit_worlds,
        "response": sizes.audit_worlds,
        "cells": sizes.audit_worlds,
        "calibration": None,
    }
    pairs = [*permutations(BOT_NAMES, 2)]
    met = duels(pairs, seed=seed, deals=sizes.duels, workers=workers, progress=progress)
    if progress is not None:
        progress(Progress(0, 1, message=f"{SEARCH} against {BOT} …"))

    def searched(worlds: int) -> Duel:
        return duel(
            SEARCH, BOT, seed=seed, deals=sizes.search, worlds=worlds, workers=workers, progress=progress
        )

    search = searched(max(sizes.worlds, LEAST_WORLDS)), searched(sizes.audit_worlds)
    audits = {}
    for part, worlds in depths.items():
        if progress is not None:
            progress(Progress(0, 1, message=f"{part} …"))
        audits[part] = audit(
            [part],
            bots=BOT,
            seed=seed,
            deals=getattr(sizes, part),
            worlds=worlds,
            workers=workers,
            progress=progress,
        )
    return Strength(seed, sizes, met, search, audits)


def goals_of(strength: Strength) -> tuple[Goal, ...]:
    """Compare what was measured with what was to be reached."""
    found = []
    for opponent, least in (("random", 0.75), ("simple", 0.70)):
        met = next(one for one in strength.duels if (one.challenger, one.opponent) == (BOT, opponent))
        found.append(Goal(opponent, least, True, met.match_wins, met.match_wins_low, met.match_wins_high))
    response = strength.audits["response"].response
    cells = strength.audits["cells"].cells
    calibration = strength.audits["calibration"].calibration
    if response is None or cells is None or calibration is None:
        raise ValueError("a part of the audit is missing")
    gaps = [response.gap(mode, side) for mode in ("declare", "auction") for side in SIDES]
    worst = max(gaps, key=lambda gap: gap.gap)
    found.append(_goal("response", 0.15, worst.gap, worst.gap_se))
    met, _ = strength.search
    found.append(Goal(SEARCH, 0.42, False, met.match_wins, met.match_wins_low, met.match_wins_high))
    found.append(_goal("cells", 0.02, cells.absolute, cells.absolute_se))
    tenth = max(calibration.tenths, key=lambda row: abs(row.difference))
    found.append(_goal("calibration", 0.015, abs(tenth.difference), tenth.difference_se))
    return tuple(found)


def _goal(name: str, most: float, value: float, error: float) -> Goal:
    return Goal(name, most, False, value, value - Z95 * error, value + Z95 * error)
