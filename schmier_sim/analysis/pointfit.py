"""Make the counts that ship: ``scripts/pointcount``.

A ladder from the simplest count to the finest. One honour after the other is told from small trumps: always that which
saves most. Whole points are found by descent, one or two of them changed by one at a time, so that what calls lose by
the tables (`analysis.pointcalls`) is least; for each candidate the best thresholds are exact, as the loss for every
threshold is a running sum over the points.
"""

import argparse
import json
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from schmier_sim.analysis.files import write_whole
from schmier_sim.analysis.pointcalls import auctions_of, counted
from schmier_sim.analysis.pointcost import by_tables
from schmier_sim.analysis.pointcount import (
    DEALS,
    HONOURS,
    MOST,
    PATH,
    Count,
    Floats,
    Ints,
    bids_hash,
    ladder,
    situation_of,
)
from schmier_sim.analysis.run import available_cores
from schmier_sim.game.club_bids import BIDS, N_ACES, N_ROLES, N_STATES
from schmier_sim.game.holdings import HOLDINGS, NAMED

HARDLY = 0.005
"""A count is recommended if no simpler one costs at most so many points a deal more than the best."""
EVENLY = 1e-5
"""Thresholds of 5 and 6, which are rarely called, rise by even steps where it costs no more points a call."""
LARGEST = 9
"""No card counts more, but twice that where a small trump counts two."""
LEAST_GAIN = 1e-6
"""A change of points has to save more points a call."""
ROUGH = 6
"""Honours are chosen on one part of so many of the calls."""
STRETCHES = (1.0, 1.5, 2.0)
"""Points are looked for from starts where honours are so many times as far from small trumps."""
N_CARDS = len(HONOURS) + 2
_SMALL, _ACE = len(HONOURS), len(HONOURS) + 1
_PARTNER_MORE = 4


def features() -> Ints:
    """What is counted in every cell (`game.club_bids.cell_of`): honours, small trumps, plain aces: int64."""
    table = np.zeros((len(HOLDINGS), N_ACES, N_ROLES, N_CARDS), np.int64)
    for number, holding in enumerate(HOLDINGS):
        table[number, ..., :_SMALL] = [int(holding.held & bit > 0) for _, bit in NAMED]
        table[number, ..., _SMALL] = holding.small
    table[..., _ACE] = np.arange(N_ACES)[:, np.newaxis]
    return table.reshape(-1, N_CARDS)


FEATURES = features()


@dataclass(frozen=True)
class Sample:
    """What counts are fitted to.

    Attributes
    ----------
    cells : int64 [calls, suits]
    passing : float
        Points a call that passing always loses.
    bidding, jumping : float32 [calls, suits]
        What the lowest bid loses more than a pass, and the next one more than that, in points.
    groups : int64 [calls]
        Role, level of the lowest bid and whether the partner holds the highest, in one number.
    opens : bool [calls]
        Whether there is no bid yet, and the seat does not deal.
    """

    cells: Ints
    passing: float
    bidding: Floats
    jumping: Floats
    groups: Ints
    opens: Any

    @classmethod
    def of(cls, cells: Ints, states: Ints, losses: Ints) -> "Sample":
        """Take over some auctions and what each call would lose there, as of `Auctions.losses`."""
        role, high, partner = np.array([situation_of(state) for state in range(N_STATES)]).T
        level = np.where(high > 0, high - BIDS[0] + 1, 0)
        asked = level[states] < len(BIDS)
        cells, states = cells[asked], states[asked]
        lost: Floats = losses[asked] / 1000
        rows, lowest = np.arange(len(states))[:, np.newaxis], level[states][:, np.newaxis] + 1
        suits = np.arange(cells.shape[1])
        bid = lost[rows, suits, lowest]
        jump = lost[rows, suits, np.minimum(lowest + 1, len(BIDS))]
        return cls(
            cells,
            float(lost[:, 0, 0].mean()),
            (bid - lost[:, :, 0]).astype(np.float32),
            (jump - bid).astype(np.float32),
            ((role * len(BIDS) + level) * 2 + partner)[states],
            ((high == 0) & (role != DEALS))[states],
        )

    def part(self, step: int) -> "Sample":
        """Every so many-th call."""
        return Sample(
            self.cells[::step],
            self.passing,
            self.bidding[::step],
            self.jumping[::step],
            self.groups[::step],
            self.opens[::step],
        )

    def sums(self, points: Ints, *, jumps: bool = False) -> tuple[Floats, Floats]:
        """What bidding from so many points on loses more than to pass always, a call, by running sums.

        Parameters
        ----------
        points : int64 [cells]
        jumps : bool
            Whether to find the second array too.

        Returns
        -------
        bidding : float64 [roles, levels, partner holds, points]
        jumping : float64 [points]
            What opening one higher loses more.
        """
        of_hands, suits = counted(points, self.cells)
        rows, size = np.arange(len(suits)), MOST + 2
        n = N_ROLES * len(BIDS) * 2
        lost = np.bincount(self.groups * size + of_hands, self.bidding[rows, suits], n * size)
        bidding = _from_above(lost.reshape(N_ROLES, len(BIDS), 2, size)) / len(rows)
        if not jumps:
            return bidding, np.zeros(0)
        own = np.bincount(of_hands[self.opens], self.jumping[rows, suits][self.opens], size)
        return bidding, _from_above(own) / len(rows)


