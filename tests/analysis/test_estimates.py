from fractions import Fraction
from math import comb, inf
from types import SimpleNamespace

import numpy as np
import pytest

from schmier_sim.analysis.estimates import make_table, worst_half_width
from schmier_sim.analysis.patterns import PatternError, cell_hands
from schmier_sim.analysis.ratios import wilson
from schmier_sim.analysis.store import Run
from schmier_sim.analysis.tally import Tally, outcome_points
from schmier_sim.game.holdings import HANDS, HOLDINGS

COLUMNS = [
    *("deals", "effective_deals", "share", "mean_points"),
    *(f"points_{n}" for n in range(7)),
    *(f"make_{bid}{end}" for bid in range(3, 7) for end in ("", "_low", "_high")),
    *(f"net_{bid}{end}" for bid in range(3, 7) for end in ("", "_se")),
    "best_bid",
    *(f"won_{point}" for point in ("high", "low", "right", "left", "joker", "game")),
]
POINTS = [f"points_{n}" for n in range(7)]


@pytest.fixture(scope="module")
def natural(synthetic: SimpleNamespace) -> Run:
    return synthetic.make_run(200_000)


@pytest.fixture(scope="module")
def stratified(synthetic: SimpleNamespace) -> Run:
    return synthetic.make_run(600_000, "stratified")


def test_columns_are_the_keys_and_what_was_promised(natural: Run) -> None:
    assert list(make_table(natural, ("seat", "trumps")).columns) == ["seat", "trumps", *COLUMNS]
    assert list(make_table(natural, ()).columns) == COLUMNS


def test_natural_rows_are_plain_proportions(natural: Run) -> None:
    table = make_table(natural, ("trumps",), min_deals=1)
    trumps = np.array([holding.trumps for holding in HOLDINGS])
    for row in table.to_dict("records"):
        outcomes = natural.tally.cells[:, trumps == row["trumps"]].sum(axis=(0, 1, 2))
        deals = int(outcomes.sum())
        made = int(outcomes[outcome_points() >= 4].sum())
        low, high = wilson(made, deals)
        assert row["deals"] == row["effective_deals"] == deals
        assert row["share"] == pytest.approx(deals / 200_000)
        assert row["make_4"] == pytest.approx(made / deals, abs=1e-12)
        assert (row["make_4_low"], row["make_4_high"]) == pytest.approx((float(low), float(high)), abs=1e-12)
        assert row["points_6"] == outcomes[63]
        assert row["won_high"] == pytest.approx(outcomes[1::2].sum() / deals)


def test_a_pattern_of_a_stratified_run_is_a_plain_proportion(stratified: Run) -> None:
    whole_rounds = make_table(stratified, ("pattern",), where="trumps>=5").iloc[:5]
    for row in whole_rounds.to_dict("records"):
        number = [holding.text for holding in HOLDINGS].index(row["pattern"])
        outcomes = stratified.tally.cells[:, number].sum(axis=(0, 1))
        made = int(outcomes[outcome_points() >= 4].sum())
        assert row["deals"] == outcomes.sum()
        assert row["make_4"] == pytest.approx(made / outcomes.sum(), abs=2e-4)
        assert row["make_4_low"] == pytest.approx(float(wilson(made, outcomes.sum())[0]), abs=2e-4)


def test_equal_turns_make_effective_deals_the_deals_exactly(synthetic: SimpleNamespace) -> None:
    table = make_table(synthetic.make_run(20 * 6 * 769, "stratified"), ("pattern",))
    assert len(table) == 769
    assert (table["effective_deals"] == table["deals"]).all()
    assert (table["deals"] == 120).all()
    low, high = wilson(table[POINTS[3:]].sum(axis=1), table["deals"])
    assert np.allclose(table["make_3_low"], low, rtol=0, atol=1e-12)
    assert np.allclose(table["make_3_high"], high, rtol=0, atol=1e-12)


def test_shares_of_trump_lengths_are_the_hypergeometric_chances(stratified: Run) -> None:
    table = make_table(stratified, ("trumps",))
    exact = [float(Fraction(comb(15, n) * comb(38, 6 - n), comb(53, 6))) for n in range(7)]
    assert table["trumps"].tolist() == list(range(7))
    assert table["share"].tolist() == pytest.approx(exact, rel=1e-13)


