"""A cluster of dask.distributed as an executor for `run.simulate`; nothing else in the package needs dask."""

import contextlib
import logging
import socket
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from schmier_sim.analysis.run import ExecutorError, in_words

#: Seconds that a scheduler has to answer.
PATIENCE = 10.0
#: Seconds after which the workers are counted again.
RECOUNT = 2.0
#: The first bytes that a scheduler says, unasked, are the length of its greeting: eight bytes, and never so many.
GREETING_BYTES = 8
MOST_GREETING = 1 << 20
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
                # What `nthreads` asks, but not for ever: a scheduler that was stopped never answers.
                threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=PATIENCE)
                return sum(threads.values())
        except (OSError, TimeoutError):
            pass
        raise ClusterError("the scheduler is gone")


def _silence() -> None:
    """Let nothing be logged: what goes wrong is told in one line by whoever called, not in a log beside it."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _await_greeting(address: str) -> None:
    """Refuse an address where nobody is, nobody says anything, or somebody else: dask's client waits there for ever."""
    place = urlsplit(address if "//" in address else f"//{address}")
    try:
        with socket.create_connection(
            (place.hostname or "", place.port or 0), timeout=PATIENCE
        ) as connection:
            if place.scheme == "tls":
                return  # there the client is the first to speak
            greeting = connection.recv(GREETING_BYTES, socket.MSG_WAITALL)
    except (OSError, ValueError):  # a name that cannot be one is a ValueError
        raise _no_answer(address) from None
    if len(greeting) < GREETING_BYTES or int.from_bytes(greeting, "little") > MOST_GREETING:
        raise ClusterError(f"what answers at {address} is no dask scheduler: start one with `dask scheduler`")


def _no_answer(address: str) -> ClusterError:
    return ClusterError(
        f"no scheduler answers at {address} within {PATIENCE:.0f} seconds: start one with `dask scheduler`"
    )


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
    _await_greeting(address)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError):
            raise _no_answer(address) from None
        except Exception as error:  # of the many layers below, such as a TLS that is not set up
            raise ClusterError(f"no scheduler can be talked to at {address}: {in_words(error)}") from None
    try:
        yield Cluster(client.get_executor(pure=False), client)
    finally:
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be taken leave of
            client.close(timeout=1)
