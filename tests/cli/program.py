"""The program as tests call it: arguments in; exit code, stdout and stderr out."""

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


def spawn(*arguments: object, **options: Any) -> "subprocess.Popen[str]":
    """Start the program as a process of its own."""
    command = [sys.executable, "-m", "schmier_sim", *map(str, arguments)]
    settings = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(command, **settings)


def in_process(*arguments: object, **options: Any) -> Outcome:
    """Run the program as a process of its own."""
    with spawn(*arguments, **options) as process:
        out, err = process.communicate(timeout=120)
    return Outcome(process.returncode, out or "", err or "")


def read_until(terminal: int, wanted: bytes | None) -> bytes:
    """Read what is written to a terminal up to some text, or up to the end."""
    seen, latest = b"", time.monotonic() + 60
    with contextlib.suppress(OSError):  # how a terminal says that nobody writes any more
        while wanted is None or wanted not in seen:
            left = latest - time.monotonic()
            assert left > 0, seen  # also where something is written again and again
            assert select.select([terminal], [], [], left)[0], seen
            seen += os.read(terminal, 4096)
    return seen


def refused(outcome: Outcome, code: int, *parts: str) -> None:
    """Check that there is nothing but one line of error, with these parts in it."""
    assert outcome.code == code, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("schmier-sim: ")
    assert outcome.err.endswith("\n")
    assert outcome.err.count("\n") == 1
    for part in parts:
        assert part in outcome.err
