"""How the program talks: streams, colour, progress, exit codes and the one line that an error gets.

Data goes to stdout, talk to stderr.  A terminal sees one progress line that is rewritten, a log gets a line now and
then.  ``NO_COLOR`` and ``TERM=dumb`` are respected.
"""

import os
import re
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer

from schmier_sim.cli.streams import drop

if TYPE_CHECKING:
    from schmier_sim.analysis.run import Progress

PROGRAM = "schmier-sim"
BAR_WIDTH, LEAST_BAR_WIDTH = 24, 8
#: Seconds between two progress lines: on a terminal, where a line replaces the one before, and in a log.
TERMINAL_SECONDS = 0.1
LOG_SECONDS = 15.0
#: A word in an error that is longer than any path people type is cut.
LONG_WORD = re.compile(r"\S{201,}")
CUT = 50
#: Halves of letters that stand for no byte of a file name either.
_UNWRITABLE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
#: Letters of a command line that a run keeps: thousands of parts may be merged.
MOST_COMMAND = 10_000
CLEAR_LINE, LINE_UP = "\x1b[2K", "\x1b[1A"
DIM, RED, RESET = "\x1b[2m", "\x1b[31m", "\x1b[0m"


class ExitCode(IntEnum):
    """What the shell learns."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    SHORT = 3  # a result is there, but falls short of what was wanted
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class Failure(typer.TyperException):
    """What went wrong, in one line, and the exit code that goes with it."""

    def __init__(self, message: str, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.exit_code = code


def usage(message: str) -> NoReturn:
    """Refuse what was typed.

    Raises
    ------
    Failure
        Always, with the exit code of a usage error.
    """
    raise Failure(message, ExitCode.USAGE)


def shown(value: object) -> str:
    """A value in quotes as an error shows it: on one line, cut where it is long."""
    text = _UNWRITABLE.sub("\ufffd", str(value)[: 4 * CUT])
    text = text.encode("utf-8", "surrogateescape").decode(
        "utf-8", "replace"
    )  # bytes of a letter that was no text
    return repr(text if len(text) <= CUT else text[: CUT - 1] + "…")


def command_line() -> str:
    """How this program was called, to tell in a run how it was made; cut where it is very long."""
    text = os.fsencode(shlex.join([PROGRAM, *sys.argv[1:]])).decode("utf-8", "replace")
    return text if len(text) <= MOST_COMMAND else text[: MOST_COMMAND - 1] + "…"


def duration(seconds: float) -> str:
    """Seconds as people say them: ``0.8 s``, ``42 s``, ``3 min 05 s``, ``2 h 10 min``."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def rate(deals_per_second: float) -> str:
    """Deals a second, to two or three digits."""
    if deals_per_second >= 1e6:
        return f"{deals_per_second / 1e6:.1f} million deals/s"
    return f"{deals_per_second:,.0f} deals/s"


