"""Figures of single hands: those of the tables, and what declaring is worth by the rules and the shipped chances."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from schmier_sim.analysis.equity import Changes, MatchTable, stand
from schmier_sim.analysis.estimates import NET, make_table
from schmier_sim.analysis.lookup import (
    ANY_ACES,
    DEALER_OF,
    DEALINGS,
    LEAST_SCORE,
    PARTS,
    ROLE_OF,
    SEATS_OF,
    Declaration,
    bid_up_to,
    declare,
    figures,
    make_lookup,
    standard_error,
)
from schmier_sim.analysis.patterns import ROLES
from schmier_sim.analysis.store import Run
from schmier_sim.game.holdings import HOLDINGS, parse_holding
from schmier_sim.game.rules import Rules
from schmier_sim.kernel import equity as shipped
from schmier_sim.kernel.chain import Solution
from schmier_sim.kernel.counts import BIDS, N_ACES
from schmier_sim.kernel.match import after_one_deal, state_of, ways_of
from tests.deal_types import with_types

STRATA = 6 * len(HOLDINGS)
SCORES = ((0, 0, 0), (14, 9, 18), (20, 20, 20), (18, 3, 12), (5, 20, 1))


@pytest.fixture(scope="module")
def run(synthetic) -> Run:
    made = synthetic.make_run(STRATA * 300, "stratified")
    return Run(made.info, with_types(made.tally.cells, made.info.rules))


@pytest.fixture(scope="module")
def found(run):
    return make_lookup(run)


@pytest.mark.parametrize("by", [("role", "pattern", "aces"), ("role", "pattern")], ids=len)
def test_every_kind_of_hand_has_the_figures_of_the_table(run, found, by):
    table = make_table(run, by=by, min_deals=1)
    assert len(table) > 2000
    names = ["deals", "mean_points", *(f"{name}_{bid}" for name in ("make", "net") for bid in BIDS)]
    names += [f"make_{bid}_{end}" for end in ("low", "high") for bid in BIDS]
    shown, best = [], []
    for row in table.to_dict("records"):
        at = ROLES.index(row["role"]), parse_holding(row["pattern"]), row.get("aces", ANY_ACES)
        each = figures(found.counts(*at))
        shown.append([each.deals, each.mean, *each.make, *each.net, *each.low, *each.high])
        best.append(words_of(found.best[at]))
    assert np.allclose(np.array(shown), table[names].to_numpy(np.float64), rtol=0, atol=1e-9)
    assert best == table["best_bid"].tolist()


def words_of(code):
    low, high = divmod(int(code), 8)
    names = ["none", "3", "4", "5", "6"]
    return names[low] if low == high else f"{names[low]} {'or' if high == low + 1 else 'to'} {names[high]}"


def test_where_seats_had_unequal_turns_figures_are_those_of_the_table_but_for_a_hair(synthetic):
    run = synthetic.make_run(STRATA * 100 + 6 * 100 + 4, "stratified")
    found = make_lookup(run)
    table = make_table(run, by=("role", "pattern"))
    unequal = table[table["deals"] != table["effective_deals"]]
    assert len(unequal) == 1
    for row in unequal.to_dict("records"):
        shown = figures(found.counts(ROLES.index(row["role"]), parse_holding(row["pattern"]), ANY_ACES))
        for i, bid in enumerate(BIDS):
            wanted = [row[f"make_{bid}"], row[f"make_{bid}_low"], row[f"make_{bid}_high"]]
            assert [shown.make[i], shown.low[i], shown.high[i]] == pytest.approx(wanted, abs=0.005)


def test_hands_that_were_not_dealt_have_no_deals(synthetic):
    run = synthetic.make_run(600, "stratified")  # the first hundred classes, once in each seat
    found = make_lookup(run)
    assert found.points[:, 100:].sum() == 0
    assert found.points.sum() == 600
    assert (found.match, found.without) == (None, "deals")


@pytest.mark.parametrize("role", [0, 1])
def test_errors_are_those_of_the_table(run, found, role):
    table = make_table(run, by=("role", "pattern"), where=f"role={ROLES[role]}, trumps=3")
    for row in table.to_dict("records"):
        points = found.counts(role, parse_holding(row["pattern"]), ANY_ACES)
        for bid in BIDS:
            assert standard_error(points, NET[bid]) == pytest.approx(row[f"net_{bid}_se"])


def test_points_of_the_others_are_counted_in_the_deals_of_the_run(found):
    others = found.match.others
    assert (others.sum(axis=(2, 3)) == PARTS).all()
    for dealing, own, left, right in np.argwhere(others).tolist():
        assert own + left + right in (5, 6), dealing
    # Points that were not won are any other team's: so left and right have as many on average.
    points = np.arange(7)
    for shares in others.reshape(-1, 7, 7) / PARTS:
        assert shares.sum(axis=1) @ points == pytest.approx(shares.sum(axis=0) @ points, abs=0.05)


def test_dealers_are_where_the_declarer_sees_them():
    for dealing, seats in enumerate(SEATS_OF):
        for seat in seats:
            own, dealers = Rules().team(seat), Rules().team(6)
            assert (dealers - own) % 3 == DEALER_OF[dealing]
            role = "dealer" if seat == 6 else "partner-deals" if own == dealers else "neither"
            assert ROLES[ROLE_OF[dealing]] == role
    assert sorted(seat for seats in SEATS_OF for seat in seats) == [1, 2, 3, 4, 5, 6]


def in_dealers_order(scores, dealing):
    dealer = DEALER_OF[dealing]
    return (*scores[dealer:], *scores[:dealer]), -dealer % 3


def test_chances_are_the_shipped_ones(found):
    wins = shipped.shipped().wins / shipped.UNIT
    for scores, dealing in product(SCORES, range(len(DEALINGS))):
        turned, place = in_dealers_order(scores, dealing)
        state = wins[state_of(turned, Rules())]
        wanted = [state[(place + team) % 3] for team in range(3)]
        assert found.match.chances(scores, dealing) == pytest.approx(wanted)
        assert found.match.chances(scores, dealing).sum() == pytest.approx(1)


def test_leaving_the_deal_is_worth_what_the_standing_says(found):
    changes = Changes(shipped.shipped().deals.astype(np.int64), ways_of(Rules()))
    table = MatchTable.of(Solution(shipped.shipped().wins / shipped.UNIT, 0.0, 0), Rules())
    for scores, dealing in (((14, 9, 18), 0), ((20, -3, 19), 3)):
        turned, place = in_dealers_order(scores, dealing)
        standing = stand(table, changes, turned)
        assert found.match.leaving(scores, dealing) == pytest.approx(
            standing.bids[place][0].left, abs=1 / shipped.UNIT
        )


def kernel_values(match, scores, dealing, bid, rules):
    """The same as `values`, from the kernel's ways; not a number where others have points that no way has."""
    turned, place = in_dealers_order(scores, dealing)
    ways = ways_of(rules)
    wins = shipped.wins_under(rules).astype(np.float64)
    states = np.array([state_of(turned, rules)])
    after = after_one_deal(wins, ways, rules, states, shipped.UNIT)[0][:, place]
    worth = {}
    for way in np.flatnonzero((ways.declarers == place) & (ways.bids == bid)):
        worth[tuple(np.roll(ways.gains[way], -place).tolist())] = after[way] / shipped.UNIT
    found = np.zeros(7)
    for own, left, right in np.argwhere(match.others[dealing]).tolist():
        gains = own if own >= bid else -bid, left, right
        found[own] += match.others[dealing, own, left, right] / PARTS * worth[gains]
    return found


