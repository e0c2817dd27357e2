"""Advice in words, tables, JSON and CSV."""

import csv
import io
import json
from dataclasses import replace

import numpy as np

from schmier_sim.analysis.advice import Advice, CallAdvice, Chance, Mean, SuitAdvice
from schmier_sim.analysis.outlook import Weakening
from schmier_sim.analysis.situation import make_situation
from schmier_sim.analysis.whatif import SwapAdvice
from schmier_sim.game.cards import POINTS, SUITS
from schmier_sim.game.rules import Rules
from schmier_sim.present import hand_files, hands

HAND = ("AS", "KS", "JC", "2S", "10H", "9D")
NONE = Chance(float("nan"), 0.0, 1.0)


def chance(value: float) -> Chance:
    return Chance(value, max(value - 0.004, 0.0), min(value + 0.004, 1.0))


def suit_advice(suit: str, points: tuple[int, ...]) -> SuitAdvice:
    deals = sum(points)
    won = {point: chance(0.9 - 0.1 * number) for number, point in enumerate(POINTS)}
    failed = {point: 0.1 * number for number, point in enumerate(POINTS)}
    return SuitAdvice(
        suit,
        deals,
        points,
        Mean(float(np.arange(7) @ points) / deals, 0.01),
        {bid: chance(sum(points[bid:]) / deals) for bid in (3, 4, 5, 6)},
        {bid: Mean(float(bid - 4), 0.01) for bid in (3, 4, 5, 6)},
        won,
        {bid: failed if any(points[:bid]) else dict.fromkeys(POINTS, float("nan")) for bid in (3, 4, 5, 6)},
    )


def call_advice(call: int | None, behind: float, suit: str = "S") -> CallAdvice:
    return CallAdvice(
        call,
        suit,
        chance(0.9),
        chance(0.713),
        Mean(3.0, 0.01),
        (Mean(1.0, 0.01), Mean(0.5, 0.01)),
        Mean(2.25 - behind, 0.01),
        Mean(behind, 0.0 if behind == 0 else 0.02),
        (0.25, 0.5, 0.125),
    )


def advice(**changes: object) -> Advice:
    """A made-up answer: 4 in spades is best, for seat 3 after pass and 3."""
    calls = (call_advice(None, 0.92), call_advice(4, 0.0), call_advice(5, 1.5), call_advice(6, 3.0))
    found = Advice(
        situation=make_situation(HAND, 3, (None, 3)),
        seed=21,
        deals=10_000,
        effective_deals=10_000.0,
        chance=0.18,
        weakenings=(),
        suits=tuple(suit_advice(suit, (0, 0, 100, 300, 3000, 4000, 2600)) for suit in SUITS),
        calls=calls,
        verdict=calls[1],
        close=(calls[1],),
        precise=True,
        half_width=0.4,
        failures=(7, 8, 9),
    )
    return replace(found, **changes)


def test_a_verdict_names_call_suit_chances_and_what_others_cost() -> None:
    assert hands.verdict(advice()) == (
        "Bid 4 in spades. Your side wins the auction in 90.0 % ±0.4 of the deals and makes its contract in "
        "71.3 % ±0.4 of those; bidding 5 is 1.50 points worse, passing 0.92."
    )


def test_a_bid_in_another_suit_is_named_with_it() -> None:
    calls = (call_advice(3, 0.31, "H"), call_advice(4, 0.0))
    text = hands.verdict(advice(calls=calls, verdict=calls[1], close=calls[1:]))
    assert "bidding 3 in hearts is 0.31 points worse" in text
    assert text.startswith("You may not pass here. Bid 4 in spades.")


