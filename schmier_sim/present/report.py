"""The handout set on paper: a PDF by typst, with its own fonts and one that ships for letters that those lack.

The file is dated by the run, and typst is given everything, so that the same run gives the same bytes.
"""

import contextlib
import datetime
import io
import json
import re
import tempfile
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.parsers import expat

from schmier_sim.analysis.handout import figures
from schmier_sim.analysis.store import Run
from schmier_sim.present.files import PresentError
from schmier_sim.present.handout import content
from schmier_sim.present.handout_chart import chart_svg
from schmier_sim.present.i18n import language

if TYPE_CHECKING:
    import typst

Guard = Callable[[], AbstractContextManager[None]]

PAPERS = {"a4": "a4", "letter": "us-letter"}
SHEET = 2
"""Pages of a sheet."""
SIZES = (11.0, 10.6, 10.2, 9.8, 9.4, 9.0, 8.6)
"""Sizes of letters in points, of which the largest is taken that fits on the sheet; and that of large print."""
LARGE = 15.0
LONG_WORD = 20
FALLBACK = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
PDF_STANDARD: Literal["ua-1"] = "ua-1"
"""Tagged, with title, language and described pictures, or it is refused."""


@dataclass(frozen=True)
class Style:
    """How a handout looks and what stands above it.

    Parameters
    ----------
    lang : str
        One of `i18n.LANGUAGES`.
    paper : str
        One of `PAPERS`.
    large : bool
        In large print, on more pages.
    title, club : str
        Empty for the usual title, and for no club.
    logo : bytes, optional
        A picture: PNG, JPEG, GIF or SVG.
    template : str, optional
        A typst template in place of the usual one.
    more : bool
        With pages of all holdings.
    day : date, optional
        In place of the day of the run.
    """

    lang: str = "en"
    paper: str = "a4"
    large: bool = False
    title: str = ""
    club: str = ""
    logo: bytes | None = None
    template: str | None = None
    more: bool = False
    day: datetime.date | None = None


def report_pdf(run: Run, style: Style, guard: Guard = contextlib.nullcontext) -> bytes:
    """Make the handout of a run; the same run and style give the same bytes.

    Parameters
    ----------
    run : Run
    style : Style
    guard : function
        Makes a context in which typst runs, which gives Python no chance to heed signals meanwhile.

    Raises
    ------
    PresentError
        For another paper or language, a template or a logo that typst cannot read.
    """
    if style.paper not in PAPERS:
        raise PresentError(f'no paper "{style.paper}": choose {" or ".join(PAPERS)}')
    words = language(style.lang)
    shown = figures(run)
    made = content(run, shown, words, title=style.title, club=style.club, more=style.more, day=style.day)
    chart = chart_svg(shown.sure, made.chart, words.percent_gap + "%", large=style.large)
    data: dict[str, Any] = made.to_dict() | {
        "paper": PAPERS[style.paper],
        "large": style.large,
        "title": breakable(made.title),
        "club": breakable(made.club),
        "logo": None if style.logo is None else list(style.logo),
    }
    template = style.template or _template()
    sizes = (LARGE,) if style.large else SIZES
    for size in sizes:
        pdf = _set(template, data | {"size": size, "more": {}}, chart, guard)
        if style.large or style.template is not None or pages(pdf) <= SHEET:
            break
    return _set(template, data | {"size": size}, chart, guard) if style.more else pdf


def breakable(text: str) -> str:
    """Let words that are longer than a line end on the next one."""
    return re.sub(rf"(\S{{{LONG_WORD}}})(?=\S)", "\\1\u200b", text)


