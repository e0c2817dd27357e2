"""The standard streams: what is closed, what cannot be written, and what their encoding has no characters for."""

import codecs
import contextlib
import io
import os
import sys
import unicodedata
from typing import TextIO

#: Plain counterparts of what tables, deals and messages are written with.
PLAIN = {
    "±": "+/-", "−": "-", "–": "-", "—": "-", "…": "...", "·": "|", "×": "x", "≥": ">=", "≤": "<=", "→": "->",
    "♠": "S", "♥": "H", "♣": "C", "♦": "D", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'",
}  # fmt: skip
ERRORS = "schmier-sim-plain"


def _to_plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write a character that a stream has no code for; bytes of file names that are no text are written as they are."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    after = error.start + 1
    if "\udc80" <= letter <= "\udcff":
        return bytes([ord(letter) - 0xDC00]), after
    if unicodedata.combining(letter):
        return "", after
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return PLAIN.get(letter) or bare or "?", after


def prepare() -> bool:
    """Make the standard streams of this process safe to use.

    Closed ones get the null device, lest a file that is opened later take their place; characters that an encoding does
    not have are replaced.

    Returns
    -------
    bool
        Whether stdout can be written.
    """
    writable = sys.stdout is not None and _is_writable(1)
    for number, mode in ((0, os.O_RDONLY), (2, os.O_WRONLY)):
        _open_if_closed(number, mode)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 (for good)
    codecs.register_error(ERRORS, _to_plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ERRORS)
    return writable


def _is_writable(number: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return True
    try:
        return fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
    except OSError:
        return False


def _open_if_closed(number: int, mode: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, mode)
        if nowhere != number:
            os.dup2(nowhere, number)
            os.close(nowhere)


def drop(stream: TextIO) -> None:
    """Send what is still buffered for a stream nowhere, so that the last flush finds nothing to fail at."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)
