"""``pointcount``: the best count that a player can do in his head, and what it costs."""

from pathlib import Path
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import (
    DEFAULT_SEED,
    JsonOption,
    SeedOption,
    TextFileOption,
    WorkersOption,
    bad_value,
    wants_json,
)
from schmier_sim.cli.output import (
    STDOUT,
    check_file,
    check_texts,
    draw_into_files,
    refuse_input,
    refusing,
    write_text,
)

LEVELS = ("trumps", "one", "two", "three", "four", "five", "six", "all", "fine")
PICTURES = (".png", ".svg", ".pdf")

LEAST_DEALS = 100


def pointcount(
    console: Console,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            parser=parse.one_of(*LEVELS),
            metavar="|".join(LEVELS),
            show_default="the recommended one",
            help="The count that is shown: how many honours count more than other trumps.",
        ),
    ] = None,
    deals: Annotated[
        int,
        typer.Option(
            "--deals", "-n", parser=parse.deals, metavar="N", help="Fresh deals that costs are measured on."
        ),
    ] = 150_000,
    seed: SeedOption = DEFAULT_SEED,
    workers: WorkersOption = None,
    as_json: JsonOption = None,
    output: TextFileOption = STDOUT,
    chart: Annotated[
        Path | None,
        typer.Option(
            "--chart",
            metavar="FILE",
            show_default=False,
            help="Draw the ladder here too, as .png, .svg or .pdf.",
        ),
    ] = None,
) -> None:
    """Tell how to count a hand in the head, and what that costs.

    Points for trumps, and from how many to bid 3, 4, 5 and 6: a card to cut out, a ladder of counts from the simplest
    to the finest with what each loses to bidding by the full tables of club, and the hands that cost most. Standard
    rules; the counts ship, their costs are measured anew.
    """
    check_texts([output], None)
    as_json = wants_json(console, as_json, output)
    if deals < LEAST_DEALS:
        bad_value(
            console, "deals", f"{deals} deals tell nothing of costs: take {LEAST_DEALS} or more, such as 150k"
        )
    if chart is not None:
        if chart.suffix.lower() not in PICTURES:
            bad_value(
                console, "chart", f"{chart} is no picture: name one such as {chart.stem or 'ladder'}.png"
            )
        refuse_input(chart, None)
        check_file(chart)
    from schmier_sim.analysis import pointcost as library
    from schmier_sim.present import pointcounts as present

    measured = library.measure(level, seed=seed, deals=deals, workers=workers, progress=console.progress)
    console.clear()
    write_text(console, output, present.to_json(measured) if as_json else present.to_text(measured))
    if chart is not None:
        draw_into_files()
        from schmier_sim.present.files import PresentError
        from schmier_sim.present.pointcount_chart import write_chart

        with refusing(PresentError):
            write_chart(measured, chart)
        console.say(f"wrote {chart}")
