"""The page about common advice."""

import re
from dataclasses import replace

import pytest

from schmier_sim.analysis.folk import SCORE_MARGINS, SCORES, Effect, Sizes, measure
from schmier_sim.present.folk import NO_DIFFERENCE, SCORE_CLAIMS, SCORE_MARGIN, UNASKED, page, verdict
from schmier_sim.present.folk_texts import advice
from schmier_sim.present.numbers import signed

TINY = Sizes(400, 1, 6)


@pytest.fixture(scope="module")
def folk():
    return measure(TINY, seed=7, workers=1)


def rows_of(text):
    """Rows of all tables, by their first two cells."""
    cells = [line.strip("| ").split(" | ") for line in text.split("\n") if line.startswith("| ")]
    return {tuple(row[:2]): row[2:] for row in cells}


def test_the_page_has_a_row_for_all_advice_with_the_figures_that_were_measured(folk):
    rows = rows_of(page(folk))
    tested = advice(folk)
    assert len({one.claim for one in tested}) == len(tested) >= 10
    for one in tested:
        effect = folk.effects[one.pair]
        said, gain, changed = rows[one.claim, one.test]
        assert said == verdict(effect)
        if effect.changed:
            assert gain.startswith(f"{signed(effect.gain, 3)} ±")
            assert float(gain.split("±")[1]) == pytest.approx(max(1.96 * effect.error, 0.001), abs=0.0006)
            assert changed == "<0.1" or float(changed) == pytest.approx(100 * effect.changed, abs=0.051)


def test_the_page_has_matches_from_all_scores(folk):
    rows = rows_of(page(folk))
    for rule, begins in SCORES.items():
        for scores in begins:
            won = {one.margin: one.won for one in folk.shares if (one.rule, one.scores) == (rule, scores)}
            _, without, with_it, _ = rows[SCORE_CLAIMS[rule], "-".join(map(str, scores))]
            assert float(without) == pytest.approx(100 * won[0], abs=0.051)
            assert float(with_it) == pytest.approx(100 * won[SCORE_MARGIN[rule]], abs=0.051)


def test_the_greatest_effects_come_first(folk):
    tested = {one.claim: abs(folk.effects[one.pair].gain) for one in advice(folk)}
    claims = [first for first, _ in rows_of(page(folk)) if first in tested]
    assert claims == sorted(claims, key=lambda claim: -tested[claim])


def test_every_advice_and_reading_has_a_paragraph(folk):
    text = " ".join(page(folk).split())
    for one in advice(folk):
        assert f"**{one.claim}.**" in text
        for name, _ in one.readings:
            assert f"{name}: " in text
    assert all(f"**{claim}.**" in text for claim in SCORE_CLAIMS.values())
    assert not re.search(r"\bnan\b|\{|\}", text)


def test_bids_by_equity_are_told_where_they_were_played(folk):
    without = replace(folk, shares=tuple(one for one in folk.shares if one.margin is not None))
    assert "--bidding equity" not in page(without)
    scores = SCORES["lead"][0]
    base = next(one for one in without.shares if one.scores == scores and one.margin == 0)
    by_equity = replace(base, margin=None, matches=10_000, won=0.75)
    base = replace(base, matches=10_000, won=0.7)
    shares = tuple(base if (one.scores, one.margin) == (scores, 0) else one for one in without.shares)
    text = " ".join(page(replace(folk, shares=(*shares, by_equity))).split())
    assert "(`--bidding equity`): +5.0 ±1.2 from 15-9-9." in text


def test_margins_shown_for_matches_are_played():
    for (rule, _), margins in zip(SCORES.items(), SCORE_MARGINS, strict=True):
        assert SCORE_MARGIN[rule] in margins


def test_verdicts_follow_from_the_figures():
    assert verdict(Effect(0.0, 0.0, 0.0)) == UNASKED
    assert verdict(Effect(0.001, 0.001, 0.0001)) == UNASKED
    assert verdict(Effect(0.001, 0.001, 0.2)) == NO_DIFFERENCE
    assert verdict(Effect(-0.001, 0.001, 0.2)) == NO_DIFFERENCE
    assert verdict(Effect(0.003, 0.001, 0.2)) == "gains a little"
    assert verdict(Effect(0.03, 0.001, 0.2)) == "gains"
    assert verdict(Effect(-0.003, 0.001, 0.2)) == "costs a little"
    assert verdict(Effect(-0.3, 0.001, 0.2)) == "costs much"


def test_the_page_is_the_same_with_any_number_of_workers(folk):
    other = measure(TINY, seed=7, workers=3)
    assert page(other) == page(folk)
    assert page(replace(other, seed=8)) != page(folk)
