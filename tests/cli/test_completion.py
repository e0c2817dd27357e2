"""Completion with Tab: all that can be typed is offered, in each shell, quickly and without a trace of errors."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.analysis import patterns
from schmier_sim.cli import completion, options, parse
from schmier_sim.cli.app import app
from schmier_sim.game.rules import ruleset_names
from tests.cli.program import Run, refused
from tests.cli.test_help import COMMANDS, HEAVY

ROOT = typer.main.get_command(app)
#: What the help calls values that cannot be listed.
FREE = {
    "HAND",
    "I/N",
    "ADDRESS",
    "CALLS",
    "N,N,N",
    "N",
    "PP",
    "SECONDS",
    "CALL",
    "FILTER",
    "TEXT",
    "YYYY-MM-DD",
    "INDEX",
}


def offered(line: str) -> tuple[str, list[str]]:
    """What kind of files is offered, and which words."""
    kind, *lines = completion.answer(ROOT, line).splitlines()
    return kind, [one.partition("\t")[0] for one in lines]


def command_of(name: str) -> Any:
    found: Any = ROOT
    for word in name.split():
        found = found.commands[word]
    return found


def parameters() -> Iterator[tuple[str, Any]]:
    for name in COMMANDS:
        for one in command_of(name).params:
            yield name, one


def where_it_stands(name: str, parameter: Any) -> str:
    """Write a line that ends where the value of an option or argument comes."""
    if parameter.param_type_name == "option":
        return f"schmier-sim {name} {max(parameter.opts, key=len)} "
    before = [one for one in command_of(name).params if one.param_type_name == "argument"]
    return f"schmier-sim {name} " + "x " * before.index(parameter)


VALUES = [(name, one) for name, one in parameters() if not getattr(one, "is_flag", False)]
IDS = [f"{name} {one.opts[0]}" for name, one in VALUES]


def test_commands_are_offered_with_what_they_do() -> None:
    assert set(offered("schmier-sim ")[1]) == {name.split()[0] for name in COMMANDS}
    assert offered("schmier-sim rules ") == ("words", ["list", "show", "diff"])
    assert offered("schmier-sim s") == ("words", ["simulate"])
    assert (
        completion.answer(ROOT, "schmier-sim warm")
        == "words\nwarmup\tCompile the simulator for quick starts.\n"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_all_options_of_a_command_are_offered_but_for_those_that_were_given(run: Run, name: str) -> None:
    found = set(offered(f"schmier-sim {name} --")[1])
    assert found <= set(re.findall(r"--[a-z][a-z-]*", run(*name.split(), "--help").out))
    own = {word for one in command_of(name).params for word in (*one.opts, *one.secondary_opts)}
    assert found == {word for word in own if word.startswith("--")} | {"--help"}
    assert set(offered(f"schmier-sim {name} --quiet --")[1]) == found - {"--quiet"}
    assert {"-q", "-h"} <= set(offered(f"schmier-sim {name} -")[1])


@pytest.mark.parametrize(("name", "parameter"), VALUES, ids=IDS)
def test_values_are_offered_wherever_they_can_be_listed(name: str, parameter: Any) -> None:
    kind, words = offered(where_it_stands(name, parameter))
    form = parameter.metavar
    if form in FREE:
        assert kind == "words"
        assert all(word.startswith("--") for word in words)
    elif form in ("NAME|FILE", "A", "B"):
        assert (kind, tuple(words)) == ("files .toml", ruleset_names())
    elif form == "FILE":
        assert (kind, words) == ("files .toml" if "--config" in parameter.opts else "files", [])
    elif form in ("RUN", "PART", "DIR"):
        assert (kind, words) == ("folders" if form == "DIR" else "files .parquet", [])
    else:
        assert kind == "words"
        assert len(words) > 1
        assert not any(word.startswith("-") for word in words)
        if "|" in form:
            assert words == form.split("|")


@pytest.mark.parametrize(("name", "parameter"), VALUES, ids=IDS)
def test_what_is_offered_is_taken(name: str, parameter: Any) -> None:
    reader = completion._reader(command_of(name), parameter.name)
    _, words = offered(where_it_stands(name, parameter))
    if reader in parse.CHOICES:
        assert tuple(words) == parse.CHOICES[reader].names
        assert [reader(word) for word in words] == words  # type: ignore[operator]


def test_lists_with_commas_go_on() -> None:
    assert offered("schmier-sim chart a.parquet --format svg,p")[1] == ["svg,png", "svg,pdf"]
    assert offered("schmier-sim chart a.parquet --format=svg,pn")[1] == ["--format=svg,png"]
    assert offered("schmier-sim table a.parquet --by trumps,rol")[1] == ["trumps,role"]
    assert offered("schmier-sim table a.parquet --format csv,")[1] == []


def test_of_arguments_that_there_may_be_many_of_each_is_completed() -> None:
    assert offered("schmier-sim merge a.parquet b.parquet ") == ("files .parquet", [])
    assert offered("schmier-sim duel club simple ")[0] == "words"


def test_keys_are_those_of_the_library() -> None:
    assert options.KEYS == patterns.KEYS


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("schmier-sim deal 7 --bots=", ["--bots=simple", "--bots=random", "--bots=club"]),
        ("schmier-sim deal --seed 3 7 --mode a", ["auction"]),
        ("schmier-sim deal -- --", []),
        ("schmier-sim hand 'AS KS JC 2S 10H 9D' --suit ", ["S", "H", "C", "D"]),
        ("schmier-sim hand 'AS KS --su", []),
        ("schmier-sim hand AS\\ KS --seat ", list("123456")),
        ("schmier-sim -q simulate -n 10 --sa", ["--sample"]),
        ("schmier-sim simulate -n10 --sa", ["--sample"]),
        ("schmier-sim table a.parquet -o x.csv --outp", ["--output"]),
        ("schmier-sim nothing --", []),
        ("schmier-sim nothing more ", []),
        ("schmier-sim simulate --nothing x --mode d", ["declare"]),
        ("schmier-sim duel club se", ["search"]),
        ("/home/me/bin/schmier-sim au", ["audit"]),
    ],
)
def test_lines_are_read_as_the_shell_and_the_program_read_them(line: str, words: list[str]) -> None:
    assert offered(line)[1] == words


PIECES = (
    "rules", "table", "hand", "--by", "--rules=", "-o", "-", "--", "a,b", "'", '"', "\\", "=", "ä", "--json", " ", "\t"
)  # fmt: skip


@given(line=st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_line_gets_an_answer(line: str) -> None:
    kind, *_ = completion.answer(ROOT, f"schmier-sim {line}").splitlines()
    assert kind.split()[0] in ("words", "files", "folders")


def asked(line: str, *more: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Ask the program as a shell does."""
    return subprocess.run(
        [sys.executable, "-m", "schmier_sim", line, *more],
        env=os.environ | {completion.VARIABLE: "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_program_answers_in_plain_letters_where_there_are_no_others() -> None:
    done = asked("schmier-sim table --by trumps,pa", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "words\ntrumps,pattern\t\n", "")
    assert asked("schmier-sim ", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0").returncode == 0


def test_a_question_that_is_none_gets_no_answer() -> None:
    done = asked("simulate", "-n", "10")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_completing_imports_nothing_heavy() -> None:
    code = f"""
import sys
from schmier_sim.cli import main
sys.argv = ["schmier-sim", "schmier-sim simulate --rules "]
main()
print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {completion.VARIABLE: "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "standard" in done.stdout
    assert done.stderr.strip() == ""


def test_a_shell_that_there_is_no_script_for_is_refused(run: Run) -> None:
    refused(run("completion", "tcsh"), 2, "bash|zsh|fish: 'tcsh' is not known; write bash or zsh or fish")
    refused(
        run("completion"),
        2,
        "bash|zsh|fish is missing; write: schmier-sim completion [OPTIONS] bash|zsh|fish",
    )


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_scripts_are_printed_and_nothing_else_is_touched(run: Run, tmp_path: Path, shell: str) -> None:
    outcome = run("completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == completion.script(shell)
    assert list(tmp_path.iterdir()) == []


#: What is typed, and what the Tab key makes of it.
TYPED = {
    "schmier-sim simulate --rul": "schmier-sim simulate --rules ",
    "schmier-sim simulate --rules low": "schmier-sim simulate --rules low-to-taker ",
    "schmier-sim table r": "schmier-sim table run.parquet ",
    "schmier-sim table wi": "schmier-sim table with\\ space.parquet ",
    "schmier-sim chart run.parquet --format=png,sv": "schmier-sim chart run.parquet --format=png,svg ",
    "schmier-sim rules show m": "schmier-sim rules show my.toml ",
    "schmier-sim chart run.parquet --output=s": "schmier-sim chart run.parquet --output=sub/",
    "schmier-sim hand 'AS KS JC 2S 10H 9D' --bidding=eq": "schmier-sim hand 'AS KS JC 2S 10H 9D' --bidding=equity ",
    "schmier-sim warmu": "schmier-sim warmup ",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with some files, where the program is on the path."""
    home = tmp_path / "home"
    for place in (home, tmp_path / "bin", home / "sub"):
        place.mkdir(exist_ok=True)
    for name in (
        "run.parquet",
        "with space.parquet",
        "wide.csv",
        "my.toml",
        "mine.txt",
        "some.txt",
        "results",
    ):
        (home / name).touch()
    program = tmp_path / "bin" / "schmier-sim"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m schmier_sim "$@"\n')
    program.chmod(0o755)
    for shell in completion.SHELLS:
        (tmp_path / f"script.{shell}").write_text(completion.script(shell))
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    return tmp_path


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, *command: str) -> None:
        self.stream, inner = pty.openpty()
        environment = os.environ | {"TERM": "dumb", "PS1": "> ", "COLUMNS": "200"}
        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)
        self.seen = ""

    def type(self, keys: str) -> None:
        os.write(self.stream, keys.encode())

    def wait_for(self, text: str) -> bool:
        """Whether a text comes within a minute; what came before it is forgotten."""
        while text not in self.seen and select.select([self.stream], [], [], 60)[0]:
            self.seen += os.read(self.stream, 4096).decode(errors="replace")
        found, self.seen = text in self.seen, self.seen.rpartition(text)[2]
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.stream)


