"""The tables of `club` as the kernels want them."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.club_bot import weights


@cache
def club_tables() -> NDArray[np.int16]:
    """Weights of `club` in thousandths of a point: int16 [SIZE], not to be written to."""
    return np.array(weights(), dtype=np.int16)
