"""What `club` bids by at a score: the chance to win the match in place of points.

Three tables ship (`data/club-equity.npz`, made by ``scripts/equity-table``):

* how a call changes the scores: in each state of the auction, for each call and at each point of the hand's value, how
  often each way comes (`kernel.match.ways_of`).  Times what each way is worth at a score, that gives curves for this
  score, of the same kind as those by points (`game.club_bids`);
* the chances to win the match from all scores, under the standard rules, with bots that bid so;
* the counts that these chances were solved from: in each bucket of needs, how often scores changed in each way.

All is done in whole numbers, in floats that hold them exactly, so that every machine finds the same curves.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.club_bids import CALLS, KNOTS, N_STATES, STATES_OF_SEAT
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.bots.club_bids import POINT_CURVES, for_teams
from schmier_sim.kernel.counts import N_SEATS
from schmier_sim.kernel.jit import Entry
from schmier_sim.kernel.match import (
    Floats,
    after_one_deal,
    solve_chain,
    state_of,
    ways_of,
)

PATH = Path(__file__).resolve().parent.parent / "data" / "club-equity.npz"
ABOUT_PATH = PATH.with_suffix(".json")
"""How the tables were made."""
BIDDINGS = ("equity", "points")
"""What `club` may bid by."""
UNIT = 50_000
"""A chance of 1. At the beginning of a match, a unit is worth about a thousandth of a point: margins of tempers fit."""
RESPONSE_UNIT = 1 << 14
N_TEAMS = 3
_TEAM_OF_SEAT = [(seat + 1) % N_TEAMS for seat in range(N_SEATS)]
STANDARD = Rules()
MOST_TARGET = 50
"""Beyond it there are too many states."""

Curves = NDArray[np.uint16]


@dataclass(frozen=True)
class Shipped:
    """The tables.

    Parameters
    ----------
    responses : int16 [states, calls, knots, ways]
        In units of 1 / `RESPONSE_UNIT`. Fitted lines may fall below 0 and rise above 1 a little.
    weights : int32 [states, calls, knots]
        Deals near each point: what it weighs where a curve is kept from falling.
    wins : uint16 [states of the match, teams]
        In units of 1 / `UNIT`.
    deals : int32 [buckets, ways]
    """

    responses: NDArray[np.int16]
    weights: NDArray[np.int32]
    wins: NDArray[np.uint16]
    deals: NDArray[np.int32]

    def digest(self) -> str:
        """Hash of all numbers."""
        hashed = hashlib.sha256()
        for name in NAMES:
            array = getattr(self, name)
            hashed.update(np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes())
        return hashed.hexdigest()


NAMES = ("responses", "weights", "wins", "deals")


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
    return rounded(solve_chain(shipped().deals.astype(np.int64), ways_of(rules), rules).wins)


@Entry
def _keep_from_falling(values: Any, weights: Any, heights: Any, masses: Any, lengths: Any) -> None:
    """Replace each row by the nearest values that never fall, rounded down (pool adjacent violators)."""
    rows, n = values.shape
    for row in range(rows):
        pools = 0
        for k in range(n):
            height, mass, length = values[row, k], weights[row, k], 1
            while pools > 0 and heights[pools - 1] > height:
                pools -= 1
                height = (heights[pools] * masses[pools] + height * mass) // (masses[pools] + mass)
                mass += masses[pools]
                length += lengths[pools]
            heights[pools], masses[pools], lengths[pools] = height, mass, length
            pools += 1
        at = 0
        for pool in range(pools):
            for _ in range(lengths[pool]):
                values[row, at] = heights[pool]
                at += 1


class Responses:
    """Curves for any score, from how calls change the scores.

    Parameters
    ----------
    responses, weights
        As in `Shipped`.
    """

    def __init__(self, responses: NDArray[np.int16], weights: NDArray[np.int32]) -> None:
        by_seat = responses.reshape(N_SEATS, -1, responses.shape[-1])
        #: By the seat's team from the dealer's: float64 [2 * states of a seat * calls * knots, ways], whole numbers.
        self._of_team = [
            np.concatenate([by_seat[seat] for seat in range(N_SEATS) if _TEAM_OF_SEAT[seat] == team]).astype(
                np.float64
            )
            for team in range(N_TEAMS)
        ]
        self._weights = weights.reshape(-1, KNOTS).astype(np.int64)

    def curves(self, after: Floats) -> Curves:
        """What calls bring.

        Parameters
        ----------
        after : float64 [k, ways, teams]
            What each way is worth to each team, in whole units of 1 / `UNIT`.

        Returns
        -------
        uint16 [k, states * calls * knots]
        """
        k, rows = len(after), STATES_OF_SEAT * len(CALLS) * KNOTS
        found = np.empty((k, N_SEATS, rows), np.int64)
        for team, responses in enumerate(self._of_team):
            brings = (responses @ after[:, :, team].T).astype(np.int64) // RESPONSE_UNIT
            seats = [seat for seat in range(N_SEATS) if _TEAM_OF_SEAT[seat] == team]
            for number, seat in enumerate(seats):
                found[:, seat] = brings[number * rows : (number + 1) * rows].T
        values = found.reshape(-1, KNOTS)
        weights = np.ascontiguousarray(np.broadcast_to(self._weights, (k, *self._weights.shape))).reshape(
            -1, KNOTS
        )
        _keep_from_falling(values, weights, *(np.zeros(KNOTS, np.int64) for _ in range(3)))
        # A bid that brings 0 is none to the kernels.
        return values.clip(1, UNIT + 1).astype(np.uint16).reshape(k, N_STATES * len(CALLS) * KNOTS)


@cache
def responses() -> Responses:
    """Those that ship."""
    tables = shipped()
    return Responses(tables.responses, tables.weights)


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


@lru_cache(maxsize=256)
def curves_at(rules: Rules, scores: tuple[int, ...]) -> Curves:
    """What calls bring at some scores (as of `after_each_way`), in chances to win the match: uint16 [n]."""
    return np.asarray(responses().curves(after_each_way(rules, scores)[np.newaxis])[0])


def bidding_curves(rules: Rules, bidding: str | tuple[str, ...], scores: tuple[int, ...]) -> Curves:
    """Curves of all teams, as kernels want them: uint16 [3, n].

    Parameters
    ----------
    rules : Rules
    bidding : str or tuple of str
        One of `BIDDINGS` for all teams, or one for each (seats 1 and 4, 2 and 5, 3 and 6).
    scores : tuple of int
        As of `after_each_way`.
    """
    if bidding == "points":
        return POINT_CURVES
    by_equity = curves_at(rules, scores)
    if bidding == "equity":
        return for_teams(by_equity)
    return for_teams(*(by_equity if one == "equity" else POINT_CURVES[0] for one in bidding))


def knows(rules: Rules) -> bool:
    """Whether one can bid by equity under these rules."""
    return rules.n_teams == N_TEAMS and rules.target <= MOST_TARGET


def check_bidding(rules: Rules, bidding: str | Sequence[str], scores: Sequence[int]) -> None:
    """Refuse what is no way to bid, and scores of another number of teams or of a match that is over.

    Raises
    ------
    ValueError
        One line that names the bad value and a right one.
    """
    names = (bidding,) if isinstance(bidding, str) else tuple(bidding)
    for name in names:
        if name not in BIDDINGS:
            raise ValueError(f"there is no bidding '{name}': choose {' or '.join(BIDDINGS)}")
    if not isinstance(bidding, str) and len(names) != rules.n_teams:
        raise ValueError(
            f"{len(names)} ways to bid for {rules.n_teams} teams: give one for all or one a team"
        )
    if "equity" in names and not knows(rules):
        raise ValueError(
            f"bidding 'equity' is for three teams and targets up to {MOST_TARGET}: take points under these rules"
        )
    check_scores(scores, rules)


def check_scores(scores: Sequence[int], rules: Rules) -> None:
    """Refuse scores of another number of teams, and of a match that is over.

    Raises
    ------
    ValueError
    """
    n = rules.n_teams
    if len(scores) != n:
        example = ",".join(("14", "9", "18")[:n])
        raise ValueError(f"{len(scores)} scores for {n} teams: give one for each, such as {example}")
    for score in scores:
        if score >= rules.target:
            raise ValueError(
                f"score {score} is out of range: at most {rules.target - 1}, as a match ends at {rules.target}"
            )
