"""The program as a process: its streams, their encodings, and signals at any time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from schmier_sim.kernel.jit import cache_root
from tests.cli.program import Outcome, in_process, spawn

#: Streams that cannot write all of the characters that tables and deals have.
ENCODINGS = {
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
    "ascii, strict": {"PYTHONIOENCODING": "ascii:strict"},
}


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("command", ["table RUN --wide", "deal 0 --suits symbols", "deal 0 --seed …"])
def test_characters_that_a_stream_lacks_have_plain_counterparts(
    small_run: Path, name: str, command: str
) -> None:
    arguments = [str(small_run) if word == "RUN" else word for word in command.split()]
    outcome = in_process(*arguments, env=os.environ | ENCODINGS[name], encoding="latin-1")
    text = outcome.out + outcome.err
    assert outcome.code == (2 if "…" in command else 0), outcome
    assert "?" not in text.replace("\\udc", "")
    if command.startswith("table"):
        assert ("±" if name == "latin-1" else "+/-") in text
        assert " -0." in text
        assert "... hands" in text
    elif "symbols" in command:
        assert "AS" in text


def test_a_name_that_the_encoding_lacks_is_written_as_it_is(small_run: Path, tmp_path: Path) -> None:
    name = "tüb.csv"
    outcome = in_process(
        "table", small_run, "-o", name, cwd=tmp_path, env=os.environ | ENCODINGS["ascii"], encoding="utf-8"
    )
    assert outcome == Outcome(0, "", f"wrote {name}\n")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    run = in_process(
        "simulate", "-n", 100, "-o", "tü.parquet", "--quiet", cwd=tmp_path, env=os.environ | ENCODINGS["ascii"],
        encoding="utf-8",
    )  # fmt: skip
    assert run == Outcome(0, "tü.parquet\n", "")


def shell(line: str, folder: Path) -> Outcome:
    """Run a line of shell in which P is the program."""
    script = f'P() {{ {sys.executable} -m schmier_sim "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("command", ["simulate -n 100 -o a.parquet", "rules list", "--help"])
@pytest.mark.parametrize("redirection", [">&-", "1</dev/null"])
def test_a_closed_stdout_is_refused_before_any_work(tmp_path: Path, command: str, redirection: str) -> None:
    outcome = shell(f"P {command} {redirection}", tmp_path)
    assert outcome == Outcome(1, "", "schmier-sim: stdout is closed: there is nowhere to write to\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&- 2>&-", "2> >(true)"])
def test_work_goes_on_without_stderr(tmp_path: Path, redirection: str) -> None:
    assert shell(f"P simulate -n 1000 -o a.parquet {redirection}", tmp_path) == Outcome(0, "a.parquet\n", "")
    assert shell(f"P deal first {redirection}", tmp_path) == Outcome(2, "", "")
    assert shell(f"P table none {redirection}", tmp_path) == Outcome(1, "", "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


INTERRUPTING = """
import os, sys
from schmier_sim.cli import main
number, wanted = int(sys.argv[1]), sys.argv[2]
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            os.kill(os.getpid(), number)
sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = sys.argv[3:]
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("schmier_sim.cli.app", "deal 0"),
        ("typer.core", "--help"),
        ("numba", "deal 0"),
        ("numpy._core", "table RUN"),
        ("pyarrow.lib", "table RUN"),
        ("matplotlib.ft2font", "chart RUN"),
        ("typst", "report RUN"),
    ],
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_amid_the_imports_ends_the_program_quietly(
    small_run: Path, tmp_path: Path, number: signal.Signals, module: str, command: str
) -> None:
    arguments = [str(small_run) if word == "RUN" else word for word in command.split()]
    call = [sys.executable, "-c", INTERRUPTING, str(int(number)), module, *arguments]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    if number == signal.SIGTERM:
        assert (done.returncode, done.stdout, done.stderr) == (-number, "", "")
    else:
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "schmier-sim: interrupted\n")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_interrupt_amid_the_output_is_told_too() -> None:
    with spawn("deal", 0, "--count", "1M", "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "schmier-sim: interrupted\n"
        process.stdout.close()
    assert process.returncode == 130


@pytest.mark.parametrize("call", ["chart RUN", "report RUN -o a.pdf --quiet", "deal 7"])
def test_a_home_that_cannot_be_written_is_no_trouble(small_run: Path, tmp_path: Path, call: str) -> None:
    (tmp_path / "file").touch()
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MPL"))}
    arguments = [str(small_run) if word == "RUN" else word for word in call.split()]
    places = {"HOME": str(tmp_path / "file" / "home"), "SCHMIER_CACHE_DIR": str(cache_root())}
    outcome = in_process(*arguments, cwd=tmp_path, env=bare | places)
    assert (outcome.code, outcome.err) == (0, "")
