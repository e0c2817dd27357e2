"""The program within this process, and a small run that tests may read."""

import os
from pathlib import Path

import pytest

from schmier_sim.cli import main
from tests.cli.program import Outcome, Run


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the program within this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play each class of hand ten times in each seat; tests only read this file."""
    path = tmp_path_factory.mktemp("runs") / "small.parquet"
    assert (
        main(
            ["simulate", "--quiet", "--sample", "stratified", "-n", str(6 * 769 * 10), "-o", os.fspath(path)]
        )
        == 0
    )
    return path
