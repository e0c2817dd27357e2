"""The command ``duel``: what it shows, what it refuses, and how it ends."""

import json
import os
import re
import signal
from itertools import permutations
from pathlib import Path

import pytest

from schmier_sim.analysis import seating
from schmier_sim.analysis.duel import duel
from schmier_sim.cli import duel as command
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.bots import BOT_NAMES
from tests.cli.program import Run, read_until, refused, spawn

KEYS = [
    "schema",
    "run",
    "challenger",
    "opponent",
    "deals",
    "relative",
    "relative_se",
    "matches",
    "match_wins",
    "match_wins_low",
    "match_wins_high",
]


def test_the_program_knows_the_players_of_the_library() -> None:
    assert set(command.PLAYERS) == set(seating.PLAYERS)
    assert command.DEFAULT_WORLDS == seating.DEFAULT_WORLDS


def test_json_has_what_the_library_found(run: Run) -> None:
    outcome = run(
        "duel", "simple", "random", "-n", "3k", "--seed", 5, "--rules", "two-teams", "--json", "--quiet"
    )
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("\n") == 1
    shown = json.loads(outcome.out)
    result = duel("simple", "random", deals=3000, seed=5, rules=Rules(name="two-teams", teams="2x3"))
    assert list(shown) == KEYS
    assert shown["schema"] == "schmier-sim/duel/1"
    for key in KEYS[2:]:
        assert shown[key] == pytest.approx(getattr(result, key))
    about = shown["run"]
    assert (about["bots"], about["seed"], about["deals"]) == (["simple", "random"], 5, 3000)
    assert (about["mode"], about["sample"], about["ranges"]) == ("auction", "natural", [[0, 3000]])
    assert about["rules"]["teams"] == "2x3"
    assert "worlds" not in about


