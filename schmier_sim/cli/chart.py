"""``chart RUN``: the pictures."""

from pathlib import Path
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console, usage
from schmier_sim.cli.options import RunArgument, read_run
from schmier_sim.cli.output import draw_into_files, folder_for, refuse_stdout, refusing

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
    refuse_stdout(output, "charts")
    names = parse.words(formats)
    _keep_run(run_file, output, names)
    run = read_run(run_file)
    draw_into_files()
    from schmier_sim.present.charts import write_charts
    from schmier_sim.present.files import PresentError

    with refusing(PresentError), folder_for(output):
        paths = write_charts(run, output, names)
    for path in paths:
        console.data(str(path))


def _keep_run(run_file: Path, folder: Path, formats: tuple[str, ...]) -> None:
    """Refuse a folder where a picture could take the place of the run file."""
    if folder.exists() and folder.is_file():
        usage(f"--output: {folder} is a file; name a folder, such as -o charts")
    if run_file.suffix.removeprefix(".") in formats and folder.is_dir() and run_file.parent.samefile(folder):
        usage(f"--output: a picture could be written over the run file {run_file}; name another folder")
