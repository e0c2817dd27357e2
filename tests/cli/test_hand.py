"""The command ``hand``: what it asks, what it shows, what it refuses, and how it ends."""

import csv
import io
import json
import os
import shlex
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from schmier_sim.analysis import advice as library
from schmier_sim.analysis import whatif
from schmier_sim.analysis.situation import AdviceError, Situation
from schmier_sim.cli import hand as command
from schmier_sim.cli.console import Console
from schmier_sim.present import hand_files, hands
from tests.cli.program import Run, refused
from tests.cli.test_console import Terminal

HAND = "AS KS JC 2S 10H 9D"
CARDS = ["AS", "KS", "2S", "10H", "JC", "9D"]
KEYS = [
    "schema",
    "run",
    "hand",
    "seat",
    "auction",
    "scores",
    "deals",
    "effective_deals",
    "suits",
    "calls",
    "verdict",
]
SUIT_KEYS = ["deals", "points", "mean_points", "won"]
SUIT_KEYS += [f"make_{bid}{end}" for bid in (3, 4, 5, 6) for end in ("", "_low", "_high")]
SUIT_KEYS += [f"net_{bid}{end}" for bid in (3, 4, 5, 6) for end in ("", "_se")]
CALL_KEYS = [
    "call",
    "suit",
    "wins_auction",
    "make",
    "own",
    "others",
    "relative",
    "behind_best",
    "behind_best_se",
    "equity",
]
QUICK = ("--precision", 5, "--quiet")


@pytest.fixture(scope="module")
def answer() -> library.Advice:
    return library.advise(CARDS, seat=3, auction=(None, 3), precision=5)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, answer: library.Advice) -> list[dict[str, Any]]:
    """Give one answer to everything; keep what was asked."""
    questions: list[dict[str, Any]] = []

    def advise_in(situation: Situation, **options: Any) -> library.Advice:
        what = {field.name: getattr(situation, field.name) for field in fields(situation)}
        questions.append(what | {"cards": list(situation.hand)} | options)
        return answer

    monkeypatch.setattr(library, "advise_in", advise_in)
    return questions


def test_the_defaults_are_those_of_the_library() -> None:
    assert command.DEFAULT_PRECISION == library.DEFAULT_PRECISION
    assert command.DEFAULT_SECONDS == library.DEFAULT_SECONDS


def test_json_keeps_its_contract_and_says_what_the_library_found(run: Run, answer: library.Advice) -> None:
    outcome = run("hand", HAND, "--seat", 3, "--auction", "p 3", "--json", *QUICK)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out == hand_files.to_json(answer, 5.0)
    assert outcome.out.count("\n") == 1
    shown = json.loads(outcome.out)
    assert list(shown)[: len(KEYS)] == KEYS
    assert shown["schema"] == "schmier-sim/hand/1"
    assert (shown["hand"], shown["seat"], shown["auction"]) == (CARDS, 3, [None, 3])
    assert shown["scores"] == [0, 0, 0]
    assert list(shown["suits"]) == ["S", "H", "C", "D"]
    for suit in shown["suits"].values():
        assert set(SUIT_KEYS) <= set(suit)
        assert sum(suit["points"]) == suit["deals"] == shown["deals"]
        assert set(suit["won"]) == {"high", "low", "right", "left", "joker", "game"}
    assert [call["call"] for call in shown["calls"]] == [None, 4, 5, 6]
    for call in shown["calls"]:
        assert set(CALL_KEYS) <= set(call)
        assert len(call["others"]) == 2
        assert 0 < call["equity"] < 1
    verdict = shown["verdict"]
    assert (verdict["call"], verdict["suit"], verdict["close"]) == (4, "S", [4])
    assert verdict["text"] == hands.verdict(answer)
    for name in ("seed", "version", "rules", "bots", "tempers", "heeds_calls", "deals", "precision"):
        assert name in shown["run"]
    for name in ("precise", "half_width", "chance", "weakenings", "failures"):
        assert name in shown
    assert "what_if" not in shown
    assert "failure_deals" not in shown


