"""The program within this process, as it answers a command line of which nobody knows what it is worth."""

import importlib
import io
import os
import pkgutil
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest
import typer
import typer.main

import schmier_sim
from schmier_sim.cli import main
from schmier_sim.cli.app import app
from schmier_sim.kernel.jit import cache_root
from tests.fuzz.budget import in_time
from tests.fuzz.watch import watched

#: The most of what is played, by the names of options: what is asked for is read and checked, and then less is done.
MOST = {
    "deals": 100,
    "count": 3,
    "matches": 6,
    "worlds": 2,
    "questions": 2,
    "sheet": 1,
    "max_time": 0.1,
    "workers": 2,
}
LEAST = {"precision": 30.0}
#: How much is played where nobody says it.
DEFAULTS = {"schmier_sim.cli.simulate.DEFAULT_DEALS": 60, "schmier_sim.cli.simulate.MOST_FOR_PRECISION": 60}
DEFAULTS |= {
    "schmier_sim.analysis.duel.DEFAULT_DEALS": 60,
    "schmier_sim.analysis.duel.DEFAULT_SCORED_MATCHES": 6,
}
#: What takes seconds: a command line that comes so far has been checked, and is played now and then only.
SLOW = (
    "schmier_sim.present.charts.write_charts",
    "schmier_sim.present.report.report_pdf",
    "schmier_sim.present.report_text.report_html",
    "schmier_sim.present.report_text.report_markdown",
    "schmier_sim.present.lookup.lookup_page",
    "schmier_sim.analysis.equity.equity",
    "schmier_sim.analysis.pointcost.measure",
    "schmier_sim.analysis.advice.advise_in",
)
#: What takes minutes, other processes or other machines.
NEVER_PLAYED = (
    "schmier_sim.analysis.bench.measure",
    "schmier_sim.analysis.warm.warm_up",
    "schmier_sim.analysis.audit.audit",
    "schmier_sim.analysis.whatif.value_swaps",
    "schmier_sim.analysis.cluster.connect",
    "schmier_sim.analysis.crew.open_crew",
)
ERROR = "schmier-sim: "


@dataclass(frozen=True)
class Case:
    """A command line and what it meets.

    Attributes
    ----------
    words
        What follows the program's name.
    environment
        Variables, beside those that are there.
    files
        What lies about beside the files that are always there: a config file, a run.
    stdin
        What can be read.
    playing
        Whether what takes seconds is done.
    refused
        Whether one of the values is one that its option refuses.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    playing: bool = False
    refused: bool = False


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


def command_tree() -> Any:
    """The program's commands and options, as they are built from its functions."""
    return typer.main.get_command(app)


