"""Questions and answers of the quiz: told one by one, as a sheet in Markdown, and as JSON."""

import json
import math
import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import schmier_sim
from schmier_sim.analysis.advice import Advice, CallAdvice, Mean
from schmier_sim.analysis.quiz import Mark, Question, Quiz
from schmier_sim.analysis.situation import Situation
from schmier_sim.game.cards import Suit
from schmier_sim.game.laws import DEALER, high_bid
from schmier_sim.game.notation import SYMBOLS, format_call, format_cards
from schmier_sim.game.rules import Rules, ruleset_names
from schmier_sim.present.numbers import count, decimal, percent, plain
from schmier_sim.present.quoting import as_markdown
from schmier_sim.present.replay import SUIT_NAMES, WIDTH
from schmier_sim.present.words import BIDS, rules_name

SCHEMA = "schmier-sim/quiz/1"
LEAST_SHOWN = 0.01
"""Points and their errors that are not nothing are not written as nothing."""

TITLE = "What do you call?"
HOW_TO_ANSWER = (
    "Pass, or bid from 3 to 6 and name the suit. The dealer is seat 6; the seats call in turn from seat 1 on his left. "
    "Scores: {teams} before this deal, in a match to {target}; the answers go by points of the deal and do not weigh "
    "them. The answers are overleaf."
)
ANSWERS = "The answers"
ANSWERS_NOTE = (
    "Points that a call loses, on average of many deals with these six cards and these calls before: its team's score "
    "less the mean of the others', against that of the **best** call; ± is the 95\u00a0% interval. What is _too close_ "
    "to tell is right too. A dash: that call cannot be made. Bots played these deals, not people."
)
PAGE_BREAK = '<div style="page-break-before: always;"></div>'
HELP = (
    "Write p to pass, 3 to 6 to bid, or a bid with its suit: 4S, 4♠; q ends the quiz.",
    "Points: your team's score less the mean of the others', on average of many deals with these six cards and these "
    "calls before. Behind best: what a call loses; ±: 95 % interval; what is too close to tell is right too.",
    "Declares: how often you or your partner get the bid; made: how often that contract is made.",
    "Scores are shown, but the answers do not weigh them: what counts is the points of the deal.",
)


def ask(question: Question, number: int, of: int, *, symbols: bool = False) -> str:
    """Write a question of the quiz, with its last line feed."""
    asked = question.situation
    rows = {
        "cards": format_cards(asked.hand, symbols),
        "seat": seat_words(asked.seat, asked.rules),
        "calls": calls_words(asked),
        "scores": f"{scores_words(asked)} (to {asked.rules.target})",
    }
    lines = [f"Question {number} of {of} (deal {count(question.deal)})", ""]
    return "\n".join([*lines, *(f"  {name:<8}{text}" for name, text in rows.items())]) + "\n"


def judge(advice: Advice, mark: Mark, *, symbols: bool = False) -> str:
    """Write whether an answer is right, what each call costs, and why; with its last line feed."""
    lines = [_judgement(advice, mark)]
    if mark.suit_cost:
        lines.append(_suit_judgement(advice, mark))
    rows = [("", "behind best", "declares", "made"), *(_row(advice, one) for one in advice.calls)]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("   ".join([f"  {first.ljust(widths[0])}", *cells]).rstrip())
    lines += _wrapped(why(advice, symbols=symbols))
    if not advice.precise:
        lines.append("The wanted precision was not reached in time.")
    return "\n".join(lines) + "\n"


def summary(marks: Sequence[Mark], asked: int) -> str:
    """Write how the quiz of so many questions went, with its line feed."""
    if not marks:
        return "No question was answered.\n"
    best = sum(mark.cost == 0 for mark in marks)
    lost = math.fsum(mark.cost for mark in marks)
    noun = "question" if len(marks) == 1 else "questions"
    left = f" {asked - len(marks)} of {asked} questions were left." if len(marks) < asked else ""
    return (
        f"Best call in {best} of {len(marks)} {noun}. "
        f"Points lost: {decimal(lost)} in all, {decimal(lost / len(marks))} a question.{left}\n"
    )


