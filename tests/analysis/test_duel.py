"""Duels: relative points and matches, compared with what deals told one by one come to."""

from dataclasses import replace
from functools import cache
from itertools import product
from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schmier_sim.analysis import duel as library
from schmier_sim.analysis.duel import duel, duels
from schmier_sim.analysis.matches import CELL, PASSED, Matches, _student95
from schmier_sim.analysis.ratios import Z95
from schmier_sim.analysis.seating import PLAYERS, SEARCH_CHUNK, Seating
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import POINTS
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import apply_scores, deal_scores, match_winner
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.counts import TYPES_SHAPE
from schmier_sim.kernel.match import declarer_table, score_table
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.simulate import Setup

STANDARD, TWO_TEAMS = Rules(), Rules(teams="2x3")
MATCH_RULES = {
    "standard": STANDARD,
    "two teams": TWO_TEAMS,
    "next dealer": Rules(all_pass="next-dealer"),
    "dealer bids": Rules(all_pass="dealer-bids-3", teams="2x3"),
    "declarer first": Rules(endgame="declarer-first", target=11),
    "must bid": Rules(must_bid_to_win=True),
    "must bid, two teams, next dealer": Rules(
        must_bid_to_win=True, teams="2x3", all_pass="next-dealer", target=5
    ),
    "one point": Rules(target=1, low_to="taker"),
}


@cache
def told(index):
    """A type of deal in words: declarer's seat 1..6, bid or None, and the team 1..3 (or None) of each point."""
    seat, level, who = np.unravel_index(index, TYPES_SHAPE)
    teams = [int(team) + 1 for team in np.unravel_index(who, (3, 3, 3, 3, 3, 4))]
    points = dict(zip(POINTS, teams, strict=True))
    return int(seat) + 1, int(level) + 2 if level else None, points | {"game": points["game"] % 4 or None}


def number_of(seat, bid, teams):
    """The number of a type: seat 0..5, bid 3..6, teams 0..2 (game 3 for nobody)."""
    return int(
        np.ravel_multi_index((seat, bid - 2, np.ravel_multi_index(teams, (3, 3, 3, 3, 3, 4))), TYPES_SHAPE)
    )


def play_matches(outcomes, start, rules):
    """Matches as people would write them down: who won each, and the number of the deal in which it ended.

    `outcomes` has for each place of the challenger what each deal came to: None, or declarer's seat, bid and points.
    Six people sit round a table; the challenger's team is that of the person who has the seat `start` + 1 at first.
    """
    ended = []
    dealer, totals = 5, [0] * rules.n_teams
    challenger = start
    for i in range(len(outcomes[0])):
        seated = [(dealer + seat) % 6 for seat in range(1, 7)]
        place = next(seat for seat in range(rules.n_teams) if seated[seat] % rules.n_teams == challenger)
        outcome = outcomes[place][i]
        if outcome is None:
            dealer = (dealer + 1) % 6 if rules.all_pass == "next-dealer" else dealer
            continue
        declarer, bid, points = outcome
        scores = deal_scores(points, rules.team(declarer), bid, rules)
        teams = [seated[place] % rules.n_teams for place in range(rules.n_teams)]
        scored = [scores[teams.index(team)] for team in range(rules.n_teams)]
        declaring = teams[rules.team(declarer) - 1] + 1
        totals = apply_scores(totals, scored, declaring, rules)
        winner = match_winner(totals, declaring, rules)
        dealer = (dealer + 1) % 6
        if winner is not None:
            ended.append((winner - 1 == challenger, i))
            dealer, totals = 5, [0] * rules.n_teams
    return ended


def outcomes_of(types):
    return [[None if index == PASSED else told(index) for index in place] for place in types.tolist()]


def random_types(rng, rules, n, passed=0.1):
    """Types of deals, as likely as not: int32 [n_teams, n]."""
    teams = rng.integers(0, rules.n_teams, (rules.n_teams, n, 6))
    teams[..., 5] = np.where(rng.random(teams.shape[:2]) < 0.1, 3, teams[..., 5])
    seats, bids = rng.integers(0, 6, teams.shape[:2]), rng.choice([3, 3, 3, 4, 5, 6], teams.shape[:2])
    who = np.ravel_multi_index(np.moveaxis(teams, -1, 0), (3, 3, 3, 3, 3, 4))
    types = np.ravel_multi_index((seats, bids - 2, who), TYPES_SHAPE)
    return np.where(rng.random(types.shape) < passed, PASSED, types).astype(np.int32)


