"""Audits: what bots give away, what sides gain, cells and calibration."""

from dataclasses import replace
from math import isnan, sqrt

import numpy as np
import pytest

from schmier_sim.analysis import cells, regret, response
from schmier_sim.analysis.audit import PARTS, AuditError, audit
from schmier_sim.analysis.audited import (
    N_STRATA,
    Address,
    Subject,
    declaring_points,
    mean,
    ratio,
    spread_strata,
)
from schmier_sim.analysis.calibration import calibrate, contracts
from schmier_sim.analysis.crew import Crew, open_crew
from schmier_sim.analysis.regret import (
    CHOOSING,
    KINDS,
    Observer,
    decisions_of,
    judge,
    measure_regret,
    regret_table,
)
from schmier_sim.analysis.seating import Report
from schmier_sim.game import club_bids
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import trump_order
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.holdings import HOLDINGS, holding_of
from schmier_sim.game.reference_bots import ascending
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.search import SearchBot
from schmier_sim.kernel.simulate import STANDARD, Setup

QUIET = Report(lambda _progress: None, None)
ALONE = Crew(None)
CLUB = Subject("club")


class Highest(ClubBot):
    """Bids as club, and plays the highest card that it may."""

    def play(self, view):
        return ascending(view.legal, view.trumps_named)[-1]


@pytest.fixture(scope="module")
def club_decisions():
    return [decisions_of(CLUB, 12, Address(3, index, "auction")) for index in range(12)]


def test_who_plays_as_search_does_in_the_same_worlds_regrets_nothing():
    subject = Subject("club", SearchBot(6, CHOOSING, "club"))
    found = [
        decision for index in range(2) for decision in decisions_of(subject, 6, Address(5, index, "declare"))
    ]
    assert len(found) > 30
    assert all(decision.played == decision.better for decision in found)
    assert {(decision.regret, decision.error) for decision in found} == {(0.0, 0.0)}


def test_who_always_plays_the_highest_card_regrets_much(club_decisions):
    bad = [decisions_of(Subject("club", Highest()), 12, Address(3, index, "auction")) for index in range(12)]
    of_club, of_bad = (regret_table("auction", "natural", deals).rows[-1] for deals in (club_decisions, bad))
    assert of_bad.deal > of_club.deal + 2 * sqrt(of_bad.deal_se**2 + of_club.deal_se**2)
    assert of_bad.deal > 2
    assert of_bad.clear > 0.1


def test_parts_of_the_regret_add_up(club_decisions):
    table = regret_table("auction", "natural", club_decisions)
    *rows, total = table.rows
    flat = [decision for decisions in club_decisions for decision in decisions]
    assert total.kind == "all"
    assert [row.kind for row in rows] == [kind for kind in KINDS if any(d.kind == kind for d in flat)]
    assert total.decisions == sum(row.decisions for row in rows) == len(flat)
    assert total.deal == pytest.approx(sum(row.deal for row in rows))
    assert total.deal == pytest.approx(sum(d.regret for d in flat) / 12)
    if total.deal > 0:
        assert sum(row.share for row in rows) == pytest.approx(1)
    for row in table.rows:
        assert row.deal == pytest.approx(row.each * row.decisions / 12)
        assert row.per_deal == pytest.approx(row.decisions / 12)
    per_deal = [sum(d.regret for d in decisions) for decisions in club_decisions]
    assert total.deal_se == pytest.approx(np.std(per_deal, ddof=1) / sqrt(12))


def test_the_observer_does_not_change_the_deal():
    address = Address(9, 4, "auction")
    observer = Observer(CLUB, address, 2)
    assert address.play(STANDARD, observer) == address.play(STANDARD, BOTS["club"])


def options_taken(decision, setup):
    """What was done in the deal that the kernels replay, at the place of a decision."""
    record = replay(setup, decision.address.index)[0]
    if decision.kind == regret.NAMING:
        return record.trump
    if decision.trick == 0:
        return next(away for seat, away, _ in record.exchange if seat == decision.seat)
    leader, cards, _ = record.tricks[decision.trick - 1]
    place = (decision.seat - leader) % 6
    assert cards[:place] == decision.table
    return cards[place]


