"""What `club` bids by at a score: the chance to win the match in place of points.

Three tables ship (`data/club-equity.npz`, made by ``scripts/equity-table``):

* what calls bring in each bucket of needs (`kernel.match.bucket_of`): curves of the same kind as those by points
  (`game.club_bids`), but in chances to win the match;
* the chances to win the match from all scores, under the standard rules, with bots that bid so;
* the counts that these chances were solved from: in each bucket, how often scores changed in each way.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.club_bids import BIDS, CALLS, KNOTS, N_STATES, STATES_OF_SEAT
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import N_TEAMS
from schmier_sim.kernel.bots.club_bids import POINT_CURVES, for_teams
from schmier_sim.kernel.chain import chain_of
from schmier_sim.kernel.counts import N_SEATS
from schmier_sim.kernel.match import (
    Floats,
    after_one_deal,
    bucket_of,
    state_of,
    ways_of,
)

PATH = Path(__file__).resolve().parent.parent / "data" / "club-equity.npz"
ABOUT_PATH = PATH.with_suffix(".json")
"""How the tables were made."""
UNIT = 50_000
"""A chance of 1. At the beginning of a match, a unit is worth about a thousandth of a point: margins of tempers fit."""
STEP = 16
"""Curves are told in steps of so many units, of which one is far below their error."""
STANDARD = Rules()
NAMES = ("first", "rises", "wins", "deals")

Curves = NDArray[np.uint16]


def _told() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Curves that can ever be asked for, as rows of all [states * calls]; and the knots at which they are told."""
    rows = []
    for state in range(N_STATES):
        seat, kind = divmod(state, STATES_OF_SEAT)
        high = 0 if kind == 0 else BIDS[0] + (kind - 1) // 2
        partner_holds = kind % 2 == 1
        if (seat == 0 and high) or (partner_holds and seat < N_TEAMS):
            continue
        step = 0 if seat == N_SEATS - 1 else 1  # the dealer may steal the bid under a house rule
        rows += [
            state * len(CALLS) + number
            for number, call in enumerate(CALLS)
            if call == 0 or high == 0 or call >= high + step
        ]
    return np.array(rows), np.array([*range(0, KNOTS, 2), KNOTS - 1])


ROWS, TOLD_KNOTS = _told()


@dataclass(frozen=True)
class Shipped:
    """The tables.

    Parameters
    ----------
    first : uint16 [buckets, rows]
        Where each curve of `ROWS` begins, in steps of `STEP` / `UNIT`.
    rises : uint8 [buckets, rows, told knots - 1]
        By how much it rises from each of `TOLD_KNOTS` to the next.
    wins : uint16 [states of the match, teams]
        In units of 1 / `UNIT`.
    deals : int32 [buckets, ways]
    """

    first: NDArray[np.uint16]
    rises: NDArray[np.uint8]
    wins: NDArray[np.uint16]
    deals: NDArray[np.int32]

    def digest(self) -> str:
        """Hash of all numbers."""
        hashed = hashlib.sha256()
        for name in NAMES:
            array = getattr(self, name)
            hashed.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        return hashed.hexdigest()


@cache
def about() -> dict[str, Any]:
    """How the tables were made."""
    return dict(json.loads(ABOUT_PATH.read_text(encoding="utf-8")))


@cache
def shipped() -> Shipped:
    """Read the tables that ship.

    Raises
    ------
    ValueError
        The files are damaged, or do not belong to each other.
    """
    with np.load(PATH, allow_pickle=False) as file:
        found = Shipped(**{name: file[name] for name in NAMES})
    if found.digest() != about()["sha256"]:
        raise ValueError(f"{PATH.name} is damaged: it is not what {ABOUT_PATH.name} describes")
    return found


