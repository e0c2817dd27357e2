"""Chunks: ranges of deals that are played somewhere, on this machine or another, and come back as counts.

`play_chunk` is all that a worker does.  It is called by name, with nothing but a setup and a range, so any
`concurrent.futures.Executor` can run it: threads, processes, a cluster.  What it returns is small (the counts that are
not zero), and says which program played, for counts of another one must not be added up.
"""

import threading
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import schmier_sim
from schmier_sim.analysis.tally import Tally
from schmier_sim.kernel.jit import source_hash
from schmier_sim.kernel.simulate import Setup, play_into

Int32Array = NDArray[np.int32]

_own = threading.local()


@dataclass(frozen=True, slots=True)
class Sparse:
    """Counts that are not zero.

    Attributes
    ----------
    places
        int32 [n]: where they stand in the flat array, ascending.
    counts
        int32 [n].
    """

    places: Int32Array
    counts: Int32Array

    @classmethod
    def taken_from(cls, array: NDArray[np.int64]) -> "Sparse":
        """Take the counts out of an array, which is all zero afterwards."""
        flat = array.reshape(-1)
        places = np.flatnonzero(flat)
        counts = flat[places].astype(np.int32)
        flat[places] = 0
        return cls(places.astype(np.int32), counts)

    def add_to(self, array: NDArray[np.int64]) -> None:
        """Add the counts to an array."""
        array.reshape(-1)[self.places] += self.counts


@dataclass(frozen=True, slots=True)
class Chunk:
    """What was counted in a range of deals.

    Attributes
    ----------
    start, stop
        The deals.
    cells, types, passed
        Their counts, see `Tally`.
    seconds
        How long they took.
    program
        Version and source hash of the program that played them.
    """

    start: int
    stop: int
    cells: Sparse
    types: Sparse
    passed: int
    seconds: float
    program: tuple[str, str]

    def add_to(self, tally: Tally) -> None:
        """Add what was counted to a tally."""
        self.cells.add_to(tally.cells)
        self.types.add_to(tally.types)
        tally.passed += self.passed


def program() -> tuple[str, str]:
    """Version and source hash of this program."""
    return schmier_sim.__version__, source_hash()


def play_chunk(setup: Setup, start: int, stop: int) -> Chunk:
    """Play the deals from `start` to before `stop`; at most 2³¹ - 1, so that counts fit their type."""
    begun = time.perf_counter()
    # Each thread keeps its arrays, ten million bytes that are all zero between chunks.
    tally: Tally | None = getattr(_own, "tally", None)
    _own.tally = None  # a chunk that fails half way leaves no counts to the next
    if tally is None:
        tally = Tally.empty()
    passed = play_into(setup, start, stop - start, tally.cells, tally.types)
    cells, types = Sparse.taken_from(tally.cells), Sparse.taken_from(tally.types)
    _own.tally = tally
    return Chunk(start, stop, cells, types, passed, time.perf_counter() - begun, program())
