"""Chances to win a match: closed forms, what must be true of any table, and matches played out."""

from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from schmier_sim.analysis.buckets import play_buckets
from schmier_sim.analysis.equity import Changes, EquityError, changes_of, equity, shipped_table, solve, stand
from schmier_sim.analysis.run import simulate
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import apply_scores, match_winner
from schmier_sim.kernel import equity as shipped
from schmier_sim.kernel.jit import Entry
from schmier_sim.kernel.match import LEAST, Ways, after_one_deal, state_of, ways_of
from schmier_sim.kernel.simulate import Setup

SHORT = Rules(name="short", target=8)
HOUSES = {
    "short": SHORT,
    "declarer first": replace(SHORT, endgame="declarer-first"),
    "must bid to win": replace(SHORT, must_bid_to_win=True),
    "next dealer": replace(SHORT, all_pass="next-dealer"),
    "two teams": replace(SHORT, teams="2x3"),
}


def made(rules, deals=40_000):
    changes = changes_of(simulate(Setup(mode="auction", rules=rules), deals=deals).tally, rules)
    return changes, solve(changes, rules)


@pytest.fixture(scope="module", params=HOUSES)
def house(request):
    rules = HOUSES[request.param]
    return rules, *made(rules)


@pytest.fixture(scope="module")
def short():
    return SHORT, *made(SHORT)


def in_plain_python(table, ways, scores):
    """Chances of each team after each way, by the rules' own functions."""
    rules, n = table.rules, table.rules.n_teams
    found = np.zeros((len(ways), n))
    for way, (gains, declarer) in enumerate(zip(ways.gains.tolist(), ways.declarers.tolist(), strict=True)):
        if declarer < 0 and rules.all_pass != "next-dealer":
            found[way] = table.chances(scores)
            continue
        totals = apply_scores(scores, gains, declarer + 1, rules)
        winner = None if declarer < 0 else match_winner(totals, declarer + 1, rules)
        if winner is not None:
            found[way, winner - 1] = 1.0
        else:
            turned = tuple(min(total, rules.target - 1) for total in (*totals[1:], totals[0]))
            found[way] = np.roll(table.chances(turned), 1)
    return found


def after(table, changes, scores):
    state = np.array([state_of(scores, table.rules)])
    return after_one_deal(table.flat(), changes.ways, table.rules, state)[0]


def test_what_follows_a_deal_is_what_the_rules_say(house):
    rules, changes, table = house
    for scores in states(rules, 20, seed=5):
        assert after(table, changes, scores) == pytest.approx(in_plain_python(table, changes.ways, scores))


