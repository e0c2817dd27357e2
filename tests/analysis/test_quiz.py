"""The quiz: which questions are asked, and how answers are judged."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from schmier_sim.analysis import quiz as library
from schmier_sim.analysis.advice import Advice, CallAdvice, Chance, Mean, SuitAdvice
from schmier_sim.analysis.quiz import Question, Quiz, QuizError, answer, ask, is_close, mark, questions
from schmier_sim.analysis.situation import Situation, make_situation
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import POINTS, SUITS
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.dealing import deal_cards
from schmier_sim.game.reference import play_deal
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import LOWEST_SCORE

STANDARD = Rules()
COSTS: dict[int | None, float] = {None: 0.0, 3: 0.3, 4: 1.5, 5: 3.0, 6: 6.0}


def fake_advise(costs: Mapping[int | None, float] = COSTS, half: float = 0.098, **fixed: Any) -> Any:
    """Stand in for `advise_in`: calls cost as `costs` says, spades are best at every bid, hearts cost half a point."""

    def advise_in(situation: Situation, **asked: Any) -> Advice:
        least = min(costs[call] for call in situation.options)
        error = half / 1.96
        calls = tuple(
            CallAdvice(
                call,
                "S",
                Chance(0.5, 0.49, 0.51) if call else Chance(0.0, 0.0, 0.01),
                Chance(0.75, 0.74, 0.76) if call else Chance(float("nan"), 0.0, 1.0),
                Mean(1.0, 0.01),
                (Mean(1.0, 0.01),) * (situation.rules.n_teams - 1),
                Mean(-costs[call], 0.01),
                Mean(costs[call] - least, error if costs[call] > least else 0.0),
                (0.0,) * situation.rules.n_teams,
            )
            for call in situation.options
        )
        best = next(one for one in calls if one.behind_best.value == 0)
        close = tuple(one for one in calls if one is best or one.behind_best.value <= one.behind_best.half)
        suits = tuple(
            SuitAdvice(
                suit,
                1000,
                (0, 0, 0, 500, 500, 0, 0),
                Mean(3.5 - worse, 0.01),
                {bid: Chance(0.7 - worse / 2, 0.69, 0.71) for bid in (3, 4, 5, 6)},
                {bid: Mean(1.0 - worse, 0.01) for bid in (3, 4, 5, 6)},
                {point: Chance(1.0 if point == "high" else 0.25, 0.2, 1.0) for point in POINTS},
                {bid: dict.fromkeys(POINTS, 0.5) for bid in (3, 4, 5, 6)},
            )
            for suit, worse in zip(SUITS, (0.0, 0.5, 0.01, 0.0), strict=True)
        )
        values = {"precise": True} | fixed
        return Advice(
            situation,
            asked["seed"],
            1000,
            1000.0,
            1.0,
            (),
            suits,
            calls,
            best,
            close,
            half_width=1.0,
            **values,
        )

    return advise_in


def first(quiz: Quiz, number: int = 12) -> list[Question]:
    return list(islice(questions(quiz), number))


def test_a_question_is_that_of_its_deal_whatever_was_asked_before() -> None:
    found = first(Quiz(), 4)
    assert [question.deal for question in found] == [0, 1, 2, 3]
    assert ask(Quiz(), 3) == found[3]
    assert next(questions(Quiz(), 3)) == found[3]
    assert [ask(Quiz(seed=22), deal) for deal in range(4)] != found


@pytest.mark.parametrize("bots", ["simple", "random", "club"])
def test_the_seats_before_call_as_in_the_deal_of_that_number(bots: str) -> None:
    bot = ClubBot(tempers="bold") if bots == "club" else BOTS[bots]
    for question in first(Quiz(seed=5, bots=bots, tempers="bold"), 6):
        asked = question.situation
        record = play_deal(5, question.deal, STANDARD, bot, mode="auction")
        assert (
            asked.hand == record.hands[asked.seat - 1] == deal_cards(5, question.deal).hands[asked.seat - 1]
        )
        assert asked.calls == record.auction[: asked.seat - 1]
        assert asked.options
        assert (asked.bots, asked.tempers) == (bots, "bold")


@pytest.fixture
def no_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save the time that the matches take."""
    monkeypatch.setattr(library, "_scores", lambda quiz, *_: (0,) * quiz.rules.n_teams)


@pytest.mark.usefixtures("no_scores")
def test_tempers_change_who_bids() -> None:
    cautious, bold = (
        sum(
            len([call for call in q.situation.auction if call]) for q in first(Quiz(tempers=name, seat=6), 40)
        )
        for name in ("cautious", "bold")
    )
    assert cautious < bold


def test_all_seats_are_asked_and_scores_are_those_of_a_match_that_is_not_over() -> None:
    found = first(Quiz(), 25)
    assert {question.situation.seat for question in found} == {1, 2, 3, 4, 5, 6}
    scores = [question.situation.scores for question in found]
    assert len(set(scores)) > 20
    assert all(len(three) == 3 and any(three) and max(three) < 21 for three in scores)
    two = first(Quiz(rules=Rules(name="x", teams="2x3", target=5, must_bid_to_win=True), bots="random"), 10)
    assert all(len(q.situation.scores) == 2 and max(q.situation.scores) < 5 for q in two)
    assert all(min(q.situation.scores) >= LOWEST_SCORE for q in two)


