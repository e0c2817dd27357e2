"""What a page needs that answers for single hands: counts by kind of hand, and what a declaration is worth in a match.

A kind of hand is a class of trumps, a number of plain aces and a role, as in tables.  The match is told by the chances
that ship (`kernel.equity`), for scores from `LEAST_SCORE` on.  A team that declares wins some points by the counts of
its kind of hand; how the others then share the rest is measured in all deals of the run in which a declaring team won
as many with the same dealer, whatever its hand.  So what the others win hangs on nothing else of the hand, and what is
told of a bid knows neither the auction nor who holds the bid.

This is the reference: pages do the same arithmetic.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.equity import LEAST_SHOWN, LEAST_STAKE
from schmier_sim.analysis.estimates import MADE, NET, NO_BID, RESULTS, make_table
from schmier_sim.analysis.patterns import ROLES
from schmier_sim.analysis.ratios import Z95, wilson
from schmier_sim.analysis.store import Run
from schmier_sim.game.holdings import HOLDINGS, parse_holding
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import apply_scores, match_winner
from schmier_sim.game.standing import N_TEAMS, knows
from schmier_sim.kernel import equity as shipped
from schmier_sim.kernel.counts import BIDS, N_ACES, team_points
from schmier_sim.kernel.match import after_one_deal, buckets_of, state_of, ways_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DEALINGS = ("me", "partner", "left", "right")
"""Who deals, as the declarer sees it: he, his partner, somebody of his left or of his right neighbour's team."""
ROLE_OF = (ROLES.index("dealer"), ROLES.index("partner-deals"), *[ROLES.index("neither")] * 2)
DEALER_OF = (0, 0, 1, 2)
"""The dealer's team, counted to the left from the declarer's, for each of DEALINGS."""
SEATS_OF = ((6,), (3,), (2, 5), (1, 4))
"""The declarer's seats, for each of DEALINGS."""
LEAST_SCORE = -6
"""Lower scores count as this one."""
MOST_TARGET = 25
"""Beyond it the chances of all scores are too much for a page."""
LEAST_DEALS = 100
"""Deals that a figure rests on, at least, as in tables."""
PARTS = 1_000_000
ANY_ACES = N_ACES
"""Stands for any number of plain aces."""
_CHUNK = 500


@dataclass(frozen=True)
class Figures:
    """What a kind of hand wins.

    Attributes
    ----------
    deals : int
    make, low, high : float64 [4]
        Chance to make 3, 4, 5 and 6, and its 95 % Wilson interval.
    mean : float
        Points on average.
    net : float64 [4]
        Points if the bid is made, minus the bid if not, on average.
    """

    deals: int
    make: Floats
    low: Floats
    high: Floats
    mean: float
    net: Floats


def figures(points: Ints) -> Figures:
    """Work out the figures of one kind of hand.

    Parameters
    ----------
    points : int64 [7]
        Deals with 0 to 6 points of the declaring team; at least one deal.
    """
    deals = int(points.sum())
    made = np.array([points @ MADE[bid] for bid in BIDS])
    low, high = wilson(made, deals)
    net = np.array([points @ NET[bid] for bid in BIDS]) / deals
    return Figures(deals, made / deals, low, high, float(points @ RESULTS / deals), net)


@dataclass(frozen=True)
class MatchTables:
    """What scores are worth.

    Attributes
    ----------
    rules : Rules
    wins : uint16 [scores, scores, scores, 3]
        Chances to win the match in units of 1 / `kernel.equity.UNIT`, by the scores of dealer's team, team to its left
        and third team, each from `LEAST_SCORE` to one below the target.
    left : uint16 [scores, scores, scores, 3]
        The same of each team where another one declares.
    others : int64 [4, 7, 7, 7]
        How points of a deal fall, by DEALINGS and points of the declaring team: of `PARTS` deals, so many with these
        points of the team to its left and of the team to its right.
    """

    rules: Rules
    wins: NDArray[np.uint16]
    left: NDArray[np.uint16]
    others: Ints

    def chances(self, scores: Sequence[int], dealing: int) -> Floats:
        """Chances of own, left and right team before the cards are seen: float64 [3].

        Parameters
        ----------
        scores : three ints
            Of the own team, of the left and of the right neighbour's.
        dealing : int
            Index into DEALINGS.
        """
        dealer = DEALER_OF[dealing]
        return np.roll(self.wins[self._place(scores, dealer)] / shipped.UNIT, dealer)

    def leaving(self, scores: Sequence[int], dealing: int) -> float:
        """Chance of the own team where another one declares; parameters as of `chances`."""
        dealer = DEALER_OF[dealing]
        return float(self.left[self._place(scores, dealer)][-dealer % N_TEAMS] / shipped.UNIT)

    def values(self, scores: Sequence[int], dealing: int, bid: int) -> Floats:
        """Chance of the own team once it has declared at a bid and won 0 to 6 points: float64 [7].

        Parameters as of `chances`.
        """
        found = np.zeros(len(RESULTS))
        for points in RESULTS.tolist():
            own = points if points >= bid else -bid
            for left, right in np.argwhere(self.others[dealing, points]).tolist():
                part = self.others[dealing, points, left, right] / PARTS
                found[points] += part * self._after(scores, DEALER_OF[dealing], (own, left, right))
        return found

    def _after(self, scores: Sequence[int], dealer: int, gains: tuple[int, ...]) -> float:
        totals = apply_scores(tuple(scores), gains, 1, self.rules)
        winner = match_winner(totals, 1, self.rules)
        if winner is not None:
            return float(winner == 1)
        following = (dealer + 1) % N_TEAMS
        # Two others that are level beyond the target play on from just below it.
        turned = self._place([min(total, self.rules.target - 1) for total in totals], following)
        return float(self.wins[turned][-following % N_TEAMS] / shipped.UNIT)

    def _place(self, scores: Sequence[int], dealer: int) -> tuple[int, ...]:
        turned = (*scores[dealer:], *scores[:dealer])
        return tuple(max(score, LEAST_SCORE) - LEAST_SCORE for score in turned)


