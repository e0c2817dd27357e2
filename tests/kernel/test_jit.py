"""The cache of compiled kernels: a folder for each kind of machine code, and none where nothing can be written."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schmier_sim.kernel import jit
from schmier_sim.kernel.keep import Folder

TOP = Path(__file__).resolve().parents[2]
SHOW_FOLDER = "from schmier_sim.kernel import jit; print(jit.cache_folder().path)"


def in_subprocess(code, top=TOP, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"PYTHONPATH": str(top)} | environment,
        cwd=top,
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
    """Name the cache folder anew each time, below a root of its own."""
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path / "root")
    return lambda: jit.cache_folder.__wrapped__().path


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


def test_kernels_stand_where_the_hash_sees_them():
    """One of another package would be served stale after an edit of what it calls."""
    makers = re.compile(
        r"kernel\.jit import .*\b(Entry|phase|inline)\b|kernel import .*\bjit\b|\b(import|from) numba\b"
    )
    sources = (
        path for path in jit.PACKAGE.rglob("*.py") if "kernel" not in path.relative_to(jit.PACKAGE).parts
    )
    assert [path for path in sources if makers.search(path.read_text())] == []
    assert makers.search((jit.PACKAGE / "kernel" / "chain.py").read_text())


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


def test_settings_of_the_environment_reach_the_folder(tmp_path):
    root = {"SCHMIER_CACHE_DIR": str(tmp_path / "cache")}
    plain, again, checked, generic = (
        in_subprocess(SHOW_FOLDER, **root, **settings)[0]
        for settings in ({}, {}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_CPU_NAME": "generic"})
    )
    assert plain == again
    assert len({plain, checked, generic}) == 3
    assert {Path(path).parent for path in (plain, checked, generic)} == {tmp_path / "cache"}
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("settings", "root"),
    [
        ({"SCHMIER_CACHE_DIR": "/a/b"}, "/a/b"),
        ({"SCHMIER_CACHE_DIR": "~/b", "HOME": "/h"}, "/h/b"),
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


def aged(path, seconds):
    """Make a folder look as if nobody had used it for so long."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_folders_unused_for_a_month_are_dropped_and_others_kept(folder, tmp_path):
    root = tmp_path / "root"
    old, young = root / ("a" * 16), root / ("b" * 16)
    for place in (old, young):
        place.mkdir(parents=True)
        (place / "kernel.code").touch()
        (place / "half.part").touch()
    aged(old, jit.STALE_SECONDS + 60)
    aged(young, jit.STALE_SECONDS - 60)
    folder()
    assert list(root.iterdir()) == [young]
    assert len(list(young.iterdir())) == 2


@pytest.mark.parametrize(
    "place", ["photos/x.code", "a" * 16 + "/letter.txt", "a" * 16 + "/below/x.code", "b" * 16, ".ssh/id"]
)
def test_nothing_of_other_people_is_dropped_where_they_share_the_folder(folder, tmp_path, place):
    """Somebody may name his home as the place for caches."""
    mine = tmp_path / "root" / place
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    for path in (mine.parent, mine):
        aged(path, 10 * jit.STALE_SECONDS)
    folder()
    assert mine.read_text() == "mine"


KERNEL = (
    "from tests.kernel.small_kernel import double\n"
    "print(double.is_ready, double(21), double.is_ready, sum(double.kernel.stats.cache_hits.values()))"
)
COMPILED, LOADED = ["False", "42", "True", "0"], ["True", "42", "True", "1"]


