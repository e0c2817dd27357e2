"""The manual page: what it says is true and complete, and it comes out as it was meant."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from schmier_sim.cli import manual
from schmier_sim.cli.console import ExitCode
from tests.cli.program import Run
from tests.cli.test_help import COMMANDS
from tests.cli.test_manual import options_of

TOP = Path(__file__).parents[2]
PAGE = TOP / "docs" / "schmier-sim.1"
TEXT = PAGE.read_text(encoding="ascii")
PLAIN_TEXT = re.sub(r"\\f[BIP]", "", TEXT).replace("\\-", "-")


def part(title: str, level: str = "SH") -> str:
    """Read a section of the page, without fonts."""
    found = re.search(
        rf"^\.{level} {re.escape(title)}\n(.*?)(?=^\.S[HS] |\Z)", PLAIN_TEXT, re.MULTILINE | re.DOTALL
    )
    assert found is not None, title
    return found[1]


def test_the_page_is_what_the_help_says_today() -> None:
    assert manual.page() == TEXT, "run scripts/manual"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_with_all_that_its_help_says(run: Run, name: str) -> None:
    text = " ".join((part(name, "SS") + part("OPTIONS")).replace("\\(ti", "~").split())
    helped = run(*name.split(), "--help").out
    for words in re.findall(r"--[a-z][a-z-]*|SCHMIER_[A-Z]+", helped):
        assert words in text
    usage = " ".join(helped.partition("\n\n")[0].removeprefix("Usage: ").split())
    assert usage in text


def test_the_page_knows_all_variables_that_the_program_reads() -> None:
    sources = "".join(path.read_text() for path in TOP.glob("schmier_sim/**/*.py"))
    read = set(re.findall(r"\bSCHMIER_[A-Z_]+|\bXDG_[A-Z_]+|\bNO_COLOR\b", sources)) - {
        "SCHMIER_SIM_COMPLETE"
    }
    assert read <= set(part("ENVIRONMENT").split())


def test_the_page_knows_all_exit_codes() -> None:
    codes = re.findall(r"^\.TP\n(\d+)$", part("EXIT STATUS"), re.MULTILINE)
    assert [int(code) for code in codes] == [int(code) for code in ExitCode]


def test_examples_are_calls_of_commands_that_there_are(run: Run) -> None:
    calls = [
        shlex.split(call.partition(" > ")[0])[1:] for _, *commands in manual.EXAMPLES for call in commands
    ]
    for call in calls:
        given, known = options_of(run, call)
        assert given <= known


def shown(page: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    return subprocess.run([*command, page], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("device", ["ascii", "utf8"])
def test_the_page_comes_out_without_a_warning_and_fits_a_terminal(device: str) -> None:
    done = shown(PAGE, "groff", "-ww", "-man", "-P-cbou", f"-T{device}", "-rLL=80n")
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_page_has_nothing_that_is_bad_style() -> None:
    done = shown(PAGE, "mandoc", "-T", "lint")
    found = [line for line in done.stdout.splitlines() if "missing date" not in line]
    assert found == []  # it has no date, so that it changes with the help alone


NASTY = (
    ".begins with a dot", "'begins with a quote", "back\\slash \\fB \\n(xx", "see --long-option and -n, or run.parquet",
    "well-known words", 'quotes "like these" and ~/.cache, a^b', "`simulate` does it", "1…6", "schmier-sim --rules a-b",
)  # fmt: skip


def test_any_text_comes_out_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.1"
    lines: list[Any] = [".TH X 1", ".nh", ".ad l"]
    for text in NASTY:
        lines += [".PP", *manual._text(text)]
    page.write_text("\n".join(lines) + "\n")
    done = shown(page, "groff", "-ww", "-man", "-P-cbou", "-Tutf8")
    assert done.stderr == ""
    found = [line.strip() for line in done.stdout.splitlines() if line.strip()][1:-1]
    wanted = [text.replace("`", "").replace("…", "...") for text in NASTY]
    assert [line.replace("’", "'").replace("‐", "-") for line in found] == wanted
    assert "--long-option" in found[3]
    assert "schmier-sim --rules" in found[-1]
