"""The ladder of counts as a picture: how much a simpler one costs."""

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from schmier_sim.analysis.pointcost import Measured
from schmier_sim.present.files import write_file
from schmier_sim.present.numbers import Z95, decimal
from schmier_sim.present.pointcounts import provenance, short_points
from schmier_sim.present.style import (
    BID_STYLES,
    GREY,
    LIGHT,
    Grid,
    figure_bytes,
    new_figure,
    settings,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "What a simpler count costs"
X = "points a deal that a team loses to bidding by the full tables"
NOTE = (
    "Bars: 95 % intervals; each upright line is ten times the one before. By the tables: what its calls bring less "
    "than the best. Played out: one team bids by the count, the others by the full tables; a mean beyond the axis is "
    "not shown. Numbers: points of cards, any other trump 1 (x: what it counts where that is not 1)."
)
ROW = 0.36  # inches
HEAD, FOOT = 0.5, 1.15
LEAST = 0.001
SERIES = (
    ("by the tables", "loss", BID_STYLES[3] | {"linestyle": "none"}, 0.14),
    ("played out", "relative", BID_STYLES[4] | {"linestyle": "none"}, -0.14),
)


def ladder(measured: Measured) -> "Figure":
    """Draw the counts from the simplest at the top, and what each loses."""
    counts = measured.ladder.counts
    height = HEAD + FOOT + ROW * len(counts)
    with settings():
        grid = Grid(left=2.75, right=0.25, top=HEAD, bottom=FOOT)
        figure, (panel,) = new_figure(height, grid, TITLE, NOTE, None)
        figure.text(0.012, 1 - 0.08 / height, TITLE, size=13, weight="bold", va="top")
        lines = [*wrap(NOTE, 136), " · ".join(provenance(measured))]
        for number, line in enumerate(reversed(lines)):
            figure.text(0.012, (0.08 + 0.16 * number) / height, line, size=7.5, color=GREY, va="bottom")
        _draw(panel, measured)
    return figure


def _draw(panel: "Axes", measured: Measured) -> None:
    counts = measured.ladder.counts
    places = range(len(counts))
    panel.set(xscale="log", xlim=(LEAST, 1), ylim=(len(counts) - 0.5, -0.5), xlabel=X)
    panel.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    panel.grid(axis="x", color=LIGHT)
    panel.set_axisbelow(True)
    panel.tick_params(axis="y", length=0)
    panel.set_yticks(places, [f"{each.name}\n{short_points(each)}" for each in counts])
    for label, each in zip(panel.get_yticklabels(), counts, strict=True):
        label.set(size=8, weight="bold" if each.name == measured.ladder.recommended else "normal")
    for name, field, style, shift in SERIES:
        for place, cost in zip(places, measured.costs, strict=True):
            mean = abs(min(cost.relative, 0.0)) if field == "relative" else cost.loss
            if mean < LEAST:
                continue
            width = Z95 * (cost.relative_se if field == "relative" else cost.loss_se)
            panel.errorbar(
                mean,
                place - shift,
                xerr=[[min(width, mean - LEAST / 2)], [width]],
                capsize=2,
                elinewidth=0.8,
                label=name if place == 0 else None,
                **style,
            )
    for place, cost in zip(places, measured.costs, strict=True):
        panel.text(cost.loss * 0.8, place - 0.22, decimal(cost.loss, 3), size=7, ha="right", va="center")
    panel.legend(loc="lower right", frameon=False)


def write_chart(measured: Measured, path: Path) -> None:
    """Write the picture to a file whose ending is one of `style.CHART_FORMATS`.

    Raises
    ------
    PresentError
        For another ending, or a file that cannot be written.
    """
    ending = path.suffix.lower().removeprefix(".")
    write_file(path, figure_bytes(ladder(measured), ending))
