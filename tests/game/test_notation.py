import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.game.cards import DECK
from schmier_sim.game.notation import (
    MAX_LENGTH,
    NotationError,
    format_call,
    format_card,
    format_cards,
    parse_calls,
    parse_card,
    parse_cards,
)

hands = st.lists(st.sampled_from(DECK), unique=True, max_size=53)


@given(hands, st.booleans(), st.sampled_from([" ", ",", ", ", "\n", " ; "]))
def test_what_is_written_is_read_back(cards, symbols, between):
    text = between.join(format_card(card, symbols) for card in cards)
    assert parse_cards(text) == tuple(cards)
    assert parse_cards(text.lower()) == tuple(cards)
    assert parse_cards(format_cards(cards, symbols), count=len(cards)) == tuple(cards)


@given(hands)
def test_suit_then_rank_is_read_as_well(cards):
    text = " ".join("x" if card == "Jo" else card[-1] + card[:-1].replace("10", "T") for card in cards)
    assert parse_cards(text) == tuple(cards)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("AS KH 10D 2C", "AS KH 10D 2C"),
        ("as th 10d ct", "AS 10H 10D 10C"),
        ("S:AKJ h:t2", "AS KS JS 10H 2H"),
        ("♠AKJ ♥109", "AS KS JS 10H 9H"),
        ("S:10 9 H:A Jo", "10S 9S AH Jo"),
        ("S: A K, J", "AS KS JS"),
        ("♠A K ♡Q", "AS KS QH"),
        ("A♠️ K♥︎ 10♦️", "AS KH 10D"),
        ("SAKJ", "AS KS JS"),
        ("Joker", "Jo"),
        ("jk", "Jo"),
        ("*", "Jo"),
        ("x", "Jo"),
        ("S:JK", "JS KS"),
        ("S: H:A", "AH"),
        ("", ""),
    ],
)
def test_players_ways_to_write_cards(text, cards):
    assert format_cards(parse_cards(text)) == cards


def test_symbols_on_request():
    assert format_cards(["AS", "10D", "Jo"]) == "AS 10D Jo"
    assert format_cards(["AS", "10D", "Jo"], symbols=True) == "A♠ 10♦ Jo"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("AS ZZ", '"ZZ" is no card: write cards such as AS, 10D or Jo'),
        ("1S", '"1S" is no card'),
        ("11S", '"11S" is no card'),
        ("S:AX", '"S:AX" is no card'),
        ("AS as", "AS is there twice"),
        ("TD d10", "10D is there twice"),
        ("S:AKA", "AS is there twice"),
        ("Jo *", "Jo is there twice"),
        ("A", '"A" has no suit: write AS'),
        ("AS K", '"K" has no suit: write KS'),
        ("S:AK Jo Q", '"Q" has no suit'),
        ("t", '"t" has no suit: write 10S'),
        ("♥", '"♥" has no rank: write AH'),
        ("AKS", '"AKS" is no card: for several of one suit write S:AK'),
        ("ASKH", '"ASKH" is no card: put blanks between cards, AS KH'),
        ("S:A JK", "write Jo or S:JK"),
        ("A\x07S", '"A?S" is no card'),
        ("Z" * 500, '"ZZZZZZZZZZZZZZZZZZZ…" is no card'),
    ],
)
def test_bad_words_are_named_with_a_right_one(text, complaint):
    with pytest.raises(NotationError) as error:
        parse_cards(text)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "0 cards where 6 are wanted"),
        ("AS", r"1 card \(AS\) where 6 are wanted"),
        ("S:AKQJ1098", "7 cards .* where 6 are wanted"),
        (" ".join(DECK), "53 cards where 6 are wanted"),
    ],
)
def test_wrong_count_has_its_own_message(text, complaint):
    with pytest.raises(NotationError, match=complaint):
        parse_cards(text, count=6)


def test_single_card():
    assert parse_card("♦10") == "10D"
    with pytest.raises(NotationError, match="2 cards"):
        parse_card("AS KS")


@pytest.mark.parametrize("piece", ["A", " ", "AS ", "S:", "♠", "10", "\ufe0f", "S:A"])
def test_a_million_characters_are_answered_at_once(piece):
    text = piece * (1_000_000 // len(piece))
    start = time.perf_counter()
    with pytest.raises(NotationError):
        parse_cards(text)
    assert time.perf_counter() - start < 0.5


@given(st.text(max_size=40))
def test_any_text_is_cards_or_one_line(text):
    try:
        said = format_cards(parse_cards(text))
    except NotationError as error:
        said = str(error)
    assert len(said.splitlines()) <= 1


@given(
    st.lists(st.sampled_from([None, 3, 4, 5, 6]), max_size=6), st.sampled_from([" ", ",", ", ", ";", "\n"])
)
def test_calls_that_are_written_are_read_back(calls, between):
    assert parse_calls(between.join(format_call(call) for call in calls)) == tuple(calls)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("p 3 p", (None, 3, None)),
        ("P,4,Pass", (None, 4, None)),
        ("- – 5", (None, None, 5)),
        ("pass;PASS; 6", (None, None, 6)),
        ("3", (3,)),
        ("p p p p p p", (None,) * 6),
        ("", ()),
        (" , ;", ()),
    ],
)
def test_players_ways_to_write_calls(text, calls):
    assert parse_calls(text) == calls


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("p x", '"x" is no call: write p to pass or a bid from 3 to 6, such as "p 3 p"'),
        ("2", '"2" is no call'),
        ("7", '"7" is no call'),
        ("p33", '"p33" is no call'),
        ("3.0", '"3.0" is no call'),
        ("٣", '"٣" is no call'),
        ("03", '"03" is no call'),
        ("None", '"None" is no call'),
        ("p\x07", '"p?" is no call'),
        ("z" * 500, '"zzzzzzzzzzzzzzzzzzz…" is no call'),
        ("p p p p p p p", "7 calls are too many: each of the six seats calls once"),
        ("p " * MAX_LENGTH, f"{2 * MAX_LENGTH} characters are too many for calls"),
    ],
)
def test_bad_calls_are_named_with_a_right_one(text, complaint):
    with pytest.raises(NotationError) as error:
        parse_calls(text)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text(max_size=40))
def test_any_text_is_calls_or_one_line(text):
    try:
        said = str(parse_calls(text))
    except NotationError as error:
        said = str(error)
    assert len(said.splitlines()) <= 1
