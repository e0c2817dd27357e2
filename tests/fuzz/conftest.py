"""Small runs of all kinds, and the program in a folder with files that options can name."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from schmier_sim.cli import main
from tests.fuzz.program import Program
from tests.fuzz.things import RUNS, files


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Run files by their names."""
    folder = tmp_path_factory.mktemp("runs")
    for name, options in RUNS.items():
        assert main(["simulate", "--quiet", "-o", os.fspath(folder / name), *options.split()]) == 0
    return {name: (folder / name).read_bytes() for name in RUNS}


@pytest.fixture(scope="session")
def fill(runs: dict[str, bytes]) -> Callable[[Path], None]:
    return lambda folder: files(folder, runs)


@pytest.fixture
def program(tmp_path: Path, fill: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch) -> Program:
    return Program(tmp_path, fill, monkeypatch)
