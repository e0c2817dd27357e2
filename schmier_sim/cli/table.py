"""``table RUN``: make-probabilities, as text, CSV, JSON or Markdown."""

import shutil
from pathlib import Path
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import ByOption, MinDealsOption, RunArgument, bad_value
from schmier_sim.cli.output import refusing, write_text

FORMATS = ("table", "csv", "json", "markdown")


def table(
    console: Console,
    run_file: RunArgument,
    by: ByOption = "trumps",
    where: Annotated[
        str,
        typer.Option(
            "--where",
            metavar="FILTER",
            help='Only these hands, e.g. "trumps>=3 and holds=AK and role=dealer".',
        ),
    ] = "",
    form: Annotated[
        str,
        typer.Option(
            "--format", parser=parse.one_of(*FORMATS), metavar="|".join(FORMATS), help="How to write it."
        ),
    ] = "table",
    min_deals: MinDealsOption = 100,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            parser=parse.whole(1, parse.MOST_DEALS, "20"),
            metavar="N",
            help="Only the N rows that are dealt most often.",
        ),
    ] = None,
    wide: Annotated[
        bool, typer.Option("--wide", help="Also standard errors and the six points (table, markdown).")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here instead of to stdout.")
    ] = None,
) -> None:
    """Show the chances of making each bid.

    With their 95 % intervals, the points that such hands win, and what bidding 3, 4, 5 or 6 is worth on average.
    """
    from schmier_sim.analysis.estimates import make_table
    from schmier_sim.analysis.patterns import PatternError, parse_keys, parse_where
    from schmier_sim.analysis.store import StoreError, read_run
    from schmier_sim.present import tables

    with refusing(StoreError):
        run = read_run(run_file)
    try:
        parse_keys(by, run.info.rules)
    except PatternError as error:
        bad_value("--by", error)
    try:
        parse_where(where, run.info.rules)
    except PatternError as error:
        bad_value("--where", error)
    frame = make_table(run, by=parse.words(by), where=where, min_deals=min_deals)
    if top is not None:
        frame = frame.nlargest(top, "share").sort_index()
    if form == "table":
        width = shutil.get_terminal_size((tables.TEXT_WIDTH, 0)).columns
        text = tables.to_text(frame, run.info, wide=wide, width=width)
    elif form == "markdown":
        text = tables.to_markdown(frame, run.info, wide=wide)
    else:
        text = {"csv": tables.to_csv, "json": tables.to_json}[form](frame, run.info)
    write_text(console, output, text)
