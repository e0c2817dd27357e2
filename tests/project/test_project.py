"""The project around the package: scripts and metadata."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from schmier_sim import __version__

TOP = Path(__file__).parents[2]
BASH = "#!/usr/bin/env bash\n"
SCRIPTS = sorted(
    path.relative_to(TOP).as_posix()
    for path in [*TOP.glob("scripts/*"), TOP / ".ci" / "run"]
    if path.is_file() and path.name != "setup.sh"
)


@pytest.mark.parametrize("name", [*SCRIPTS, "scripts/setup.sh"])
def test_scripts_can_be_read(name: str) -> None:
    text = (TOP / name).read_text()
    if text.startswith(BASH) or name.endswith(".sh"):
        subprocess.run(["bash", "-n", TOP / name], check=True)
    else:
        compile(text, name, "exec")


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_can_be_run(name: str) -> None:
    path = TOP / name
    assert path.stat().st_mode & 0o111
    assert path.read_text().startswith((BASH, "#!/usr/bin/env python3\n"))


def test_dependencies_have_lower_bounds_only() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    for requirement in [*project["dependencies"], *(one for extra in extras for one in extra)]:
        assert re.fullmatch(r"[a-z0-9-]+>=[0-9.]+", requirement), requirement


def test_the_changelog_knows_this_version() -> None:
    assert f"\n## {__version__} " in (TOP / "CHANGELOG.md").read_text()
