"""The manual shows no command and no option that the program does not have."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.program import Run
from tests.cli.test_help import COMMANDS

TOP = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(TOP).as_posix() for path in [*TOP.glob("*.md"), *TOP.glob("docs/*.md")])


def calls_in(text: str) -> list[list[str]]:
    """Find the calls of the program in a Markdown page's code blocks, as lists of words."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    found = [re.match(r"(?:\$ )?(?:\S*/)?schmier-sim (.+)", line.strip()) for line in lines]
    return [shlex.split(re.split(r"\s[|>]", match[1])[0], comments=True) for match in found if match]


def test_calls_are_found_in_code_blocks_only() -> None:
    page = "`schmier-sim not this`\n```sh\n$ .venv/bin/schmier-sim table a.parquet \\\n  --by 'x' | less  # see\n```\n"
    assert calls_in(page) == [["table", "a.parquet", "--by", "x"]]


def options_of(run: Run, call: list[str]) -> tuple[set[str], set[str]]:
    """Tell the options that a call gives, and those that its command has."""
    given = {word.partition("=")[0] for word in call if re.match(r"--?[a-z]", word)}
    if call[0].startswith("-"):
        text = run("--help").out
    else:
        name = " ".join(call[:2]) if call[0] == "rules" else call[0]
        assert name in COMMANDS
        text = run(*name.split(), "--help").out
    return given, set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_manual_exists(run: Run, page: str) -> None:
    for call in calls_in((TOP / page).read_text()):
        given, known = options_of(run, call)
        assert given <= known, call
