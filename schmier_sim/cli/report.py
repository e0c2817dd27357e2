"""``report RUN``: the printed sheet."""

from pathlib import Path
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console, usage
from schmier_sim.cli.options import RunArgument, read_run
from schmier_sim.cli.output import check_file, draw_into_files, refuse_input, refuse_stdout, refusing

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
    refuse_stdout(output, "sheet.pdf")
    refuse_input(output, run_file)
    if output.suffix.lower() != ".pdf":
        usage(f"--output: the sheet is a PDF, and {output} does not end in .pdf; write -o {output.stem}.pdf")
    check_file(output)
    run = read_run(run_file)
    draw_into_files()
    from schmier_sim.present.files import PresentError
    from schmier_sim.present.report import write_report

    with refusing(PresentError):
        write_report(run, output, paper=paper)
    console.data(str(output))
