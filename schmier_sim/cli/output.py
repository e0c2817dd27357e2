"""Where results go: checked before the work begins, written wholly or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import typer

from schmier_sim.cli.console import Console, Failure

STDOUT = Path("-")


@contextlib.contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Turn errors of the library that people can understand into the one line that they get."""
    try:
        yield
    except errors as error:
        raise Failure(str(error)) from error


def check_file(path: Path) -> None:
    """Make sure that a file can be written at `path`, without touching what is there.

    Raises
    ------
    Failure
        The folder is not there or not writable, or something other than a file stands there.
    """
    if path.exists() and not path.is_file():
        raise Failure(f"cannot write {path}: it is not a regular file")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from None


def write_text(console: Console, path: Path, text: str) -> None:
    """Write text to a file, or to stdout if `path` is ``-``."""
    if path == STDOUT:
        console.data(text)
        return
    from schmier_sim.present.files import PresentError, write_file

    check_file(path)
    with refusing(PresentError):
        write_file(path, text.encode())
    console.say(f"wrote {path}")


def drop_stdout() -> None:
    """Send what is still buffered for stdout nowhere, so that the interpreter's last flush finds nothing to fail at."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, typer.get_text_stream("stdout").fileno())
        os.close(nowhere)
