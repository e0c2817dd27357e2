"""Advice: what each call of a player is worth, with these cards, in this seat, after these calls.

A first look at some worlds chooses: the suit for each bid, the call that seems best, and how many worlds it takes until
everything is as precise as is wanted.  All that is reported comes from a second look, at other worlds.  So neither the
choice among many options nor the decision when to stop has any influence on the numbers: what looked best by luck has
no luck left, and intervals hold as they stand.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.estimates import MADE, NET, RESULTS
from schmier_sim.analysis.outlook import CHUNK, PASSED, ROUND, Glance, Outlook, Sharing, Weakening, gather
from schmier_sim.analysis.ratios import Z95, estimate_ratios, wilson
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.analysis.situation import AdviceError, Situation, make_situation
from schmier_sim.game.cards import POINTS, SUITS, Card, Suit
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import apply_scores, match_winner
from schmier_sim.kernel.answers import NOBODY, is_ready
from schmier_sim.kernel.counts import BIDS, N_DEAL_TYPES, TYPES_SHAPE, winners
from schmier_sim.kernel.equity import UNIT, after_each_way, wins_under
from schmier_sim.kernel.match import declarer_table, score_table, state_of, ways_of
from schmier_sim.kernel.simulate import STANDARD, Setup, deal_types

FIRST_LOOK = ROUND // 4
"""Worlds of the first look."""
STEP = 4 * CHUNK
"""Worlds between two looks at the clock."""
MOST_WORLDS = 1 << 24
DEFAULT_PRECISION = 0.5
DEFAULT_SECONDS = 30.0
POINTS_OF_PRECISION = 0.1
"""Points of a deal to a percentage point: with a precision of 0.5, chances reach ±0.5 %, differences ±0.05 points."""
LOST, WON = 0.005, 0.998
"""Where after every call the chance to win the match is below or above this, it is as good as decided."""
BEGINNING_WORLDS = 2 * FIRST_LOOK
"""Worlds that tell what one would call at the beginning of a match."""
KNOWN_WELL = 8.0
"""A difference that is so many times its interval needs no more deals."""
MARGIN = 1.08
"""Worlds that are looked at for each one that the first look found necessary."""
GLIMPSE_SECONDS, GLIMPSE_SHARE = 0.2, 10.0
"""Seconds between two glimpses, at least, and as a multiple of the time that one takes."""
PASSED_DEALS = 1 << 16
"""Deals by which a passed-out deal is valued: what follows is an average deal of the next dealer."""
AVERAGE_DEALS = {
    "normal": (1.6007, 1.5727, 1.5358),
    "cautious": (1.6610, 1.6446, 1.6301),
    "bold": (1.5323, 1.4820, 1.4602),
    "mixed": (1.5905, 1.5571, 1.5323),
}
"""By tempers of `club` under the standard rules: mean scores of seats 1, 2 and 3 in 8 million deals of seed 0."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Chance:
    """A probability and its 95 % interval; not a number, 0 to 1 where nothing is known."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error."""

    value: float
    se: float

    @property
    def half(self) -> float:
        """Half the width of its 95 % interval."""
        return Z95 * self.se


@dataclass(frozen=True)
class SuitAdvice:
    """What comes of declaring in a suit, whatever others might have bid.

    Attributes
    ----------
    suit
    deals
        Worlds.
    points
        How many of them brought 0, 1 … 6 points.
    mean_points
    make
        By bid, 3 to 6: the chance to make it.
    net
        By bid: points won if it is made, minus the bid if not.
    won
        By point of the game: the chance to win it.
    missing
        By bid and point: of the contracts that fail, the share in which that point was not won; NaN if none fails.
    """

    suit: Suit
    deals: int
    points: tuple[int, ...]
    mean_points: Mean
    make: dict[int, Chance]
    net: dict[int, Mean]
    won: dict[str, Chance]
    missing: dict[int, dict[str, float]]