def sheet(quiz: Quiz, first: int, items: Sequence[tuple[Question, Advice]], *, symbols: bool = True) -> str:
    """Write a sheet in Markdown: questions on the front, answers overleaf.

    Parameters
    ----------
    quiz : Quiz
    first : int
        The deal from which on questions were looked for.
    items : sequence of (Question, Advice)
        At least one.
    symbols : bool
        Write `A♠` instead of `AS`.
    """
    teams = (
        "your team, the one on your left, the one on your right"
        if quiz.rules.n_teams == 3
        else "your team first,"
    )
    lines = [f"# {TITLE}", "", HOW_TO_ANSWER.format(teams=teams, target=quiz.rules.target), ""]
    for number, (question, _) in enumerate(items, start=1):
        lines += [*_front(number, question.situation, symbols), ""]
    lines += [PAGE_BREAK, "", f"# {ANSWERS}", "", ANSWERS_NOTE, ""]
    lines += ["| | best call |" + "".join(f" {name} |" for name in ("pass", *BIDS))]
    lines += ["| ---: | :--- |" + " ---: |" * (1 + len(BIDS))]
    lines += [_answer_row(number, advice, symbols) for number, (_, advice) in enumerate(items, start=1)]
    lines.append("")
    lines += [
        f"{number}. {why(advice, symbols=symbols)}" for number, (_, advice) in enumerate(items, start=1)
    ]
    if not all(advice.precise for _, advice in items):
        lines += ["", "Not every answer is as precise as was wanted: see the numbers after ±."]
    return "\n".join([*lines, "", *_foot(quiz, first, items)]) + "\n"


def to_json(quiz: Quiz, first: int, items: Sequence[tuple[Question, Advice]]) -> str:
    """Write questions and answers as one line of JSON, schema `schmier-sim/quiz/1`; not-a-number is null."""
    run = {
        "version": schmier_sim.__version__,
        "rules": quiz.rules.to_dict(),
        "bots": quiz.bots,
        "tempers": quiz.tempers,
        "mode": "auction",
        "sample": "natural",
        "seed": quiz.seed,
        "first": first,
        "seat": quiz.seat,
        "close": quiz.close,
        "precision": quiz.precision,
    }
    questions = [_describe(number, *item) for number, item in enumerate(items, start=1)]
    value = {"schema": SCHEMA, "run": run, "questions": questions}
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def help_text() -> str:
    """Write how to answer, and what the answers' numbers are."""
    return "\n".join(line for part in HELP for line in _wrapped(part)) + "\n"


def seat_words(seat: int, rules: Rules) -> str:
    """Say where a player sits, and who are his partners: `3, your partner is seat 6, who deals`."""
    partners = [
        other for other in range(1, DEALER + 1) if other != seat and rules.team(other) == rules.team(seat)
    ]
    named = " and ".join(f"{other}, who deals" if other == DEALER else str(other) for other in partners)
    own = f"{seat}, you deal" if seat == DEALER else str(seat)
    return (
        f"{own}; your partner is seat {named}"
        if len(partners) == 1
        else f"{own}; your partners are seats {named}"
    )


def calls_words(asked: Situation) -> str:
    """Tell the calls so far; neighbours who pass are told together: `seats 1 and 2 pass, seat 3 bids 4`."""
    told = []
    own = asked.rules.team(asked.seat)
    for bid, run in groupby(asked.calls, key=lambda call: call[1]):
        seats = [seat for seat, _ in run]
        first = f"seat {seats[0]}"
        if asked.rules.team(seats[0]) == own and len(seats) == 1:
            first += " (partner)"
        if bid is not None:
            told.append(f"{first} bids {bid}")
        elif len(seats) == 1:
            told.append(f"{first} passes")
        else:
            told.append(f"seats {seats[0]} {'and' if len(seats) == 2 else 'to'} {seats[-1]} pass")
    return ", ".join(told) or "none, you call first"