@pytest.mark.parametrize("rules", [STANDARD, TWO_TEAMS], ids=["3x2", "2x3"])
def test_each_type_of_deal_scores_as_by_the_rules(rules):
    scores, declarers = score_table(rules), declarer_table(rules)
    rng = np.random.default_rng(4)
    teams = range(rules.n_teams)
    for seat, bid in product(range(6), (3, 4, 5, 6)):
        for winners in [(0,) * 6, (1,) * 6, *rng.choice(teams, (150, 6)).tolist()]:
            game = rng.choice([winners[5], 3])
            index = number_of(seat, bid, (*winners[:5], game))
            declarer, called, points = told(index)
            assert (declarer, called) == (seat + 1, bid)
            expected = deal_scores(points, rules.team(declarer), called, rules)
            assert tuple(scores[index]) == expected
            assert declarers[index] == rules.team(declarer) - 1


@pytest.mark.jitless
@pytest.mark.boundscheck
@pytest.mark.parametrize("rules", MATCH_RULES.values(), ids=MATCH_RULES)
def test_matches_go_as_they_are_written_down_at_a_table(rules):
    types = random_types(np.random.default_rng(1), rules, 600)
    matches = Matches(rules)
    assert matches.play(types) == 600
    slow = [play_matches(outcomes_of(types), start, rules) for start in range(rules.n_teams)]
    assert matches.over == sum(map(len, slow)) > 10
    assert matches.won == sum(won for ended in slow for won, _ in ended)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 300),
    passed=st.sampled_from([0.0, 0.3, 0.95]),
    teams=st.sampled_from(["3x2", "2x3"]),
    all_pass=st.sampled_from(["redeal", "next-dealer"]),
    ending=st.sampled_from([{}, {"endgame": "declarer-first"}, {"must_bid_to_win": True}]),
    target=st.integers(1, 30),
)
def test_any_matches_go_as_they_are_written_down(seed, n, passed, teams, all_pass, ending, target):
    rules = Rules(teams=teams, all_pass=all_pass, target=target, **ending)
    types = random_types(np.random.default_rng(seed), rules, n, passed)
    matches = Matches(rules)
    matches.play(types)
    slow = [play_matches(outcomes_of(types), start, rules) for start in range(rules.n_teams)]
    assert (matches.over, matches.won) == (sum(map(len, slow)), sum(won for end in slow for won, _ in end))
    p, low, high = matches.share()
    assert 0 <= low <= high <= 1
    assert low <= p <= high if matches.over else isnan(p)


def test_matches_do_not_depend_on_the_pieces_in_which_deals_come():
    types = random_types(np.random.default_rng(2), STANDARD, 20 * CELL + 7)
    whole, pieces = Matches(STANDARD), Matches(STANDARD)
    whole.play(types)
    for start, end in ((0, CELL), (CELL, 5 * CELL), (5 * CELL, 20 * CELL), (20 * CELL, 20 * CELL + 7)):
        assert pieces.play(types[:, start:end]) == end - start
    assert (pieces.over, pieces.won, pieces.deals) == (whole.over, whole.won, whole.deals)
    assert pieces.share() == whole.share()


@pytest.mark.parametrize(("wanted", "each"), [(1, 1), (3, 1), (4, 2), (60, 20)])
def test_wanted_matches_are_the_first_from_each_place(wanted, each):
    types = random_types(np.random.default_rng(3), STANDARD, 30 * CELL)
    matches = Matches(STANDARD, wanted)
    used = sum(matches.play(types[:, start : start + CELL]) for start in range(0, 30 * CELL, CELL))
    slow = [play_matches(outcomes_of(types), start, STANDARD)[:each] for start in range(3)]
    assert matches.enough
    assert matches.over == 3 * each
    assert matches.won == sum(won for ended in slow for won, _ in ended)
    assert used == matches.deals == 1 + max(ended[-1][1] for ended in slow)


def test_the_interval_covers_the_true_share_where_places_are_apart_and_where_they_go_alike():
    """Teams are equal here, so that the true share is a third: 95 of 100 intervals are to hold it."""
    rng = np.random.default_rng(5)
    turned = np.array([_turned(number) for number in range(int(np.prod(TYPES_SHAPE)))])
    held = {"apart": 0, "alike": 0, "alike, taken for apart": 0}
    for _ in range(400):
        types = random_types(rng, STANDARD, 2500)
        # The same fortunes for the team in whatever place it is: all matches are won or lost three at a time.
        alike = types.copy()
        for place in (1, 2):
            alike[place] = np.where(alike[place - 1] == PASSED, PASSED, turned[alike[place - 1]])
        for name, these in (("apart", types), ("alike", alike)):
            matches = Matches(STANDARD)
            matches.play(these)
            p, low, high = matches.share()
            held[name] += low <= 1 / 3 <= high
        held["alike, taken for apart"] += abs(p - 1 / 3) <= Z95 * sqrt(p * (1 - p) / matches.over)
    assert 0.91 <= held["apart"] / 400 <= 0.98
    assert 0.91 <= held["alike"] / 400 <= 0.98
    assert held["alike, taken for apart"] / 400 < 0.85


