"""Charts: frames of `analysis.estimates.make_table` in, figures out, and the files of all charts of a run.

Each figure is titled with what a player wants to know and ends with rules, bots, deals, seed and version.  With
`info=None` it comes without title and foot, to be set into a page that has its own.
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.handout import TYPICAL
from schmier_sim.analysis.store import Run, RunInfo
from schmier_sim.game.cards import POINTS
from schmier_sim.present import words
from schmier_sim.present.files import PresentError, make_folder, write_file
from schmier_sim.present.numbers import MISSING, Z95, decimal, once_in, one_in, percent
from schmier_sim.present.style import (
    BID_STYLES,
    CHART_FORMATS,
    FILLED,
    GREY,
    INK,
    LIGHT,
    POINT_STYLES,
    SHADES,
    Grid,
    figure_bytes,
    new_figure,
    settings,
)
from schmier_sim.present.words import BIDS, ROLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PATTERN_ROWS = 18
FREQUENT_TRUMPS = 3  # of four suits the longest has three trumps in most hands; shorter ones are rarely bid
STRONG_SHARE = 1 / 10_000  # the very strongest hands are never seen in a player's life
WON_HEIGHT = 4.4
WON_ROOM = 0.13  # inches that a part's number needs
BASELINE = 0.68  # of a row of the heatmaps from its top: digits and capitals stand in its middle
BACKING = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # behind a text, against lines and hatches
CHART_DEALS = 100  # a row with fewer is left out of every chart


def by_trumps(frame: pd.DataFrame, info: RunInfo | None = None, height: float = 3.1) -> "Figure":
    """Draw the chance of making 3, 4, 5 and 6 by the number of trumps, one panel for each role of the declarer.

    Parameters
    ----------
    frame : DataFrame
        Rows of `make_table` by role and trumps.
    info : RunInfo, optional
        The run, for title and foot line.
    height : float
        Inches of the panels.
    """
    with settings():
        grid = Grid(columns=len(ROLES), left=0.75, share=True)
        figure, panels = new_figure(height, grid, words.BY_TRUMPS_TITLE, words.BY_TRUMPS_NOTE, info)
        for panel, role in zip(panels, ROLES, strict=True):
            panel.set_title(words.ROLE_TITLES[role])
            _make_lines(panel, frame[frame["role"] == role].sort_values("trumps"))
        panels[0].set_ylabel(words.BY_TRUMPS_Y)
        panels[1].set_xlabel(words.BY_TRUMPS_X)
    return figure


def _make_lines(panel: "Axes", rows: pd.DataFrame) -> None:
    panel.set(xlim=(-0.3, 7.5), ylim=(-2, 102), xticks=range(7), yticks=range(0, 101, 20))
    panel.set_yticks(range(0, 101, 10), minor=True)
    panel.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    level_lines(panel, range(0, 101, 10), -0.3, 6.3)
    if rows.empty:
        panel.text(3, 50, words.TOO_FEW, ha="center", color=GREY)
        return
    ends = []
    for bid in BIDS:
        make, low, high = (100 * rows[f"make_{bid}{bound}"] for bound in ("", "_low", "_high"))
        errors = np.clip([make - low, high - make], 0, None)
        panel.errorbar(
            rows["trumps"], make, yerr=errors, capsize=2, elinewidth=0.8, clip_on=False, **BID_STYLES[bid]
        )
        ends.append(float(make.iloc[-1]))
    right = float(rows["trumps"].iloc[-1])
    for bid, place in zip(BIDS, apart(ends, 6.5, 100), strict=True):
        panel.text(
            right + 0.35,
            place,
            words.BID.format(bid=bid),
            size=8,
            weight="bold",
            va="center",
            color=BID_STYLES[bid]["color"],
            bbox=BACKING,
        )


def level_lines(panel: "Axes", levels: Iterable[float], left: float, right: float) -> None:
    """Draw grid lines and the axis below as far as the data reach, so that no line runs through a label beside."""
    panel.hlines(list(levels), left, right, color=LIGHT, linewidth=0.6, zorder=0.5)
    panel.spines["bottom"].set_bounds(left, right)


def apart(places: Sequence[float], gap: float, top: float) -> list[float]:
    """Move falling places of labels down, and then up again, until they are `gap` apart."""
    moved: list[float] = []
    for place in places:
        moved.append(min(place, moved[-1] - gap) if moved else min(place, top))
    return [max(place, gap * (len(moved) - 1 - number)) for number, place in enumerate(moved)]


def patterns(frame: pd.DataFrame, info: RunInfo | None = None) -> "Figure":
    """Draw which bids the most frequent and the strongest trump holdings make, chances in the cells.

    Parameters
    ----------
    frame : DataFrame
        Rows of `make_table` by pattern.
    info : RunInfo, optional
        The run, for title and foot line.
    """
    seen = frame[frame["pattern"].map(_trumps) >= FREQUENT_TRUMPS]
    frequent = seen.sort_values(["share", "mean_points"], ascending=False, kind="stable")[:PATTERN_ROWS]
    frequent = frequent.sort_values("mean_points", ascending=False, kind="stable")
    strongest = frame[frame["share"] >= STRONG_SHARE].sort_values(
        "mean_points", ascending=False, kind="stable"
    )
    shown = pd.concat([frequent, strongest[:PATTERN_ROWS]])
    sample = info.sample if info else "stratified"
    note = words.PATTERNS_NOTE.format(width=_widest(shown), once=words.CHART_ONCE[sample])
    dealt = words.DEALT[sample]
    with settings():
        grid = Grid(columns=2, left=0.75, top=0.5, bottom=0.1, across=0.85)
        figure, panels = new_figure(0.25 * PATTERN_ROWS + 0.6, grid, words.PATTERNS_TITLE, note, info)
        _heatmap(panels[0], frequent, words.PATTERNS_FREQUENT.format(dealt=dealt))
        strong = words.PATTERNS_STRONGEST.format(dealt=dealt, hands=one_in(STRONG_SHARE))
        _heatmap(panels[1], strongest[:PATTERN_ROWS], strong)
    return figure


def _heatmap(panel: "Axes", rows: pd.DataFrame, title: str) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("made", SHADES)
    panel.set_title(title, size=8.5, x=-0.225)  # above the labels at the left as well
    panel.spines[:].set_visible(False)
    panel.tick_params(length=0)
    panel.xaxis.tick_top()
    places = [*(np.arange(len(BIDS)) + 0.5), len(BIDS) + 0.9]
    panel.set_xticks(places, [*(words.BID.format(bid=bid) for bid in BIDS), words.PATTERNS_ONCE])
    panel.set(xlim=(0, len(BIDS) + 1.3), ylim=(PATTERN_ROWS, 0))
    if rows.empty:
        panel.set_yticks([])
        panel.text(2, PATTERN_ROWS / 2, words.TOO_FEW, ha="center", color=GREY)
        return
    chances = rows[[f"make_{bid}" for bid in BIDS]].to_numpy(dtype=float)
    panel.pcolormesh(chances, cmap=shades, vmin=0, vmax=1, edgecolor="white", linewidth=1)
    baselines = [row + BASELINE for row in range(len(rows))]
    labels = [words.key_text("pattern", text) for text in rows["pattern"]]
    panel.set_yticks(baselines, labels, va="baseline")
    for (row, column), chance in np.ndenumerate(chances):
        ink = "white" if chance > 0.68 else INK
        panel.text(column + 0.5, baselines[row], percent(chance, 0), ha="center", va="baseline", color=ink)
    for baseline, share in zip(baselines, rows["share"], strict=True):
        panel.text(len(BIDS) + 1.25, baseline, one_in(share), ha="right", va="baseline", size=7.5, color=GREY)


def points(
    frame: pd.DataFrame, info: RunInfo | None = None, holdings: Sequence[str] = TYPICAL, columns: int = 4
) -> "Figure":
    """Draw how many of the six points the declaring team wins with each of some trump holdings, small multiples.

    Parameters
    ----------
    frame : DataFrame
        Rows of `make_table` by pattern.
    info : RunInfo, optional
        The run, for title and foot line.
    holdings : sequence of str
        Patterns of the frame, in the order in which they are shown.
    columns : int
        Panels side by side.
    """
    found = frame.set_index("pattern")
    rows = -(-len(holdings) // columns)
    shown = found.loc[[holding for holding in holdings if holding in found.index]]
    counts = shown[[f"points_{number}" for number in range(7)]].to_numpy(dtype=float)
    heights = dict(zip(shown.index, 100 * counts / counts.sum(axis=1, keepdims=True), strict=True))
    top = 10 + max((float(bars.max()) for bars in heights.values()), default=90.0)
    with settings():
        once = words.CHART_ONCE[info.sample if info else "stratified"]
        note = words.POINTS_NOTE.format(width=_bound(shown), once=once)
        grid = Grid(rows, columns, left=0.1, top=0.4, bottom=0.4, across=0.15, down=0.85)
        figure, panels = new_figure(1.85 * rows, grid, words.POINTS_TITLE, note, info)
        for panel in panels[len(holdings) :]:
            panel.set_axis_off()
        for panel, holding in zip(panels, holdings, strict=False):
            panel.set_title(words.key_text("pattern", holding), size=9.5, pad=14)
            panel.set_xlabel(words.POINTS_X, size=8)
            panel.tick_params(length=0, labelbottom=True)
            panel.set(xticks=range(7), yticks=[], xlim=(-0.6, 6.6), ylim=(0, top))
            panel.spines["left"].set_visible(False)
            if holding not in heights:
                panel.text(3, top / 2, words.TOO_FEW, ha="center", color=GREY)
                continue
            _bars(panel, heights[holding])
            mean, once = decimal(found["mean_points"][holding], 1), once_in(found["share"][holding])
            text = words.POINTS_MEAN.format(mean=mean, once=once)
            panel.text(0, 1.03, text, transform=panel.transAxes, size=7, color=GREY)
    return figure


def _bars(panel: "Axes", heights: Any) -> None:
    colours = [LIGHT if number < BIDS[0] else FILLED for number in range(7)]
    panel.bar(range(7), heights, width=0.8, color=colours, edgecolor=INK, linewidth=0.5)
    for number, height in enumerate(heights):
        panel.text(number, height + 1.5, decimal(height, 0), ha="center", size=7)


def points_won(frame: pd.DataFrame, info: RunInfo | None = None) -> "Figure":
    """Draw which of the six points the declaring team wins, stacked, by the number of trumps.

    Parameters
    ----------
    frame : DataFrame
        Rows of `make_table` by trumps.
    info : RunInfo, optional
        The run, for title and foot line.
    """
    rows = frame.sort_values("trumps")
    with settings():
        grid = Grid(left=0.5, top=0.1, bottom=0.5)
        top = float(rows["mean_points"].max()) + 0.3 if len(rows) else 6.4
        room = WON_ROOM * top / (WON_HEIGHT - grid.top - grid.bottom)
        parts = rows[[f"won_{point}" for point in POINTS]].to_numpy(dtype=float)
        small = words.WON_SMALL.format(below=percent(room, 0)) if (parts < room).any() else ""
        note = words.WON_NOTE.format(width=_bound(rows), small=small)
        figure, (panel,) = new_figure(WON_HEIGHT, grid, words.WON_TITLE, note, info)
        left, right = (int(rows["trumps"].iloc[end]) for end in (0, -1)) if len(rows) else (0, 6)
        panel.set(xlim=(left - 0.6, right + 2.1), ylim=(0, top))
        panel.set(xticks=range(left, right + 1), yticks=range(int(top) + 1))
        level_lines(panel, range(int(top) + 1), left - 0.6, right + 0.45)
        panel.set(xlabel=words.WON_X, ylabel=words.WON_Y)
        panel.xaxis.set_label_coords(0.5 * (right - left + 1.2) / (right - left + 2.7), -0.1)
        panel.tick_params(axis="x", length=0)
        bottom = np.zeros(len(rows))
        for point in POINTS:
            won = rows[f"won_{point}"].to_numpy(dtype=float)
            _stack(panel, rows["trumps"].to_numpy(), won, bottom, point, room)
            bottom = bottom + won
        for trumps, total in zip(rows["trumps"], bottom, strict=True):
            panel.text(trumps, total + 0.08, decimal(total), ha="center", weight="bold")
    return figure


def _stack(panel: "Axes", trumps: Any, won: Any, bottom: Any, point: str, room: float) -> None:
    """Draw one point's part of every column, with its number where it is at least `room` high."""
    panel.bar(trumps, won, bottom=bottom, width=0.82, edgecolor=INK, linewidth=0.6, **POINT_STYLES[point])
    ink = "white" if point in ("high", "game") else INK
    box = BACKING if POINT_STYLES[point]["hatch"] else None
    for place, chance, base in zip(trumps, won, bottom, strict=True):
        if chance >= room:
            text = percent(chance, 0) + " %"
            panel.text(place, base + chance / 2, text, ha="center", va="center", size=7, color=ink, bbox=box)
    if len(trumps):
        panel.text(
            trumps[-1] + 0.5, bottom[-1] + won[-1] / 2, words.POINT_NAMES[point], va="center", size=8.5
        )


