"""Match equity: the chance of each team to win the match from every state of the scores.

A deal changes the scores by what the simulator's own deals in auctions say; `kernel.chain` solves the chances of all
states.  Where `club` bids by equity, how scores change hangs on the scores: then deals are played in buckets by what
the teams need (`analysis.buckets`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.buckets import play_buckets, spread
from schmier_sim.analysis.run import Progress, simulate
from schmier_sim.analysis.tally import Tally
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import MOST_TARGET, check_scores
from schmier_sim.kernel import equity as shipped
from schmier_sim.kernel.chain import NoEnd, Solution, chain_of, shares_of
from schmier_sim.kernel.counts import BIDS
from schmier_sim.kernel.match import (
    LEAST,
    Floats,
    Ints,
    Ways,
    after_one_deal,
    bucket_of,
    state_of,
    ways_of,
)
from schmier_sim.kernel.simulate import STANDARD, Setup

NO_END = (
    "these bots do not bring matches to an end, as they lose more than they win: take others, such as club"
)
DEFAULT_DEALS = 1_000_000
LEAST_STAKE = 0.005
LEAST_SHOWN = 50
"""Deals in which a bid is made or set, at least, so that it shows what it is worth."""
LEAST_DEALS = 100
"""Deals in each bucket, at least."""


class EquityError(ValueError):
    """A question that cannot be answered; the message is one line."""


@dataclass(frozen=True)
class Changes:
    """What deals do to the scores.

    Attributes
    ----------
    deals : int64 [buckets, ways]
        How many of the deals played; one bucket, or one for each of what the teams need (`kernel.match.bucket_of`).
    ways : Ways
    """

    deals: Ints
    ways: Ways

    def bucket(self, scores: tuple[int, ...], rules: Rules) -> int:
        """The bucket of some scores."""
        return 0 if len(self.deals) == 1 else bucket_of(scores, rules)

    def shares(self, scores: tuple[int, ...], rules: Rules) -> Floats:
        """How often each way occurs at some scores: float64 [ways]."""
        bucket = self.bucket(scores, rules)
        return np.asarray(shares_of(self.deals[bucket : bucket + 1], self.ways, rules)[0])


def changes_of(tally: Tally, rules: Rules) -> Changes:
    """Sum up the deals of auctions by what they do to the scores.

    Raises
    ------
    EquityError
        There are none.
    """
    ways = ways_of(rules)
    types = tally.types.reshape(-1)
    known = ways.of_type[:-1] >= 0
    if not types[known].any():
        raise EquityError("this run has no auctions: make one with --mode auction")
    deals = np.zeros(len(ways), np.int64)
    np.add.at(deals, ways.of_type[:-1][known], types[known])
    deals[ways.passed] = tally.passed
    return Changes(deals[np.newaxis], ways)


@dataclass(frozen=True)
class MatchTable:
    """Chances to win the match.

    Attributes
    ----------
    rules : Rules
    wins : float64 [scores, scores (, scores), teams]
        By the scores of dealer's team, team to its left, third team, each from `LEAST` to one below the target.
    residual : float
        By how much the chances of any state fail to be the mean of those that follow it.
    sweeps : int
    """

    rules: Rules
    wins: Floats
    residual: float
    sweeps: int

    @classmethod
    def of(cls, solution: Solution, rules: Rules) -> "MatchTable":
        """The same with an axis for each team's score."""
        n, size = rules.n_teams, rules.target - LEAST
        return cls(rules, solution.wins.reshape(*[size] * n, n), solution.residual, solution.sweeps)

    def chances(self, scores: tuple[int, ...]) -> Floats:
        """Chances of dealer's team, team to its left, third team, at their scores: float64 [teams]."""
        return np.asarray(self.wins[tuple(max(score, LEAST) - LEAST for score in scores)])

    def flat(self) -> Floats:
        """The chances by number of the state: float64 [states, teams]."""
        return self.wins.reshape(-1, self.rules.n_teams)


def solve(changes: Changes, rules: Rules) -> MatchTable:
    """Solve the chances of all states.

    Raises
    ------
    EquityError
        Matches do not end, as teams lose more than they win.
    """
    try:
        return MatchTable.of(chain_of(changes.deals, changes.ways, rules).solve(), rules)
    except NoEnd:
        raise EquityError(NO_END) from None


