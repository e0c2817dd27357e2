"""Make the tables that `club` bids by at a score, and ship them: ``scripts/equity-table``.

Rounds of three steps:

1. In deals with an auction the call of one seat is forced, at scores that occur in matches: how a call changes the
   scores is fitted over the value of the hand, for each state of the auction (`kernel.equity.Responses`).
2. For each bucket of needs, deals are played with bots that bid by what these changes are worth at its scores.
3. The chances of all scores are solved from how the scores changed in each bucket.

The new chances change who bids, so this goes on until chances move by less than the luck of the deals.  All rounds play
the same deals in buckets, so that it is the bids that move them.  Then the bots are left as they are, and the chances
that ship are solved from more deals, which no round has seen.
"""

import argparse
import io
import json
import shlex
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.bidding import Sums, fit_lines, never_falling
from schmier_sim.analysis.bidtable import weights_hash
from schmier_sim.analysis.buckets import N_BUCKETS, play_buckets, spread, typical_states
from schmier_sim.analysis.equity import variance_of
from schmier_sim.analysis.files import write_whole
from schmier_sim.analysis.lockstep import play_matches
from schmier_sim.analysis.run import available_cores
from schmier_sim.game import club_bids
from schmier_sim.game.club_bids import CALLS, KNOT, KNOTS, N_STATES, STATES_OF_SEAT
from schmier_sim.game.standing import N_TEAMS
from schmier_sim.kernel import equity
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.chain import Chain, Solution, chain_of
from schmier_sim.kernel.equity import ROWS, UNIT, Curves, Shipped, fold, rounded, unfold
from schmier_sim.kernel.forced import ILLEGAL, Table
from schmier_sim.kernel.match import (
    N_NEEDS,
    Floats,
    Ints,
    after_one_deal,
    state_of,
    ways_of,
)
from schmier_sim.kernel.simulate import STANDARD, Setup

N_SEATS = 6
WAYS = ways_of(STANDARD)
CHUNK = 1 << 11
#: Where the forced deals of each round begin, the deals in buckets of all rounds, and those of the last table.
ROUND_SPAN = 1 << 44
BUCKETS_AT, LAST_AT = 1 << 50, 1 << 51
#: In one of so many chunks the others bid more than they would, so that there are no states of which nothing is known;
#: this chunk's deals count for less.
EXPLORING, BOLDNESS, EXPLORED = 4, 3000, 0.1
#: Deals that what a bid brings in all states counts for in each, and what a call brings at all scores.
BIDS_ALIKE, SCORES_ALIKE = 300, 100
#: How straight curves are: deals at a knot that weigh as much as a bend there.
STRAIGHTNESS = 1_000
CLASS_OF_NEED = np.array([0, 1, 1, 2, 2, 2, 3, 3, 4, 4])
"""Buckets whose forced deals are put together: how others answer a call is much alike there."""
N_CLASSES = (int(CLASS_OF_NEED[-1]) + 1) ** N_TEAMS
RESAMPLED = 8
"""Tables by other luck of the deals, to tell its size."""
BEGINNING = state_of((0,) * N_TEAMS, STANDARD)
SETUP = Setup(mode="auction", tempers="mixed")
PLAYED_OUT = (
    (0, 0, 0), (10, 10, 10), (15, 15, 15), (18, 18, 18), (20, 20, 20),
    (20, 10, 10), (5, 18, 18), (15, 12, 18), (20, 20, 0), (-12, 14, 19),
)  # fmt: skip
"""Scores from which matches are played out, to compare."""


def _seen_by_teams() -> Ints:
    """Number of each way if a team is counted as the dealer's: int64 [teams, ways]."""
    rows = np.column_stack([WAYS.declarers, WAYS.bids, WAYS.gains]).tolist()
    number = {tuple(row): way for way, row in enumerate(rows)}
    return np.array(
        [
            [
                number[
                    (
                        declarer if declarer < 0 else (declarer - team) % N_TEAMS,
                        bid,
                        *gains[team:],
                        *gains[:team],
                    )
                ]
                for declarer, bid, *gains in rows
            ]
            for team in range(N_TEAMS)
        ]
    )


SEEN_BY = _seen_by_teams()


