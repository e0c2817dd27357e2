"""The program as tests call it: arguments in; exit code, stdout and stderr out."""

import subprocess
import sys
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


def refused(outcome: Outcome, code: int, *parts: str) -> None:
    """Check that there is nothing but one line of error, with these parts in it."""
    assert outcome.code == code, outcome
    assert outcome.out == ""
    assert outcome.err.startswith("schmier-sim: ")
    assert outcome.err.endswith("\n")
    assert outcome.err.count("\n") == 1
    for part in parts:
        assert part in outcome.err