def test_text_is_that_of_the_presentation(run: Run, answer: library.Advice) -> None:
    outcome = run("hand", *HAND.split(), "--auction", "p 3", *QUICK)
    assert (outcome.code, outcome.out) == (0, hands.to_text(answer))
    symbols = run("hand", HAND, "--auction", "p 3", "--suits", "symbols", *QUICK)
    assert symbols.out == hands.to_text(answer, symbols=True)
    assert "A♠" in symbols.out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], {"cards": CARDS, "auction": (None, 3), "seat": 3, "scores": (0, 0, 0), "bots": "club"}),
        ([], {"tempers": "mixed", "heeds_calls": True, "seed": 21, "precision": 0.5, "max_seconds": 30.0}),
        ([], {"workers": None, "glimpse": None}),
        (["--scores", "14,9,-18"], {"scores": (14, 9, -18)}),
        (["--scores", "14 9 18"], {"scores": (14, 9, 18)}),
        (["--bots", "simple"], {"bots": "simple"}),
        (["--tempers", "bold"], {"tempers": "bold"}),
        (["--ignore-calls"], {"heeds_calls": False}),
        (["--seed", "5"], {"seed": 5}),
        (["--precision", "2"], {"precision": 2.0}),
        (["--max-time", "1.5"], {"max_seconds": 1.5}),
        (["--workers", "1"], {"workers": 1}),
    ],
)
def test_options_reach_the_library(
    run: Run, asked: list[dict[str, Any]], arguments: list[str], expected: dict[str, Any]
) -> None:
    assert run("hand", HAND, "--auction", "p 3", "--quiet", *arguments).code == 0
    assert asked[0].items() >= expected.items()


def test_rules_reach_the_library(run: Run, asked: list[dict[str, Any]]) -> None:
    Path("club.toml").write_text('low_to = "taker"\n')
    for name in ("low-to-taker", "club.toml"):
        assert run("hand", HAND, "--seat", 2, "--quiet", "--rules", name).code == 0
    assert [question["rules"].low_to for question in asked] == ["taker", "taker"]


@pytest.mark.parametrize(
    ("arguments", "seats"),
    [
        ([], [(1, ()), (3, (None,) * 2), (6, (None,) * 5)]),
        (["--rules", "two-teams"], [(1, ()), (4, (None,) * 3), (6, (None,) * 5)]),
        (["--seat", "4"], [(4, (None,) * 3)]),
        (["--auction", ""], [(1, ())]),
        (["--auction", "p 3 p"], [(4, (None, 3, None))]),
        (["--seat", "2", "--auction", "4"], [(2, (4,))]),
    ],
)
def test_seat_and_calls_follow_from_each_other(
    run: Run,
    asked: list[dict[str, Any]],
    arguments: list[str],
    seats: list[tuple[int, tuple[int | None, ...]]],
) -> None:
    outcome = run("hand", HAND, "--quiet", *arguments)
    assert outcome.code == 0
    assert [(question["seat"], question["auction"]) for question in asked] == seats
    assert ("No seat was named" in outcome.out) == (len(seats) == 3)
    assert run("hand", HAND, "--quiet", "--json", *arguments).out.count("\n") == len(seats)


def test_one_answer_for_each_role_is_told_apart(run: Run) -> None:
    outcome = run("hand", "3H 4H 5C 7C 8D 6S", "--precision", 20, "--quiet")
    assert outcome.code == 0
    for told in ("seat 1, an opponent deals", "seat 3, your partner deals", "seat 6, you deal"):
        assert outcome.out.count(told) == 1
    assert max(map(len, outcome.out.splitlines())) <= 100
    assert "nan" not in outcome.out


