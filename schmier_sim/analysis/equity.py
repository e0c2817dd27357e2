"""Match equity: the chance of each team to win the match from every state of the scores.

A state is the teams' scores in the order: dealer's team, team to its left, (third team).  A deal changes the scores by
what the simulator's own deals in auctions say, and the deal passes to the left: so the next state has the same form,
and no dealer has to be remembered.  Deals that are passed out are dealt again and drop out, or pass the deal on, as the
rules say.

The chances solve a system of linear equations, one for each state and team, by sweeps from high scores to low ones
until nothing changes any more.  Scores below `LEAST` count as `LEAST`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.matches import gain, score_table, winner_of
from schmier_sim.analysis.run import Progress, simulate
from schmier_sim.analysis.tally import Tally
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import apply_scores, match_winner
from schmier_sim.kernel.counts import BIDS, N_DEAL_TYPES, N_SEATS
from schmier_sim.kernel.jit import Entry, inline
from schmier_sim.kernel.simulate import Setup

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST = -18
"""Lowest score that is told apart: from there nearly every match is lost."""
MOST_GAIN = 6
NO_END = (
    "these bots do not bring matches to an end, as they lose more than they win: take others, such as club"
)
DEFAULT_DEALS = 1_000_000
TOLERANCE = 1e-9
MOST_SWEEPS = 500
NEGLIGIBLE, ENOUGH = 1e-12, 1e-6
"""What is too little to be sent on, and how much of a match may still be on its way."""


class EquityError(ValueError):
    """A question that cannot be answered; the message is one line."""


@dataclass(frozen=True)
class Changes:
    """What deals do to the scores: one row for each way that occurs.

    Teams are numbered from the dealer's: 0 deals, 1 is to its left, and so on.

    Attributes
    ----------
    deals : int64 [ways]
        How many of the deals played.
    gains : int64 [ways, teams]
    declarers : int64 [ways]
        Team that declared; -1 for a deal that was passed out.
    bids : int64 [ways]
    """

    deals: Ints
    gains: Ints
    declarers: Ints
    bids: Ints

    @property
    def shares(self) -> Floats:
        """How often each way occurs."""
        return np.asarray(self.deals / self.deals.sum(), np.float64)


def changes_of(tally: Tally, rules: Rules) -> Changes:
    """Sum up the deals of auctions by what they do to the scores.

    Raises
    ------
    EquityError
        There are none.
    """
    n = rules.n_teams
    types = tally.types.reshape(-1)
    seats, rest = np.divmod(np.arange(types.size), types.size // N_SEATS)
    levels = rest // N_DEAL_TYPES
    known = (types > 0) & (levels > 0)
    if not known.any():
        raise EquityError("this run has no auctions: make one with --mode auction")
    # Seat 1 is to the dealer's left: team 0 of the deal is team 1 from the dealer's.
    order = [(team - 1) % n for team in range(n)]
    rows = np.column_stack(
        [
            (seats[known] % n + 1) % n,
            levels[known] + BIDS[0] - 1,
            score_table(rules)[known][:, order],
        ]
    )
    ways, number = np.unique(rows, axis=0, return_inverse=True)
    deals = np.bincount(number.ravel(), types[known]).astype(np.int64)
    if rules.all_pass == "next-dealer" and tally.passed:
        ways = np.vstack([ways, [-1, 0, *[0] * n]])
        deals = np.append(deals, tally.passed)
    return Changes(
        deals, ways[:, 2:].astype(np.int64), ways[:, 0].astype(np.int64), ways[:, 1].astype(np.int64)
    )


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

    def chances(self, scores: tuple[int, ...]) -> Floats:
        """Chances of dealer's team, team to its left, third team, at their scores: float64 [teams]."""
        return np.asarray(self.wins[tuple(max(score, LEAST) - LEAST for score in scores)])


@inline
def _winner(
    n: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    before: Any,
    gains: Any,
    way: int,
    declarer: Any,
    totals: Any,
) -> int:
    """Add a way's gains to the scores, as `totals`; the team that wins the match thereby, or -1."""
    for team in range(n):
        totals[team] = gain(before[team], gains[way, team], team == declarer, must_bid, target)
    return winner_of(totals, n, declarer, declarer_first, target)


@inline
def _following(n: int, size: int, target: int, totals: Any) -> int:
    """The state with these scores once the deal has passed on.

    Where two others are level beyond the target, the match goes on from just below it.
    """
    state = 0
    for place in range(n):
        team = place + 1 if place < n - 1 else 0
        state = state * size + min(max(totals[team], LEAST), target - 1) - LEAST
    return state


@inline
def _read(n: int, size: int, state: int, before: Any) -> None:
    """Fill in the scores of a state."""
    for step in range(n):
        before[n - 1 - step] = state % size + LEAST
        state //= size


