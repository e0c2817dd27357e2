"""The command ``equity``."""

import json
from pathlib import Path

import pytest

from tests.cli.program import Run, refused

QUICK = ("equity", "-n", 2000, "--quiet", "--rules", "short.toml", "--bidding", "points")
SHIPPED = ("equity", "--scores", "18,15,12", "--dealer", "left")


@pytest.fixture(autouse=True)
def rules_file(run: Run) -> None:
    """Write rules of a short match to the folder in which commands run."""
    assert run
    Path("short.toml").write_text('name = "short"\ntarget = 11\n')


def test_text_and_json_tell_the_same(run: Run) -> None:
    arguments = (*QUICK, "--scores", "8,5,2", "--dealer", "left")
    shown = json.loads(run(*arguments, "--json").out)
    assert list(shown)[:6] == ["schema", "run", "scores", "dealer", "win", "win_se"]
    assert (shown["schema"], shown["scores"], shown["dealer"]) == ("schmier-sim/equity/1", [5, 2, 8], "left")
    assert list(shown["break_even"]) == ["dealer", "left", "third"]
    assert all(list(row) == ["3", "4", "5", "6"] for row in shown["break_even"].values())
    assert sum(shown["win"]) == pytest.approx(1)
    lines = run(*arguments).out.splitlines()
    rows = {line.split()[0]: line.split() for line in lines[2:5]}
    assert list(rows) == ["you", "left", "right"]
    assert rows["you"][1:4] == ["8", "3", f"{100 * shown['win'][2]:.1f}"]
    assert rows["left"][1:5] == ["(deals)", "5", "6", f"{100 * shown['win'][0]:.1f}"]
    assert rows["you"][5] == f"{100 * shown['break_even']['third']['3']:.0f}"
    assert max(map(len, lines)) <= 100


def test_every_option_matters(run: Run) -> None:
    plain = run(*QUICK, "--json").out
    for changed in (
        ("--scores", "1,0,0"),
        ("--seed", 5),
        ("--bots", "simple"),
        ("--tempers", "bold"),
        ("-n", 3000),
        ("--rules", "two-teams"),
    ):
        assert run(*QUICK, *changed, "--json").out != plain
    assert run(*QUICK, "--workers", 1, "--json").out == plain
    turned = (run(*QUICK, "--scores", "9,1,1", "--dealer", who, "--json").out for who in ("me", "right"))
    assert len(set(turned)) == 2


def test_it_is_written_to_a_file(run: Run) -> None:
    line = run(*QUICK, "--json").out
    assert run(*QUICK, "-o", "e.json").out == ""
    assert Path("e.json").read_text() == line


def test_the_table_that_ships_answers_without_playing(run: Run) -> None:
    outcome = run(*SHIPPED, "--chart", "e.svg")
    foot = " ".join(outcome.out.split())
    assert "bids by equity" in foot
    assert "seed 2025" in foot
    assert outcome.err == ""
    assert Path("e.svg").read_bytes().startswith(b"<?xml")
    assert outcome.out == run(*SHIPPED, "--rules", "standard").out
    assert max(map(len, outcome.out.splitlines())) <= 100
    shown = json.loads(run(*SHIPPED, "--json").out)
    assert shown["run"]["bidding"] == "equity"
    assert shown["run"]["rounds"] > 0
    left, made, lost = (shown["bids"]["third"][0][name] for name in ("left", "made", "set"))
    assert (left - lost) / (made - lost) == pytest.approx(shown["break_even"]["third"]["3"], abs=1e-6)
    assert shown["needing"]["3"] == pytest.approx(shown["win"][2])
    needing = list(shown["needing"].values())
    assert needing == sorted(needing, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--scores", "11,0,0"], ["--scores", "11", "-200 to 10"]),
        (["--scores", "1,2"], ["--scores", "2 scores for 3 teams", "14,9,18"]),
        (["--scores", "a,b,c"], ["--scores", "'a'"]),
        (["--dealer", "north"], ["--dealer", "'north'", "me or left or right"]),
        (["--dealer", "right", "--rules", "two-teams"], ["--dealer", "me or left"]),
        (["-o", "x.csv"], ["x.csv", "x.json"]),
        (["--chart", "x.gif"], ["--chart", "x.gif", ".png, .svg or .pdf"]),
        (["--chart", "e.png", "--rules", "two-teams"], ["--chart", "three teams"]),
        (["--bidding", "equity", "--rules", "two-teams"], ["--bidding", "three teams", "points"]),
        (["--bidding", "luck"], ["--bidding", "'luck'", "equity or points"]),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(run: Run, arguments: list[str], parts: list[str]) -> None:
    refused(run(*QUICK, *arguments), 2, *parts)
