"""Cards, calls, scores, numbers, keys and filters: what is read means what it says, all else is refused in one line."""

import datetime
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
import typer
from hypothesis import example, given
from hypothesis import strategies as st

from schmier_sim.analysis.patterns import GRID, KEYS, PatternError, parse_keys, parse_where
from schmier_sim.cli import completion, parse
from schmier_sim.game.cards import DECK
from schmier_sim.game.holdings import HOLDINGS, parse_holding
from schmier_sim.game.notation import MAX_LENGTH, NotationError, format_cards, parse_calls, parse_cards
from schmier_sim.game.rules import Rules, load_rules
from tests.fuzz import readings
from tests.fuzz.budget import cases, in_time, read_or_refused
from tests.fuzz.grammar import (
    CALL_WORDS,
    CARD_WORDS,
    NUMBER_WORDS,
    SCORE_WORDS,
    WHERE_WORDS,
    Picks,
    auctions,
    comparisons,
    decimals,
    filters,
    hands,
    joined,
    team_scores,
    whole_numbers,
)
from tests.fuzz.program import TREE
from tests.fuzz.strategies import mixed, pieces, pool

RULE_SETS = (load_rules("standard"), load_rules("two-teams"))


def said(read: Callable[[str], object], text: str) -> tuple[Any, str]:
    """What is read, or the line that refuses it."""
    return read_or_refused(partial(read, text), NotationError, PatternError, typer.BadParameter)


@cases(120)
@given(mixed(hands(), CARD_WORDS), st.sampled_from([6, 6, None, 1]))
@example("ﬆ", None)
@example("Aſ", 1)
@example("A\u0301S", None)
def test_cards_are_those_that_a_simple_reader_finds(text: str, count: int | None) -> None:
    found, refusal = said(partial(parse_cards, count=count), text)
    wanted = readings.cards(text) if len(text) <= MAX_LENGTH else None
    if wanted is None or (count is not None and len(wanted) != count):
        assert refusal
    else:
        assert found == tuple(wanted)
        assert set(wanted) <= set(DECK)
        assert parse_cards(format_cards(wanted)) == parse_cards(format_cards(wanted, symbols=True)) == found


@cases(120)
@given(mixed(auctions, CALL_WORDS))
@example("paſſ")
def test_calls_are_those_that_a_simple_reader_finds(text: str) -> None:
    wanted = readings.calls(text) if len(text) <= MAX_LENGTH else None
    calls = None if wanted is None else tuple(wanted)
    assert said(parse_calls, text)[0] == calls
    assert said(parse.calls, text)[0] == (
        calls if calls is not None and len(calls) <= parse.MOST_CALLS else None
    )
    assert said(parse.call, text)[0] == (calls if calls is not None and len(calls) == 1 else None)


@cases(120)
@given(mixed(team_scores, SCORE_WORDS))
def test_scores_are_those_that_a_simple_reader_finds(text: str) -> None:
    wanted = readings.scores(text)
    assert said(parse.scores, text)[0] == (None if wanted is None else tuple(wanted))


@cases(120)
@given(mixed(whole_numbers, NUMBER_WORDS))
def test_a_whole_number_is_what_it_says(text: str) -> None:
    found, refusal = said(parse.whole(0, parse.MOST_SEED, "21"), text)
    if not refusal:
        assert found == readings.whole(text)
    elif len(text) < 30 and not any(letter in text for letter in "_,"):
        # What else is refused is no number to a person either: 1__0, 1,00, or some pages of zeros.
        wanted = readings.whole(text)
        assert wanted is None or not 0 <= wanted <= parse.MOST_SEED or wanted.denominator > 1
    deals, _ = said(parse.deals, text)
    assert deals == (found if found is not None and 1 <= found <= parse.MOST_DEALS else None)


@cases(120)
@given(mixed(decimals, [*NUMBER_WORDS, "%", "s", "nan", "inf"]))
@example("٣")
@example("1_0")
@example("1e-300")
def test_shares_and_times_are_plain_numbers_within_bounds(text: str) -> None:
    bounds = ((parse.points, "%", parse.LEAST_POINTS, 50), (parse.seconds, "s", 0, parse.MOST_SECONDS))
    for read, unit, least, most in bounds:
        value, refusal = said(read, text)
        if refusal:
            continue
        assert isinstance(value, float)
        assert least <= value <= most
        assert value > 0
        bare = text.strip().removesuffix(unit).strip()
        assert bare.isascii()
        assert "_" not in bare
        assert math.isclose(value, Fraction(bare), rel_tol=1e-12)


@cases(100)
@given(mixed(st.dates().map(str), pool("2026 - 11 30 1 W T ٣")))
def test_a_day_is_one_of_the_calendar(text: str) -> None:
    day, refusal = said(parse.day, text)
    if not refusal:
        assert isinstance(day, datetime.date)
        assert str(day) == text


