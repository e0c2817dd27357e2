"""The one place that compiles: decorators for kernels and their cache on disk.

numba stamps a cached kernel with its own file only: after an edit in another module of the package, or under other
switches, it would serve stale machine code.  So the cache folder's name carries a hash of everything that a kernel is
made from: the sources of ``game`` and ``kernel``, the tables in ``data``, the compiler's version, its switches and the
target processor.  Times and places of files do not count.  An upgrade starts a new folder; folders that were not used
for a month are removed.  `keep` says how files are written and read.

``Entry``  : compiled and kept; called from Python, releases the GIL.  No reference counting inside: an entry is given
             the arrays that it fills.
``phase``  : a loop over a block of deals, called by an entry. Kept too: another entry that calls it compiles in half
             the time.
``inline`` : a helper that is forced into its caller.  Helpers take and return plain scalars.
"""

import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba import config as _config
from numba import njit
from numba.core.registry import cpu_target

from schmier_sim.kernel.keep import VARIABLE, Folder, Keeper

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
# No exceptions for divisions, and no reference counting: kernels fill the arrays that they are given.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
#: AMD families that have BMI2 but spend tens of cycles on ``pdep``.
SLOW_PDEP = ("bdver4", "znver1", "znver2")
STALE_SECONDS = 30 * 24 * 3600
OUR_FOLDER = re.compile("[0-9a-f]{16}")
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
    numpy_version = np.__version__.split(".")[:2]  # what the compiler makes of NumPy's functions
    versions = f"{numba.__version__} {llvmlite.__version__} {sys.version_info[:2]} {numpy_version}"
    return f"{versions} {_processor()} {switches}"


def cache_root() -> Path | None:
    """The folder that holds all kernel caches: ``SCHMIER_CACHE_DIR``, else below the user's cache folder, if any."""
    try:
        if own := os.environ.get(VARIABLE):
            return Path(own).expanduser()
        return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "schmier-sim" / "kernels"
    except RuntimeError:  # there is no home
        return None


@cache
def cache_folder() -> Folder:
    """The folder for machine code of this version; others that nobody has used for long are removed."""
    key = hashlib.sha256(f"{source_hash(*NOT_COMPILED)} {_target()}".encode()).hexdigest()[:16]
    root = cache_root()
    if root is not None:
        _drop_stale(root / key)
    folder = Folder(root and root / key, _is_current)
    folder.drop_unfinished()
    return folder


def _is_current() -> bool:
    """Whether the sources on disk are those that were there when the first kernel was imported.

    An upgrade meanwhile must not file the machine code of one version with another's.
    """
    try:
        return source_hash.__wrapped__(*NOT_COMPILED) == source_hash(*NOT_COMPILED)
    except OSError:
        return False


def _drop_stale(current: Path) -> None:
    """Remove folders of other versions that nobody has used for long, and nothing else that may be beside them."""
    with contextlib.suppress(OSError):
        for path in current.parent.iterdir():
            if path != current and OUR_FOLDER.fullmatch(path.name):
                Folder(path).drop_if_unused(STALE_SECONDS)


class Entry:
    """A kernel that is called from Python: its first call loads the machine code, or compiles and keeps it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.kernel, self._keeper = _compiled(function, nogil=True)

    def __call__(self, *args: Any) -> Any:
        """Call the kernel."""
        return self.kernel(*args)

    @property
    def is_ready(self) -> bool:
        """Whether the first call will be quick: the machine code is in memory or on disk."""
        return self._keeper is None or bool(self.kernel.overloads) or self._keeper.is_kept


def inline(function: F) -> F:
    """Compile into the caller (``forceinline``: as fast as numba's own inlining, and compiles three times faster)."""
    return cast(F, njit(forceinline=True, **_OPTIONS)(function))


def phase(function: F) -> F:
    """Compile once as a function of its own, kept, called by an entry; it may take the entry's arrays."""
    return cast(F, _compiled(function)[0])


def _compiled(function: Callable[..., Any], **options: Any) -> tuple[Any, Keeper | None]:
    kernel = njit(**options, **_OPTIONS)(function)
    if DISABLED:
        return kernel, None
    keeper = Keeper(function, cache_folder())
    kernel._cache = keeper
    return kernel, keeper