def test_calls_that_are_too_close_are_told_with_how_far_they_are_apart() -> None:
    calls = (call_advice(None, 0.92), call_advice(3, 0.02), call_advice(4, 0.0), call_advice(5, 0.01, "H"))
    text = hands.verdict(advice(calls=calls, verdict=calls[2], close=calls[1:]))
    assert text.startswith("Too close to call between 3 in spades, 4 in spades and 5 in hearts: ")
    assert "3 brings 0.02 ±0.04 points less than 4, 5 in hearts brings 0.01 ±0.04 points less than 4." in text
    assert "With 4 your side wins the auction in 90.0 % ±0.4" in text
    assert text.endswith("; passing is 0.92 points worse.")
    text = hands.verdict(advice(calls=calls[:3], verdict=calls[2], close=calls[1:3]))
    assert text.startswith("Too close to call between 3 and 4 in spades: ")
    better = (calls[0], replace(calls[1], behind_best=Mean(-0.03, 0.02)), calls[2])
    text = hands.verdict(advice(calls=better, verdict=calls[2], close=better[1:]))
    assert "3 brings 0.03 ±0.04 points more than 4" in text
    same = (calls[0], replace(calls[1], behind_best=Mean(0.0, 0.0)), calls[2])
    assert "3 brings the same as 4." in hands.verdict(advice(calls=same, verdict=calls[2], close=same[1:]))
    passing = (replace(calls[0], behind_best=Mean(0.01, 0.02)), calls[2])
    text = hands.verdict(advice(calls=passing, verdict=calls[2], close=passing))
    assert text.startswith("Too close to call between passing and 4 in spades: passing brings 0.01")


def test_passing_says_what_becomes_of_the_deal() -> None:
    best, bid = call_advice(None, 0.0), call_advice(4, 1.0)

    def told(auction: tuple[int | None, ...], call: CallAdvice) -> str:
        situation = make_situation(HAND, len(auction) + 1, auction)
        return hands.verdict(advice(situation=situation, calls=(call, bid), verdict=call, close=(call,)))

    open_text = told((None, None), best)
    assert open_text.startswith("Pass. Your side still declares in 90.0 % ±0.4 of the deals and makes")
    assert open_text.endswith("; bidding 4 in spades is 1.00 points worse.")
    never = replace(best, wins_auction=Chance(0.0, 0.0, 0.001), make=NONE)
    assert told((None, None), never).startswith("Pass. Your side then hardly ever declares;")
    assert told((None, None, None, None, 3), never).startswith("Pass. The others then declare;")
    assert told((3,), never).startswith("Pass. Your side then hardly ever declares;")
    assert told((None,) * 5, never).startswith(
        "Pass. All six have then passed, and the cards are dealt anew;"
    )
    sure = replace(best, wins_auction=Chance(1.0, 0.999, 1.0))
    assert "Your side then declares all the same" in told((None, None, 3, None, None), sure)


def test_a_chance_that_is_certain_has_no_interval_and_one_that_was_only_counted_has() -> None:
    sure = replace(call_advice(6, 0.0), wins_auction=Chance(1.0, 0.999, 1.0))
    text = hands.to_text(advice(calls=(sure,), verdict=sure, close=(sure,)))
    assert "6 in spades        100.0     71.3 ±0.4" in text
    counted = replace(call_advice(4, 0.0), wins_auction=Chance(1.0, 0.999, 1.0))
    text = hands.to_text(advice(calls=(counted,), verdict=counted, close=(counted,)))
    assert "4 in spades   100.0 −0.1     71.3 ±0.4" in text
    assert "wins the auction in at least 99.9 % of the deals" in " ".join(text.split())
    assert "100.0 −0.1 is from 99.9 to 100.0" in " ".join(text.split())


def test_conditions_are_told() -> None:
    text = " ".join(hands.to_text(advice()).split())
    assert "After pass, 3: the other hands are drawn so that these bots would call just like that" in text
    assert "in 18.0 % of deals. 10,000 deals." in text
    few = advice(effective_deals=4_000.0, chance=0.0001)
    text = " ".join(hands.to_text(few).split())
    assert "they do in one of 10,000 deals. 10,000 deals; they tell as much as 4,000 independent ones" in text
    deaf = replace(advice().situation, heeds_calls=False)
    assert "drawn as if nobody had called (--ignore-calls)" in " ".join(
        hands.to_text(advice(situation=deaf)).split()
    )
    first = make_situation(HAND, 1)
    assert "Nobody has called before you" in hands.to_text(advice(situation=first))
    for seat, told in ((2, "seat 1 has passed"), (3, "seats 1 and 2 have passed"), (6, "seats 1 to 5 have")):
        assert f"After {told}" in hands.to_text(advice(situation=make_situation(HAND, seat)))


