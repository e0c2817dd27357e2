"""Make the tables that `club` bids by, and ship them: ``scripts/bid-table``."""

import argparse
import hashlib
import json
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from schmier_sim.analysis.files import write_whole
from schmier_sim.analysis.run import available_cores
from schmier_sim.game import club_bids
from schmier_sim.game.club_bids import CALLS, KNOT, KNOTS, N_STATES, OFFSET


def load_or_begin() -> None:
    """Where there are no tables that can be read, write some of nothing: the kernels are compiled with tables."""
    try:
        club_bids.bidding()
    except (OSError, ValueError, KeyError):
        club_bids.bidding.cache_clear()
        data, about = club_bids.blank()
        club_bids.PATH.parent.mkdir(exist_ok=True)
        _write(data, about)


def _write(data: bytes, about: dict[str, Any]) -> None:
    write_whole(club_bids.PATH, data)
    write_whole(club_bids.ABOUT_PATH, (json.dumps(about, indent=2) + "\n").encode())


load_or_begin()

from schmier_sim.analysis.bidding import (  # noqa: E402 - they need tables
    CHUNK,
    N_SEATS,
    Floats,
    Ints,
    Stand,
    Sums,
    compare,
    count_points,
    fit_curves,
    force_calls,
    smooth_chances,
    stand,
    team_means,
)
from schmier_sim.kernel.bots.club_bids import value_table  # noqa: E402
from schmier_sim.kernel.bots.weights import club_tables  # noqa: E402
from schmier_sim.kernel.forced import Table  # noqa: E402

#: Where the deals of the rounds, of the drift and of the comparison begin: apart from each other.
ROUND_SPAN = CHUNK * N_SEATS * 10_000
FRESH = ROUND_SPAN * 1_000
#: What an older round counts for beside the next one.
FADING = 0.5
#: What a pass is thought to bring before anything is known, in thousandths.
FIRST_PASS = -450
#: How much less or more often a temper bids than "normal".
READINESS = {"cautious": 0.75, "bold": 1.25}
TEMPER_STEP = 10
SEAT_ROUND = CHUNK * N_SEATS


