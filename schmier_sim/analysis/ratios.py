"""Probabilities with their intervals, and means with their errors, from stratified counts.

One estimator serves both ways of dealing. A stratum is what was dealt a fixed number of times: a class of trump
holdings in one seat in stratified runs, with the chance of that hand as its weight; everything in natural runs.
A row takes a part of some strata. With weights W, deals n per stratum and counts of the row's deals and results
in it, a result's share is the ratio of the weighted sums W/n · results and W/n · deals; its variance is the
linearised one of such a ratio. Intervals are Wilson's, at the number of plain deals that would have that variance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
Int64Array = NDArray[np.int64]

Z95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""


def wilson(successes: ArrayLike, trials: ArrayLike, z: float = Z95) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval for a probability.

    Parameters
    ----------
    successes, trials
        Numbers or arrays that broadcast together; fractions are allowed (effective deals). Without trials
        nothing is known: 0 to 1.
    z
        Two-sided normal quantile, by default for 95 %.

    Returns
    -------
    Lower and upper ends, float64, within 0..1.

    Raises
    ------
    ValueError
        Successes below 0 or above the trials.
    """
    k, n = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(trials, np.float64))
    if not np.all((k >= 0) & (k <= n)):
        raise ValueError("successes must be from 0 to the number of trials")
    centre = (k + z * z / 2) / (n + z * z)
    half = (
        z / (n + z * z) * np.sqrt(np.divide(k * (n - k), n, out=np.zeros(n.shape), where=n > 0) + z * z / 4)
    )
    # The ends at 0 and 1 are exact in theory; rounding must not move them.
    low = np.where(k == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(k == n, 1.0, np.minimum(centre + half, 1.0))
    return low, high


@dataclass(frozen=True)
class RatioEstimate:
    """Shares of each result among the deals of each row.

    Attributes
    ----------
    deals
        int64 [R]: deals played.
    effective
        float64 [R]: equally weighted deals that tell as much as these (Kish); `deals` where weights are equal.
    total
        float64 [R]: the row's share of all weight.
    shares
        float64 [R, K]: the estimated chance of each of K results; NaN without deals.
    smooth
        float64 [R, K]: the same from slightly smoothed counts, at which variances are taken.
    covariance
        float64 [R, K, K]: covariance matrix of the shares.
    """

    deals: Int64Array
    effective: FloatArray
    total: FloatArray
    shares: FloatArray
    smooth: FloatArray
    covariance: FloatArray

    def mean(self, values: FloatArray | Int64Array) -> FloatArray:
        """Return the mean of a value that depends on the result, [K] -> [R]."""
        return self.shares @ values

    def standard_error(self, values: FloatArray | Int64Array) -> FloatArray:
        """Return the standard error of `mean`."""
        return np.sqrt(np.maximum((self.covariance @ values) @ values, 0.0))

    def probability(self, success: FloatArray | Int64Array) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the chance of the results marked 1 in `success` [K], and its 95 % Wilson interval; each [R].

        ValueError for a row without deals.
        """
        won, lost = self.mean(success), self.mean(1 - success)
        p = won / (won + lost)  # exactly 1 where nothing was lost
        smooth = self.smooth @ success
        plain = smooth * (1 - smooth)
        variance = self.standard_error(success) ** 2
        deals = np.divide(plain, variance, out=self.effective.copy(), where=variance > 0)
        # Equal weights make the share a plain proportion: its deals count as they are.
        deals = np.where(self.effective == self.deals, self.deals, deals)
        low, high = wilson(p * deals, deals)
        return p, low, high


def estimate_ratios(
    row: Int64Array,
    stratum: Int64Array,
    counts: Int64Array,
    weights: FloatArray,
    sizes: Int64Array,
    rows: int,
) -> RatioEstimate:
    """Estimate the shares of results in rows that are cut out of strata.

    Parameters
    ----------
    row, stratum
        int64 [P]: the row and the stratum of each pair of these that occurs; each pair once.
    counts
        int64 [P, K]: deals by result, of this row in this stratum.
    weights
        float64 [S]: the chance of each stratum.
    sizes
        int64 [S]: deals played of each stratum, also those outside of the rows; above 0 where a pair needs it.
    rows
        Number of rows R.

    Notes
    -----
    Within a pair the results' shares are shrunk by one deal towards the row's (itself shrunk by one deal towards
    equal shares), so that nothing seen in a few deals is taken for certain and no interval has zero width;
    the variance makes good what the shrinking takes from it.
    """
    pair_deals = counts.sum(axis=1)
    deals = _sums(row, pair_deals[:, np.newaxis], rows)[:, 0]
    weight = weights[stratum] / sizes[stratum]
    moments = _sums(row, np.column_stack([weight * pair_deals, weight**2 * pair_deals]), rows)
    total = moments[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = _sums(row, weight[:, np.newaxis] * counts, rows) / total[:, np.newaxis]
        effective = total**2 / moments[:, 1]
        prior = (deals[:, np.newaxis] * shares + 1 / counts.shape[1]) / (deals[:, np.newaxis] + 1)
        within = (counts + prior[row]) / (pair_deals[:, np.newaxis] + 1)
        smooth = _sums(row, (weight * pair_deals)[:, np.newaxis] * within, rows) / total[:, np.newaxis]
        covariance = _covariance(row, within, smooth, weight, pair_deals, sizes[stratum])
        covariance /= (total**2)[:, np.newaxis, np.newaxis]
    return RatioEstimate(
        deals=deals.astype(np.int64),
        effective=np.where(_one_weight(row, weight, rows), deals, effective),
        total=total,
        shares=shares,
        smooth=smooth,
        covariance=covariance,
    )


def _covariance(
    row: Int64Array,
    within: FloatArray,
    smooth: FloatArray,
    weight: FloatArray,
    deals: Int64Array,
    sizes: Int64Array,
) -> FloatArray:
    """Sum over strata the covariance of (result - share of the row) in the row and 0 outside of it: [R, K, K]."""
    results = within.shape[1]
    spread = -within[:, :, np.newaxis] * within[:, np.newaxis, :]
    spread[:, range(results), range(results)] += within
    spread *= ((deals + 1) ** 2 / (deals**2 + deals + 1))[:, np.newaxis, np.newaxis]
    shift = within - smooth[row]
    spread += (
        (1 - deals / sizes)[:, np.newaxis, np.newaxis] * shift[:, :, np.newaxis] * shift[:, np.newaxis, :]
    )
    spread *= (weight**2 * deals)[:, np.newaxis, np.newaxis]
    return _sums(row, spread.reshape(len(row), results**2), len(smooth)).reshape(
        len(smooth), results, results
    )


def _sums(row: Int64Array, values: FloatArray | Int64Array, rows: int) -> FloatArray:
    """Add up the lines of `values` [P, C] that belong to the same row: [R, C]."""
    sums = [np.bincount(row, column, minlength=rows) for column in values.T]
    return np.stack(sums, axis=-1).astype(np.float64)


def _one_weight(row: Int64Array, weight: FloatArray, rows: int) -> NDArray[np.bool_]:
    """Tell which rows weigh all of their deals alike."""
    low, high = np.full(rows, np.inf), np.full(rows, -np.inf)
    np.minimum.at(low, row, weight)
    np.maximum.at(high, row, weight)
    return np.asarray(low == high)
