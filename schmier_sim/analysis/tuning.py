"""Tune the card play of `club` and ship its tables: ``scripts/tune``.

Each round plays lessons with the tables as they stand (`kernel.lessons`), practises on those of the last rounds, and
measures what came of it: on lessons that were set aside, and in a duel of the new tables against the old ones. With
`--exchange` the numbers of the exchange are changed one at a time instead, and what wins duels on the same deals stays.
"""

import argparse
import hashlib
import io
import json
import lzma
import shlex
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.files import write_whole
from schmier_sim.analysis.matches import PASSED
from schmier_sim.analysis.run import available_cores
from schmier_sim.game import club_bot
from schmier_sim.game.club_bot import KEEP_CLASSES, KEEP_START, SIZE
from schmier_sim.kernel.block import B
from schmier_sim.kernel.lessons import AUCTION, STRATIFIED, TRICKS, Lessons, practise, teach
from schmier_sim.kernel.match import score_table
from schmier_sim.kernel.simulate import Setup, deal_types

Weights = NDArray[np.float64]
Tables = NDArray[np.int16]

#: Weights are kept in points, tables in thousandths.
SCALE = 1000
#: Where the deals of the rounds and of the duels begin: apart from each other, and far from what people play.
ROUND_SPAN = 10**9
DUEL_DEALS = 2**50
#: Rates and warmths (points) of the passes over the lessons of a round.
PASSES = ((0.02, 0.2), (0.01, 0.15), (0.005, 0.1))
#: How much faster some rounds go: the first ones, and some when progress had become slow.
HASTE = (4.0, 3.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 1.0, 1.0, 1.0, 1.0, 3.0, 1.0, 1.0, 3.0)
#: What keeping plain cards (A K Q J 10 x) is thought to be worth before anything is known, and a suit to cost:
#: declaring, defending, declaring as dealer, defending as dealer; thousandths of a point.
FIRST_KEEP = (
    *(150, 40, 10, 5, 60, 0, 100),
    *(100, 40, 10, 5, -60, 0, 100),
    *(150, 60, 10, 5, -40, 0, 120),
    *(150, 60, 10, 5, -60, 0, 150),
)
#: Steps, in thousandths, that are tried on each of these, and deals of a first trial; a second one has twice as many.
KEEP_STEPS = (60, 30)
KEEP_DEALS = 200_000
#: Rounds whose lessons are practised on.
KEPT = 3
#: Share of a round's lessons that are set aside for measuring.
SET_ASIDE = 0.1
#: Standard deviation, in points, of the noise on the weights that lead to the decisions, so that others come up too.
STRAYING = 0.05


@dataclass(frozen=True)
class Round:
    """What a round brought.

    Parameters
    ----------
    decisions : int
        Lessons played.
    before, after : float
        On lessons set aside: relative points of the heaviest card over a random one, with the old and the new weights.
    relative, relative_se : float
        Relative points a deal of a team with the new tables against two with the old, on fresh auctions.
    """

    decisions: int
    before: float
    after: float
    relative: float
    relative_se: float


def to_tables(weights: Weights) -> Tables:
    """Round weights to thousandths."""
    return np.clip(np.rint(weights * SCALE), -32_000, 32_000).astype(np.int16)


def learn_round(
    number: int, seed: int, blocks: int, weights: Weights, kept: list[Lessons], workers: int
) -> Lessons:
    """Play the lessons of a round and practise on them and those kept: changes `weights`, returns the new lessons."""
    rng = np.random.default_rng((seed, number))
    kinds = np.stack(
        [
            rng.integers(AUCTION, STRATIFIED + 1, blocks),
            rng.choice(len(TRICKS), blocks, p=TRICKS),
            rng.integers(0, 6, blocks),
        ],
        axis=1,
    )
    tables = to_tables(weights)
    astray = to_tables(weights + rng.normal(0, STRAYING, SIZE))
    starts = np.linspace(0, blocks, 4 * workers + 1).astype(int)

    def play(part: tuple[int, int]) -> Lessons:
        first = number * ROUND_SPAN + part[0] * B
        return teach(seed, first, kinds[part[0] : part[1]], astray, tables)

    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(play, pairwise(starts.tolist())))
    lessons = together(parts)
    everything = together([lessons, *kept])
    order = np.arange(_set_aside(lessons), len(everything))
    spent = np.zeros(SIZE)
    haste = HASTE[number] if number < len(HASTE) else 1.0
    for rate, warmth in PASSES:
        practise(everything, rng.permutation(order), weights, spent, haste * rate, warmth)
    return lessons


def together(parts: list[Lessons]) -> Lessons:
    """Join lessons."""
    return Lessons(
        np.concatenate([part.addresses for part in parts]),
        np.concatenate([part.options for part in parts]),
        np.concatenate([part.results for part in parts]),
    )


def _set_aside(lessons: Lessons) -> int:
    return int(len(lessons) * SET_ASIDE)


def gain_over_chance(lessons: Lessons, weights: Weights) -> float:
    """Relative points of the heaviest card over a random one, on the lessons set aside."""
    order = np.arange(_set_aside(lessons))
    return practise(lessons, order, weights.copy(), np.zeros(SIZE), 0.0, 1.0) / 2


def versus(new: Tables, old: Tables, deals: int, seed: int, first: int = DUEL_DEALS) -> tuple[float, float]:
    """Relative points a deal of a team with one set of tables against two with another, and their standard error."""
    setup = Setup(seed=seed, mode="auction", bots="club")
    scores = score_table(setup.rules)
    total = np.zeros(deals)
    for place in range(3):
        sets = np.concatenate([new if team == place else old for team in range(3)])
        types = deal_types(setup, first, deals, tables=sets)
        own, all_of = scores[types, place], scores[types].sum(axis=1)
        total += np.where(types == PASSED, 0, own - (all_of - own) / 2)
    return float(total.mean()) / 3, float(total.std(ddof=1)) / 3 / deals**0.5


