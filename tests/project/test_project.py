"""The project around the package: scripts and metadata."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from schmier_sim import __version__

TOP = Path(__file__).parents[2]
SCRIPTS = (
    "scripts/handout",
    "scripts/tables",
    "scripts/test",
    "scripts/strength",
    "scripts/folk-rules",
    "scripts/play-rules",
    "scripts/install-check",
    "scripts/manual",
    ".ci/run",
)


@pytest.mark.parametrize("name", [*SCRIPTS, "scripts/setup.sh"])
def test_scripts_are_bash_that_can_be_read(name: str) -> None:
    subprocess.run(["bash", "-n", TOP / name], check=True)


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_can_be_run(name: str) -> None:
    path = TOP / name
    assert path.stat().st_mode & 0o111
    assert path.read_text().startswith("#!/usr/bin/env bash\n")


def test_dependencies_have_lower_bounds_only() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    for requirement in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        assert re.fullmatch(r"[a-z0-9-]+>=[0-9.]+", requirement), requirement


def test_the_changelog_knows_this_version() -> None:
    assert f"\n## {__version__} " in (TOP / "CHANGELOG.md").read_text()
