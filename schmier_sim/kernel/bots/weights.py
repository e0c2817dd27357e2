"""The tables of `club` as the kernels want them."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.club_bot import SIZE, weights


@cache
def club_tables() -> NDArray[np.int16]:
    """Weights of `club` in thousandths of a point: int16 [SIZE], not to be written to."""
    return np.array(weights(), dtype=np.int16)


def check_tables(tables: NDArray[np.int16]) -> NDArray[np.int16]:
    """Other tables for `club`, if kernels can use them: one set, or one for each of three teams.

    Raises
    ------
    ValueError
        Of another size or type.
    """
    if tables.dtype != np.int16 or tables.shape not in ((SIZE,), (3 * SIZE,)):
        raise ValueError(
            f"tables of {tables.shape} {tables.dtype} numbers: wanted ({SIZE},) or ({3 * SIZE},) of int16"
        )
    return tables
