"""--tempers: how readily `club` bids, from the command line to the run file and back."""

import json
from pathlib import Path

import pytest

from schmier_sim.analysis import runformat
from schmier_sim.analysis.store import read_run
from tests.cli.program import Run, refused


def test_a_run_knows_its_tempers_and_goes_on_with_them(run: Run) -> None:
    club = ("simulate", "-n", 2000, "--mode", "auction", "--bots", "club", "-o", "a.parquet")
    assert "bots club, tempers bold, bids by equity, rules" in run(*club, "--tempers", "bold").err
    assert read_run(Path("a.parquet")).info.tempers == "bold"
    table = run("table", "a.parquet", "--min-deals", 0)
    assert "bots club · tempers bold" in table.out
    shown = json.loads(run("table", "a.parquet", "--min-deals", 0, "--format", "json").out)
    assert shown["run"]["tempers"] == "bold"
    refused(run(*club, "--resume", "-n", 3000, "--tempers", "mixed"), 2, "--tempers", "mixed", "tempers bold")
    assert run("simulate", "-n", 3000, "-o", "a.parquet", "--resume").code == 0
    assert read_run(Path("a.parquet")).info.tempers == "bold"


def test_a_run_file_without_tempers_was_played_with_normal_ones(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    decode = runformat.decode

    def older(data: bytes) -> object:
        metadata, tally = decode(data)
        return {name: value for name, value in metadata.items() if name != "tempers"}, tally

    run("simulate", "-n", 1000, "-o", "a.parquet")
    monkeypatch.setattr(runformat, "decode", older)
    assert read_run(Path("a.parquet")).info.tempers == "normal"
    assert "tempers" not in run("table", "a.parquet").out


def test_deals_are_told_with_their_tempers(run: Run) -> None:
    told = run("deal", 3, "--mode", "auction", "--bots", "club", "--tempers", "mixed").out
    assert "tempers mixed" in " ".join(told.split("\n\n")[0].split())


@pytest.mark.parametrize("command", [("simulate",), ("deal", 1)])
def test_other_tempers_are_refused(run: Run, command: tuple[object, ...]) -> None:
    refused(
        run(*command, "--tempers", "wild"), 2, "--tempers", "'wild'", "normal or cautious or bold or mixed"
    )