def scores_words(asked: Situation) -> str:
    """Tell the scores: `you 14, left 9, right 18`."""
    names = ("you", "left", "right") if len(asked.scores) == 3 else ("you", "they")
    return ", ".join(f"{name} {decimal(score, 0)}" for name, score in zip(names, asked.scores, strict=True))


def bid_words(call: int | None, suit: Suit | None) -> str:
    """Write a call with its suit: `4 in spades`, `pass`."""
    return format_call(call) if call is None or suit is None else f"{call} in {SUIT_NAMES[suit]}"


def why(advice: Advice, *, symbols: bool = False) -> str:
    """Say in one line why the verdict is what it is: the chance, and where the points come from."""
    asked, best = advice.situation, advice.verdict
    bids = [one for one in advice.calls if one.call is not None]
    shown = best if best.call is not None else bids[0]
    assert shown.call is not None  # there is always a bid: after a 6 nobody is asked
    one = advice.suit(shown.suit)
    name = f"{SYMBOLS[one.suit]} {SUIT_NAMES[one.suit]}" if symbols else SUIT_NAMES[one.suit]
    chance = f"{_share(one.make[shown.call].value)} % make {shown.call}"
    points = f"{decimal(one.mean_points.value, 1)} points on average"
    sources = ", ".join(f"{point} {_share(won.value)}" for point, won in one.won.items()).replace(
        ",", " %,", 1
    )
    told = f"{name}: {chance}, {points} ({sources})."
    if best.call is not None:
        return told[0].upper() + told[1:]
    highest = high_bid(asked.calls)
    reason = "Pass"
    if highest is not None and asked.rules.team(highest[0]) == asked.rules.team(asked.seat):
        reason = "Your partner has the bid"
        if math.isfinite(best.make.value):
            reason += f", and it is made in {_share(best.make.value)} %"
    return f"{reason}; your best suit is {told}"


def _judgement(advice: Advice, mark: Mark) -> str:
    best = bid_words(advice.verdict.call, advice.verdict.suit)
    said = bid_words(mark.call.call, mark.suit)
    if not mark.right:
        return f"Not best: {said} loses {_points(mark.call.behind_best)} points; best is {best}."
    if mark.suit_cost:
        return f"The bid is right: {mark.call.call}. But name {SUIT_NAMES[mark.call.suit]}."
    if mark.call is advice.verdict:
        others = [bid_words(one.call, None) for one in advice.close if one is not mark.call]
        also = f" ({' or '.join(others)}: too close to tell)" if others else ""
        return f"Right: {said if mark.suit else best}{also}."
    return f"Right: {said} is too close to the best, {best}, to tell."


def _suit_judgement(advice: Advice, mark: Mark) -> str:
    bid = mark.call.call
    assert bid is not None  # only a bid names a suit
    assert mark.suit is not None
    shares = [
        f"{SUIT_NAMES[suit]} {_share(advice.suit(suit).make[bid].value)} %"
        for suit in (mark.suit, mark.call.suit)
    ]
    lost = decimal(max(mark.suit_cost, LEAST_SHOWN))
    return f"The suit costs about {lost} points: {bid} is made in {shares[0]}, {shares[1]}."


def _row(advice: Advice, one: CallAdvice) -> tuple[str, str, str, str]:
    behind = "best" if one is advice.verdict else _points(one.behind_best)
    if one in advice.close and one is not advice.verdict:
        behind = f"too close: {behind}"
    return (
        bid_words(one.call, one.suit),
        behind,
        f"{_share(one.wins_auction.value)} %",
        f"{_share(one.make.value)} %" if math.isfinite(one.make.value) else _share(one.make.value),
    )


