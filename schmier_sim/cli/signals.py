"""Ctrl-C: from the first import to the last flush it ends the program with one line, never with a traceback.

SIGTERM is left alone: the process dies of it, and the shell says 143.  ``simulate`` takes both into its own hands.
"""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

INTERRUPTED = 130
_seen = False


def watch() -> None:
    """Note an interrupt from now on, unless this process was told to ignore it, as jobs in the background are."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    global _seen
    _seen = True
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second one ends at once
    raise KeyboardInterrupt


@contextlib.contextmanager
def at_once() -> Iterator[None]:
    """Let Ctrl-C end the process by itself, while foreign code runs that gives Python no chance to."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before == signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def is_interrupt(error: BaseException) -> bool:
    """Whether an error comes from Ctrl-C; compiled modules that are being imported turn it into errors of their own."""
    return _seen or isinstance(error, KeyboardInterrupt)


def end() -> int:
    """Say that the program was interrupted, before there is a console; return the exit code."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write("schmier-sim: interrupted\n")
        sys.stderr.flush()
    return INTERRUPTED
