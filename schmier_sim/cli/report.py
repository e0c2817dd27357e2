"""``report RUN``: the printed sheet."""

from pathlib import Path
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import RunArgument
from schmier_sim.cli.output import check_file, refusing

PAPERS = ("a4", "letter")


def report(
    console: Console,
    run_file: RunArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The PDF to write.")] = Path(
        "schmier.pdf"
    ),
    paper: Annotated[
        str,
        typer.Option(
            "--paper",
            parser=parse.one_of(*PAPERS),
            metavar="|".join(PAPERS),
            envvar="SCHMIER_PAPER",
            help="Size of the sheet.",
        ),
    ] = "a4",
) -> None:
    """Make a one-page sheet to print.

    With the rules in force, the main table and its chart.
    """
    from schmier_sim.analysis.store import StoreError, read_run
    from schmier_sim.present.files import PresentError
    from schmier_sim.present.report import write_report

    check_file(output)
    with refusing(StoreError, PresentError):
        write_report(read_run(run_file), output, paper=paper)
    console.data(str(output))