def test_calls_of_which_less_was_asked_are_told() -> None:
    situation = make_situation(HAND, 4, (3, 5, None))
    weaker = advice(
        situation=situation, weakenings=(Weakening(2, 5, 3), Weakening(1, 3, None), Weakening(3, None, None))
    )
    text = " ".join(hands.to_text(weaker).split())
    # After a bid of 3 nobody bids 3 again.
    assert "The bots hardly ever bid 5 in seat 2 here: hands were drawn that bid 4 or more." in text
    assert "The bots hardly ever bid 3 in seat 1 here: nothing was asked of that hand." in text
    assert "The bots hardly ever pass in seat 3 here: nothing was asked of that hand." in text
    assert "as far as they ever do" in text


def test_at_a_score_the_ends_of_the_match_are_shown_and_what_is_not_weighed() -> None:
    assert "match" not in hands.to_text(advice())
    scored = advice(situation=make_situation(HAND, 3, (None, 3), (14, 9, -18)))
    text = hands.to_text(scored)
    assert "scores 14, 9, −18" in text
    assert "is not weighed" in " ".join(text.split())
    ends = text.partition("wins the match now, %")[2].splitlines()
    assert ends[1].split() == ["call", "yours", "left", "right"]
    assert ends[2].split() == ["pass", "25.0", "50.0", "12.5"]


def test_best_and_close_calls_are_marked() -> None:
    calls = (call_advice(None, 0.92), call_advice(3, 0.02), call_advice(4, 0.0))
    lines = hands.to_text(advice(calls=calls, verdict=calls[2], close=calls[1:])).splitlines()
    marks = {line.split()[0]: line for line in lines if line.startswith(("pass ", "3 in", "4 in"))}
    assert marks["pass"].endswith("0.92 ±0.04")
    assert marks["3"].endswith("0.02 ±0.04  too close")
    assert marks["4"].endswith("–  best")


def test_an_interval_is_nothing_only_where_calls_never_differ() -> None:
    for error, told in ((0.001, "±0.01"), (0.0, "±0.00"), (0.01, "±0.02")):
        calls = (replace(call_advice(3, 1.0), behind_best=Mean(1.0, error)), call_advice(4, 0.0))
        assert f"1.00 {told}\n" in hands.to_text(advice(calls=calls, verdict=calls[1], close=calls[1:]))


def test_the_suit_of_the_verdict_stands_first() -> None:
    suits = tuple(suit_advice(suit, (0, 0, 100, 300, 3000, 4000, 2600 + n)) for n, suit in enumerate(SUITS))
    calls = (call_advice(4, 0.0, "H"),)
    text = hands.to_text(advice(suits=suits, calls=calls, verdict=calls[0], close=calls))
    block = text.partition("bid is made, %")[2].splitlines()
    assert [line.split()[0] for line in block[2:6]] == ["hearts", "diamonds", "clubs", "spades"]
    symbols = hands.to_text(advice(suits=suits, calls=calls, verdict=calls[0], close=calls), symbols=True)
    assert "\n4 ♥ " in symbols
    assert "\n♥ " in symbols
    assert symbols.startswith("Hand A♠ K♠ 2♠")


def test_the_point_that_is_missing_most_often_is_told() -> None:
    text = " ".join(hands.to_text(advice()).split())
    assert "Where 4 in spades fails, what is missing most often is game, in 50 % of those deals." in text
    safe = tuple(suit_advice(suit, (0, 0, 0, 0, 3000, 4000, 2600)) for suit in SUITS)
    assert "4 in spades never failed in these deals." in hands.to_text(advice(suits=safe))
    passing = advice().calls[0]
    text = " ".join(hands.to_text(advice(verdict=passing, close=(passing,))).split())
    assert "Where 4 in spades fails" in text  # the lowest bid that one might make