@dataclass(frozen=True)
class CallAdvice:
    """What comes of a call when the auction goes on with the bots behind.

    Attributes
    ----------
    call
        None passes.
    suit
        That is named if the bid wins the auction; for a pass the suit that one would name.
    wins_auction
        Chance that the own side (player or partner) declares.
    make
        Chance that it then makes its contract.
    own, others
        Points that the own team scores in the deal, and the teams to the left in order.
    relative
        Own points less the mean of the others'.
    behind_best
        How much less relative points than the verdict's call, on the same deals; below 0 where it did better, within
        error or not.
    goes_out
        Chance that the own team, and those to the left in order, win the match with this deal.
    equity
        Chance that the own team wins the match; None where calls are weighed by points.
    equity_behind
        How much less than the verdict's call, on the same deals.
    """

    call: int | None
    suit: Suit
    wins_auction: Chance
    make: Chance
    own: Mean
    others: tuple[Mean, ...]
    relative: Mean
    behind_best: Mean
    goes_out: tuple[float, ...]
    equity: Mean | None = None
    equity_behind: Mean | None = None

    @property
    def behind(self) -> Mean:
        """How much less than the verdict's call, by what calls are weighed by: chances, or relative points."""
        return self.behind_best if self.equity_behind is None else self.equity_behind


@dataclass(frozen=True)
class Advice:
    """The answer.

    Attributes
    ----------
    situation, seed
        The question, and where its random numbers begin.
    deals, effective_deals
        Worlds that the numbers come from, and as many as would tell as much of the calls and the best suit if no hand
        came twice.
    chance
        How often the bots call as they did before these cards: 1 if nobody has called yet.
    weakenings
        Calls that the bots as good as never make.
    suits
        By suit, in the order S H C D.
    calls
        Pass first, then bids ascending.
    verdict, close
        The best call, and all that are too close to it to tell.
    precise
        Whether the wanted precision was reached.
    half_width
        Of the widest interval of a chance, in percentage points.
    failures
        Numbers of three worlds in which the verdict's contract fails as it mostly does.
    before
        Chance of the own team to win the match before anybody has looked at the cards; None where calls are weighed by
        points.
    beginning
        The best call at the beginning of a match, where it is another and clearly better than the verdict's there.
    decided
        "lost" or "won" where the match is as good as that after every call, so that calls are weighed by points.
    """

    situation: Situation
    seed: int
    deals: int
    effective_deals: float
    chance: float
    weakenings: tuple[Weakening, ...]
    suits: tuple[SuitAdvice, ...]
    calls: tuple[CallAdvice, ...]
    verdict: CallAdvice
    close: tuple[CallAdvice, ...]
    precise: bool
    half_width: float
    failures: tuple[int, ...] = ()
    before: float | None = None
    beginning: CallAdvice | None = None
    decided: str | None = None

    def suit(self, suit: Suit) -> SuitAdvice:
        """What comes of declaring in a suit."""
        return self.suits[SUITS.index(suit)]


def advise(
    hand: Sequence[Card],
    *,
    seat: int,
    auction: Sequence[int | None] | None = None,
    scores: Sequence[int] | None = None,
    rules: Rules = STANDARD,
    bots: str = "club",
    tempers: str = "mixed",
    heeds_calls: bool = True,
    bidding: str | None = None,
    seed: int = 21,
    precision: float = DEFAULT_PRECISION,
    max_seconds: float = DEFAULT_SECONDS,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    glimpse: Callable[[Advice], None] | None = None,
) -> Advice:
    """Tell how high to bid.

    Parameters
    ----------
    hand : sequence of 6 cards
        Such as ``["AS", "KS", "JC", "2S", "10H", "9D"]``; `game.notation.parse_cards` reads them from text.
    seat : int
        1, left of the dealer, to 6, the dealer.
    auction : sequence of (int or None), optional
        The calls of the seats before, None for a pass; by default all have passed.
    scores : sequence of int, optional
        Before the deal: of the own team, then of the teams to the left in order.
    rules : Rules
    bots : "random" | "simple" | "club"
        Who plays at all seats, and calls at the others.
    tempers : "normal" | "cautious" | "bold" | "mixed"
        How readily `club` bids.
    heeds_calls : bool
        Whether unseen cards are drawn given that the seats before have called as they did.
    bidding : "equity" | "points", optional
        What calls are weighed by, and what `club` bids by: the chance to win the match, or points of the deal. By
        default equity for `club`, where there are three teams and the target is not above 50.
    seed : int
        0 <= seed < 2**63.
    precision : float
        Half-width of the 95 % intervals that is wanted, in percentage points; for differences between calls a tenth of
        it, in points, or an eighth of the difference.
    max_seconds : float
        Stop after so long, whatever has been reached.
    workers : int, optional
        Threads; by default one for each core that the process may use. The numbers do not depend on it.
    progress : function of Progress, optional
        Called now and then from the calling thread.
    glimpse : function of Advice, optional
        Called with what is known so far.

    Raises
    ------
    AdviceError
        One line that names the bad value and a right one.
    """
    return advise_in(
        make_situation(hand, seat, auction, scores, rules, bots, tempers, heeds_calls, bidding),
        seed=seed,
        precision=precision,
        max_seconds=max_seconds,
        workers=workers,
        progress=progress,
        glimpse=glimpse,
    )


