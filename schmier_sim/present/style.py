"""One style for all charts: matplotlib's settings, colours, marks and hatches, the frame of a figure, its bytes.

Charts are read in black and white as well: every colour comes with its own line style and mark, or hatch, and differs
in lightness.  matplotlib is imported only when a chart is drawn, and never its `pyplot`, which keeps global state.
"""

import io
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from schmier_sim.analysis.store import RunInfo
from schmier_sim.present.files import PresentError
from schmier_sim.present.words import AUCTION_NOTE, caption

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHART_FORMATS = ("png", "svg", "pdf")
PAGE_WIDTH = 7.48  # inches: 190 mm, the width of an A4 page within its margins
INK = "#1a1a1a"
GREY = "#595959"
LIGHT = "#d9d9d9"
FILLED = "#2f6f9f"

BID_STYLES: dict[int, dict[str, Any]] = {
    3: {"color": "#3f9fd8", "linestyle": "-", "marker": "o"},
    4: {"color": "#d95f02", "linestyle": "--", "marker": "s"},
    5: {"color": "#1b6e52", "linestyle": "-.", "marker": "^"},
    6: {"color": "#111111", "linestyle": ":", "marker": "D"},
}
POINT_STYLES: dict[str, dict[str, Any]] = {
    "high": {"facecolor": "#08519c", "hatch": ""},
    "low": {"facecolor": "#9ecae1", "hatch": ""},
    "right": {"facecolor": "#f6d8b8", "hatch": "////"},
    "left": {"facecolor": "#ffffff", "hatch": "\\\\\\\\"},
    "joker": {"facecolor": "#e6e6e6", "hatch": "...."},
    "game": {"facecolor": "#737373", "hatch": ""},
}

SHADES = (
    "#ffffff",
    "#a8cfe8",
    "#3787c0",
    "#08306b",
)  # from never to always; darker in grey print as well

_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same letters
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "grid.color": LIGHT,
    "grid.linewidth": 0.6,
    "hatch.color": INK,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "lines.markersize": 4.5,
    "xtick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.color": GREY,
    "ytick.labelcolor": INK,
    "savefig.dpi": 160,
    "text.parse_math": False,  # dollars in the name of rules are dollars
    "svg.fonttype": "path",  # the same letters in every viewer, and in print, whatever fonts it has
    "svg.hashsalt": "schmier-sim",
    "pdf.fonttype": 42,
}
_METADATA: dict[str, dict[str, Any]] = {  # no dates and program versions: the same input gives the same bytes
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_ENCODING: dict[str, dict[str, Any]] = {  # files as small as at the usual level, in half the time
    "png": {"pil_kwargs": {"compress_level": 3}},
    "svg": {},
    "pdf": {},
}
_LINE = 0.16  # inches, one line of notes
_NOTE_SIZE = 7.5
_NOTE_CHARACTERS = 136  # of a line of notes at full page width


@contextmanager
def settings(also: Mapping[str, Any] = MappingProxyType({})) -> Iterator[None]:
    """Draw by this style alone, whatever the user's own matplotlib settings are; those return afterwards.

    Parameters
    ----------
    also : mapping
        Settings in place of this style's.
    """
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        # A letter that the font lacks, in the name of rules, is drawn as a box.
        warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from font", UserWarning)
        matplotlib.rcdefaults()
        parameters: dict[Any, Any] = (
            matplotlib.rcParams
        )  # whose type lists names, differently in each version
        parameters.update(_SETTINGS | dict(also))
        yield


@dataclass(frozen=True, slots=True)
class Grid:
    """Where panels stand: rows and columns, margins around them and gaps between them in inches.

    The places are fixed, not found by measuring texts: that is several times faster than automatic layout.
    """

    rows: int = 1
    columns: int = 1
    left: float = 0.6
    right: float = 0.1
    top: float = 0.3
    bottom: float = 0.45
    across: float = 0.3
    down: float = 0.3
    share: bool = False


def new_figure(
    height: float, grid: Grid, title: str, note: str, info: RunInfo | str | None
) -> tuple["Figure", list["Axes"]]:
    """Make a figure of page width with empty panels, a title above, and a note and the foot line below.

    Figures of hands that the bots chose to bid come with a warning.

    Parameters
    ----------
    height : float
        Inches for the panels and their margins; title and foot come on top of it.
    grid : Grid
        The panels; with `share` they have the same axes.
    title, note : str
        What the player wants to know; how to read the picture.
    info : RunInfo, str or None
        The run, for the foot line, or this line itself.  None leaves out title, note and foot: the page around says
        them.
    """
    from matplotlib.figure import Figure

    warning = _wrapped(AUCTION_NOTE) if isinstance(info, RunInfo) and info.mode == "auction" else []
    lines = []
    if info is not None:
        lines = [*warning, *_wrapped(note), *_wrapped(info if isinstance(info, str) else caption(info))]
    head, foot = (0.42, 0.14 + _LINE * len(lines)) if lines else (0.0, 0.0)
    whole = head + height + foot
    figure = Figure(figsize=(PAGE_WIDTH, whole))
    if lines:
        figure.text(0.012, 1 - 0.08 / whole, title, size=13, weight="bold", va="top")
    for number, line in enumerate(reversed(lines)):
        ink = INK if line in warning else GREY
        figure.text(0.012, (0.08 + _LINE * number) / whole, line, size=_NOTE_SIZE, color=ink, va="bottom")
    width = (PAGE_WIDTH - grid.left - grid.right - grid.across * (grid.columns - 1)) / grid.columns
    tall = (height - grid.top - grid.bottom - grid.down * (grid.rows - 1)) / grid.rows
    places = {
        "left": grid.left / PAGE_WIDTH,
        "right": 1 - grid.right / PAGE_WIDTH,
        "bottom": (foot + grid.bottom) / whole,
        "top": 1 - (head + grid.top) / whole,
        "wspace": grid.across / width,
        "hspace": grid.down / tall,
    }
    panels = figure.subplots(
        grid.rows, grid.columns, sharex=grid.share, sharey=grid.share, squeeze=False, gridspec_kw=places
    )
    return figure, list(panels.flat)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _NOTE_CHARACTERS)


def figure_bytes(
    figure: "Figure", image_format: str, also: Mapping[str, Any] = MappingProxyType({})
) -> bytes:
    """Render a figure, drawn with the same `settings`; the same figure gives the same bytes.

    Raises
    ------
    PresentError
        For a format that is none of `CHART_FORMATS`.
    """
    if image_format not in CHART_FORMATS:
        raise PresentError(f'no charts in format "{image_format}": choose png, svg or pdf')
    data = io.BytesIO()
    with settings(also):
        figure.savefig(data, format=image_format, metadata=_METADATA[image_format], **_ENCODING[image_format])
    return data.getvalue()
