"""Machine code on disk: one file for a kernel and the types that it is called with, whole or not there at all.

The compiler's own cache has an index for each kernel: two processes at once can mix it up, a write that fails throws
away what was compiled, and damaged code is run.  Here a file's name says what is in it, it takes its place in one step,
and it begins with a sum over the rest: one that is cut short, overwritten or has a flipped bit is compiled anew.
Nothing that goes wrong with files keeps a kernel from running.
"""

import contextlib
import hashlib
import os
import pickle
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

VARIABLE = "SCHMIER_CACHE_DIR"
"""Environment variable that names the folder above those of all versions."""
SUFFIX, UNFINISHED = ".code", ".part"
#: Files that a process which was killed has left half written go after a day.
UNFINISHED_SECONDS = 24 * 3600
_SUM_BYTES = hashlib.sha256().digest_size


class Folder:
    """A folder of machine code: read if it is there, made when something is to be kept.

    Parameters
    ----------
    path : Path, optional
        None where there is no place for one.
    is_current : function
        Whether the sources on disk are still those that this process has imported: else what it compiles is not kept.
    """

    def __init__(self, path: Path | None, is_current: Callable[[], bool] = lambda: True) -> None:
        self.path = path
        self.is_current = is_current
        self.problem = "" if path else "there is no home folder"
        """Why nothing can be kept, as far as is known: found out by `probe` and by `write`."""
        self.told = False
        """Whether somebody has been told of the problem."""

    @property
    def trouble(self) -> str:
        """The problem, and what helps, in one line."""
        if self.path is None:
            return f"{self.problem}; {VARIABLE} names a folder to keep it in"
        return f"cannot write to {self.path.parent} ({self.problem}); {VARIABLE} names another folder"

    def read(self, name: str) -> bytes | None:
        """Read a file; None if it is not there or damaged."""
        if self.path is None:
            return None
        try:
            with open(self.path / name, "rb", opener=_open_at_once) as file:
                data = file.read()
        except OSError:
            return None
        with contextlib.suppress(OSError):
            os.utime(self.path)  # folders that are used stay young
        rest = memoryview(data)[_SUM_BYTES:]
        return bytes(rest) if hashlib.sha256(rest).digest() == data[:_SUM_BYTES] else None

    def write(self, name: str, data: bytes) -> None:
        """Write a file, if that can be done."""
        if self.path is not None and self.is_current():
            self._put(self.path, name, hashlib.sha256(data).digest() + data)

    def has(self, stem: str) -> bool:
        """Whether there is a file whose name begins with `stem`."""
        if self.path is None:
            return False
        try:
            with os.scandir(self.path) as entries:
                return any(one.name.startswith(stem) and one.name.endswith(SUFFIX) for one in entries)
        except OSError:
            return False

    def probe(self) -> str:
        """Find out whether files can be written; say why not, in a few words, or nothing."""
        if self.path is not None:
            self._put(self.path, "", b"\0" * 4096)
        return self.problem

    def drop_unfinished(self) -> None:
        """Remove what processes that were killed have left half written."""
        if self.path is None:
            return
        with contextlib.suppress(OSError):
            for part in self.path.glob(f"*{UNFINISHED}"):
                if time.time() - part.stat().st_mtime > UNFINISHED_SECONDS:
                    part.unlink()

    def drop_if_unused(self, seconds: float) -> None:
        """Remove the folder, if nobody has used it for so long, and if there is nothing in it but what is kept here."""
        if self.path is None:
            return
        with contextlib.suppress(OSError):
            files = list(self.path.iterdir())
            unused = time.time() - self.path.stat().st_mtime > seconds
            if unused and all(file.suffix in (SUFFIX, UNFINISHED) for file in files):
                for file in files:
                    file.unlink(missing_ok=True)
                self.path.rmdir()

    def _put(self, folder: Path, name: str, data: bytes) -> None:
        """Write a file that gets its name when all of it is there; without a name, write it and take it away again."""
        part = folder / f"{os.urandom(8).hex()}{UNFINISHED}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            if name:
                part.replace(folder / name)
        except OSError as error:
            self.problem = self.problem or error.strerror or str(error)
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


class Keeper:
    """What the compiler asks for a kernel's machine code before it compiles, and gives it to afterwards.

    Parameters
    ----------
    function : function
        A kernel of a module, not one that another function makes: its name must say what it is.
    folder : Folder
    """

    def __init__(self, function: Callable[..., Any], folder: Folder) -> None:
        if function.__closure__:
            raise TypeError(f"{function.__qualname__} is made by another function: it cannot be kept")
        self.folder = folder
        self.source = function.__code__.co_filename
        self.stem = f"{Path(self.source).stem}.{function.__qualname__}-{function.__code__.co_firstlineno}."

    @property
    def cache_path(self) -> Path | None:
        """Where files are."""
        return self.folder.path

    @property
    def is_kept(self) -> bool:
        """Whether there is machine code of the kernel, for some types at least."""
        return self.folder.has(f"{self.stem}{_file_hash(self.source)}.")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the machine code for the types `sig`; None if it is not there."""
        target_context.refresh()
        data = self.folder.read(self._name(sig))
        if data is None:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(data))  # type: ignore[no-untyped-call]
        except Exception:  # by a compiler that was patched without another version: whatever it may be
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, if it can be."""
        if data.lifted or data.library.has_dynamic_globals:
            told = f"{self.stem} holds addresses of this process: not kept"
            warnings.warn(told, NumbaWarning, stacklevel=2)
            return
        self.folder.write(self._name(sig), dumps(data._reduce()))  # type: ignore[no-untyped-call]

    def _name(self, sig: Any) -> str:
        types = hashlib.sha256(str(sig).encode()).hexdigest()[:16]
        return f"{self.stem}{_file_hash(self.source)}.{types}{SUFFIX}"


def _open_at_once(path: str, flags: int) -> int:
    """Open what is there without waiting for it to be written, should it be a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@cache
def _file_hash(path: str) -> str:
    """Hash of a kernel's own source file, for kernels that stand outside of the package: 16 hex digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
