"""The cache of compiled kernels: a folder for each kind of machine code, and none where nothing can be written."""

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schmier_sim.kernel import jit
from tests.kernel import small_kernel

TOP = Path(__file__).resolve().parents[2]
SHOW_FOLDER = "from schmier_sim.kernel import jit; print(jit.cache_folder())"


def in_subprocess(code, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"PYTHONPATH": str(TOP)} | environment,
        cwd=TOP,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A package of a few files, in the place of the real one."""
    for name in ("game/cards.py", "kernel/rng.py", "kernel/bots/simple_bot.py", "analysis/tally.py"):
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path / "package")
    return tmp_path / "package"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make the cache folder anew each time, below a root of its own."""
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path / "root")
    return jit.cache_folder.__wrapped__


@pytest.fixture
def started(folder, monkeypatch):
    """Make a kernel as a process does that starts: it knows nothing but what is on disk."""
    monkeypatch.setattr(jit, "cache_folder", folder)
    return lambda module=small_kernel: jit.Entry(module.double.function)


@pytest.mark.parametrize("name", ["game/cards.py", "kernel/rng.py", "kernel/bots/simple_bot.py"])
def test_the_hash_changes_with_every_source_that_deals_depend_on(sources, name):
    before = jit.source_hash.__wrapped__()
    assert jit.source_hash.__wrapped__() == before
    (sources / name).write_text("another\n")
    edited = jit.source_hash.__wrapped__()
    (sources / name).rename(sources / name.replace(".py", "_new.py"))
    assert len({before, edited, jit.source_hash.__wrapped__()}) == 3


def test_the_hash_does_not_change_with_other_sources(sources):
    before = jit.source_hash.__wrapped__()
    (sources / "analysis" / "tally.py").write_text("another\n")
    (sources / "kernel" / "notes.txt").write_text("no source\n")
    assert jit.source_hash.__wrapped__() == before
    assert len(before) == 16
    int(before, 16)


def test_another_source_has_another_folder(folder, monkeypatch):
    before = folder()
    monkeypatch.setattr(jit, "source_hash", lambda *_besides: "0" * 16)
    assert folder() != before


def test_data_that_no_kernel_holds_leaves_the_folder_as_it_is(monkeypatch, tmp_path):
    """Another equity table is another source of deals, but no other machine code."""
    for room in ("game", "kernel", "data"):
        (tmp_path / room).mkdir()
    (tmp_path / "kernel" / "k.py").write_text("1")
    (tmp_path / "data" / "club-equity.npz").write_text("1")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    hashes = []
    for text in ("1", "2"):
        (tmp_path / "data" / "club-equity.npz").write_text(text)
        hashes.append((jit.source_hash.__wrapped__(), jit.source_hash.__wrapped__(*jit.NOT_COMPILED)))
    assert hashes[0][0] != hashes[1][0]
    assert hashes[0][1] == hashes[1][1]


@pytest.mark.parametrize("switch", ["BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE"])
def test_another_switch_of_the_compiler_has_another_folder(folder, monkeypatch, switch):
    before = folder()
    monkeypatch.setattr(jit.config, switch, 17)
    assert folder() != before


@pytest.mark.parametrize("processor", [("haswell", "+avx2,+bmi2"), ("znver3", "+avx2")])
def test_another_processor_has_another_folder(folder, monkeypatch, processor):
    before = folder()
    monkeypatch.setattr(jit, "_processor", lambda: processor)
    assert folder() != before
    assert folder().parent == before.parent