def test_shares_of_patterns_are_the_weights_of_their_classes(stratified: Run) -> None:
    table = make_table(stratified, ("pattern",)).set_index("pattern")
    assert table.loc["A K R x x", "share"] == pytest.approx(comb(7, 2) * 38 / comb(53, 6), rel=1e-13)
    assert table["share"].sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(
    "by", [("aces",), ("seat",), ("role", "trumps"), ("honours",), ("holds_A", "holds_2"), ()]
)
def test_shares_add_up_to_one_however_the_rows_are_cut(
    stratified: Run, natural: Run, by: tuple[str, ...]
) -> None:
    for run in (stratified, natural):
        assert make_table(run, by, min_deals=1)["share"].sum() == pytest.approx(1, rel=1e-9)


def test_a_seat_takes_its_sixth_of_the_share_as_key_or_filter(stratified: Run) -> None:
    hand = make_table(stratified, ("trumps",))["share"]
    assert np.allclose(make_table(stratified, ("trumps",), where="seat=2")["share"], hand / 6)
    roles = make_table(stratified, ("trumps", "role"))
    assert np.allclose(roles[roles["role"] == "neither"]["share"], hand * 4 / 6)


def test_shares_by_plain_aces_are_hypergeometric(stratified: Run) -> None:
    table = make_table(stratified, ("aces",), where="trumps=4")
    exact = [comb(15, 4) * comb(3, a) * comb(35, 2 - a) / comb(53, 6) for a in range(3)]
    assert table["share"].tolist() == pytest.approx(exact, rel=1e-12)


def test_points_are_whole_deals_that_add_up(stratified: Run, natural: Run) -> None:
    for run in (stratified, natural):
        table = make_table(run, ("trumps", "role"))
        assert (table[POINTS].sum(axis=1) == table["deals"]).all()
        assert (table[POINTS].dtypes == np.int64).all()
        assert np.allclose(
            table[POINTS[3:]].sum(axis=1) / table["deals"], table["make_3"], atol=3.5 / table["deals"]
        )
        assert np.allclose(table["mean_points"], table.filter(like="won_").sum(axis=1))


def test_higher_bids_are_made_less_often_and_never_gain_net_points(stratified: Run) -> None:
    table = make_table(stratified, ("pattern",), min_deals=1)
    for bid in (3, 4, 5):
        assert (table[f"net_{bid}"] >= table[f"net_{bid + 1}"]).all()
        assert (table[f"make_{bid}"] >= table[f"make_{bid + 1}"]).all()
    for bid in (3, 4, 5, 6):
        assert (table[f"make_{bid}_low"] <= table[f"make_{bid}"]).all()
        assert (table[f"make_{bid}_high"] >= table[f"make_{bid}"]).all()
        assert (table[f"net_{bid}_se"] > 0).all()


def test_both_ways_of_dealing_estimate_the_same_truth(
    synthetic: SimpleNamespace, natural: Run, stratified: Run
) -> None:
    """Of 28 intervals of 95 %, six or more would miss with a chance of .003, if they were independent."""
    hands = np.broadcast_to(cell_hands(), (6, 769, 4))
    trumps = np.array([holding.trumps for holding in HOLDINGS])
    for run in (natural, stratified):
        misses = 0
        for row in make_table(run, ("trumps",), min_deals=1).to_dict("records"):
            weights = np.where((trumps == row["trumps"])[:, np.newaxis], hands, 0)
            outcomes = np.einsum("sca,scao->o", weights / weights.sum(), synthetic.chances)
            for bid in range(3, 7):
                truth = outcomes[outcome_points() >= bid].sum()
                misses += not row[f"make_{bid}_low"] <= truth <= row[f"make_{bid}_high"]
        assert misses <= 5


