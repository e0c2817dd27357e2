"""Lists of hands: one a line, ``HAND | SEAT | CALLS | SCORES``; ``#`` begins a comment."""

import codecs
import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Failure, usage

T = TypeVar("T")
STDIN = Path("-")
#: A list is read at once; this is room for a hundred thousand hands and more.
MOST_BYTES = 4_000_000
#: What a line calls the parts of a question.
FIELD_NAMES = {"seat": "seat", "auction": "calls", "scores": "scores"}
FORM = "AS KS JC 2S 10H 9D | 3 | p 3 | 14,9,18"
_seat = parse.whole(1, 6, "3")


@dataclass(frozen=True)
class Line:
    """A hand and its place; None where nothing is said of it."""

    number: int | None
    cards: tuple[str, ...]
    seat: int | None
    auction: tuple[int | None, ...] | None
    scores: tuple[int, ...] | None


def refuse_same_file(path: Path, output: Path) -> None:
    """Refuse to write over the list that is read."""
    with contextlib.suppress(OSError, ValueError):
        if path != STDIN and output.samefile(path) and output.is_file():
            usage(f"--output: {output} is the list itself, which is not written over; name another file")


def read_list(path: Path) -> Iterator[tuple[int, Callable[[Line], Line]]]:
    """Read a list of hands: all of the file at once, its lines as they are asked for.

    Parameters
    ----------
    path : Path
        ``-`` reads stdin.

    Returns
    -------
    The number of each line that is not empty, and a function that reads it, given what holds where it says nothing.
    That function raises BadParameter for a bad line.

    Raises
    ------
    Failure
        The file is not there, cannot be read, or is too large.
    """
    try:
        if path == STDIN:
            if sys.stdin is None:
                raise Failure(
                    "stdin is closed: there is no list to read; name a file, such as --from hands.txt"
                )
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Failure(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MOST_BYTES:
        raise Failure(f"{path} is larger than {MOST_BYTES // 1_000_000} MB: cut the list into several")
    return _lines(data)


def _lines(data: bytes) -> Iterator[tuple[int, Callable[[Line], Line]]]:
    """The lines that are not empty, with their numbers; a file of millions of them is never held as a list."""
    for number, line in enumerate(io.BytesIO(data.removeprefix(codecs.BOM_UTF8)), start=1):
        text = line.decode("utf-8", "replace").partition("#")[0].strip()
        if text:
            yield number, _reader(number, text)


def _reader(number: int, text: str) -> Callable[[Line], Line]:
    def read(defaults: Line) -> Line:
        fields = [field.strip() for field in text.split("|")]
        if len(fields) > FORM.count("|") + 1:
            raise typer.BadParameter(f"{len(fields)} fields are too many; write {FORM}")
        hand, seat, auction, scores, *_ = [*fields, "", "", ""]
        return Line(
            number,
            parse.cards(hand),
            _field("seat", _seat, seat) if seat else defaults.seat,
            _field("calls", parse.calls, auction) if auction else defaults.auction,
            _field("scores", parse.scores, scores) if scores else defaults.scores,
        )

    return read


def _field(name: str, read: Callable[[str], T], text: str) -> T:
    """Read a field; a refusal names it."""
    try:
        return read(text)
    except typer.BadParameter as error:
        raise typer.BadParameter(f"{name}: {error.message}") from None
