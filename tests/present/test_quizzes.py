"""Questions and answers in words, on paper and as JSON."""

import json
import re
from dataclasses import replace

import pytest

from schmier_sim.analysis.advice import Advice, Chance
from schmier_sim.analysis.quiz import Question, Quiz, mark
from schmier_sim.analysis.situation import make_situation
from schmier_sim.game.rules import Rules
from schmier_sim.present import quizzes
from tests.analysis.test_quiz import COSTS, advice_of

STANDARD, TWO_TEAMS = Rules(), Rules(name="two-teams", teams="2x3")
HAND = ("AS", "KS", "JC", "2S", "10H", "Jo")


def question(seat: int = 3, calls: tuple[int | None, ...] = (None, 3), rules: Rules = STANDARD) -> Question:
    scores = (14, -9, 18)[: rules.n_teams]
    return Question(1234, make_situation(HAND, seat, calls, scores, rules))


def test_a_question_tells_cards_seat_partner_calls_and_scores() -> None:
    text = quizzes.ask(question(), 2, 10, symbols=True)
    assert text.splitlines() == [
        "Question 2 of 10 (deal 1,234)",
        "",
        "  cards   A♠ K♠ 2♠ 10♥ J♣ Jo",
        "  seat    3; your partner is seat 6, who deals",
        "  calls   seat 1 passes, seat 2 bids 3",
        "  scores  you 14, left −9, right 18 (to 21)",
    ]
    assert "AS KS 2S 10H JC Jo" in quizzes.ask(question(), 1, 1)


@pytest.mark.parametrize(
    ("seat", "rules", "words"),
    [
        (1, STANDARD, "1; your partner is seat 4"),
        (6, STANDARD, "6, you deal; your partner is seat 3"),
        (2, TWO_TEAMS, "2; your partners are seats 4 and 6, who deals"),
        (5, TWO_TEAMS, "5; your partners are seats 1 and 3"),
    ],
)
def test_partners_are_named(seat: int, rules: Rules, words: str) -> None:
    assert quizzes.seat_words(seat, rules) == words


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ((), "none, you call first"),
        ((None,), "seat 1 passes"),
        ((None, None), "seats 1 and 2 pass"),
        ((3, None, None), "seat 1 (partner) bids 3, seats 2 and 3 pass"),
        (
            (None, 3, 4, None, None),
            "seat 1 passes, seat 2 bids 3, seat 3 (partner) bids 4, seats 4 and 5 pass",
        ),
        ((None, None, None, None, None), "seats 1 to 5 pass"),
    ],
)
def test_calls_are_told(calls: tuple[int | None, ...], words: str) -> None:
    assert quizzes.calls_words(question(len(calls) + 1, calls).situation) == words


def test_scores_of_two_teams_are_told() -> None:
    assert quizzes.scores_words(question(rules=TWO_TEAMS).situation) == "you 14, they −9"


def judged(advice: Advice, call: int | None, suit: str | None = None) -> str:
    return quizzes.judge(advice, mark(advice, call, suit))


def test_an_answer_is_judged_and_all_calls_are_priced() -> None:
    lines = judged(advice_of(), 4, "S").splitlines()
    assert lines[0] == "Not best: 4 in spades loses 1.50 ±0.10 points; best is pass."
    assert [line.split() for line in lines[1:4]] == [
        ["behind", "best", "declares", "made"],
        ["pass", "best", "0", "%", "–"],
        ["3", "in", "spades", "0.30", "±0.10", "50", "%", "75", "%"],
    ]
    assert " ".join(lines[7:]).startswith("Pass; your best suit is spades: 70 % make 3")
    assert max(map(len, lines)) <= 80


def test_the_right_answer_is_called_right() -> None:
    bid = advice_of(COSTS | {None: 2.0, 3: 0.0})
    assert judged(bid, 3).startswith("Right: 3 in spades.\n")
    assert judged(bid, 3, "C").startswith("Right: 3 in clubs.\n")
    near = advice_of(COSTS | {3: 0.09})
    assert judged(near, None).startswith("Right: pass (3: too close to tell).\n")
    assert judged(near, 3).startswith("Right: 3 is too close to the best, pass, to tell.\n")
    assert "too close: 0.09 ±0.10" in judged(near, None)


def test_a_worse_suit_is_told_with_what_it_makes() -> None:
    lines = judged(advice_of(COSTS | {None: 2.0, 3: 0.0}), 3, "H").splitlines()
    assert lines[0] == "The bid is right: 3. But name spades."
    assert lines[1] == "The suit costs about 0.38 points: 3 is made in hearts 45 %, spades 70 %."


def test_why_names_the_chance_and_where_points_come_from() -> None:
    sources = "3.5 points on average (high 100 %, low 25, right 25, left 25, joker 25, game 25)."
    bid = advice_of(COSTS | {None: 2.0, 3: 0.0})
    assert quizzes.why(bid) == f"Spades: 70 % make 3, {sources}"
    assert quizzes.why(bid, symbols=True).startswith("♠ spades: 70 %")
    assert quizzes.why(advice_of()) == f"Pass; your best suit is spades: 70 % make 3, {sources}"


