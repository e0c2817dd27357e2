"""``simulate --scheduler``: what is said of workers that come and go."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from schmier_sim.analysis import cluster
from schmier_sim.analysis import run as runs
from tests.cli.program import Run, refused


def test_threads_on_the_command_line_go_before_a_scheduler_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("SCHMIER_SCHEDULER", "tcp://127.0.0.1:1")
    outcome = run("simulate", "-n", 100, "--workers", 2, "-o", "a.parquet")
    assert (outcome.code, outcome.out) == (0, "a.parquet\n")
    assert "playing on this machine, with --workers; not used: SCHMIER_SCHEDULER\n" in outcome.err


class Coming:
    """A cluster that has so many workers, each time that they are counted; a thread of this process plays."""

    def __init__(self, *counts: int) -> None:
        self.counts, self.executor = list(counts), ThreadPoolExecutor(1)

    def threads(self) -> int:
        return self.counts.pop(0) if self.counts[1:] else self.counts[0]


class Gone(Coming):
    """A cluster whose scheduler ends as soon as it is asked."""

    def threads(self) -> int:
        raise cluster.ClusterError("the scheduler is gone")


def connected(monkeypatch: pytest.MonkeyPatch, there: Coming) -> None:
    """Let the command connect to these workers."""
    monkeypatch.setattr(cluster, "connect", lambda _address: contextlib.nullcontext(there))


def test_a_run_says_when_workers_come_and_when_the_last_has_gone(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    connected(monkeypatch, Coming(0, 0, 1, 3, 0, 2))
    monkeypatch.setattr(runs, "CHUNK", 1 << 14)
    outcome = run("simulate", "-n", "1M", "--bots", "simple", "-o", "a.parquet", "--scheduler", "tcp://a:1")
    assert outcome.code == 0
    assert [line for line in outcome.err.splitlines() if "tcp" in line] == [
        "waiting for workers of tcp://a:1 …",
        "playing on 1 thread of tcp://a:1",
        "waiting for workers of tcp://a:1 …",
        "playing on 2 threads of tcp://a:1",
    ]


def test_a_scheduler_that_goes_before_the_first_deal_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    connected(monkeypatch, Gone())
    outcome = run("simulate", "-n", "1M", "-q", "-o", "a.parquet", "--scheduler", "tcp://a:1")
    refused(outcome, 1, "the scheduler is gone; nothing was written")
    assert list(Path.cwd().iterdir()) == []
