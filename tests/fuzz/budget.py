"""How many cases a property is tried with, and for how long a case may run.

The ordinary tests take the same hundred cases or so every time. ``scripts/fuzz`` sets FUZZ_CASES and a seed, and
takes the very same properties further.
"""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import typer
from hypothesis import HealthCheck, Phase, settings

#: Cases of every property, if the environment says so.
CASES = int(os.environ.get("FUZZ_CASES", "0"))
#: No case takes longer, by the clock and by what the processor works; most take some milliseconds.
MOST_SECONDS = 200.0
MOST_WORK = 20.0


class Hang(BaseException):
    """A case runs too long; no error, so that the program does not take it for one of its own."""


def cases(ordinary: int, among: int = 1) -> Callable[[Any], Any]:
    """Try a property with so many cases, or with a share of FUZZ_CASES new ones; with none, only with its examples."""
    wanted = -(-CASES // among) or ordinary
    return settings(
        max_examples=wanted or 1,
        phases=[phase for phase in Phase if wanted or phase is Phase.explicit],
        derandomize=not CASES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@contextlib.contextmanager
def in_time() -> Iterator[None]:
    """Fail if what is within takes longer than any case may."""

    def ring(number: int, _frame: FrameType | None) -> None:
        raise Hang(signal.strsignal(number))

    timers = (
        (signal.ITIMER_REAL, signal.SIGALRM, MOST_SECONDS),
        (signal.ITIMER_PROF, signal.SIGPROF, MOST_WORK),
    )
    before = [signal.signal(number, ring) for _, number, _ in timers]
    for timer, _, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    except Hang as hang:
        raise AssertionError(f"it does not end: {hang}") from None
    finally:
        for timer, _, _ in timers:
            signal.setitimer(timer, 0)
        for (_, number, _), handler in zip(timers, before, strict=True):
            signal.signal(number, handler)


def read_or_refused(read: Callable[[], Any], *errors: type[Exception]) -> tuple[Any, str]:
    """What is read, or None and the line that refuses it; in time, and with a line that can be shown."""
    message = ""
    try:
        with in_time():
            return read(), ""
    except errors as error:
        message = error.message if isinstance(error, typer.TyperException) else str(error)
    assert message.isprintable(), message
    assert 0 < len(message) < 5000
    return None, message