def copy_of_the_sources(place):
    shutil.copytree(TOP / "schmier_sim", place / "schmier_sim", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(TOP / "tests" / "kernel", place / "tests" / "kernel")
    return place


def test_kernels_are_kept_on_disk_for_the_same_compiler(tmp_path):
    root = {"SCHMIER_CACHE_DIR": str(tmp_path)}
    assert in_subprocess(KERNEL, **root) == COMPILED
    assert in_subprocess(KERNEL, **root) == LOADED
    assert in_subprocess(KERNEL, **root, NUMBA_OPT="1") == COMPILED


def test_what_sources_say_counts_and_not_where_and_when_they_were_written(tmp_path):
    """Files of a wheel may have the same time in each version."""
    copy = copy_of_the_sources(tmp_path / "copy")
    root = {"SCHMIER_CACHE_DIR": str(tmp_path / "cache")}
    assert in_subprocess(KERNEL, **root) == COMPILED
    assert in_subprocess(KERNEL, copy, **root) == LOADED
    kernel = copy / "tests" / "kernel" / "small_kernel.py"
    long_ago = time.time() - 1e6
    os.utime(kernel, (long_ago, long_ago))
    assert in_subprocess(KERNEL, copy, **root) == LOADED

    before = kernel.read_text()
    kernel.write_text(before.replace("2 * x", "3 * x"))
    os.utime(kernel, (long_ago, long_ago))
    assert len(before) == kernel.stat().st_size
    assert in_subprocess(KERNEL, copy, **root, PYTHONDONTWRITEBYTECODE="1", PYTHONPYCACHEPREFIX=str(tmp_path)) == [
        "False", "63", "True", "0"
    ]  # fmt: skip


def test_what_is_compiled_while_the_sources_are_replaced_is_not_kept(tmp_path):
    """An upgrade during a long run must not file the old version's machine code with the new one's."""
    copy = copy_of_the_sources(tmp_path / "copy")
    root = {"SCHMIER_CACHE_DIR": str(tmp_path / "cache")}
    replaced = (
        "from pathlib import Path\n"
        "from tests.kernel.small_kernel import double\n"
        "Path('schmier_sim/kernel/rng.py').open('a').write('# new\\n')\n"
        "print(double(21), double.is_ready)"
    )
    assert in_subprocess(replaced, copy, **root) == ["42", "True"]
    assert not (tmp_path / "cache").exists()
    assert in_subprocess(KERNEL, copy, **root) == COMPILED


def test_kernels_live_in_memory_where_no_folder_can_be_made(tmp_path):
    (tmp_path / "file").touch()
    root = {"SCHMIER_CACHE_DIR": str(tmp_path / "file" / "below")}
    assert in_subprocess(KERNEL, **root) == COMPILED
    assert in_subprocess(KERNEL, **root) == COMPILED
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_kernels_live_in_memory_where_the_disk_is_full(tmp_path):
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    root = {"SCHMIER_CACHE_DIR": str(tmp_path)}
    assert in_subprocess(full + KERNEL, **root) == COMPILED
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_without_a_home_kernels_live_in_memory(monkeypatch):
    for name in ("SCHMIER_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda _: (_ for _ in ()).throw(KeyError("nobody")))
    assert jit.cache_root() is None
    folder = jit.cache_folder.__wrapped__()
    folder.write("x.code", b"1")
    assert folder.read("x.code") is None
    assert "SCHMIER_CACHE_DIR" in folder.trouble


@pytest.mark.parametrize("length", [0, 10, 100])
def test_a_damaged_file_is_made_anew(tmp_path, length):
    root = {"SCHMIER_CACHE_DIR": str(tmp_path)}
    assert in_subprocess(KERNEL, **root) == COMPILED
    (path,) = tmp_path.rglob("*.code")
    path.write_bytes(path.read_bytes()[:length])
    assert in_subprocess(KERNEL, **root) == ["True", "42", "True", "0"]
    assert in_subprocess(KERNEL, **root) == LOADED


def test_a_file_that_the_compiler_cannot_read_is_made_anew(tmp_path):
    root = {"SCHMIER_CACHE_DIR": str(tmp_path)}
    assert in_subprocess(KERNEL, **root) == COMPILED
    (path,) = tmp_path.rglob("*.code")
    Folder(path.parent).write(path.name, b"from another compiler")
    assert in_subprocess(KERNEL, **root) == ["True", "42", "True", "0"]
    assert in_subprocess(KERNEL, **root) == LOADED


def test_a_folder_that_can_only_be_read_is_enough_where_all_is_there(tmp_path):
    root = {"SCHMIER_CACHE_DIR": str(tmp_path)}
    assert in_subprocess(KERNEL, **root) == COMPILED
    unwritable = (
        "import os\n"
        "def refuse(*_): raise PermissionError(13, 'Permission denied')\n"
        "from pathlib import Path\n"
        "Path.mkdir = Path.write_bytes = os.utime = refuse\n"
    )
    assert in_subprocess(unwritable + KERNEL, **root) == LOADED


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
