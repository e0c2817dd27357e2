"""What is installed: a wheel with all that the program reads and nothing else, and sources that make the same wheel."""

import contextlib
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import hatchling.build
import pytest

from schmier_sim import __version__
from schmier_sim.cli import completion

TOP = Path(__file__).parents[2]
NAME = f"schmier_sim-{__version__}"
SHARE = f"{NAME}.data/data/share"
MOST_BYTES = 6_000_000


def files_of_git(*options: str) -> set[str]:
    done = subprocess.run(["git", "ls-files", *options], cwd=TOP, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("these sources are no clone")
    return {name for name in done.stdout.splitlines() if (TOP / name).exists()}


def built(kind: str, sources: Path, folder: Path) -> Path:
    with contextlib.chdir(sources):
        return folder / getattr(hatchling.build, f"build_{kind}")(str(folder))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("wheel", TOP, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("sdist", TOP, tmp_path_factory.mktemp("sdist"))


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_the_package_as_git_knows_it(wheel: Path) -> None:
    held = {name: data for name, data in contents(wheel).items() if name.startswith("schmier_sim/")}
    known = {name for name in files_of_git() if name.startswith("schmier_sim/")}
    assert known <= set(held)
    assert set(held) <= files_of_git("--cached", "--others", "--exclude-standard")
    assert all(data == (TOP / name).read_bytes() for name, data in held.items())
    assert "schmier_sim/py.typed" in held


def test_the_wheel_holds_nothing_else(wheel: Path) -> None:
    others = {name for name in contents(wheel) if not name.startswith("schmier_sim/")}
    assert others == {
        f"{NAME}.dist-info/{name}"
        for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    } | {
        f"{SHARE}/man/man1/schmier-sim.1",
        f"{SHARE}/bash-completion/completions/schmier-sim",
        f"{SHARE}/zsh/site-functions/_schmier-sim",
        f"{SHARE}/fish/vendor_completions.d/schmier-sim.fish",
    }
    assert wheel.stat().st_size < MOST_BYTES


def test_shells_and_man_find_what_the_program_writes(wheel: Path) -> None:
    held = contents(wheel)
    assert held[f"{SHARE}/man/man1/schmier-sim.1"] == (TOP / "docs" / "schmier-sim.1").read_bytes()
    for shell, place in (
        ("bash", "bash-completion/completions/schmier-sim"),
        ("zsh", "zsh/site-functions/_schmier-sim"),
        ("fish", "fish/vendor_completions.d/schmier-sim.fish"),
    ):
        assert held[f"{SHARE}/{place}"].decode() == completion.script(shell)


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    held = contents(wheel)
    assert wheel.name == f"{NAME}-py3-none-any.whl"
    about = held[f"{NAME}.dist-info/METADATA"].decode()
    for line in (f"Version: {__version__}", "Requires-Python: >=3.11", "License-Expression: MIT"):
        assert f"\n{line}\n" in about
    assert b"schmier-sim = schmier_sim.cli:main" in held[f"{NAME}.dist-info/entry_points.txt"]


def test_the_sources_hold_all_that_they_are_built_and_tested_with(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {member.name.removeprefix(f"{NAME}/"): member.mode for member in archive if member.isfile()}
    wanted = {name for name in files_of_git() if not name.startswith("reports/")}
    assert wanted <= set(held)
    assert set(held) <= files_of_git("--cached", "--others", "--exclude-standard") | {"PKG-INFO"}
    assert not any(name.startswith("reports/") for name in held)
    assert all(
        bool(mode & 0o111) == os.access(TOP / name, os.X_OK) for name, mode in held.items() if name in wanted
    )
    assert sdist.stat().st_size < MOST_BYTES


def test_the_sources_make_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    again = built("wheel", tmp_path / NAME, tmp_path)
    assert contents(again) == contents(wheel)


CALLS = """
import sys
from pathlib import Path
import schmier_sim
from schmier_sim.cli import main
print(schmier_sim.__file__)
for call in (
    ["--version"],
    ["rules", "list"],
    ["completion", "zsh"],
    ["equity", "--scores", "18,15,12", "--dealer", "left"],
    ["simulate", "--sample", "stratified", "-n", "20k", "-o", "run.parquet"],
    ["report", "run.parquet", "--lang", "de", "-o", "a.html"],
    ["report", "run.parquet", "--lookup", "-o", "b.html"],
):
    assert main(call) == 0, call
"""


def test_the_program_runs_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """Rule sets, tables, templates and catalogues are found wherever the package is."""
    site, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    done = subprocess.run(
        [sys.executable, "-c", CALLS],
        cwd=elsewhere,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    where, version, *lines = done.stdout.splitlines()
    assert Path(where).is_relative_to(site)
    assert version == f"schmier-sim {__version__}"
    text = "\n".join(lines)
    for part in ("low-to-taker", completion.script("zsh"), "65.3"):
        assert part in text
    assert "Trümpfe" in (elsewhere / "a.html").read_text()
    assert sorted(path.name for path in elsewhere.iterdir()) == ["a.html", "b.html", "run.parquet"]
