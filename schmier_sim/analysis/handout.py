"""The figures of the club handout: what a run, and the tables that ship, say on the questions of its sections.

Numbers only: how they are worded and set is for `present.handout`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schmier_sim.analysis.equity import BidEquity, bids_at, shipped_table
from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.patterns import GRID, Key
from schmier_sim.analysis.pointcount import Count, ladder
from schmier_sim.analysis.store import Run
from schmier_sim.game.cards import POINTS
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.kernel import equity as shipped
from schmier_sim.kernel.counts import BIDS

if TYPE_CHECKING:
    from pandas import DataFrame

TYPICAL = (
    "A K Q 2", "A K R x x", "A R x 2", "A K x 2",
    "A K x", "A R x", "A x 2", "K Q R",
    "A x x", "R L x", "K x x x", "x x x",
)  # fmt: skip
"""Trump holdings from strong to weak as a player meets them: long and short, with and without the sure points."""
SHOWN_DEALS = 100
"""A row with fewer deals is left out."""
BID_TRUMPS = 3
"""Hands with fewer trumps are hardly ever bid on."""
LEAST_SHARE = 1 / 10_000
"""Rarer holdings are not on the pages with all."""
CARD_POINTS = {"high": "A", "low": "2", "right": "R", "left": "L", "joker": "Jo"}
"""The trump that brings each point."""
SURE = ("A 2", "A", "2", "")
"""Which of the two sure points a hand holds."""
STANDINGS = ((0, 0, 0), (14, 14, 14), (18, 18, 18), (18, 10, 10), (10, 18, 10), (5, 18, 18))
"""Scores of the score box: own, left, right."""
BOX_HANDS = ("A K x", "K Q R", "A x x")
RIGHT_DEALS = 2
"""In the score box the team to the right deals: the player calls first."""


@dataclass(frozen=True)
class Band:
    """How often hands of so many points of the count make their bid.

    Attributes
    ----------
    bid : int
        What the count bids with them.
    least, most : int
        Points; the highest band has no upper end but the most that a hand can count.
    rows : DataFrame
        Rows of `make_table` by role.
    """

    bid: int
    least: int
    most: int
    rows: "DataFrame"


@dataclass(frozen=True)
class Ceiling:
    """What a hand without the ace or the two cannot reach.

    Attributes
    ----------
    neither_5, neither_6, one_6 : float
        The highest chance of making that bid with any holding that has neither of the two, or just one.
    """

    neither_5: float
    neither_6: float
    one_6: float


@dataclass(frozen=True)
class BoxRow:
    """What a score asks of a bid.

    Attributes
    ----------
    scores : tuple of int
        Own, left, right.
    wins : float
        Own chance to win the match.
    break_even : tuple of float
        For bids 3 to 6, see `analysis.equity.BidEquity`.
    calls : tuple of int
        How high `BOX_HANDS` may bid there: the highest bid that is made often enough; 0 passes. Hands that are missing,
        for too few deals, have None.
    """

    scores: tuple[int, ...]
    wins: float
    break_even: tuple[float, ...]
    calls: tuple[int | None, ...]


@dataclass(frozen=True)
class Figures:
    """All numbers of a handout, but for those of the run itself.

    Attributes
    ----------
    trumps, holdings, sure : DataFrame
        Rows of `make_table`: by trumps; by pattern; by trumps and by what of ace and two is held (`SURE`).
    every : DataFrame
        Rows by pattern of all holdings of `BID_TRUMPS` trumps and more that are not too rare, shorter ones first.
    missing : tuple of str
        Typical holdings that are left out for too few deals.
    ceiling : Ceiling
    count : Count
    bands : tuple of Band
    brings : dict of str to pairs of float
        For each point, how often the declaring team wins it where the declarer's six cards hold its trump, and where
        they do not; `game` has no trump, and the same twice. Of hands with `BID_TRUMPS` trumps at least.
    box : tuple of BoxRow
        Empty under house rules.
    box_deals, box_seed : int
        What it was made from.
    """

    trumps: "DataFrame"
    holdings: "DataFrame"
    sure: "DataFrame"
    every: "DataFrame"
    missing: tuple[str, ...]
    ceiling: Ceiling
    count: Count
    bands: tuple[Band, ...]
    brings: dict[str, tuple[float, float]]
    box: tuple[BoxRow, ...]
    box_deals: int
    box_seed: int


def figures(run: Run) -> Figures:
    """Work out the figures of a run."""
    patterns = make_table(run, by=("pattern",), min_deals=SHOWN_DEALS).set_index("pattern", drop=False)
    found = [text for text in TYPICAL if text in patterns.index]
    count = ladder()[ladder().recommended]
    return Figures(
        trumps=make_table(run, by=("trumps",), min_deals=SHOWN_DEALS),
        holdings=patterns.loc[found].sort_values("mean_points", ascending=False, kind="stable"),
        sure=make_table(run, by=("trumps", sure_points()), min_deals=SHOWN_DEALS),
        every=_every(patterns),
        missing=tuple(text for text in TYPICAL if text not in found),
        ceiling=_ceiling(run),
        count=count,
        bands=_bands(run, count),
        brings=_brings(run),
        box=_box(run, patterns),
        box_deals=int(shipped.shipped().deals.sum()),
        box_seed=int(shipped.about()["seed"]),
    )


def _every(patterns: "DataFrame") -> "DataFrame":
    trumps = patterns["pattern"].map(lambda text: len(text.split()))
    shown = patterns[(trumps >= BID_TRUMPS) & (patterns["share"] >= LEAST_SHARE)]
    return shown.loc[trumps[shown.index].sort_values(kind="stable").index]


def sure_points() -> Key:
    """Which of ace and two are held, as a key of tables."""
    held = np.array([holding.held for holding in HOLDINGS])
    bits = {"A": 128, "2": 2}
    has_ace, has_two = (np.bitwise_and(held, bits[name]) > 0 for name in ("A", "2"))
    labels = 3 - 2 * has_ace - has_two
    return Key("sure", np.broadcast_to(labels.astype(np.int64)[:, np.newaxis], GRID), SURE)


def count_points(count: Count) -> Key:
    """What a hand counts, as a key of tables."""
    points = count.of_cells().reshape(len(HOLDINGS), GRID[2], -1)[:, :, 0]
    return Key("points", np.broadcast_to(points, GRID), tuple(range(int(points.max()) + 1)))


def _bands(run: Run, count: Count) -> tuple[Band, ...]:
    """Thresholds are those of a player whose opponent deals; where the dealer's are others, bands are the same."""
    ends = [*count.thresholds[-1], int(count.of_cells().max()) + 1]
    points = count_points(count)
    band = np.searchsorted(np.array(ends[:-1]), points.labels, side="right")
    key = Key("band", band, (0, *BIDS))
    rows = make_table(run, by=(key, "role"), min_deals=SHOWN_DEALS)
    return tuple(
        Band(bid, ends[place], ends[place + 1] - 1, rows[rows["band"] == bid])
        for place, bid in enumerate(BIDS)
    )