def test_the_seat_is_told_by_who_deals() -> None:
    two = Rules(name="two-teams", teams="2x3")
    for rules, seat, told in (
        (Rules(), 1, "seat 1, an opponent deals"),
        (Rules(), 3, "seat 3, your partner deals"),
        (Rules(), 6, "seat 6, you deal"),
        (two, 3, "seat 3, an opponent deals"),
        (two, 4, "seat 4, your partner deals"),
    ):
        situation = make_situation(HAND, seat, rules=rules)
        calls = tuple(replace(call, others=call.others[: rules.n_teams - 1]) for call in advice().calls)
        text = hands.to_text(advice(situation=situation, calls=calls, verdict=calls[1], close=calls[1:2]))
        assert told in text.splitlines()[0]
        assert ("theirs" in text) == (rules.teams == "2x3")
        assert ("your left and your right" in " ".join(text.split())) == (rules.teams == "3x2")


def test_a_deal_that_is_passed_out_is_explained_where_it_may_come_to_that() -> None:
    note = "all six pass"
    assert note not in " ".join(hands.to_text(advice()).split())
    assert note in " ".join(hands.to_text(advice(situation=make_situation(HAND, 3))).split())


SWAPS = (
    SwapAdvice("9D", "3S", 5, "S", Mean(0.7, 0.02)),
    SwapAdvice("AS", "QS", None, "S", Mean(-2.7, 0.03)),
    SwapAdvice("2S", "Jo", 3, "H", Mean(float("nan"), float("nan"))),
    SwapAdvice("JC", "JS", 4, "S", Mean(0.75, 0.02)),
)


def test_swaps_stand_best_first() -> None:
    text = hands.to_text(advice(), swaps=SWAPS)
    rows = text.partition("best call then\n")[2].splitlines()[:4]
    assert [row.split()[:2] for row in rows] == [["JC", "JS"], ["9D", "3S"], ["AS", "QS"], ["2S", "Jo"]]
    assert rows[0].split()[2:] == ["+0.75", "±0.04", "4", "in", "spades"]
    assert rows[2].split()[2:] == ["−2.70", "±0.06", "pass"]
    assert rows[3].split()[2:] == ["–", "3", "in", "hearts"]
    found = json.loads(hand_files.to_json(advice(), 0.5, swaps=SWAPS))["what_if"]
    assert [swap["give"] for swap in found] == ["JC", "9D", "AS", "2S"]
    assert found[3]["gain"] is None


def test_no_line_is_wider_than_a_hundred_columns_and_none_says_nan() -> None:
    unknown = replace(
        call_advice(4, 0.0), make=NONE, own=Mean(float("nan"), float("nan")), relative=Mean(1.0, float("nan"))
    )
    rules = Rules(name="a-club-with-a-long-name", all_pass="next-dealer", low_to="taker", dealer_steals=True)
    situation = make_situation(HAND, 6, (None, 3, 4, None, None), (14, 9, -18), rules)
    for found in (
        advice(),
        advice(calls=(unknown,), verdict=unknown, close=(unknown,), situation=situation, effective_deals=9.0),
        advice(situation=situation, weakenings=(Weakening(2, 3, None), Weakening(3, 4, 4))),
    ):
        for symbols in (False, True):
            text = hands.to_text(found, symbols=symbols, swaps=SWAPS)
            assert max(map(len, text.splitlines())) <= 100
            assert "nan" not in text.lower()
    assert max(map(len, hands.glimpse(advice()))) < 80
    assert "nan" not in " ".join(hands.glimpse(advice(calls=(unknown,), verdict=unknown))).lower()


def test_json_has_null_where_nothing_is_known() -> None:
    unknown = replace(call_advice(4, 0.0), make=NONE)
    found = json.loads(hand_files.to_json(advice(calls=(unknown,), verdict=unknown, close=(unknown,)), 0.5))
    assert found["calls"][0]["make"] is None
    assert found["calls"][0]["equity"] is None
    assert found["verdict"]["close"] == [4]
    assert "line" not in found
    assert json.loads(hand_files.to_json(advice(), 0.5, line=3))["line"] == 3


def test_csv_has_a_column_for_each_call_and_nothing_for_calls_that_may_not_be_made() -> None:
    weaker = advice(weakenings=(Weakening(2, 3, None),))
    row = next(csv.DictReader(io.StringIO(hand_files.csv_head() + hand_files.to_csv(weaker, line=4))))
    assert (row["line"], row["hand"], row["seat"], row["auction"]) == (
        "4",
        "AS KS 2S 10H JC 9D",
        "3",
        "pass 3",
    )
    assert (row["verdict"], row["suit"], row["close"], row["weakened"]) == ("4", "S", "4", "2")
    assert (row["behind_pass"], row["behind_3"], row["behind_4"], row["behind_5"]) == (
        "0.92",
        "",
        "0.0",
        "1.5",
    )
    assert (row["make"], row["behind_5_se"], row["deals"]) == ("0.713", "0.02", "10000")


