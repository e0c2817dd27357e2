"""Writing a file wholly or not at all."""

import contextlib
import hashlib
import os
import secrets
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path` by way of a temporary file in the same folder, so that nothing half written is ever seen.

    Raises
    ------
    OSError
        What the system says. A file that was there before is then untouched, and the temporary one is gone.
    """
    temporary = path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        # Gone once it has replaced the target, still there after an error or an interrupt.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # some systems cannot flush a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def clear_away(path: Path) -> None:
    """Remove what writers of `path` left behind that were killed; nobody else must be writing it."""
    with contextlib.suppress(OSError):
        for left in path.parent.glob(f"{_prefix(path)}*.tmp"):
            left.unlink(missing_ok=True)


def lock_path(path: Path) -> Path:
    """The file that whoever writes `path` locks."""
    return path.with_name(f"{_prefix(path)}lock")


def _prefix(path: Path) -> str:
    """How the files of a target's writers begin: not with its name, which may be as long as names can be."""
    return f".schmier-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}-"
