"""Deal types for made-up runs: who else won the points that the declaring team did not."""

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.tally import Tally, type_outcomes
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import winners


def with_types(cells: NDArray[np.int64], rules: Rules, seed: int = 1) -> Tally:
    """Make a tally of mode declare: each point that was not won goes to any other team, or game to nobody."""
    random = np.random.default_rng(seed)
    tally = Tally.empty()
    tally.cells += cells
    real = winners().max(axis=1, initial=0, where=winners() < 3) < rules.n_teams
    for seat, outcomes in enumerate(cells.sum(axis=(1, 2))):
        of_type = type_outcomes(rules.team(seat + 1) - 1)
        for outcome, count in enumerate(outcomes.tolist()):
            types = np.flatnonzero(real & (of_type == outcome))
            tally.types[seat, 0, types] = random.multinomial(count, np.full(len(types), 1 / len(types)))
    return tally
