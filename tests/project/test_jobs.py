"""Sample jobs: parts that GNU parallel and Slurm start are the parts of one run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from schmier_sim.analysis.store import read_run
from tests.cli.program import Outcome

SCRIPTS = Path(__file__).parents[2] / "scripts"


def job(folder: Path, script: str, *arguments: object, **environment: object) -> Outcome:
    """Run a script in a folder, with this Python's schmier-sim."""
    values = (
        os.environ | {"SCHMIER_VENV": sys.prefix} | {name: str(value) for name, value in environment.items()}
    )
    command = ["bash", str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=values, capture_output=True, text=True, timeout=120)
    return Outcome(done.returncode, done.stdout, done.stderr)


needs_program = pytest.mark.skipif(
    not (Path(sys.prefix) / "bin" / "schmier-sim").exists(), reason="the program is not installed"
)
needs_parallel = pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")


@needs_program
def test_a_part_is_begun_and_gone_on_with(tmp_path: Path) -> None:
    for said in ("", "nothing to play"):
        outcome = job(tmp_path, "play-part", "parts", "2/3", 3000, "--bots", "random")
        assert (outcome.code, outcome.out) == (0, "parts/part-2-of-3.parquet\n")
        assert said in outcome.err
    assert read_run(tmp_path / "parts" / "part-2-of-3.parquet").info.part == (1000, 1000, 3000)


@needs_program
def test_a_task_of_an_array_plays_its_part(tmp_path: Path) -> None:
    (tmp_path / "scripts").symlink_to(SCRIPTS)
    task = {
        "SLURM_ARRAY_TASK_ID": 3,
        "SLURM_ARRAY_TASK_MIN": 1,
        "SLURM_ARRAY_TASK_MAX": 4,
        "SLURM_ARRAY_TASK_COUNT": 4,
        "SLURM_CPUS_PER_TASK": 2,
        "SLURM_SUBMIT_DIR": tmp_path,
    }
    outcome = job(tmp_path, "slurm-array", "parts", 4000, "--bots", "random", **task)
    assert (outcome.code, outcome.out) == (0, "parts/part-3-of-4.parquet\n")
    assert read_run(tmp_path / "parts" / "part-3-of-4.parquet").info.part == (2000, 1000, 4000)
    outcome = job(tmp_path, "slurm-array", "parts", 4000, **task | {"SLURM_ARRAY_TASK_MIN": 0})
    assert outcome.code == 2
    assert "--array=1-20" in outcome.err


@pytest.mark.parametrize("script", ["play-part", "parallel-run", "slurm-array"])
def test_a_job_without_what_it_needs_is_refused(tmp_path: Path, script: str) -> None:
    outcome = job(tmp_path, script)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("script", ["play-part", "parallel-run"])
def test_a_job_says_how_it_is_used(tmp_path: Path, script: str) -> None:
    assert job(tmp_path, script, "--help").out.startswith(f"usage: scripts/{script} ")


@needs_parallel
def test_a_number_of_parts_that_is_none_is_refused(tmp_path: Path) -> None:
    outcome = job(tmp_path, "parallel-run", "run.parquet", "many", "1M")
    assert (outcome.code, outcome.err) == (
        2,
        "scripts/parallel-run: 'many' is no number of parts, such as 60\n",
    )


@needs_program
@needs_parallel
def test_a_run_is_played_in_parts_and_no_other_run_is_touched(tmp_path: Path) -> None:
    wanted = ("parallel-run", "run.parquet", 2, 3000, "--bots", "random")
    for _ in range(2):  # the second time there is nothing to play
        outcome = job(tmp_path, *wanted)
        assert (outcome.code, outcome.out) == (0, "run.parquet\n")
    before = (tmp_path / "run.parquet").read_bytes()

    outcome = job(tmp_path, *wanted, "--seed", 7)
    assert outcome.code == 1
    assert "run.parquet.parts has parts of another run: remove it, or name another run" in outcome.err
    assert (tmp_path / "run.parquet").read_bytes() == before

    (tmp_path / "run.parquet.parts").rename(tmp_path / "elsewhere")
    outcome = job(tmp_path, *wanted)
    assert outcome.code == 1
    assert "run.parquet is there already: name another run, or remove it" in outcome.err
    assert (tmp_path / "run.parquet").read_bytes() == before


@needs_program
@needs_parallel
def test_a_wrong_option_of_a_run_in_parts_is_refused_once(tmp_path: Path) -> None:
    outcome = job(tmp_path, "parallel-run", "run.parquet", 2, 3000, "--mode", "acution")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert "acution" in outcome.err
    assert list(tmp_path.iterdir()) == []