def _turned(index):
    """The type of a deal in which everybody sits one seat further."""
    seat, level, who = np.unravel_index(index, TYPES_SHAPE)
    *teams, game = np.unravel_index(who, (3, 3, 3, 3, 3, 4))
    moved = [*((team + 1) % 3 for team in teams), 3 if game == 3 else (game + 1) % 3]
    turned = np.ravel_multi_index(moved, (3, 3, 3, 3, 3, 4))
    return np.ravel_multi_index(((seat + 1) % 6, level, turned), TYPES_SHAPE)


def test_few_matches_have_wide_intervals():
    types = random_types(np.random.default_rng(6), STANDARD, 40)
    matches = Matches(STANDARD)
    matches.play(types)
    _, low, high = matches.share()
    assert 0 < matches.over < 20
    assert high - low > 0.4
    assert np.isnan(Matches(STANDARD).share()[0])
    assert Matches(STANDARD).share()[1:] == (0.0, 1.0)


@pytest.mark.parametrize(("freedom", "quantile"), [(7, 2.3646), (10, 2.2281), (30, 2.0423), (10**6, 1.95997)])
def test_the_quantile_of_student(freedom, quantile):
    assert _student95(freedom) == pytest.approx(quantile, abs=0.01)


@pytest.mark.parametrize("rules", MATCH_RULES.values(), ids=MATCH_RULES)
@pytest.mark.parametrize("name", BOT_NAMES)
def test_a_bot_against_itself_is_exactly_even(name, rules):
    result = duel(name, name, rules=rules, deals=5000)
    assert (result.relative, result.relative_se) == (0, 0)
    assert result.declared == result.fair_share == 1 / rules.n_teams
    if result.matches:
        assert result.match_wins == result.fair_share
    if name != "random":  # which bids itself below zero: matches take long
        assert result.matches > 1000
        assert result.match_wins_low == result.match_wins_high == result.match_wins


def test_matches_that_come_to_no_end_are_given_up():
    with pytest.raises(ValueError, match=r"0 matches to 1000 are over .* a number of deals instead"):
        duel("random", "random", matches=3, rules=Rules(target=1000))


@pytest.mark.parametrize(
    "rules", [TWO_TEAMS, MATCH_RULES["must bid, two teams, next dealer"]], ids=["2x3", "house"]
)
def test_of_two_teams_one_wins_what_the_other_loses(rules):
    one, other = (
        duel(*pair, rules=rules, deals=20_000) for pair in (("simple", "random"), ("random", "simple"))
    )
    assert one.relative == -other.relative
    assert one.relative_se == other.relative_se
    assert one.matches == other.matches
    assert one.match_wins + other.match_wins == pytest.approx(1)
    assert one.match_wins_low + other.match_wins_high == pytest.approx(1)
    assert one.declared + other.declared == pytest.approx(1)
    assert one.declaring == -other.defending


def test_skill_shows():
    strong, weak = duel("simple", "random", deals=5000), duel("random", "simple", deals=5000)
    assert strong.relative > 10 * strong.relative_se
    assert weak.relative < -10 * weak.relative_se
    assert strong.match_wins_low > 0.9
    assert weak.match_wins_high < 0.1


@pytest.mark.parametrize("rules", [STANDARD, MATCH_RULES["dealer bids"]], ids=["3x2", "2x3"])
def test_a_duel_is_what_its_deals_come_to(rules):
    n, n_teams = 700, rules.n_teams
    result = duel("simple", "random", rules=rules, seed=8, deals=n)
    records = [
        replay(
            Setup(
                seed=8,
                mode="auction",
                rules=rules,
                bots=tuple("simple" if team == place else "random" for team in range(n_teams)),
            ),
            0,
            n,
        )
        for place in range(n_teams)
    ]
    gains = np.array(
        [
            [r.scores[place] - (sum(r.scores) - r.scores[place]) / (n_teams - 1) for r in records[place]]
            for place in range(n_teams)
        ]
    )
    means = gains.mean(axis=0)
    assert result.relative == pytest.approx(means.mean())
    assert result.relative_se == pytest.approx(means.std(ddof=1) / sqrt(n))
    declares = np.array(
        [
            [rules.team(r.declarer) == place + 1 if r.declarer else False for r in records[place]]
            for place in range(n_teams)
        ]
    )
    played = np.array([[not r.redeal for r in deals] for deals in records])
    assert result.declared == pytest.approx(declares.sum() / played.sum())
    assert result.declaring == pytest.approx(gains[declares].mean())
    assert result.defending == pytest.approx(gains[played & ~declares].mean())
    residuals = ((gains - result.declaring) * declares).sum(axis=0)
    assert result.declaring_se == pytest.approx(sqrt((residuals**2).sum() * n / (n - 1)) / declares.sum())
    outcomes = [[None if r.redeal else (r.declarer, r.bid, r.points) for r in deals] for deals in records]
    slow = [play_matches(outcomes, start, rules) for start in range(n_teams)]
    assert result.matches == sum(map(len, slow))
    assert result.match_wins == sum(won for ended in slow for won, _ in ended) / result.matches


