"""``bench``: how fast the simulator is here."""

import json
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import WorkersOption


def bench(
    console: Console,
    as_json: Annotated[bool, typer.Option("--json/--table", help="JSON, or a table for people.")] = False,
    workers: WorkersOption = None,
    deals: Annotated[
        int,
        typer.Option(
            "--deals", "-n", parser=parse.deals, metavar="N", help="Deals in each of the timed windows."
        ),
    ] = 2_000_000,
) -> None:
    """Measure the speed on this machine.

    Deals a second for each bot, mode and sample, with one worker and with --workers; the best of several windows
    counts. Compile time is that of a fresh machine; a cached start is a new process up to its first deals.
    """
    from schmier_sim.analysis import bench as library

    result = library.measure(deals=deals, workers=workers, say=console.say)
    if as_json:
        console.data(json.dumps(library.to_json(result)))
        return
    console.data(f"{'bots':8}{'mode':9}{'sample':12}{'workers':>7}{'million deals/s':>17}{'ns/deal':>9}")
    for row in result.rows:
        millions = row.deals_per_second / 1e6
        console.data(
            f"{row.bots:8}{row.mode:9}{row.sample:12}{row.workers:7}{millions:17.2f}{row.ns_per_deal:9.0f}"
        )
    console.data("")
    console.data(f"compiling on a fresh machine  {result.compile_seconds:5.1f} s")
    console.data(f"start with a warm cache       {result.cached_start_seconds:5.1f} s")
