"""Runs: many deals on many threads or machines, until enough are played.

A deal depends on the setup and its index alone, so it is of no consequence who plays which chunk, or in how many
sittings: the counts are the same to the last integer.
"""

import datetime
import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from importlib.metadata import version as version_of

from schmier_sim.analysis.chunks import Chunk, play_chunk, program
from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.ranges import Range, Ranges, count, join, missing
from schmier_sim.analysis.store import Run, RunInfo, StoreError, is_whole, setting_words
from schmier_sim.analysis.tally import Tally
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.game.words import MAX_INDEX
from schmier_sim.kernel.simulate import Setup, is_ready, play_into

#: Deals of the first chunks: with `club` more than half a second of one core.
CHUNK = 1 << 18
#: Chunks that take less than this are doubled, up to a largest size: packing one up takes some milliseconds.
CHUNK_SECONDS = 0.3
MOST_CHUNK = 1 << 20
#: Deals for which another thread is not worth its while.
LEAST_CHUNK = 1 << 14
#: Chunks that are handed out at a time, for each worker: what waits keeps workers busy while a run is saved.
AHEAD = 3
#: A chunk that fails so often on somebody else's workers is given up.
MOST_TRIES = 3
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


class ExecutorError(Exception):
    """Workers that cannot play, or play something else; the message is one line."""


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
    first: int = 0,
    whole: int = 0,
    precision: float | None = None,
    by: tuple[str, ...] = ("trumps",),
    min_deals: int = 100,
    workers: int | Callable[[], int] | None = None,
    executor: Executor | None = None,
    previous: Run | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    checkpoint: Callable[[Run], None] | None = None,
    command: str = "",
) -> Run:
    """Play the deals `first` … `first` + `deals` - 1 of a setup.

    Parameters
    ----------
    setup : Setup
        What is played.
    deals : int
        How many deals, at least 1; with `precision` the most that are played.
    first, whole : int
        Of a part of a run: the index of its first deal, and the number of deals of the whole run.
    precision : float, optional
        Stop as soon as no interval of the table by `by` reaches further than this many percentage points from its
        estimate. Looks fall on fixed numbers of deals, so that the outcome does not depend on the machine.
    by, min_deals
        The table whose intervals count, see `estimates.make_table`.
    workers : int or function, optional
        How many chunks of deals are played at a time, by default one for each core that the process may use; a
        function is asked again and again, as workers of a cluster come and go.
    executor : concurrent.futures.Executor, optional
        Who plays: processes, a cluster; it needs this version of the package. By default threads of this process.
        A chunk that fails there is played again, up to three times.
    previous : Run, optional
        A run of the same setup to go on with.
    progress : function of Progress, optional
        Called about ten times a second from the calling thread.
    stop : threading.Event, optional
        Once it is set, running chunks are finished and the run that there is by then is returned.
    checkpoint : function of Run, optional
        Called every 20 seconds or so with the run so far, and before an `ExecutorError`.
    command : str
        Kept in the run, to tell how it was made.

    Returns
    -------
    Run
        Its ``info.complete`` is false if it was stopped before it had what was asked for.

    Raises
    ------
    ValueError
        No deals, too many, no whole number of them, no workers, no precision, or one for a part of a run.
    StoreError
        `previous` is a run of something else, or of another version of the program.
    ExecutorError
        The workers of `executor` fail, or have another version of the program.
    """
    for name, value in (("deals", deals), ("first", first), ("whole", whole)):
        if not is_whole(value):
            raise ValueError(f"{name} {value!r} is no whole number, such as 10000000")
    if not 1 <= deals <= MAX_INDEX:
        raise ValueError(f"{deals} deals are out of range: 1 to 2^56, such as 10000000")
    if not 0 <= first <= MAX_INDEX - deals:
        raise ValueError(f"{deals} deals from {first} on are out of range: indices are below 2^56")
    if whole and whole < first + deals:
        raise ValueError(f"deals {first} to {first + deals - 1} are no part of a run of {whole} deals")
    if precision is not None and not precision > 0:
        raise ValueError(f"a precision of {precision} percentage points is not above 0, such as 0.5")
    if precision is not None and (first or whole):
        raise ValueError(
            "a part of a run knows nothing of the others' precision: say how many deals it plays"
        )
    if workers is None:
        workers = available_cores()
    if not callable(workers) and not (is_whole(workers) and workers >= 1):
        raise ValueError(f"{workers!r} workers cannot play: take at least 1")
    info = _describe(setup, deals, first, whole, command)
    with _Campaign(setup, info, _Crew(executor, workers), previous, progress, stop, checkpoint) as campaign:
        if precision is None:
            campaign.play_to(first + deals)
        else:
            campaign.play_until_precise(precision, by, min_deals)
        return campaign.run()


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _describe(setup: Setup, deals: int, first: int, whole: int, command: str) -> RunInfo:
    """A run of which no deal is played yet."""
    if not isinstance(setup.bots, str):
        raise ValueError("a run has one bot at all seats, such as 'club': a bot for each team plays duels")
    if not isinstance(setup.bidding, str):
        raise ValueError("a run has one bidding for all, such as 'equity': one for each team is for duels")
    version, source = program()
    return RunInfo(
        rules=setup.rules,
        bots=setup.bots,
        mode=setup.mode,
        sample=setup.sample,
        tempers=setup.tempers,
        bidding=setup.bidding,
        scores=setup.scores,
        seed=setup.seed,
        ranges=(),
        first=first,
        wanted=deals,
        whole=whole,
        version=version,
        source_hash=source,
        libraries={name: version_of(name) for name in LIBRARIES},
        command=command,
        started=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        seconds=0.0,
        speed=0.0,
    )


