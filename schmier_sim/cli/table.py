"""``table RUN``: make-probabilities, as text, CSV, JSON or Markdown."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import ByOption, MinDealsOption, RunArgument, bad_value
from schmier_sim.cli.output import STDOUT, refusing, write_text

if TYPE_CHECKING:
    from pandas import DataFrame

    from schmier_sim.analysis.store import Run

FORMATS = ("table", "csv", "json", "markdown")
ENDINGS = {".csv": "csv", ".json": "json", ".md": "markdown"}


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
        str | None,
        typer.Option(
            "--format",
            parser=parse.one_of(*FORMATS),
            metavar="|".join(FORMATS),
            show_default="what a FILE's ending says, else table",
            help="How to write it.",
        ),
    ] = None,
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
    outputs: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write here instead of to stdout; can be given several times.",
        ),
    ] = None,
) -> None:
    """Show the chances of making each bid.

    With their 95 % intervals, the points that such hands win, and what bidding 3, 4, 5 or 6 is worth on average.
    """
    from schmier_sim.analysis.store import StoreError, read_run

    with refusing(StoreError):
        run = read_run(run_file)
    frame = _make(run, by, where, min_deals)
    if top is not None:
        frame = frame.nlargest(top, "share").sort_index()
    for path in outputs or [STDOUT]:
        write_text(console, path, _text(frame, run, form or ENDINGS.get(path.suffix, "table"), wide, path))


def _make(run: "Run", by: str, where: str, min_deals: int) -> "DataFrame":
    """Make the table; refuse keys and filters that cannot be read."""
    from schmier_sim.analysis.estimates import make_table
    from schmier_sim.analysis.patterns import PatternError, parse_keys, parse_where

    try:
        parse_keys(by, run.info.rules)
    except PatternError as error:
        bad_value("--by", error)
    try:
        parse_where(where, run.info.rules)
    except PatternError as error:
        bad_value("--where", error)
    return make_table(run, by=parse.words(by), where=where, min_deals=min_deals)


def _text(frame: "DataFrame", run: "Run", form: str, wide: bool, path: Path) -> str:
    """Write the table in a format; on a terminal it is as wide as that."""
    from schmier_sim.present import tables

    if form == "csv":
        return tables.to_csv(frame, run.info)
    if form == "json":
        return tables.to_json(frame, run.info)
    if form == "markdown":
        return tables.to_markdown(frame, run.info, wide=wide)
    width = tables.TEXT_WIDTH
    if path == STDOUT and sys.stdout.isatty():
        width = shutil.get_terminal_size((width, 0)).columns
    return tables.to_text(frame, run.info, wide=wide, width=width)
