"""``simulate``: run files, resuming, signals, precision."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from schmier_sim.analysis.files import lock_path
from schmier_sim.analysis.store import read_run
from tests.cli.program import Outcome, Run, in_process, read_until, refused, spawn


def test_a_run_is_written_and_named_on_stdout(run: Run) -> None:
    outcome = run("simulate", "-n", "6k")
    assert outcome.code == 0
    assert outcome.out == "run-declare-21.parquet\n"
    assert "seed 21, mode declare, sample natural, bots club, rules standard" in outcome.err
    assert "6,000 deals" in outcome.err
    assert "schmier-sim table run-declare-21.parquet" in outcome.err
    done = read_run(Path("run-declare-21.parquet"))
    assert done.tally.deals == 6000
    assert (done.info.mode, done.info.sample, done.info.seed) == ("declare", "natural", 21)
    assert done.info.complete


def test_auctions_are_dealt_naturally(run: Run) -> None:
    assert run("simulate", "-n", 3000, "--mode", "auction", "--seed", 7, "--bots", "random").code == 0
    info = read_run(Path("run-auction-7.parquet")).info
    assert (info.mode, info.sample, info.seed, info.bots) == ("auction", "natural", 7, "random")


def test_house_rules_are_kept_in_the_run(run: Run) -> None:
    Path("ours.toml").write_text('low_to = "taker"\n')
    assert run("simulate", "-n", 1000, "--rules", "ours.toml", "-o", "a.parquet").code == 0
    rules = read_run(Path("a.parquet")).info.rules
    assert (rules.name, rules.low_to) == ("ours", "taker")


def test_quiet_says_nothing(run: Run) -> None:
    assert run("simulate", "-n", 1000, "--quiet") == Outcome(0, "run-declare-21.parquet\n", "")


def test_any_number_of_workers_gives_the_same_counts(run: Run) -> None:
    for workers in (1, 2, 3):
        assert run("simulate", "-n", 150_001, "--workers", workers, "-o", f"{workers}.parquet").code == 0
    tallies = [read_run(Path(f"{workers}.parquet")).tally for workers in (1, 2, 3)]
    assert tallies[0] == tallies[1] == tallies[2]


def test_a_resumed_run_counts_like_one_that_was_never_interrupted(run: Run) -> None:
    run("simulate", "-n", 10_000, "--seed", 5, "-o", "part.parquet")
    outcome = run("simulate", "-n", 25_000, "-o", "part.parquet", "--resume")
    assert outcome.code == 0
    assert "seed 5" in outcome.err
    run("simulate", "-n", 25_000, "--seed", 5, "-o", "whole.parquet")
    assert read_run(Path("part.parquet")).tally == read_run(Path("whole.parquet")).tally
    assert read_run(Path("part.parquet")).info.ranges == read_run(Path("whole.parquet")).info.ranges


def test_resuming_takes_the_settings_of_the_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("simulate", "-n", 1000, "--bots", "random", "-o", "a.parquet")
    monkeypatch.setenv("SCHMIER_BOTS", "simple")
    assert run("simulate", "-n", 2000, "-o", "a.parquet", "--resume").code == 0
    assert read_run(Path("a.parquet")).info.bots == "random"
    refused(
        run("simulate", "-n", 3000, "-o", "a.parquet", "--resume", "--bots", "simple"), 2, "--bots", "random"
    )
    refused(run("simulate", "-n", 3000, "-o", "a.parquet", "--resume", "--seed", 1), 2, "--seed", "21")


def test_resuming_says_which_settings_are_not_used(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("simulate", "-n", 1000, "--bots", "random", "-o", "a.parquet")
    assert "not used" not in run("simulate", "-n", 1500, "-o", "a.parquet", "--resume").err
    monkeypatch.setenv("SCHMIER_BOTS", "simple")
    Path("schmier.toml").write_text("[simulate]\nseed = 5\n")
    said = run("simulate", "-n", 2000, "-o", "a.parquet", "--resume").err.splitlines()
    assert said[0] == (
        "a.parquet goes on with its own seed 21, bots random; not used: schmier.toml: simulate.seed, SCHMIER_BOTS"
    )
    info = read_run(Path("a.parquet")).info
    assert (info.seed, info.bots, info.deals) == (21, "random", 2000)


def test_resuming_a_run_that_is_not_there_is_refused(run: Run) -> None:
    refused(run("simulate", "-n", 1000, "-o", "new.parquet", "--resume"), 1, "new.parquet", "--resume")
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("deals", [["-n", 400], ["-n", 1000], []])
def test_resuming_a_run_that_has_all_deals_plays_nothing(run: Run, deals: list[object]) -> None:
    run("simulate", "-n", 1000, "-o", "a.parquet")
    before = Path("a.parquet").read_bytes(), Path("a.parquet").stat().st_mtime_ns
    outcome = run("simulate", "-o", "a.parquet", "--resume", *deals)
    assert outcome == Outcome(0, "a.parquet\n", "a.parquet already has 1,000 deals; nothing to play\n")
    assert (Path("a.parquet").read_bytes(), Path("a.parquet").stat().st_mtime_ns) == before


@pytest.mark.parametrize("command", ["simulate", "deal"])
@pytest.mark.parametrize("mode", ["declare", "auction"])
def test_cards_fall_naturally_unless_told_otherwise(run: Run, command: str, mode: str) -> None:
    assert "default: natural]" in " ".join(run(command, "--help").out.split())
    if command == "deal":
        plain = run("deal", 11, "--mode", mode)
        assert plain == run("deal", 11, "--mode", mode, "--sample", "natural")
        assert plain.code == 0
    else:
        run("simulate", "-n", 1000, "--mode", mode, "-o", "a.parquet")
        assert read_run(Path("a.parquet")).info.sample == "natural"


def test_two_processes_do_not_write_one_run(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    with spawn("simulate", "-n", "2000M", "-o", path, "--quiet") as first:
        lock = lock_path(path)
        wait_for(lock.exists)
        refused(run("simulate", "-n", 100, "-o", path), 1, "a.parquet", "another process")
        refused(run("simulate", "-n", 100, "-o", path, "--force"), 1, "a.parquet", "another process")
        first.kill()
        first.communicate(timeout=30)
    path.unlink(missing_ok=True)
    assert lock.exists()
    assert run("simulate", "-n", 100, "-o", path).code == 0
    assert not lock.exists()
    assert read_run(path).tally.deals == 100


def test_what_stands_where_the_lock_should_be_is_not_waited_for(run: Run) -> None:
    lock = lock_path(Path("a.parquet"))
    for stand, stood in ((os.mkfifo, "is no file"), (lambda name: name.symlink_to("b"), "symbolic links")):
        stand(lock)
        refused(run("simulate", "-n", 100, "-o", "a.parquet"), 1, "a.parquet", stood)
        assert [file.name for file in Path.cwd().iterdir()] == [lock.name]
        lock.unlink()


@pytest.mark.parametrize("command", ["simulate", "merge"])
def test_a_link_that_leads_to_itself_is_refused(run: Run, command: str) -> None:
    Path("loop").symlink_to("loop")
    what = ("-n", 100) if command == "simulate" else ("part.parquet",)
    refused(run(command, *what, "-o", "loop"), 1, "cannot write loop: ")
    assert Path("loop").is_symlink()


def test_a_run_may_have_as_long_a_name_as_any_file(run: Run) -> None:
    name = 255 * "x"
    assert run("simulate", "-n", 100, "-o", name).code == 0
    assert read_run(Path(name)).tally.deals == 100
    assert [file.name for file in Path.cwd().iterdir()] == [name]


def test_a_run_goes_on_where_the_end_of_the_terminal_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    ignoring = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    with spawn("simulate", "-n", "2000M", "-o", path, "--quiet", preexec_fn=ignoring) as process:
        wait_for(lock_path(path).exists)
        process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert process.returncode == 143


def wait_for(condition: Callable[[], bool]) -> None:
    latest = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < latest
        time.sleep(0.01)


def test_a_precision_that_is_reached_ends_the_run(run: Run) -> None:
    outcome = run("simulate", "-n", "2M", "--precision", 5, "--by", "trumps", "-o", "a.parquet")
    assert outcome.code == 0
    assert read_run(Path("a.parquet")).tally.deals < 2_000_000


def test_a_precision_that_is_not_reached_has_its_own_exit_code(run: Run) -> None:
    outcome = run("simulate", "-n", 10_000, "--precision", 0.1, "-o", "a.parquet")
    assert outcome.code == 3
    assert outcome.err.splitlines()[-1].startswith("schmier-sim: ")
    assert "precision" in outcome.err
    assert read_run(Path("a.parquet")).tally.deals == 10_000


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_leaves_a_valid_run_that_can_be_resumed(tmp_path: Path, number: int, code: int) -> None:
    path = tmp_path / "a.parquet"
    terminal, slave = os.openpty()
    heeding = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)  # tests may be run under nohup
    with spawn("simulate", "-n", "2000M", "-o", path, stderr=slave, preexec_fn=heeding) as process:
        os.close(slave)
        seen = read_until(terminal, b" left")
        process.send_signal(number)
        seen += read_until(terminal, None)
        out, _ = process.communicate(timeout=30)
    os.close(terminal)
    talk = " ".join(seen.decode().split())
    assert process.returncode == code, talk
    assert out == f"{path}\n"
    assert f"schmier-sim simulate -o {path} --resume -n 2000000000" in talk
    assert "Traceback" not in talk
    part = read_run(path)
    assert 0 < part.tally.deals < 2_000_000_000
    assert not part.info.complete
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]

    more = part.tally.deals + 1000
    assert in_process("simulate", "-o", path, "--resume", "-n", more).code == 0
    assert read_run(path).tally.deals == more


def test_a_log_shows_no_control_characters(tmp_path: Path) -> None:
    outcome = in_process("simulate", "-n", 100_000, "-o", tmp_path / "a.parquet")
    assert outcome.code == 0
    assert not re.search(r"[\r\x1b]", outcome.err)
