"""The page `docs/strength.md`: how strong the bots are, with every figure's error and the command that measures it.

Run by ``scripts/strength``. The page follows from seed and sizes: no time and no place is in it.
"""

import argparse
import sys
from pathlib import Path
from textwrap import wrap

import schmier_sim
from schmier_sim.analysis.run import Progress
from schmier_sim.analysis.strength import BOT, FULL, QUICK, SEED, Goal, Strength, goals_of, measure
from schmier_sim.game.words import MAX_SEED
from schmier_sim.present import audits, duels
from schmier_sim.present.files import write_file
from schmier_sim.present.numbers import count, decimal, percent

PAGE = Path(__file__).resolve().parents[2] / "docs" / "strength.md"
COMMAND = "scripts/strength"
LINE = 120
GOAL_NAMES = {
    "random": "matches that one team of club wins against two of random, %",
    "simple": "matches that one team of club wins against two of simple, %",
    "response": "points a deal that a side gains by search, declaring or defending, with or without an auction: the "
    "largest of four",
    "search": "matches that one team of search ({worlds} worlds) wins against two of club, %",
    "cells": "size of the differences between table cells by club and by search, without noise: mean of the bids, "
    "percentage points",
    "calibration": "difference between predicted and made contracts: the largest of ten rows, percentage points",
}
REACHED = {True: "reached", False: "not reached", None: "too close to call"}

HEAD = """# How strong the bots are

This page is written by `{command}` with schmier-sim {version} and seed {seed}. ± is a 95 % interval: luck of the deals,
nothing else. Each section has the command that measures it again.

## Goals

{goals}

*Reached* and *not reached* are said only where the whole interval is on one side of the goal.

## What it means

- **Matches won.** One team of a bot sits down with two teams of another. Equals win a third; a bot that wins half is
  clearly better. The cards decide much: even a perfect player loses many matches.
- **search** is a slow player that knows no tricks, but before each card tries every choice in imagined deals, called
  worlds, that fit what it has seen: the more of them, the better it plays. Where it does little better than club, club
  leaves little to be gained.
- **Regret** is what a choice gives away, in points. A regret of 0.01 a decision is one point in a hundred decisions. A
  deal has about 26 decisions with a choice, of all six seats.
- **Gain by search** asks: if one side were played by a stronger player who knows how club plays, how much would
  change? A small gain means that tables made with club's deals hold for stronger players as well.
- **Table cells** are the chances that the tables show. They are compared with those of six players search, on the
  same hands.
- **Predicted and made** asks whether a bid that the bidding table calls 70 % is made 70 times in a hundred.

The limits: search imagines that the others play like club and takes no notice of their bids. In few imagined deals luck
misleads it, and what it loses by that is taken off what it gains. So all that it finds is a lower bound of what could
be gained. And none of these bots is a person.
"""


def page(strength: Strength, quick: bool = False) -> str:
    """Write the page."""
    sizes, seed = strength.sizes, strength.seed
    parts = [
        HEAD.format(
            command=f"{COMMAND} --quick" if quick else COMMAND,
            version=schmier_sim.__version__,
            seed=seed,
            goals=_goals(goals_of(strength), sizes.worlds),
        ),
        _section(
            "Each bot against each other one",
            f"schmier-sim duel --all -n {sizes.duels} --seed {seed}",
            _duels(duels.to_text(strength.duels)),
        ),
        *(
            _section(
                f"search with {met.worlds} worlds against {BOT}",
                f"schmier-sim duel search {BOT} -n {sizes.search} --worlds {met.worlds} --seed {seed}",
                _duels(duels.to_text([met])),
            )
            for met in strength.search
        ),
    ]
    titles = {
        "regret": f"What {BOT} gives away",
        "response": "What a side gains by search",
        "cells": f"Table cells by {BOT} and by search",
        "calibration": "Predicted and made",
    }
    for part, result in strength.audits.items():
        worlds = f" --worlds {result.worlds[part]}" if part in result.worlds else ""
        command = f"schmier-sim audit --part {part} -n {result.deals[part]}{worlds} --seed {seed}"
        texts = [f"{block.title}\n\n{block.to_markdown()}" for block in audits.blocks(result)]
        notes = dict.fromkeys(block.note for block in audits.blocks(result) if block.note)
        texts += ["\n".join(wrap(note, LINE)) for note in notes]
        if result.regret is not None and result.regret.worst:
            texts.append(_duels(audits.worst_text(BOT, seed, result.regret)))
        parts.append(_section(titles[part], command, "\n".join(text.rstrip() + "\n" for text in texts)))
    return "\n".join(parts)


def _section(title: str, command: str, text: str) -> str:
    return f"## {title}\n\n```sh\n{command}\n```\n\n{text}"


def _duels(text: str) -> str:
    """Text as it stands in a terminal."""
    return f"```text\n{text}```\n"


def _goals(goals: tuple[Goal, ...], worlds: int) -> str:
    block = audits.Block(
        "",
        ("goal", "wanted", "measured", ""),
        tuple(
            (GOAL_NAMES[goal.name].format(worlds=worlds), *_bounds(goal), REACHED[goal.reached])
            for goal in goals
        ),
        left=1,
    )
    return block.to_markdown().rstrip()


def _bounds(goal: Goal) -> tuple[str, str]:
    """Bound and value with its interval: points of the game, or percent."""
    half = max(goal.high - goal.value, goal.value - goal.low)
    sign = "≥" if goal.at_least else "≤"
    if goal.name == "response":
        return f"{sign} {decimal(goal.bound, 2)}", f"{decimal(goal.value, 3)} ±{decimal(half, 3)}"
    # No share that was counted is certain.
    return f"{sign} {percent(goal.bound)}", f"{percent(goal.value)} ±{percent(max(half, 0.001))}"


def main() -> None:
    """Run ``scripts/strength``."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few deals: to see that it works")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of all deals (default {SEED})")
    parser.add_argument("--workers", type=int, help="processes (default: all cores)")
    parser.add_argument(
        "--output", "-o", type=Path, help=f"file (default docs/{PAGE.name}; with --quick stdout)"
    )
    options = parser.parse_args()
    if not 0 <= options.seed < MAX_SEED:
        parser.error(f"seed {options.seed} is out of range: 0 to 2^63 - 1, such as {SEED}")
    if options.workers is not None and options.workers < 1:
        parser.error(f"{options.workers} workers are too few: take at least 1")

    def tell(progress: Progress) -> None:
        if progress.message:
            sys.stderr.write(progress.message + "\n")

    sizes = QUICK if options.quick else FULL
    text = page(
        measure(sizes, seed=options.seed, workers=options.workers, progress=tell), quick=options.quick
    )
    output = options.output or (None if options.quick else PAGE)
    if output is None:
        sys.stdout.write(text)
    else:
        write_file(output, text.encode())
        sys.stderr.write(f"wrote {output}: {count(len(text))} characters\n")


if __name__ == "__main__":
    main()