@dataclass(frozen=True)
class Declaration:
    """What it is worth to declare at a bid.

    Attributes
    ----------
    bid : int
    chance, error : float
        Chance of the own team to win the match, and its standard error by the luck of the hand's own deals.
    needed : float
        How sure the bid must be, so that it does as much as leaving the deal to another team. At 0 and below any chance
        is enough, above 1 none is. Not a number where the bid is never made or never set in these deals, or where it
        does not matter.
    """

    bid: int
    chance: float
    error: float
    needed: float


def declare(points: Ints, values: Floats, bid: int, leaving: float) -> Declaration:
    """Weigh what follows a declaration by how often a kind of hand wins 0 to 6 points.

    Parameters
    ----------
    points : int64 [7]
    values : float64 [7]
        `MatchTables.values` at this bid.
    bid : int
    leaving : float
        `MatchTables.leaving`.
    """
    deals = points.sum()
    chance = float(points @ values / deals)
    made, lost = points[bid:], points[:bid]
    needed = float("nan")
    if made.any() and lost.any():
        worth, loss = made @ values[bid:] / made.sum(), lost @ values[:bid] / lost.sum()
        if worth - loss >= LEAST_STAKE:
            needed = float((leaving - loss) / (worth - loss))
    return Declaration(bid, chance, standard_error(points, values), needed)


def bid_up_to(declarations: Sequence[Declaration], leaving: float) -> tuple[int, int]:
    """Find the highest bid that is better than leaving the deal to another team, as `best_bid` of the tables.

    A team that declares does best at the lowest bid that wins the auction, so the question is how far it may go.

    Parameters
    ----------
    declarations : of bids of 3, 4, 5 and 6
    leaving : float
        `MatchTables.leaving`.

    Returns
    -------
    The highest bid that is surely better and the highest one that is not surely worse, within 95 % intervals; each 0
    for none and 1 to 4 for bids of 3 to 6.
    """
    better = np.array([each.chance - leaving for each in declarations])
    errors = Z95 * np.array([each.error for each in declarations])
    lowest = int(np.max((better > errors) * np.arange(1, len(BIDS) + 1)))
    return lowest, max(lowest, int(np.cumprod(better >= -errors).sum()))


def standard_error(points: Ints, values: Floats | Ints) -> float:
    """Standard error of a mean over the deals of one kind of hand, from counts smoothed by one deal as in tables.

    Parameters
    ----------
    points : int64 [7]
    values : [7]
        What each result counts.
    """
    deals = points.sum()
    prior = (points + 1 / len(points)) / (deals + 1)
    within = (points + prior) / (deals + 1)
    spread = within @ np.square(values) - (within @ values) ** 2
    grown = (deals + 1) ** 2 / (deals**2 + deals + 1)
    return float(np.sqrt(max(grown * spread, 0.0) / deals))


@dataclass(frozen=True)
class Lookup:
    """Everything that a page of a run answers from.

    Attributes
    ----------
    points : int64 [3, 769, 4, 7]
        By role (`patterns.ROLES`), class of trumps and plain aces: deals with 0 to 6 points of the declaring team.
    best : uint8 [3, 769, 5]
        `best_bid` of the tables, also for `ANY_ACES`: 8 times the lowest bid that it may be and the highest one, each
        0 for none and 1 to 4 for bids of 3 to 6.
    match : MatchTables or None
    without : str
        Why there is no match: "rules" or "deals" (there are too few).
    """

    points: Ints
    best: NDArray[np.uint8]
    match: MatchTables | None
    without: str = ""

    def counts(self, role: int, holding: int, aces: int) -> Ints:
        """Deals of a kind of hand by points: int64 [7]. Take `ANY_ACES` for all numbers of plain aces."""
        cell = self.points[role, holding]
        return np.asarray(cell.sum(axis=0) if aces == ANY_ACES else cell[aces])


