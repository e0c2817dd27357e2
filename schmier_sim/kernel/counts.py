"""The shape of what is counted: between the kernels that fill the counts and the tallies that add them up."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.holdings import HOLDINGS

N_SEATS = 6
N_ACES = 4
N_OUTCOMES = 64
N_DEAL_TYPES = 3**5 * 4
BIDS = (3, 4, 5, 6)

#: By the declarer's six dealt cards: seat, class of trump holding, plain aces, which points his team won.
CELLS_SHAPE = (N_SEATS, len(HOLDINGS), N_ACES, N_OUTCOMES)
#: By deal type: declarer's seat, bid (none or 3 to 6), who won each of the six points.
TYPES_SHAPE = (N_SEATS, 1 + len(BIDS), N_DEAL_TYPES)
#: Winner of the game point where it was tied.
NOBODY = 3


@cache
def winners() -> NDArray[np.int64]:
    """Return int64 [972, 6]: the team index (0..2) that won each point of POINTS; game 3 where tied.

    A deal type is five base-3 digits for high (most significant), low, right, left and joker, then game: x 4.
    """
    bases = (3, 3, 3, 3, 3, 4)
    array = np.stack(np.unravel_index(np.arange(N_DEAL_TYPES), bases), axis=-1).astype(np.int64)
    array.flags.writeable = False
    return array


@cache
def team_points(team: int) -> NDArray[np.int64]:
    """Return int64 [972]: points that the team with this index (0..2) won in each deal type."""
    array = (winners() == team).sum(axis=1)
    array.flags.writeable = False
    return np.asarray(array, np.int64)
