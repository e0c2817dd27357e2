"""A made-up run: every hand was dealt equally often, and honours help as everybody would guess."""

from dataclasses import replace

import numpy as np
import pytest

from schmier_sim.analysis.store import Run, RunInfo
from schmier_sim.analysis.tally import Tally
from schmier_sim.game.holdings import HOLDINGS, Holding
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import CELLS_SHAPE

DEALS = 400  # of each trump holding in each seat

INFO = RunInfo(
    rules=Rules(),
    bots="simple",
    mode="declare",
    sample="stratified",
    seed=7,
    ranges=((0, 6 * 769 * DEALS),),
    version="0.1.0",
    source_hash="",
    libraries={},
    command="schmier-sim simulate",
    started="2025-03-04T05:06:07+00:00",
    seconds=1.0,
    speed=1.0,
    wanted=6 * 769 * DEALS,
)
SURE = {"A": 0, "2": 1, "R": 2, "L": 3, "Jo": 4}  # the card that helps most for a point


def win_chances(holding: Holding, seat: int) -> np.ndarray:
    held = holding.text.split()
    strength = sum({"A": 2, "K": 1, "Q": 1, "R": 1, "L": 1}.get(card, 0) for card in held)
    chances = np.full(6, min(0.85, 0.2 + 0.06 * strength + 0.03 * len(held) + 0.05 * (seat == 6)))
    for card, point in SURE.items():
        if card in held:
            chances[point] = max(chances[point], 0.98 if card in "A2" else 0.7)
    return chances


@pytest.fixture(scope="session")
def run() -> Run:
    random = np.random.default_rng(20250101)
    tally = Tally(np.zeros(CELLS_SHAPE, np.int64), Tally.empty().types, 0)
    for seat in range(1, 7):
        for number, holding in enumerate(HOLDINGS):
            wins = random.random((DEALS, 6)) < win_chances(holding, seat)
            outcomes = wins @ (1 << np.arange(6))
            aces = np.minimum(random.integers(0, 4, DEALS), 6 - holding.trumps)
            np.add.at(tally.cells, (seat - 1, number, aces, outcomes), 1)
    return Run(INFO, tally)


@pytest.fixture(scope="session")
def small_run(run: Run) -> Run:
    """One deal of each trump holding and seat: no pattern has a hundred."""
    tally = Tally.empty()
    first = run.tally.cells.reshape(6, 769, -1).argmax(axis=2)
    seats, holdings = np.indices((6, 769))
    tally.cells.reshape(6, 769, -1)[seats, holdings, first] = 1
    return Run(replace(INFO, ranges=((0, 6 * 769),)), tally)
