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
#: Shorter runs: by what the longest is divided, and how many of them are played before it. As many are played after
#: it, as a machine is not as fast at one hour as at another, which must not look like a cost of long or short runs.
SHORTER = ((1000, 10), (100, 3), (10, 1))


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
    """What runs of a length took.

    Attributes
    ----------
    deals, times
        Their length, and how many were played.
    seconds, processor
        Of all of them: on the clock, and of all cores together.
    memory
        Bytes at the end of the last.
    """

    deals: int
    times: int
    seconds: float
    processor: float
    memory: int

    def and_then(self, other: "Length") -> "Length":
        """Both together."""
        return Length(
            self.deals,
            self.times + other.times,
            self.seconds + other.seconds,
            self.processor + other.processor,
            other.memory,
        )


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
    """Play runs of a thousandth, a hundredth, a tenth and all of some deals, saved as every run is.

    Parameters
    ----------
    setup : Setup
        What is played.
    deals : int
        The longest run, at least 1000 deals.
    path : Path
        Where runs are written, one over the other.
    workers, every
        Threads (by default one for each core), seconds between two samples.
    report : function of Progress, optional
        Called about ten times a second.
    """
    samples: list[Sample] = []
    workers = workers or available_cores()
    write_run(path, simulate(setup, deals=1, workers=1))  # compiled, and all that it needs in memory

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

    shorter = [deals // step for step, times in SHORTER for _ in range(times)]
    together: dict[int, Length] = {}
    for length in (*shorter, deals, *reversed(shorter)):
        one, so_far = play(length, watched=length == deals), together.get(length)
        together[length] = so_far.and_then(one) if so_far else one
    return Soak(setup, workers, tuple(together.values()), tuple(samples))