def commands(group: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands, with the words that call them."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*above, name))
        else:
            yield (*above, name), command


TREE = command_tree()
COMMANDS = dict(commands(TREE))


def _clamped(play: Callable[..., Any]) -> Callable[..., Any]:
    """Do less than what was asked for, once all of it has been read."""

    def run(**values: Any) -> Any:
        for name, most in MOST.items():
            if name in values and values[name] is not None:
                values[name] = min(values[name], most)
        for name, least in LEAST.items():
            if values.get(name) is not None and "deals" not in values:
                values[name] = max(values[name], least)
        return play(**values)

    return run


def _enough(*_arguments: object, **_options: object) -> NoReturn:
    """Stand in for what is not played: the program ends well."""
    raise typer.Exit


def _load_everything() -> None:
    """Import all modules before anything is replaced, as they take names from each other."""
    for module in pkgutil.walk_packages(schmier_sim.__path__, "schmier_sim."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    importlib.import_module("matplotlib.font_manager")
    importlib.import_module("matplotlib").get_cachedir()  # which is made when it is first asked for


class Program:
    """The program in a folder of its own, with files that its options can name."""

    def __init__(self, folder: Path, fill: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch) -> None:
        self.top, self.here, self.fill = folder / "top", folder / "top" / "here", fill
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", os.fspath(self.temporary))
        # Kernels that nobody has needed yet are compiled and kept.
        self.writable = [self.top, self.temporary, *filter(None, [cache_root()])]
        _load_everything()
        tree = command_tree()
        for _, command in commands(tree):
            monkeypatch.setattr(command, "callback", _clamped(command.callback))
        monkeypatch.setattr(typer.main, "get_command", lambda _app: tree)
        for place, value in (*DEFAULTS.items(), *dict.fromkeys(NEVER_PLAYED, _enough).items()):
            self._replace(monkeypatch, place, value)
        self.patch = monkeypatch
        self.keep, self.kept = "", b""  # a file that is written, and what was in it
        self.renew()

    def _replace(self, patch: pytest.MonkeyPatch, place: str, new: object) -> None:
        module, _, name = place.rpartition(".")
        patch.setattr(importlib.import_module(module), name, new)

    def renew(self) -> None:
        """Make the files anew."""
        if self.top.exists():
            shutil.rmtree(self.top)
        self.here.mkdir(parents=True)
        self.fill(self.here)
        self.before = self._files()

    def _files(self) -> dict[str, tuple[int, ...] | str]:
        """What is there, and whether it is still the same."""
        found: dict[str, tuple[int, ...] | str] = {}
        for path in self.top.rglob("*"):
            there = path.lstat()
            # Temporary files that come and go change a folder's time.
            same = (there.st_mode,) if path.is_dir() else (there.st_mode, there.st_size, there.st_mtime_ns)
            name = os.fspath(path.relative_to(self.top))
            found[name] = os.fspath(path.readlink()) if path.is_symlink() else same
        return found

    def play(self, case: Case) -> Answer:
        """Run the program; check what holds whatever it is asked for."""
        for name, data in case.files.items():
            (self.here / name).write_bytes(data)
        before = self._files() if case.files else self.before
        try:
            answer = self._run(case)
            self._check(case, answer, before)
            if self.keep:
                self.kept = (self.here / self.keep).read_bytes()
        except BaseException:
            self.renew()
            raise
        for name in case.files:
            (self.here / name).unlink(missing_ok=True)
        if self._files() != self.before:
            self.renew()
        return answer

    def _run(self, case: Case) -> Answer:
        out, err = io.StringIO(), io.StringIO()
        stdin = io.TextIOWrapper(io.BytesIO(case.stdin), encoding="utf-8")
        with self.patch.context() as patch:
            patch.chdir(self.here)
            patch.setattr(sys, "stdin", stdin)
            patch.setattr(sys, "argv", ["schmier-sim", *case.words])
            for name, value in case.environment.items():
                patch.setenv(name, value)
            for place in SLOW if not case.playing else ():
                self._replace(patch, place, _enough)
            with watched(*self.writable), in_time(), redirect_stdout(out), redirect_stderr(err):
                code = main(list(case.words))
        return Answer(code, out.getvalue(), err.getvalue())

    def _check(self, case: Case, answer: Answer, before: object) -> None:
        lines = answer.err.splitlines()
        errors = [line for line in lines if line.startswith(ERROR)]
        assert answer.code in (0, 1, 2, 3), answer
        assert "Traceback" not in answer.err, answer
        assert "unexpected" not in answer.err, answer
        assert "out of memory" not in answer.err, answer
        for line in errors:
            # Bytes of names that are no text are written as the bytes that they are.
            assert re.sub("[\udc80-\udcff]", "?", line).isprintable(), line
        assert list(self.temporary.iterdir()) == []
        after = self._files()
        assert not [name for name in after if ".schmier-" in name or name.endswith(".lock")], after
        # A list of hands is answered line by line, a quiz asks first.
        told = "quiz" in case.words or ("hand" in case.words and "--from" in " ".join(case.words))
        if answer.code == 2 or (answer.code == 1 and not told):
            assert answer.out == "", answer
            assert len(errors) == 1, answer
            assert lines[-1] == errors[0], answer
            assert answer.err.endswith("\n")
            assert after == before, (answer, after, before)
        elif answer.code == 0 and "quiz" not in case.words:
            assert not errors, answer
        if case.refused:
            assert answer.code == 2, answer
