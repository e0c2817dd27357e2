"""Lessons tell what comes of each card on the very deal, and practice moves the tables to the cards that do better."""

import numpy as np
import pytest

from schmier_sim.analysis.matches import PASSED
from schmier_sim.kernel.match import score_table
from schmier_sim.game.club_bot import SIZE
from schmier_sim.kernel.block import B
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.lessons import AUCTION, DECLARED, STRATIFIED, Lessons, practise, teach
from schmier_sim.kernel.simulate import Setup, deal_types
from tests.kernel.table import STANDARD

POINTS = club_tables() / 1000


def blocks(*kinds):
    return np.array(kinds, dtype=np.int64)


def heaviest(lessons):
    """Option that `club` plays in each decision."""
    at = np.arange(len(lessons))
    weights = np.full((len(lessons), 6), -np.inf)
    for option in range(6):
        one = Lessons(lessons.addresses[:, [option] * 6], np.ones(len(lessons), np.int8), lessons.results)
        there = at[lessons.options > option]
        for i in there:
            weights[i, option] = weight(one.addresses[i, 0])
    return weights.argmax(axis=1)


def weight(address):
    """Weight of an option from its packed addresses, field by field."""
    tables, bits = club_tables(), (16, 16, 15, 15, 16, 14, 16)
    total = start = 0
    for number, size in enumerate(bits):
        field = int(address[number // 4]) >> 16 * (number % 4) & 0xFFFF
        assert field < 1 << size
        total += int(tables[start + field])
        start += 1 << size
    return total


@pytest.mark.parametrize("trick", [0, 1])
def test_the_card_that_club_plays_brings_what_the_deal_brought(trick):
    tables = club_tables()
    lessons = teach(7, 5_000, blocks((AUCTION, trick, 0)), tables, tables)
    types = deal_types(Setup(seed=7, mode="auction", bots="club"), 5_000, B)
    scores = score_table(STANDARD)[types[types != PASSED]]
    assert len(lessons) == len(scores)
    relative = 3 * scores - scores.sum(axis=1, keepdims=True)
    results = lessons.results[np.arange(len(lessons)), heaviest(lessons)]
    # Which team leads is not told: the first lead is the declarer's, later ones may be any team's.
    matches = (results[:, np.newaxis] == relative).any(axis=1)
    assert matches.all()
    if trick == 0:
        declarers = types[types != PASSED] // (5 * 972) % 3
        assert (results == relative[np.arange(len(lessons)), declarers]).all()


@pytest.mark.parametrize("way", [AUCTION, DECLARED, STRATIFIED])
def test_lessons_are_decisions_between_cards(way):
    tables = club_tables()
    kinds = [(way, trick, place) for trick in range(5) for place in range(6)]
    lessons = teach(8, 0, blocks(*kinds), tables, tables)
    assert len(lessons) > 0.4 * B * len(kinds)
    assert lessons.options.min() == 2
    assert lessons.options.max() == 6
    assert np.abs(lessons.results).max() <= 18
    # A deal without choice of outcome is no lesson, but most are not like that.
    differ = [len(set(row[:n])) > 1 for row, n in zip(lessons.results.tolist(), lessons.options, strict=True)]
    assert 0.2 < np.mean(differ) < 0.8


def test_practice_finds_better_cards_and_measuring_changes_nothing():
    tables = np.zeros(SIZE, np.int16)
    kinds = blocks(*((STRATIFIED, trick, place) for trick in range(4) for place in range(6)))
    lessons = teach(9, 0, kinds, tables, tables)
    order = np.arange(len(lessons))
    weights, spent = np.zeros(SIZE), np.zeros(SIZE)
    before = practise(lessons, order, weights, spent, 0.0, 1.0)
    assert not weights.any()
    assert not spent.any()
    for _ in range(3):
        practise(lessons, order, weights, spent, 0.1, 0.3)
    after = practise(lessons, order, weights, spent, 0.0, 1.0)
    assert after > before + 0.3


def test_shipped_tables_choose_better_than_chance_on_fresh_lessons():
    kinds = blocks(*((AUCTION, trick, place) for trick in range(5) for place in range(6)))
    lessons = teach(10, 0, kinds, club_tables(), club_tables())
    gain = practise(lessons, np.arange(len(lessons)), POINTS.copy(), np.zeros(SIZE), 0.0, 1.0)
    assert gain > 0.2
