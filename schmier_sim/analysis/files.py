"""Writing a file wholly or not at all."""

import contextlib
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
    temporary = path.with_name(f".schmier-{os.getpid()}-{secrets.token_hex(4)}.tmp")
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