def test_stratified_intervals_cover_the_truth_in_short_runs(synthetic: SimpleNamespace) -> None:
    """20 runs with two or three deals a stratum: coverage of 560 intervals, whose five standard errors are .046."""
    hands = np.broadcast_to(cell_hands(), (6, 769, 4))
    trumps = np.array([holding.trumps for holding in HOLDINGS])
    truth = []
    for n in range(7):
        weights = np.where((trumps == n)[:, np.newaxis], hands, 0)
        outcomes = np.einsum("sca,scao->o", weights / weights.sum(), synthetic.chances)
        truth.append([outcomes[outcome_points() >= bid].sum() for bid in range(3, 7)])
    covered = []
    for seed in range(20):
        table = make_table(
            synthetic.make_run(11_000, "stratified", seed=100 + seed), ("trumps",), min_deals=1
        )
        low = table[[f"make_{bid}_low" for bid in range(3, 7)]].to_numpy()
        high = table[[f"make_{bid}_high" for bid in range(3, 7)]].to_numpy()
        covered.append((low <= truth) & (truth <= high))
    assert 0.904 < np.mean(covered) < 0.996


def run_with(synthetic: SimpleNamespace, holding: int, outcomes: dict[int, int]) -> Run:
    """Make a natural run in which seat 1 always held one class and had these outcomes."""
    tally = Tally.empty()
    for outcome, count in outcomes.items():
        tally.cells[0, holding, 0, outcome] = count
    return Run(synthetic.make_info(tally.deals), tally)


@pytest.mark.parametrize(
    ("outcomes", "best"),
    [
        ({0b111111: 1000}, "6"),
        ({0b011111: 1000}, "5"),
        ({0b001111: 950, 0b000011: 50}, "4"),
        ({0b000111: 900, 0: 100}, "3"),
        ({0b000111: 100, 0: 900}, "none"),
        ({0b000111: 500, 0: 500}, "none or 3"),
        ({0b001111: 520, 0b000111: 480}, "3 or 4"),
        ({0b011111: 520, 0b001111: 480}, "4 or 5"),
        ({0b111111: 520, 0b011111: 480}, "5 or 6"),
        ({0b011111: 48, 0b000111: 52}, "3 to 5"),
        ({0b111111: 5, 0: 5}, "none to 6"),
        ({0b011111: 5, 0: 5}, "none to 5"),
    ],
)
def test_the_best_bid_is_the_highest_that_surely_gains_or_those_between_which_it_is_open(
    synthetic: SimpleNamespace, outcomes: dict[int, int], best: str
) -> None:
    assert make_table(run_with(synthetic, 300, outcomes), min_deals=1)["best_bid"].tolist() == [best]


def test_open_bids_are_those_whose_intervals_of_net_points_hold_0(synthetic: SimpleNamespace) -> None:
    table = make_table(synthetic.make_run(20_000, "stratified"), ("pattern",), min_deals=1)
    assert table["best_bid"].str.contains(" or ").any()
    assert table["best_bid"].str.contains(" to ").any()
    for row in table.to_dict("records"):
        level = {"none": 2, "3": 3, "4": 4, "5": 5, "6": 6}
        low, high = (level[name] for name in (row["best_bid"].split(" ")[0], row["best_bid"].split(" ")[-1]))
        means = {bid: row[f"net_{bid}"] for bid in range(3, 7)}
        error = {bid: 1.959963984540054 * row[f"net_{bid}_se"] for bid in range(3, 7)}
        assert low == 2 or means[low] > error[low]
        assert all(means[bid] <= error[bid] for bid in range(low + 1, 7))
        assert all(abs(means[bid]) <= error[bid] for bid in range(low + 1, high + 1))
        assert high == 6 or means[high + 1] < -error[high + 1]


def test_net_points_are_the_points_if_made_and_else_minus_the_bid(synthetic: SimpleNamespace) -> None:
    (row,) = make_table(run_with(synthetic, 300, {0b001111: 60, 0b000001: 40})).to_dict("records")
    assert [row[f"net_{bid}"] for bid in range(3, 7)] == pytest.approx(
        [0.6 * 4 - 0.4 * 3, 0.6 * 4 - 0.4 * 4, -5, -6]
    )
    assert row["net_4_se"] == pytest.approx(np.repeat([4, -4], [60, 40]).std(ddof=1) / 10, rel=0.02)


