"""The chain of states: the same however it is laid out, and matches that come through it end."""

import numpy as np
import pytest

from schmier_sim.game.rules import Rules
from schmier_sim.kernel.chain import NoEnd, chain_of, shares_of
from schmier_sim.kernel.match import N_NEEDS, state_of, ways_of
from schmier_sim.kernel.simulate import Setup, deal_types

SHORT = {
    "three teams": Rules(target=8),
    "two teams": Rules(target=8, teams="2x3"),
    "next dealer": Rules(target=8, all_pass="next-dealer", endgame="declarer-first"),
}


@pytest.fixture(scope="module", params=SHORT)
def played(request):
    rules = SHORT[request.param]
    ways = ways_of(rules)
    counts = np.bincount(ways.of_type[deal_types(Setup(3, "auction", rules=rules), 0, 20_000)])
    deals = np.zeros((1, len(ways)), np.int64)
    deals[0, : len(counts)] = counts
    return rules, ways, deals


def test_the_same_deals_in_every_bucket_are_as_good_as_one_bucket_for_all(played):
    rules, ways, deals = played
    one = chain_of(deals, ways, rules).solve()
    many = chain_of(np.repeat(deals, N_NEEDS**rules.n_teams, axis=0), ways, rules).solve()
    assert np.abs(one.wins - many.wins).max() < 1e-7


def test_other_deals_in_a_chain_are_those_of_a_chain_of_their_own(played):
    rules, ways, deals = played
    other = np.random.default_rng(1).poisson(deals)
    chain = chain_of(deals, ways, rules)
    own = chain_of(other, ways, rules).solve()
    again = chain.with_deals(other, ways, rules).solve(chain.solve().wins)
    assert np.abs(own.wins - again.wins).max() < 1e-7
    assert np.abs(own.wins - chain.solve().wins).max() > 1e-4


def test_solving_again_from_the_solution_is_done_at_once(played):
    rules, ways, deals = played
    chain = chain_of(deals, ways, rules)
    solved = chain.solve()
    assert solved.sweeps > 2
    again = chain.solve(solved.wins)
    assert again.sweeps == 1
    assert np.abs(again.wins - solved.wins).max() < 1e-8


def test_chances_move_by_what_ways_are_worth_if_these_come_more_often(played):
    rules, ways, deals = played
    chain = chain_of(deals, ways, rules)
    wins = chain.solve().wins
    other = deals * 10_000
    other[0] += np.random.default_rng(2).integers(-200, 201, len(ways)) * deals[0]
    shares = shares_of(other, ways, rules) - shares_of(deals, ways, rules)
    moved = chain.with_deals(other, ways, rules).solve().wins - wins
    for scores in ((0,) * rules.n_teams, (7, *[3] * (rules.n_teams - 1))):
        state = state_of(scores, rules)
        worth, visits = chain.visit(wins, state)
        assert visits.sum() > 1
        by_worth = np.einsum("bw,bwt->t", shares, worth)
        assert np.abs(by_worth).max() > 1e-5
        assert by_worth == pytest.approx(moved[state], rel=0.05, abs=2e-6)


def test_matches_in_which_teams_lose_more_than_they_win_are_refused(played):
    rules, ways, deals = played
    with pytest.raises(NoEnd):
        chain_of(deals * (ways.gains.sum(axis=1) < 0), ways, rules)
