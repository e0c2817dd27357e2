"""``audit``: how well a bot plays, measured with the slow player search."""

from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import (
    BOTS,
    DEFAULT_SEED,
    MOST_WORLDS,
    SEARCH,
    JsonOption,
    SeedOption,
    TextFileOption,
    WorkersOption,
    wants_json,
)
from schmier_sim.cli.output import STDOUT, check_texts, refusing, write_text

PARTS = ("regret", "response", "cells", "calibration")


def audit(
    console: Console,
    parts: Annotated[
        str,
        typer.Option(
            "--part",
            parser=parse.some_of(*PARTS),
            metavar="|".join(PARTS),
            help="What is measured; several with commas.",
        ),
    ] = ",".join(PARTS),
    bots: Annotated[
        str,
        typer.Option(
            "--bots", parser=parse.one_of(*BOTS), metavar="|".join(BOTS), help="The bot that is audited."
        ),
    ] = "club",
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            parser=parse.deals,
            metavar="N",
            show_default="regret 800, response and cells 3000, calibration 400k",
            help="Deals of each part.",
        ),
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(
            "--worlds",
            parser=parse.whole(2, MOST_WORLDS, "40"),
            metavar="N",
            show_default="regret 150, others 40",
            help=f"Worlds in which {SEARCH} tries each of its options.",
        ),
    ] = None,
    seed: SeedOption = DEFAULT_SEED,
    workers: WorkersOption = None,
    as_json: JsonOption = None,
    output: TextFileOption = STDOUT,
) -> None:
    """Measure how well a bot plays.

    regret: what it gives away by kind of decision beside the slow player search, and its worst decisions. response:
    what one side gains if search plays for it. cells: chances of hands with the bot at all seats, and with search.
    calibration: the chances of the bidding table, and contracts made.
    """
    check_texts([output], None)
    as_json = wants_json(console, as_json, output)
    from schmier_sim.analysis import audit as library
    from schmier_sim.present import audits as present

    with refusing(library.AuditError):
        result = library.audit(
            parse.words(parts),
            bots=bots,
            seed=seed,
            deals=deals,
            worlds=worlds,
            workers=workers,
            progress=console.progress,
        )
    console.clear()
    write_text(console, output, present.to_json(result) if as_json else present.to_text(result))
