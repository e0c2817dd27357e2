"""A cluster of dask.distributed as an executor for `run.simulate`; nothing else in the package needs dask."""

import contextlib
import logging
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from schmier_sim.analysis.run import ExecutorError

#: Seconds that a scheduler has to answer.
PATIENCE = 10.0
#: Seconds after which the workers are counted again.
RECOUNT = 2.0
INSTALL = "pip install 'schmier-sim[dask]'"


class ClusterError(ExecutorError):
    """A cluster that cannot be used; the message is one line."""


@dataclass
class Cluster:
    """Workers behind a scheduler.

    Attributes
    ----------
    executor
        Plays chunks; see `run.simulate`.
    """

    executor: Executor
    _client: Any
    _threads: int = 0
    _counted: float = float("-inf")

    def threads(self) -> int:
        """Threads of all workers that there are now; 0 while none has come.

        Raises
        ------
        ClusterError
            The scheduler is gone.
        """
        clock = time.monotonic()
        if clock - self._counted >= RECOUNT:
            self._threads = self._count()
            self._counted = clock
        return self._threads

    def _count(self) -> int:
        try:
            if self._client.status == "running":
                return sum(self._client.nthreads().values())
        except (OSError, TimeoutError):
            pass
        raise ClusterError("the scheduler is gone")


def _silence() -> None:
    """Let nothing be logged: what goes wrong is told in one line by whoever called, not in a log beside it."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@contextlib.contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler, such as ``tcp://127.0.0.1:8786``.

    Raises
    ------
    ClusterError
        One line: dask is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(f"a scheduler needs dask.distributed, which is not installed: {INSTALL}") from None
    _silence()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError):
            raise ClusterError(
                f"no scheduler answers at {address} within {PATIENCE:.0f} seconds: start one with `dask scheduler`"
            ) from None
    try:
        yield Cluster(client.get_executor(pure=False), client)
    finally:
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be taken leave of
            client.close(timeout=1)