def write_charts(run: Run, folder: Path, formats: Sequence[str] = ("png", "svg")) -> list[Path]:
    """Draw all charts of a run and write them to a folder, which is made if need be.

    Parameters
    ----------
    run : Run
        What was counted.
    folder : Path
        Where the files go; they are called `make-by-trumps`, `patterns`, `points` and `points-won`.
    formats : sequence of str
        Some of "png", "svg" and "pdf".

    Returns
    -------
    list of Path
        The files, chart by chart.

    Raises
    ------
    PresentError
        For an unknown format or a folder that cannot be written; nothing half written stays.
    """
    for image_format in formats:
        if image_format not in CHART_FORMATS:
            raise PresentError(f'no charts in format "{image_format}": choose png, svg or pdf')
    make_folder(folder)
    holdings = make_table(run, by=("pattern",), min_deals=CHART_DEALS)
    figures = {
        "make-by-trumps": by_trumps(make_table(run, by=("role", "trumps"), min_deals=CHART_DEALS), run.info),
        "patterns": patterns(holdings, run.info),
        "points": points(holdings, run.info),
        "points-won": points_won(make_table(run, by=("trumps",), min_deals=CHART_DEALS), run.info),
    }
    paths = []
    for name, figure in figures.items():
        for image_format in formats:
            paths.append(folder / f"{name}.{image_format}")
            write_file(paths[-1], figure_bytes(figure, image_format))
    return paths


def _trumps(pattern: str) -> int:
    return len(pattern.split())


def _widest(rows: pd.DataFrame) -> str:
    """Write the largest distance of a shown chance to its 95 % limits, in percentage points."""
    chances, lows, highs = (
        rows[[f"make_{bid}{bound}" for bid in BIDS]].to_numpy(dtype=float) for bound in ("", "_low", "_high")
    )
    return percent(np.maximum(chances - lows, highs - chances).max()) if len(rows) else MISSING


def _bound(rows: pd.DataFrame) -> str:
    """Write a half-width, in percentage points, that the 95 % interval of no share of these rows exceeds."""
    return percent(Z95 / 2 / math.sqrt(rows["effective_deals"].min())) if len(rows) else MISSING
