"""What a table says of hands, if the player plays at all six seats, beside what it says if `search` does.

Both play the same stratified deals, of the classes of trump holdings that the player declares with in auctions, each
as often as it declares with it. So differences are paired, and a mean over deals is a mean weighted by how often a
class is bid on. Of single classes there are few deals: their differences are mostly noise, whose share in their
squares is known and taken out. For what can be read off, classes are put together in groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import erf, exp, nan, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.audited import Address, FloatArray, Subject, declaring_points, mean
from schmier_sim.analysis.crew import Crew
from schmier_sim.analysis.seating import Report
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.kernel.counts import BIDS, CELLS_SHAPE, TYPES_SHAPE
from schmier_sim.kernel.simulate import Setup, play_into

Int64Array = NDArray[np.int64]

COVERED = 0.95
#: Deals with auctions in which the classes are counted.
COUNTED = 200_000
#: A group of classes with a smaller share of the bids is put to the others.
LEAST_SHARE = 0.02
OTHERS = "others"
#: Parts of the deals that are left out in turn for the error of what is no mean.
PARTS = 20
_ACE, _TWO = 128, 2


@dataclass(frozen=True)
class CellRow:
    """A group of classes at one bid.

    Attributes
    ----------
    group
        Number of trumps, and whether ace and 2 are held; or "others".
    bid
        3..6.
    deals, share
        Deals, and share of the bids.
    base, search
        Chance of the declaring side to win at least `bid` points with the player at all seats, and with `search`.
    difference, difference_se
        Search less player, and the standard error, from differences on the same deals.
    shrunk
        The difference moved towards the mean of all, the more the less is known of it (empirical Bayes): the best guess
        of the true one.
    """

    group: str
    bid: int
    deals: int
    share: float
    base: float
    search: float
    difference: float
    difference_se: float
    shrunk: float


@dataclass(frozen=True)
class CellSummary:
    """Differences of one bid, weighted by how often a class is bid on.

    Attributes
    ----------
    bid
        3..6.
    mean, mean_se
        With their signs, over all deals.
    spread
        How much the true differences of classes vary about the mean (standard deviation): from squares, less what the
        errors alone make of them; 0 if that is more.
    absolute, absolute_se
        Mean size of the true differences, if they vary like a normal distribution of that mean and spread; its
        standard error is by leaving out each twentieth of the deals in turn (jackknife).
    seen, noise
        Mean size of the differences of groups as they are, and what it would be if there was nothing but noise.
    largest, largest_se, largest_group
        The largest by size of the groups' shrunk differences, the standard error of that group's difference, its name.
    """

    bid: int
    mean: float
    mean_se: float
    spread: float
    absolute: float
    absolute_se: float
    seen: float
    noise: float
    largest: float
    largest_se: float
    largest_group: str


@dataclass(frozen=True)
class Cells:
    """Table cells of a player beside those of `search`.

    Attributes
    ----------
    worlds, deals
        Worlds a decision of `search`, and deals.
    classes, covered
        Classes of trump holdings that were dealt, and their share of the bids of an auction run.
    """

    worlds: int
    deals: int
    classes: int
    covered: float
    rows: tuple[CellRow, ...]
    summaries: tuple[CellSummary, ...]

    @property
    def absolute(self) -> float:
        """Mean of the summaries' sizes of differences."""
        return sum(summary.absolute for summary in self.summaries) / len(self.summaries)

    @property
    def absolute_se(self) -> float:
        """Standard error of that, at most: as if the bids' errors went together, as they do in part."""
        return sum(summary.absolute_se for summary in self.summaries) / len(self.summaries)


def classes_bid_on(subject: Subject, seed: int) -> FloatArray:
    """Share of each class of trump holdings among those declared with in auctions, 95 % of them: float64 [769].

    Classes are taken from the commonest on; the others' share is 0.
    """
    cells, types = np.zeros(CELLS_SHAPE, np.int64), np.zeros(TYPES_SHAPE, np.int64)
    play_into(Setup(seed, "auction", "natural", subject.policy, subject.rules), 0, COUNTED, cells, types)
    counts = cells.sum(axis=(0, 2, 3))
    order = np.argsort(-counts, kind="stable")
    before = np.concatenate([[0], np.cumsum(counts[order])[:-1]])
    taken = order[before < COVERED * counts.sum()]
    shares = np.zeros(len(HOLDINGS))
    shares[taken] = counts[taken] / counts.sum()
    return shares


