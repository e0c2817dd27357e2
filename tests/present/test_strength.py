"""The page about the bots' strength, and its goals."""

import re
from dataclasses import replace
from itertools import permutations

import pytest

from schmier_sim.analysis.strength import FULL, QUICK, Goal, Sizes, goals_of, measure
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.present.strength import page

TINY = Sizes(300, 2, 4, 6, 42, 400, 2, 3)


@pytest.fixture(scope="module")
def strength():
    return measure(TINY, seed=7, workers=1)


def test_the_page_has_every_part_with_its_command(strength):
    text = page(strength)
    commands = re.findall(r"^```sh\n(.*)\n```$", text, re.MULTILINE)
    assert commands == [
        "schmier-sim duel --all -n 300 --seed 7",
        "schmier-sim duel search club -n 2 --worlds 2 --seed 7",
        "schmier-sim duel search club -n 2 --worlds 3 --seed 7",
        "schmier-sim audit --part regret -n 4 --worlds 3 --seed 7",
        "schmier-sim audit --part response -n 6 --worlds 3 --seed 7",
        "schmier-sim audit --part cells -n 42 --worlds 3 --seed 7",
        "schmier-sim audit --part calibration -n 400 --seed 7",
    ]
    assert all(f"\n{one.ljust(10)}  {other} " in text for one, other in permutations(BOT_NAMES, 2))
    assert text.count("\n| ---") == 7
    assert not re.search(r"\bnan\b", text)


def test_the_page_is_the_same_every_time(strength):
    assert page(measure(TINY, seed=7, workers=1)) == page(strength)


def test_goals_are_those_that_were_set(strength):
    goals = {goal.name: (goal.bound, goal.at_least) for goal in goals_of(strength)}
    assert goals == {
        "random": (0.75, True),
        "simple": (0.7, True),
        "response": (0.15, False),
        "search": (0.42, False),
        "cells": (0.02, False),
        "calibration": (0.015, False),
    }
    text = page(strength)
    for goal in ("≥ 75.0", "≥ 70.0", "≤ 0.15", "≤ 42.0", "≤ 2.0", "≤ 1.5"):
        assert f"| {goal} |" in text


@pytest.mark.parametrize(
    ("low", "high", "least", "most"),
    [(0.8, 0.9, True, False), (0.5, 0.6, False, True), (0.65, 0.75, None, None)],
)
def test_a_goal_is_reached_where_the_whole_interval_says_so(low, high, least, most):
    goal = Goal("simple", 0.7, True, (low + high) / 2, low, high)
    assert goal.reached is least
    assert replace(goal, at_least=False).reached is most


def test_quick_is_less_than_full():
    assert all(getattr(QUICK, name) < getattr(FULL, name) for name in Sizes.__dataclass_fields__)
