"""Where results go: checked before the work begins, written wholly or not at all."""

import contextlib
import logging
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from schmier_sim.analysis.files import clear_away, lock_path
from schmier_sim.cli.console import Console, Failure, usage

STDOUT = Path("-")
#: Other names of stdout: what is redirected there is not replaced but written to.
STDOUT_NAMES = (STDOUT, Path("/dev/stdout"), Path("/dev/fd/1"), Path("/proc/self/fd/1"))
DESCRIPTORS = (Path("/dev"), Path("/dev/fd"), Path("/proc/self/fd"))


@contextlib.contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Turn errors of the library that people can understand into the one line that they get."""
    try:
        yield
    except errors as error:
        raise Failure(str(error)) from error


def refuse_stdout(path: Path, example: str) -> None:
    """Refuse ``-`` for what is written to files only."""
    if path == STDOUT:
        usage(f"--output: this is not written to stdout; name a place, such as -o {example}")


def refuse_input(path: Path, run_file: Path | None) -> None:
    """Refuse to write over the run file that is read, if any, or over another one: hours may be in it."""
    with contextlib.suppress(OSError, ValueError):
        if run_file is not None and path.samefile(run_file):
            usage(f"--output: {path} is the run file itself, which is not written over; name another")
        if path.is_file() and _is_parquet(path):
            usage(
                f"--output: {path} is a run file, which is not written over; name another, such as table.csv"
            )


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def check_file(path: Path) -> None:
    """Make sure that a file can be written at `path`, without touching what is there.

    Raises
    ------
    Failure
        The folder is not there or not writable, or something other than a file stands there.
    """
    try:
        if path.exists() and not path.is_file():
            raise Failure(f"cannot write {path}: it is not a regular file")
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from None


def check_texts(paths: Sequence[Path], run_file: Path | None) -> None:
    """Make sure that text can be written to all of some files, devices and pipes."""
    for path in paths:
        if path in STDOUT_NAMES:
            continue
        refuse_input(path, run_file)
        if not _is_stream(path):
            check_file(path)
        elif not os.access(path, os.W_OK):
            raise Failure(f"cannot write {path}: it is not open for writing")


def write_text(console: Console, path: Path, text: str) -> None:
    """Write text to a file, a device or a pipe, or to stdout if `path` is ``-``."""
    if path in STDOUT_NAMES:
        console.data(text)
        return
    from schmier_sim.present.files import PresentError, write_file

    if _is_stream(path):
        try:
            with path.open("wb", buffering=0) as stream:
                stream.write(text.encode())
        except OSError as error:
            raise Failure(f"cannot write {path}: {error.strerror or error}") from None
    else:
        with refusing(PresentError):
            write_file(path, text.encode())
    console.say(f"wrote {path}")


def _is_stream(path: Path) -> bool:
    """Whether text goes into what is there, rather than into a file that takes its place."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode) or (stat.S_ISREG(mode) and path.parent in DESCRIPTORS)


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other processes from writing a run to `path` meanwhile.

    A lock file stands beside it.  The lock is the kernel's: it ends with the process, and a file that was left behind
    is in nobody's way.  What a process that was killed left half written is removed.

    Raises
    ------
    Failure
        Another process has the lock.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    try:
        target = path.resolve()
    except RuntimeError:
        raise Failure(f"cannot write {path}: it is a symbolic link that leads to itself") from None
    name = lock_path(target)
    held = None
    while held is None:
        try:
            # Whatever else may stand there is not followed, and not waited for.
            number = os.open(name, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        except OSError as error:
            raise Failure(f"cannot write {path}: {error.strerror or error}") from None
        if not stat.S_ISREG(os.fstat(number).st_mode):
            os.close(number)
            raise Failure(f"cannot write {path}: {name} is no file")
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(number)
            raise Failure(
                f"{path} is being written by another process: wait for its end, or name another -o"
            ) from None
        except OSError:
            pass  # a file system without locks
        if _is_at(number, name):
            held = number
        else:
            os.close(number)  # its last holder took it away meanwhile
    try:
        clear_away(target)
        yield
    finally:
        with contextlib.suppress(OSError):
            name.unlink()
        os.close(held)


def _is_at(number: int, name: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), name.stat())
    except OSError:
        return False


@contextlib.contextmanager
def folder_for(path: Path) -> Iterator[None]:
    """Take away again the folders that were made for files, if none could be written."""
    new = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        yield
    except BaseException:
        for folder in new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def draw_into_files() -> None:
    """Draw with Matplotlib's own means, whatever windows its settings would open.

    It would like a folder for its fonts below the user's home, and says at length where there is none; it does without.
    """
    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