@pytest.mark.parametrize("dealing", range(4), ids=DEALINGS)
def test_values_are_those_of_the_kernels(found, dealing):
    for scores, bid in product(SCORES, BIDS):
        values = found.match.values(scores, dealing, bid)
        assert values == pytest.approx(kernel_values(found.match, scores, dealing, bid, Rules()))


@pytest.mark.parametrize(
    "change",
    [{"endgame": "declarer-first"}, {"must_bid_to_win": True}],
    ids=lambda change: next(iter(change)),
)
def test_house_rules_of_the_match_are_kept(run, change):
    rules = Rules(name="house", target=7, **change)
    match = make_lookup(replace(run, info=replace(run.info, rules=rules))).match
    assert match.wins.shape == match.left.shape == (13, 13, 13, 3)
    for scores, bid in product(((6, 6, 6), (2, 6, 5)), BIDS):
        values = match.values(scores, 2, bid)
        assert values == pytest.approx(kernel_values(match, scores, 2, bid, rules))


@pytest.mark.parametrize("rules", [Rules(teams="2x3"), Rules(target=26)], ids=["two teams", "long match"])
def test_without_chances_there_is_no_match(run, rules):
    found = make_lookup(replace(run, info=replace(run.info, rules=rules)))
    assert (found.match, found.without) == (None, "rules")


