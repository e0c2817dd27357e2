"""The page about rules of card play."""

import re
from dataclasses import replace

import pytest

from schmier_sim.analysis.playcandidates import CANDIDATES
from schmier_sim.analysis.playrules import play_rules
from schmier_sim.present.numbers import MISSING
from schmier_sim.present.playrules import (
    MIXED,
    NO_DIFFERENCE,
    PAGE,
    SMALL,
    TESTED,
    WRONG,
    cost,
    page,
    verdict,
)


def rows_of(text):
    """Cells of all tables by rule, without the number before it."""
    cells = [line.strip("| ").split(" | ") for line in text.split("\n") if line.startswith("| ")]
    return {re.sub(r"^\d\. ", "", row[0]): row[1:] for row in cells}


def test_the_page_that_ships_is_that_of_the_figures_that_ship():
    assert PAGE.read_text(encoding="utf-8") == page(play_rules())


def test_every_rule_has_a_row_with_its_figures():
    rows = rows_of(page(play_rules()))
    for rule in play_rules().rules:
        cells = rows[rule.rule]
        assert cost(rule.cost_per_deal, rule.cost_per_deal_se) in cells
        assert cost(rule.blind_cost, rule.blind_cost_se) in cells
        assert f"{rule.per_100:.1f}" in cells
        if not rule.kept:
            assert verdict(rule) in cells


def test_every_rule_says_how_it_was_tested():
    assert set(TESTED) == {rule.key for rule in CANDIDATES}
    text = " ".join(page(play_rules()).split())
    assert all(words in text for words in TESTED.values())
    assert not re.search(r"\bnan\b|\bNone\b|\{|\}", text)


def test_a_rule_that_never_comes_up_has_dashes():
    some = play_rules()
    never = replace(some.rules[0], cost_per_occasion=None, cost_per_occasion_se=None, club_keeps=None)
    row = rows_of(page(replace(some, rules=(never, *some.rules[1:]))))[never.rule]
    assert MISSING in row


@pytest.mark.parametrize(
    ("worth", "error", "broken", "blind", "words"),
    [
        (0.01, 0.01, 0.01, 0.0, NO_DIFFERENCE),
        (-0.01, 0.01, 0.0, 0.01, NO_DIFFERENCE),
        (-0.1, 0.01, 0.05, 0.15, WRONG),
        (0.1, 0.01, 0.11, 0.01, SMALL),
        (0.1, 0.01, 0.2, 0.1, MIXED),
    ],
)
def test_verdicts_follow_from_the_figures(worth, error, broken, blind, words):
    rule = replace(
        play_rules().rules[0],
        worth=worth,
        worth_se=error,
        cost_per_deal=broken,
        cost_per_deal_se=error,
        blind_cost=blind,
        blind_cost_se=error,
    )
    assert verdict(rule) == words


def test_costs_are_written_with_their_intervals():
    assert cost(0.1234, 0.01) == "0.123 ±0.020"
    assert cost(-0.0101, 0.0001) == "−0.010 ±0.001"
    assert cost(0, 0) == "0"
    assert cost(None, None) == MISSING
