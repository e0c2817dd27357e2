"""How fast the simulator is on this machine: deals a second, compile time and start time."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from schmier_sim.analysis.run import available_cores, simulate
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.simulate import Setup

SCHEMA = "schmier-sim/bench/1"
SEED = 21
#: Windows that are timed for each row; the best counts, since other work on the machine only ever slows one down.
WINDOWS = 3
KINDS = (("declare", "natural"), ("declare", "stratified"), ("auction", "natural"))
#: What a new process does up to its first deals.
START = """
from schmier_sim.analysis.run import simulate
from schmier_sim.kernel.simulate import Setup
simulate(Setup(), deals=1000, workers=1)
"""


@dataclass(frozen=True)
class Speed:
    """One row: what was played, by how many workers, how fast."""

    bots: str
    mode: str
    sample: str
    workers: int
    deals_per_second: float

    @property
    def ns_per_deal(self) -> float:
        """Nanoseconds of wall-clock time a deal."""
        return 1e9 / self.deals_per_second


@dataclass(frozen=True)
class Bench:
    """All that `measure` measures; seconds of wall-clock time."""

    rows: tuple[Speed, ...]
    compile_seconds: float
    cached_start_seconds: float


def measure(*, deals: int, workers: int | None = None, say: Callable[[str], None] | None = None) -> Bench:
    """Measure everything.

    Parameters
    ----------
    deals
        Deals in a timed window.
    workers
        Threads in the rows that use several; None for all cores.
    say
        Told what is being measured; by default nobody is.
    """
    most = workers or available_cores()
    tell = say or (lambda _text: None)
    tell("measuring compile time and start, in new processes …")
    compile_seconds, cached_start_seconds = measure_starts()
    rows = []
    for bots in BOT_NAMES:
        for mode, sample in KINDS:
            tell(f"measuring {bots}, {mode}, {sample} …")
            setup = Setup(seed=SEED, mode=mode, sample=sample, bots=bots, rules=Rules())
            rows += [measure_speed(setup, deals, count) for count in sorted({1, most})]
    return Bench(tuple(rows), compile_seconds, cached_start_seconds)


def measure_speed(setup: Setup, deals: int, workers: int) -> Speed:
    """Time some windows of `deals` deals, after one that loads the kernels; the best counts."""
    simulate(setup, deals=1000, workers=workers)
    best = min(_seconds(lambda: simulate(setup, deals=deals, workers=workers)) for _ in range(WINDOWS))
    return Speed(str(setup.bots), setup.mode, setup.sample, workers, deals / best)


def measure_starts() -> tuple[float, float]:
    """Time a new process without and with compiled kernels, up to its first deals."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"SCHMIER_CACHE_DIR": folder}

        def start() -> None:
            subprocess.run([sys.executable, "-c", START], env=environment, check=True)

        compile_seconds = _seconds(start)
        return compile_seconds, min(_seconds(start) for _ in range(WINDOWS))


def to_json(result: Bench) -> dict[str, Any]:
    """Give the measurements the shape of schema ``schmier-sim/bench/1``."""
    return {
        "schema": SCHEMA,
        "rows": [asdict(row) | {"ns_per_deal": row.ns_per_deal} for row in result.rows],
        "compile_seconds": result.compile_seconds,
        "cached_start_seconds": result.cached_start_seconds,
    }


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