def test_a_match_that_the_deal_ends_is_known(found):
    values = found.match.values((20, 0, 0), 1, 4)
    assert (values[4:] == 1).all()
    assert (values[:4] < 1).all()
    # Four points or more go to the others: the match is theirs, but where they are level and play on.
    assert (found.match.values((0, 20, 20), 1, 3)[:3] < 1e-4).all()


def test_a_point_more_is_never_worse(found):
    for dealing, left, right in product(range(4), (0, 13, 20), (-6, 9, 20)):
        own = [found.match.chances((score, left, right), dealing)[0] for score in range(LEAST_SCORE, 21)]
        assert (np.diff(own) >= -2 / shipped.UNIT).all()


def test_lower_scores_count_as_the_least(found):
    for dealing in range(4):
        lowest = [
            found.match.values((0, score, 3), dealing, 3) for score in (LEAST_SCORE - 6, LEAST_SCORE - 40)
        ]
        assert lowest[0] == pytest.approx(lowest[1])
        assert (
            found.match.chances((LEAST_SCORE - 9, 3, 4), dealing)
            == found.match.chances((LEAST_SCORE, 3, 4), dealing)
        ).all()


def test_the_lower_of_two_bids_is_never_worse_to_declare_at(found):
    points = found.counts(2, parse_holding("A K x 2"), 0)
    for scores, dealing in product(SCORES[:4], (2, 3)):
        leaving = found.match.leaving(scores, dealing)
        made = [declare(points, found.match.values(scores, dealing, bid), bid, leaving) for bid in BIDS]
        assert (np.diff([each.chance for each in made]) <= 0).all()


def test_a_bid_made_as_often_as_needed_does_as_much_as_leaving():
    points = np.array([10, 20, 30, 40, 50, 60, 70])
    values = np.linspace(0.1, 0.9, 7)
    needed = declare(points, values, 4, 0.5).needed
    made, lost = points[4:] / points[4:].sum(), points[:4] / points[:4].sum()
    assert needed * (made @ values[4:]) + (1 - needed) * (lost @ values[:4]) == pytest.approx(0.5)


def test_what_is_needed_is_unknown_where_a_bid_always_or_never_fails_or_does_not_matter():
    values = np.linspace(0.1, 0.9, 7)
    assert np.isnan(declare(np.array([9, 9, 9, 0, 0, 0, 0]), values, 4, 0.5).needed)
    assert np.isnan(declare(np.array([0, 0, 0, 0, 9, 0, 9]), values, 4, 0.5).needed)
    assert np.isnan(declare(np.full(7, 9), np.full(7, 0.4), 4, 0.5).needed)


@pytest.mark.parametrize(
    ("chances", "error", "wanted"),
    [
        ((0.6, 0.58, 0.55, 0.4), 0.01, (3, 3)),
        ((0.6, 0.58, 0.51, 0.4), 0.01, (2, 3)),
        ((0.51, 0.50, 0.49, 0.4), 0.01, (0, 3)),
        ((0.4, 0.3, 0.2, 0.1), 0.01, (0, 0)),
        ((0.9, 0.8, 0.7, 0.6), 0.01, (4, 4)),
    ],
)
def test_bids_go_as_far_as_they_are_better_than_leaving(chances, error, wanted):
    made = [Declaration(bid, chance, error, 0.0) for bid, chance in zip(BIDS, chances, strict=True)]
    assert bid_up_to(made, 0.5) == wanted


def test_best_bids_of_the_table_follow_by_the_same_rule(found):
    """Net points against none are chances against those of leaving; of one seat, where errors are the same."""
    for holding, aces in product(range(0, len(HOLDINGS), 7), range(N_ACES)):
        points = found.counts(0, holding, aces)
        if points.sum():
            net = figures(points).net
            made = [
                Declaration(bid, net[i], standard_error(points, NET[bid]), 0.0) for i, bid in enumerate(BIDS)
            ]
            assert bid_up_to(made, 0.0) == divmod(int(found.best[0, holding, aces]), 8)


def test_tables_of_scores_fit_their_numbers(found):
    assert found.match.wins.dtype == found.match.left.dtype == np.uint16
    assert found.match.wins.shape == (21 - LEAST_SCORE,) * 3 + (3,)