@Entry
def _sweep(
    wins: Any,
    n: int,
    size: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    shares: Any,
    gains: Any,
    declarers: Any,
    merged: Any,
    steps: Any,
    before: Any,
    totals: Any,
    means: Any,
) -> float:
    """Set each state to the mean of those that follow it, from high scores to low ones; return the largest change.

    Where no score can reach the target or fall below the lowest, it does not matter who declared: there, ways with the
    same gains are `merged` shares, and the state that follows is so many `steps` from where the turned one stands.
    """
    largest = 0.0
    for state in range(size**n - 1, -1, -1):
        _read(n, size, state, before)
        highest, lowest = before[0], before[0]
        for team in range(1, n):
            highest, lowest = max(highest, before[team]), min(lowest, before[team])
        means[:] = 0.0
        if highest + MOST_GAIN < target and lowest >= LEAST + MOST_GAIN:
            turned = _following(n, size, target, before)
            for way in range(merged.size):
                for team in range(n):
                    means[team] += merged[way] * wins[turned + steps[way], team]
        else:
            for way in range(shares.size):
                winner = _winner(
                    n, target, declarer_first, must_bid, before, gains, way, declarers[way], totals
                )
                if winner >= 0:
                    means[winner - 1 if winner else n - 1] += shares[way]
                else:
                    following = _following(n, size, target, totals)
                    for team in range(n):
                        means[team] += shares[way] * wins[following, team]
        # Means are by the next deal's teams, of which the last is this deal's first.
        for team in range(n):
            value = means[team - 1 if team else n - 1]
            largest = max(largest, abs(value - wins[state, team]))
            wins[state, team] = value
    return largest


@Entry
def _visit(
    n: int,
    size: int,
    target: int,
    declarer_first: bool,
    must_bid: bool,
    shares: Any,
    gains: Any,
    declarers: Any,
    wins: Any,
    before: Any,
    totals: Any,
    waiting: Any,
    worth: Any,
) -> float:
    """Send what waits at each state on its way, from low scores to high ones; return how much waits then.

    `waiting` [states, turns] is how often a match stands at a state after a number of deals that leaves `turns` when
    divided by the number of teams. Adds to `worth` [ways, teams] the chances of the teams of the first deal after a
    state has been left in each way.
    """
    for state in range(size**n):
        for turn in range(n):
            here = waiting[state, turn]
            if here < NEGLIGIBLE:
                continue
            waiting[state, turn] = 0.0
            _read(n, size, state, before)
            for way in range(shares.size):
                winner = _winner(
                    n, target, declarer_first, must_bid, before, gains, way, declarers[way], totals
                )
                if winner >= 0:
                    worth[way, (winner + turn) % n] += here
                    continue
                following = _following(n, size, target, totals)
                for team in range(n):
                    worth[way, (team + 1 + turn) % n] += here * wins[following, team]
                waiting[following, (turn + 1) % n] += here * shares[way]
    left = 0.0
    for state in range(size**n):
        for turn in range(n):
            left += waiting[state, turn]
    return left


def _match(changes: Changes, rules: Rules) -> tuple[Any, ...]:
    """What both kernels are told of the match: teams, scores told apart, how it ends, ways to change the scores."""
    return (
        rules.n_teams,
        rules.target - LEAST,
        rules.target,
        rules.endgame == "declarer-first",
        rules.must_bid_to_win,
        changes.shares,
        changes.gains,
        changes.declarers,
    )


def solve(changes: Changes, rules: Rules) -> MatchTable:
    """Solve the chances of all states.

    Raises
    ------
    EquityError
        Matches do not end, as teams lose more than they win.
    """
    n, size = rules.n_teams, rules.target - LEAST
    if changes.shares @ changes.gains.sum(axis=1) <= 0:
        raise EquityError(NO_END)
    gains, number = np.unique(changes.gains, axis=0, return_inverse=True)
    strides = size ** np.arange(n - 1, -1, -1)
    wins = np.full((size**n, n), 1 / n)
    arguments = (
        *_match(changes, rules),
        np.bincount(number.ravel(), changes.shares),
        np.roll(gains, -1, axis=1) @ strides,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        np.zeros(n, np.float64),
    )
    for sweep in range(1, MOST_SWEEPS + 1):
        residual = _sweep(wins, *arguments)
        if residual < TOLERANCE:
            return MatchTable(rules, wins.reshape(*[size] * n, n), residual, sweep)
    raise EquityError(NO_END)


@dataclass(frozen=True)
class Standing:
    """What a state of the scores is worth.

    Teams are those of the dealer, to its left, and so on.

    Attributes
    ----------
    scores : tuple of int
    wins, errors : float64 [teams]
        Chances to win the match, and their standard errors: by the luck of the deals that the table was made from.
    break_even : float64 [teams, bids 3 to 6]
        Chance to make a bid at which it does as much for its team as when another declares: at 0 and below any chance
        is enough, above 1 none is. Not a number where no deal shows it.
    """

    scores: tuple[int, ...]
    wins: Floats
    errors: Floats
    break_even: Floats