def deals_of_classes(seed: int, shares: FloatArray, deals: int) -> list[Address]:
    """Stratified deals, of each class as many as its share says (one more or less), of each class over all seats."""
    bounds = np.cumsum(shares) / shares.sum()
    classes = np.searchsorted(bounds, (np.arange(deals) + 0.5) / deals)
    seen = np.zeros(len(HOLDINGS), np.int64)
    addresses = []
    for class_ in classes.tolist():
        # Seats in turn from one that differs by class, so that single deals are spread over the seats too.
        turn, seat = divmod(int(seen[class_]), 6)
        index = (turn * len(HOLDINGS) + class_) * 6 + (seat + class_) % 6
        addresses.append(Address(seed, index, "declare", "stratified"))
        seen[class_] += 1
    return addresses


def points_of(subject: Subject, worlds: int, address: Address) -> tuple[int, int]:
    """Points of the declaring side with the player at all seats, and with `search` at all seats."""
    records = (address.play(subject.rules, bot) for bot in (subject.player, subject.searcher(worlds)))
    plain, search = (declaring_points(record, subject.rules) for record in records)
    return plain, search


def group_of(class_: int) -> str:
    """Group of a class: how many trumps, and which of the two sure points."""
    holding = HOLDINGS[class_]
    sure = {0: "no A, no 2", _ACE: "A", _TWO: "2", _ACE | _TWO: "A and 2"}[holding.held & (_ACE | _TWO)]
    return f"{holding.trumps} trump{'' if holding.trumps == 1 else 's'}, {sure}"


def compare(classes: Int64Array, points: Int64Array, worlds: int, n_classes: int, covered: float) -> Cells:
    """Compare make-chances on the same deals.

    Parameters
    ----------
    classes : int64 array [deals]
        Class of trump holdings of each deal.
    points : int64 array [deals, 2]
        Points of the declaring side, of the player and of `search`.
    worlds, n_classes, covered
        As in `Cells`.
    """
    names = np.array([group_of(class_) for class_ in classes.tolist()])
    sizes = {name: int((names == name).sum()) for name in sorted(set(names.tolist()))}
    small = [name for name, size in sizes.items() if size < LEAST_SHARE * len(classes)]
    names[np.isin(names, small)] = OTHERS
    groups = [name for name in sizes if name not in small] + ([OTHERS] if small else [])
    rows: list[CellRow] = []
    summaries = []
    for bid in BIDS:
        made = (points >= bid).astype(np.float64)
        rows_of_bid, summary = _compare_bid(bid, made, names, groups, classes)
        rows += rows_of_bid
        summaries.append(summary)
    return Cells(worlds, len(classes), n_classes, covered, tuple(rows), tuple(summaries))


def _compare_bid(
    bid: int, made: FloatArray, names: NDArray[np.str_], groups: Sequence[str], classes: Int64Array
) -> tuple[list[CellRow], CellSummary]:
    differences = made[:, 1] - made[:, 0]
    overall, overall_se = mean(differences)
    spread = _spread_of_classes(differences, classes)
    weights, means, errors = _by(names, differences, groups)
    spread_of_groups = _spread(weights, means, errors)
    # Where no deal went otherwise the error is not 0: it is put at what a single such deal would make it.
    errors = np.where(errors == 0, 1 / (weights * len(names)), errors)
    shrunk = _shrunk(means, errors, overall, spread_of_groups)
    rows = [
        CellRow(
            group,
            bid,
            int((names == group).sum()),
            float(weights[at]),
            *_two(made[names == group]),
            float(means[at]),
            float(errors[at]),
            float(shrunk[at]),
        )
        for at, group in enumerate(groups)
    ]
    known = np.isfinite(errors)
    size = weights[known].sum()
    seen = float(weights[known] @ np.abs(means[known]) / size) if known.any() else nan
    noise = float(weights[known] @ errors[known] / size) * sqrt(2 / pi) if known.any() else nan
    largest = int(np.argmax(np.abs(shrunk)))
    return rows, CellSummary(
        bid,
        overall,
        overall_se,
        spread,
        folded_mean(overall, spread),
        _jackknife(differences, classes),
        seen,
        noise,
        float(shrunk[largest]),
        float(errors[largest]),
        groups[largest],
    )