def test_decisions_are_those_of_the_deal_that_the_command_replays(club_decisions):
    for decisions in club_decisions[:4]:
        for decision in decisions:
            setup = Setup(seed=3, mode="auction", bots="club")
            assert options_taken(decision, setup) == decision.played
            assert decision.address.command("club") == (
                f"schmier-sim deal {decision.address.index} --seed 3 --mode auction --bots club"
            )
    stratified = Address(3, 4000, "declare", "stratified")
    assert stratified.command("club") == (
        "schmier-sim deal 4000 --seed 3 --mode declare --sample stratified --bots club"
    )
    for decision in decisions_of(CLUB, 2, stratified):
        assert options_taken(decision, Setup(3, "declare", "stratified", "club")) == decision.played


def test_kinds_say_who_decides_and_how_the_trick_stands(club_decisions):
    for decision in (decision for decisions in club_decisions for decision in decisions):
        record = decision.address.play(STANDARD, BOTS["club"])
        partner = STANDARD.team(record.declarer) == STANDARD.team(decision.seat)
        role = "declarer" if decision.seat == record.declarer else "partner" if partner else "defender"
        assert decision.kind == regret.NAMING or decision.kind.startswith(f"{role}: ")
        if decision.trick:
            assert ("lead" in decision.kind) == (not decision.table)
            trumps = set(trump_order(record.trump))
            if "void" in decision.kind and decision.table[0] in trumps:
                assert not trumps & set(decision.hand)


def test_a_judged_decision_is_the_same_decision_in_other_worlds(club_decisions):
    decision = next(d for decisions in club_decisions for d in decisions if d.regret)
    judged = judge(CLUB, 60, decision)
    assert replace(judged, regret=decision.regret, error=decision.error) == decision
    assert judged.error > 0
    assert judge(CLUB, 60, decision) == judged


def test_the_worst_decisions_are_in_order_and_stratified_deals_apart():
    found = measure_regret(CLUB, 3, 8, 4, ALONE, QUIET)
    assert [(table.mode, table.sample, table.deals) for table in found.tables] == [
        ("auction", "natural", 6),
        ("declare", "stratified", 2),
    ]
    assert len(found.worst) <= regret.WORST
    regrets = [decision.regret for decision in found.worst]
    assert regrets == sorted(regrets, reverse=True)
    assert found.judged == regret.JUDGED * 4


def test_stratified_deals_are_spread_over_seats_and_holdings():
    indices = spread_strata(N_STRATA + 600)
    assert len(set(indices)) == len(indices)
    assert set(indices[:N_STRATA]) == set(range(N_STRATA))
    few = [index // 6 % len(HOLDINGS) for index in spread_strata(60)]
    trumps = [HOLDINGS[class_].trumps for class_ in few]
    every = [holding.trumps for holding in HOLDINGS]
    assert np.mean(trumps) == pytest.approx(np.mean(every), abs=0.3)


def test_both_sides_are_answered_on_the_same_deal():
    answers = response.answers_of(CLUB, 3, Address(4, 1, "auction"))
    record = Address(4, 1, "auction").play(STANDARD, BOTS["club"])
    assert answers.shape == (3, len(response.MEASURES))
    points = declaring_points(record, STANDARD)
    assert answers[0, 0] == points
    assert answers[0, 1:5].tolist() == [points >= bid for bid in (3, 4, 5, 6)]
    assert answers[0, 5] == (points >= record.bid)
    team = STANDARD.team(record.declarer) - 1
    assert answers[0, 6] == record.scores[team] - (sum(record.scores) - record.scores[team]) / 2


def test_gaps_are_paired_differences_with_the_sign_of_the_side():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 7, size=(40, 3, len(response.MEASURES))).astype(float)
    gaps = response.gaps_of("auction", list(values))
    found = response.Response(1, tuple(gaps))
    gain = values[:, 1, 0] - values[:, 0, 0]
    declaring, defending = found.gap("auction", "declaring"), found.gap("auction", "defending")
    assert (declaring.gap, declaring.gap_se) == pytest.approx((gain.mean(), gain.std(ddof=1) / sqrt(40)))
    assert defending.gap == pytest.approx((values[:, 0, 0] - values[:, 2, 0]).mean())
    assert {gap.measure for gap in response.gaps_of("declare", list(values))} == set(response.MEASURES) - set(
        response.WITH_A_BID
    )