def test_all_bots_meet_each_other(run: Run) -> None:
    outcome = run("duel", "--all", "-n", 1000, "--json", "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    shown = json.loads(outcome.out)
    assert list(shown) == ["schema", "run", "duels"]
    assert shown["schema"] == "schmier-sim/duel/1"
    assert set(shown["run"]["bots"]) == set(BOT_NAMES)
    met = {(one["challenger"], one["opponent"]) for one in shown["duels"]}
    assert met == set(permutations(BOT_NAMES, 2))
    alone = run("duel", "random", "simple", "-n", 1000, "--json", "--quiet").out
    assert json.loads(alone) in shown["duels"]


def test_a_table_has_a_line_for_each_duel_and_says_what_was_played(run: Run) -> None:
    text = run("duel", "--all", "-n", 1000, "--quiet").out
    rows = [line.split()[:3] for line in text.splitlines()]
    for pair in permutations(BOT_NAMES, 2):
        assert [*pair, "1,000"] in rows
    assert "a fair share is 33.3 %" in text
    assert "the three places" in " ".join(text.split())
    assert "rules standard · mode auction, natural sample · seed 21" in text
    two = run("duel", "simple", "random", "-n", 1000, "--quiet", "--rules", "two-teams").out
    assert "a fair share is 50.0 %" in two
    assert "the two places" in " ".join(two.split())
    assert max(map(len, (text + two).splitlines())) <= 120


def test_a_bot_against_itself_is_shown_as_even(run: Run) -> None:
    line = run("duel", "simple", "simple", "-n", 5000, "--quiet").out.splitlines()[2].split()
    assert line[:4] == ["simple", "simple", "5,000", "0.000"]
    assert line[-1] == "33.3"


def test_what_is_not_known_is_null_and_a_dash(run: Run) -> None:
    shown = json.loads(run("duel", "simple", "random", "-n", 1, "--json", "--quiet").out)
    assert (shown["relative_se"], shown["matches"], shown["match_wins"]) == (None, 0, None)
    assert (shown["match_wins_low"], shown["match_wins_high"]) == (0, 1)
    assert run("duel", "simple", "random", "-n", 1, "--quiet").out.splitlines()[2].split()[-1] == "–"


def test_search_says_in_how_many_worlds_it_looks(run: Run) -> None:
    arguments = ("duel", "search", "simple", "-n", 2, "--worlds", 1, "--workers", 1, "--quiet")
    assert json.loads(run(*arguments, "--json").out)["run"]["worlds"] == 1
    assert "search looks at 1 worlds" in run(*arguments).out


def test_matches_are_played_until_there_are_enough(run: Run) -> None:
    shown = json.loads(run("duel", "simple", "random", "--matches", 300, "--json", "--quiet").out)
    assert shown["matches"] == 300
    assert shown["deals"] == shown["run"]["deals"]


@pytest.mark.parametrize("command", [("duel", "simple", "random"), ("audit", "--part", "calibration")])
def test_an_ending_that_promises_something_else_is_refused(run: Run, command: tuple[str, ...]) -> None:
    for name in ("a.csv", "a.PDF", "a.png"):
        refused(run(*command, "-n", 10, "-o", name), 2, name, "-o a.json")
        assert not Path(name).exists()


def test_worlds_are_refused_where_nobody_searches(run: Run) -> None:
    for words in (("club", "simple"), ("--all",)):
        refused(run("duel", *words, "-n", 10, "--worlds", 5), 2, "--worlds", "search")


def test_a_result_is_written_to_a_file_in_the_form_of_its_ending(run: Run) -> None:
    text = run("duel", "simple", "random", "-n", 500, "--quiet").out
    line = run("duel", "simple", "random", "-n", 500, "--quiet", "--json").out
    for name, arguments, expected in (
        ("a.txt", [], text),
        ("a.json", [], line),
        ("b.json", ["--table"], text),
        ("b.txt", ["--json"], line),
    ):
        outcome = run("duel", "simple", "random", "-n", 500, "-o", name, *arguments)
        assert (outcome.code, outcome.out) == (0, "")
        assert f"wrote {name}" in outcome.err
        assert Path(name).read_text() == expected


def test_the_command_line_goes_before_the_config_file(run: Run) -> None:
    Path("schmier.toml").write_text("[duel]\nmatches = 30\nseed = 4\n")
    shown = json.loads(run("duel", "simple", "random", "--json", "--quiet").out)
    assert (shown["matches"], shown["run"]["seed"]) == (30, 4)
    assert json.loads(run("duel", "simple", "random", "-n", 70, "--json", "--quiet").out)["deals"] == 70
    Path("schmier.toml").write_text("[duel]\nmatches = 30\ndeals = 70\n")
    refused(run("duel", "simple", "random"), 2, "schmier.toml", "deals", "matches")
    assert (
        json.loads(run("duel", "simple", "random", "--matches", 3, "--json", "--quiet").out)["matches"] == 3
    )


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ([], ["CHALLENGER", "schmier-sim duel simple random", "--all"]),
        (["simple"], ["OPPONENT", "schmier-sim duel simple random"]),
        (["clever", "simple"], ["CHALLENGER", "'clever'", "simple", "search"]),
        (["simple", "Random"], ["OPPONENT", "'Random'", "random"]),
        (["simple", "random", "random"], ["'random'", "[CHALLENGER] [OPPONENT]"]),
        (["--all", "simple"], ["--all", "simple", "schmier-sim duel simple random"]),
        (["simple", "random", "--all"], ["--all", "schmier-sim duel simple random"]),
        (["simple", "random", "--search"], ["--search", "--all", "schmier-sim duel search simple"]),
        (["simple", "random", "-n", "0"], ["--deals", "'0'", "10M"]),
        (["simple", "random", "--matches", "0"], ["--matches", "'0'", "10000"]),
        (["simple", "random", "-n", "5", "--matches", "5"], ["--deals and --matches", "leave one"]),
        (["simple", "random", "--worlds", "0"], ["--worlds", "'0'", "40"]),
        (["simple", "random", "--workers", "0"], ["--workers", "'0'", "1 to 64"]),
        (["simple", "random", "--seed", "-1"], ["--seed", "'-1'", "21"]),
        (["simple", "random", "--rules", "three-teams"], ["--rules", "three-teams", "two-teams"]),
        (["simple", "random", "--bots", "club"], ["--bots"]),
    ],
)
def test_a_duel_that_cannot_be_asked_for(run: Run, arguments: list[str], parts: list[str]) -> None:
    refused(run("duel", *arguments), 2, *parts)
    assert list(Path.cwd().iterdir()) == []


def test_matches_without_an_end_are_told(run: Run) -> None:
    Path("far.toml").write_text("target = 1000\n")
    refused(
        run("duel", "random", "random", "--matches", 3, "--quiet", "--rules", "far.toml"),
        1,
        "number of deals",
    )


def test_a_place_that_cannot_be_written_is_refused_before_any_work(run: Run, small_run: Path) -> None:
    refused(run("duel", "simple", "random", "-n", "1000M", "-o", "nowhere/x.json"), 1, "nowhere")
    refused(
        run("duel", "simple", "random", "-n", "1000M", "-o", small_run), 2, "run file", "not written over"
    )


@pytest.mark.parametrize("arguments", [["simple", "random", "-n", "1000M"], ["search", "simple", "-n", "1M"]])
def test_an_interrupt_ends_a_duel(arguments: list[str], tmp_path: Path) -> None:
    terminal, slave = os.openpty()
    plain = os.environ | {"NO_COLOR": "1"}
    with spawn(
        "duel", *arguments, "--workers", 2, "-o", "duel.json", cwd=tmp_path, stderr=slave, env=plain
    ) as process:
        os.close(slave)
        talk = read_until(terminal, b" deals")  # the first progress: deals are being played
        process.send_signal(signal.SIGINT)
        talk += read_until(terminal, None)
        out, _ = process.communicate(timeout=60)
    os.close(terminal)
    assert (process.returncode, out) == (130, "")
    assert re.split(r"[\r\n]+", talk.decode().strip())[-1] == "schmier-sim: interrupted"
    assert b"Traceback" not in talk
    assert list(tmp_path.iterdir()) == []