def advise_in(
    situation: Situation,
    *,
    seed: int = 21,
    precision: float = DEFAULT_PRECISION,
    max_seconds: float = DEFAULT_SECONDS,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    glimpse: Callable[[Advice], None] | None = None,
) -> Advice:
    """Tell how high to bid in a situation that is checked already; all else as for `advise`."""
    if not 0 <= seed < 2**63:
        raise AdviceError(f"seed {seed} is out of range: 0 to 2^63 - 1, such as 21")
    if not 0 < precision < 50:
        raise AdviceError(f"precision {precision} is out of range: above 0 and below 50, such as 0.5")
    if not max_seconds > 0:
        raise AdviceError(f"{max_seconds} seconds are too few: above 0, such as 10")
    if workers is not None and workers < 1:
        raise AdviceError(f"{workers} workers cannot play: take at least 1")
    if progress is not None and not is_ready():
        say_compiling(lambda text: progress(Progress(0, 1, message=text)))
    with ThreadPoolExecutor(workers or available_cores(), thread_name_prefix="advice") as pool:
        outlook = Outlook(situation, seed, pool)
        looks = [outlook.look(0, CHUNK)]  # loads or compiles the kernels: the clock runs from here
        ends = time.monotonic() + max_seconds
        if FIRST_LOOK > CHUNK:
            looks.append(outlook.look(CHUNK, FIRST_LOOK - CHUNK))
        first = gather(looks)
        if not first.n:
            raise AdviceError(
                "no deals were found in which the others call like this: check --auction, or leave it out"
            )
        plan = Plan(situation, first)
        wanted = plan.worlds_wanted(first, precision)
        found: list[Glance] = []
        looked = 0
        next_glimpse = 0.0
        while looked < wanted and (time.monotonic() < ends or not found):
            step = min(STEP, wanted - looked)
            found.append(outlook.look(ROUND + looked, step))
            looked += step
            if progress is not None:
                progress(Progress(looked, wanted))
            if glimpse is not None and looked < wanted and time.monotonic() > next_glimpse:
                started = time.monotonic()
                glimpse(plan.advice(outlook, gather(found), precision))
                ended = time.monotonic()
                next_glimpse = ended + max(GLIMPSE_SECONDS, GLIMPSE_SHARE * (ended - started))
        advice = plan.advice(outlook, gather(found), precision)
        return replace(advice, beginning=_other_at_the_beginning(advice, seed, pool))


def _other_at_the_beginning(advice: Advice, seed: int, pool: Executor) -> CallAdvice | None:
    """What one would call at the beginning of a match, if it is clearly better there than what is advised."""
    situation = advice.situation
    if advice.before is None or not any(situation.scores):
        return None
    there = replace(situation, scores=(0,) * len(situation.scores))
    outlook = Outlook(there, seed, pool)
    first = outlook.look(0, FIRST_LOOK)
    if not first.n:
        return None
    plan = Plan(there, first)
    if plan.options[plan.best] == advice.verdict.call:
        return None
    found = plan.advice(outlook, outlook.look(ROUND, BEGINNING_WORLDS), DEFAULT_PRECISION)
    same = next(call for call in found.calls if call.call == advice.verdict.call)
    return found.verdict if same not in found.close else None