def test_a_deal_that_is_passed_out_has_no_answer():
    class Shy(ClubBot):
        def bid(self, view):
            del view

    assert response.answers_of(Subject("club", Shy()), 2, Address(1, 0, "auction")) is None


def test_classes_are_the_commonest_that_are_bid_on():
    shares = cells.classes_bid_on(CLUB, 3)
    assert cells.COVERED <= shares.sum() < cells.COVERED + 0.01
    assert 20 < (shares > 0).sum() < 700
    addresses = cells.deals_of_classes(3, shares, 5000)
    assert len({address.index for address in addresses}) == 5000
    classes = [address.index // 6 % len(HOLDINGS) for address in addresses]
    counts = np.bincount(classes, minlength=len(HOLDINGS))
    assert np.abs(counts - 5000 * shares / shares.sum()).max() <= 1
    seats = np.bincount([address.index % 6 for address in addresses])
    assert seats.min() > 700
    address = addresses[1234]
    record = address.play(STANDARD, BOTS["club"])
    assert holding_of(record.hands[record.declarer - 1], "S") == classes[1234]


def test_noise_is_taken_out_of_differences_and_real_ones_stay():
    rng = np.random.default_rng(2)
    classes = np.repeat(np.arange(300, 500), 30)
    chance = rng.uniform(0.3, 0.7, 200)[classes - 300]
    better = np.clip(chance + rng.normal(0.05, 0.1, 200)[classes - 300], 0, 1)

    def points(chances):
        return np.where(rng.random(len(classes)) < chances, 4, 2)

    noise = cells.compare(classes, np.stack([points(chance), points(chance)], axis=1), 1, 200, 0.95)
    real = cells.compare(classes, np.stack([points(chance), points(better)], axis=1), 1, 200, 0.95)
    nothing, something = noise.summaries[1], real.summaries[1]
    assert abs(nothing.mean) < 3 * nothing.mean_se
    assert nothing.absolute < 0.03
    assert nothing.seen == pytest.approx(nothing.noise, rel=0.8)
    assert something.mean == pytest.approx(0.05, abs=0.03)
    assert something.spread == pytest.approx(0.1, abs=0.03)
    assert 0 < something.absolute_se < 0.03
    assert something.absolute == pytest.approx(cells.folded_mean(0.05, 0.1), abs=0.03)
    assert real.summaries[3].mean == real.summaries[3].spread == 0  # nobody makes 6
    rows = [row for row in real.rows if row.bid == 4]
    assert sum(row.share for row in rows) == pytest.approx(1)
    assert sum(row.deals for row in rows) == 6000
    for row in rows:
        assert row.difference == pytest.approx(row.search - row.base)
        low, high = sorted((row.difference, something.mean))
        assert low - 1e-12 <= row.shrunk <= high + 1e-12


def test_the_mean_size_of_a_normal_variable():
    draws = np.random.default_rng(3).normal(0.4, 0.7, 400_000)
    assert cells.folded_mean(0.4, 0.7) == pytest.approx(np.abs(draws).mean(), abs=0.005)
    assert cells.folded_mean(-0.3, 0) == 0.3


def test_calibration_finds_true_and_false_chances():
    rng = np.random.default_rng(4)
    predicted = rng.uniform(0.2, 0.95, 40_000)
    bids = rng.integers(3, 6, 40_000)
    made = rng.random(40_000) < predicted
    good = calibrate(predicted, made, bids, 50_000)
    assert len(good.tenths) == 10
    assert {row.deals for row in good.tenths} == {4000}
    assert sum(row.deals for row in good.bids) == good.total.deals == 40_000
    assert [row.deals > 0 for row in good.bids] == [True, True, True, False]
    assert all(abs(row.difference) < 4 * row.difference_se for row in good.tenths)
    bad = calibrate(predicted, rng.random(40_000) < predicted - 0.05, bids, 50_000)
    for row in bad.tenths:
        assert row.difference == pytest.approx(-0.05, abs=4 * row.difference_se)
        assert row.difference == pytest.approx(row.made - row.predicted)
        assert row.low <= row.predicted <= row.high


def test_equal_predictions_stay_in_one_row():
    found = calibrate(np.full(50, 0.5), np.arange(50) < 20, np.full(50, 3), 50)
    assert [(row.deals, row.made) for row in found.tenths] == [(50, 0.4)]
    assert calibrate(np.zeros(0), np.zeros(0, bool), np.zeros(0, int), 9).total.deals == 0


def test_predictions_are_those_of_the_table_for_the_hands_as_dealt():
    predicted, made, bids = contracts(CLUB, 6, 300, QUIET)
    expected = []
    for record in replay(Setup(6, "auction", "natural", "club"), 0, 300):
        if record.declarer is None:
            continue
        role = club_bids.role_of(record.declarer, STANDARD)
        cell = club_bids.cell_of(record.hands[record.declarer - 1], record.trump, role)
        chances = club_bids.bidding().chances[7 * cell : 7 * cell + 7]
        chance = sum(chances[record.bid :]) / club_bids.UNIT
        expected.append((chance, declaring_points(record, STANDARD) >= record.bid, record.bid))
    assert list(zip(predicted.tolist(), made.tolist(), bids.tolist(), strict=True)) == expected


def test_errors_of_means_and_ratios():
    assert mean([1, 2, 3, 6]) == pytest.approx((3, sqrt(14 / 3) / 2))
    assert isnan(mean([1])[1])
    value, error = ratio([1, 2, 3], [1, 1, 1])
    assert (value, error) == pytest.approx(mean([1, 2, 3]))
    assert ratio([2, 4], [1, 2]) == pytest.approx((2, 0))
    assert all(map(isnan, ratio([1], [0])))


def test_a_crew_keeps_the_order_of_items():
    items = [Address(1, index, "auction") for index in range(6)]
    with open_crew(2) as crew:
        together = crew.each(_index_of, items, QUIET)
    assert together == ALONE.each(_index_of, items, QUIET) == [0, 1, 2, 3, 4, 5]


def _index_of(address):
    return address.index


def test_an_audit_has_the_parts_that_are_asked_for():
    seen = []
    found = audit(["calibration", "response"], deals=4, worlds=2, seed=8, workers=1, progress=seen.append)
    assert (found.regret, found.cells) == (None, None)
    assert found.deals == {"response": 4, "calibration": 4}
    assert found.worlds == {"response": 2}
    assert {gap.mode for gap in found.response.gaps} <= {"declare", "auction"}
    assert [progress.message for progress in seen if progress.message][-2:] == [
        "response: 4 deals …",
        "calibration: 4 deals …",
    ]
    again = audit(["response", "calibration"], deals=4, worlds=2, seed=8, workers=1)
    assert (again.response, again.calibration.tenths) == (found.response, found.calibration.tenths)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"parts": ["luck"]}, ["'luck'", *PARTS]),
        ({"bots": "search"}, ["'search'", "club"]),
        ({"deals": 0}, ["0 deals", "1000"]),
        ({"worlds": 1}, ["1 worlds", "2"]),
        ({"workers": 0}, ["0 workers", "1"]),
        ({"seed": -1}, ["seed -1", "21"]),
    ],
)
def test_what_cannot_be_audited_is_refused_in_one_line(change, parts):
    with pytest.raises(AuditError, match=r"^[^\n]+$") as refusal:
        audit(**change)
    for part in parts:
        assert part in str(refusal.value)
