"""What is said of compiling: once, where it is so, and never with --quiet."""

from pathlib import Path

import pytest

from schmier_sim.analysis import compiling
from schmier_sim.kernel.jit import Entry
from schmier_sim.kernel.keep import Folder
from tests.cli.program import Run, refused
from tests.cli.test_help import COMMANDS

HAND = "AS KS JC 2S 10H 9D"
#: Calls of every command that plays.
PLAYING = {
    "simulate": ("simulate", "-n", 1000),
    "deal": ("deal", 7),
    "hand": ("hand", HAND, "--seat", 3, "--precision", 25),
    "duel": ("duel", "club", "simple", "-n", 100),
    "equity": ("equity", "-n", 1000, "--bidding", "points"),
    "duel by equity": ("duel", "club", "club", "--bidding", "equity", "--matches", 3),
    "pointcount": ("pointcount", "-n", 1000),
    "quiz": ("quiz", "--sheet", 1),
    "audit": ("audit", "-n", 300, "--part", "calibration"),
}
#: Commands that play nothing; `bench` plays in a folder of its own, `warmup` says what it does.
OTHERS = {
    "table",
    "chart",
    "report",
    "merge",
    "rules list",
    "rules show",
    "rules diff",
    "bench",
    "warmup",
    "completion",
}


def test_every_command_is_known_to_play_or_not() -> None:
    assert {name.split(" by ")[0] for name in PLAYING} | OTHERS == set(COMMANDS)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let kernels look as if they were to be compiled."""
    monkeypatch.setattr(Entry, "is_ready", False)


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Folder:
    """Let there be no folder where machine code could be kept."""
    (tmp_path / "file").touch()
    folder = Folder(tmp_path / "file" / "kernels" / "version")
    monkeypatch.setattr(compiling, "cache_folder", lambda: folder)
    return folder


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("call", PLAYING.values(), ids=PLAYING)
def test_that_machine_code_cannot_be_kept_is_said_once_with_what_helps(
    run: Run, nowhere: Folder, call: tuple[object, ...]
) -> None:
    outcome = run(*call)
    assert outcome.code == 0
    assert outcome.err.count("compiling") == 1
    (line,) = [line for line in outcome.err.splitlines() if "compiling" in line]
    assert f"cannot write to {nowhere.path.parent} (Not a directory); SCHMIER_CACHE_DIR names another" in line


@pytest.mark.usefixtures("cold", "nowhere")
@pytest.mark.parametrize("name", ["simulate", "deal", "hand"])
def test_quiet_commands_compile_without_a_word(run: Run, name: str) -> None:
    outcome = run(*PLAYING[name], "--quiet")
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.usefixtures("nowhere")
def test_nothing_is_said_where_nothing_is_compiled(run: Run) -> None:
    for call in (PLAYING["deal"], PLAYING["hand"]):
        run(*call)
        outcome = run(*call)
        assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.usefixtures("cold")
def test_where_it_is_kept_it_is_said_that_it_takes_a_while(run: Run) -> None:
    assert run("deal", 7).err == compiling.COMPILING + "\n"


def test_a_disk_that_was_full_meanwhile_is_told_in_the_end(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = Folder(tmp_path / "kernels" / "version")
    folder.problem = "No space left on device"
    monkeypatch.setattr(compiling, "cache_folder", lambda: folder)
    told = (
        f"the next start will compile the simulator again: cannot write to {folder.path.parent} "
        "(No space left on device); SCHMIER_CACHE_DIR names another folder\n"
    )
    assert run("deal", 7).err == told
    assert run("deal", 7).err == ""


@pytest.mark.usefixtures("cold", "nowhere")
def test_warming_up_is_refused_at_once_where_it_would_be_for_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch, nowhere: Folder
) -> None:
    monkeypatch.setattr("schmier_sim.kernel.jit.cache_folder", lambda: nowhere)
    refused(run("warmup"), 1, str(nowhere.path.parent), "Not a directory", "SCHMIER_CACHE_DIR")
