"""Whatever ends a run, and whenever: the file is absent or valid, and the run goes on to the same counts."""

import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from schmier_sim.analysis import run as runs
from schmier_sim.analysis import store
from schmier_sim.analysis.store import read_run
from schmier_sim.analysis.tally import Tally
from schmier_sim.kernel.simulate import Setup, play_into
from tests.cli.program import Run, in_process, refused

TIMES = 50


def test_a_run_that_is_ended_at_any_moment_is_valid_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    script = [sys.executable, "-m", "tests.cli.crash", str(path), str(TIMES), "7"]
    done = subprocess.run(script, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["deals"] == sorted(seen["deals"])
    assert len(set(seen["deals"])) > TIMES // 4  # many of the moments fell amid the playing

    total = read_run(path).info.ranges[-1][1] + 1000
    assert in_process("simulate", "-o", path, "--resume", "-n", total).code == 0
    run = read_run(path)
    whole = Tally.empty()
    whole.passed = play_into(Setup(bots="random"), 0, total, whole.cells, whole.types)
    assert run.tally == whole
    assert run.info.complete
    assert sorted(left.name for left in tmp_path.iterdir()) == ["a.parquet", "warm"]


def test_a_disk_that_fills_up_amid_a_run_leaves_what_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    assert in_process("simulate", "--bots", "random", "-n", 20_000, "-o", path).code == 0
    before = path.read_bytes()

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    outcome = in_process("simulate", "--quiet", "-n", 40_000, "-o", path, "--resume", preexec_fn=fill)
    refused(outcome, 1, f"cannot write {path}: File too large")
    assert path.read_bytes() == before
    assert sorted(left.name for left in tmp_path.iterdir()) == ["a.parquet"]


def fail_after(monkeypatch: pytest.MonkeyPatch, saves: int) -> None:
    """Let the disk be full after so many saves, and let saves come often."""
    monkeypatch.setattr(runs, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(runs, "CHUNK", 2000)
    monkeypatch.setattr(runs, "CHUNK_SECONDS", 0.0)
    write_whole, done = store.write_whole, []

    def write(path: Path, data: bytes) -> None:
        if len(done) == saves:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_whole(path, data)
        done.append(path)

    monkeypatch.setattr(store, "write_whole", write)


@pytest.mark.parametrize("saves", [0, 3])
def test_a_save_that_fails_says_what_is_kept(run: Run, monkeypatch: pytest.MonkeyPatch, saves: int) -> None:
    with monkeypatch.context() as context:
        fail_after(context, saves)
        outcome = run("simulate", "--quiet", "--bots", "random", "-n", 100_000, "-o", "a.parquet")
    kept = "; a.parquet has what was saved before: go on with --resume" if saves else ""
    refused(outcome, 1, f"cannot write a.parquet: No space left on device{kept}\n")
    assert [path.name for path in Path.cwd().iterdir()] == ["a.parquet"] * (saves > 0)
    if saves:
        assert run("simulate", "--resume", "-o", "a.parquet", "--quiet").code == 0
        assert read_run("a.parquet").info.deals == 100_000


def test_a_folder_that_is_removed_amid_a_run_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    play_chunk = runs.play_chunk

    def play_and_remove(*arguments: object) -> object:
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()
        monkeypatch.setattr(runs, "play_chunk", play_chunk)
        return play_chunk(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "play_chunk", play_and_remove)
    outcome = run("simulate", "--quiet", "--bots", "random", "-n", 1000, "-o", folder / "a.parquet")
    refused(outcome, 1, f"cannot write {folder / 'a.parquet'}: No such file or directory")
    assert not folder.exists()


def test_a_run_file_that_is_removed_amid_a_run_is_written_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("simulate", "--bots", "random", "-n", 1000, "-o", "a.parquet")
    play_chunk = runs.play_chunk

    def play_and_remove(*arguments: object) -> object:
        Path("a.parquet").unlink()
        return play_chunk(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(runs, "play_chunk", play_and_remove)
    assert run("simulate", "--resume", "-n", 2000, "-o", "a.parquet").code == 0
    assert read_run("a.parquet").info.ranges == ((0, 2000),)


def test_what_a_killed_process_left_is_cleared_away(run: Run) -> None:
    from schmier_sim.analysis import files

    own, other = (Path(f"{files._prefix(Path(name))}0badcafe.tmp") for name in ("a.parquet", "b.parquet"))
    for left in (own, other):
        left.write_bytes(b"PAR1 half")
    assert run("simulate", "--bots", "random", "-n", 100, "-o", "a.parquet").code == 0
    assert sorted(path.name for path in Path.cwd().iterdir()) == sorted([other.name, "a.parquet"])
