"""Matches played on one stream of deals, whose outcomes are known for each place of the team that is looked at.

Places are counted from the dealer's left: the team in place 0 has seat 1. After a deal the dealer passes to the left,
so that a team of place p is in place p - 1 for the next one. A match takes deal after deal, of each the outcome that
it has with the team in the place where it now is; the next match takes the deals that follow.
"""

from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.ratios import Z95, wilson
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.match import declarer_table, score_table
from schmier_sim.kernel.stream import CELL, walk

Int64Array = NDArray[np.int64]

PASSED = -1
"""Outcome of a deal that was passed out; the others are indices into a flat array of `TYPES_SHAPE`."""
MATCHES_LONG = 10
"""Length of a block in matches, at least: what reaches over its ends is then of little weight."""
LEAST_BLOCKS = 8
"""Fewer blocks than these say too little of how much they differ."""


class Matches:
    """The matches of one team: those that begin with it in place 0, in place 1 (and in place 2), on the same deals.

    Parameters
    ----------
    rules : Rules
        All that concerns the match: teams, ``all_pass``, ``endgame``, ``must_bid_to_win``, ``target``.
    wanted : int, optional
        End when so many are over: the same number, rounded up, for each place.
    """

    def __init__(self, rules: Rules, wanted: int | None = None) -> None:
        self.rules = rules
        self.each = np.iinfo(np.int64).max if wanted is None else -(-wanted // rules.n_teams)
        self._tables = score_table(rules), declarer_table(rules)
        self._states = np.zeros((rules.n_teams, 2 + rules.n_teams), np.int64)
        self._wins: list[Int64Array] = []
        self._ends: list[Int64Array] = []
        self.deals = 0

    def play(self, types: NDArray[np.int32]) -> int:
        """Go on with the deals that come next.

        Parameters
        ----------
        types : int32 [n_teams, n]
            Outcome of each deal with the team in place 0, 1 (2); `PASSED` where all passed. A multiple of `CELL` deals,
            unless they are the last.

        Returns
        -------
        int
            How many of them were needed: all, but where the wanted matches are over.
        """
        types = np.ascontiguousarray(types)
        cells = -(-types.shape[1] // CELL)
        wins, ends = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
        rules = self.rules
        used = [
            walk(
                types,
                *self._tables,
                rules.all_pass == "next-dealer",
                rules.endgame == "declarer-first",
                rules.must_bid_to_win,
                rules.target,
                start,
                self.each,
                state,
                wins,
                ends,
            )
            for start, state in enumerate(self._states)
        ]
        self._wins.append(wins)
        self._ends.append(ends)
        self.deals += max(used)
        return int(max(used))

    @property
    def over(self) -> int:
        """Matches that are over, of all places."""
        return int(self._states[:, 1].sum())

    @property
    def won(self) -> int:
        """How many of these the team has won."""
        return sum(int(wins.sum()) for wins in self._wins)

    @property
    def enough(self) -> bool:
        """Whether the wanted matches are over."""
        return bool((self._states[:, 1] >= self.each).all())

    def share(self) -> tuple[float, float, float]:
        """Share of the matches that the team has won, and its 95 % interval.

        Matches that begin in different places lie on the same deals: what one wins another may lose, or win too. So
        the stream is cut into blocks of deals that are at least ten matches long, a match belonging to the block
        in which it ends. Blocks are as good as independent; how much they differ gives the variance of the share, a
        ratio of two sums over blocks. The interval is Wilson's, at the number of plain matches that would have that
        variance, and with Student's in place of the normal quantile. Where there are fewer than eight blocks, or all
        or no matches are won, the matches of all places count as if they went alike: one for each two or three.
        Without a match nothing is known: not a number, 0 to 1.
        """
        over, won = self.over, self.won
        if not over:
            return float("nan"), 0.0, 1.0
        p = won / over
        wins, ends = self._blocks()
        effective, quantile = over / self.rules.n_teams, Z95
        if len(ends) >= LEAST_BLOCKS and 0 < won < over:
            # In integers, so that teams that win their fair share block by block have no variance at all.
            apart = [over * w - won * m for w, m in zip(wins.tolist(), ends.tolist(), strict=True)]
            squares = sum(a * a for a in apart)
            if not squares:
                return p, p, p
            variance = squares / over**4 * len(apart) / (len(apart) - 1)
            effective, quantile = p * (1 - p) / variance, _student95(len(apart) - 1)
        low, high = wilson(p * effective, effective, quantile)
        return p, float(low), float(high)

    def _blocks(self) -> tuple[Int64Array, Int64Array]:
        """Matches won and matches over by block."""
        deals_a_match = self.deals * self.rules.n_teams / self.over
        cells = ceil(MATCHES_LONG * deals_a_match / CELL)
        wins, ends = np.concatenate(self._wins), np.concatenate(self._ends)
        whole = max(-(-self.deals // CELL) // cells, 1) * cells
        # The rest, too short for a block, goes to the last one.
        at = np.minimum(np.arange(len(ends)), whole - 1) // cells
        return tuple(np.bincount(at, counts).astype(np.int64) for counts in (wins, ends))  # type: ignore[return-value]


def _student95(freedom: int) -> float:
    """Two-sided 95 % point of Student's distribution, by its expansion about the normal one; to 0.01 from 7 degrees."""
    z = Z95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


def standard_error(squares: float, clusters: int, total: float) -> float:
    """Error of a ratio of sums over clusters: from the squares of their residuals, and the sum below the line."""
    return sqrt(squares * clusters / (clusters - 1)) / total if clusters > 1 and total else float("nan")