def _front(number: int, asked: Situation, symbols: bool) -> list[str]:
    """A question on paper: lines of one paragraph, apart by the two blanks that every converter knows."""
    cards = format_cards(asked.hand, symbols).replace(" ", "\u00a0\u00a0")
    return [
        f"**{number}.\u00a0\u00a0 {cards}**  ",
        f"Seat {seat_words(asked.seat, asked.rules)}. Scores: {scores_words(asked)}.  ",
        f"Calls: {calls_words(asked)}. You: ..............",
    ]


def _answer_row(number: int, advice: Advice, symbols: bool) -> str:
    best = advice.verdict
    name = format_call(best.call)
    if best.call is not None:
        name += f" {SYMBOLS[best.suit]}" if symbols else f" {SUIT_NAMES[best.suit]}"
    cells = {one.call: _points(one.behind_best) for one in advice.calls}
    cells |= {one.call: f"_too close_ {cells[one.call]}" for one in advice.close} | {best.call: "**best**"}
    row = [f"{number}", f"**{name}**", *(cells.get(call, "–") for call in (None, *BIDS))]
    return "| " + " | ".join(row) + " |"


def _foot(quiz: Quiz, first: int, items: Sequence[tuple[Question, Advice]]) -> Iterable[str]:
    parts = [
        f"Rules {as_markdown(rules_name(quiz.rules))}",
        f"bots {quiz.bots}",
        *([f"tempers {quiz.tempers}"] if quiz.bots == "club" else []),  # the others have none
        f"seed {quiz.seed}",
        _deals([question.deal for question, _ in items]),
        f"schmier-sim {schmier_sim.__version__}",
    ]
    rules = quiz.rules.name if quiz.rules.name in ruleset_names() else "FILE.toml"
    words = [f"schmier-sim quiz --sheet {len(items)} --seed {quiz.seed} --first {first} --rules {rules}"]
    tempers = f" --tempers {quiz.tempers}" if quiz.bots == "club" else ""
    words += [f"--bots {quiz.bots}{tempers} --precision {quiz.precision:g}"]
    words += [f"--seat {quiz.seat}"] if quiz.seat is not None else []
    words += ["--close"] if quiz.close else []
    return ["---", "", " · ".join(parts), "", f"Made by `{' '.join(words)}`"]


def _describe(number: int, question: Question, advice: Advice) -> dict[str, Any]:
    asked, best = question.situation, advice.verdict
    calls = [
        {
            "call": one.call,
            "suit": one.suit,
            "wins_auction": plain(one.wins_auction.value),
            "make": plain(one.make.value),
            "relative": plain(one.relative.value),
            "behind_best": plain(one.behind_best.value),
            "behind_best_se": plain(one.behind_best.se),
        }
        for one in advice.calls
    ]
    return {
        "number": number,
        "deal": question.deal,
        "hand": list(asked.hand),
        "seat": asked.seat,
        "auction": list(asked.auction),
        "scores": list(asked.scores),
        "deals": advice.deals,
        "precise": advice.precise,
        "calls": calls,
        "verdict": {
            "call": best.call,
            "suit": best.suit,
            "close": [one.call for one in advice.close],
            "text": why(advice),
        },
    }


def _points(behind: Mean) -> str:
    """Write points with their interval; a width that would be rounded to nothing is written as the least one."""
    if not behind.half > 0:
        return decimal(behind.value)
    return f"{decimal(behind.value)} ±{decimal(max(behind.half, LEAST_SHOWN))}"


def _deals(numbers: Sequence[int]) -> str:
    """Name deals: `deals 0 to 11`, `deals 3, 8, 9`."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"deals {numbers[0]} to {numbers[-1]}"
    return f"{'deal' if len(numbers) == 1 else 'deals'} {', '.join(map(str, numbers))}"


def _wrapped(text: str) -> list[str]:
    """Break a text into lines, but not before a percent sign."""
    lines = textwrap.wrap(text.replace(" %", "\u00a0%"), WIDTH, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines]


def _share(probability: float) -> str:
    return percent(probability, 0)
