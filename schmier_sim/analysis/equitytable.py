"""Make the tables that `club` bids by at a score, and ship them: ``scripts/equity-table``.

Rounds of three steps:

1. In deals with an auction the call of one seat is forced, at scores that occur in matches: how a call changes the
   scores is fitted over the value of the hand, for each state of the auction (`kernel.equity.Responses`).
2. For each bucket of needs, deals are played with bots that bid by what these changes are worth at its scores.
3. The chances of all scores are solved from how the scores changed in each bucket.

The new chances change who bids, so this goes on until no chance moves by more than its error.
"""

import argparse
import io
import json
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.bidding import Sums, fit_lines
from schmier_sim.analysis.bidtable import fade, weights_hash
from schmier_sim.analysis.buckets import N_BUCKETS, bucket_curves, play_buckets, spread
from schmier_sim.analysis.equity import variance_of
from schmier_sim.analysis.files import write_whole
from schmier_sim.analysis.run import available_cores
from schmier_sim.game import club_bids
from schmier_sim.game.club_bids import CALLS, KNOT
from schmier_sim.kernel import equity
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.equity import RESPONSE_UNIT, Curves, Responses, Shipped, rounded
from schmier_sim.kernel.forced import ILLEGAL, Table
from schmier_sim.kernel.match import Floats, Ints, Solution, solve_chain, state_of, visit, ways_of
from schmier_sim.kernel.simulate import STANDARD, Setup

N_SEATS = 6
WAYS = ways_of(STANDARD)
CHUNK = 1 << 12
#: Where the deals of the rounds begin: apart from each other.
ROUND_SPAN = 1 << 44
#: Bids of 5 and 6 are rarely the best call: they are forced in one of so many chunks.
RARELY = 3
SETUP = Setup(mode="auction", tempers="mixed")
BEGINNING = state_of((0,) * equity.N_TEAMS, STANDARD)


@dataclass(frozen=True)
class Forced:
    """What came of forced calls in a chunk: for each knot of each hand where it is, and what came, and its weight."""

    number: int
    state: Ints
    knot: Ints
    far: Floats
    way: Ints