def _ceiling(run: Run) -> Ceiling:
    def most(where: str, bid: int) -> float:
        rows = make_table(run, by=("pattern",), where=where, min_deals=SHOWN_DEALS)
        return float(rows[f"make_{bid}"].max()) if len(rows) else float("nan")

    neither = "lacks=A, lacks=2"
    one = max(most("holds=A, lacks=2", 6), most("lacks=A, holds=2", 6))
    return Ceiling(most(neither, 5), most(neither, 6), one)


def _brings(run: Run) -> dict[str, tuple[float, float]]:
    brings = {}
    for point in POINTS:
        card = CARD_POINTS.get(point)
        chances = []
        for where in (f"holds={card}", f"lacks={card}") if card else ("", ""):
            rows = make_table(
                run,
                by=(),
                where=", ".join(filter(None, [f"trumps>={BID_TRUMPS}", where])),
                min_deals=SHOWN_DEALS,
            )
            # Rounded, lest what is certain be a hair below 1.
            chances.append(round(float(rows[f"won_{point}"].iloc[0]), 9) if len(rows) else float("nan"))
        brings[point] = (chances[0], chances[1])
    return brings


def _box(run: Run, patterns: "DataFrame") -> tuple[BoxRow, ...]:
    """By the table that ships, which is that of the standard rules."""
    if run.info.rules.differences():
        return ()
    changes, table, _ = shipped_table()
    rows = []
    for scores in STANDINGS:
        turned = (*scores[RIGHT_DEALS:], *scores[:RIGHT_DEALS])
        own = -RIGHT_DEALS % len(scores)
        bids = bids_at(table, changes, turned)[own]
        calls = tuple(
            _up_to(bids, [float(patterns[f"make_{bid}"][hand]) for bid in BIDS])
            if hand in patterns.index
            else None
            for hand in BOX_HANDS
        )
        rows.append(
            BoxRow(scores, float(table.chances(turned)[own]), tuple(bid.break_even for bid in bids), calls)
        )
    return tuple(rows)


def _up_to(bids: tuple[BidEquity, ...], chances: list[float]) -> int:
    """The highest bid that does more for the match than leaving the deal to another team; 0 if none does."""
    worth = [
        bid.set + chance * (bid.made - bid.set) - bid.left for bid, chance in zip(bids, chances, strict=True)
    ]
    return max((bid for bid, more in zip(BIDS, worth, strict=True) if more > 0), default=0)
