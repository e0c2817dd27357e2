"""Writes docs/soak.md and its chart: what a deal costs in runs of any length, and how much memory they take."""

import argparse
import platform
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import schmier_sim
from schmier_sim.analysis.run import Progress
from schmier_sim.analysis.soak import Length, Sample, Soak, soak
from schmier_sim.kernel.simulate import Setup
from schmier_sim.present.files import write_file
from schmier_sim.present.numbers import count, decimal
from schmier_sim.present.style import BID_STYLES, LIGHT, Grid, figure_bytes, new_figure, settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COMMAND = "scripts/soak"
DOCS = Path(__file__).parents[2] / "docs"
FULL = 1_000_000_000
LEAST = 100_000
TITLE = "One long run"
NOTE = (
    "On the clock: deals a second between two samples, with all that a run does (saving it too). By the processor: "
    "deals in a second of one core, which other programs on the machine disturb less."
)


def chart(result: Soak) -> "Figure":
    """Draw speed and memory against the deals played."""
    samples = result.samples
    pairs = list(pairwise(samples))
    deals = [after.deals / 1e6 for _, after in pairs]
    clock = [_speed(before, after, "seconds") / 1e6 for before, after in pairs]
    processor = [_speed(before, after, "processor") / 1e6 for before, after in pairs]
    memory = [sample.memory / 2**20 for sample in samples]
    with settings():
        grid = Grid(rows=2, left=0.75, right=0.2, down=0.35, share=False)
        figure, (above, below) = new_figure(4.6, grid, TITLE, NOTE, _caption(result))
        for name, values, style in (("on the clock", clock, 3), ("by the processor", processor, 4)):
            look = BID_STYLES[style] | {"marker": ""}
            above.plot(deals, values, label=name, **look)
        above.set(ylabel="million deals a second")
        above.legend(loc="lower right", ncols=2, frameon=False)
        below.plot([sample.deals / 1e6 for sample in samples], memory, **(BID_STYLES[5] | {"marker": ""}))
        below.set(ylabel="memory, MiB", xlabel="million deals played")
        for panel, values in ((above, [*clock, *processor]), (below, memory)):
            panel.set_ylim(0, 1.25 * max(values))
            panel.set_xlim(0, samples[-1].deals / 1e6)
            panel.grid(axis="y", color=LIGHT)
            panel.xaxis.set_major_formatter(lambda value, _: count(value))
    return figure


def _speed(before: Sample, after: Sample, by: str) -> float:
    """Deals a second between two samples."""
    used: float = getattr(after, by) - getattr(before, by)
    return (after.deals - before.deals) / max(used, 1e-9)


def _caption(result: Soak) -> str:
    setup = result.setup
    return (
        f"bots {setup.bots} · mode {setup.mode}, {setup.sample} sample · {count(result.samples[-1].deals)} deals · "
        f"seed {setup.seed} · {result.workers} threads · schmier-sim {schmier_sim.__version__}"
    )


def page(result: Soak, command: str) -> str:
    """Write the page as Markdown."""
    longest = result.lengths[-1]
    rows = "\n".join(_row(length, longest) for length in result.lengths)
    memory = [sample.memory for sample in result.samples]
    middle = memory[len(memory) // 2 :]
    return f"""# Long runs

This page and its chart are written by `{COMMAND}`, here with schmier-sim {schmier_sim.__version__},
Python {platform.python_version()} and {result.workers} threads:

```sh
{command}
```

![Speed and memory of one long run](soak.svg)

| deals | runs | seconds | ns a deal, clock | ns a deal, processor | compared with the longest | memory, MiB |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{rows}

Half of the shorter runs are played before the longest and half after it, and averaged. *Compared with the longest*:
processor time a deal. Seconds are those of a whole run with all its saves, without starting the program; packing up
chunks and writing the file take some hundredths of a second, which a short run notices. In its second half the longest
run held between {decimal(min(middle) / 2**20, 0)} and {decimal(max(middle) / 2**20, 0)} MiB.

A run keeps two arrays of counts, and each thread a pair of its own; how many deals they count changes nothing in their
size.
"""


def _row(length: Length, longest: Length) -> str:
    clock, processor = (
        1e9 * value / length.times / length.deals for value in (length.seconds, length.processor)
    )
    ratio = processor / (1e9 * longest.processor / longest.deals)
    cells = (
        count(length.deals),
        str(length.times),
        decimal(length.seconds / length.times, 1),
        count(clock),
        count(processor),
        decimal(ratio, 3),
        decimal(length.memory / 2**20, 0),
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Run ``scripts/soak``."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("--deals", "-n", type=int, default=FULL, help=f"the longest run (default {FULL})")
    parser.add_argument(
        "--bots", choices=("club", "simple", "random"), default="club", help="who plays (default club)"
    )
    parser.add_argument("--workers", type=int, help="threads (default: all cores)")
    parser.add_argument("--output", "-o", type=Path, default=DOCS, help="folder (default docs)")
    options = parser.parse_args()
    if options.deals < LEAST:
        parser.error(f"{options.deals} deals are too few to see anything: take at least {LEAST}")
    if options.workers is not None and options.workers < 1:
        parser.error(f"{options.workers} workers are too few: take at least 1")
    told = [0]

    def tell(progress: Progress) -> None:
        tenth = 10 * progress.done // progress.total
        if tenth > told[0] and progress.total == options.deals:
            told[0] = tenth
            sys.stderr.write(f"{count(progress.done)} of {count(progress.total)} deals\n")

    with TemporaryDirectory() as folder:
        result = soak(
            Setup(bots=options.bots),
            options.deals,
            Path(folder) / "run.parquet",
            workers=options.workers,
            report=tell,
        )
    command = f"{COMMAND} -n {options.deals} --bots {options.bots}"
    write_file(options.output / "soak.svg", figure_bytes(chart(result), "svg"))
    write_file(options.output / "soak.md", page(result, command).encode())
    sys.stderr.write(f"wrote {options.output / 'soak.md'} and soak.svg\n")


if __name__ == "__main__":
    main()
