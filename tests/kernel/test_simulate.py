"""Counts of deals: the same however they are cut, and the same as those of the records."""

import numpy as np
import pytest

from schmier_sim.game.cards import POINTS, suit_of
from schmier_sim.game.holdings import holding_of
from schmier_sim.game.rules import Rules
from schmier_sim.game.words import MAX_INDEX, MAX_SEED
from schmier_sim.kernel.block import B
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.counts import CELLS_SHAPE, TYPES_SHAPE
from schmier_sim.kernel.counts import CELLS_SHAPE as TALLY_CELLS
from schmier_sim.kernel.counts import TYPES_SHAPE as TALLY_TYPES
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.simulate import Setup, is_ready, play_into
from tests.kernel.table import STANDARD, WAYS, counts, no_counts, setup_of

PIECES = (1, B - 1, B, B + 1, 0, 2, 2 * B - 1, 3, 1000, 13, 702)
HOUSE = Rules(teams="2x3", low_to="taker", game_tie="declarer", trump_anytime=True, dealer_steals=True)


def counts_of_records(setup, first, n):
    """Count deals again, from what is told of each."""
    cells, types = no_counts()
    passed = 0
    for record in replay(setup, first, n):
        if record.redeal:
            passed += 1
            continue
        seat, trump = record.declarer - 1, record.trump
        hand = record.hands[seat]
        aces = sum(card[0] == "A" and suit_of(card, trump) != trump for card in hand)
        teams = [record.points[name] for name in POINTS]
        own = setup.rules.team(record.declarer)
        outcome = sum(1 << bit for bit, team in enumerate(teams) if team == own)
        cells[seat, holding_of(hand, trump), aces, outcome] += 1
        number = 0
        for team in teams[:5]:
            number = 3 * number + team - 1
        number = 4 * number + (3 if teams[5] is None else teams[5] - 1)
        types[seat, 0 if record.bid is None else record.bid - 2, number] += 1
    return cells, types, passed


def assert_same(counted, wanted):
    assert np.array_equal(counted[0], wanted[0])
    assert np.array_equal(counted[1], wanted[1])
    assert counted[2] == wanted[2]


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("rules", [STANDARD, HOUSE], ids=["standard", "house"])
@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_counts_are_those_of_the_records(way, bots, rules):
    setup = setup_of(way, bots, seed=14, rules=rules)
    counted = counts(setup, 777, 120)
    assert counted[0].sum() + counted[2] == 120
    assert counted[1].sum() == counted[0].sum()
    assert_same(counted, counts_of_records(setup, 777, 120))


@pytest.mark.boundscheck
@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_deals_add_up_in_pieces_of_any_size(way, bots):
    setup = setup_of(way, bots, seed=15)
    whole = counts(setup, 123, sum(PIECES))
    assert_same(counts(setup, 123, sum(PIECES), PIECES), whole)
    assert_same(counts(setup, 123, sum(PIECES), PIECES[::-1]), whole)


@pytest.mark.boundscheck
@pytest.mark.parametrize("rules", [STANDARD, HOUSE], ids=["standard", "house"])
@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_every_deal_is_counted_once(way, bots, rules):
    setup = setup_of(way, bots, seed=16, rules=rules)
    cells, types, passed = counts(setup, 2**50, 100_000)
    assert cells.sum() == types.sum() == 100_000 - passed
    assert (passed > 0) == (setup.mode == "auction")


def test_the_last_deal_of_all_can_be_played():
    setup = Setup(seed=MAX_SEED - 1)
    cells, types, _ = counts(setup, MAX_INDEX - 1, 1)
    assert cells.sum() == types.sum() == 1
    assert_same((cells, types, 0), counts_of_records(setup, MAX_INDEX - 1, 1))


def test_no_deals_are_no_counts():
    cells, types, passed = counts(Setup(), 5, 0)
    assert not cells.any()
    assert not types.any()
    assert passed == 0
    assert replay(Setup(), 5, 0) == []


def test_counts_are_added_to_what_is_there():
    cells, types = no_counts()
    cells += 7
    play_into(Setup(), 0, 10, cells, types)
    assert cells.sum() == 7 * cells.size + 10


def test_seeds_and_deals_differ():
    hands = {record.hands for seed in (0, 1, 2**62) for record in replay(Setup(seed=seed), 0, 100)}
    assert len(hands) == 300


def test_the_tally_has_the_shapes_that_the_kernels_fill():
    assert CELLS_SHAPE == TALLY_CELLS
    assert TYPES_SHAPE == TALLY_TYPES


def test_a_kernel_that_has_played_is_ready():
    counts(Setup(), 0, 1)
    assert is_ready()


@pytest.mark.parametrize(("first", "n"), [(-1, 5), (0, -1), (MAX_INDEX, 1), (MAX_INDEX - 5, 6)])
def test_indices_out_of_range_are_refused(first, n):
    with pytest.raises(ValueError, match=r"^deals .* are out of range: indices are below 2\^56$"):
        play_into(Setup(), first, n, *no_counts())


def test_arrays_of_other_shapes_are_refused():
    cells, types = no_counts()
    for wrong in ((cells[1:], types), (cells, types[:, 1:]), (types, cells)):
        with pytest.raises(ValueError, match=r"^counts of shapes"):
            play_into(Setup(), 0, 1, *wrong)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seed": -1}, r"seed -1 is out of range: 0 to 2\^63 - 1, such as 21"),
        ({"seed": 2**63}, r"seed 9223372036854775808 is out of range: 0 to 2\^63 - 1, such as 21"),
        ({"mode": "bid"}, "there is no mode 'bid': choose declare or auction"),
        ({"sample": "all"}, "there is no sample 'all': choose natural or stratified"),
        ({"bots": "clever"}, "there is no bot 'clever': choose random or simple or club"),
        ({"mode": "auction", "sample": "stratified"}, "sample 'stratified' fits mode 'declare' only.*"),
    ],
)
def test_setups_that_cannot_be_played_are_refused_with_one_line(values, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        Setup(**values)
