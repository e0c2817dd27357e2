"""A run as long as one likes, watched: what a deal costs from the first to the last, and how much memory it takes."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from schmier_sim.analysis.run import Progress, available_cores, simulate
from schmier_sim.analysis.store import write_run
from schmier_sim.kernel.simulate import Setup

#: Seconds between two samples of the longest run.
EVERY = 5.0
#: Runs are as long as the longest one divided by these, from the shortest on; shorter ones are repeated, as luck of a
#: second weighs more there.
STEPS = (1000, 100, 10, 1)
REPEATS = 5


@dataclass(frozen=True)
class Sample:
    """How far the longest run was at a moment.

    Attributes
    ----------
    seconds, processor
        Since it began: on the clock, and of all cores together.
    deals
        Played by then.
    memory
        Bytes of memory that the process holds.
    """

    seconds: float
    processor: float
    deals: int
    memory: int


@dataclass(frozen=True)
class Length:
    """What a run of a length took.

    Attributes
    ----------
    deals, times
        Its length, and how often it was played; the rest is of the middle one by time.
    seconds, processor
        On the clock, and of all cores together.
    memory
        Bytes at its end.
    """

    deals: int
    times: int
    seconds: float
    processor: float
    memory: int


@dataclass(frozen=True)
class Soak:
    """Runs of several lengths, and samples of the longest."""

    setup: Setup
    workers: int
    lengths: tuple[Length, ...]
    samples: tuple[Sample, ...]


def memory() -> int:
    """Bytes of memory that this process holds; the most that it ever held where the system tells no more."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


def soak(
    setup: Setup,
    deals: int,
    path: Path,
    *,
    workers: int | None = None,
    every: float = EVERY,
    report: Callable[[Progress], None] | None = None,
) -> Soak:
    """Play runs of a thousandth, a hundredth, a tenth and all of some deals, saved on the way as every run is.

    Parameters
    ----------
    setup : Setup
        What is played.
    deals : int
        The longest run, at least 1000 deals.
    path : Path
        Where runs are written; the longest one stays there.
    workers, every
        Threads (by default one for each core), seconds between two samples.
    report : function of Progress, optional
        Called about ten times a second.
    """
    samples: list[Sample] = []
    workers = workers or available_cores()
    simulate(setup, deals=1, workers=1)  # compiled, and in memory

    def play(length: int, *, watched: bool) -> Length:
        clock, processor = time.perf_counter(), time.process_time()

        def note(progress: Progress) -> None:
            seconds = time.perf_counter() - clock
            if watched and (not samples or seconds - samples[-1].seconds >= every):
                samples.append(Sample(seconds, time.process_time() - processor, progress.done, memory()))
            if report is not None:
                report(progress)

        run = simulate(
            setup, deals=length, workers=workers, progress=note, checkpoint=lambda part: write_run(path, part)
        )
        write_run(path, run)
        used = time.process_time() - processor
        if watched:
            if time.perf_counter() - clock - samples[-1].seconds < every / 2:
                samples.pop()  # speeds between two samples mean nothing if these are close together
            samples.append(Sample(time.perf_counter() - clock, used, length, memory()))
        return Length(length, 1, time.perf_counter() - clock, used, memory())

    lengths = []
    for step in STEPS:
        times = REPEATS if step >= STEPS[1] else 1
        played = [play(deals // step, watched=step == 1) for _ in range(times)]
        middle = sorted(played, key=lambda one: one.seconds)[times // 2]
        lengths.append(Length(middle.deals, times, middle.seconds, middle.processor, middle.memory))
    return Soak(setup, workers, tuple(lengths), tuple(samples))
