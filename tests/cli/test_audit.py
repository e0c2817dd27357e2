"""The command ``audit``: what it shows and what it refuses."""

import json
from pathlib import Path

import pytest

from schmier_sim.analysis import audit as library
from schmier_sim.cli import audit as command
from schmier_sim.game.bots import BOTS
from tests.cli.program import Run, refused

SMALL = ("audit", "-n", 8, "--worlds", 2, "--workers", 1, "--seed", 5, "--quiet")


@pytest.fixture
def small(run: Run) -> tuple[str, str]:
    """The same audit as a table and as JSON."""
    outcomes = [run(*SMALL, form) for form in ("--table", "--json")]
    assert [(outcome.code, outcome.err) for outcome in outcomes] == [(0, ""), (0, "")]
    return outcomes[0].out, outcomes[1].out


def test_the_program_knows_the_parts_of_the_library(run: Run) -> None:
    assert command.PARTS == library.PARTS
    text = " ".join(run("audit", "--help").out.split())
    assert {f"{library.DEALS[part]}" for part in ("regret", "response")} <= set(
        text.replace(",", " ").split()
    )
    assert f"calibration {library.DEALS['calibration'] // 1000}k" in text
    assert f"regret {library.WORLDS['regret']}, others {library.WORLDS['cells']}" in text
    assert all(name in text for name in BOTS)


def test_json_and_tables_tell_the_same(small: tuple[str, str], run: Run) -> None:
    text, line = small
    assert line.count("\n") == 1
    shown = json.loads(line)
    assert list(shown) == ["schema", "run", *library.PARTS]
    assert shown["schema"] == "schmier-sim/audit/1"
    assert (shown["run"]["bots"], shown["run"]["seed"]) == ("club", 5)
    assert shown["run"]["deals"] == dict.fromkeys(library.PARTS, 8)
    assert shown["run"]["worlds"] == dict.fromkeys(["regret", "response", "cells"], 2)
    tables = shown["regret"]["tables"]
    assert [(table["mode"], table["deals"]) for table in tables] == [("auction", 6), ("declare", 2)]
    for table in tables:
        *kinds, total = table["rows"]
        assert total["decisions"] == sum(row["decisions"] for row in kinds)
        assert {"per_deal", "clear", "clear_se", "each", "each_se", "deal", "deal_se", "share"} <= set(total)
        assert all(row["kind"] in text for row in kinds)
    assert {gap["side"] for gap in shown["response"]["gaps"]} == {"declaring", "defending"}
    assert [row["bid"] for row in shown["cells"]["summaries"]] == [3, 4, 5, 6]
    assert sum(row["deals"] for row in shown["calibration"]["bids"]) == shown["calibration"]["total"]["deals"]
    assert max(map(len, text.splitlines())) <= 100
    for decision in shown["regret"]["worst"]:
        assert decision["command"] in text
        deal = json.loads(run(*decision["command"].split()[1:], "--json").out)
        assert deal["index"] == decision["address"]["index"]
        if decision["trick"]:
            trick = deal["tricks"][decision["trick"] - 1]
            place = (decision["seat"] - trick["leader"]) % 6
            assert trick["cards"][: place + 1] == [*decision["table"], decision["played"]]


def test_parts_that_are_not_asked_for_are_null(run: Run) -> None:
    outcome = run("audit", "--part", "calibration", "-n", 300, "-o", "audit.json", "--bots", "simple")
    assert (outcome.code, outcome.out) == (0, "")
    shown = json.loads(Path("audit.json").read_text())
    assert [part for part in library.PARTS if shown[part] is not None] == ["calibration"]
    assert shown["run"]["worlds"] == {}
    text = run("audit", "--part", "calibration", "-n", 300, "--quiet").out
    assert "Predicted and made: contracts of club in 300 deals" in text
    assert "Regret" not in text


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--part", "luck"], ["--part", "'luck'", "regret", "calibration"]),
        (["--part", ""], ["--part", "regret"]),
        (["--bots", "search"], ["--bots", "'search'", "club"]),
        (["-n", "0"], ["--deals", "'0'", "10M"]),
        (["--worlds", "1"], ["--worlds", "'1'", "40"]),
        (["--workers", "0"], ["--workers", "'0'", "1 to 64"]),
        (["--seed", "-1"], ["--seed", "'-1'", "21"]),
        (["club"], ["'club'", "schmier-sim audit [OPTIONS]"]),
    ],
)
def test_what_cannot_be_audited_is_refused(run: Run, arguments: list[str], parts: list[str]) -> None:
    refused(run("audit", *arguments), 2, *parts)
    assert list(Path.cwd().iterdir()) == []