def test_what_was_reached_is_said() -> None:
    text = hands.reached(advice(half_width=0.83), 0.5)
    assert "10,000 deals" in text
    assert "±0.830 percentage points (wanted 0.500), differences between calls to ±0.039 points" in text


def by_equity(**changes: object) -> Advice:
    """The same at a score, in chances to win the match: 4 is best, 5 within error, a pass 2.3 points behind."""

    def with_equity(call: CallAdvice, behind: float, half: float) -> CallAdvice:
        se = 0.0 if behind == 0 else half / 1.96
        return replace(call, equity=Mean(0.41 - behind, 0.001), equity_behind=Mean(behind, se))

    usual = advice()
    calls = tuple(
        with_equity(call, behind, 0.004)
        for call, behind in zip(usual.calls, (0.023, 0.0, 0.031, 0.12), strict=True)
    )
    situation = make_situation(HAND, 3, (None, 3), (18, 3, 14))
    return replace(
        usual, situation=situation, calls=calls, verdict=calls[1], close=(calls[1],), before=0.388, **changes
    )


def test_the_verdict_is_in_chances_to_win_the_match() -> None:
    text = hands.to_text(by_equity())
    assert "bidding 5 costs 3.1 percentage points of winning the match, passing 2.3." in " ".join(
        text.split()
    )
    assert "At 18, 3, 14 (yours first) your team wins the match in 38.8 %" in " ".join(text.split())
    line = next(line for line in text.splitlines() if line.startswith("pass"))
    assert line.split()[-3:] == ["38.7", "2.3", "±0.4"]
    best = next(line for line in text.splitlines() if line.startswith("4 in spades"))
    assert best.split()[-3:] == ["41.0", "–", "best"]
    assert max(map(len, text.splitlines())) <= 100
    assert "bids by equity" in text


def test_calls_that_win_as_many_matches_are_too_close() -> None:
    close = by_equity()
    calls = (*close.calls[:2], replace(close.calls[2], equity_behind=Mean(0.001, 0.001)), close.calls[3])
    text = hands.verdict(replace(close, calls=calls, close=(calls[1], calls[2])))
    assert text.startswith(
        "Too close to call between 4 and 5 in spades: 5 wins 0.1 ±0.2 percentage points fewer matches than 4. "
    )


def test_it_is_said_whether_the_score_changes_the_call() -> None:
    same, other = by_equity(), by_equity(beginning=advice().calls[0])
    assert "At the beginning of a match the call would be no other" in " ".join(hands.to_text(same).split())
    assert "The score changes the call: at the beginning of a match it would be passing." in " ".join(
        hands.to_text(other).split()
    )
    assert json.loads(hand_files.to_json(same, 0.5))["at_the_beginning"] is None
    assert json.loads(hand_files.to_json(other, 0.5))["at_the_beginning"] == {"call": None, "suit": "S"}


def test_programs_are_told_chances_too() -> None:
    answer = json.loads(hand_files.to_json(by_equity(), 0.5))
    assert [call["equity"] for call in answer["calls"]] == [0.387, 0.41, 0.379, 0.29]
    assert answer["calls"][0]["equity_behind"] == 0.023
    assert answer["calls"][0]["behind_best"] == 0.92
    assert answer["equity_before"] == 0.388
    assert answer["run"]["bidding"] == "equity"
    by_points = json.loads(hand_files.to_json(advice(), 0.5))
    assert by_points["calls"][0]["equity"] is None
    assert by_points["equity_before"] is None
    row = next(csv.DictReader(io.StringIO(hand_files.csv_head() + hand_files.to_csv(by_equity()))))
    assert (row["equity"], row["equity_behind_pass"], row["behind_pass"]) == ("0.41", "0.023", "0.92")
    assert row["equity_behind_3"] == ""