def fold(curves: Floats) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Write curves that never fall as they ship, see `Shipped`.

    Parameters
    ----------
    curves : float64 [buckets, states * calls * knots]
        In units of 1 / `UNIT`.
    """
    told = curves.reshape(len(curves), -1, KNOTS)[:, ROWS][:, :, TOLD_KNOTS]
    # A bid that brings 0 is none to the kernels.
    steps = np.rint(told / STEP).clip(1, UNIT // STEP + 1).astype(np.int64)
    return steps[:, :, 0].astype(np.uint16), np.diff(steps, axis=2).clip(0, 255).astype(np.uint8)


def unfold(first: NDArray[np.uint16], rises: NDArray[np.uint8]) -> Curves:
    """Curves as kernels want them, of one bucket or of some: uint16 [(buckets,) states * calls * knots]."""
    steps = np.concatenate([first[..., np.newaxis].astype(np.int64), rises], axis=-1).cumsum(axis=-1)
    told = STEP * steps
    found = np.ones((*first.shape[:-1], N_STATES * len(CALLS), KNOTS), np.uint16)
    rows = np.empty((*first.shape, KNOTS), np.uint16)
    rows[..., TOLD_KNOTS] = told
    rows[..., 1 : KNOTS - 1 : 2] = (told[..., :-2] + told[..., 1:-1]) // 2
    found[..., ROWS, :] = rows
    return found.reshape(*first.shape[:-1], -1)


def rounded(wins: Floats) -> NDArray[np.uint16]:
    """Chances in units of 1 / `UNIT`, which still add up to 1: the last team has the rest."""
    whole = np.rint(wins * UNIT)
    whole[:, -1] = UNIT - whole[:, :-1].sum(axis=1)
    return whole.clip(0, UNIT).astype(np.uint16)


def of_match(rules: Rules) -> Rules:
    """The standard rules, but for what concerns the match: all that the chances of its states depend on here."""
    return Rules(
        all_pass="next-dealer" if rules.all_pass == "next-dealer" else STANDARD.all_pass,
        endgame=rules.endgame,
        must_bid_to_win=rules.must_bid_to_win,
        target=rules.target,
        name=STANDARD.name,
    )


def wins_under(rules: Rules) -> NDArray[np.uint16]:
    """Chances to win the match from all states, in units of 1 / `UNIT`: uint16 [states, teams].

    Under other rules than the standard ones they are solved anew, which takes some seconds the first time: for another
    target or another end of the match, with deals as they are under the standard rules.
    """
    return _wins_under(of_match(rules))


@lru_cache(maxsize=8)
def _wins_under(rules: Rules) -> NDArray[np.uint16]:
    if rules == STANDARD:
        return shipped().wins
    return rounded(chain_of(shipped().deals.astype(np.int64), ways_of(rules), rules).solve().wins)


def after_each_way(rules: Rules, scores: tuple[int, ...]) -> Floats:
    """What each way is worth to each team at some scores, in units of 1 / `UNIT`: float64 [ways, teams].

    Parameters
    ----------
    rules : Rules
    scores : tuple of int
        Of the dealer's team, the team to its left, the third team.
    """
    states = np.array([state_of(scores, rules)])
    wins = wins_under(rules).astype(np.float64)
    return np.asarray(after_one_deal(wins, ways_of(rules), rules, states, UNIT)[0])


def all_curves() -> Curves:
    """What calls bring in every bucket: uint16 [buckets, states * calls * knots]."""
    tables = shipped()
    return unfold(tables.first, tables.rises)


@lru_cache(maxsize=256)
def curves_in(bucket: int) -> Curves:
    """What calls bring in a bucket, in chances to win the match: uint16 [states * calls * knots]."""
    tables = shipped()
    return unfold(tables.first[bucket], tables.rises[bucket])


def bidding_curves(rules: Rules, bidding: str | tuple[str, ...], scores: tuple[int, ...]) -> Curves:
    """Curves of all teams, as kernels want them: uint16 [3, n].

    Parameters
    ----------
    rules : Rules
    bidding : str or tuple of str
        One of `game.standing.BIDDINGS` for all teams, or one for each (seats 1 and 4, 2 and 5, 3 and 6).
    scores : tuple of int
        As of `after_each_way`.
    """
    if bidding == "points":
        return POINT_CURVES
    by_equity = curves_in(bucket_of(scores, rules))
    if bidding == "equity":
        return for_teams(by_equity)
    return for_teams(*(by_equity if one == "equity" else POINT_CURVES[0] for one in bidding))
