import numpy as np
import pytest
from numpy.typing import NDArray

from schmier_sim.analysis.ratios import RatioEstimate, estimate_ratios, wilson

MADE = (np.arange(7) >= 4).astype(np.int64)
NET = np.where(np.arange(7) >= 4, np.arange(7), -4)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [  # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_published_values(k: int, n: int, low: float, high: float) -> None:
    assert np.round(wilson(k, n), 4).tolist() == [low, high]


def test_wilson_is_exact_at_the_ends_and_knows_nothing_without_trials() -> None:
    low, high = wilson([0, 50, 0], [50, 50, 0])
    assert low[0] == 0
    assert high[1] == 1
    assert (low[2], high[2]) == (0, 1)
    assert high[0] == pytest.approx(1 - low[1])


def test_wilson_solves_its_equation() -> None:
    low, high = wilson(3.5, 17.25, z=2.5)
    for end in (float(low), float(high)):
        assert abs(3.5 / 17.25 - end) == pytest.approx(2.5 * np.sqrt(end * (1 - end) / 17.25))


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (float("nan"), 5)])
def test_wilson_refuses_impossible_counts(k: float, n: float) -> None:
    with pytest.raises(ValueError, match="from 0 to the number of trials"):
        wilson(k, n)


def test_wilson_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    for p, n in ((0.5, 100), (0.1, 300), (0.9, 2000)):
        low, high = wilson(rng.binomial(n, p, 20_000), n)
        covered = ((low <= p) & (p <= high)).mean()
        # The exact coverage of these three is .943, .943 and .950; five standard errors of 20 000 draws are .008.
        assert 0.934 < covered < 0.960


def simulate(
    chances: NDArray[np.float64],
    part: NDArray[np.float64],
    weights: NDArray[np.float64],
    size: int,
    rows: int,
) -> tuple[RatioEstimate, NDArray[np.float64]]:
    """Estimate many rows at once, each an independent repetition; also return the true shares [7].

    A share `part` [S] of each stratum of `size` deals belongs to the row, with results by `chances` [S, 7].
    """
    rng = np.random.default_rng(11)
    strata = len(weights)
    deals = rng.binomial(size, part, (rows, strata))
    counts = rng.multinomial(deals, chances).reshape(rows * strata, 7)
    row, stratum = np.divmod(np.arange(rows * strata), strata)
    estimate = estimate_ratios(row, stratum, counts, weights, np.full(strata, size), rows)
    mass = weights * part
    return estimate, mass @ chances / mass.sum()


def uneven_strata(strata: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(5)
    return rng.dirichlet(np.ones(7), strata), rng.uniform(0.1, 1.0, strata), rng.dirichlet(np.ones(strata))


@pytest.mark.parametrize(("strata", "size"), [(6, 300), (40, 100), (100, 8)])
def test_ratios_are_unbiased_and_their_intervals_cover_the_truth(strata: int, size: int) -> None:
    estimate, truth = simulate(*uneven_strata(strata), size=size, rows=2000)
    p, low, high = estimate.probability(MADE)
    true_p, true_net = truth @ MADE, truth @ NET
    net, net_se = estimate.mean(NET), estimate.standard_error(NET)
    # 2000 repetitions: four standard errors of a coverage of .95 are .020, five of a mean 5/√2000 of the spread.
    assert abs(p.mean() - true_p) < 5 * p.std() / np.sqrt(2000) + 0.002
    assert abs(net.mean() - true_net) < 5 * net.std() / np.sqrt(2000) + 0.01
    assert 0.93 < ((low <= true_p) & (true_p <= high)).mean() < 0.97
    assert 0.93 < (np.abs(net - true_net) < 1.96 * net_se).mean() < 0.97
    assert net_se.mean() == pytest.approx(net.std(), rel=0.07)


def test_differences_of_bids_on_the_same_deals_have_the_error_of_pairs() -> None:
    estimate, truth = simulate(*uneven_strata(40), size=100, rows=3000)
    gain = NET - np.where(np.arange(7) >= 3, np.arange(7), -3)
    covered = np.abs(estimate.mean(gain) - truth @ gain) < 1.96 * estimate.standard_error(gain)
    assert 0.93 < covered.mean() < 0.97


def test_rare_results_keep_intervals_open() -> None:
    chances = np.tile([0.0, 0, 0, 0, 0, 0.01, 0.99], (6, 1))
    estimate, truth = simulate(chances, np.ones(6), np.linspace(0.1, 0.3, 6), size=40, rows=3000)
    p, low, high = estimate.probability(MADE)
    assert (p == 1).all()
    assert (low < 1).all()
    assert (high == 1).all()
    assert (estimate.standard_error(NET) > 0).all()
    sixes = (np.arange(7) == 6).astype(np.int64)
    _, low, high = estimate.probability(sixes)
    assert ((low <= truth[6]) & (truth[6] <= high)).mean() > 0.93


def test_one_stratum_is_a_plain_proportion_with_wilsons_interval() -> None:
    counts = np.array([[5, 10, 20, 30, 20, 10, 5]])
    zero = np.zeros(1, np.int64)
    for size in (100, 1_000_000):  # the whole stratum, or a part of it
        estimate = estimate_ratios(zero, zero, counts, np.array([0.3]), np.array([size]), 1)
        p, low, high = estimate.probability(MADE)
        assert estimate.effective[0] == estimate.deals[0] == 100
        assert p[0] == pytest.approx(0.35, abs=1e-15)
        assert (low[0], high[0]) == pytest.approx(tuple(map(float, wilson(35, 100))), abs=1e-14)
        assert estimate.mean(NET)[0] == pytest.approx(counts[0] @ NET / 100)
        plain = np.repeat(NET, counts[0]).std(ddof=1) / 10
        assert estimate.standard_error(NET)[0] == pytest.approx(plain, rel=0.02)


def test_nearly_equal_weights_give_nearly_the_plain_interval() -> None:
    counts = np.tile([5, 10, 20, 30, 20, 10, 5], (2, 1))
    row, stratum = np.zeros(2, np.int64), np.arange(2)
    estimate = estimate_ratios(row, stratum, counts, np.full(2, 0.5), np.array([100, 101]), 1)
    _, low, high = estimate.probability(MADE)
    plain_low, plain_high = wilson(70, 200)
    assert estimate.effective[0] == pytest.approx(200, rel=1e-3)
    assert float(low[0]) == pytest.approx(float(plain_low), abs=1e-3)
    assert float(high[0]) == pytest.approx(float(plain_high), abs=1e-3)