def check_scores(scores: tuple[int, ...], rules: Rules) -> None:
    """Refuse scores of another number of teams, and of a match that is over.

    Raises
    ------
    EquityError
    """
    n = rules.n_teams
    if len(scores) != n:
        example = ",".join(("14", "9", "18")[:n])
        raise EquityError(f"{len(scores)} scores for {n} teams: give one for each, such as {example}")
    for score in scores:
        if score >= rules.target:
            raise EquityError(
                f"score {score} is out of range: at most {rules.target - 1}, as a match ends at {rules.target}"
            )


def stand(table: MatchTable, changes: Changes, scores: tuple[int, ...]) -> Standing:
    """Tell what a state is worth.

    The errors are those of the linear response: by how much the chances move when a way to change the scores comes more
    often, at every state that the match may come through.

    Raises
    ------
    EquityError
        Scores of another number of teams, or out of range.
    """
    rules = table.rules
    n, size = rules.n_teams, rules.target - LEAST
    check_scores(scores, rules)
    arguments = (
        *_match(changes, rules),
        table.wins.reshape(-1, n),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )
    start = 0
    for score in scores:
        start = start * size + max(score, LEAST) - LEAST
    waiting, worth = np.zeros((size**n, n)), np.zeros((len(changes.deals), n))
    waiting[start, 0] = 1.0
    while _visit(*arguments, waiting, worth) > ENOUGH:
        pass
    mean = changes.shares @ worth
    errors = np.sqrt(np.maximum(changes.shares @ worth**2 - mean**2, 0.0) / changes.deals.sum())
    return Standing(
        scores, table.chances(scores), errors, _break_even(changes, _after_one_deal(table, changes, scores))
    )


def _after_one_deal(table: MatchTable, changes: Changes, scores: tuple[int, ...]) -> Floats:
    """Chances of each team once the scores have changed in each way: float64 [ways, teams]."""
    rules, n = table.rules, table.rules.n_teams
    found = np.zeros((len(changes.deals), n))
    for way, (gains, declarer) in enumerate(
        zip(changes.gains.tolist(), changes.declarers.tolist(), strict=True)
    ):
        totals = apply_scores(scores, gains, declarer + 1, rules)
        winner = None if declarer < 0 else match_winner(totals, declarer + 1, rules)
        if winner is not None:
            found[way, winner - 1] = 1.0
            continue
        turned = tuple(min(total, rules.target - 1) for total in (*totals[1:], totals[0]))
        found[way] = np.roll(table.chances(turned), 1)
    return found


def _break_even(changes: Changes, after: Floats) -> Floats:
    """Chances to make each bid at which it does as much as another's declaring: float64 [teams, bids].

    `after` [ways, teams] is what each way that the scores may change is worth to each team.
    """
    n = after.shape[1]
    found = np.full((n, len(BIDS)), np.nan)

    def mean(ways: NDArray[np.bool_], team: int) -> float:
        deals = changes.deals[ways]
        return float(deals @ after[ways, team] / deals.sum()) if deals.size else float("nan")

    for team in range(n):
        own = changes.declarers == team
        others = mean(~own & (changes.declarers >= 0), team)
        for level, bid in enumerate(BIDS):
            here, made = own & (changes.bids == bid), changes.gains[:, team] >= bid
            won, lost = mean(here & made, team), mean(here & ~made, team)
            found[team, level] = (others - lost) / (won - lost)
    return found


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
    residual, sweeps
        See `MatchTable`.
    """

    standing: Standing
    dealer: int
    setup: Setup
    deals: int
    residual: float
    sweeps: int


def equity(
    scores: Sequence[int],
    *,
    dealer: int = 0,
    setup: Setup | None = None,
    deals: int = DEFAULT_DEALS,
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
        What is played: a setup of mode auction; by default `club` with mixed tempers.
    deals : int
        Deals that tell how scores change.
    workers, progress
        As for `run.simulate`.

    Raises
    ------
    EquityError
        One line that names the bad value and a right one.
    """
    setup = Setup(mode="auction", tempers="mixed") if setup is None else setup
    rules = setup.rules
    if setup.mode != "auction":
        raise EquityError(f"mode {setup.mode} has no bids to win or lose: take mode auction")
    if not 0 <= dealer < rules.n_teams:
        raise EquityError(f"there is no team {dealer}: 0, the own one, to {rules.n_teams - 1}")
    given = tuple(scores)
    check_scores(given, rules)
    run = simulate(setup, deals=deals, workers=workers, progress=progress)
    changes = changes_of(run.tally, rules)
    table = solve(changes, rules)
    standing = stand(table, changes, (*given[dealer:], *given[:dealer]))
    return Equity(standing, dealer, setup, deals, table.residual, table.sweeps)