@dataclass
class Console:
    """The two streams and how much is said on them.

    Parameters
    ----------
    quiet
        Say nothing but errors.
    show_progress
        Show how far the work is.
    debug
        Show the traceback of an error.
    given
        Names of the options that stood on the command line (not in the environment or the config file).
    origins
        Names of the options that have a value from anywhere, and what errors call its place: ``--seed``,
        ``SCHMIER_SEED``, ``schmier.toml: deal.seed``.
    out, err
        Where data and talk go.
    """

    quiet: bool = False
    show_progress: bool = True
    debug: bool = False
    given: frozenset[str] = frozenset()
    origins: Mapping[str, str] = field(default_factory=dict)
    out: TextIO = field(default_factory=lambda: sys.stdout, repr=False)
    err: TextIO = field(default_factory=lambda: sys.stderr, repr=False)
    _shown: float = field(default=-1e9, repr=False)
    _width: int = field(default=0, repr=False)
    _above: int = field(default=0, repr=False)

    @property
    def terminal(self) -> bool:
        """True if talk is read on a terminal that can rewrite a line."""
        return self.err.isatty() and os.environ.get("TERM") != "dumb"

    def _paint(self, text: str, colour: str) -> str:
        return f"{colour}{text}{RESET}" if self.terminal and not os.environ.get("NO_COLOR") else text

    def data(self, text: str) -> None:
        """Write data to stdout, ending in a line feed."""
        self.out.write(text if text.endswith("\n") else text + "\n")

    def say(self, text: str) -> None:
        """Write a line of talk to stderr, unless asked to be quiet."""
        if not self.quiet:
            self.clear()
            self._talk(text + "\n")

    def error(self, message: str) -> None:
        """Write the one line that an error gets."""
        self.clear()
        line = LONG_WORD.sub(lambda word: word[0][:CUT] + "…", " ".join(message.split()))
        line = "".join(letter if letter.isprintable() or _is_byte(letter) else "?" for letter in line)
        self._talk(f"{self._paint(PROGRAM + ':', RED)} {line}\n")

    def clear(self) -> None:
        """Wipe the progress line, or the lines that `live` drew, off the terminal."""
        if self._above:
            self._talk("\r" + CLEAR_LINE + (LINE_UP + CLEAR_LINE) * self._above)
            self._above = self._width = 0
        if self._width:
            self._talk("\r" + " " * self._width + "\r")
            self._width = 0

    @property
    def lively(self) -> bool:
        """True if there is a terminal where several lines may be drawn over and over."""
        return self.terminal and self.show_progress and not self.quiet

    def live(self, lines: Sequence[str]) -> None:
        """Draw lines in the place of those drawn before; nothing in a log, and not more than the terminal has."""
        clock = time.monotonic()
        if not self.lively or clock - self._shown < TERMINAL_SECONDS:
            return
        self._shown = clock
        self.clear()
        columns, rows = self._size()
        drawn = [line[: columns - 1] for line in lines][: max(rows - 1, 1)]
        # Known before it is written: Ctrl-C may come right after, and wants it wiped.
        self._above, self._width = len(drawn) - 1, len(drawn[-1])
        self._talk("\n".join(self._paint(line, DIM) for line in drawn))

    def _talk(self, text: str) -> None:
        """Write to stderr; where that fails the work goes on without."""
        try:
            self.err.write(text)
            self.err.flush()
        except (OSError, ValueError):
            drop(self.err)

    def progress(self, now: "Progress") -> None:
        """Show how far the work is: often on a terminal, now and then in a log."""
        if self.quiet:
            return
        if now.message:
            self.say(now.message)
            return
        if not self.show_progress:
            return
        clock = time.monotonic()
        if clock - self._shown < (TERMINAL_SECONDS if self.terminal else LOG_SECONDS):
            return
        first, self._shown = self._shown < 0, clock
        if self.terminal:
            self._rewrite(now)
        elif not first:
            self.say(progress_line(now))

    def _rewrite(self, now: "Progress") -> None:
        if self._above:
            self.clear()
        line = with_bar(now, self._size()[0] - 1)
        self._width = max(self._width, len(line))  # as in `live`
        self._talk("\r" + self._paint(line, DIM) + " " * (self._width - len(line)))
        self._width = len(line)

    def _size(self) -> tuple[int, int]:
        """Columns and rows of the terminal."""
        try:
            size = os.get_terminal_size(self.err.fileno())
        except OSError:
            return 80, 24
        return size.columns or 80, size.lines or 24  # 0 where the terminal does not know


def _is_byte(letter: str) -> bool:
    """Whether a letter stands for a byte of a file name that is no text."""
    return "\udc80" <= letter <= "\udcff"


def progress_line(now: "Progress") -> str:
    """One line: deals done, share, speed, time left and, where a precision is wanted, the half-width reached."""
    parts = [f"{now.done:,} of {now.total:,} deals", f"{_share(now):.0%}"]
    if now.speed > 0:
        # Where a precision is wanted nobody knows how many deals that takes: the total is that of the next look.
        until = "left" if now.half_width is None else "to the next look"
        parts += [rate(now.speed), f"{duration(now.eta)} {until}"]
    if now.half_width is not None:
        parts.append(f"widest interval ±{now.half_width:.2f} percentage points")
    return "  ".join(parts)


def with_bar(now: "Progress", columns: int) -> str:
    """Write the progress line for a terminal: a bar in front if there is room for one, cut to the width."""
    line = progress_line(now)
    room = min(BAR_WIDTH, columns - len("[]  ") - len(line))
    if room < LEAST_BAR_WIDTH:
        return line[:columns]
    full = int(_share(now) * room)
    return f"[{'#' * full}{'.' * (room - full)}]  {line}"


def _share(now: "Progress") -> float:
    return min(now.done / now.total, 1.0)