@pytest.mark.usefixtures("asked")
def test_what_if_adds_other_cards(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    swap = whatif.SwapAdvice("9D", "3S", 5, "S", library.Mean(0.7, 0.02))
    workers = []

    def value(_advice: library.Advice, **options: Any) -> tuple[whatif.SwapAdvice, ...]:
        workers.append(options["workers"])
        return (swap,)

    monkeypatch.setattr(whatif, "value_swaps", value)
    text = run("hand", HAND, "--seat", 3, "--what-if", "--workers", 2, "--quiet").out
    assert "9D       3S    +0.70 ±0.04  5 in spades" in text
    shown = json.loads(run("hand", HAND, "--seat", 3, "--what-if", "--json", "--quiet").out)
    assert shown["what_if"][0]["gain"] == 0.7
    assert workers[:2] == [2, None]
    lines = run("hand", "--from", _list(HAND + " | 3"), "--what-if", "--json", "--quiet").out
    assert json.loads(lines)["what_if"][0]["take"] == "3S"


def _list(*lines: str) -> Path:
    path = Path("hands.txt")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_failures_come_with_the_command_that_shows_them_again(run: Run) -> None:
    Path("club.toml").write_text('name = "club"\nlow_to = "taker"\n')
    options = ["--auction", "p 3", "--seed", 5, "--tempers", "bold", "--rules", "club.toml", "--ignore-calls"]
    outcome = run("hand", HAND, *options, "--show-failures", *QUICK)
    assert outcome.code == 0
    assert outcome.out.count("set, so it loses the bid") == 3
    stories = outcome.out.partition("\nWorld ")[2].split("\nWorld ")
    assert len(stories) == 3
    for story in stories:
        told, _, again = story.partition("Show it again:\n")
        words = [word.strip("'") for word in _words(again)]
        assert words[:2] == ["schmier-sim", "hand"]
        assert all(len(line) <= 100 for line in again.splitlines())
        assert run(*words[1:], "--quiet").out == "World " + told[:-1]
    deals = json.loads(run("hand", HAND, *options, "--show-failures", "--json", *QUICK).out)
    assert [deal["index"] for deal in deals["failure_deals"]] == deals["failures"]
    assert all(deal["schema"] == "schmier-sim/deal/1" for deal in deals["failure_deals"])


def _words(text: str) -> list[str]:
    return shlex.split(text.replace("\\\n", " "))


def test_a_pass_has_no_failures_to_show(run: Run) -> None:
    outcome = run("hand", "3H 4H 5C 7C 8D 6S", "--seat", 1, "--show-failures", *QUICK)
    assert "There is no deal to show: passing has no contract that could fail." in outcome.out


def test_a_world_is_replayed_without_advice_where_nothing_is_left_open(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_arguments: object, **_options: object) -> None:
        raise AssertionError

    place = ("hand", HAND, "--auction", "p 3", "--world", 5)
    chosen = run(*place, *QUICK).out
    bid = run(*place, "--call", 4, *QUICK).out
    monkeypatch.setattr(library, "advise", never)
    told = run(*place, "--call", 4, "--suit", "spades", "--quiet").out
    assert chosen == bid == told
    assert told.startswith("World 5 · seed 21 · rules standard · bots club · tempers mixed\n")
    assert "Seat 1 passes, seat 2 bids 3, seat 3 bids 4" in told
    other = run(*place, "--call", 4, "--suit", "♥", "--suits", "symbols", "--quiet").out
    assert "hearts ♥" in other
    passed = run(*place, "--call", "p", "--json", "--quiet").out
    deal = json.loads(passed)
    assert (deal["index"], deal["auction"][2]) == (5, {"seat": 3, "bid": None})
    assert set(deal["hands"]["3"]) == set(CARDS)
    assert run(*place, "--call", "p", "--quiet", "-o", "world.json").code == 0
    assert Path("world.json").read_text() == passed


def test_what_is_not_precise_enough_is_shown_and_told(run: Run) -> None:
    outcome = run("hand", HAND, "--seat", 1, "--precision", 0.01, "--max-time", 0.01, "--quiet")
    assert outcome.code == 3
    assert outcome.out.startswith("Hand ")
    assert outcome.err.startswith("schmier-sim: the wanted precision was not reached in 16,384 deals")
    assert outcome.err.count("\n") == 1
    lines = ("hand", "--from", _list(HAND + "|1"), "--precision", 0.01, "--max-time", 0.01, "--quiet")
    outcome = run(*lines)
    assert outcome.code == 3
    assert outcome.err.startswith("schmier-sim: line 1: the wanted precision")
    assert next(csv.DictReader(io.StringIO(outcome.out)))["precise"] == "False"


@pytest.mark.usefixtures("asked")
def test_tempers_of_bots_that_have_none_are_told(run: Run) -> None:
    given = run("hand", HAND, "--seat", 1, "--bots", "simple", "--tempers", "bold")
    assert "tempers bold change nothing here" in given.err
    assert run("hand", HAND, "--seat", 1, "--bots", "simple").err == ""


BAD = (
    ("AS KS JC 2S 10H", "5 cards"),
    (f"{HAND} | 9", "seat: '9'"),
    (f"{HAND} | 3 | p", "calls: 1 call before seat 3"),
    (f"{HAND} | 3 | p x", 'calls: "x" is no call'),
    (f"{HAND} | 3 | p 3 | 99,1,1", "scores: score 99"),
    (f"{HAND} | 3 | p 3 | a", "scores: 'a'"),
    (f"{HAND} | 3 | p 3 | 1,2,3 | 4", "5 fields"),
)


def test_bad_lines_are_told_and_left_out(run: Run, asked: list[dict[str, Any]]) -> None:
    path = _list(
        "# hands", f"{HAND} | 3 | p 3 | 14,9,18", "", *(line for line, _ in BAD), f"{HAND} || p 4  # mine"
    )
    outcome = run("hand", "--from", path, "--quiet", "--scores", "1,2,3", "--seed", 5)
    assert outcome.code == 1
    told = outcome.err.splitlines()
    assert len(told) == len(BAD)
    for number, (line, (_, part)) in enumerate(zip(told, BAD, strict=True), start=4):
        assert line.startswith(f"schmier-sim: line {number}: ")
        assert part in line
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [row["line"] for row in rows] == ["2", str(4 + len(BAD))]
    assert [(one["seat"], one["auction"], one["scores"]) for one in asked] == [
        (3, (None, 3), (14, 9, 18)),
        (3, (None, 4), (1, 2, 3)),
    ]
    assert {one["seed"] for one in asked} == {5}


@pytest.mark.usefixtures("asked")
def test_a_list_is_answered_from_stdin_in_the_form_that_is_wanted(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(*arguments: object) -> str:
        text = f"\ufeff{HAND}\r\n{HAND} | 2\n".encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        outcome = run("hand", "--from", "-", "--quiet", *arguments)
        assert (outcome.code, outcome.err) == (0, "")
        return outcome.out

    table = answers()
    assert len(list(csv.DictReader(io.StringIO(table)))) == 4
    lines = answers("--json")
    assert [json.loads(line)["line"] for line in lines.splitlines()] == [1, 1, 1, 2]
    assert answers("--table").count("Hand ") == 4
    for name, text in (("a.csv", table), ("a.json", lines), ("a.jsonl", lines), ("a.txt", table)):
        assert answers("-o", name) == ""
        assert Path(name).read_text() == text


@pytest.mark.usefixtures("asked")
def test_one_answer_is_written_in_the_form_of_the_ending(run: Run, answer: library.Advice) -> None:
    for name, text in (
        ("a.txt", hands.to_text(answer)),
        ("a.json", hand_files.to_json(answer, 0.5)),
        ("a.csv", hand_files.csv_head() + hand_files.to_csv(answer)),
    ):
        outcome = run("hand", HAND, "--seat", 3, "-o", name)
        assert (outcome.code, outcome.out, outcome.err) == (0, "", f"wrote {name}\n")
        assert Path(name).read_text() == text


def test_a_list_with_a_hand_that_nobody_can_answer_goes_on(
    run: Run, answer: library.Advice, monkeypatch: pytest.MonkeyPatch
) -> None:
    def advise_in(situation: Situation, **_options: object) -> library.Advice:
        if situation.seat == 2:
            raise AdviceError("no deals were found")
        return answer

    monkeypatch.setattr(library, "advise_in", advise_in)
    outcome = run("hand", "--from", _list(f"{HAND} | 2", f"{HAND} | 3"), "--quiet")
    assert (outcome.code, outcome.err) == (1, "schmier-sim: line 1: no deals were found\n")
    assert len(outcome.out.splitlines()) == 2
    refused(run("hand", HAND, "--seat", 2, "--quiet"), 1, "no deals were found")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ([], ["HAND", 'schmier-sim hand "AS KS JC 2S 10H 9D"', "--from"]),
        (["AS KS JC 2S 10H"], ["5 cards", "AS KS JC 2S 10H 9D"]),
        ([HAND + " 8D"], ["7 cards", "6 are wanted"]),
        (["AS AS JC 2S 10H 9D"], ["AS is there twice"]),
        (["AS KX JC 2S 10H 9D"], ['"KX"', "10D"]),
        ([HAND, "--seat", "7"], ["--seat", "'7'", "1 to 6"]),
        ([HAND, "--seat", "3", "--auction", "p"], ["--auction: 1 call before seat 3", "p p"]),
        ([HAND, "--seat", "2", "--auction", "p p"], ["--auction: 2 calls before seat 2"]),
        ([HAND, "--auction", "4 3"], ["--auction: seat 2 cannot bid 3", "5, 6"]),
        ([HAND, "--auction", "6 p"], ["--auction: nobody calls after a bid of 6"]),
        ([HAND, "--auction", "p 6"], ["--auction: after a bid of 6"]),
        ([HAND, "--auction", "p p p p p p"], ["--auction", "6 calls", "at most 5"]),
        ([HAND, "--auction", "7"], ["--auction", '"7"', "p 3 p"]),
        ([HAND, "--scores", "1,2"], ["--scores: 2 scores for 3 teams", "14,9,18"]),
        ([HAND, "--scores", "1,2,3", "--rules", "two-teams"], ["--scores: 3 scores for 2 teams", "14,9"]),
        ([HAND, "--scores", "21,2,3"], ["--scores: score 21", "-200 to 20"]),
        ([HAND, "--scores", "a,2,3"], ["--scores", "'a'", "14,9,18"]),
        ([HAND, "--scores", ","], ["--scores", "14,9,18"]),
        ([HAND, "--from", "x"], ["--from", "leave out"]),
        ([HAND, "--seat", "1", "--call", "3"], ["--call", "--world"]),
        ([HAND, "--seat", "1", "--suit", "S"], ["--suit", "--world"]),
        ([HAND, "--world", "5"], ["--world", "--seat 3"]),
        ([HAND, "--seat", "1", "--world", "x"], ["--world", "'x'"]),
        ([HAND, "--seat", "1", "--world", "5", "--what-if"], ["--world", "--what-if"]),
        ([HAND, "--seat", "1", "--world", "5", "--call", "3 4"], ["--call", "'3 4'"]),
        ([HAND, "--seat", "1", "--world", "5", "--call", "7"], ["--call", "'7'"]),
        ([HAND, "--seat", "1", "--world", "5", "--suit", "X"], ["--suit", "'X'", "S, H, C or D"]),
        ([HAND, "--auction", "5", "--world", "5", "--call", "4"], ["--call", "4", "p or 6"]),
        ([HAND, "--seat", "1", "--world", "5", "-o", "x.csv"], ["--world", "CSV"]),
        ([HAND, "-o", "x.png"], ["x.png", "-o x.json"]),
        ([HAND, "-o", "x.csv", "--what-if"], ["--what-if", "CSV", "--json"]),
        ([HAND, "--max-time", "0"], ["--max-time", "'0'", "30"]),
        ([HAND, "--max-time", "nan"], ["--max-time", "'nan'"]),
        ([HAND, "--precision", "0"], ["--precision", "'0'"]),
        ([HAND, "--tempers", "wild"], ["--tempers", "'wild'"]),
        ([HAND, "--rules", "nope"], ["--rules", "nope"]),
        (["--from", "x", "--world", "5"], ["--world", "--from"]),
        (["--from", "x", "--show-failures"], ["--show-failures", "--from"]),
        (["--from", "x", "--what-if"], ["--what-if", "CSV"]),
    ],
)
def test_what_cannot_be_asked_is_refused_with_one_line(
    run: Run, arguments: list[str], parts: list[str]
) -> None:
    refused(run("hand", *arguments), 2, *parts)
    assert list(Path.cwd().iterdir()) == []


