"""Help, and what it costs."""

import subprocess
import sys

import pytest

from schmier_sim import __version__
from tests.cli.program import Run

COMMANDS = (
    "hand",
    "simulate",
    "merge",
    "table",
    "chart",
    "report",
    "deal",
    "duel",
    "equity",
    "pointcount",
    "quiz",
    "audit",
    "bench",
    "warmup",
    "completion",
    "rules list",
    "rules show",
    "rules diff",
)
HEAVY = ("numba", "numpy", "pandas", "matplotlib", "pyarrow", "typst", "rich")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does(run: Run, command: str) -> None:
    outcome = run(*command.split(), "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: schmier-sim {command} ")
    assert outcome.err == ""
    assert "--debug" in outcome.out


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("hand", "[HAND]..."),
        ("table", "RUN"),
        ("report", "[RUN]"),
        ("duel", "[CHALLENGER] [OPPONENT]"),
        ("rules show", "[NAME|FILE]"),
        ("rules diff", "A B"),
        ("simulate", ""),
    ],
)
def test_help_names_arguments_by_what_they_are_and_brackets_those_that_may_be_left_out(
    run: Run, command: str, form: str
) -> None:
    text = run(*command.split(), "--help").out
    assert text.splitlines()[0] == f"Usage: schmier-sim {command} [OPTIONS] {form}".rstrip()
    assert "<" not in text.partition("Options:")[0]


def test_help_lists_all_commands_in_whole_sentences(run: Run) -> None:
    outcome = run("--help")
    assert outcome.code == 0
    listed = outcome.out.partition("Commands:\n")[2].splitlines()
    assert {line.split()[0] for line in listed} == {command.split()[0] for command in COMMANDS}
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)


def test_no_command_is_answered_with_the_help(run: Run) -> None:
    assert run().out == run("--help").out


def test_version(run: Run) -> None:
    assert run("--version").out == f"schmier-sim {__version__}\n"


@pytest.mark.parametrize(
    "arguments", ["--help", "hand --help", "simulate --help", "table --help", "chart --help", "--version"]
)
def test_help_imports_nothing_heavy(arguments: str) -> None:
    code = f"""
import sys
from schmier_sim.cli import main
main({arguments.split()!r})
print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""


def test_rules_are_shown_without_anything_heavy() -> None:
    code = f"""
import sys
from schmier_sim.cli import main
main(["rules", "show"])
print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""