def pages(pdf: bytes) -> int:
    """How many pages a PDF of typst has."""
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def _set(template: str, data: dict[str, Any], chart: bytes, guard: Guard) -> bytes:
    import typst

    if found := re.search(r'"@[\w-]+/[^"]*"', template):
        raise PresentError(f"a template imports no packages, for there is no network: leave out {found[0]}")
    year, month, day = data["date"]
    # In a folder of its own, for it could read all files that are there.
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "handout.typ"
        file.write_text(template, encoding="utf-8")
        fonts = _fonts()
        try:
            with guard():
                pdf: bytes = typst.compile(
                    file,
                    format="pdf",
                    root=Path(folder),
                    font_paths=fonts,
                    sys_inputs={"data": json.dumps(data, ensure_ascii=False), "chart": chart.decode()},
                    pdf_standards=PDF_STANDARD,
                    timestamp=datetime.datetime(year, month, day, tzinfo=datetime.UTC),
                )
        except typst.TypstError as error:
            raise PresentError(_reason(error)) from None
    return pdf


def _reason(error: "typst.TypstError") -> str:
    """Say in one line why typst gave up."""
    reason = _first_line(error)
    if found := re.search(r"the text `(.*?)` could not be displayed", reason):
        return f"no font has the letter {found[1]}: leave it out of title, club and the name of the rules"
    if "decode" in reason or "image" in reason:
        return f"typst cannot read the logo: {reason}"
    place = re.search(r"typ:(\d+):\d+", str(error.diagnostic))
    return f"typst cannot set the handout: {reason}" + (
        f" (line {place[1]} of the template)" if place else ""
    )


def _template() -> str:
    return (resources.files("schmier_sim.present") / "templates" / "handout.typ").read_text(encoding="utf-8")


def _fonts() -> "typst.Fonts":
    """The fonts that come with typst, and those that come with matplotlib."""
    import matplotlib
    import typst

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return typst.Fonts(include_system_fonts=False, font_paths=[folder / name for name in FALLBACK])


def check_logo(data: bytes) -> None:
    """Refuse what is no picture, or one that would load or run something.

    Raises
    ------
    PresentError
    """
    kind = picture_type(data)
    if kind == SVG:
        _check_svg(data)
    else:
        _check_pixels(data)


def _check_svg(data: bytes) -> None:
    if _LOADS_OR_RUNS.search(data):
        raise PresentError("a logo has no scripts and no links: take a plain SVG, or a PNG")
    depth = 0

    def begin(_name: str, _attributes: object) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_DEPTH:
            raise PresentError("its parts are nested too deeply: take a plainer SVG, or a PNG")

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    def declare(*_declaration: object) -> None:
        raise PresentError("it declares entities of its own: take a plain SVG, or a PNG")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = begin, end, declare
    try:
        parser.Parse(data, True)
    except PresentError:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two for an encoding that is none
        raise PresentError(f"it is broken ({error}): take another SVG, or a PNG") from None


def _check_pixels(data: bytes) -> None:
    from PIL import Image  # which comes with matplotlib

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what is too large or odd: it is refused, or shown as it is
            with Image.open(io.BytesIO(data)) as picture:
                if picture.width * picture.height > MOST_PIXELS:
                    raise PresentError(
                        f"{picture.width} by {picture.height} pixels are too many: take a smaller picture"
                    )
                picture.load()
    except PresentError:
        raise
    except Exception:  # whatever a decoder says of bytes that are no picture
        raise PresentError("the picture is broken: take a whole PNG, JPEG, GIF or SVG file") from None


def picture_type(data: bytes) -> str:
    """Media type of a picture, by how it begins.

    Raises
    ------
    PresentError
        It is none that can be shown.
    """
    for begin, name in _PICTURES.items():
        if data.startswith(begin):
            return name
    if b"<svg" in data[:1000]:
        return SVG
    raise PresentError("it is no picture: take a PNG, JPEG, GIF or SVG file")


SVG = "image/svg+xml"
MOST_DEPTH = 100
"""Of an SVG's parts within each other; typst crashes at some ten thousand."""
MOST_PIXELS = 25_000_000
_LOADS_OR_RUNS = re.compile(
    rb"<script|<foreignObject|\bon\w+\s*=|href\s*=\s*[\"'](?!#|data:)|@import|url\(\s*[\"']?(?!#|data:)",
    re.IGNORECASE,
)
_PICTURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), "no reason given")