def make_lookup(run: Run) -> Lookup:
    """Sum up a run of mode declare, stratified sample."""
    points = np.zeros((len(ROLES), len(HOLDINGS), N_ACES, len(RESULTS)), np.int64)
    best = np.zeros((len(ROLES), len(HOLDINGS), N_ACES + 1), np.uint8)
    for by in (("role", "pattern", "aces"), ("role", "pattern")):
        for row in make_table(run, by=by, min_deals=1).to_dict("records"):
            at = ROLES.index(row["role"]), parse_holding(row["pattern"]), row.get("aces", ANY_ACES)
            best[at] = _best_code(row["best_bid"])
            if "aces" in row:
                points[at] = [row[f"points_{result}"] for result in RESULTS]
    match, without = _match_tables(run)
    return Lookup(points, best, match, without)


def _best_code(name: Any) -> int:
    """Number a `best_bid`, see `Lookup.best`."""
    names = [NO_BID, *map(str, BIDS)]
    ends = [names.index(word) for word in str(name).split() if word in names]
    return 8 * ends[0] + ends[-1]


def _match_tables(run: Run) -> tuple[MatchTables | None, str]:
    rules = run.info.rules
    if not knows(rules) or rules.target > MOST_TARGET:
        return None, "rules"
    others = _others(run.tally.types[:, 0], rules)
    if others is None:
        return None, "deals"
    size = rules.target - LEAST_SCORE
    scores = np.indices([size] * N_TEAMS).reshape(N_TEAMS, -1).T + LEAST_SCORE
    states = np.array([state_of(tuple(each), rules) for each in scores.tolist()])
    shape = (*[size] * N_TEAMS, N_TEAMS)
    wins = shipped.wins_under(rules)
    left = np.rint(_where_others_declare(states, scores, rules)).astype(np.uint16)
    return MatchTables(rules, wins[states].reshape(shape), left.reshape(shape), others), ""


def _others(types: Ints, rules: Rules) -> Ints | None:
    """Count `MatchTables.others` in deal types [6, 972]; None where some points never came."""
    counts = np.zeros((len(DEALINGS), *[len(RESULTS)] * N_TEAMS), np.int64)
    for dealing, seats in enumerate(SEATS_OF):
        for seat in seats:
            own = rules.team(seat) - 1
            points = [team_points((own + step) % N_TEAMS) for step in range(N_TEAMS)]
            np.add.at(counts[dealing], tuple(points), types[seat - 1])
    totals = counts.sum(axis=(2, 3), keepdims=True)
    if totals.min() < LEAST_DEALS:
        return None
    parts = counts * PARTS // totals
    # What rounding has taken goes to the commonest, so that parts add up.
    rows = parts.reshape(len(DEALINGS), len(RESULTS), -1)
    most = rows.argmax(axis=-1)[..., np.newaxis]
    rest = PARTS - rows.sum(axis=-1, keepdims=True)
    np.put_along_axis(rows, most, np.take_along_axis(rows, most, -1) + rest, -1)
    return np.asarray(parts)


def _where_others_declare(states: Ints, scores: Ints, rules: Rules) -> Floats:
    """`analysis.equity.BidEquity.left` of many states, in units of 1 / `kernel.equity.UNIT`: float64 [n, 3]."""
    ways, deals = ways_of(rules), shipped.shipped().deals.astype(np.int64)
    wins = shipped.wins_under(rules).astype(np.float64)
    everywhere = deals.sum(axis=0)
    teams = np.arange(N_TEAMS)
    marked = (ways.declarers[:, np.newaxis] >= 0) & (ways.declarers[:, np.newaxis] != teams)
    buckets = buckets_of(scores, rules)
    found = np.zeros(scores.shape)
    for bucket in np.unique(buckets):
        weights = np.where(marked, deals[bucket][:, np.newaxis], 0)
        few = weights.sum(axis=0) < LEAST_SHOWN
        weights = np.where(few, np.where(marked, everywhere[:, np.newaxis], 0), weights)
        shares = weights / weights.sum(axis=0)
        members = np.flatnonzero(buckets == bucket)
        for part in np.array_split(members, -(-len(members) // _CHUNK)):
            after = after_one_deal(wins, ways, rules, states[part], shipped.UNIT)
            found[part] = np.einsum("swt,wt->st", after, shares)
    return found