def _two(made: FloatArray) -> tuple[float, float]:
    """Shares of both."""
    return float(made[:, 0].mean()), float(made[:, 1].mean())


def _by(
    labels: NDArray[np.str_] | Int64Array, values: FloatArray, wanted: Sequence[str] | Sequence[int]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weight, mean and standard error of the values with each label."""
    parts = [values[labels == label] for label in wanted]
    estimates = np.array([mean(part) for part in parts])
    return np.array([len(part) for part in parts]) / len(values), estimates[:, 0], estimates[:, 1]


def _spread(weights: FloatArray, means: FloatArray, errors: FloatArray) -> float:
    """Standard deviation of the true means about their mean: the weighted squares, less what noise adds to them.

    Labels with a single deal have no error and are left out. With weights w that add up to 1, means m and errors e,
    the sum of w (m - M)² expects spread² · (1 - sum of w²), as M is estimated too, plus the sum of w (1 - w) e².
    """
    known = np.isfinite(errors)
    if known.sum() < 2:
        return 0.0
    w = weights[known] / weights[known].sum()
    m, e = means[known], errors[known]
    squares = w @ (m - w @ m) ** 2 - (w * (1 - w)) @ e**2
    return sqrt(max(float(squares / (1 - w @ w)), 0.0))


def _spread_of_classes(differences: FloatArray, classes: Int64Array) -> float:
    return _spread(*_by(classes, differences, np.unique(classes).tolist()))


def _jackknife(differences: FloatArray, classes: Int64Array) -> float:
    """Standard error of the mean size of true differences; not a number where there are too few deals."""
    if len(classes) < 2 * PARTS:
        return nan
    part = np.arange(len(classes)) % PARTS  # deals stand class by class: each part has some of each
    sizes = np.array(
        [
            folded_mean(
                float(differences[part != left].mean()),
                _spread_of_classes(differences[part != left], classes[part != left]),
            )
            for left in range(PARTS)
        ]
    )
    return float(np.sqrt((PARTS - 1) / PARTS * ((sizes - sizes.mean()) ** 2).sum()))


def _shrunk(means: FloatArray, errors: FloatArray, overall: float, spread: float) -> FloatArray:
    """Means moved towards the overall one by how much of their squares is noise; wholly where nothing is known."""
    noise = np.where(np.isfinite(errors), errors, np.inf) ** 2
    with np.errstate(invalid="ignore"):
        trust = np.where(np.isinf(noise) | (spread == 0), 0.0, spread**2 / (spread**2 + noise))
    return overall + trust * (means - overall)


def folded_mean(centre: float, spread: float) -> float:
    """Mean size of a normal variable."""
    if spread == 0:
        return abs(centre)
    z = centre / spread
    return spread * sqrt(2 / pi) * exp(-z * z / 2) + centre * erf(z / sqrt(2))


def measure_cells(subject: Subject, seed: int, deals: int, worlds: int, crew: Crew, report: Report) -> Cells:
    """Compare make-chances of the player at all six seats with those of `search` at all six seats."""
    shares = classes_bid_on(subject, seed)
    addresses = deals_of_classes(seed, shares, deals)
    points = crew.each(partial(points_of, subject, worlds), addresses, report)
    classes = np.array([address.index // 6 % len(HOLDINGS) for address in addresses], np.int64)
    return compare(classes, np.array(points, np.int64), worlds, int((shares > 0).sum()), float(shares.sum()))
