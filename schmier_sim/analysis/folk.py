"""Common advice about bids, put to the test.

Deals
    One team follows a piece of advice (`analysis.folkbids`), the other two bid as `club` does, and all play as `club`;
    the team sits in each of the three places in turn, on the same deals. What counts is its relative points a deal
    played: deals that all pass are dealt again under the rules, so they count for what the next one brings. Three teams
    alike have exactly 0.
Matches
    Advice that hangs on the scores is tested by matches from given scores: the team takes a margin off what its bids
    must bring, or adds one, where the advice applies, and the others bid by points.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis import folkbids
from schmier_sim.analysis.bauers import BAUERS, Worth, measure_bauers
from schmier_sim.analysis.bidding import CHUNK, N_TEAMS, RELATIVE
from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.folkbids import (
    CLUB,
    DEALER_CALLS,
    EVERYWHERE,
    HIGH,
    OVER_THREE,
    PARTNER_HOLDS,
    SEAT,
    TRUMPS,
    Bidder,
    by_count,
    by_mean,
    holds,
    lighter,
    lowest_only,
    never,
    passing,
    richer,
    sure_points,
    with_curves_of,
)
from schmier_sim.analysis.lockstep import play_matches
from schmier_sim.analysis.matches import Matches
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.game.club_bids import BIDS
from schmier_sim.game.rules import Rules
from schmier_sim.kernel import equity
from schmier_sim.kernel.counts import N_DEAL_TYPES
from schmier_sim.kernel.forced import PASSED, Table
from schmier_sim.kernel.match import MOST_NEEDED, N_NEEDS, Floats, Ints
from schmier_sim.kernel.simulate import Setup, is_ready

#: Not a seed by which tables of `club` are made.
SEED = 4711

Types = NDArray[np.int16]

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
ADDED = (Fraction(0), HALF, Fraction(1), 5 * QUARTER, 3 * HALF, 7 * QUARTER, Fraction(2))
"""What is added for the partner."""
ROUNDED = {
    "down": Fraction(0),
    "down, less a quarter": -QUARTER,
    "up from three quarters": QUARTER,
    "nearest": HALF,
}
"""What is added to mean points before the fraction is dropped."""
FOLK_SCALE = (Fraction(0), HALF, 3 * QUARTER, Fraction(1))
"""What a bauer is said to be worth with 0, 1, 2, 3 other trumps."""
SCALES = ("folk", "half", "won", "adds")
"""How bauers are counted: as is said, all alike, by how often their points are won, by what they add."""
DEALER_ADDS = (QUARTER, HALF, Fraction(1))
"""What a dealer adds who bids mean points."""
SCALE_ADDED = ADDED[2:6]
MARGINS = (-1000, -500, -250, 250, 500, 1000)
"""By how much bids are made lighter, in thousandths of a point."""
SCORE_MARGINS = (-500, 250, 500, 1000), (-1000, -500, -250, 500)
"""The same by score: where a rival is about to go out, and for a team that leads."""
SCORES = {"rival": ((9, 9, 18), (15, 15, 18)), "lead": ((15, 9, 9), (18, 9, 9))}
"""Scores to begin with: of the team that follows the advice, and of the others."""


@dataclass(frozen=True)
class Sizes:
    """Deals with an auction, of each class of hands, and matches from each scores."""

    deals: int = 200_000
    stratified: int = 200
    matches: int = 120_000


@dataclass(frozen=True)
class Effect:
    """What a way of bidding brings against another, on the same deals.

    Attributes
    ----------
    gain, error
        Relative points a deal, and their standard error.
    changed
        Share of the deals with another contract: another declarer, another bid, or none.
    """

    gain: float
    error: float
    changed: float


@dataclass(frozen=True)
class Share:
    """Matches won from some scores.

    Attributes
    ----------
    rule, scores
        Key and one entry of `SCORES`.
    margin
        In thousandths of a point; 0 for bids by points, None for bids by equity.
    matches, won
    """

    rule: str
    scores: tuple[int, ...]
    margin: int | None
    matches: int
    won: float

    def gain_over(self, other: "Share") -> tuple[float, float]:
        """Difference of two shares, and its standard error."""
        errors = (sqrt(one.won * (1 - one.won) / one.matches) for one in (self, other))
        return self.won - other.won, hypot(*errors)


@dataclass(frozen=True)
class Folk:
    """What came of all tests.

    Attributes
    ----------
    seed, sizes
    effects
        By the names of two bidders (`bidders`): the first against the second.
    best_added
        The best of `SCALE_ADDED` for each of `SCALES`.
    passed
        Share of the deals that are passed out where all bid as `club`.
    simple, simple_wins
        A team that bids by the thresholds of `simple`: what that brings, and the share of the matches it wins with its
        95 % interval.
    worths
    shares
    """

    seed: int
    sizes: Sizes
    effects: dict[tuple[str, str], Effect]
    best_added: dict[str, Fraction]
    passed: float
    simple: Effect
    simple_wins: tuple[float, float, float]
    worths: tuple[Worth, ...]
    shares: tuple[Share, ...]


def bidders(worths: Iterable[Worth]) -> dict[str, Bidder]:
    """All ways of bidding that are tested, by name."""
    no_ace = ~holds("A")
    partner = np.flatnonzero(PARTNER_HOLDS)
    found = {
        "club": CLUB,
        **{f"{bid} or more needs the ace": never(no_ace, range(bid, BIDS[-1] + 1)) for bid in BIDS},
        "6 needs ace and 2": never(no_ace | ~holds("2"), BIDS[-1:]),
        **{f"{n} trumps at least": never(np.less(TRUMPS, n), BIDS) for n in (3, 4)},
        "pass over partner": passing(PARTNER_HOLDS),
        "5 or more rather without the ace": richer(no_ace, BIDS[2:], 3000),
        "partner as a rival": with_curves_of(partner, partner + 1),
        "dealer as first seat": with_curves_of(DEALER_CALLS & (HIGH == 0), (SEAT == 0) & (HIGH == 0)),
        "no more than needed": lowest_only(),
    }
    for margin in MARGINS:
        found[f"all {margin}"] = lighter(EVERYWHERE, margin)
        found[f"dealer {margin}"] = lighter(DEALER_CALLS, margin)
        found[f"three {margin}"] = lighter(OVER_THREE, margin)
    found |= {f"rounded {name}": by_mean(added) for name, added in ROUNDED.items()}
    found |= {f"rounded down, dealer + {more}": by_mean(Fraction(0), more) for more in DEALER_ADDS}
    right, left = ([worth for worth in worths if worth.card == card] for card in BAUERS)
    scales = {
        "folk": (FOLK_SCALE,) * 2,
        "half": ((HALF,),) * 2,
        "won": tuple(tuple(Fraction(worth.wins) for worth in card) for card in (right, left)),
        "adds": tuple(tuple(Fraction(max(worth.adds, 0)) for worth in card) for card in (right, left)),
    }
    for scale, bauers in scales.items():
        for added in ADDED if scale == "folk" else SCALE_ADDED:
            found[counted(scale, added)] = by_count(sure_points(bauers), added)
    return found


def counted(scale: str, added: Fraction) -> str:
    """Name of the bidder that counts bauers by one of `SCALES`."""
    return f"{scale} + {added}"


def measure(
    sizes: Sizes = Sizes(),
    *,
    seed: int = SEED,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Folk:
    """Test all advice. The results follow from sizes and seed, whatever the number of workers."""

    def tell(message: str) -> None:
        if progress is not None:
            progress(Progress(0, 1, message=message))

    if not is_ready():
        say_compiling(tell)
    tell("what bauers are worth …")
    worths = measure_bauers(sizes.stratified, len(FOLK_SCALE), seed, workers)
    ways = bidders(worths)
    types: dict[str, Types] = {}
    with ThreadPoolExecutor(workers or available_cores()) as pool:
        for name, way in ways.items():
            tell(f"{name} …")
            types[name] = play(way, seed, sizes.deals, pool)
        simple = play(CLUB, seed, sizes.deals, pool, "simple")
    effects = {(name, "club"): compare(types[name], types["club"]) for name in ways if name != "club"}
    best = {
        scale: max(SCALE_ADDED, key=lambda added: effects[counted(scale, added), "club"].gain)
        for scale in SCALES
    }
    none, one = counted("folk", ADDED[0]), counted("folk", Fraction(1))
    folk, half, *others = (counted(scale, best[scale]) for scale in SCALES)
    pairs = [(one, none), ("rounded down", "rounded nearest"), *((scale, half) for scale in (folk, *others))]
    pairs += [(f"rounded down, dealer + {more}", "rounded down") for more in DEALER_ADDS]
    effects |= {(own, other): compare(types[own], types[other]) for own, other in pairs}
    matches = Matches(Rules())
    matches.play(simple.astype(np.int32))
    return Folk(
        seed,
        sizes,
        effects,
        best,
        float((types["club"] == PASSED).mean()),
        compare(simple, types["club"]),
        matches.share(),
        worths,
        tuple(by_score(sizes.matches, seed, workers, tell)),
    )


def play(bidder: Bidder, seed: int, deals: int, pool: ThreadPoolExecutor, bot: str = "club") -> Types:
    """Play deals with a bidder's team in each place: their types, int16 [places, deals]."""
    types = np.empty((N_TEAMS, deals), np.int16)

    def play_chunk(place: int, start: int) -> None:
        own = [bidder if team == place else CLUB for team in range(N_TEAMS)]
        table = Table(
            seed,
            [one.values for one in own],
            [one.curves.ravel() for one in own],
            bidders=tuple(bot if team == place else "club" for team in range(N_TEAMS)),
        )
        n = min(CHUNK, deals - start)
        types[place, start : start + n] = table.play(start, n)[2]

    jobs = [
        pool.submit(play_chunk, place, start) for place in range(N_TEAMS) for start in range(0, deals, CHUNK)
    ]
    for job in jobs:
        job.result()
    return types


