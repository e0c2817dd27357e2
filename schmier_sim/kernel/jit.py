"""The one place that compiles: decorators for kernels and their cache on disk.

numba stamps a cached kernel with its own file only: after an edit in another module of the package, or under other
switches, it would serve stale machine code.  So the cache folder's name carries a hash of everything that a kernel is
made from: the sources of ``game`` and ``kernel``, the tables in ``data``, the compiler's version, its switches and the
target processor.  An upgrade starts a new folder; folders that were not used for a month are removed.

``Entry``  : compiled and cached; called from Python, releases the GIL.  No reference counting inside: an entry is given
             the arrays that it fills.
``phase``  : a loop over a block of deals, called by an entry. Cached too: another entry that calls it compiles in half
             the time.
``inline`` : a helper that is forced into its caller.  Helpers take and return plain scalars.
"""

import contextlib
import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
from numba import config as _config
from numba import njit
from numba.core.registry import cpu_target

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
# No exceptions for divisions, and no reference counting: kernels fill the arrays that they are given.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
#: AMD families that have BMI2 but spend tens of cycles on ``pdep``.
SLOW_PDEP = ("bdver4", "znver1", "znver2")
STALE_SECONDS = 30 * 24 * 3600
# numba names its settings at run time only.
config: Any = _config
#: True when numba is told to leave Python as it is (``NUMBA_DISABLE_JIT=1``).
DISABLED = bool(config.DISABLE_JIT)
NOT_COMPILED = ("club-equity",)
"""Data that kernels are given, and that do not become a part of them: other tables need no other machine code."""


@cache
def source_hash(*besides: str) -> str:
    """Hash of what decides what a deal looks like (sources of ``game`` and ``kernel``, ``data``): 16 hex digits.

    Files whose names begin with one of `besides` are left out.
    """
    digest = hashlib.sha256()
    for room, pattern in (("game", "*.py"), ("kernel", "*.py"), ("data", "*.*")):
        for path in sorted((PACKAGE / room).rglob(pattern)):
            if path.name.startswith(besides):
                continue
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _processor() -> tuple[str, str]:
    """Name and features of the processor that kernels are compiled for (``NUMBA_CPU_NAME`` may name another)."""
    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    return name, features


def has_fast_pdep() -> bool:
    """True if the target deposits bits in one quick instruction (BMI2, but not where it runs as microcode)."""
    name, features = _processor()
    return "+bmi2" in features.split(",") and name not in SLOW_PDEP


def _target() -> str:
    switches = (config.BOUNDSCHECK, config.OPT, config.LOOP_VECTORIZE, config.SLP_VECTORIZE)
    return f"{numba.__version__} {llvmlite.__version__} {sys.version_info[:2]} {_processor()} {switches}"


def cache_root() -> Path | None:
    """The folder that holds all kernel caches: ``SCHMIER_CACHE_DIR``, else below the user's cache folder, if any."""
    if own := os.environ.get("SCHMIER_CACHE_DIR"):
        return Path(own)
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    except RuntimeError:  # there is no home
        return None
    return base / "schmier-sim" / "kernels"


@cache
def cache_folder() -> Path | None:
    """Cache folder of this version, made if need be; None where nothing can be written (kernels stay in memory)."""
    key = hashlib.sha256(f"{source_hash(*NOT_COMPILED)} {_target()}".encode()).hexdigest()[:16]
    root = cache_root()
    if root is None:
        return None
    folder = root / key
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    _drop_stale(folder)
    return folder


def _drop_stale(current: Path) -> None:
    with contextlib.suppress(OSError):
        for folder in current.parent.iterdir():
            if folder != current and folder.is_dir() and time.time() - folder.stat().st_mtime > STALE_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _cache_in(folder: Path | None) -> Iterator[None]:
    before = config.CACHE_DIR
    config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


class Entry:
    """A kernel that is called from Python.

    Its first call loads the machine code from disk, or compiles and keeps it there. Where the cache is damaged or its
    disk is full, the code is compiled in memory and the cache is dropped: the next start makes a new one.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.called = False
        self.folder = None if DISABLED else cache_folder()
        with _cache_in(self.folder):
            self.kernel = njit(nogil=True, cache=self.folder is not None, **_OPTIONS)(function)

    def __call__(self, *args: Any) -> Any:
        """Call the kernel."""
        return self.kernel(*args) if self.called else self._first_call(*args)

    def _first_call(self, *args: Any) -> Any:
        try:
            result = self.kernel(*args)
        except Exception:
            # Kernels raise nothing, so this is the cache, or a mistake that compiling again brings to light.
            if self.folder is None:
                raise
            shutil.rmtree(self.folder, ignore_errors=True)
            self.kernel = njit(nogil=True, **_OPTIONS)(self.function)
            result = self.kernel(*args)
        else:
            if self.folder is not None:
                with contextlib.suppress(OSError):
                    self._mark.touch()
        self.called = True
        return result

    @property
    def _mark(self) -> Path:
        """A file that is there once the machine code is. The compiler keeps it for one path and time of the source."""
        assert self.folder is not None
        source = Path(self.function.__code__.co_filename)
        state = source.stat()
        name = f"{self.function.__name__} {source} {state.st_mtime_ns} {state.st_size}"
        return self.folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.ready"

    @property
    def is_ready(self) -> bool:
        """Whether the first call will be quick: the machine code is in memory or on disk."""
        return DISABLED or self.called or (self.folder is not None and self._mark.exists())


def inline(function: F) -> F:
    """Compile into the caller (``forceinline``: as fast as numba's own inlining, and compiles three times faster)."""
    return cast(F, njit(forceinline=True, **_OPTIONS)(function))


def phase(function: F) -> F:
    """Compile once as a function of its own, cached, called by an entry; it may take the entry's arrays."""
    folder = None if DISABLED else cache_folder()
    with _cache_in(folder):
        return cast(F, njit(cache=folder is not None, **_OPTIONS)(function))
