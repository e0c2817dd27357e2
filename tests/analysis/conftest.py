"""Runs made of random outcomes with known chances, for tests that need counts and no game."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from schmier_sim.analysis.patterns import cell_hands
from schmier_sim.analysis.store import Run, RunInfo
from schmier_sim.analysis.tally import Tally, type_outcomes
from schmier_sim.game.holdings import HANDS, HOLDINGS
from schmier_sim.game.rules import Rules, load_rules
from schmier_sim.kernel.counts import CELLS_SHAPE, N_DEAL_TYPES, N_SEATS

STRATA = N_SEATS * len(HOLDINGS)


def make_info(deals: int, rules: str = "standard", **changes: object) -> RunInfo:
    values: dict[str, object] = {
        "rules": load_rules(rules),
        "bots": "simple",
        "mode": "declare",
        "sample": "natural",
        "seed": 2026,
        "ranges": ((0, deals),) if deals else (),
        "version": "0.1.0",
        "source_hash": "0123456789abcdef",
        "libraries": {"numpy": "2.0.0", "numba": "0.61.0"},
        "command": f"schmier-sim simulate --deals {deals}",
        "started": "2026-01-02T03:04:05+00:00",
        "seconds": 1.5,
        "speed": deals / 1.5,
        "wanted": deals,
    }
    return RunInfo(**(values | changes))  # type: ignore[arg-type]


def point_chances() -> NDArray[np.float64]:
    """Chance of each of the six points by seat, class and aces: [6, 769, 4, 6]; honours and seats matter."""
    held = np.array([holding.held for holding in HOLDINGS])
    trumps = np.array([holding.trumps for holding in HOLDINGS])
    high = 0.2 + 0.79 * (held & 128 > 0)
    low = 0.2 + 0.75 * (held & 2 > 0)
    others = [np.clip(0.15 + 0.12 * trumps + 0.1 * (held & bit > 0), 0, 0.98) for bit in (16, 8, 1, 64)]
    by_class = np.stack([high, low, *others], axis=-1)[np.newaxis, :, np.newaxis]
    seats = np.linspace(-0.05, 0.0, N_SEATS)[:, np.newaxis, np.newaxis, np.newaxis]
    aces = np.linspace(-0.06, 0.0, 4)[:, np.newaxis]
    return np.clip(by_class + seats + aces, 0.01, 0.99)


def outcome_chances() -> NDArray[np.float64]:
    """Chance of each outcome by seat, class and aces, the points independent: [6, 769, 4, 64]."""
    points = point_chances()
    chances = np.ones(CELLS_SHAPE)
    for bit in range(6):
        won = (np.arange(64) >> bit & 1) == 1
        chances *= np.where(won, points[..., bit, np.newaxis], 1 - points[..., bit, np.newaxis])
    return chances


def dealt_counts(deals: int, sample: str, rng: np.random.Generator) -> NDArray[np.int64]:
    """Deals by seat, class and aces, as they would be dealt: [6, 769, 4]."""
    if sample == "stratified":
        turns = np.array([len(range(first, deals, STRATA)) for first in range(STRATA)])
        by_class = turns.reshape(len(HOLDINGS), N_SEATS).T
        aces = cell_hands() / cell_hands().sum(axis=1, keepdims=True)
        return rng.multinomial(by_class, np.broadcast_to(aces, CELLS_SHAPE[:3]))
    chances = (cell_hands() / HANDS).ravel()
    turns = np.array([len(range(first, deals, N_SEATS)) for first in range(N_SEATS)])
    return rng.multinomial(turns, chances).reshape(CELLS_SHAPE[:3])


def make_run(deals: int, sample: str = "natural", seed: int = 1, rules: str = "standard") -> Run:
    """Make a run of mode declare whose outcomes follow `outcome_chances`."""
    rng = np.random.default_rng(seed)
    info = make_info(deals, rules, sample=sample)
    cells = rng.multinomial(dealt_counts(deals, sample, rng), CHANCES).astype(np.int64)
    return Run(info, fill_types(cells, info.rules))


def fill_types(cells: NDArray[np.int64], rules: Rules) -> Tally:
    """Add deal types to cells of mode declare: what the declaring team did not win goes to the next team."""
    tally = Tally.empty()
    tally.cells += cells
    for seat, outcomes in enumerate(cells.sum(axis=(1, 2))):
        team = rules.team(seat + 1) - 1
        tally.types[seat, 0] = _types_of_outcomes(outcomes, team, (team + 1) % rules.n_teams)
    return tally


def _types_of_outcomes(outcomes: NDArray[np.int64], team: int, other: int) -> NDArray[np.int64]:
    types = np.zeros(N_DEAL_TYPES, np.int64)
    for outcome, count in enumerate(outcomes):
        digits = [team if outcome >> bit & 1 else other for bit in range(6)]
        number = 0
        for digit in digits[:5]:
            number = 3 * number + digit
        number = 4 * number + digits[5]
        assert type_outcomes(team)[number] == outcome
        types[number] += count
    return types


def make_auction_run(deals: int, passed: int, seed: int = 1, rules: str = "standard") -> Run:
    """Make a run of mode auction with bids at random."""
    rng = np.random.default_rng(seed)
    forced = make_run(deals - passed, seed=seed, rules=rules)
    tally = Tally(forced.tally.cells, np.zeros_like(forced.tally.types), passed)
    for seat, types in enumerate(forced.tally.types[:, 0]):
        tally.types[seat, 1:] = rng.multinomial(types, (0.6, 0.3, 0.08, 0.02)).T
    return Run(make_info(deals, rules, mode="auction"), tally)


CHANCES = outcome_chances()


@pytest.fixture(scope="session")
def synthetic() -> SimpleNamespace:
    return SimpleNamespace(
        make_info=make_info,
        make_run=make_run,
        make_auction_run=make_auction_run,
        fill_types=fill_types,
        chances=CHANCES,
    )
