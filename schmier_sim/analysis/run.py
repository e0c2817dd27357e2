"""Runs: many deals on many threads, in rounds, until enough are played.

A deal depends on the setup and its index alone, so it is of no consequence which thread plays which chunk, or in how
many sittings: the counts are the same to the last integer.
"""

import datetime
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from importlib.metadata import version as version_of

import schmier_sim
from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.store import Ranges, Run, RunInfo, StoreError, merge_ranges
from schmier_sim.analysis.tally import Tally
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.game.rules import Rules
from schmier_sim.game.words import MAX_INDEX
from schmier_sim.kernel.jit import source_hash
from schmier_sim.kernel.simulate import Setup, is_ready, play_into

#: Deals that a thread plays before it looks up: about 0.1 s.
CHUNK = 1 << 18
#: Deals for which another thread is not worth its while.
LEAST_CHUNK = 1 << 12
#: One deal of every stratum; whole rounds of a stratified run are multiples of it.
STRATA = 6 * len(HOLDINGS)
#: Deals after which the precision is looked at for the first time, and by how much each later look has more. The looks
#: do not depend on what was seen before, so that a run that was stopped and resumed ends where it would have ended.
FIRST_LOOK = 64 * STRATA
GROWTH = 1.25
#: Seconds between two saves of a long run, about.
SAVE_SECONDS = 20.0
TICK_SECONDS = 0.1
#: What must be the same in all parts of a run.
SAME = ("rules", "bots", "mode", "sample", "tempers", "bidding", "scores", "seed", "version", "source_hash")
LIBRARIES = ("numba", "llvmlite", "numpy")


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Parameters
    ----------
    done, total : int
        Deals played, and wanted.
    speed, eta : float
        Deals a second in this sitting; seconds left at this speed.
    half_width : float, optional
        The widest interval of the table at the last look, in percentage points, where a precision is wanted.
    message : str, optional
        Something to tell once.
    """

    done: int
    total: int
    speed: float = 0.0
    eta: float = 0.0
    half_width: float | None = None
    message: str | None = None


def simulate(
    setup: Setup,
    *,
    deals: int,
    precision: float | None = None,
    by: tuple[str, ...] = ("trumps",),
    min_deals: int = 100,
    workers: int | None = None,
    previous: Run | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    checkpoint: Callable[[Run], None] | None = None,
    command: str = "",
) -> Run:
    """Play the deals 0 … `deals` - 1 of a setup.

    Parameters
    ----------
    setup : Setup
        What is played.
    deals : int
        How many deals, at least 1; with `precision` the most that are played.
    precision : float, optional
        Stop as soon as no interval of the table by `by` reaches further than this many percentage points from its
        estimate. Looks fall on fixed numbers of deals, so that the outcome does not depend on the machine.
    by, min_deals
        The table whose intervals count, see `estimates.make_table`.
    workers : int, optional
        Threads; by default one for each core that the process may use.
    previous : Run, optional
        A run of the same setup to go on with.
    progress : function of Progress, optional
        Called about ten times a second from the calling thread.
    stop : threading.Event, optional
        Once it is set, running chunks are finished and the run that there is by then is returned.
    checkpoint : function of Run, optional
        Called every 20 seconds or so with the run so far.
    command : str
        Kept in the run, to tell how it was made.

    Returns
    -------
    Run
        Its ``info.complete`` is false if it was stopped before it had what was asked for.

    Raises
    ------
    ValueError
        No deals, too many, or no workers.
    StoreError
        `previous` is a run of something else, or of another version of the program.
    """
    if not 1 <= deals <= MAX_INDEX:
        raise ValueError(f"{deals} deals are out of range: 1 to 2^56, such as 10000000")
    if workers is not None and workers < 1:
        raise ValueError(f"{workers} workers cannot play: take at least 1")
    campaign = _Campaign(setup, deals, workers or available_cores(), previous, progress, stop, command)
    campaign.warm_up()
    if precision is None:
        campaign.play_to(deals, checkpoint)
    else:
        campaign.play_until_precise(precision, by, min_deals, checkpoint)
    return campaign.run()


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Campaign:
    """A run in the making."""

    def __init__(
        self,
        setup: Setup,
        deals: int,
        workers: int,
        previous: Run | None,
        progress: Callable[[Progress], None] | None,
        stop: threading.Event | None,
        command: str,
    ) -> None:
        if not isinstance(setup.bots, str):
            raise ValueError(
                "a run has one bot at all seats, such as 'club': a bot for each team plays duels"
            )
        if not isinstance(setup.bidding, str):
            raise ValueError(
                "a run has one bidding for all, such as 'equity': one for each team is for duels"
            )
        self.setup, self.bots, self.bidding = setup, setup.bots, setup.bidding
        self.wanted, self.workers = deals, workers
        self.report, self.stop = progress or (lambda _progress: None), stop or threading.Event()
        self.tally = Tally.empty()
        self.ranges: Ranges = ()
        self.half_width: float | None = None
        self.before = 0.0
        self.started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        self.clock = time.perf_counter()
        self.played_here = 0
        self.command = command
        if previous is not None:
            self._take_up(previous)

    def _take_up(self, previous: Run) -> None:
        mine = self.run().info
        for name in SAME:
            was, now = getattr(previous.info, name), getattr(mine, name)
            if was != now:
                raise StoreError(
                    f"the run cannot be continued: its {name} is {_shown(was)}, not {_shown(now)}"
                )
        self.tally.add(previous.tally)
        self.ranges = previous.info.ranges
        self.before = previous.info.seconds
        self.started = previous.info.started
        self.command = self.command or previous.info.command

    def warm_up(self) -> None:
        """Compile or load the kernels before the clock starts."""
        if not is_ready():
            say_compiling(self._tell)
        empty = Tally.empty()
        play_into(self.setup, 0, 0, empty.cells, empty.types)
        self.clock = time.perf_counter()

    def play_to(self, deals: int, checkpoint: Callable[[Run], None] | None) -> None:
        """Play what is missing of the deals below `deals`, and save now and then."""
        while (missing := _missing(self.ranges, deals)) and not self.stop.is_set():
            enough = CHUNK * self.workers
            if checkpoint is None:
                enough = deals
            elif self.played_here:
                enough = max(enough, int(self._speed() * SAVE_SECONDS))
            self._play_round(_first_of(missing, enough), deals)
            if checkpoint is not None and _missing(self.ranges, deals):
                checkpoint(self.run())

    def play_until_precise(
        self, precision: float, by: tuple[str, ...], min_deals: int, checkpoint: Callable[[Run], None] | None
    ) -> None:
        """Play rounds until the intervals are as narrow as wanted, or the deals are used up."""
        from schmier_sim.analysis.estimates import make_table, worst_half_width

        look = FIRST_LOOK
        while True:
            if look < self.tally.deals:
                look = _next_look(look)
                continue
            target = min(look, self.wanted)
            self.play_to(target, checkpoint)
            if _missing(self.ranges, target):
                return  # stopped on the way
            self.half_width = worst_half_width(make_table(self.run(), by, min_deals=min_deals))
            if self.half_width <= precision:
                self.wanted = self.tally.deals
            if target >= self.wanted:
                return
            look = _next_look(look)

    def _play_round(self, ranges: Ranges, total: int) -> None:
        """Play some ranges of deals on all threads and add them up."""
        chunks = _SharedChunks(ranges, self.workers, self.stop)
        done_before = self.tally.deals
        threads = min(self.workers, chunks.number)
        with ThreadPoolExecutor(threads, thread_name_prefix="deals") as pool:
            futures = [pool.submit(_play_chunks, self.setup, chunks) for _ in range(threads)]
            try:
                while wait(futures, timeout=TICK_SECONDS).not_done:
                    self._tick(done_before + chunks.finished, total, chunks.finished)
            except BaseException:
                chunks.stop.set()
                raise
        self._collect(futures)
        self._tick(self.tally.deals, total, 0)

    def _collect(self, futures: list[Future[tuple[Tally, list[tuple[int, int]]]]]) -> None:
        for future in futures:
            tally, ranges = future.result()
            self.tally.add(tally)
            self.ranges = merge_ranges((*self.ranges, *ranges))
            self.played_here += tally.deals

    def _speed(self, more: int = 0) -> float:
        return (self.played_here + more) / max(time.perf_counter() - self.clock, 1e-9)

    def _tick(self, done: int, total: int, more: int) -> None:
        speed = self._speed(more)
        self.report(Progress(done, total, speed, (total - done) / speed if speed else 0.0, self.half_width))

    def _tell(self, message: str) -> None:
        self.report(Progress(self.tally.deals, self.wanted, message=message))

    def run(self) -> Run:
        """What there is so far."""
        seconds = self.before + time.perf_counter() - self.clock
        deals = self.tally.deals
        info = RunInfo(
            rules=self.setup.rules,
            bots=self.bots,
            mode=self.setup.mode,
            sample=self.setup.sample,
            tempers=self.setup.tempers,
            bidding=self.bidding,
            scores=self.setup.scores,
            seed=self.setup.seed,
            ranges=self.ranges,
            wanted=max(self.wanted, deals),
            version=schmier_sim.__version__,
            source_hash=source_hash(),
            libraries={name: version_of(name) for name in LIBRARIES},
            command=self.command,
            started=self.started,
            seconds=seconds,
            speed=deals / max(seconds, 1e-9),
        )
        return Run(info, replace(self.tally, cells=self.tally.cells.copy(), types=self.tally.types.copy()))


class _SharedChunks:
    """The chunks of a round, handed out in order to whoever asks, until `stop` is set."""

    def __init__(self, ranges: Ranges, workers: int, stop: threading.Event) -> None:
        self.stop = stop
        self.finished = 0
        deals = sum(end - start for start, end in ranges)
        size = min(CHUNK, max(LEAST_CHUNK, -(-deals // (4 * workers))))
        self.number = sum(-(-(end - start) // size) for start, end in ranges)
        self._chunks = _cut(ranges, size)
        self._lock = threading.Lock()

    def __iter__(self) -> "_SharedChunks":
        return self

    def __next__(self) -> tuple[int, int]:
        with self._lock:
            if self.stop.is_set():
                raise StopIteration
            return next(self._chunks)

    def finish(self, deals: int) -> None:
        """Note that a chunk is played."""
        with self._lock:
            self.finished += deals


def _play_chunks(setup: Setup, chunks: _SharedChunks) -> tuple[Tally, list[tuple[int, int]]]:
    """One thread's work: chunk after chunk into a tally of its own."""
    tally = Tally.empty()
    ranges = []
    for start, end in chunks:
        tally.passed += play_into(setup, start, end - start, tally.cells, tally.types)
        ranges.append((start, end))
        chunks.finish(end - start)
    return tally, ranges


def _cut(ranges: Ranges, size: int) -> Iterator[tuple[int, int]]:
    for start, end in ranges:
        for first in range(start, end, size):
            yield first, min(first + size, end)


def _missing(ranges: Ranges, deals: int) -> Ranges:
    """What the ranges leave out of the deals below `deals`."""
    missing, at = [], 0
    for start, end in (*ranges, (deals, deals)):
        if at < min(start, deals):
            missing.append((at, min(start, deals)))
        at = max(at, end)
    return tuple(missing)


def _first_of(ranges: Ranges, deals: int) -> Ranges:
    """The first so many deals of some ranges."""
    taken = []
    for start, end in ranges:
        if deals <= 0:
            break
        taken.append((start, min(end, start + deals)))
        deals -= end - start
    return tuple(taken)


def _next_look(look: int) -> int:
    """Deals at the look after one: whole rounds of a stratified run."""
    return (int(look // STRATA * GROWTH) + 1) * STRATA


def _shown(value: object) -> object:
    if isinstance(value, Rules):
        changed = ", ".join(f"{key} = {there}" for key, there in value.differences().items())
        return f"{value.name} ({changed})" if changed else value.name
    return value
