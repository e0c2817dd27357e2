"""Who is audited and on which deals: what the parts of an audit share."""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from schmier_sim.game.bots import BOTS
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.game.record import DealRecord
from schmier_sim.game.reference import play_deal
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import Bot
from schmier_sim.kernel.search import SearchBot
from schmier_sim.kernel.simulate import STANDARD

FloatArray = NDArray[np.float64]

#: Steps from class to class of a stratified sample that is shorter than all strata: about 769 over the golden ratio, so
#: that any number of deals is spread over weak and strong holdings alike.
STRIDE = 475
N_STRATA = 6 * len(HOLDINGS)


@dataclass(frozen=True)
class Subject:
    """The player that is audited.

    Parameters
    ----------
    policy : str
        The kernels' bot that plays on in play-outs.
    bot : Bot, optional
        Who decides, if not that bot's twin in plain Python.
    rules : Rules
    """

    policy: str
    bot: Bot | None = None
    rules: Rules = STANDARD

    @property
    def player(self) -> Bot:
        """Who decides."""
        return BOTS[self.policy] if self.bot is None else self.bot

    def searcher(self, worlds: int, seed: int = 0) -> SearchBot:
        """`search` with play-outs by the policy; it bids as the player does."""
        return SearchBot(worlds, seed, self.policy, base=self.player)


@dataclass(frozen=True)
class Address:
    """A deal, as ``schmier-sim deal`` finds it."""

    seed: int
    index: int
    mode: str
    sample: str = "natural"

    def play(self, rules: Rules, bots: Bot | tuple[Bot, ...]) -> DealRecord:
        """Play it."""
        return play_deal(self.seed, self.index, rules, bots, self.mode, self.sample)

    def command(self, bots: str) -> str:
        """Command line that replays it."""
        sample = "" if self.sample == "natural" else f" --sample {self.sample}"
        return f"schmier-sim deal {self.index} --seed {self.seed} --mode {self.mode}{sample} --bots {bots}"


def spread_strata(n: int) -> list[int]:
    """Indices of `n` stratified deals, over seats and holdings as evenly as it goes; no index comes twice."""
    return [
        number // N_STRATA * N_STRATA + number * STRIDE % len(HOLDINGS) * 6 + number % 6
        for number in range(n)
    ]


def declaring_points(record: DealRecord, rules: Rules) -> int:
    """How many of the six points the declaring team won. ValueError where nobody declared."""
    if record.declarer is None:
        raise ValueError("nobody declared")
    return list(record.points.values()).count(rules.team(record.declarer))


def mean(values: ArrayLike) -> tuple[float, float]:
    """Mean of independent values and its standard error; not a number where there are too few."""
    array = np.asarray(values, np.float64)
    n = len(array)
    error = float(array.std(ddof=1)) / n**0.5 if n > 1 else nan
    return (float(array.mean()) if n else nan), error


def ratio(above: ArrayLike, below: ArrayLike) -> tuple[float, float]:
    """Ratio of two sums over deals, and its standard error: deals are clusters of what is added up.

    Not a number where the sum below the line is not above 0.

    Parameters
    ----------
    above, below : float arrays [deals]
        What each deal adds to the two sums.
    """
    x, y = np.asarray(above, np.float64), np.asarray(below, np.float64)
    n, total = len(y), float(y.sum())
    if total <= 0:
        return nan, nan
    value = float(x.sum()) / total
    if n < 2:
        return value, nan
    residuals = x - value * y
    return value, float(np.sqrt((residuals @ residuals) * n / (n - 1))) / total