@pytest.fixture(params=["bash", "zsh"])
def terminal(request: pytest.FixtureRequest, folder: Path) -> Iterator[Terminal]:
    if shutil.which(request.param) is None:
        pytest.skip(f"there is no {request.param}")
    settings = {
        "bash": ("--norc", "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'"),
        "zsh": ("-f", "autoload -U compinit; compinit -u -D; unsetopt beep"),
    }
    option, commands = settings[request.param]
    shell = Terminal(request.param, option, "-i")
    shell.type(f"{commands}; . {folder}/script.{request.param}; echo rea''dy\n")
    assert shell.wait_for("ready")
    yield shell
    shell.close()


def test_the_tab_key_completes_on_a_terminal(terminal: Terminal) -> None:
    for typed, wanted in TYPED.items():
        # The rest of the line says where the cursor is; Ctrl-A and # make it a comment.
        terminal.type(f"{typed}\t^\x01#\n")
        assert terminal.wait_for(f"{wanted}^"), (typed, terminal.seen)


def test_fish_completes(folder: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish")
    for typed, wanted in TYPED.items():
        line = typed.replace("'", "\\'")
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source {folder}/script.fish; complete -C '{line}'"],
            capture_output=True,
            text=True,
            check=True,
        )
        found = [one.partition("\t")[0] for one in done.stdout.splitlines()]
        last = wanted.replace("\\ ", "?").split()[-1].replace("?", " ")
        assert last in found
        assert all(one == last or one.endswith("/") for one in found), (typed, found)