class Maker:
    """Plays what the tables are made of.

    Parameters
    ----------
    seed : int
    workers : int
    """

    def __init__(self, seed: int, workers: int) -> None:
        self.seed, self.workers = seed, workers

    def _in_order(self, work: Any, jobs: Sequence[Any]) -> Iterator[Any]:
        with ThreadPoolExecutor(self.workers) as pool:
            yield from pool.map(lambda job: work(*job), jobs)

    def respond(self, sums: Sums, curves: Curves, visits: Floats, first: int, deals: int) -> None:
        """Add what forced calls bring, at scores as often as matches come to them."""
        of_chunk = np.repeat(np.arange(N_BUCKETS), spread(visits, deals // CHUNK))
        np.random.default_rng(first).shuffle(of_chunk)
        jobs = [(first, number, curves[bucket]) for number, bucket in enumerate(of_chunk)]
        for found in self._in_order(self._force, jobs):
            for part in found:
                at = (part.state, np.full_like(part.state, part.number), part.knot)
                after = (*at[:2], part.knot + 1)
                near = 1 - part.far
                np.add.at(sums.near, at, near**2)
                np.add.at(sums.near, after, part.far**2)
                np.add.at(sums.both, at, near * part.far)
                np.add.at(sums.won, (*at, part.way), near)
                np.add.at(sums.won, (*after, part.way), part.far)
                np.add.at(sums.deals, at[:2], 1.0)

    def _force(self, first: int, number: int, curves: Curves) -> list[Forced]:
        """One seat makes each call in turn; the teams' tempers are all that there are, in turn."""
        seat = number % N_SEATS
        often = number // N_SEATS % RARELY == 0
        tempers = (number % 3, number // 3 % 3, number // 9 % 3)
        table = Table(self.seed, HAND_VALUES, curves, tempers=tempers)
        found = []
        for place, call in enumerate(CALLS if often else CALLS[:3]):
            states, held, types = table.play(first + number * CHUNK, CHUNK, seat, call)
            legal = types != ILLEGAL
            knot, beyond = np.divmod(held[legal, max(place - 1, 0)].astype(np.int64), KNOT)
            found.append(
                Forced(place, states[legal].astype(np.int64), knot, beyond / KNOT, WAYS.of_type[types[legal]])
            )
        return found


def fitted(sums: Sums) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """Responses and weights as they ship; the ways of each response add up to 1."""
    lines, weights = fit_lines(sums)
    lines = lines.clip(-1, 1.9)
    lines[lines.sum(axis=-1) < 0.5, WAYS.passed] = 1.0  # states that do not occur
    exact = lines / lines.sum(axis=-1, keepdims=True) * RESPONSE_UNIT
    whole = np.floor(exact)
    missing = RESPONSE_UNIT - whole.sum(axis=-1, keepdims=True)
    rank = np.argsort(np.argsort(whole - exact, axis=-1, kind="stable"), axis=-1, kind="stable")
    return (whole + (rank < missing)).astype(np.int16), (1 + np.rint(weights)).astype(np.int32)


def error_of(solution: Solution, deals: Ints) -> tuple[float, float]:
    """Standard error of the chances at the beginning of a match, the largest; and how long a match is, in deals."""
    worth, visits = visit(deals, WAYS, STANDARD, solution.wins, BEGINNING)
    return float(np.sqrt(variance_of(worth, deals, WAYS, STANDARD)).max()), float(visits.sum())


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the tables as the arguments say; return the exit code."""
    options = _parser().parse_args(arguments)
    if options.check:
        return _check()
    clock = time.perf_counter()

    def say(text: str) -> None:
        sys.stderr.write(f"{time.perf_counter() - clock:6.0f} s  {text}\n")
        sys.stderr.flush()

    workers = options.workers or available_cores()
    maker = Maker(options.seed, workers)
    visits = np.ones(N_BUCKETS)
    curves = np.broadcast_to(POINT_CURVES[0], (N_BUCKETS, POINT_CURVES.shape[1]))
    sums = Sums.empty(len(WAYS))
    solution: Solution | None = None
    rounds: list[dict[str, float]] = []
    for number in range(-1, options.rounds):
        if number >= 0:
            fade(sums)
            maker.respond(sums, curves, visits, number * ROUND_SPAN, options.forced)
            responses, weights = fitted(sums)
            curves = bucket_curves(rounded(solution.wins), Responses(responses, weights), STANDARD)  # type: ignore[union-attr]
            say(f"round {number + 1}: curves fitted")
        shared = options.least + spread(visits, options.deals)
        deals = play_buckets(
            replace(SETUP, seed=options.seed),
            curves,
            (options.rounds + number + 1) * ROUND_SPAN,
            shared,
            workers,
        )
        before, solution = solution, solve_chain(deals, WAYS, STANDARD)
        error, length = error_of(solution, deals)
        visits = visit(deals, WAYS, STANDARD, solution.wins, BEGINNING)[1]
        made = {
            "deals": int(deals.sum()),
            "residual": float(f"{solution.residual:.1e}"),
            "sweeps": solution.sweeps,
            "error": round(error, 6),
            "match_length": round(length, 3),
        }
        if before is not None:
            moved = np.abs(solution.wins - before.wins)
            made |= {"moved_most": round(float(moved.max()), 5), "moved": round(float(moved.mean()), 6)}
        rounds.append(made)
        say(f"round {number + 1}: {made}")
    assert solution is not None
    tables = Shipped(responses, weights, rounded(solution.wins), deals.astype(np.int32))
    about = {
        "sha256": tables.digest(),
        "bids_sha256": json.loads(club_bids.ABOUT_PATH.read_text(encoding="utf-8"))["sha256"],
        "weights_sha256": weights_hash(),
        "seed": options.seed,
        "tempers": "mixed",
        "forced_deals_per_round": options.forced,
        "rounds": rounds,
        "command": shlex.join(["scripts/equity-table", *(sys.argv[1:] if arguments is None else arguments)]),
    }
    write(tables, about)
    say(f"written: {equity.PATH.name}, {equity.ABOUT_PATH.name}")
    return 0


def write(tables: Shipped, about: dict[str, Any]) -> None:
    """Put the tables into the package."""
    with io.BytesIO() as file:
        np.savez_compressed(file, **{name: getattr(tables, name) for name in equity.NAMES})
        write_whole(equity.PATH, file.getvalue())
    write_whole(equity.ABOUT_PATH, (json.dumps(about, indent=2) + "\n").encode())


def _check() -> int:
    """Tell whether the tables that ship were made with the bids and the card play that ship: exit code 1 if not."""
    about = json.loads(equity.ABOUT_PATH.read_text(encoding="utf-8"))
    bids = json.loads(club_bids.ABOUT_PATH.read_text(encoding="utf-8"))
    stale = about["weights_sha256"] != weights_hash() or about["bids_sha256"] != bids["sha256"]
    sys.stdout.write(
        "made with other bids or another card play: run scripts/equity-table\n" if stale else "up to date\n"
    )
    return int(stale)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/equity-table",
        description="Make the tables that the bot club bids by at a score, from its own deals, and write them into "
        "the package (schmier_sim/data/club-equity.*). To be run whenever its bids or its card play have changed. "
        "Prints by how much the chances still move from round to round, and their error. The same options give the "
        "same tables, with any number of workers.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument(
        "--forced",
        type=int,
        default=4_800_000,
        metavar="N",
        help="deals a round, each with three to five calls",
    )
    parser.add_argument(
        "--deals", type=int, default=40_000_000, metavar="N", help="deals a round that tell how scores change"
    )
    parser.add_argument(
        "--least",
        type=int,
        default=20_000,
        metavar="N",
        help="more such deals in each of 1000 buckets of needs",
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds after the first chances")
    parser.add_argument("--seed", type=int, default=2025, metavar="N", help="seed of all deals")
    parser.add_argument("--workers", type=int, default=None, metavar="N", help="threads; default: all cores")
    parser.add_argument(
        "--check",
        action="store_true",
        help="play nothing; exit code 1 if bids or card play have changed since",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
