"""Files of machine code: read whole or not at all, and no trouble with them is anybody's trouble."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.kernel import keep
from schmier_sim.kernel.keep import Folder, Keeper

TOP = Path(__file__).resolve().parents[2]
NAME = "kernel.code"
DATA = bytes(range(256)) * 8


def names(path):
    return sorted(file.name for file in path.iterdir())


def test_what_is_written_is_read(tmp_path):
    folder = Folder(tmp_path / "a" / "b")
    assert folder.read(NAME) is None
    assert not folder.has("kern")
    folder.write(NAME, DATA)
    assert folder.read(NAME) == DATA
    assert folder.has("kern")
    assert not folder.has("other")
    assert folder.read("other.code") is None
    assert folder.problem == ""
    assert names(tmp_path / "a" / "b") == [NAME]


@given(bit=st.integers(0, 8 * (len(DATA) + 32) - 1))
def test_a_flipped_bit_is_seen(tmp_path_factory, bit):
    folder = Folder(tmp_path_factory.mktemp("bit"))
    folder.write(NAME, DATA)
    path = folder.path / NAME
    flipped = bytearray(path.read_bytes())
    flipped[bit // 8] ^= 1 << bit % 8
    path.write_bytes(flipped)
    assert folder.read(NAME) is None


@given(length=st.integers(0, len(DATA) + 31))
def test_a_file_that_is_cut_short_is_seen(tmp_path_factory, length):
    folder = Folder(tmp_path_factory.mktemp("cut"))
    folder.write(NAME, DATA)
    path = folder.path / NAME
    path.write_bytes(path.read_bytes()[:length])
    assert folder.read(NAME) is None


def test_where_no_folder_can_be_made_the_problem_is_told(tmp_path):
    (tmp_path / "file").touch()
    for act in (lambda one: one.write(NAME, DATA), lambda one: one.probe()):
        folder = Folder(tmp_path / "file" / "root" / "folder")
        act(folder)
        assert folder.read(NAME) is None
        assert folder.problem == "Not a directory"
        assert folder.trouble == (
            f"cannot write to {tmp_path / 'file' / 'root'} (Not a directory); SCHMIER_CACHE_DIR names another folder"
        )


def test_a_probe_leaves_nothing_behind(tmp_path):
    folder = Folder(tmp_path / "new")
    assert folder.probe() == ""
    assert names(tmp_path / "new") == []


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    folder = Folder(tmp_path)
    folder.write(NAME, DATA)

    def half(path, data):
        with path.open("wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    folder.write(NAME, b"new")
    assert folder.read(NAME) == DATA
    assert folder.problem == "No space left on device"
    assert names(tmp_path) == [NAME]


def test_a_folder_in_use_stays_young(tmp_path):
    folder = Folder(tmp_path)
    folder.write(NAME, DATA)
    os.utime(tmp_path, (1, 1))
    folder.read(NAME)
    assert time.time() - tmp_path.stat().st_mtime < 60


def test_what_killed_processes_left_half_written_goes_after_a_day(tmp_path):
    old, young = tmp_path / f"a{keep.UNFINISHED}", tmp_path / f"b{keep.UNFINISHED}"
    for path in (old, young):
        path.touch()
    long_ago = time.time() - keep.UNFINISHED_SECONDS - 60
    os.utime(old, (long_ago, long_ago))
    Folder(tmp_path).drop_unfinished()
    assert names(tmp_path) == [young.name]


WRITING = """
import sys
from pathlib import Path
from schmier_sim.kernel.keep import Folder
folder, letter = Folder(Path(sys.argv[1])), sys.argv[2].encode()
print("ready", flush=True)
for number in range(1_000_000):
    folder.write(f"kernel{number % 3}.code", letter * 3_000_000)
"""


def test_processes_that_write_at_once_and_are_killed_leave_whole_files(tmp_path):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITING, tmp_path, letter], cwd=TOP, stdout=subprocess.PIPE, text=True
        )
        for letter in "ab"
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    wanted = {f"kernel{number}.code" for number in range(3)}
    folder = Folder(tmp_path)
    deadline = time.monotonic() + 60
    while not wanted <= set(names(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.01)
    for writer in writers:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
    for name in wanted:
        assert folder.read(name) in (b"a" * 3_000_000, b"b" * 3_000_000)


def test_functions_that_hold_more_than_their_source_says_are_refused(tmp_path):
    def maker(n):
        return lambda x: n * x

    with pytest.raises(TypeError, match="cannot be kept"):
        Keeper(maker(3), Folder(tmp_path))
