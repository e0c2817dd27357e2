"""Deals with a bot for each team, several at a time: by the kernels, or by the reference engine with `search`."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.matches import PASSED
from schmier_sim.analysis.run import CHUNK, LEAST_CHUNK, TICK_SECONDS, Progress
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import POINTS
from schmier_sim.game.record import DealRecord
from schmier_sim.game.reference import play_deal
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import Bot
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.counts import NOBODY, TYPES_SHAPE
from schmier_sim.kernel.positions import is_ready as search_is_ready
from schmier_sim.kernel.simulate import Setup, deal_types, is_ready

SEARCH = "search"
PLAYERS = (*BOT_NAMES, SEARCH)
"""Who can play."""
DEFAULT_WORLDS = 40
MODE, SAMPLE = "auction", "natural"

#: Deals of a task where `search` plays: about 0.1 s.
SEARCH_CHUNK = 4


@dataclass(frozen=True)
class Seating:
    """Who sits where, and by which rules; `bots` has one of `PLAYERS` for each team."""

    bots: tuple[str, ...]
    seed: int
    rules: Rules
    worlds: int = DEFAULT_WORLDS

    def types(self, first: int, n: int) -> NDArray[np.int32]:
        """Play deals ``first … first + n - 1``; their types as `kernel.simulate.deal_types` gives them: int32 [n]."""
        if SEARCH not in self.bots:
            return deal_types(Setup(self.seed, MODE, SAMPLE, self.bots, self.rules), first, n)
        return self.types_by_reference(first, n)

    def types_by_reference(self, first: int, n: int) -> NDArray[np.int32]:
        """Tell the same, played by the reference engine."""
        bots = tuple(self._player(name) for name in self.bots)
        records = (play_deal(self.seed, index, self.rules, bots, MODE) for index in range(first, first + n))
        return np.fromiter(map(type_of, records), np.int32, n)

    def _player(self, name: str) -> Bot:
        if name != SEARCH:
            return BOTS[name]
        from schmier_sim.kernel.search import SearchBot

        return SearchBot(worlds=self.worlds, seed=0)


def type_of(record: DealRecord) -> int:
    """Type of a deal, as `kernel.simulate.deal_types` numbers it; `PASSED` if it was passed out."""
    if record.declarer is None:
        return PASSED
    who = 0
    for point in POINTS:
        team = record.points[point]
        who = who * (4 if point == POINTS[-1] else 3) + (NOBODY if team is None else team - 1)
    level = 0 if record.bid is None else record.bid - 2
    return ((record.declarer - 1) * TYPES_SHAPE[1] + level) * TYPES_SHAPE[2] + who


class Report:
    """Tells how far a duel is."""

    def __init__(self, report: Callable[[Progress], None], deals: int | None) -> None:
        self.report, self.deals = report, deals
        self.started = time.perf_counter()

    def start(self) -> None:
        """Start the clock."""
        self.started = time.perf_counter()

    def say(self, message: str) -> None:
        """Tell something once."""
        self.report(Progress(0, self.deals or 1, message=message))

    def tick(self, done: int, total: int) -> None:
        """Tell of deals done, of `total` where it is not known how many it takes."""
        total = self.deals or total
        speed = done / max(time.perf_counter() - self.started, 1e-9)
        self.report(Progress(done, total, speed, (total - done) / speed if speed else 0.0))


class Tables:
    """Plays deals in all seatings, several at a time."""

    def __init__(self, seatings: list[Seating], pool: Executor, workers: int, report: Report) -> None:
        self.seatings, self.pool, self.workers, self.report = seatings, pool, workers, report

    def play(self, first: int, n: int) -> NDArray[np.int32]:
        """Play deals ``first … first + n - 1``: int32 [seatings, n]."""
        types = np.empty((len(self.seatings), n), np.int32)
        size = self._chunk(n)
        places: dict[Future[NDArray[np.int32]], tuple[int, int, int]] = {}
        with no_interrupts_for_children():
            for start in range(0, n, size):
                here = min(size, n - start)
                for place, seating in enumerate(self.seatings):
                    future = self.pool.submit(seating.types, first + start, here)
                    places[future] = (place, start, here)
        waiting, done = set(places), 0
        while waiting:
            finished, waiting = wait(waiting, timeout=TICK_SECONDS)
            for future in finished:
                place, start, here = places.pop(future)
                types[place, start : start + here] = future.result()
                done += here
            self.report.tick(first + done // len(self.seatings), first + n)
        return types

    def _chunk(self, n: int) -> int:
        if SEARCH in {name for seating in self.seatings for name in seating.bots}:
            return SEARCH_CHUNK
        return min(CHUNK, max(LEAST_CHUNK, -(-n * len(self.seatings) // (4 * self.workers))))


@contextlib.contextmanager
def open_tables(seatings: list[Seating], workers: int, report: Report) -> Iterator[Tables]:
    """Open the tables; close them without waiting for what nobody wants any more."""
    searches = any(SEARCH in seating.bots for seating in seatings)
    if not (search_is_ready() if searches else is_ready()):
        say_compiling(report.say)
    for seating in seatings:
        seating.types(0, 1)
    report.start()
    pool: Executor
    if workers > 1 and searches:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent)
    else:
        pool = ThreadPoolExecutor(workers, thread_name_prefix="duel")
    try:
        yield Tables(seatings, pool, workers, report)
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def no_interrupts_for_children() -> Iterator[None]:
    """Keep Ctrl-C from processes that are started here: they inherit that it is held back; here it comes later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Watch the parent process from a thread: without it there is nobody to play for."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
