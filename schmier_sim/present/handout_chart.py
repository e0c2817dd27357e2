"""The chart of the handout: how often bids are made, by the number of trumps, with and without ace and two.

Its letters stay text, in the handout's own font: it is set into pages that have this font, or another with serifs.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from schmier_sim.analysis.handout import SURE
from schmier_sim.present.charts import apart, level_lines
from schmier_sim.present.style import GREY, INK, Grid, figure_bytes, new_figure, settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FONT = "Libertinus Serif"
STYLES: dict[str, dict[str, Any]] = {
    "A 2": {"color": "#111111", "linestyle": "-", "marker": "D"},
    "A": {"color": "#d95f02", "linestyle": "--", "marker": "s"},
    "2": {"color": "#1b6e52", "linestyle": "-.", "marker": "^"},
    "": {"color": "#2b78b0", "linestyle": ":", "marker": "o"},
}
SHOWN_BIDS = (3, 4, 5)
GAP = 8.0
HEIGHT = 2.9
"""Inches."""
LARGER = 1.4
"""By so much the letters of large print are larger."""
MEASURED = "DejaVu Serif"
"""A font that comes with matplotlib, to measure texts by."""
TEXT = {
    "font.family": MEASURED,
    "svg.fonttype": "none",
    "font.size": 9.5,
    "axes.labelsize": 9.5,
    "axes.titlesize": 10.5,
}


def chart_svg(
    frame: pd.DataFrame, words: Mapping[str, str], percent_sign: str, *, large: bool = False
) -> bytes:
    """Draw the chart as SVG.

    Parameters
    ----------
    frame : DataFrame
        Rows of `make_table` by trumps and by which sure points are held (`analysis.handout.sure_points`).
    words : mapping of str to str
        As `handout.chart_words` gives them.
    percent_sign : str
        The sign with the gap before it.
    large : bool
        With larger letters.
    """
    scale = LARGER if large else 1.0
    text = {name: value * scale if isinstance(value, float) else value for name, value in TEXT.items()}
    with settings(text):
        grid = Grid(
            columns=len(SHOWN_BIDS),
            left=0.55 * scale,
            right=1.05 * scale,
            top=0.28 * scale,
            bottom=0.42 * scale,
            across=0.18,
            share=True,
        )
        figure, panels = new_figure(HEIGHT * scale, grid, "", "", None)
        for panel, bid in zip(panels, SHOWN_BIDS, strict=True):
            panel.set_title(words[str(bid)])
            ends = _lines(panel, frame, bid, percent_sign)
        panels[len(panels) // 2].set_xlabel(words["x"])
        places = apart([ends[name] for name in SURE if name in ends], GAP, 100)
        for name, place in zip((name for name in SURE if name in ends), places, strict=True):
            panels[-1].text(6.35, place, words[name], va="center", color=STYLES[name]["color"], weight="bold")
    return figure_bytes(figure, "svg", text).replace(MEASURED.encode(), FONT.encode())


def _lines(panel: "Axes", frame: pd.DataFrame, bid: int, percent_sign: str) -> dict[str, float]:
    """Draw the lines of a bid; return where each ends."""
    panel.set(xlim=(-0.2, 6.3), ylim=(-2, 102), xticks=range(7), yticks=range(0, 101, 20))
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}{percent_sign}")
    level_lines(panel, range(0, 101, 20), -0.2, 6.2)
    ends = {}
    for name in SURE:
        rows = frame[frame["sure"] == name].sort_values("trumps")
        if rows.empty:
            continue
        make, low, high = (
            100 * rows[f"make_{bid}{bound}"].to_numpy(float) for bound in ("", "_low", "_high")
        )
        errors = np.clip([make - low, high - make], 0, None)
        panel.errorbar(
            rows["trumps"],
            make,
            yerr=errors,
            capsize=2,
            elinewidth=0.8,
            ecolor=INK,
            clip_on=False,
            **STYLES[name],
        )
        ends[name] = float(make[-1])
    panel.tick_params(colors=GREY, labelcolor=INK)
    return ends
