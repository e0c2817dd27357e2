"""Duels: two bots compared on the same deals, with the challenger's team in each place in turn.

Deals are those of mode auction, natural sample: deal i of a seed has the same cards and the same random words whoever
plays it. So luck of the cards cancels out of a comparison, all of it where the two play alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.lockstep import play_matches, share_and_error
from schmier_sim.analysis.matches import PASSED, Matches, standard_error
from schmier_sim.analysis.ratios import wilson
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.analysis.seating import DEFAULT_WORLDS, PLAYERS, SEARCH, Report, Seating, open_tables
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import check_bidding
from schmier_sim.game.words import MAX_INDEX, MAX_SEED
from schmier_sim.kernel.equity import all_curves
from schmier_sim.kernel.match import declarer_table, score_table
from schmier_sim.kernel.simulate import STANDARD, Setup, is_ready

DEFAULT_DEALS = 100_000
DEFAULT_SEARCH_DEALS = 1000
DEFAULT_SCORED_MATCHES = 30_000
"""Deals, or matches at their scores, where nothing is asked for: seconds of play, and a minute where `search` plays."""

#: Deals that are played before the matches go on with them; multiples of `matches.CELL`.
ROUND, SEARCH_ROUND = 1 << 20, 1 << 10
LEAST_ROUND = 1 << 8
#: Length of a match in deals for the first guess of how many deals some matches take.
GUESSED_LENGTH = 12
#: Deals for a match after which one gives up: `random` alone at the table bids itself ever further below zero.
HOPELESS = 10_000


class DuelError(ValueError):
    """A duel that cannot be played; the message is one line."""


@dataclass(frozen=True)
class Duel:
    """What came of a duel. Where there is nothing to go by, a number is not a number.

    Attributes
    ----------
    challenger, opponent
        One team's bot, and that of all other teams.
    rules, seed, worlds
        What was played; worlds a decision where `search` plays, else None.
    deals
        Deals, each played once with the challenger in each place.
    relative, relative_se
        Relative points a deal: the score of the challenger's team less the mean of the other teams' scores, nothing for
        deals that were passed out. The standard error is that of the mean over deals of the mean over places.
    declaring, declaring_se, defending, defending_se
        The same over the deals that the challenger's team declared, and over those that another team did.
    declared
        Share of the deals played that the challenger's team declared.
    matches, match_wins, match_wins_low, match_wins_high
        Matches to the rules' target that are over; the share of them that the challenger's team won, and its 95 %
        interval, see `matches.Matches.share`.
    bidding
        What challenger and opponent bid by.
    """

    challenger: str
    opponent: str
    rules: Rules
    seed: int
    worlds: int | None
    deals: int
    relative: float
    relative_se: float
    declaring: float
    declaring_se: float
    defending: float
    defending_se: float
    declared: float
    matches: int
    match_wins: float
    match_wins_low: float
    match_wins_high: float
    bidding: tuple[str, str] = ("points", "points")

    @property
    def by_score(self) -> bool:
        """Whether anybody bids by equity, so that matches are played at their scores."""
        return "equity" in self.bidding

    @property
    def fair_share(self) -> float:
        """Share of the matches that a team wins among its equals."""
        return 1 / self.rules.n_teams


def duel(
    challenger: str,
    opponent: str,
    *,
    rules: Rules = STANDARD,
    seed: int = 21,
    deals: int | None = None,
    matches: int | None = None,
    worlds: int = DEFAULT_WORLDS,
    bidding: tuple[str, str] = ("points", "points"),
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Duel:
    """Compare two bots.

    Where anybody bids by equity, matches are played at their scores, each with its own deals: `matches` of them, by
    default 30 000. Points are then those of the deals of these matches.

    Parameters
    ----------
    challenger, opponent : str
        Of `seating.PLAYERS`. If both are the same, relative points are exactly 0, and a fair share of matches is won.
    rules : Rules
    seed : int
        0 <= seed < 2**63.
    deals : int, optional
        How many deals, the first of the seed; by default 100 000, or 1000 where `search` plays.
    matches : int, optional
        In place of `deals`: as many deals as it takes until so many matches are over, the same number for each place.
    worlds : int
        Worlds in which `search` tries each of its options.
    bidding : (str, str)
        What challenger and opponent bid by, "points" or "equity": it is `club` alone that can bid by equity.
    workers : int, optional
        Threads, or processes where `search` plays; by default one for each core that the process may use. Processes
        import the main module anew, so a script that calls this has its own work under ``if __name__ == "__main__"``.
    progress : function of Progress, optional
        Called about ten times a second from the calling thread.

    Raises
    ------
    DuelError
        One line that names the bad value and a right one; or that says that the wanted matches come to no end.
    """
    for name in (challenger, opponent):
        if name not in PLAYERS:
            raise DuelError(f"there is no bot '{name}': choose {' or '.join(PLAYERS)}")
    if deals is not None and matches is not None:
        raise DuelError("deals and matches are both given: leave one of them out")
    for what, number in (("deals", deals), ("matches", matches)):
        if number is not None and not 1 <= number <= MAX_INDEX:
            raise DuelError(f"{number} {what} are out of range: 1 to 2^56, such as 100000")
    for what, number in (("workers", workers), ("worlds", worlds)):
        if number is not None and number < 1:
            raise DuelError(f"{number} {what} are too few: take at least 1")
    if not 0 <= seed < MAX_SEED:
        raise DuelError(f"seed {seed} is out of range: 0 to 2^63 - 1, such as 21")
    slow = SEARCH in (challenger, opponent)
    if "equity" in bidding:
        if deals is not None:
            raise DuelError("bids by equity hang on the score: take a number of matches instead of deals")
        return _duel_by_score((challenger, opponent), bidding, rules, seed, matches, workers, progress)
    if deals is None and matches is None:
        deals = DEFAULT_SEARCH_DEALS if slow else DEFAULT_DEALS
    seatings = [
        Seating(_bots_in(place, challenger, opponent, rules), seed, rules, worlds)
        for place in range(rules.n_teams)
    ]
    report = Report(progress or (lambda _progress: None), deals)
    ledger, points = Matches(rules, matches), _Points(rules)
    with open_tables(seatings, workers or available_cores(), report) as tables:
        most = SEARCH_ROUND if slow else ROUND
        while size := min(_missing(ledger, deals, matches), most):
            types = tables.play(ledger.deals, size)
            points.add(types[:, : ledger.play(types)])
    share, low, high = ledger.share()
    return Duel(
        challenger,
        opponent,
        rules,
        seed,
        worlds if slow else None,
        ledger.deals,
        *points.everywhere.mean(),
        *points.declaring.mean(),
        *points.defending.mean(),
        points.declared(),
        ledger.over,
        share,
        low,
        high,
    )


def _duel_by_score(
    bots: tuple[str, str],
    bidding: tuple[str, str],
    rules: Rules,
    seed: int,
    matches: int | None,
    workers: int | None,
    progress: Callable[[Progress], None] | None,
) -> Duel:
    """Play matches at their scores, the challenger's first place each in turn."""
    for bot, by in zip(bots, bidding, strict=True):
        if by == "equity" and bot != "club":
            raise DuelError(f"{bot} cannot bid by equity: club can")
        try:
            check_bidding(rules, by, (0,) * rules.n_teams)
        except ValueError as error:
            raise DuelError(str(error)) from None
    n_teams = rules.n_teams
    wanted = -(-(DEFAULT_SCORED_MATCHES if matches is None else matches) // n_teams) * n_teams
    if progress is not None and not is_ready():
        say_compiling(lambda text: progress(Progress(0, 1, message=text)))
    played = play_matches(
        Setup(seed, "auction", rules=rules),
        all_curves(),
        (bots[0], bidding[0]),
        (bots[1], bidding[1]),
        np.zeros((wanted, n_teams), np.int64),
        np.arange(wanted) % n_teams,
        workers=workers,
        progress=progress,
    )
    dealt, won, others = played.deals - played.passed, int(played.won.sum()), n_teams - 1
    low, high = wilson(won, wanted)
    defended = share_and_error(played.relative - played.declaring, dealt - played.declared)
    means = (
        share_and_error(played.relative, played.deals),
        share_and_error(played.declaring, played.declared),
        defended,
    )
    names = ("relative", "declaring", "defending")
    points = {
        name + ending: value / others
        for name, mean in zip(names, means, strict=True)
        for ending, value in zip(("", "_se"), mean, strict=True)
    }
    return Duel(
        challenger=bots[0],
        opponent=bots[1],
        rules=rules,
        seed=seed,
        worlds=None,
        deals=int(played.deals.sum()),
        **points,
        declared=float(played.declared.sum() / max(dealt.sum(), 1)),
        matches=wanted,
        match_wins=won / wanted,
        match_wins_low=float(low),
        match_wins_high=float(high),
        bidding=bidding,
    )


def duels(
    pairs: Sequence[tuple[str, str]],
    *,
    rules: Rules = STANDARD,
    seed: int = 21,
    deals: int | None = None,
    matches: int | None = None,
    worlds: int = DEFAULT_WORLDS,
    bidding: tuple[str, str] = ("points", "points"),
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Duel, ...]:
    """Play several duels, challengers with opponents, one after the other; parameters and errors as in `duel`."""
    done = []
    for challenger, opponent in pairs:
        if progress is not None and len(pairs) > 1:
            progress(Progress(0, 1, message=f"{challenger} against {opponent} …"))
        done.append(
            duel(
                challenger,
                opponent,
                rules=rules,
                seed=seed,
                deals=deals,
                matches=matches,
                worlds=worlds,
                bidding=bidding,
                workers=workers,
                progress=progress,
            )
        )
    return tuple(done)


def _bots_in(place: int, challenger: str, opponent: str, rules: Rules) -> tuple[str, ...]:
    return tuple(challenger if team == place else opponent for team in range(rules.n_teams))


def _missing(ledger: Matches, deals: int | None, matches: int | None) -> int:
    """How many more deals it takes, as far as can be told; 0 if there are enough."""
    if deals is not None:
        return deals - ledger.deals
    if matches is None or ledger.enough:
        return 0
    if ledger.deals > HOPELESS * (ledger.over + 1):
        raise DuelError(
            f"{ledger.over} matches to {ledger.rules.target} are over after {ledger.deals} deals,"
            " as these bots lose more than they win: take a number of deals instead"
        )
    length = ledger.deals / ledger.over if ledger.over else GUESSED_LENGTH / ledger.rules.n_teams
    missing = int(max(matches - ledger.over, 1) * length)
    return -(-missing // LEAST_ROUND) * LEAST_ROUND


class _Mean:
    """The mean of a value over the places of all deals that count, and its error, for deals are clusters of places.

    Sums are integers: the order in which deals come is of no consequence, and what cancels out is nothing.
    """

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.deals = 0
        self.values = self.counted = self.squares = self.products = self.counted_squares = 0

    def add(self, values: NDArray[np.int64], counts: NDArray[np.bool_]) -> None:
        """Add values [places, deals] where they count."""
        value, counted = (values * counts).sum(axis=0), counts.sum(axis=0)
        self.deals += values.shape[1]
        self.values += int(value.sum())
        self.counted += int(counted.sum())
        self.squares += int(value @ value)
        self.products += int(value @ counted)
        self.counted_squares += int(counted @ counted)

    def mean(self) -> tuple[float, float]:
        """Return the mean and its standard error."""
        if not self.counted:
            return nan, nan
        squares = (
            self.squares * self.counted**2
            - 2 * self.products * self.values * self.counted
            + self.counted_squares * self.values**2
        ) / self.counted**2
        error = standard_error(squares, self.deals, self.counted)
        return self.values / self.counted / self.unit, error / self.unit


class _Points:
    """Relative points, altogether and by who declared."""

    def __init__(self, rules: Rules) -> None:
        n_teams = rules.n_teams
        scores = score_table(rules)
        # The last row is that of deals that were passed out: their type is -1.
        relative = n_teams * scores - scores.sum(axis=1, keepdims=True)
        self.relative = np.vstack([relative, np.zeros((1, n_teams), np.int64)])
        self.declarers = np.append(declarer_table(rules), -1)
        self.places = np.arange(n_teams)[:, np.newaxis]
        self.everywhere, self.declaring, self.defending = (_Mean(n_teams - 1) for _ in range(3))

    def add(self, types: NDArray[np.int32]) -> None:
        """Add deals by their types with the challenger in each place: int32 [places, deals]."""
        values = self.relative[types, self.places]
        declares = self.declarers[types] == self.places
        self.everywhere.add(values, np.ones(types.shape, np.bool_))
        self.declaring.add(values, declares)
        self.defending.add(values, (types != PASSED) & ~declares)

    def declared(self) -> float:
        """Share of the deals played that the challenger declared."""
        declared, defended = self.declaring.counted, self.defending.counted
        return declared / (declared + defended) if declared + defended else nan