def test_the_same_cards_do_not_sit_at_the_same_score_in_each_seat() -> None:
    """Own team first: whoever is asked, the match is the same one, and the teams turn with the seats."""
    by_seat = [ask(Quiz(seat=seat), 2) for seat in (1, 2, 3)]
    scores = [question.situation.scores for question in by_seat if question is not None]
    assert scores[1] == scores[0][1:] + scores[0][:1]
    assert scores[2] == scores[0][2:] + scores[0][:2]


@pytest.mark.usefixtures("no_scores")
def test_a_seat_that_is_wanted_is_asked_and_deals_that_end_before_it_are_left_out() -> None:
    found = first(Quiz(bots="random", seat=6), 20)
    assert {question.situation.seat for question in found} == {6}
    deals = [question.deal for question in found]
    assert deals != list(range(20))
    missing = next(deal for deal in range(deals[-1]) if deal not in deals)
    assert ask(Quiz(bots="random", seat=6), missing) is None
    other = ask(Quiz(bots="random"), missing)
    assert other is not None
    assert other.situation.seat < 6


def test_where_no_deal_has_a_question_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MOST_SCANNED", 5)
    monkeypatch.setattr(library, "ask", lambda *_: None)
    with pytest.raises(QuizError, match=r"the 5 deals from 3 on: leave out --seat"):
        next(questions(Quiz(seat=6), 3))


@pytest.mark.usefixtures("no_scores")
def test_hard_questions_are_those_whose_second_best_call_costs_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    precisions: list[float] = []
    costs = dict(COSTS)

    def advise_in(situation: Situation, **asked: Any) -> Advice:
        precisions.append(asked["precision"])
        advice: Advice = fake_advise(costs)(situation, **asked)
        return advice

    monkeypatch.setattr(library, "advise_in", advise_in)
    monkeypatch.setattr(library, "MOST_SCANNED", 60)
    quiz = Quiz(close=True, seat=1, precision=2.0)
    question = next(questions(quiz))
    assert precisions == [library.COARSE, 2.0]
    assert answer(quiz, question) is question.known
    assert len(precisions) == 2  # the answer is known already
    for cost in (0.05, 0.9):  # too little to tell, too much
        costs[3] = cost
        with pytest.raises(QuizError, match="no close question"):
            next(questions(quiz))


def test_the_answer_is_that_of_advise_for_this_seed_and_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def advise_in(situation: Situation, **values: Any) -> Advice:
        asked.update(values, situation=situation)
        advice: Advice = fake_advise()(situation, **values)
        return advice

    monkeypatch.setattr(library, "advise_in", advise_in)
    quiz = Quiz(seed=4, bots="simple", tempers="bold", precision=3.0)
    question = ask(quiz, 0)
    assert question is not None
    advice = answer(quiz, question, workers=1)
    assert advice.situation == question.situation
    assert (asked["seed"], asked["precision"], asked["workers"]) == (4, 3.0, 1)
    assert asked["situation"] == question.situation
    assert (question.situation.bots, question.situation.tempers) == ("simple", "bold")


def advice_of(costs: Mapping[int | None, float] = COSTS, half: float = 0.098, **fixed: Any) -> Advice:
    question = ask(Quiz(seat=1), 0)
    assert question is not None
    advice: Advice = fake_advise(costs, half, **fixed)(
        make_situation(question.situation.hand, 1, (), (14, -9, 18)), seed=21
    )
    return advice


def test_the_best_call_and_what_is_too_close_to_it_cost_nothing() -> None:
    advice = advice_of(COSTS | {3: 0.09})
    assert [(mark(advice, call).right, mark(advice, call).cost) for call in (None, 3)] == [(True, 0.0)] * 2
    other = mark(advice, 4)
    assert (other.right, other.cost) == (False, 1.5)
    with pytest.raises(ValueError, match="no call 7"):
        mark(advice, 7)


def test_another_suit_costs_what_it_brings_less_unless_that_is_within_error() -> None:
    advice = advice_of(COSTS | {None: 2.0, 3: 0.0})
    assert mark(advice, 3, "S").cost == mark(advice, 3).cost == 0
    assert mark(advice, 3, "C").cost == 0  # 0.01 worse, with an error of 0.03
    # Half a point less net, half of half a point more for each of two other teams; the bid stands in half of the deals.
    worse = mark(advice, 3, "H")
    assert worse.right
    assert worse.cost == pytest.approx(0.5 * (0.5 + 0.25))
    assert mark(advice, None).cost == 2.0


def test_a_question_is_hard_if_little_but_surely_something_is_at_stake() -> None:
    assert is_close(advice_of())
    assert not is_close(advice_of(COSTS | {3: 0.05}))
    assert not is_close(advice_of(COSTS | {3: 0.6}))
    assert not is_close(advice_of(half=0.4))
    only = advice_of()
    assert not is_close(replace(only, calls=(only.verdict,), close=(only.verdict,)))
