"""The tables of `club`, as they ship."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from schmier_sim.kernel.bots.club_bot import SIZE

PATH = Path(__file__).resolve().parent.parent.parent / "data" / "club.npz"


@cache
def club_tables() -> NDArray[np.int16]:
    """Weights of `club` in thousandths of a point: int16 [SIZE], read-only use."""
    if not PATH.exists():
        return np.zeros(SIZE, np.int16)
    with np.load(PATH) as data:
        return np.ascontiguousarray(data["weights"])