@dataclass(frozen=True)
class Drift:
    """How far a round's curves are from those of the round before, on hands of fresh deals.

    Parameters
    ----------
    changed : float
        Share of calls that are others.
    value : float
        Mean change of the value of the best call, in points.
    gain : float
        What the new curves think that the changed calls bring, per call, in points.
    """

    changed: float
    value: float
    gain: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the tables as the arguments say; return the exit code."""
    options = _parser().parse_args(arguments)
    if options.check:
        return _check()
    workers = options.workers or available_cores()
    clock = time.perf_counter()

    def say(text: str) -> None:
        sys.stderr.write(f"{time.perf_counter() - clock:6.0f} s  {text}\n")
        sys.stderr.flush()

    say(f"points of {options.points:,} stratified deals, played by {options.players} …")
    chances = smooth_chances(count_points(options.seed, options.points, options.players, workers))
    per_round = -(-options.deals // SEAT_ROUND) * SEAT_ROUND
    curves, sums, drifts = first_curves(), Sums.empty(), []
    for number in range(options.rounds):
        table = Table(options.seed, value_table(chances), curves, options.players)
        passed = team_means(table, FRESH + number * ROUND_SPAN, per_round // 2, workers)
        fade(sums)
        sums.add(force_calls(table, number * ROUND_SPAN, per_round, passed, workers))
        new = fit_curves(sums)
        hands = stand(table, 2 * FRESH + number * ROUND_SPAN, SEAT_ROUND, workers)
        drifts.append(drift(hands, curves, new))
        curves = new
        say(
            f"round {number + 1}: {100 * drifts[-1].changed:.2f} % of the calls changed, worth "
            f"{drifts[-1].gain:.4f} points each deal and seat; values by {drifts[-1].value:.3f}"
        )
    table = Table(options.seed, value_table(chances), curves, options.players)
    hands = stand(table, 3 * FRESH, 2 * SEAT_ROUND, workers)
    margins = {"normal": 0} | {name: margin_for(hands, curves, share) for name, share in READINESS.items()}
    say(f"margins of the tempers, in thousandths of a point: {margins}")
    gained = compare(_against_simple(options, chances, curves), 4 * FRESH, per_round // 2, workers)
    say(
        f"against the bids of simple, same card play: {gained[0]:+.4f} ± {gained[1]:.4f} relative points a deal"
    )
    data = club_bids.pack(chances.reshape(-1).tolist(), curves.reshape(-1).tolist())
    about = {
        "sha256": club_bids.digest(club_bids.unpacked(data)),
        "margins": margins,
        "players": options.players,
        "weights_sha256": weights_hash() if options.players == "club" else None,
        "seed": options.seed,
        "points_deals": options.points,
        "deals_per_round": per_round,
        "rounds": [
            {
                "calls_changed": round(d.changed, 6),
                "value_change": round(d.value, 4),
                "gain": round(d.gain, 5),
            }
            for d in drifts
        ],
        "passed_out_worth": [round(float(value), 3) for value in passed],
        "gain_on_simple_bids": [round(gained[0], 4), round(gained[1], 4)],
        "command": shlex.join(["scripts/bid-table", *(sys.argv[1:] if arguments is None else arguments)]),
    }
    _write(data, about)
    say(f"written: {club_bids.PATH.name}, {club_bids.ABOUT_PATH.name}")
    return 0


def weights_hash() -> str:
    """Hash of the tables that `club` plays its cards by."""
    return hashlib.sha256(club_tables().astype("<i2").tobytes()).hexdigest()


def _check() -> int:
    """Tell whether the tables that ship were made with the card play that ships: exit code 1 if not."""
    about = json.loads(club_bids.ABOUT_PATH.read_text(encoding="utf-8"))
    stale = about.get("weights_sha256") != weights_hash()
    sys.stdout.write("made with another card play: run scripts/bid-table\n" if stale else "up to date\n")
    return int(stale)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bid-table",
        description="Make the tables that the bot club bids and names trumps by, from its own deals, and write "
        "them into the package (schmier_sim/data/club-bids.*). To be run whenever its card play has changed. Prints "
        "how much the bids still change from round to round, and what they gain on those of simple. The same options "
        "give the same tables, with any number of workers.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--points", type=int, default=16_000_000, metavar="N", help="stratified deals")
    parser.add_argument(
        "--deals",
        type=int,
        default=2_400_000,
        metavar="N",
        help="deals a round, each with three to five calls",
    )
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of bids and new curves")
    parser.add_argument("--seed", type=int, default=2024, metavar="N", help="seed of all deals")
    parser.add_argument("--players", default="club", metavar="BOT", help="who exchanges and plays the cards")
    parser.add_argument("--workers", type=int, default=None, metavar="N", help="threads; default: all cores")
    parser.add_argument(
        "--check", action="store_true", help="play nothing; exit code 1 if the card play has changed since"
    )
    return parser


def first_curves() -> Ints:
    """Curves to begin with: every bid stands, a pass brings `FIRST_PASS`."""
    curves = np.empty((N_STATES, len(CALLS), KNOTS), np.int64)
    curves[:, 0] = OFFSET + FIRST_PASS
    curves[:, 1:] = KNOT * np.arange(KNOTS)
    return curves


def fade(sums: Sums) -> None:
    """Let older rounds count for less."""
    for values in (sums.near, sums.both, sums.won, sums.deals):
        values *= FADING


def drift(hands: Stand, before: Ints, after: Ints) -> Drift:
    """Compare two rounds' curves on some hands."""
    old, new = hands.brings(before), hands.brings(after)
    was, now = old.argmax(axis=1), new.argmax(axis=1)
    rows = np.arange(len(was))
    return Drift(
        float((was != now).mean()),
        float(np.abs(new.max(axis=1) - old.max(axis=1)).mean() / 1000),
        float((new[rows, now] - new[rows, was]).mean() / 1000),
    )


def margin_for(hands: Stand, curves: Ints, share: float) -> int:
    """Find the margin with which hands are bid on `share` times as often, in thousandths."""
    brings = hands.brings(curves)
    lead: Floats = np.sort(brings[:, 1:].max(axis=1) - brings[:, 0])[::-1]
    wanted = round(share * int((lead > 0).sum()))
    return TEMPER_STEP * round(float(-lead[wanted]) / TEMPER_STEP)


def _against_simple(options: argparse.Namespace, chances: Ints, curves: Ints) -> list[Table]:
    """Tables at which the team in place i bids by the curves, the others as `simple`."""
    return [
        Table(
            options.seed,
            value_table(chances),
            curves,
            options.players,
            bidders=tuple("club" if team == place else "simple" for team in range(3)),
        )
        for place in range(3)
    ]


if __name__ == "__main__":
    sys.exit(main())
