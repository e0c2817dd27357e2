"""A bot for each team: the same deals as the reference engine plays with these bots, card by card."""

from itertools import product

import numpy as np
import pytest

from schmier_sim.analysis.seating import type_of
from schmier_sim.game.bots import BOTS
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.counts import TYPES_SHAPE
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.simulate import Setup, deal_types
from tests.kernel.table import STANDARD, WAYS, assert_twins, counts, setup_of
from tests.kernel.test_twins import COMBINATIONS, HOUSE_RULES

TWO_TEAMS = Rules(teams="2x3")
AUCTION = WAYS[2]


def mixtures(n_teams):
    """Bots by team, not all the same."""
    return [bots for bots in product(BOTS, repeat=n_teams) if len(set(bots)) > 1]


@pytest.mark.parametrize("bots", mixtures(3), ids="-".join)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_three_teams_play_as_by_the_reference(way, bots):
    assert_twins(setup_of(way, bots, seed=31), 10**6, 900 // len(mixtures(3)))


@pytest.mark.parametrize("bots", mixtures(2), ids="-".join)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_two_teams_play_as_by_the_reference(way, bots):
    assert_twins(setup_of(way, bots, seed=32, rules=TWO_TEAMS), 10**6, 300 // len(mixtures(2)))


@pytest.mark.parametrize("way", WAYS, ids="-".join)
@pytest.mark.parametrize("name", HOUSE_RULES | COMBINATIONS)
def test_house_rules_hold_for_mixed_teams(name, way):
    rules = (HOUSE_RULES | COMBINATIONS)[name]
    for number, bots in enumerate(mixtures(rules.n_teams)):
        assert_twins(
            setup_of(way, bots, seed=33, rules=rules), 1000 * number, 90 // len(mixtures(rules.n_teams))
        )


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize(
    "rules", [STANDARD, TWO_TEAMS, COMBINATIONS["all at once"]], ids=["3x2", "2x3", "all"]
)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_a_few_deals_of_mixed_teams(way, rules):
    assert_twins(setup_of(way, mixtures(rules.n_teams)[0], seed=2**63 - 1, rules=rules), 2**56 - 20, 20)


def test_who_sits_in_a_team_matters_for_that_team_only():
    """Before the first call of another bot nothing is different, and a bot does not depend on who else plays."""
    one, other = (
        Setup(seed=3, mode="auction", bots=bots) for bots in ("simple", ("simple", "simple", "random"))
    )
    for all_simple, mixed in zip(replay(one, 0, 100), replay(other, 0, 100), strict=True):
        assert all_simple.hands == mixed.hands
        assert all_simple.auction[:2] == mixed.auction[:2]


@pytest.mark.parametrize("rules", [STANDARD, TWO_TEAMS], ids=["3x2", "2x3"])
@pytest.mark.parametrize("name", BOT_NAMES)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_the_same_bot_in_each_team_is_one_bot_for_all(way, name, rules):
    cells, types, passed = counts(setup_of(way, name, rules=rules), 50, 3000)
    by_team = counts(setup_of(way, (name,) * rules.n_teams, rules=rules), 50, 3000)
    assert (cells == by_team[0]).all()
    assert (types == by_team[1]).all()
    assert passed == by_team[2]


@pytest.mark.parametrize("bots", ["random", ("simple", "random", "simple"), ("club", "simple", "simple")])
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_types_of_deals_add_up_to_the_counts(way, bots):
    setup = setup_of(way, bots)
    _, types, passed = counts(setup, 77, 5000)
    told = deal_types(setup, 77, 5000)
    assert told.dtype == np.int32
    assert (told == -1).sum() == passed
    assert (np.bincount(told[told >= 0], minlength=types.size) == types.reshape(-1)).all()


@pytest.mark.parametrize("bots", ["simple", ("random", "simple", "random")])
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_a_deal_has_the_type_of_its_record(way, bots):
    setup = setup_of(way, bots)
    told = deal_types(setup, 500, 400)
    assert told.tolist() == [type_of(record) for record in replay(setup, 500, 400)]


def test_types_do_not_depend_on_where_a_range_begins():
    setup = setup_of(AUCTION, ("club", "random", "simple"))
    whole = deal_types(setup, 1000, 700)
    assert whole.max() < np.prod(TYPES_SHAPE)
    assert (
        np.concatenate([deal_types(setup, 1000, 1), deal_types(setup, 1001, 699)]).tolist() == whole.tolist()
    )
    assert deal_types(setup, 1000, 0).size == 0


@pytest.mark.parametrize(
    ("bots", "rules", "parts"),
    [
        (("simple", "random"), STANDARD, ["2 bots", "3 teams"]),
        (("simple",) * 3, TWO_TEAMS, ["3 bots", "2 teams"]),
        (("simple", "clever", "simple"), STANDARD, ["clever", "simple"]),
        ((), STANDARD, ["0 bots", "3 teams"]),
    ],
)
def test_bots_that_do_not_fit_are_refused(bots, rules, parts):
    with pytest.raises(ValueError, match="bot") as refusal:
        Setup(bots=bots, rules=rules)
    for part in parts:
        assert part in str(refusal.value)
