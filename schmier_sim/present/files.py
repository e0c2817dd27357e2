"""Files of tables and pictures, with errors for people."""

from pathlib import Path

from schmier_sim.analysis.files import write_whole


class PresentError(ValueError):
    """Something cannot be shown or written; the message is one line for people."""


def write_file(path: Path, data: bytes) -> None:
    """Write `data` to `path`, all of it or nothing.

    Raises
    ------
    PresentError
        If the folder is not there or not writable, or the disk is full.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise PresentError(f"cannot write {path}: {error.strerror or error}") from error


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
