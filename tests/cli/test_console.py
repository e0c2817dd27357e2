"""How the program talks."""

import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from schmier_sim.cli.console import (
    MOST_COMMAND,
    Console,
    ExitCode,
    command_line,
    duration,
    progress_line,
    rate,
    with_bar,
)


@dataclass
class Now:
    done: int = 2_500_000
    total: int = 10_000_000
    speed: float = 5e6
    eta: float = 1.5
    half_width: float | None = None
    message: str | None = None


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setattr(os, "get_terminal_size", lambda _number: os.terminal_size((100, 24)))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


def test_exit_codes_are_those_that_scripts_rely_on() -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "DONE": 0,
        "FAILED": 1,
        "USAGE": 2,
        "SHORT": 3,
        "HUNG_UP": 129,
        "INTERRUPTED": 130,
        "TERMINATED": 143,
    }


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.6, "1 min 00 s"),
        (185, "3 min 05 s"),
        (3600, "1 h 00 min"),
        (7800, "2 h 10 min"),
    ],
)
def test_durations_read_as_people_say_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_rates() -> None:
    assert rate(5_240_000) == "5.2 million deals/s"
    assert rate(180_500) == "180,500 deals/s"


def test_the_progress_line_says_deals_done_speed_and_time_left() -> None:
    line = "2,500,000 of 10,000,000 deals  25%  5.0 million deals/s  1.5 s left"
    assert progress_line(Now()) == line
    assert "1.5 s to the next look  widest interval ±0.80 percentage points" in progress_line(
        Now(half_width=0.8)
    )
    assert "left" not in progress_line(Now(done=0, speed=0))


def test_the_bar_takes_the_room_that_there_is() -> None:
    line = progress_line(Now())
    assert with_bar(Now(), 200) == f"[######..................]  {line}"
    assert with_bar(Now(), len(line) + 12) == f"[##......]  {line}"
    assert with_bar(Now(), len(line) + 11) == line
    assert with_bar(Now(), 20) == line[:20]
    assert with_bar(Now(done=12, total=10), 200).count("#") == 24


def test_a_terminal_has_one_line_that_is_rewritten_and_wiped(terminal: Terminal) -> None:
    console = Console(err=terminal)
    console.progress(Now())
    console.progress(Now(done=9_000_000))  # too soon after the first to be shown
    console.say("done")
    first, wiped, said = terminal.getvalue().lstrip("\r").split("\r")
    assert "2,500,000 of" in first
    assert "9,000,000" not in terminal.getvalue()
    assert wiped.strip() == ""
    assert said == "done\n"


@pytest.mark.parametrize(
    "draw",
    [lambda console: console.progress(Now()), lambda console: console.live(["one line", "another"])],
    ids=["progress", "live"],
)
def test_what_was_just_drawn_is_wiped_after_an_interrupt(
    draw: Callable[[Console], None], terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C may come at any time, also between drawing and knowing what has been drawn."""
    console = Console(err=terminal)
    with monkeypatch.context() as patch:
        patch.setattr(terminal, "flush", interrupt)
        with pytest.raises(KeyboardInterrupt):
            draw(console)
    drawn = terminal.getvalue()
    console.error("interrupted")
    assert terminal.getvalue().removeprefix(drawn).startswith("\r")


def interrupt() -> None:
    raise KeyboardInterrupt


def test_a_line_fits_the_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _number: os.terminal_size((40, 24)))
    monkeypatch.setenv("NO_COLOR", "1")
    Console(err=terminal).progress(Now())
    assert len(terminal.getvalue().strip("\r")) < 40


def test_colour_is_left_out_where_it_is_not_wanted(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    Console(err=terminal).error("coloured")
    assert "\x1b[" in terminal.getvalue()
    terminal.truncate(0)
    monkeypatch.setenv("NO_COLOR", "1")
    Console(err=terminal).error("plain")
    assert "\x1b[" not in terminal.getvalue()


def test_a_log_has_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([100.0, 101.0, 116.0, 117.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    console = Console()
    for millions in (1, 2, 3, 4):
        console.progress(Now(done=millions * 1_000_000))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("3,000,000 of")


def test_quiet_leaves_only_errors(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(quiet=True)
    console.say("talk")
    console.progress(Now(message="compiling"))
    console.error("two\nlines")
    assert capsys.readouterr().err == "schmier-sim: two lines\n"


def test_without_progress_messages_are_still_said(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console(show_progress=False)
    console.progress(Now(message="compiling"))
    console.progress(Now())
    assert capsys.readouterr().err == "compiling\n"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["table", "my run.parquet"], "schmier-sim table 'my run.parquet'"),
        (["table", "J\udcf6rg.parquet"], "schmier-sim table 'J\N{REPLACEMENT CHARACTER}rg.parquet'"),
    ],
)
def test_the_command_line_is_kept_as_it_would_be_typed(
    words: list[str], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["anything", *words])
    assert command_line() == text


def test_a_very_long_command_line_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["anything", "merge", *["part.parquet"] * 5000])
    assert len(command_line()) == MOST_COMMAND
    assert command_line().startswith("schmier-sim merge part.parquet part")
    assert command_line().endswith("…")