def test_errors_are_as_wide_as_duels_of_other_seeds_differ():
    for name, opponent in (("relative", "random"), ("declaring", "simple"), ("defending", "simple")):
        results = [duel("simple", opponent, seed=seed, deals=400, workers=1) for seed in range(60)]
        spread = np.std([getattr(result, name) for result in results], ddof=1)
        errors = np.mean([getattr(result, f"{name}_se") for result in results])
        assert 0.7 < errors / spread < 1.4


def test_a_duel_does_not_depend_on_threads_and_rounds(monkeypatch):
    one = duel("club", "random", deals=30_000, workers=1)
    assert duel("club", "random", deals=30_000, workers=3) == one
    monkeypatch.setattr(library, "ROUND", 4 * CELL)
    assert duel("club", "random", deals=30_000, workers=2) == one


def test_matches_that_are_wanted_are_as_many_deals_as_it_takes(monkeypatch):
    wanted = duel("simple", "random", matches=1000)
    assert wanted.matches == 1002  # 334 from each place
    by_deals = duel("simple", "random", deals=wanted.deals)
    assert by_deals.matches >= 1002 > duel("simple", "random", deals=wanted.deals - 40).matches - 20
    assert (wanted.relative, wanted.relative_se) == (by_deals.relative, by_deals.relative_se)
    monkeypatch.setattr(library, "ROUND", CELL)
    assert duel("simple", "random", matches=1000) == wanted


def test_a_single_deal_has_no_error():
    result = duel("simple", "random", deals=1)
    assert isnan(result.relative_se)
    assert result.matches == 0
    assert isnan(result.match_wins)


def test_several_duels_are_those_one_by_one():
    seen = []
    pairs = [("simple", "random"), ("random", "simple")]
    several = duels(pairs, deals=2000, progress=seen.append)
    assert several == tuple(duel(*pair, deals=2000) for pair in pairs)
    said = [progress.message for progress in seen if progress.message and "against" in progress.message]
    assert said == ["simple against random …", "random against simple …"]


@pytest.mark.parametrize("rules", [STANDARD, TWO_TEAMS], ids=["3x2", "2x3"])
def test_the_reference_engine_tells_the_same_types(rules):
    bots = ("simple", "random", "random")[: rules.n_teams]
    seating = Seating(bots, 9, rules)
    assert seating.types_by_reference(100, 60).tolist() == seating.types(100, 60).tolist()


def test_search_plays_the_same_deals_in_any_number_of_processes():
    n = 2 * SEARCH_CHUNK + 1
    one = duel("search", "simple", deals=n, worlds=2, workers=1)
    assert one == duel("search", "simple", deals=n, worlds=2, workers=2)
    assert (one.deals, one.worlds) == (n, 2)
    even = duel("search", "search", deals=3, worlds=1, workers=1)
    assert (even.relative, even.relative_se) == (0, 0)


def test_progress_tells_how_far_a_duel_is():
    seen = []
    result = duel("simple", "random", deals=20_000, progress=seen.append)
    assert seen[-1].done == seen[-1].total == result.deals == 20_000
    done = [progress.done for progress in seen]
    assert done == sorted(done)


def test_an_error_ends_a_duel_at_once():
    def interrupt(_progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        duel("simple", "random", deals=50_000_000, progress=interrupt)


def test_all_reference_bots_can_meet_search():
    assert set(PLAYERS) == {*BOT_NAMES, "search"}
    assert set(BOTS) <= set(PLAYERS)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"challenger": "clever"}, ["'clever'", "simple", "search"]),
        ({"opponent": "Simple"}, ["'Simple'", "simple"]),
        ({"deals": 0}, ["0 deals", "100000"]),
        ({"deals": None, "matches": 0}, ["0 matches", "100000"]),
        ({"matches": 5}, ["deals and matches", "leave one"]),
        ({"workers": 0}, ["0 workers", "1"]),
        ({"worlds": 0}, ["0 worlds", "1"]),
        ({"seed": -1}, ["seed -1", "21"]),
        ({"seed": 2**63}, ["seed", "21"]),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(change, parts):
    wanted = {"challenger": "simple", "opponent": "random", "deals": 10} | change
    with pytest.raises(ValueError, match=r"^[^\n]+$") as refusal:
        duel(**wanted)
    for part in parts:
        assert part in str(refusal.value)


def test_a_result_is_fixed():
    result = duel("simple", "random", deals=10)
    with pytest.raises(AttributeError):
        result.deals = 5
    assert replace(result, deals=5) != result