def _from_above(values: Any) -> Floats:
    return np.asarray(np.flip(np.flip(values, -1).cumsum(axis=-1), -1), np.float64)


def loss(sample: Sample, weights: Ints, *, by_role: bool = False) -> float:
    """What calls by some points lose, a call, with the best thresholds for each level and whoever holds the bid."""
    points = FEATURES @ weights
    if points.max() > MOST:
        return np.inf
    bidding, _ = sample.sums(points)
    if not by_role:
        bidding = bidding.sum(axis=0, keepdims=True)
    return sample.passing + float(bidding.min(axis=-1).sum())


def descend(
    sample: Sample, weights: Ints, free: Sequence[int], *, by_role: bool = False, largest: int = LARGEST
) -> tuple[Ints, float]:
    """Change points, one or two cards by one, as long as it saves; return points and loss.

    `free` names the cards whose points may change, as columns of `FEATURES`.
    """
    moves: list[tuple[tuple[int, int], ...]] = [((card, step),) for card in free for step in (1, -1)]
    moves += [
        ((one, step), (other, turn))
        for one, other in combinations(free, 2)
        for step, turn in product((1, -1), repeat=2)
    ]
    least, saved = loss(sample, weights, by_role=by_role), True
    while saved:
        saved = False
        for move in moves:
            changed = weights.copy()
            for card, step in move:
                changed[card] += step
            if changed.min() < 0 or changed.max() > largest:
                continue
            found = loss(sample, changed, by_role=by_role)
            if found < least - LEAST_GAIN:
                weights, least, saved = changed, found, True
    return weights, least


def finish(
    sample: Sample, name: str, about: str, weights: Ints, *, by_role: bool = False, unit: int = 1
) -> Count:
    """Find the rule that goes with some points: thresholds, what the partner's bid adds, when to open with 4."""
    bidding, jumping = sample.sums(FEATURES @ weights, jumps=True)
    options: list[int | None] = [None, *range(_PARTNER_MORE * unit + 1)]
    rules = [_thresholds(bidding, more, by_role=by_role) for more in options]
    at = min(range(len(options)), key=lambda number: rules[number][1])
    opens = int(jumping.argmin())
    return Count(
        name,
        about,
        tuple(int(points) for points in weights[:_SMALL]),
        int(weights[_SMALL]),
        int(weights[_ACE]),
        rules[at][0],
        options[at],
        opens if jumping[opens] < 0 else None,
    )


