"""The command ``pointcount``."""

import json
from pathlib import Path

import pytest

from schmier_sim.analysis.pointcost import DEFAULT_DEALS
from schmier_sim.analysis.pointcount import ladder
from schmier_sim.cli.pointcount import LEVELS
from tests.cli.program import Run, refused

QUICK = ("pointcount", "-n", 300, "--quiet")


def test_the_levels_are_those_that_ship(run: Run) -> None:
    assert tuple(count.name for count in ladder().counts) == LEVELS
    help_text = run("pointcount", "--help").out
    assert str(DEFAULT_DEALS) in help_text


def test_text_and_json_tell_the_same_and_a_picture_is_drawn(run: Run) -> None:
    value = json.loads(run(*QUICK, "--json", "--chart", "l.png").out)
    assert value["level"] == value["recommended"] == ladder().recommended
    assert Path("l.png").read_bytes().startswith(b"\x89PNG")
    lines = run(*QUICK).out.splitlines()
    assert lines[2 : 2 + len(value["card"])] == value["card"]
    first = next(at for at, line in enumerate(lines) if line.startswith("level ")) + 1
    for line, step in zip(lines[first:], value["ladder"], strict=False):
        assert line.startswith(f"{step['name']} ")
        assert f" {step['loss']:.4f} ±" in line


def test_level_and_seed_matter_and_files_are_written(run: Run) -> None:
    plain = run(*QUICK, "--json").out
    other = json.loads(run(*QUICK, "--json", "--level", "two").out)
    assert other["level"] == "two"
    assert other["card"] != json.loads(plain)["card"]
    assert other["ladder"] == json.loads(plain)["ladder"]
    assert run(*QUICK, "-o", "p.json", "--seed", 5).out == ""
    assert Path("p.json").read_text() != plain


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["-n", "5"], ["--deals", "5", "100"]),
        (["--level", "seven"], ["--level", "'seven'", "six"]),
        (["-n", "0"], ["--deals", "'0'"]),
        (["--chart", "x.gif"], ["--chart", "x.gif", "x.png"]),
        (["-o", "x.csv"], ["x.csv", "x.json"]),
        (["--seed", "-1"], ["--seed", "'-1'", "21"]),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(run: Run, arguments: list[str], parts: list[str]) -> None:
    refused(run(*QUICK, *arguments), 2, *parts)
