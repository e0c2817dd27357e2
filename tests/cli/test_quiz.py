"""The command ``quiz``: on the screen and on paper, what it refuses, and how it ends."""

import io
import json
import signal
import subprocess
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from schmier_sim.analysis import quiz as library
from schmier_sim.analysis.situation import Situation
from schmier_sim.cli import quiz as command
from tests.analysis.test_quiz import COSTS, fake_advise
from tests.cli.program import Outcome, Run, refused, spawn

Asked = list[dict[str, Any]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Answers without playing; what was asked."""
    seen: Asked = []

    def advise_in(situation: Situation, **values: Any) -> Any:
        seen.append(values | {field.name: getattr(situation, field.name) for field in fields(situation)})
        return fake_advise()(situation, **values)

    monkeypatch.setattr(library, "advise_in", advise_in)
    return seen


@pytest.fixture
def type_in(run: Run, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the quiz with answers on stdin."""

    def call(answers: str, *arguments: object) -> Outcome:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        return run("quiz", *arguments)

    return call


def sheet(run: Run, *arguments: object) -> Any:
    outcome = run("quiz", "--sheet", 2, "--json", "--quiet", *arguments)
    assert (outcome.code, outcome.err) == (0, "")
    return json.loads(outcome.out)


def test_the_program_has_the_precision_of_the_library() -> None:
    assert command.DEFAULT_PRECISION == library.DEFAULT_PRECISION


@pytest.mark.usefixtures("asked")
def test_answers_are_judged_and_summed_up(type_in: Any) -> None:
    outcome = type_in("p\n6\n", "-n", 2, "--seat", 1)
    assert (outcome.code, outcome.err) == (0, "")
    assert "Question 1 of 2 (deal 0)" in outcome.out
    assert "Your call: p\nRight: pass.\n" in outcome.out
    assert "Not best: 6 loses 6.00 ±0.10 points; best is pass." in outcome.out
    assert outcome.out.endswith("Best call in 1 of 2 questions. Points lost: 6.00 in all, 3.00 a question.\n")


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("p", "Right: pass"),
        (" PASS ", "Right: pass"),
        ("4", "4 loses"),
        ("4s", "4 in spades loses"),
        ("4 ♠\ufe0f", "4 in spades loses"),
        ("4 in Clubs", "4 in clubs loses"),
        ("4H", "4 in hearts loses"),
    ],
)
def test_calls_are_read_as_people_type_them(type_in: Any, word: str, said: str) -> None:
    assert said in type_in(word + "\n", "-n", 1, "--seat", 1).out


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("x", ["'x' is no call", "p or 3 or 4 or 5 or 6", "4S"]),
        ("", ["'' is no call"]),
        ("7", ["cannot bid 7"]),
        ("0", ["cannot bid 0"]),
        ("pS", ["'ps' is no call"]),
        ("4X", ["'4x' is no call"]),
        ("9" * 5000, ["is no call"]),
    ],
)
def test_what_is_no_call_is_told_in_a_line_and_asked_again(type_in: Any, word: str, parts: list[str]) -> None:
    outcome = type_in(f"{word}\np\n", "-n", 1, "--seat", 1, "--quiet")
    assert outcome.code == 0
    assert outcome.err.startswith("schmier-sim: ")
    assert outcome.err.count("\n") == 1
    assert all(part in outcome.err for part in parts)
    assert "Right: pass" in outcome.out


@pytest.mark.usefixtures("asked")
def test_a_bid_below_the_highest_is_refused(type_in: Any) -> None:
    outcome = type_in("3\nq\n", "-n", 1)  # seat 1 has bid 3
    assert "you cannot bid 3 here: write p or 4 or 5 or 6" in outcome.err


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("end", ["q\n", "quit\n", ""])
def test_q_and_the_end_of_the_input_end_the_quiz(type_in: Any, end: str) -> None:
    outcome = type_in("p\n" + end, "-n", 5, "--seat", 1)
    assert outcome.code == 0
    assert "Question 2 of 5" in outcome.out
    assert "Question 3 of 5" not in outcome.out
    assert outcome.out.endswith(" 0.00 in all, 0.00 a question. 4 of 5 questions were left.\n")
    assert type_in("", "-n", 5).out.endswith("No question was answered.\n")


