"""``chart RUN``: the pictures."""

from pathlib import Path
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import RunArgument
from schmier_sim.cli.output import refusing

FORMATS = ("png", "svg", "pdf")


def chart(
    console: Console,
    run_file: RunArgument,
    formats: Annotated[
        str,
        typer.Option(
            "--format",
            parser=parse.some_of(*FORMATS),
            metavar="|".join(FORMATS),
            help="One or more, with commas.",
        ),
    ] = "png",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the pictures; made if need be.")
    ] = Path("charts"),
) -> None:
    """Draw the chances as pictures.

    By trump length and seat, by pattern, the distribution of points, and which of the six points are won.
    """
    from schmier_sim.analysis.store import StoreError, read_run
    from schmier_sim.present.charts import write_charts
    from schmier_sim.present.files import PresentError

    with refusing(StoreError, PresentError):
        run = read_run(run_file)
        paths = write_charts(run, output, parse.words(formats))
    for path in paths:
        console.data(str(path))
