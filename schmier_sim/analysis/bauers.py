"""What right and left bauer are worth, by the number of other trumps that the declarer holds."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from schmier_sim.analysis.run import simulate
from schmier_sim.analysis.tally import count_points, count_wins
from schmier_sim.game.cards import POINTS
from schmier_sim.game.holdings import HOLDINGS, NAMED
from schmier_sim.kernel.counts import N_SEATS
from schmier_sim.kernel.match import Floats
from schmier_sim.kernel.simulate import Setup

BAUERS = {"R": "right", "L": "left"}
"""The cards, and the points they are."""
STRATA = N_SEATS * len(HOLDINGS)


@dataclass(frozen=True)
class Worth:
    """What a bauer is worth with so many other trumps, in hands as they are dealt.

    Attributes
    ----------
    card, others
        "R" or "L"; other trumps.
    deals
    wins, wins_error
        How often the side that names trumps wins its point, and the standard error.
    adds, adds_error
        Points that the side wins more than with a plain card in its place.
    """

    card: str
    others: int
    deals: int
    wins: float
    wins_error: float
    adds: float
    adds_error: float


def measure_bauers(each: int, numbers: int, seed: int, workers: int | None = None) -> tuple[Worth, ...]:
    """Measure what bauers are worth with so many numbers of other trumps: 0, 1 and so on, the last or more.

    Each class of hands is declared `each` times in each seat, and counts as often as it is dealt.
    """
    tally = simulate(Setup(seed, sample="stratified"), deals=each * STRATA, workers=workers).tally
    outcomes = tally.cells.sum(axis=(0, 2))
    deals = outcomes.sum(axis=1)
    wins = count_wins(outcomes) / deals[:, np.newaxis]
    shares = count_points(outcomes) / deals[:, np.newaxis]
    k = np.arange(shares.shape[1])
    points = shares @ k
    squares = (shares @ k**2 - points**2) / deals
    found = []
    for card, point in BAUERS.items():
        chance = wins[:, POINTS.index(point)]
        chance_squares = chance * (1 - chance) / deals
        for others in range(numbers):
            own, without, weights = _classes(dict(NAMED)[card], others, others == numbers - 1)
            found.append(
                Worth(
                    card,
                    others,
                    int(deals[own].sum()),
                    float(weights @ chance[own]),
                    sqrt(weights**2 @ chance_squares[own]),
                    float(weights @ (points[own] - points[without])),
                    sqrt(weights**2 @ (squares[own] + squares[without])),
                )
            )
    return tuple(found)


def _classes(bit: int, others: int, or_more: bool) -> tuple[list[int], list[int], Floats]:
    """Classes with a bauer and so many other trumps, the same with a plain card in its place, and their weights."""
    ids = {(holding.held, holding.small): number for number, holding in enumerate(HOLDINGS)}
    own = [
        number
        for number, holding in enumerate(HOLDINGS)
        if holding.held & bit and (holding.trumps - 1 == others or (or_more and holding.trumps > others))
    ]
    without = [ids[HOLDINGS[number].held ^ bit, HOLDINGS[number].small] for number in own]
    counts = np.array([HOLDINGS[number].count for number in own])
    return own, without, counts / counts.sum()