def variance_of(worth: Floats, deals: Ints, ways: Ways, rules: Rules) -> Floats:
    """Variance of chances by the luck of the deals that they were solved from: float64 [teams].

    By their linear response `worth` (`kernel.chain.Chain.visit`) to how often each way comes, at every state that
    the match may come through. Deals of each bucket were drawn apart.
    """
    shares = shares_of(deals, ways, rules)
    counted = (
        deals.sum(axis=1) if rules.all_pass == "next-dealer" else deals[:, ways.declarers >= 0].sum(axis=1)
    )
    mean = np.einsum("bw,bwt->bt", shares, worth)
    square = np.einsum("bw,bwt->bt", shares, worth**2)
    spreads = np.maximum(square - mean**2, 0.0) / np.maximum(counted, 1)[:, np.newaxis]
    return np.asarray(spreads.sum(axis=0))


@dataclass(frozen=True)
class Standing:
    """What a state of the scores is worth.

    Teams are those of the dealer, to its left, and so on.

    Attributes
    ----------
    scores : tuple of int
    wins, errors : float64 [teams]
        Chances to win the match, and their standard errors: by the luck of the deals that the table was made from.
    bids : tuple of tuple of BidEquity
        By team, for bids 3 to 6.
    """

    scores: tuple[int, ...]
    wins: Floats
    errors: Floats
    bids: tuple[tuple["BidEquity", ...], ...]

    @property
    def break_even(self) -> Floats:
        """`BidEquity.break_even` of all: float64 [teams, bids]."""
        return np.array([[bid.break_even for bid in team] for team in self.bids])


@dataclass(frozen=True)
class BidEquity:
    """What a bid is worth to a team: its chances to win the match.

    Not a number where no deal shows it.

    Attributes
    ----------
    bid : int
    left : float
        Where another team declares.
    made, set : float
        Where the team declares at this bid, and makes it or not.
    """

    bid: int
    left: float
    made: float
    set: float

    @property
    def break_even(self) -> float:
        """How sure the bid must be, so that it does as much as leaving the deal to another team.

        At 0 and below any chance is enough, above 1 none is. Not a number where it does not matter: a made bid is
        worth less than `LEAST_STAKE` more than a lost one.
        """
        stake = self.made - self.set
        return (self.left - self.set) / stake if stake >= LEAST_STAKE else float("nan")


def stand(table: MatchTable, changes: Changes, scores: tuple[int, ...]) -> Standing:
    """Tell what a state is worth.

    Raises
    ------
    EquityError
        Scores of another number of teams, or out of range.
    """
    rules = table.rules
    check(scores, rules)
    state = state_of(scores, rules)
    worth, _ = chain_of(changes.deals, changes.ways, rules).visit(table.flat(), state)
    errors = np.sqrt(variance_of(worth, changes.deals, changes.ways, rules))
    return Standing(scores, table.chances(scores), errors, bids_at(table, changes, scores))


def check(scores: tuple[int, ...], rules: Rules) -> None:
    """Refuse scores of another number of teams, and of a match that is over.

    Raises
    ------
    EquityError
    """
    try:
        check_scores(scores, rules)
    except ValueError as error:
        raise EquityError(str(error)) from None


def break_even_at(equity: "Equity", scores: Sequence[tuple[int, ...]], team: int, bid: int) -> Floats:
    """Break-even chances of a bid by a team, counted from the dealer's, at many scores: float64 [n]."""
    return np.array(
        [bids_at(equity.table, equity.changes, one)[team][BIDS.index(bid)].break_even for one in scores]
    )


def bids_at(
    table: MatchTable, changes: Changes, scores: tuple[int, ...]
) -> tuple[tuple[BidEquity, ...], ...]:
    """What bids of each team are worth: how points fall where they are made or set, and what that is worth there.

    By the deals at such scores; of what hardly ever came there, by the deals at all scores. Teams as of `Standing`.
    """
    rules, ways = table.rules, changes.ways
    after = after_one_deal(table.flat(), ways, rules, np.array([state_of(scores, rules)]))[0]
    here, everywhere = changes.deals[changes.bucket(scores, rules)], changes.deals.sum(axis=0)

    def mean(marked: NDArray[np.bool_], team: int) -> float:
        for deals in (here, everywhere):
            weights = deals[marked].astype(np.float64)
            if weights.sum() >= LEAST_SHOWN:
                return float(weights @ after[marked, team] / weights.sum())
        return float("nan")

    found = []
    for team in range(rules.n_teams):
        own = ways.declarers == team
        left = mean((ways.declarers >= 0) & ~own, team)
        bids = []
        for bid in BIDS:
            made = own & (ways.bids == bid) & (ways.gains[:, team] >= bid)
            lost = own & (ways.gains[:, team] == -bid)
            bids.append(BidEquity(bid, left, mean(made, team), mean(lost, team)))
        found.append(tuple(bids))
    return tuple(found)