def compare(types: Types, against: Types) -> Effect:
    """Compare two ways of bidding by what came of the same deals."""
    gain, parts = _points(types)
    other, other_parts = _points(against)
    apart = parts - other_parts
    contracts, others = (one.astype(np.int64) // N_DEAL_TYPES for one in (types, against))
    error = float(apart.std()) / sqrt(max(len(apart) - 1, 1))
    return Effect(gain - other, error, float((contracts != others).mean()))


def _points(types: Types) -> tuple[float, Floats]:
    """Relative points a deal played, mean of the places; and how far each deal moves this mean, times deals."""
    played = types != PASSED
    points = np.stack([RELATIVE[types[place], place] for place in range(N_TEAMS)]) / 2
    counts = played.sum(axis=1, keepdims=True)
    means = points.sum(axis=1, keepdims=True) / counts
    parts = (points - means * played) * (types.shape[1] / counts)
    return float(means.mean()), np.asarray(parts.mean(axis=0))


def applies(rule: str, needs: Ints) -> NDArray[np.bool_]:
    """In which buckets a rule of `SCORES` applies to which team.

    Parameters
    ----------
    rule : str
        "rival": another team needs at most 3 points, the own one more. "lead": the own team needs at most 6, the others
        at least 9.
    needs : int64 [buckets, teams]
        Class of each team's needs, see `MOST_NEEDED`.
    """
    others = np.stack([np.delete(needs, team, axis=1).min(axis=1) for team in range(N_TEAMS)], axis=1)
    three, six, eight = (MOST_NEEDED.index(most) for most in (3, 6, 8))
    if rule == "rival":
        return np.asarray((others <= three) & (needs > three))
    return np.asarray((needs <= six) & (others > eight))


def curves_by_score(rule: str, margin: int) -> NDArray[np.uint16]:
    """Curves by points, with a margin where a rule applies: uint16 [buckets, n]."""
    shape = (N_NEEDS,) * N_TEAMS
    needs = np.stack(np.unravel_index(np.arange(N_NEEDS**N_TEAMS), shape), axis=1)
    where = applies(rule, needs)
    # Seat 1 is to the dealer's left, where team 1 from the dealer's sits.
    teams = (SEAT + 1) % N_TEAMS
    kinds, kind_of = np.unique(where, axis=0, return_inverse=True)
    curves = [folkbids.with_margin(CLUB.curves, kind[teams], margin).ravel() for kind in kinds]
    return np.stack(curves)[kind_of.ravel()]


def beginnings(scores: tuple[int, ...], matches: int) -> tuple[Ints, Ints]:
    """Scores from the dealer's team on, and the place of the first of `scores`: all orders equally often."""
    own, *others = scores
    rows = []
    for place in range(N_TEAMS):
        for rest in (others, others[::-1]):
            row = [*rest]
            row.insert(place, own)
            rows.append([*row, place])
    table = np.array(rows)[np.arange(matches) % len(rows)]
    return table[:, :N_TEAMS].copy(), table[:, N_TEAMS].copy()


def by_score(
    matches: int, seed: int, workers: int | None, tell: Callable[[str], None] = lambda _message: None
) -> Iterable[Share]:
    """Play matches from `SCORES`: without a rule, with it by several margins, and by equity where its tables ship."""
    setup = Setup(seed, "auction")
    for (rule, begins), margins in zip(SCORES.items(), SCORE_MARGINS, strict=True):
        by_equity = [None] if equity.PATH.exists() else []
        for margin in (0, *margins, *by_equity):
            tell(f"matches: {rule}, {'equity' if margin is None else margin} …")
            curves = equity.all_curves() if margin is None else curves_by_score(rule, margin)
            for scores in begins:
                played = play_matches(
                    setup,
                    curves,
                    ("club", "equity" if margin != 0 else "points"),
                    ("club", "points"),
                    *beginnings(scores, matches),
                    workers=workers,
                )
                yield Share(rule, scores, margin, matches, float(played.won.mean()))
