"""Work shared out to processes: a function called for each of many items, with the results in their order."""

import contextlib
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from typing import TypeVar

from schmier_sim.analysis.run import TICK_SECONDS
from schmier_sim.analysis.seating import Report, end_with_parent, no_interrupts_for_children

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Items of a task: where each takes some hundredths of a second, handing it over costs nothing beside.
CHUNK = 4


class Crew:
    """Workers: the calling process alone, or several processes.

    Parameters
    ----------
    pool : ProcessPoolExecutor, optional
        Without one the work is done in the calling process.
    """

    def __init__(self, pool: ProcessPoolExecutor | None) -> None:
        self.pool = pool

    def each(self, work: Callable[[Item], Result], items: Sequence[Item], report: Report) -> list[Result]:
        """Call a function for each item.

        Parameters
        ----------
        work : function
            One that other processes can import: of a module, or a `functools.partial` of such.
        items : sequence
        report : Report
            Told how many items are done.

        Returns
        -------
        list
            A result for each item, in their order, whoever worked it out.
        """
        chunks = [items[at : at + CHUNK] for at in range(0, len(items), CHUNK)]
        results: list[list[Result]] = [[] for _ in chunks]
        done = 0
        for number, found in self._done(work, chunks):
            results[number] = found
            done += len(found)
            report.tick(done, len(items))
        return [result for found in results for result in found]

    def _done(
        self, work: Callable[[Item], Result], chunks: Sequence[Sequence[Item]]
    ) -> Iterator[tuple[int, list[Result]]]:
        if self.pool is None:
            for number, chunk in enumerate(chunks):
                yield number, _do(work, chunk)
            return
        with no_interrupts_for_children():
            numbers: dict[Future[list[Result]], int] = {
                self.pool.submit(_do, work, chunk): number for number, chunk in enumerate(chunks)
            }
        waiting = set(numbers)
        while waiting:
            finished, waiting = wait(waiting, timeout=TICK_SECONDS)
            for future in finished:
                yield numbers[future], future.result()


def _do(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    return [work(item) for item in items]


@contextlib.contextmanager
def open_crew(workers: int) -> Iterator[Crew]:
    """Start workers; end them without waiting for what nobody wants any more."""
    if workers == 1:
        yield Crew(None)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent)
    try:
        yield Crew(pool)
    finally:
        pool.shutdown(cancel_futures=True)