def states(rules, n=60, seed=1):
    draw = np.random.default_rng(seed)
    return [tuple(draw.integers(LEAST, rules.target, rules.n_teams).tolist()) for _ in range(n // 2)] + [
        tuple(draw.integers(rules.target - 7, rules.target, rules.n_teams).tolist()) for _ in range(n // 2)
    ]


def test_one_point_a_deal_for_each_of_three_teams_alike_is_known_in_closed_form():
    ways = Ways(np.eye(3, dtype=np.int64), np.arange(3), np.full(3, 3), np.zeros(0, np.int64))
    table = solve(Changes(np.ones((1, 3), np.int64), ways), Rules())
    for needs in permutations((1, 2, 3)):
        known = [{1: 19 / 27, 2: 6 / 27, 3: 2 / 27}[need] for need in needs]
        assert table.chances(tuple(21 - need for need in needs)) == pytest.approx(known)
    for score in (0, 7, 20):
        assert table.chances((score,) * 3) == pytest.approx([1 / 3] * 3)


def test_the_changes_are_those_that_were_counted():
    rules = Rules()
    run = simulate(Setup(mode="auction", seed=5), deals=20_000)
    changes = changes_of(run.tally, rules)
    (deals,), ways = changes.deals, changes.ways
    assert deals.sum() == 20_000
    assert deals[ways.passed] == run.tally.passed
    assert ((ways.gains < 0).sum(axis=1) <= 1).all()
    for declarer, bid, gains in zip(ways.declarers[:-1], ways.bids, ways.gains, strict=False):
        assert gains[declarer] == -bid or gains[declarer] >= bid
        assert gains.sum() in (5, 6) or gains[declarer] < 0
    by_team = np.bincount(ways.declarers[:-1], deals[:-1])
    assert (by_team > 0.2 * deals.sum()).all()


def test_passed_out_deals_count_by_the_house_rule_only():
    for rules, counts in ((SHORT, False), (HOUSES["next dealer"], True)):
        run = simulate(Setup(mode="auction", rules=rules), deals=5000)
        changes = changes_of(run.tally, rules)
        share = changes.shares((0,) * rules.n_teams, rules)[changes.ways.passed]
        assert share == (run.tally.passed / 5000 if counts else 0)
        assert run.tally.passed


def test_chances_add_up_to_one_in_every_state(house):
    _, _, table = house
    assert np.allclose(table.wins.sum(axis=-1), 1, atol=1e-9)
    assert table.wins.min() >= 0
    assert table.residual < 1e-9


def test_each_state_is_the_mean_of_those_that_follow_it(house):
    """In plain Python, by the rules' own functions: also that seats rotate."""
    rules, changes, table = house
    for scores in states(rules):
        following = changes.shares(scores, rules) @ in_plain_python(table, changes.ways, scores)
        assert following == pytest.approx(table.chances(scores).tolist(), abs=1e-7)


def test_another_point_is_never_worse(house):
    _, _, table = house
    for team in range(table.wins.shape[-1]):
        steps = np.diff(table.wins[..., team], axis=team)
        assert steps.min() > -1e-9
        for other in set(range(table.wins.shape[-1])) - {team}:
            # Another's point costs, but for a hair: it may end the match for the right one.
            assert np.diff(table.wins[..., team], axis=other).max() < 0.02


def test_chances_are_those_of_matches_that_are_played_out(house):
    """20 000 matches from some states, each chance within 4.5 standard errors (30 chances: 2e-4 in all)."""
    rules, changes, table = house
    n, matches = rules.n_teams, 20_000
    draw = np.random.default_rng(7)

    @cache
    def after_deal(before, way):
        declarer = int(changes.ways.declarers[way]) + 1
        totals = apply_scores(before, changes.ways.gains[way].tolist(), declarer, rules)
        winner = None if declarer == 0 else match_winner(totals, declarer, rules)
        return winner, tuple(min(total, rules.target - 1) for total in (*totals[1:], totals[0]))

    for scores in states(rules, 4, seed=3):
        won = np.zeros(n)
        standing = [scores] * matches
        turn = 0
        while standing:
            ways = draw.choice(len(changes.ways), len(standing), p=changes.shares((0,) * n, rules))
            going = []
            for before, way in zip(standing, ways.tolist(), strict=True):
                winner, following = after_deal(before, way)
                if winner is not None:
                    won[(winner - 1 + turn) % n] += 1
                else:
                    going.append(following)
            standing, turn = going, turn + 1
        chances = table.chances(scores)
        error = np.sqrt(chances * (1 - chances) / matches)
        assert (np.abs(won / matches - chances) <= 4.5 * error + 1e-9).all(), scores


def test_errors_are_how_far_tables_from_other_deals_differ(short):
    """Eight tables from deals drawn anew: their spread is within 4 errors of a spread of eight of what is told."""
    rules, changes, table = short
    draw = np.random.default_rng(11)
    shares = changes.shares((0, 0, 0), rules)
    n = int(changes.deals[0, :-1].sum())
    asked = [(0, 0, 0), (5, 1, 7), (7, 7, 7)]
    told = [stand(table, changes, scores) for scores in asked]
    found = []
    for _ in range(8):
        again = replace(changes, deals=draw.multinomial(n, shares)[np.newaxis])
        other = solve(again, rules)
        found.append([other.chances(scores) for scores in asked])
    spreads = np.std(found, axis=0, ddof=1)
    for one, spread in zip(told, spreads, strict=True):
        assert one.wins == pytest.approx(table.chances(one.scores))
        assert (spread / one.errors > 0.15).all()
        assert (spread / one.errors < 2.1).all()
    assert told[0].errors.max() < told[2].errors.max()


def test_a_bid_at_its_break_even_chance_does_as_much_as_anothers(short):
    _, changes, table = short
    (deals,), ways = changes.deals, changes.ways
    for scores in ((0, 0, 0), (6, 1, 3)):
        follows = after(table, changes, scores)
        standing = stand(table, changes, scores)
        for team in range(3):
            own, made_it = ways.declarers == team, ways.gains[:, team] >= 0
            theirs = ~own & (ways.declarers >= 0)
            others = np.average(follows[theirs, team], weights=deals[theirs])
            for level, bid in enumerate((3, 4)):
                p = standing.break_even[team, level]
                won, lost = (
                    np.average(follows[marked, team], weights=deals[marked])
                    for marked in (own & (ways.bids == bid) & mark for mark in (made_it, ~made_it))
                )
                assert p * won + (1 - p) * lost == pytest.approx(others)
                assert 0 < p < 1


def test_a_leader_who_needs_little_has_to_be_surer_than_one_who_is_behind():
    """Break-even chances of a bid of 3 that are known from another program with other bots, to 0.08."""
    changes, table = made(Rules(), 100_000)
    for scores, team, known in (
        ((0, 0, 0), 1, 0.51),
        ((15, 15, 15), 1, 0.36),
        ((18, 18, 18), 1, 0.13),
        ((10, 20, 10), 1, 0.89),
    ):
        assert stand(table, changes, scores).break_even[team, 0] == pytest.approx(known, abs=0.08)


def test_whose_deal_it_is_turns_the_scores():
    setup = Setup(mode="auction", rules=SHORT)
    one = equity((3, 5, 7), dealer=1, setup=setup, deals=3000)
    same = equity((5, 7, 3), dealer=0, setup=setup, deals=3000)
    assert one.standing.scores == same.standing.scores == (5, 7, 3)
    assert (one.standing.wins == same.standing.wins).all()


def test_the_lowest_scores_are_told_as_the_lowest_that_is_told_apart(short):
    _, changes, table = short
    low, lower = (stand(table, changes, (score, 3, 3)).wins for score in (LEAST, -150))
    assert (low == lower).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": (1, 2)}, r"^2 scores for 3 teams: .* 14,9,18$"),
        ({"scores": (8, 2, 3)}, r"^score 8 is out of range: -200 to 7, .* 8$"),
        ({"scores": (1, 2, 3), "dealer": 3}, r"^there is no team 3: 0, .* to 2$"),
        ({"scores": (1, 2, 3), "setup": Setup()}, r"^mode declare .* auction$"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments, message):
    with pytest.raises(EquityError, match=message):
        equity(**{"setup": Setup(mode="auction", rules=SHORT), "deals": 100} | arguments)


def test_runs_without_auctions_and_matches_without_end_are_refused():
    with pytest.raises(EquityError, match="no auctions"):
        changes_of(simulate(Setup(), deals=100).tally, Rules())
    ways = ways_of(Rules())
    losing = np.where((ways.gains[:, 0] < 0) & (ways.declarers == 0), 1, 0)
    with pytest.raises(EquityError, match=r"do not bring matches to an end.* such as club"):
        solve(Changes(losing[np.newaxis] * (ways.gains.sum(axis=1) < 0), ways), SHORT)


def test_the_table_that_ships_fits_the_counts_that_it_was_solved_from():
    changes, table, rounds = shipped_table()
    assert rounds > 0
    solved = solve(changes, Rules())
    assert np.abs(solved.flat() - table.flat()).max() < 2.5 / shipped.UNIT
    assert np.allclose(table.wins.sum(axis=-1), 1)


def test_each_state_that_ships_is_the_mean_of_those_that_follow_it():
    """In plain Python, by the rules' own functions; to what rounding leaves."""
    changes, table, _ = shipped_table()
    for scores in states(Rules()):
        following = changes.shares(scores, Rules()) @ in_plain_python(table, changes.ways, scores)
        assert following == pytest.approx(table.chances(scores).tolist(), abs=3 / shipped.UNIT)


def test_at_scores_that_ship_another_point_is_never_worse():
    """Though bots bid otherwise at each score: but for rounding, a point more is better at all 59 319 scores."""
    _, table, _ = shipped_table()
    for team in range(3):
        steps = np.diff(table.wins[..., team], axis=team)
        assert steps.min() > -1.5 / shipped.UNIT
        assert (steps[18:, 18:, 18:] > 0).mean() > 0.97


def test_equity_is_told_from_the_table_that_ships_and_from_deals_alike():
    """The same question by the table, and by 200 000 deals anew: within 4.5 errors of both."""
    told = equity((12, 17, 9), dealer=1)
    anew = equity((12, 17, 9), dealer=1, deals=200_000)
    assert (told.rounds, anew.rounds) == (shipped_table()[2], 0)
    apart = np.abs(told.standing.wins - anew.standing.wins)
    assert (apart < 4.5 * np.hypot(told.standing.errors, anew.standing.errors) + 1 / shipped.UNIT).all()


def test_a_house_rule_of_the_match_is_solved_from_the_deals_that_ship():
    rules = Rules(target=11)
    wins = shipped.wins_under(rules)
    assert len(wins) == (11 - LEAST) ** 3
    assert (wins.astype(int).sum(axis=1) == shipped.UNIT).all()
    assert shipped.wins_under(Rules(name="ours")) is shipped.wins_under(Rules())
    assert 3 * wins[state_of((0, 0, 0), rules)].min() > 0.9 * shipped.UNIT


def test_deals_in_buckets_begin_with_a_word_where_they_have_to_be_compiled(monkeypatch):
    monkeypatch.setattr(Entry, "is_ready", False)
    heard = []
    play_buckets(Setup(mode="auction"), shipped.all_curves()[:1], 0, np.array([10]), 1, heard.append)
    assert "compiling" in heard[0].message
    assert [now.message for now in heard[1:]] == [None]