def test_a_closed_input_ends_the_quiz(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    outcome = run("quiz")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.endswith("No question was answered.\n")


@pytest.mark.usefixtures("asked")
def test_a_question_mark_explains(type_in: Any) -> None:
    outcome = type_in("?\nq\n")
    assert "Write p to pass" in outcome.out
    assert "Behind best" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_a_terminal_gets_a_prompt_on_stderr(type_in: Any, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = io.StringIO("q\n")
    monkeypatch.setattr(typed, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", typed)
    outcome = run("quiz")
    assert outcome.err == "Your call: "
    assert "Your call" not in outcome.out
    assert "Your call" in type_in("q\n").out


def test_options_reach_the_question_and_the_answer(run: Run, asked: Asked) -> None:
    shown = sheet(
        run, "--seed", 5, "--first", 3, "--seat", 2, "--bots", "simple", "--rules", "two-teams",
        "--precision", 4, "--workers", 1,
    )  # fmt: skip
    about = shown["run"]
    assert (about["seed"], about["first"], about["seat"], about["bots"]) == (5, 3, 2, "simple")
    assert (about["rules"]["name"], about["precision"], about["close"]) == ("two-teams", 4.0, False)
    assert [one["deal"] for one in shown["questions"]] == [3, 4]
    assert {one["seat"] for one in shown["questions"]} == {2}
    assert all(len(one["scores"]) == 2 for one in shown["questions"])
    assert [(one["seed"], one["precision"], one["workers"]) for one in asked] == [(5, 4.0, 1)] * 2
    assert (asked[0]["bots"], asked[0]["rules"].name) == ("simple", "two-teams")


@pytest.mark.usefixtures("asked")
def test_tempers_are_those_of_club_only(run: Run) -> None:
    assert sheet(run)["run"]["tempers"] == "mixed"
    assert sheet(run, "--tempers", "bold")["run"]["tempers"] == "bold"
    outcome = run("quiz", "--sheet", 1, "--bots", "simple", "--tempers", "bold")
    assert "tempers bold change nothing" in outcome.err


def test_close_asks_only_what_is_hard(run: Run, asked: Asked) -> None:
    plain, hard = sheet(run, "--seat", 1), sheet(run, "--seat", 1, "--close")
    assert [one["deal"] for one in plain["questions"]] == [0, 1]
    assert [one["deal"] for one in hard["questions"]] != [0, 1]
    assert {library.COARSE, 1.0} == {one["precision"] for one in asked[2:]}


@pytest.mark.usefixtures("asked")
def test_so_many_questions_are_asked(type_in: Any) -> None:
    assert type_in("p\n" * 20, "--seat", 1).out.count("Question ") == 10
    assert type_in("p\n" * 20, "--seat", 1, "--questions", 3).out.count("Question ") == 3


@pytest.mark.usefixtures("asked")
def test_suits_are_letters_on_the_screen_and_symbols_on_paper(type_in: Any, run: Run) -> None:
    assert "♠" not in type_in("q\n").out
    assert "♠" in type_in("q\n", "--suits", "symbols").out
    assert "♠" in run("quiz", "--sheet", 1).out
    assert "♠" not in run("quiz", "--sheet", 1, "--suits", "letters").out


@pytest.mark.usefixtures("asked")
def test_a_sheet_is_written_in_the_form_of_its_ending(run: Run) -> None:
    text = run("quiz", "--sheet", 1).out
    line = run("quiz", "--sheet", 1, "--json").out
    for name, arguments, expected in (
        ("a.md", [], text),
        ("a.json", [], line),
        ("b.json", ["--table"], text),
        ("b.md", ["--json"], line),
    ):
        outcome = run("quiz", "--sheet", 1, "-o", name, *arguments)
        assert (outcome.code, outcome.out) == (0, "")
        assert f"wrote {name}" in outcome.err
        assert Path(name).read_text() == expected
    assert text.startswith("# What do you call?\n")


def test_a_run_file_is_not_written_over(run: Run) -> None:
    Path("run.md").write_bytes(b"PAR1")
    refused(run("quiz", "--sheet", 1, "-o", "run.md"), 2, "run.md is a run file")
    refused(run("quiz", "--sheet", 1, "-o", "no/such.md"), 1, "no/such.md")


def test_a_sheet_that_is_less_precise_is_written_and_exits_3(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "advise_in", fake_advise(COSTS, precise=False))
    outcome = run("quiz", "--sheet", 1, "-o", "a.md")
    assert outcome.code == 3
    assert "precise" in outcome.err
    assert "as precise as was wanted" in Path("a.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["-n", "0"], ["--questions", "'0'", "10"]),
        (["--sheet", "none"], ["--sheet", "'none'", "12"]),
        (["--first", "x"], ["--first", "'x'", "100"]),
        (["--seat", "7"], ["--seat", "'7'", "1 to 6"]),
        (["--seed", "x"], ["--seed", "'x'", "21"]),
        (["--bots", "clever"], ["--bots", "'clever'", "club"]),
        (["--tempers", "hot"], ["--tempers", "'hot'", "bold"]),
        (["--rules", "nowhere"], ["--rules", "nowhere", "two-teams"]),
        (["--precision", "0"], ["--precision", "'0'", "0.5"]),
        (["--workers", "0"], ["--workers", "'0'", "2"]),
        (["--suits", "words"], ["--suits", "'words'", "symbols"]),
        (["--sheet", "2", "-n", "3"], ["--questions", "--sheet", "leave one"]),
        (["--json"], ["--json", "--sheet 12"]),
        (["-o", "a.md"], ["--output", "--sheet 12 -o quiz.md"]),
        (["--sheet", "2", "-o", "a.pdf"], ["--output", "a.pdf", "a.json"]),
        (["3"], ["'3'", "schmier-sim quiz [OPTIONS]"]),
    ],
)
def test_bad_values_are_refused_in_one_line(run: Run, arguments: list[str], parts: list[str]) -> None:
    refused(run("quiz", *arguments), 2, *parts)


def test_where_there_is_no_question_that_is_the_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST_SCANNED", 2)
    monkeypatch.setattr(library, "ask", lambda *_: None)
    refused(run("quiz", "--sheet", 1, "--seat", 6), 1, "no question in the 2 deals", "--seat")


def test_bytes_that_are_no_text_are_no_call() -> None:
    with spawn("quiz", "--quiet", stdin=subprocess.PIPE, text=False) as process:
        out, err = process.communicate(b"\xff\xfe\nq\n", timeout=60)
    assert process.returncode == 0, err
    assert b"is no call" in err
    assert b"No question was answered." in out


def test_ctrl_c_ends_it_with_one_line() -> None:
    with spawn("quiz", stdin=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Question 1")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == "schmier-sim: interrupted\n"


def test_real_answers_are_the_same_for_any_number_of_workers(run: Run) -> None:
    first, second = (run("quiz", "--sheet", 1, "--precision", 20, "--quiet", "--workers", n) for n in (1, 2))
    assert first.code == 0
    assert first.out == second.out
    assert "nan" not in first.out
    assert "| 1 | **pass** | **best** | – | " in first.out  # a bare jack of trumps, after a bid of 3
