"""--bidding and --scores: what `club` bids by, from the command line to the run file and back."""

import json
from pathlib import Path

import pytest

from schmier_sim.analysis.store import read_run
from schmier_sim.cli import options
from schmier_sim.game import standing
from tests.cli.program import Run, refused

AUCTION = ("simulate", "-n", 2000, "--mode", "auction", "-o", "a.parquet")


def test_the_command_line_knows_all_ways_to_bid() -> None:
    assert options.BIDDINGS == standing.BIDDINGS


def test_a_run_knows_what_was_bid_by_and_goes_on_so(run: Run) -> None:
    assert "bids by equity at 18,15,12" in run(*AUCTION, "--scores", "18,15,12").err
    info = read_run(Path("a.parquet")).info
    assert (info.bidding, info.scores) == ("equity", (18, 15, 12))
    assert "bids by equity at 18,15,12" in run("table", "a.parquet", "--min-deals", 0).out
    shown = json.loads(run("table", "a.parquet", "--min-deals", 0, "--format", "json").out)
    assert (shown["run"]["bidding"], shown["run"]["scores"]) == ("equity", [18, 15, 12])
    resumed = ("--resume", "-n", 3000)
    refused(run(*AUCTION, *resumed, "--scores", "1,1,1"), 2, "--scores 1,1,1", "scores 18,15,12")
    refused(run(*AUCTION, *resumed, "--bidding", "points"), 2, "--bidding points", "bidding equity")
    assert run("simulate", "-o", "a.parquet", *resumed).code == 0
    info = read_run(Path("a.parquet")).info
    assert (info.deals, info.bidding, info.scores) == (3000, "equity", (18, 15, 12))


def test_equity_is_the_default_of_auctions_of_three_teams_only(run: Run) -> None:
    for more, bidding in (
        ((), "equity"),
        (("--rules", "two-teams"), "points"),
        (("--bots", "simple"), "points"),
        (("--bidding", "points"), "points"),
        (("--mode", "declare"), "points"),
    ):
        assert run(*AUCTION, *more, "--force").code == 0
        assert read_run(Path("a.parquet")).info.bidding == bidding, more


def test_a_deal_is_told_as_it_was_simulated(run: Run) -> None:
    told = [
        run("deal", 0, "--count", 40, "--mode", "auction", "--json", *more).out
        for more in ((), ("--scores", "0,0,0"), ("--scores", "3,20,3"), ("--bidding", "points"))
    ]
    assert told[0] == told[1]
    assert len(set(told)) == 3
    text = run("deal", 3, "--mode", "auction", "--scores", "18,15,12").out
    assert "bids by equity at 18,15,12" in " ".join(text.split("\n\n")[0].split())


def test_what_changes_nothing_is_said(run: Run) -> None:
    assert "scores 1,2,3 changes nothing here" in run("deal", 3, "--scores", "1,2,3").err
    assert "bidding equity changes nothing here" in run("deal", 3, "--bidding", "equity").err
    by_points = run("deal", 3, "--mode", "auction", "--bidding", "points", "--scores", "1,2,3")
    assert "scores 1,2,3 change nothing here: bids by points" in by_points.err


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("--bidding", "luck"), ("--bidding", "'luck'", "equity or points")),
        (("--bidding", "equity", "--rules", "two-teams"), ("--bidding", "three teams", "points")),
        (("--scores", "21,0,0"), ("--scores", "21", "-200 to 20")),
        (("--scores", "1,2"), ("--scores", "2 scores for 3 teams", "14,9,18")),
        (("--scores", "x"), ("--scores", "'x'")),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    run: Run, arguments: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    refused(run("deal", 3, "--mode", "auction", *arguments), 2, *parts)


def test_duels_by_equity_play_matches_at_their_scores(run: Run) -> None:
    by_equity = ("duel", "club", "club", "--bidding", "equity", "--quiet")
    outcome = run(*by_equity, "--matches", 300)
    assert "club by equity  club by points" in outcome.out
    assert "at their scores" in outcome.out
    shown = json.loads(run(*by_equity, "--matches", 300, "--json").out)
    assert (shown["matches"], shown["run"]["bidding"]) == (300, ["equity", "points"])
    refused(run(*by_equity, "-n", 300), 2, "--deals", "--matches")
    refused(run("duel", "simple", "club", "--bidding", "equity"), 2, "--bidding equity", "simple")
    refused(run("duel", "--all", "--bidding", "equity"), 2, "--all")
