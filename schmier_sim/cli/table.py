"""``table RUN``: make-probabilities, as text, CSV, JSON or Markdown."""

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console, shown
from schmier_sim.cli.options import ByOption, MinDealsOption, RunArgument, bad_value, read_run
from schmier_sim.cli.output import STDOUT, STDOUT_NAMES, check_texts, write_text

if TYPE_CHECKING:
    from pandas import DataFrame

    from schmier_sim.analysis.store import Run

FORMATS = ("table", "csv", "json", "markdown")
FOR_PEOPLE = ("table", "markdown")
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
    paths = outputs or [STDOUT]
    check_texts(paths, run_file)
    run = read_run(run_file)
    frame = _make(console, run, by, where, min_deals)
    if top is not None:
        frame = frame.nlargest(top, "share").sort_index()
    if frame.empty:
        console.say(_no_rows(frame, where, min_deals))
    for path in paths:
        kind = form or ENDINGS.get(path.suffix.lower(), "table")
        if frame.empty and kind in FOR_PEOPLE and path in STDOUT_NAMES:
            continue
        write_text(console, path, _text(frame, run, kind, where, wide, path))


def _make(console: Console, run: "Run", by: str, where: str, min_deals: int) -> "DataFrame":
    """Make the table; refuse keys and filters that cannot be read."""
    from schmier_sim.analysis.estimates import make_table
    from schmier_sim.analysis.patterns import PatternError, parse_keys, parse_where

    try:
        parse_keys(by, run.info.rules)
    except PatternError as error:
        bad_value(console, "by", error)
    try:
        parse_where(where, run.info.rules)
    except PatternError as error:
        bad_value(console, "where", error)
    return make_table(run, by=parse.words(by), where=where, min_deals=min_deals)


def _no_rows(frame: "DataFrame", where: str, min_deals: int) -> str:
    """Say why a table is empty."""
    if frame.attrs.get("dropped"):
        return f"no rows: each has fewer than {min_deals:,} deals; write a lower --min-deals, or play more"
    if frame.attrs.get("incomplete"):
        return "no rows: the run stopped before all of their hands were dealt; go on with simulate --resume"
    return f"no rows: no hand fits --where {shown(where)}" if where.strip() else "no rows: there are no deals"


def _text(frame: "DataFrame", run: "Run", form: str, where: str, wide: bool, path: Path) -> str:
    """Write the table in a format; on a terminal it is as wide as that."""
    from schmier_sim.present import tables

    if form == "csv":
        return tables.to_csv(frame, run.info, where=where)
    if form == "json":
        return tables.to_json(frame, run.info, where=where)
    if form == "markdown":
        return tables.to_markdown(frame, run.info, where=where, wide=wide)
    width = tables.TEXT_WIDTH
    if path in STDOUT_NAMES and sys.stdout.isatty():
        width = shutil.get_terminal_size((width, 0)).columns
    return tables.to_text(frame, run.info, where=where, wide=wide, width=width)