def improve_exchange(weights: Weights, seed: int) -> list[tuple[int, int, float]]:
    """Change the numbers of the exchange one at a time, as long as that wins duels: changes `weights`.

    Returns
    -------
    list of (number, step, gain)
        The changes that were kept: which number, thousandths added, relative points a deal in the second trial.
    """
    kept = []
    first = 2 * DUEL_DEALS
    for step in KEEP_STEPS:
        for number in range(KEEP_START, SIZE):
            for change in (step, -step):
                other = weights.copy()
                other[number] += change / SCALE
                if (number - KEEP_START) % (len(KEEP_CLASSES) + 1) == len(KEEP_CLASSES) and other[number] < 0:
                    continue  # a suit never brings anything by itself
                new, old = to_tables(other), to_tables(weights)
                gain, error = versus(new, old, KEEP_DEALS, seed, first)
                again = (0.0, 0.0)
                if gain > 2 * error:
                    again = versus(new, old, 2 * KEEP_DEALS, seed, first + KEEP_DEALS)
                first += 3 * KEEP_DEALS
                if again[0] > again[1]:
                    weights[:] = other
                    kept.append((number - KEEP_START, change, round(again[0], 4)))
                    sys.stderr.write(
                        f"number {number - KEEP_START} {change:+}: {again[0]:+.4f} ± {again[1]:.4f}\n"
                    )
                    break
    return kept


def save(path: Path, weights: Weights, rounds: list[Round], settings: dict[str, Any]) -> None:
    """Save the state of a tuning, whole or not at all."""
    data = io.BytesIO()
    about = json.dumps({"rounds": [asdict(done) for done in rounds], "settings": settings})
    np.savez_compressed(data, weights=weights, about=np.array(about))
    write_whole(path, data.getvalue())


def load(path: Path) -> tuple[Weights, list[Round], dict[str, Any]]:
    """Load what `save` saved."""
    with np.load(path) as data:
        about = json.loads(str(data["about"]))
        return data["weights"], [Round(**done) for done in about["rounds"]], about["settings"]


def ship(weights: Weights, rounds: list[Round], settings: dict[str, Any]) -> None:
    """Write the tables into the package, with how they were made."""
    data = lzma.compress(to_tables(weights).astype("<i2").tobytes(), preset=9 | lzma.PRESET_EXTREME)
    about = {
        "sha256": hashlib.sha256(data).hexdigest(),
        "command": _command(len(rounds), settings),
        **settings,
        "rounds": [asdict(done) for done in rounds],
    }
    write_whole(club_bot.PATH, data)
    write_whole(club_bot.ABOUT_PATH, (json.dumps(about, indent=2) + "\n").encode())


def _command(rounds: int, settings: dict[str, Any]) -> str:
    start = ["--from-nothing"] if settings["from_nothing"] else []
    numbers = [f"--{name}={settings[name]}" for name in ("seed", "blocks")]
    return shlex.join(["scripts/tune", *start, *numbers, f"--rounds={rounds}"])


def main() -> None:
    """Run ``scripts/tune``."""
    parser = argparse.ArgumentParser(prog="scripts/tune", description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="rounds in all (default 8)")
    parser.add_argument(
        "--blocks", type=int, default=60_000, help=f"blocks of {B} deals a round (default 60000)"
    )
    parser.add_argument("--seed", type=int, default=21, help="seed of deals and noise (default 21)")
    parser.add_argument("--workers", type=int, default=available_cores(), help="threads (default: all cores)")
    parser.add_argument(
        "--exchange", action="store_true", help="improve the numbers of the exchange, play no rounds"
    )
    parser.add_argument(
        "--from-nothing", action="store_true", help="begin with empty tables, not with those shipped"
    )
    parser.add_argument(
        "--state", type=Path, default=Path("tuning.npz"), help="state after each round; goes on from it"
    )
    options = parser.parse_args()

    settings = {"seed": options.seed, "blocks": options.blocks, "from_nothing": options.from_nothing}
    if options.state.exists():
        weights, rounds, found = load(options.state)
        exchange = found.pop("exchange", [])
        if found != settings:
            parser.error(f"{options.state} is of other settings {found}: give the same, or another --state")
    else:
        nothing = np.concatenate([np.zeros(KEEP_START), np.array(FIRST_KEEP) / SCALE])
        weights = nothing if options.from_nothing else np.array(club_bot.weights(), float) / SCALE
        rounds, exchange = [], []
    if options.exchange:
        exchange += improve_exchange(weights, options.seed)
        save(options.state, weights, rounds, settings | {"exchange": exchange})
        ship(weights, rounds, settings | {"exchange": exchange})
        return
    kept: list[Lessons] = []
    for number in range(len(rounds), options.rounds):
        started = time.perf_counter()
        old = weights.copy()
        lessons = learn_round(number, options.seed, options.blocks, weights, kept, options.workers)
        relative, error = versus(to_tables(weights), to_tables(old), 200_000, options.seed)
        before, after = gain_over_chance(lessons, old), gain_over_chance(lessons, weights)
        rounds.append(
            Round(len(lessons), round(before, 5), round(after, 5), round(relative, 4), round(error, 4))
        )
        kept = [lessons, *kept][: KEPT - 1]
        save(options.state, weights, rounds, settings | {"exchange": exchange})
        sys.stderr.write(f"round {number + 1}: {rounds[-1]}, {time.perf_counter() - started:.0f} s\n")
    ship(weights, rounds, settings | {"exchange": exchange})


if __name__ == "__main__":
    main()