class Plan:
    """What the first look has chosen, and the estimates that follow."""

    def __init__(self, situation: Situation, first: Glance) -> None:
        self.situation = situation
        self.options = situation.options
        rules = situation.rules
        self.n_teams = rules.n_teams
        self.me = situation.seat - 1
        self.teams = [(self.me + step) % self.n_teams for step in range(self.n_teams)]
        # Scores by type of deal; the last row is that of a deal that is passed out.
        passed = _worth_of_passing(situation) if None in self.options else np.zeros(self.n_teams)
        self.scores = np.vstack([score_table(rules)[:, self.teams], passed])
        others = self.scores[:, 1:].mean(axis=1)
        self.relative = self.scores[:, 0] - others
        self.ending = _endings(rules, situation, self.teams)
        self.equity = _equities(situation) if situation.bidding == "equity" else None
        #: What calls are weighed by, by type of deal.
        self.worth = self.relative if self.equity is None else self.equity
        self.decided = None if self.equity is None else self._decided(first)
        if self.decided is not None:
            self.equity, self.worth = None, self.relative
        self.suits = self._choose_suits(first)
        means = [self.worth[types].mean() for types in self.types(first)]
        self.best = int(np.argmax(means))

    def _decided(self, first: Glance) -> str | None:
        """Whether the match is as good as "lost" or "won" after every call, each in its best suit."""
        assert self.equity is not None
        worth = self.equity
        chances = [
            max(float(worth[self._types_of(first, number, suit)].mean()) for suit in SUITS)
            for number in range(len(self.options))
        ]
        return "lost" if max(chances) < LOST else "won" if min(chances) > WON else None

    def _types_of(self, glance: Glance, number: int, suit: Suit) -> Ints:
        """Type of each deal after a call, if the player names a suit; -1 if it is passed out."""
        declarers = glance.declarers[number].astype(np.int64)
        bids = glance.bids[number].astype(np.int64)
        outcome = np.where(declarers == self.me, glance.own[SUITS.index(suit)], glance.others[number])
        level = np.where(bids > 0, bids - 2, 0)
        types = (declarers * TYPES_SHAPE[1] + level) * N_DEAL_TYPES + outcome
        return np.where(declarers == NOBODY, PASSED, types)

    def types(self, glance: Glance) -> list[Ints]:
        """Types of deals after each call."""
        return [self._types_of(glance, number, suit) for number, suit in enumerate(self.suits)]

    def _choose_suits(self, first: Glance) -> tuple[Suit, ...]:
        """The suit that brings most with each bid, of equal ones the first; for a pass that of the lowest bid."""
        chosen = []
        for number, call in enumerate(self.options):
            if call is None:
                continue
            worth = [self.worth[self._types_of(first, number, suit)].sum() for suit in SUITS]
            chosen.append(SUITS[int(np.argmax(worth))])
        if None in self.options:
            chosen.insert(0, chosen[0] if chosen else "S")
        return tuple(chosen)

    def worlds_wanted(self, first: Glance, precision: float) -> int:
        """How many worlds it takes, by the first look, in whole chunks."""
        sharing, half = Sharing(first.picks), precision / 100

        def share(*values: NDArray[Any]) -> float:
            """How much a world of a whole round tells, which shares its hands among more worlds than this look does."""
            return 1 / (1 + (1 / sharing.independent(*values) - 1) * ROUND / FIRST_LOOK)

        worlds = 1.0
        for number in range(len(SUITS)):
            points = self._points(first, number)
            told = share(points, *(points >= bid for bid in BIDS))
            for bid in BIDS:
                # The interval is the wider, the nearer to one half the chance is: this look tells it to two errors.
                away = max(abs(float((points >= bid).mean()) - 0.5) - (1 / (first.n * told)) ** 0.5, 0.0)
                worlds = max(worlds, (0.25 - away**2) * (Z95 / half) ** 2 / told)
        types = self.types(first)
        for number, values in enumerate(types):
            if number == self.best:
                continue
            for of_type, least in self._scales(precision):
                apart = of_type[types[self.best]] - of_type[values]
                mean, spread = abs(float(apart.mean())), float(apart.std())
                wanted = max(least, mean / KNOWN_WELL)
                worlds = max(worlds, (Z95 * spread / wanted) ** 2 / share(apart))
        worlds = min(MARGIN * worlds, MOST_WORLDS)
        return max(-(-int(worlds) // CHUNK), 1) * CHUNK

    def _scales(self, precision: float) -> list[tuple[Floats, float]]:
        """What calls differ by, by type of deal, and how well that is to be known."""
        points = (self.relative, precision * POINTS_OF_PRECISION)
        return [points] if self.equity is None else [points, (self.equity, precision / 100)]

    def _points(self, glance: Glance, suit: int) -> Ints:
        """Points that the own side wins where the player declares in a suit: int64 [n]."""
        return np.asarray((winners()[glance.own[suit]] == self.teams[0]).sum(axis=1), np.int64)

    def advice(self, outlook: Outlook, glance: Glance, precision: float) -> Advice:
        """Estimate everything."""
        sharing = Sharing(glance.picks)
        calls = self._calls(glance, sharing)
        best = calls[self.best]
        close = tuple(call for call in calls if call is best or call.behind.value <= call.behind.half)
        suits = tuple(self._suit(glance, sharing, suit) for suit in SUITS)
        widths = [chance.high - chance.low for one in suits for chance in one.make.values()]
        half_width = 50 * max(widths)
        apart = [(call.behind_best, precision * POINTS_OF_PRECISION) for call in calls]
        apart += [(call.equity_behind, precision / 100) for call in calls if call.equity_behind is not None]
        differences = all(
            behind.half <= max(wanted, 1.1 * abs(behind.value) / KNOWN_WELL) for behind, wanted in apart
        )
        return Advice(
            situation=self.situation,
            seed=outlook.seed,
            deals=glance.n,
            effective_deals=glance.n
            * sharing.independent(
                self._points(glance, SUITS.index(best.suit)), *(self.worth[t] for t in self.types(glance))
            ),
            chance=outlook.chance(glance),
            weakenings=outlook.weakenings,
            suits=suits,
            calls=calls,
            verdict=best,
            close=close,
            precise=half_width <= precision and differences,
            half_width=half_width,
            failures=self._failures(glance),
            before=None if self.equity is None else _equity_before(self.situation),
            decided=self.decided,
        )

    def _suit(self, glance: Glance, sharing: Sharing, suit: Suit) -> SuitAdvice:
        number = SUITS.index(suit)
        won = winners()[glance.own[number]] == self.teams[0]
        points = won.sum(axis=1)
        counts = np.bincount(points, minlength=len(RESULTS))
        share = sharing.independent(points, *(points >= bid for bid in BIDS))
        estimate = estimate_ratios(
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
            counts[np.newaxis],
            np.ones(1),
            np.array([glance.n]),
            1,
        )

        def mean(values: Ints) -> Mean:
            error = float(estimate.standard_error(values)[0]) / share**0.5
            return Mean(float(estimate.mean(values)[0]), error)

        missing = {}
        for bid in BIDS:
            failed = ~won[points < bid]
            rates = failed.mean(axis=0) if len(failed) else np.full(len(POINTS), np.nan)
            missing[bid] = dict(zip(POINTS, rates.tolist(), strict=True))
        return SuitAdvice(
            suit,
            glance.n,
            tuple(counts.tolist()),
            mean(RESULTS),
            {bid: _chance(int(counts @ MADE[bid]), glance.n, share) for bid in BIDS},
            {bid: mean(NET[bid]) for bid in BIDS},
            {point: _chance(int(won[:, i].sum()), glance.n, share) for i, point in enumerate(POINTS)},
            missing,
        )

    def _calls(self, glance: Glance, sharing: Sharing) -> tuple[CallAdvice, ...]:
        types = self.types(glance)
        best = types[self.best]

        def mean(values: Floats) -> Mean:
            spread = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
            if spread and values.min() == values.max():
                spread = 0.0  # but for rounding
            return Mean(float(values.mean()), spread / (len(values) * sharing.independent(values)) ** 0.5)

        found = []
        for number, (call, values) in enumerate(zip(self.options, types, strict=True)):
            declarers = glance.declarers[number]
            ours = (declarers != NOBODY) & (declarers % self.n_teams == self.teams[0])
            share = sharing.independent(ours, self.relative[values])
            contract = glance.bids[number][ours]
            made = self.scores[values[ours], 0] >= contract
            scores = self.scores[values]
            ending = self.ending[values]
            found.append(
                CallAdvice(
                    call,
                    self.suits[number],
                    _chance(int(ours.sum()), glance.n, share),
                    _chance(int(made.sum()), int(ours.sum()), share),
                    mean(scores[:, 0]),
                    tuple(mean(scores[:, place]) for place in range(1, self.n_teams)),
                    mean(self.relative[values]),
                    mean(self.relative[best] - self.relative[values]),
                    tuple(float((ending == place).mean()) for place in range(self.n_teams)),
                    *(
                        ()
                        if self.equity is None
                        else (mean(self.equity[values]), mean(self.equity[best] - self.equity[values]))
                    ),
                )
            )
        return tuple(found)

    def _failures(self, glance: Glance) -> tuple[int, ...]:
        """Three worlds in which the verdict's contract fails by the point that is missing most often."""
        call = self.options[self.best]
        if call is None:
            return ()
        own = glance.own[SUITS.index(self.suits[self.best])]
        won = winners()[own] == self.teams[0]
        lost = (glance.declarers[self.best] == self.me) & (won.sum(axis=1) < call)
        if not lost.any():
            return ()
        patterns = won[lost] @ (1 << np.arange(len(POINTS)))
        typical = np.bincount(patterns).argmax()
        return tuple(glance.numbers[lost][patterns == typical][:3].tolist())


def _chance(successes: int, trials: int, share: float) -> Chance:
    """A share of worlds, of which so much is independent, and its Wilson interval."""
    low, high = wilson(successes * share, trials * share)
    return Chance(successes / trials if trials else float("nan"), float(low), float(high))


def _equity_before(situation: Situation) -> float:
    rules = situation.rules
    wins = wins_under(rules)[state_of(situation.dealers_scores, rules)]
    return float(wins[situation.seat % rules.n_teams]) / UNIT


def _equities(situation: Situation) -> Floats:
    """Chance of the own team to win the match after each type of deal: float64 [types + 1], the last passed out."""
    rules = situation.rules
    of_way = after_each_way(rules, situation.dealers_scores) / UNIT
    return np.asarray(of_way[ways_of(rules).of_type, situation.seat % rules.n_teams])


def _endings(rules: Rules, situation: Situation, teams: Sequence[int]) -> Ints:
    """Who wins the match with each type of deal: 0 the own team, 1 and 2 those to the left, -1 nobody yet.

    int64 [types + 1], the last for a deal that is passed out.
    """
    gains, declarers = score_table(rules)[:, list(teams)], declarer_table(rules)
    ending = np.full(len(gains) + 1, -1, np.int64)
    reached = np.flatnonzero((gains + situation.scores).max(axis=1) >= rules.target)
    ways, number = np.unique(
        np.column_stack([declarers[reached], gains[reached]]), axis=0, return_inverse=True
    )
    winner = np.full(len(ways), -1)
    for way, (team, *scores) in enumerate(ways.tolist()):
        declarer = teams.index(team) + 1
        won = match_winner(apply_scores(situation.scores, scores, declarer, rules), declarer, rules)
        winner[way] = -1 if won is None else won - 1
    ending[reached] = winner[number.ravel()]
    return ending


@cache
def _average_deal(rules: Rules, bots: str, tempers: str) -> Floats:
    """Mean score of each team, from the dealer's left on, in a deal that is not passed out: float64 [teams]."""
    if rules == STANDARD and bots == "club":
        return np.array(AVERAGE_DEALS[tempers])
    types = deal_types(Setup(0, "auction", "natural", bots, rules, tempers), 0, PASSED_DEALS)
    return np.asarray(score_table(rules)[types[types != PASSED]].mean(axis=0))


def _worth_of_passing(situation: Situation) -> Floats:
    """What a deal that is passed out is worth to the own team and those to the left: the deal that follows it."""
    rules = situation.rules
    if rules.all_pass == "dealer-bids-3" or any(call is not None for call in situation.auction):
        return np.zeros(rules.n_teams)  # it cannot come to that
    average = _average_deal(rules, situation.bots, situation.tempers)
    me = situation.seat - 1
    # After "next-dealer" the seat that deals passes to the left: everybody sits one place further to the right.
    step = 1 if rules.all_pass == "next-dealer" else 0
    return np.array([average[(me + place - step) % rules.n_teams] for place in range(rules.n_teams)])