def test_lists_that_cannot_be_read_and_places_that_cannot_be_written(run: Run) -> None:
    refused(run("hand", "--from", "none.txt"), 1, "none.txt")
    refused(run("hand", "--from", "/dev/zero"), 1, "/dev/zero", "larger")
    path = _list(HAND)
    refused(run("hand", "--from", path, "-o", path), 2, "hands.txt", "not written over")
    assert path.read_text() == HAND + "\n"
    refused(run("hand", HAND, "-o", "nowhere/x.json"), 1, "nowhere")


def test_a_hand_on_the_command_line_goes_before_a_list_in_the_config_file(
    run: Run, asked: list[dict[str, Any]]
) -> None:
    Path("schmier.toml").write_text('[hand]\nfrom = "hands.txt"\nseat = 2\nscores = "1,2,3"\n')
    _list(HAND)
    assert run("hand", HAND, "--quiet").out.startswith("Hand ")
    assert run("hand", "--quiet").out.startswith("line,hand,")
    assert [(one["seat"], one["scores"]) for one in asked] == [(2, (1, 2, 3))] * 2


def test_a_table_is_drawn_on_a_terminal_and_wiped(
    answer: library.Advice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _number: os.terminal_size((100, 24)))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal()
    console = Console(err=terminal)
    lines = hands.glimpse(answer)
    console.live(lines)
    assert terminal.getvalue() == "\n".join(lines)
    console.live(["too soon"])
    assert "too soon" not in terminal.getvalue()
    console.clear()
    wiped = terminal.getvalue().removeprefix("\n".join(lines))
    assert wiped == "\r\x1b[2K" + "\x1b[1A\x1b[2K" * (len(lines) - 1)
    console.clear()
    assert terminal.getvalue().endswith(wiped)