def class_of_buckets() -> Ints:
    """Class of each bucket: int64 [buckets]."""
    digits = np.unravel_index(np.arange(N_BUCKETS), (N_NEEDS,) * N_TEAMS)
    shape = (int(CLASS_OF_NEED[-1]) + 1,) * N_TEAMS
    return np.asarray(np.ravel_multi_index(tuple(CLASS_OF_NEED[digit] for digit in digits), shape))


@dataclass(frozen=True)
class Forced:
    """What came of a forced call in a chunk: for each hand its state, knot, how far beyond it, and the way.

    Ways are as the caller's team sees them, as if it dealt: so those of all seats can be put together.
    """

    number: int
    state: Ints
    knot: Ints
    far: Floats
    way: Ints
    weight: float


class Responses:
    """How calls change the scores, in each class of buckets: sums for fits by straight lines from knot to knot.

    Attributes
    ----------
    near, both : float64 [classes, states, calls, knots]
    won : float32 [classes, states, calls, knots, ways]
    deals : float64 [classes, states, calls]
        As in `bidding.Sums`.
    """

    def __init__(self) -> None:
        shape = (N_CLASSES, N_STATES, len(CALLS), KNOTS)
        self.near, self.both = np.zeros(shape), np.zeros(shape)
        self.won = np.zeros((*shape, len(WAYS)), np.float32)
        self.deals = np.zeros(shape[:3])

    def fade(self, share: float) -> None:
        """Let older rounds count for less."""
        for values in (self.near, self.both, self.won, self.deals):
            values *= share

    def add(self, number: int, part: Forced) -> None:
        """Add what came in a class."""
        # In flat arrays: numpy adds ten times faster there.
        call = (number * N_STATES + part.state) * len(CALLS) + part.number
        near, weight = 1 - part.far, part.weight
        for knot, share in ((part.knot, near), (part.knot + 1, part.far)):
            at = call * KNOTS + knot
            np.add.at(self.near.reshape(-1), at, weight * share**2)
            worth = (weight * share).astype(np.float32)
            np.add.at(self.won.reshape(-1), at * len(WAYS) + part.way, worth)
        np.add.at(self.both.reshape(-1), call * KNOTS + part.knot, weight * near * part.far)
        np.add.at(self.deals.reshape(-1), call, weight)

    def curves(self, wins: NDArray[np.uint16]) -> Curves:
        """What calls bring in each bucket, given the chances of all states: uint16 [buckets, n]."""
        states, of_bucket = typical_states(STANDARD), class_of_buckets()
        after = after_one_deal(wins.astype(np.float64), WAYS, STANDARD, states, UNIT)
        names = ("near", "both", "won", "deals")
        everywhere = Sums(*(getattr(self, name).sum(axis=0, dtype=np.float64) for name in names))
        found = np.empty((N_BUCKETS, N_STATES * len(CALLS) * KNOTS), np.uint16)
        teams = (np.arange(N_STATES) // STATES_OF_SEAT + 1) % N_TEAMS
        for number in range(N_CLASSES):
            own = Sums(*(getattr(self, name)[number].astype(np.float64) for name in names))
            lines, weights = fit_lines(own, BIDS_ALIKE, (everywhere, SCORES_ALIKE), STRAIGHTNESS)
            for bucket in np.flatnonzero(of_bucket == number):
                worth = np.empty((N_TEAMS, len(WAYS)))
                for team in range(N_TEAMS):
                    worth[team, SEEN_BY[team]] = after[bucket, :, team]
                worth = worth[teams]
                brings = np.einsum("sckw,sw->sck", lines, worth, optimize=True)
                rising = brings.reshape(-1, KNOTS)
                for row in ROWS:
                    rising[row] = never_falling(rising[row], weights.reshape(-1, KNOTS)[row] + 1e-3)
                found[bucket] = unfold(*(part[0] for part in fold(rising.reshape(1, -1))))
        return found


class Maker:
    """Forces calls.

    Parameters
    ----------
    seed : int
    workers : int
    """

    def __init__(self, seed: int, workers: int) -> None:
        self.seed, self.workers = seed, workers

    def respond(self, responses: Responses, curves: Curves, visits: Floats, first: int, deals: int) -> None:
        """Add what forced calls bring: three of four deals evenly in all classes, one where matches come to."""
        number_of, turns = class_of_buckets(), np.zeros(N_CLASSES, np.int64)
        chunks = deals // CHUNK
        evenly = spread(1 / np.bincount(number_of)[number_of], 3 * chunks // 4)
        of_chunk = np.repeat(np.arange(N_BUCKETS), evenly + spread(visits, chunks // 4))
        # Buckets and seats are mixed, so that every seat comes to every class.
        np.random.default_rng(first).shuffle(of_chunk)
        jobs = []
        for number, bucket in enumerate(of_chunk.tolist()):
            jobs.append((first, number, int(turns[number_of[bucket]]), curves[bucket]))
            turns[number_of[bucket]] += 1
        with ThreadPoolExecutor(self.workers) as pool:
            for bucket, found in zip(of_chunk, pool.map(lambda job: self._force(*job), jobs), strict=True):
                for part in found:
                    responses.add(int(number_of[bucket]), part)

    def _force(self, first: int, number: int, turn: int, curves: Curves) -> list[Forced]:
        """One seat makes each call in turn; the teams' tempers are all that there are, in turn."""
        seat = turn % N_SEATS
        tempers = (number % 3, number // 3 % 3, number // 9 % 3)
        weight = 1.0
        if turn // N_SEATS % EXPLORING == 0:
            weight, curves = EXPLORED, curves.reshape(-1, len(CALLS), KNOTS).copy()
            curves[:, CALLS.index(4) : CALLS.index(5) + 1] += BOLDNESS
            curves = curves.reshape(-1)
        table = Table(self.seed, HAND_VALUES, curves, tempers=tempers)
        found = []
        for place, call in enumerate(CALLS):
            states, held, types = table.play(first + number * CHUNK, CHUNK, seat, call)
            legal = types != ILLEGAL
            knot, beyond = np.divmod(held[legal, max(place - 1, 0)].astype(np.int64), KNOT)
            state = states[legal].astype(np.int64)
            way = SEEN_BY[(seat + 1) % N_TEAMS][WAYS.of_type[types[legal]]]
            found.append(Forced(place, state, knot, beyond / KNOT, way, weight))
        return found


@dataclass(frozen=True)
class Made:
    """A table, and what it was made from.

    Parameters
    ----------
    deals : int64 [buckets, ways]
    chain : Chain
    solution : Solution
    worth, visits
        As of `Chain.visit`, from the beginning of a match.
    """

    deals: Ints
    chain: Chain
    solution: Solution
    worth: Floats
    visits: Floats

    @classmethod
    def by(cls, deals: Ints) -> "Made":
        """Solve the chances by some deals."""
        chain = chain_of(deals, WAYS, STANDARD)
        solution = chain.solve()
        return cls(deals, chain, solution, *chain.visit(solution.wins, BEGINNING))

    def told(self) -> dict[str, float]:
        """What to report of it."""
        error = float(np.sqrt(variance_of(self.worth, self.deals, WAYS, STANDARD)).max())
        return {
            "deals": int(self.deals.sum()),
            "residual": float(f"{self.solution.residual:.1e}"),
            "sweeps": self.solution.sweeps,
            "match_length": round(float(self.visits.sum()), 3),
            "error": round(error, 6),
            "luck": round(self.luck(), 6),
        }

    def moved_from(self, before: "Made") -> dict[str, float]:
        """By how much chances moved: the most in any state, and on average over the deals of a match."""
        most = np.abs(self.solution.wins - before.solution.wins).max()
        moved = self.apart(before.solution.wins)
        return {"moved_most": round(float(most), 5), "moved": round(moved, 6)}

    def apart(self, wins: Floats) -> float:
        """By how much the chances of other tables differ, those of the team most concerned.

        On average over the deals of a match, each at the state that stands for its bucket.
        """
        states = typical_states(STANDARD)
        return float(np.average(np.abs(wins - self.solution.wins)[states].max(axis=1), weights=self.visits))

    def luck(self) -> float:
        """By how much tables by other deals would differ, on average: as by deals drawn from these with replacement."""
        draw = np.random.default_rng(RESAMPLED)
        others = (self.chain.with_deals(draw.poisson(self.deals), WAYS, STANDARD) for _ in range(RESAMPLED))
        return float(np.mean([self.apart(other.solve(self.solution.wins).wins) for other in others]))


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
    setup = replace(SETUP, seed=options.seed)
    maker = Maker(options.seed, workers)
    curves = np.broadcast_to(POINT_CURVES[0], (N_BUCKETS, POINT_CURVES.shape[1]))
    responses = Responses()
    share = options.least + spread(np.ones(N_BUCKETS), options.deals)
    made = Made.by(play_buckets(setup, curves, BUCKETS_AT, share, workers))
    rounds = [made.told()]
    say(f"by points: {rounds[0]}")
    for number in range(1, options.rounds + 1):
        responses.fade(number / (number + 1))  # older rounds count for less, each new one moves less
        maker.respond(responses, curves, made.visits, number * ROUND_SPAN, options.forced)
        curves = responses.curves(rounded(made.solution.wins))
        say(f"round {number}: curves fitted")
        share = options.least + spread(made.visits, options.deals)
        before, made = made, Made.by(play_buckets(setup, curves, BUCKETS_AT, share, workers))
        rounds.append(made.told() | made.moved_from(before))
        say(f"round {number}: {rounds[-1]}")
        if rounds[-1]["moved"] < rounds[-1]["luck"]:
            break
    last = Made.by(play_buckets(setup, curves, LAST_AT, options.times * share, workers))
    table = last.told() | last.moved_from(made)
    say(f"the table: {table}")
    matches = played_out(replace(setup, seed=options.seed + 1), curves, last, options.matches, workers)
    for row in matches:
        say(f"matches: {row}")
    tables = Shipped(
        *fold(curves.astype(np.float64)), rounded(last.solution.wins), last.deals.astype(np.int32)
    )
    about = {
        "sha256": tables.digest(),
        "bids_sha256": json.loads(club_bids.ABOUT_PATH.read_text(encoding="utf-8"))["sha256"],
        "weights_sha256": weights_hash(),
        "seed": options.seed,
        "tempers": SETUP.tempers,
        "forced_deals_per_round": options.forced,
        "rounds": rounds,
        "table": table,
        "matches": matches,
        "command": shlex.join(["scripts/equity-table", *(sys.argv[1:] if arguments is None else arguments)]),
    }
    write(tables, about)
    say(f"written: {equity.PATH.name}, {equity.ABOUT_PATH.name}")
    return 0


def played_out(setup: Setup, curves: Curves, table: Made, matches: int, workers: int) -> list[dict[str, Any]]:
    """Play matches from some scores: what share each team wins, and what it should by the chances.

    `errors_apart`: the largest difference, in standard errors by the luck of the matches and of the table's deals.
    """
    found = []
    for scores in PLAYED_OUT:
        n = matches // len(PLAYED_OUT)
        club = ("club", "equity")
        played = play_matches(
            setup, curves, club, club, np.tile(scores, (n, 1)), np.zeros(n, np.int64), workers=workers
        )
        won = np.bincount(played.winner, minlength=N_TEAMS) / n
        state = state_of(scores, STANDARD)
        chances = table.solution.wins[state]
        worth, _ = table.chain.visit(table.solution.wins, state)
        errors = np.sqrt(chances * (1 - chances) / n + variance_of(worth, table.deals, WAYS, STANDARD))
        found.append(
            {
                "scores": list(scores),
                "matches": n,
                "won": [round(float(share), 4) for share in won],
                "chances": [round(float(chance), 4) for chance in chances],
                "errors_apart": round(float((np.abs(won - chances) / np.maximum(errors, 1e-4)).max()), 2),
            }
        )
    return found


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
        "Prints by how much the chances still move from round to round, and how much luck would move them. The same "
        "options give the same tables, with any number of workers.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument(
        "--forced",
        type=int,
        default=4_800_000,
        metavar="N",
        help="deals a round, each with five calls",
    )
    parser.add_argument(
        "--deals", type=int, default=12_000_000, metavar="N", help="deals a round that tell how scores change"
    )
    parser.add_argument(
        "--least",
        type=int,
        default=12_000,
        metavar="N",
        help="more such deals in each of 1000 buckets of needs",
    )
    parser.add_argument(
        "--matches", type=int, default=200_000, metavar="N", help="matches played out at the end, to compare"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=8,
        metavar="N",
        help="most rounds after the first chances; fewer if these move by less than the luck of the deals",
    )
    parser.add_argument(
        "--times",
        type=int,
        default=10,
        metavar="N",
        help="so many times the deals of a round for the last table",
    )
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