class _Crew:
    """Who plays the chunks, and how many at a time."""

    def __init__(self, executor: Executor | None, workers: int | Callable[[], int]) -> None:
        self.is_own = executor is None
        self._workers = workers if callable(workers) else lambda: workers
        self.executor = executor or ThreadPoolExecutor(self.workers, thread_name_prefix="deals")

    @property
    def workers(self) -> int:
        return max(self._workers(), 1)

    def dismiss(self) -> None:
        """Let the own threads finish what they are at, and end them."""
        if self.is_own:
            self.executor.shutdown(cancel_futures=True)


class _Todo:
    """Deals that are still to be handed out, and in what portions."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = deque(ranges)
        self.deals = count(ranges)
        self.tries: Counter[Range] = Counter()

    def take(self, most: int) -> Range:
        """The next deals, at most so many."""
        start, stop = self.ranges.popleft()
        taken = (start, min(start + most, stop))
        if taken[1] < stop:
            self.ranges.appendleft((taken[1], stop))
        self.deals -= taken[1] - start
        return taken

    def put_back(self, again: Range) -> None:
        """Play these deals again."""
        self.ranges.append(again)
        self.deals += again[1] - again[0]


class _Campaign:
    """A run in the making."""

    def __init__(
        self,
        setup: Setup,
        info: RunInfo,
        crew: _Crew,
        previous: Run | None,
        progress: Callable[[Progress], None] | None,
        stop: threading.Event | None,
        checkpoint: Callable[[Run], None] | None,
    ) -> None:
        self.setup, self.info, self.crew = setup, info, crew
        self.report, self.stop = progress or (lambda _progress: None), stop or threading.Event()
        self.checkpoint = checkpoint
        self.tally = Tally.empty()
        self.deals = 0
        self.half_width: float | None = None
        self.size = CHUNK
        self.played_here = 0
        if previous is not None:
            self._take_up(previous)
        self.before = self.info.seconds
        self.clock = self.saved = time.perf_counter()
        self.unsaved = 0

    def _take_up(self, previous: Run) -> None:
        for name in (*SAME, "first"):
            was, now = getattr(previous.info, name), getattr(self.info, name)
            if was != now:
                raise StoreError(
                    f"the run cannot be continued: its {name.replace('_', ' ')} is {setting_words(was)}, "
                    f"not {setting_words(now)}"
                )
        self.tally.add(previous.tally)
        self.deals = previous.info.deals
        self.info = replace(
            self.info,
            ranges=previous.info.ranges,
            seconds=previous.info.seconds,
            started=previous.info.started,
            command=self.info.command or previous.info.command,
        )

    def __enter__(self) -> "_Campaign":
        """Compile or load the kernels before the clock starts."""
        if self.crew.is_own:
            if not is_ready():
                say_compiling(lambda text: self.report(Progress(self.deals, self.info.wanted, message=text)))
            empty = Tally.empty()
            play_into(self.setup, 0, 0, empty.cells, empty.types)
        self.clock = self.saved = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.crew.dismiss()

    def play_to(self, stop: int) -> None:
        """Play what is missing of the deals before `stop`, and save now and then."""
        todo = _Todo(missing(self.info.ranges, self.info.first, stop))
        total = self.deals + todo.deals
        pending: dict[Future[Chunk], Range] = {}
        try:
            while (todo.deals or pending) and not (self.stop.is_set() and not pending):
                self._hand_out(todo, pending)
                for future in wait(pending, timeout=TICK_SECONDS, return_when=FIRST_COMPLETED).done:
                    self._collect(future, pending.pop(future), todo)
                if self.stop.is_set():
                    pending = {future: chunk for future, chunk in pending.items() if not future.cancel()}
                self._tick(total)
                if (
                    self.unsaved
                    and time.perf_counter() - self.saved >= SAVE_SECONDS
                    and (todo.deals or pending)
                ):
                    self._save()
        except ExecutorError:
            if self.unsaved:
                self._save()
            raise
        finally:
            for future in pending:
                future.cancel()

    def play_until_precise(self, precision: float, by: tuple[str, ...], min_deals: int) -> None:
        """Play until the intervals are as narrow as wanted, or the deals are used up."""
        from schmier_sim.analysis.estimates import make_table, worst_half_width

        look = FIRST_LOOK
        while True:
            if look < self.deals:
                look = _next_look(look)
                continue
            target = min(look, self.info.wanted)
            self.play_to(target)
            if missing(self.info.ranges, 0, target):
                return  # stopped on the way
            self.half_width = worst_half_width(make_table(self.run(), by, min_deals=min_deals))
            if self.half_width <= precision:
                self.info = replace(self.info, wanted=self.deals)
            if target >= self.info.wanted:
                return
            look = _next_look(look)

    def _hand_out(self, todo: _Todo, pending: dict[Future[Chunk], Range]) -> None:
        """Hand out chunks, so that nobody waits; smaller ones towards the end, so that nobody is waited for."""
        workers = self.crew.workers
        while todo.deals and len(pending) < AHEAD * workers and not self.stop.is_set():
            most = min(self.size, max(LEAST_CHUNK, todo.deals // (2 * workers)))
            start, stop = todo.take(most)
            try:
                future = self.crew.executor.submit(play_chunk, self.setup, start, stop)
            except Exception as error:  # it is broken, was shut down, or whatever may happen elsewhere
                if self.crew.is_own:
                    raise
                raise ExecutorError(f"the workers take no more deals: {in_words(error)}") from None
            pending[future] = start, stop

    def _collect(self, future: Future[Chunk], deals: Range, todo: _Todo) -> None:
        """Add up what a worker played; what failed elsewhere is played again."""
        try:
            chunk = future.result()
        except Exception as error:
            if self.crew.is_own:
                raise
            todo.tries[deals] += 1
            if isinstance(error, BrokenExecutor) or todo.tries[deals] == MOST_TRIES:
                raise ExecutorError(
                    f"deals {deals[0]} to {deals[1] - 1} could not be played: {in_words(error)}"
                ) from None
            todo.put_back(deals)
            return
        if chunk.program != program():
            theirs, ours = (
                f"{version} with sources {source}" for version, source in (chunk.program, program())
            )
            raise ExecutorError(f"the workers have another version of the program: {theirs}, not {ours}")
        if (chunk.start, chunk.stop) != deals:
            raise ExecutorError(
                f"the workers played deals {chunk.start} to {chunk.stop - 1}, not {deals[0]} to {deals[1] - 1}"
            )
        chunk.add_to(self.tally)
        played = chunk.stop - chunk.start
        self.info = replace(self.info, ranges=join((*self.info.ranges, deals)))
        self.deals += played
        self.played_here += played
        self.unsaved += played
        if played >= self.size and chunk.seconds < CHUNK_SECONDS:
            self.size = min(2 * self.size, MOST_CHUNK)

    def _save(self) -> None:
        if self.checkpoint is not None:
            self.checkpoint(self.run())
        self.saved, self.unsaved = time.perf_counter(), 0

    def _tick(self, total: int) -> None:
        speed = self.played_here / max(time.perf_counter() - self.clock, 1e-9)
        left = (total - self.deals) / speed if speed else 0.0
        self.report(Progress(self.deals, total, speed, left, self.half_width))

    def run(self) -> Run:
        """What there is so far."""
        seconds = self.before + time.perf_counter() - self.clock
        ends = [stop for _, stop in self.info.ranges[-1:]]
        info = replace(
            self.info,
            wanted=max([self.info.wanted, *(end - self.info.first for end in ends)]),
            seconds=seconds,
            speed=self.deals / max(seconds, 1e-9),
        )
        return Run(info, replace(self.tally, cells=self.tally.cells.copy(), types=self.tally.types.copy()))


def _next_look(look: int) -> int:
    """Deals at the look after one: whole rounds of a stratified run."""
    return (int(look // STRATA * GROWTH) + 1) * STRATA


def in_words(error: BaseException) -> str:
    """An error of somebody else's workers on one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