def test_a_table_is_cut_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _number: os.terminal_size((20, 4)))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal()
    Console(err=terminal).live(["x" * 50] * 9)
    assert terminal.getvalue() == "\n".join(["x" * 19] * 3)


@pytest.mark.parametrize("options", [{"quiet": True}, {"show_progress": False}, {}])
def test_no_table_is_drawn_where_none_is_wanted(options: dict[str, bool]) -> None:
    stream = io.StringIO() if not options else Terminal()
    Console(err=stream, **options).live(["a", "b"])
    assert stream.getvalue() == ""


def test_glimpses_are_drawn_while_worlds_are_looked_at(
    monkeypatch: pytest.MonkeyPatch, answer: library.Advice
) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _number: os.terminal_size((100, 24)))
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    console = Console(err=terminal)
    situation: Situation = answer.situation
    question = command.Asked(
        situation.rules, "standard", "club", "mixed", "equity", True, 21, 0.6, 30.0, None
    )
    command._advise(console, question, situation, table=True)
    drawn = terminal.getvalue()
    assert "relative points" in drawn
    assert "deals" in drawn
    assert drawn.endswith("\x1b[1A\x1b[2K")
    terminal.truncate(0)
    command._advise(console, question, situation, table=False)
    assert "relative points" not in terminal.getvalue()


def test_a_list_from_a_closed_stdin_is_refused_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    refused(run("hand", "--from", "-"), 1, "stdin is closed", "--from hands.txt")
