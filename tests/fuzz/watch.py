"""Looks over the program's shoulder: what it opens for writing, starts, or calls up, whatever it says of it."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

#: What nothing that is read may lead to.
NEVER = (
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"),
    *("socket.connect", "socket.getaddrinfo", "urllib.Request"),
)
#: Events that change files, and how many of their arguments are paths.
CHANGES = dict.fromkeys(("os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod"), 1)
CHANGES |= dict.fromkeys(("os.rename", "os.link", "os.symlink"), 2)
DEVICES = ("/dev/null", "/dev/full")

_folders: list[str] = []
_seen: list[str] = []


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if not _folders:
        return
    if event in NEVER:
        _seen.append(f"{event} {arguments!r}"[:300])
    elif event == "open":
        path, mode, flags = arguments
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        if writes or (isinstance(mode, str) and set(mode) & set("wax+")):
            _note_path(event, path)
    elif event in CHANGES:
        for path in arguments[: CHANGES[event]]:
            _note_path(event, path)


def _note_path(event: str, path: object) -> None:
    if not isinstance(path, str | bytes | os.PathLike):
        return
    where = os.path.realpath(os.fsdecode(path))
    if where in DEVICES or where.endswith(".pyc") or "__pycache__" in where:
        return
    if not any(where == folder or where.startswith(folder + os.sep) for folder in _folders):
        _seen.append(f"{event} {where}"[:300])


sys.addaudithook(_note)


@contextlib.contextmanager
def watched(*folders: Path) -> Iterator[None]:
    """Fail if anything is written outside some folders, or a process or a connection is begun."""
    _seen.clear()
    _folders.extend(os.path.realpath(folder) for folder in folders)
    try:
        yield
    finally:
        _folders.clear()
    assert not _seen, tuple(_seen)