@cases(100)
@given(mixed(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=40)))
def test_a_line_of_text_is_taken_as_it_is(text: str) -> None:
    line, refusal = said(parse.line, text)
    if not refusal:
        assert line == text
        assert text.isprintable()
        assert len(text) <= parse.MOST_LETTERS
        text.encode()


NAMES = pool("png svg pdf")


@cases(100)
@given(
    mixed(
        joined(st.lists(st.sampled_from(NAMES), max_size=4), st.sampled_from([",", ", ", ",,"])),
        [*NAMES, ",", "PNG"],
    )
)
def test_a_list_has_known_names_only(text: str) -> None:
    found, refusal = said(parse.some_of(*NAMES), text)
    wanted = [part.strip() for part in text.split(",") if part.strip()]
    assert bool(refusal) == (not wanted or not set(wanted) <= set(NAMES))
    assert refusal or found.split(",") == list(dict.fromkeys(wanted))
    assert said(parse.one_of(*NAMES), text)[0] == (text if text in NAMES else None)
    assert said(parse.suit, text)[0] in (None, *"SHCD")


@cases(100)
@given(
    mixed(
        st.lists(st.sampled_from(KEYS), unique=True, max_size=4).map(",".join),
        [*KEYS, ",", " , ", "trump", "holds_"],
    )
)
def test_keys_are_known_names_each_once(text: str) -> None:
    wanted = [name.strip() for name in text.split(",") if name.strip()]
    for rules in RULE_SETS:
        found, refusal = said(partial(parse_keys, rules=rules), text)
        assert bool(refusal) == (not set(wanted) <= set(KEYS) or len(set(wanted)) < len(wanted))
        assert refusal or [key.name for key in found] == wanted


@cases(50)
@given(
    st.lists(comparisons(), min_size=1, max_size=4),
    st.sampled_from([",", " and ", "&", " && ", " AND ", ", "]),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 768), st.integers(0, 3)), min_size=30, max_size=30),
)
def test_a_filter_picks_what_it_says(
    parts: list[tuple[str, Picks]], joiner: str, cells: list[tuple[int, int, int]]
) -> None:
    picked = parse_where(joiner.join(text for text, _ in parts), Rules())
    for cell in cells:
        assert picked[cell] == all(picks(*cell) for _, picks in parts), cell


@cases(120)
@given(mixed(filters, WHERE_WORDS))
@example('pattern="A\aK"')
@example("pattern='\ud800'")
@example("holds=\u212a")
def test_any_text_is_a_filter_or_refused(text: str) -> None:
    for rules in RULE_SETS:
        picked, refusal = said(partial(parse_where, rules=rules), text)
        if not refusal:
            assert (picked.shape, picked.dtype) == (GRID, np.bool_)
            assert np.array_equal(picked, parse_where(text, rules))


@cases(100)
@given(
    mixed(st.sampled_from([holding.text for holding in HOLDINGS]), [*"AKQRL2x* ,", *pool("10 T Jo jk joker")])
)
@example("A\a")
@example("\u0131")
def test_a_holding_is_what_a_simple_reader_finds(text: str) -> None:
    found, refusal = read_or_refused(lambda: HOLDINGS[parse_holding(text)].text.split(), ValueError)
    wanted = readings.tokens_of_holding(text) if len(text) <= 100 else None
    assert bool(refusal) == (wanted is None)
    assert wanted is None or sorted(found) == sorted(wanted)


READERS = {
    "cards": partial(parse_cards, count=6), "calls": parse_calls, "scores": parse.scores, "deals": parse.deals,
    "whole": parse.whole(0, parse.MOST_SEED, "21"), "points": parse.points, "seconds": parse.seconds, "day": parse.day,
    "line": parse.line, "suit": parse.suit, "names": parse.some_of(*NAMES), "shard": parse.shard,
    "address": parse.address, "keys": partial(parse_keys, rules=Rules()), "where": partial(parse_where, rules=Rules()),
}  # fmt: skip
LONG = [*pool("S A 10 S: ♠ x 3, - 1_ 1,111 trumps=3, ' e . 1/ a. ["), "p ", " ", "\u200b", "1e"]


@pytest.mark.parametrize("name", READERS)
@cases(len(LONG), among=100)
@given(st.sampled_from(LONG), pieces(most=3))
def test_a_million_characters_are_read_or_refused_at_once(name: str, piece: str, end: str) -> None:
    said(READERS[name], piece * (1_000_000 // len(piece)) + end)


LINES = pool(
    "schmier-sim hand table rules show --bots --json -o --by trumps, ' \" \\ | --rules=st a.parquet ; $( --"
)


@cases(100)
@given(mixed(st.lists(st.sampled_from(LINES), max_size=6).map(" ".join), [*LINES, " "]))
@example("schmier-sim " + "a" * 100_000)
def test_a_shell_that_completes_any_line_gets_offers(line: str) -> None:
    with in_time():
        first, *offers = completion.answer(TREE, line).splitlines()
    assert first.split()[0] in (completion.WORDS, completion.FILES, completion.FOLDERS)
    assert all("\t" in offer for offer in offers)
