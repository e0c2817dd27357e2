"""Calibration: how often bids are made in auctions, beside the chance that `club`'s bidding table gives them.

The table (`game.club_bids`) knows the declarer's six dealt cards, the suit and where he sits to the dealer; its chances
are those of deals that were not bid on. Whoever wins an auction knows a little more, and so do the others.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.audited import FloatArray, Subject
from schmier_sim.analysis.ratios import wilson
from schmier_sim.analysis.seating import Report
from schmier_sim.game import club_bids
from schmier_sim.kernel import block
from schmier_sim.kernel.block import B
from schmier_sim.kernel.masks import PLAIN_ACES, SMALL
from schmier_sim.kernel.score import CLASS_OF
from schmier_sim.kernel.simulate import Setup, logged_blocks

Int64Array = NDArray[np.int64]

TENTHS = 10
#: Deals between two reports.
STEP = 20_000
_LAST_PHASE = -1
#: Bits of A K Q R L 10 2 Jo in a mask where trumps are known, as `kernel.score.class_key` lists them.
_NAMED_BITS = (59, 55, 51, 47, 43, 39, 7, 3)


@dataclass(frozen=True)
class CalibrationRow:
    """Contracts with predicted chances of one tenth.

    Attributes
    ----------
    low, high
        Least and greatest predicted chance.
    deals
        Contracts.
    predicted
        Mean predicted chance.
    made, made_low, made_high
        Share that was made, and its 95 % Wilson interval.
    difference, difference_se
        Made less predicted, and the standard error.
    """

    low: float
    high: float
    deals: int
    predicted: float
    made: float
    made_low: float
    made_high: float
    difference: float
    difference_se: float


@dataclass(frozen=True)
class Calibration:
    """How good predicted chances are.

    Attributes
    ----------
    deals
        Deals that were played, also those that were passed out.
    tenths
        Contracts by predicted chance, a tenth in each row from the least sure on; fewer rows where many are equal.
    bids
        Contracts by bid, 3 to 6.
    total
        All contracts.
    """

    deals: int
    tenths: tuple[CalibrationRow, ...]
    bids: tuple[CalibrationRow, ...]
    total: CalibrationRow


def calibrate(predicted: FloatArray, made: NDArray[np.bool_], bids: Int64Array, deals: int) -> Calibration:
    """Compare predicted chances with what came of them.

    Parameters
    ----------
    predicted : float array [contracts]
        Chance that the bid is made.
    made : bool array [contracts]
    bids : int array [contracts]
        3..6.
    deals : int
        Deals that were played, also those that were passed out.
    """
    edges = np.quantile(predicted, np.arange(1, TENTHS) / TENTHS) if len(predicted) else np.zeros(TENTHS - 1)
    # Equal predictions stay together, so that a row does not depend on how ties are broken.
    tenth = np.searchsorted(edges, predicted, side="right")
    everything = np.ones(len(predicted), np.bool_)
    return Calibration(
        deals,
        tuple(_row(predicted, made, tenth == at) for at in range(TENTHS) if (tenth == at).any()),
        tuple(_row(predicted, made, bids == bid) for bid in club_bids.BIDS),
        _row(predicted, made, everything),
    )


def _row(predicted: FloatArray, made: NDArray[np.bool_], picked: NDArray[np.bool_]) -> CalibrationRow:
    n = int(picked.sum())
    if not n:
        nothing = float("nan")
        return CalibrationRow(nothing, nothing, 0, nothing, nothing, 0.0, 1.0, nothing, nothing)
    expected, share = float(predicted[picked].mean()), float(made[picked].mean())
    # At the predicted chances: where none or all are made, the share itself would have no error.
    error = float(np.sqrt((predicted[picked] * (1 - predicted[picked])).sum())) / n
    low, high = wilson(int(made[picked].sum()), n)
    return CalibrationRow(
        float(predicted[picked].min()),
        float(predicted[picked].max()),
        n,
        expected,
        share,
        float(low),
        float(high),
        share - expected,
        error,
    )


def contracts(
    subject: Subject, seed: int, deals: int, report: Report
) -> tuple[FloatArray, NDArray[np.bool_], Int64Array]:
    """Play auctions and find of each contract the predicted chance, whether it was made, and the bid."""
    setup = Setup(seed, "auction", "natural", subject.policy, subject.rules)
    chances = np.array(club_bids.bidding().chances, np.int64).reshape(club_bids.N_CELLS, club_bids.N_POINTS)
    # Chance of at least k points, by cell and k.
    at_least = chances[:, ::-1].cumsum(axis=1)[:, ::-1] / club_bids.UNIT
    parts = []
    for first in range(0, deals, STEP):
        here = min(STEP, deals - first)
        parts += [_contracts_of(log, subject, at_least) for log in logged_blocks(setup, first, here)]
        report.tick(first + here, deals)
    predicted, made, bids = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return predicted, made, bids


def _contracts_of(
    log: NDArray[np.uint64], subject: Subject, at_least: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_], Int64Array]:
    """Contracts of a block."""
    end = log[_LAST_PHASE]
    bid = end[block.BID // B].astype(np.int64)
    played = bid > 0
    bid, seat = bid[played], end[block.DECLARER // B][played].astype(np.int64)
    dealt = end[block.DEALT // B][played]
    n_teams = subject.rules.n_teams
    role = np.array([club_bids.role_of(place + 1, subject.rules) for place in range(6)])[seat]
    cell = (_class_of(dealt) * club_bids.N_ACES + _count(dealt & PLAIN_ACES)) * club_bids.N_ROLES + role
    points = sum(
        (end[row // B][played].astype(np.int64) == seat % n_teams).astype(np.int64) for row in block.POINTS
    )
    return at_least[cell, bid], points >= bid, bid


def _class_of(dealt: NDArray[np.uint64]) -> Int64Array:
    """Class of trump holdings of masks where trumps are known."""
    held = np.zeros(len(dealt), np.int64)
    for bit in _NAMED_BITS:
        held = held << 1 | (dealt >> np.uint64(bit) & np.uint64(1)).astype(np.int64)
    return np.asarray(CLASS_OF[held << 3 | _count(dealt & SMALL)], np.int64)


def _count(masks: NDArray[np.uint64]) -> Int64Array:
    return np.bitwise_count(masks).astype(np.int64)


def measure_calibration(subject: Subject, seed: int, deals: int, report: Report) -> Calibration:
    """Compare the bidding table with auctions of a player."""
    return calibrate(*contracts(subject, seed, deals, report), deals)