def _thresholds(
    bidding: Floats, partner_more: int | None, *, by_role: bool
) -> tuple[tuple[tuple[int, ...], ...], float]:
    """The best thresholds and what they lose, where a partner's bid adds some points or is left alone."""
    sums = bidding[:, :, 0].copy()
    if partner_more is not None:
        partner = bidding[:, :, 1]
        sums[..., : sums.shape[-1] - partner_more] += partner[..., partner_more:]
    sums = sums if by_role else sums.sum(axis=0, keepdims=True)
    rows = [_rising(of_role) for of_role in sums]
    lost = sum(
        of_role[level, at] for of_role, row in zip(sums, rows, strict=True) for level, at in enumerate(row)
    )
    return tuple(rows * (N_ROLES // len(rows))), float(lost)


def _rising(sums: Floats) -> tuple[int, ...]:
    """The best threshold of each level, above that of the level before; even steps for 5 and 6 where they do."""
    found: list[int] = []
    for level, losses in enumerate(sums):
        least = found[-1] + 1 if found else 0
        best = least + int(losses[least:].argmin()) if least < len(losses) else least
        if level >= 2:
            even = 2 * found[-1] - found[-2]
            near = [at for at in range(least, len(losses)) if losses[at] <= losses[best] + EVENLY]
            best = min(near, key=lambda at: (abs(at - even), at), default=best)
        found.append(best)
    return tuple(found)


NUMBERS = ("one", "two", "three", "four", "five", "six")


def make_ladder(sample: Sample, say: Callable[[str], None] = lambda _: None) -> list[Count]:
    """Fit counts, from the simplest to the finest."""
    rough = sample.part(ROUGH)
    weights = np.array([1] * (_SMALL + 1) + [0])
    counts = [finish(sample, "trumps", "every trump alike", weights)]
    chosen: list[int] = []
    for name in NUMBERS:
        tries = [
            (*_from_starts(rough, [_with_one_more(weights, card)], [*chosen, card]), card)
            for card in range(_SMALL)
            if card not in chosen
        ]
        weights, _, card = min(tries, key=lambda found: found[1])
        chosen.append(card)
        weights, least = descend(sample, weights, chosen)
        counts.append(finish(sample, name, " ".join(HONOURS[card] for card in sorted(chosen)), weights))
        say(f"{name:6} {least:.5f} points a call before opening with 4: {weights.tolist()}")
    every = list(range(N_CARDS))
    whole, least = descend(sample, weights, [card for card in every if card != _SMALL], by_role=True)
    counts.append(finish(sample, "all", "all honours, plain aces, seats", whole, by_role=True))
    say(f"all    {least:.5f} points a call before opening with 4: {whole.tolist()}")
    halves, _ = _from_starts(rough, [2 * weights], every, by_role=True, largest=2 * LARGEST)
    halves, least = descend(sample, halves, every, by_role=True, largest=2 * LARGEST)
    counts.append(finish(sample, "fine", "the same in half points", halves, by_role=True, unit=2))
    say(f"fine   {least:.5f} points a call before opening with 4: {halves.tolist()}")
    return counts


def _with_one_more(weights: Ints, card: int) -> Ints:
    changed = weights.copy()
    changed[card] += 1
    return changed


def _from_starts(
    sample: Sample,
    starts: Sequence[Ints],
    free: Sequence[int],
    *,
    by_role: bool = False,
    largest: int = LARGEST,
) -> tuple[Ints, float]:
    """The best of what `descend` finds from some starts and from the same stretched: it stops at the next hollow."""
    tries = []
    for start, stretch in product(starts, STRETCHES):
        begun, small = start.astype(float), start[_SMALL]
        begun[:_SMALL] = np.minimum(small + np.rint((start[:_SMALL] - small) * stretch), largest)
        tries.append(descend(sample, begun.astype(np.int64), free, by_role=by_role, largest=largest))
    return min(tries, key=lambda found: found[1])


def recommend(counts: Sequence[Count], losses: Sequence[float]) -> str:
    """Name the simplest count that loses at most `HARDLY` more points a deal than the best."""
    least = min(losses)
    return next(count.name for count, lost in zip(counts, losses, strict=True) if lost <= least + HARDLY)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the counts as the arguments say; return the exit code."""
    options = _parser().parse_args(arguments)
    if options.check:
        stale = ladder().fit["bids_sha256"] != bids_hash()
        sys.stdout.write(
            "made with other tables of club: run scripts/pointcount\n" if stale else "up to date\n"
        )
        return int(stale)
    clock = time.perf_counter()

    def say(text: str) -> None:
        sys.stderr.write(f"{time.perf_counter() - clock:6.0f} s  {text}\n")
        sys.stderr.flush()

    auctions = auctions_of(options.seed, 0, options.deals)
    say(f"{len(auctions.states):,} calls in {options.deals:,} deals …")
    counts = make_ladder(Sample.of(auctions.cells, auctions.states, auctions.losses()), say)
    with ThreadPoolExecutor(options.workers or available_cores()) as pool:
        found = by_tables(counts, 0, options.seed, options.fresh, pool, lambda _: None)
    losses = [sums.mean for sums in found.sums]
    for count, sums in zip(counts, found.sums, strict=True):
        say(
            f"{count.name:6} {sums.mean:.4f} ± {sums.error:.4f} points a deal on {options.fresh:,} fresh deals"
        )
    values = {
        "counts": [count.to_dict() for count in counts],
        "recommended": recommend(counts, losses),
        "fit": {
            "seed": options.seed,
            "deals": options.deals,
            "fresh_deals": options.fresh,
            "bids_sha256": bids_hash(),
            "command": shlex.join(
                ["scripts/pointcount", *(sys.argv[1:] if arguments is None else arguments)]
            ),
        },
    }
    write_whole(PATH, (json.dumps(values, indent=2) + "\n").encode())
    say(f"written: {PATH.name}; recommended: {values['recommended']}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/pointcount",
        description="Fit the counts of the command pointcount to the tables that the bot club bids by, and write them "
        "into the package (schmier_sim/analysis/pointcounts.json). To be run whenever those tables have changed. The "
        "same options give the same counts, with any number of workers.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument(
        "--deals", type=int, default=150_000, metavar="N", help="deals that counts are fitted to"
    )
    parser.add_argument(
        "--fresh", type=int, default=400_000, metavar="N", help="other deals, to recommend one of them by"
    )
    parser.add_argument("--seed", type=int, default=2024, metavar="N", help="seed of all deals")
    parser.add_argument("--workers", type=int, default=None, metavar="N", help="threads; default: all cores")
    parser.add_argument(
        "--check", action="store_true", help="fit nothing; exit code 1 if club bids by other tables since"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