def test_settings_of_the_environment_reach_the_folder(tmp_path, folder):
    root = {"SCHMIER_CACHE_DIR": str(tmp_path / "root")}
    plain = str(folder())
    again, checked, generic = (
        in_subprocess(SHOW_FOLDER, **root, **settings)[0]
        for settings in ({}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_CPU_NAME": "generic"})
    )
    assert plain == again
    assert len({plain, checked, generic}) == 3
    assert {str(path) for path in (tmp_path / "root").iterdir()} == {plain, checked, generic}


@pytest.mark.parametrize(
    ("settings", "root"),
    [
        ({"SCHMIER_CACHE_DIR": "/a/b"}, "/a/b"),
        ({"XDG_CACHE_HOME": "/x"}, "/x/schmier-sim/kernels"),
        ({"HOME": "/home/somebody"}, "/home/somebody/.cache/schmier-sim/kernels"),
        ({"SCHMIER_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/schmier-sim/kernels"),
        ({"XDG_CACHE_HOME": "~/x", "HOME": "/h"}, "/h/x/schmier-sim/kernels"),
    ],
)
def test_the_root_is_the_users_cache_folder_or_what_he_names(monkeypatch, settings, root):
    for name in ("SCHMIER_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert jit.cache_root() == Path(root)


def test_folders_unused_for_a_month_are_dropped_and_others_kept(folder, tmp_path):
    root = tmp_path / "root"
    old, young = root / "old", root / "young"
    for place in (old / "inner", young):
        place.mkdir(parents=True)
        (place / "kernel.nbc").touch()
    (root / "note").touch()
    long_ago = time.time() - jit.STALE_SECONDS - 60
    for place in (old, root / "note"):
        os.utime(place, (long_ago, long_ago))
    os.utime(young, (long_ago + 120, long_ago + 120))

    current = folder()
    assert sorted(path.name for path in root.iterdir()) == sorted([current.name, "note", "young"])
    assert list(current.iterdir()) == []


def test_a_folder_in_use_stays_young(folder):
    long_ago = time.time() - 2 * jit.STALE_SECONDS
    os.utime(folder(), (long_ago, long_ago))
    assert time.time() - folder().stat().st_mtime < 60


def test_kernels_are_kept_on_disk(tmp_path):
    code = (
        "from tests.kernel.small_kernel import double\n"
        "print(double.is_ready, double(21), double.is_ready, sum(double.kernel.stats.cache_hits.values()))"
    )
    root = {"SCHMIER_CACHE_DIR": str(tmp_path)}
    assert in_subprocess(code, **root) == ["False", "42", "True", "0"]
    assert in_subprocess(code, **root) == ["True", "42", "True", "1"]
    assert in_subprocess(code, **root, NUMBA_OPT="1") == ["False", "42", "True", "0"]


def test_kernels_live_in_memory_where_no_folder_can_be_made(tmp_path, started, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path / "file" / "below")
    assert jit.cache_folder() is None
    double = started()
    assert (double.is_ready, double(21), double.is_ready) == (False, 42, True)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_without_a_home_kernels_live_in_memory(monkeypatch):
    for name in ("SCHMIER_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda _: (_ for _ in ()).throw(KeyError("nobody")))
    assert jit.cache_root() is None
    assert jit.cache_folder.__wrapped__() is None


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("length", [0, 100])
def test_a_damaged_cache_is_dropped_and_made_anew(tmp_path, started, ending, length):
    def first_call():
        double = started()
        return double.is_ready, double(21), double.is_ready

    assert first_call() == (False, 42, True)
    damaged = list(tmp_path.rglob(f"*.{ending}"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:length])
    assert first_call() == (True, 42, True)
    assert first_call() == (False, 42, True)
    assert first_call() == (True, 42, True)


def test_the_same_cache_does_not_vouch_for_another_copy_of_the_sources(tmp_path, started):
    copy = tmp_path / "copy" / "small_kernel.py"
    copy.parent.mkdir()
    shutil.copy(small_kernel.__file__, copy)
    spec = importlib.util.spec_from_file_location(small_kernel.__name__, copy)
    other = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(other)
    for module in (small_kernel, other):
        for ready in (False, True):
            double = started(module)
            assert (double.is_ready, double(21)) == (ready, 42)


def test_without_the_compiler_kernels_are_plain_functions():
    code = (
        "from schmier_sim.kernel import jit\n"
        "from tests.kernel.small_kernel import double\n"
        "print(jit.DISABLED, type(double.kernel).__name__, double(21), double.is_ready)"
    )
    assert in_subprocess(code, NUMBA_DISABLE_JIT="1") == ["True", "function", "42", "True"]


@pytest.mark.parametrize(
    ("processor", "fast"),
    [
        (("icelake-server", "+avx512f,+bmi,+bmi2"), True),
        (("znver3", "+bmi2,+avx2"), True),
        (("znver2", "+bmi2,+avx2"), False),
        (("generic", ""), False),
        (("apple-m1", "+neon"), False),
        (("other", "-bmi2,+bmi"), False),
    ],
)
def test_bits_are_deposited_by_the_processor_only_where_that_is_fast(monkeypatch, processor, fast):
    monkeypatch.setattr(jit, "_processor", lambda: processor)
    assert jit.has_fast_pdep() is fast