def test_thin_rows_are_dropped_and_counted(natural: Run) -> None:
    table, full = make_table(natural, ("pattern",)), make_table(natural, ("pattern",), min_deals=1)
    assert table["deals"].min() >= 100
    assert len(table) + table.attrs["dropped"] == 769
    assert set(table["pattern"]) == set(full[full["deals"] >= 100]["pattern"])
    assert make_table(natural, ("pattern",), min_deals=0).equals(full)


def test_rows_whose_hands_are_not_all_dealt_yet_are_left_out_and_counted(synthetic: SimpleNamespace) -> None:
    short = synthetic.make_run(3000, "stratified")
    table = make_table(short, ("trumps",), min_deals=1)
    assert 0 < len(table) < 7
    assert table.attrs == {"dropped": 0, "incomplete": 7 - len(table)}
    whole = make_table(short, ("pattern",), min_deals=1)
    assert len(whole) == 500
    assert whole.attrs["incomplete"] == 269


def test_a_run_without_deals_gives_an_empty_table(synthetic: SimpleNamespace) -> None:
    for sample in ("natural", "stratified"):
        empty = Run(synthetic.make_info(0, sample=sample), Tally.empty())
        table = make_table(empty, ("trumps", "pattern"))
        assert len(table) == 0
        assert list(table.columns) == ["trumps", "pattern", *COLUMNS]
        assert worst_half_width(table) == inf


def test_a_filter_leaves_rows_as_they_are(stratified: Run) -> None:
    full = make_table(stratified, ("pattern", "role"))
    part = make_table(stratified, ("pattern", "role"), where="trumps=2 and role=dealer")
    wanted = full[
        (full["role"] == "dealer") & full["pattern"].isin([h.text for h in HOLDINGS if h.trumps == 2])
    ]
    assert part.equals(wanted.reset_index(drop=True))
    assert len(make_table(stratified, where="holds=A and lacks=A")) == 0


def test_rows_stand_in_the_order_of_the_keys(natural: Run) -> None:
    table = make_table(natural, ("role", "trumps"))
    assert table["role"].unique().tolist() == ["dealer", "partner-deals", "neither"]
    assert table[table["role"] == "dealer"]["trumps"].is_monotonic_increasing
    assert make_table(natural, ("holds_A",))["holds_A"].tolist() == [True, False]


def test_sums_of_runs_give_the_table_of_all_deals(synthetic: SimpleNamespace, natural: Run) -> None:
    both = Tally.empty()
    both.add(natural.tally)
    both.add(natural.tally)
    doubled = make_table(Run(synthetic.make_info(400_000), both), ("trumps",), min_deals=1)
    single = make_table(natural, ("trumps",), min_deals=1)
    assert (doubled["deals"] == 2 * single["deals"]).all()
    assert np.allclose(doubled["make_3"], single["make_3"])


def test_the_worst_half_width_is_that_of_the_widest_interval(natural: Run) -> None:
    table = make_table(natural, ("trumps",))
    widths = [table[f"make_{bid}_high"] - table[f"make_{bid}_low"] for bid in range(3, 7)]
    assert worst_half_width(table) == pytest.approx(max(width.max() for width in widths) / 2 * 100)
    assert worst_half_width(make_table(natural, ())) < 0.25


def test_unknown_keys_and_filters_are_refused(natural: Run) -> None:
    with pytest.raises(PatternError, match='no key "colour"'):
        make_table(natural, ("colour",))
    with pytest.raises(PatternError, match="trumps must be from 0 to 6"):
        make_table(natural, where="trumps=9")


def test_the_chance_of_all_hands_is_one() -> None:
    assert sum(Fraction(holding.count, HANDS) for holding in HOLDINGS) == 1


def test_points_of_stratified_rows_are_weighted_as_the_hands_are_dealt(stratified: Run) -> None:
    table = make_table(stratified, ())
    points = table[POINTS].to_numpy()[0]
    counted = np.bincount(outcome_points(), stratified.tally.cells.sum(axis=(0, 1, 2)), minlength=7)
    assert points.sum() == counted.sum() == 600_000
    assert points @ np.arange(7) / 600_000 == pytest.approx(table["mean_points"][0], abs=1e-4)
    assert (
        np.abs(points - counted).max() > 1_000
    )  # strong holdings are dealt more often here than at the table