@dataclass(frozen=True)
class Equity:
    """The answer for one state of the scores.

    Attributes
    ----------
    standing : Standing
    dealer : int
        Who deals, counted to the left from the team that asks: 0 itself.
    setup : Setup
    deals : int
        Deals of auctions that the table was made from, those that were passed out included.
    table : MatchTable
    changes : Changes
    rounds : int
        Rounds in which the table that ships was made, each with bots that bid by the chances of the round before; 0 for
        a table made anew, whose bots bid as those that ship.
    """

    standing: Standing
    dealer: int
    setup: Setup
    deals: int
    table: MatchTable
    changes: Changes
    rounds: int = 0

    @property
    def seed(self) -> int:
        """Where the deals come from."""
        return int(shipped.about()["seed"]) if self.rounds else self.setup.seed

    def needing(self, points: int) -> float:
        """Chance of the asking team, if it needed so many points and the others stood where they are."""
        n = len(self.standing.scores)
        place = -self.dealer % n
        scores = list(self.standing.scores)
        scores[place] = self.setup.rules.target - points
        return float(self.table.chances(tuple(scores))[place])


def by_equity(setup: Setup) -> bool:
    """Whether anybody bids by equity."""
    bots = (setup.bots,) if isinstance(setup.bots, str) else setup.bots
    return "club" in bots and setup.bidding != "points"


def ships(setup: Setup) -> bool:
    """Whether the table of this setup ships, whatever its seed."""
    return replace(setup, seed=0, scores=()) == Setup(
        0, "auction", "natural", "club", replace(STANDARD, name=setup.rules.name), "mixed", "equity"
    )


def equity(
    scores: Sequence[int],
    *,
    dealer: int = 0,
    setup: Setup | None = None,
    deals: int | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Equity:
    """Tell how good the teams' chances are to win a match.

    Parameters
    ----------
    scores : sequence of int
        Of the team that asks, then of those to its left in order.
    dealer : int
        The team that deals next, counted in the same way.
    setup : Setup, optional
        What is played: a setup of mode auction; by default `club` with mixed tempers that bids by equity.
    deals : int, optional
        Deals that tell how scores change, in each round. By default the table that ships is asked, where it fits the
        setup, and `DEFAULT_DEALS` are played where it does not.
    workers, progress
        As for `run.simulate`.

    Raises
    ------
    EquityError
        One line that names the bad value and a right one.
    """
    setup = Setup(mode="auction", tempers="mixed", bidding="equity") if setup is None else setup
    rules = setup.rules
    if setup.mode != "auction":
        raise EquityError(f"mode {setup.mode} has no bids to win or lose: take mode auction")
    if rules.target > MOST_TARGET:
        raise EquityError(f"target {rules.target} has too many scores: up to {MOST_TARGET}")
    if not 0 <= dealer < rules.n_teams:
        raise EquityError(f"there is no team {dealer}: 0, the own one, to {rules.n_teams - 1}")
    given = tuple(scores)
    check(given, rules)
    turned = (*given[dealer:], *given[:dealer])
    if deals is None and ships(setup):
        changes, table, rounds = shipped_table()
        played = int(changes.deals.sum())
    else:
        played = DEFAULT_DEALS if deals is None else deals
        rounds = 0
        if by_equity(setup):
            changes = _in_buckets(setup, played, workers, progress)
            played = int(changes.deals.sum())
        else:
            changes = changes_of(
                simulate(setup, deals=played, workers=workers, progress=progress).tally, rules
            )
        table = solve(changes, rules)
    return Equity(stand(table, changes, turned), dealer, setup, played, table, changes, rounds)


def shipped_table() -> tuple[Changes, MatchTable, int]:
    """The chances that ship, what they were solved from, and in how many rounds."""
    tables, about = shipped.shipped(), shipped.about()
    made = about["table"]
    wins = tables.wins / shipped.UNIT
    solution = Solution(wins, float(made["residual"]), int(made["sweeps"]))
    changes = Changes(tables.deals.astype(np.int64), ways_of(STANDARD))
    return changes, MatchTable.of(solution, STANDARD), len(about["rounds"]) - 1


def _in_buckets(
    setup: Setup, deals: int, workers: int | None, progress: Callable[[Progress], None] | None
) -> Changes:
    """Play in buckets, most where matches mostly are by the table that ships."""
    rules = setup.rules
    ways = ways_of(rules)
    begin = state_of((0,) * rules.n_teams, rules)
    known = shipped.shipped().deals.astype(np.int64)
    _, visits = chain_of(known, ways, rules).visit(shipped.wins_under(rules) / shipped.UNIT, begin)
    each = LEAST_DEALS + spread(visits, max(deals - LEAST_DEALS * len(visits), 0))
    return Changes(play_buckets(setup, shipped.all_curves(), 0, each, workers, progress), ways)
