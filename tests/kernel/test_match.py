"""The match as a chain: how ways are numbered, which bucket a state is in, and how matches go on."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.analysis.equitytable import SEEN_BY, WAYS, class_of_buckets, typical_states
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import apply_scores, deal_scores, match_winner
from schmier_sim.kernel.match import (
    LEAST,
    N_NEEDS,
    advance,
    bucket_of,
    need_classes,
    state_of,
    ways_of,
)
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.simulate import Setup, deal_types

RULES = [
    Rules(),
    Rules(teams="2x3"),
    Rules(all_pass="next-dealer", endgame="declarer-first"),
    Rules(must_bid_to_win=True),
]


@pytest.mark.parametrize("rules", RULES)
def test_the_way_of_a_deal_is_what_it_did_to_the_scores(rules):
    setup, ways = Setup(4, "auction", rules=rules), ways_of(rules)
    types = deal_types(setup, 0, 300)
    for record, way in zip(replay(setup, 0, 300), ways.of_type[types], strict=True):
        if record.redeal:
            assert way == ways.passed
            continue
        n = rules.n_teams
        scores = deal_scores(record.points, rules.team(record.declarer), record.bid, rules)
        from_dealer = [scores[(place - 1) % n] for place in range(n)]
        assert ways.gains[way].tolist() == from_dealer
        assert ways.bids[way] == record.bid
        assert ways.declarers[way] == record.declarer % n


@pytest.mark.parametrize("target", [8, 21, 50])
@given(data=st.data())
def test_buckets_are_those_of_the_needs(target, data):
    rules = Rules(target=target)
    scores = tuple(data.draw(st.integers(LEAST, target - 1)) for _ in range(3))
    classes = need_classes(rules, N_NEEDS**3)
    a, b, c = (int(classes[score - LEAST]) for score in scores)
    assert bucket_of(scores, rules) == (a * N_NEEDS + b) * N_NEEDS + c
    better = tuple(min(score + 1, target - 1) for score in scores)
    assert bucket_of(better, rules) <= bucket_of(scores, rules)
    assert (need_classes(rules, 1) == 0).all()


def test_each_bucket_is_stood_for_by_a_state_of_its_own():
    rules = Rules()
    size = rules.target - LEAST
    for bucket, state in enumerate(typical_states(rules).tolist()):
        scores = tuple(int(digit) + LEAST for digit in np.unravel_index(state, (size,) * 3))
        assert bucket_of(scores, rules) == bucket
        assert state_of(scores, rules) == state
    assert set(class_of_buckets().tolist()) == set(range(125))


def test_ways_seen_by_a_team_are_the_same_ways_turned():
    for team in range(3):
        seen = SEEN_BY[team]
        assert sorted(seen.tolist()) == list(range(len(WAYS)))
        assert (WAYS.gains[seen] == np.roll(WAYS.gains, -team, axis=1)).all()
        assert (WAYS.bids[seen] == WAYS.bids).all()
        declared = WAYS.declarers >= 0
        assert (WAYS.declarers[seen][declared] == (WAYS.declarers[declared] - team) % 3).all()
    assert (SEEN_BY[0] == np.arange(len(WAYS))).all()


@pytest.mark.parametrize("rules", RULES)
def test_matches_go_on_as_the_rules_say(rules):
    ways, n = ways_of(rules), rules.n_teams
    draw = np.random.default_rng(2)
    before = draw.integers(rules.target - 9, rules.target, (400, n))
    way_of = draw.integers(0, len(ways), 400)
    scores = before.copy()
    winners, turned = advance(scores, way_of, ways, rules)
    seen = Counter()
    for start, way, after, winner, passed_on in zip(
        before.tolist(), way_of.tolist(), scores.tolist(), winners.tolist(), turned.tolist(), strict=True
    ):
        declarer = int(ways.declarers[way])
        if declarer < 0:
            goes_on = rules.all_pass == "next-dealer"
            assert winner == -1
            assert passed_on == goes_on
            assert after == ([*start[1:], start[0]] if goes_on else start)
            continue
        totals = apply_scores(start, ways.gains[way].tolist(), declarer + 1, rules)
        won = match_winner(totals, declarer + 1, rules)
        assert winner == (-1 if won is None else won - 1)
        assert passed_on
        if won is None:
            assert after == [min(total, rules.target - 1) for total in (*totals[1:], totals[0])]
        seen[winner] += 1
    assert len(seen) == n + 1