def test_why_a_player_leaves_the_bid_to_his_partner() -> None:
    advice = advice_of()
    passing = replace(advice.verdict, make=Chance(0.61, 0.6, 0.62))
    asked = make_situation(HAND, 4, (3, None, None))
    theirs = replace(advice, situation=asked, verdict=passing)
    assert quizzes.why(theirs).startswith(
        "Your partner has the bid, and it is made in 61 %; your best suit is"
    )
    never = replace(advice, situation=asked)
    assert quizzes.why(never).startswith("Your partner has the bid; your best suit is")


def test_an_imprecise_answer_says_so() -> None:
    assert "precision was not reached" in judged(advice_of(precise=False), None)
    assert "precision" not in judged(advice_of(), None)


def test_the_summary_counts_best_calls_and_points() -> None:
    advice = advice_of()
    marks = [mark(advice, call) for call in (None, None, 4)]
    assert (
        quizzes.summary(marks, 3)
        == "Best call in 2 of 3 questions. Points lost: 1.50 in all, 0.50 a question.\n"
    )
    assert quizzes.summary(marks[:1], 1).startswith("Best call in 1 of 1 question. ")
    assert quizzes.summary(marks[:2], 3).endswith(" 1 of 3 questions were left.\n")
    assert quizzes.summary([], 3) == "No question was answered.\n"


QUIZ = Quiz(seed=7, tempers="bold", seat=1, close=True, precision=2.0)


def items() -> list[tuple[Question, Advice]]:
    near, clear = advice_of(COSTS | {3: 0.09}), advice_of(COSTS | {None: 2.0, 3: 0.0})
    return [(Question(deal, advice.situation), advice) for deal, advice in ((3, near), (8, clear))]


def test_a_sheet_has_questions_on_the_front_and_answers_overleaf() -> None:
    text = quizzes.sheet(QUIZ, 2, items())
    front, page_break, back = re.split('(<div style="page-break-before: always;"></div>)', text)
    assert page_break
    assert [line[:4] for line in front.splitlines() if line.startswith("**")] == ["**1.", "**2."]
    assert front.count("You: ....") == 2
    assert "Scores: you 14, left −9, right 18." in front
    assert "best" not in front
    rows = [line for line in back.splitlines() if line.startswith("|")]
    assert rows[2:] == [
        "| 1 | **pass** | **best** | _too close_ 0.09 ±0.10 | 1.50 ±0.10 | 3.00 ±0.10 | 6.00 ±0.10 |",
        "| 2 | **3 ♠** | 2.00 ±0.10 | **best** | 1.50 ±0.10 | 3.00 ±0.10 | 6.00 ±0.10 |",
    ]
    assert all(row.count("|") == rows[0].count("|") for row in rows)
    assert "1. Pass; your best suit is ♠ spades: 70 % make 3" in back
    assert "2. ♠ spades: 70 % make 3" in back
    assert "nan" not in text
    letters = quizzes.sheet(QUIZ, 2, items(), symbols=False)
    assert "| **3 spades** |" in letters
    assert "♠" not in letters


def test_a_sheet_says_how_it_is_made_again() -> None:
    text = quizzes.sheet(QUIZ, 2, items())
    assert "Rules standard · bots club · tempers bold · seed 7 · deals 3, 8 · schmier-sim" in text
    assert (
        "`schmier-sim quiz --sheet 2 --seed 7 --first 2 --rules standard --bots club --tempers bold --precision 2"
        " --seat 1 --close`"
    ) in text
    assert "tempers" not in quizzes.sheet(Quiz(bots="simple"), 0, items())
    own = quizzes.sheet(Quiz(rules=Rules(name="ours", low_to="taker")), 0, items())
    assert "Rules ours (low_to taker)" in own
    assert "--rules FILE.toml" in own


def test_a_call_that_cannot_be_made_is_a_dash() -> None:
    advice = advice_of()
    short = replace(advice, calls=tuple(one for one in advice.calls if one.call != 3))
    text = quizzes.sheet(QUIZ, 0, [(question(), short)])
    assert "| 1 | **pass** | **best** | – | 1.50" in text


def test_a_sheet_says_where_answers_are_less_precise() -> None:
    advice = advice_of(precise=False)
    assert "as precise as was wanted" in quizzes.sheet(QUIZ, 0, [(question(), advice)])
    assert "as precise as was wanted" not in quizzes.sheet(QUIZ, 0, items())


def test_json_holds_questions_and_answers() -> None:
    text = quizzes.to_json(QUIZ, 2, items())
    assert text.count("\n") == 1
    shown = json.loads(text)
    assert list(shown) == ["schema", "run", "questions"]
    assert shown["schema"] == "schmier-sim/quiz/1"
    run = shown["run"]
    assert (run["seed"], run["first"], run["seat"], run["close"], run["precision"]) == (7, 2, 1, True, 2.0)
    assert (run["bots"], run["tempers"], run["rules"]["name"]) == ("club", "bold", "standard")
    one = shown["questions"][0]
    asked = items()[0][0].situation
    assert (one["number"], one["deal"], one["seat"], one["auction"]) == (1, 3, 1, [])
    assert (one["hand"], one["scores"]) == (list(asked.hand), [14, -9, 18])
    assert one["verdict"]["call"] is None
    assert one["verdict"]["close"] == [None, 3]
    assert one["calls"][0]["make"] is None  # not a number
    assert one["calls"][1]["behind_best"] == 0.09
    assert one["calls"][1]["behind_best_se"] == pytest.approx(0.05)
