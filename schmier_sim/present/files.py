"""Write a file wholly or not at all."""

import os
from contextlib import suppress
from pathlib import Path


class PresentError(ValueError):
    """Something cannot be shown or written; the message is one line for people."""


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` by way of a temporary file in the same folder, so that nothing half written is seen.

    Raises
    ------
    PresentError
        If the folder is not there or not writable, or the disk is full.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise PresentError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # already renamed, or never made
            temporary.unlink()


def make_folder(path: Path) -> None:
    """Make a folder and its parents if they are not there.

    Raises
    ------
    PresentError
        If it cannot be made, or a file stands in its place.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PresentError(f"cannot make the folder {path}: {error.strerror or error}") from error
