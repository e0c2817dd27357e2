"""The handout: one printed page with the rules in force, the main table and a chart.

`sheet_data` gathers everything that stands on the page, written out as text; the template only sets it.  typst sets
it with its own fonts alone, and the template dates the file by the run, so that the same run gives the same bytes.
"""

import json
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.store import Run
from schmier_sim.present import words
from schmier_sim.present.charts import CHART_DEALS, TYPICAL, by_trumps
from schmier_sim.present.files import PresentError, write_file
from schmier_sim.present.numbers import count, decimal, one_in
from schmier_sim.present.style import figure_bytes
from schmier_sim.present.tables import FEW_DEALS, Row, is_few, make_text, one_sided_notes, open_notes, rows_of
from schmier_sim.present.words import BIDS

PAPERS = {"a4": "a4", "letter": "us-letter"}
LANGUAGES = ("en",)
CHART_HEIGHT = {"a4": 3.0, "letter": 2.5}  # inches; Letter is wider but 18 mm shorter
PDF_STANDARD: Literal["ua-1"] = (
    "ua-1"  # tagged, with title, language and described pictures, or it is refused
)


def write_report(
    run: Run, path: Path, paper: str = "a4", lang: str = "en", title: str = words.SHEET_TITLE
) -> None:
    """Write the handout of a run as a PDF of one page.

    Parameters
    ----------
    run : Run
        What was counted.
    path : Path
        The file; written wholly or not at all.
    paper : "a4" | "letter"
    lang : "en"
    title : str
        Heading of the page and title of the document.

    Raises
    ------
    PresentError
        For another paper or language, or a path that cannot be written.
    """
    write_file(path, report_bytes(run, paper, lang, title))


def report_bytes(run: Run, paper: str = "a4", lang: str = "en", title: str = words.SHEET_TITLE) -> bytes:
    """Make the handout of `write_report` in memory; the same run gives the same bytes."""
    import typst  # 40 MB of shared library, which only the handout needs

    if paper not in PAPERS:
        raise PresentError(f'no paper "{paper}": choose {" or ".join(PAPERS)}')
    if lang not in LANGUAGES:
        raise PresentError(f'no handout in language "{lang}": choose {" or ".join(LANGUAGES)}')
    frame = make_table(run, by=("role", "trumps"), min_deals=CHART_DEALS)
    chart = figure_bytes(by_trumps(frame, height=CHART_HEIGHT[paper]), "svg")
    template = resources.files("schmier_sim.present") / "templates" / "sheet.typ"
    data = sheet_data(run, title) | {"paper": PAPERS[paper], "lang": lang}
    pdf: bytes = typst.compile(
        template.read_bytes(),
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False), "chart": chart.decode()},
        pdf_standards=PDF_STANDARD,
    )
    return pdf


def sheet_data(run: Run, title: str = words.SHEET_TITLE) -> dict[str, Any]:
    """Gather what stands on the page, every number written out.

    Returns
    -------
    dict
        title; words (`words.sheet_words`); rules, a list of sentences; bids; trumps and holdings, lists of rows with
        name, once, makes (pairs of value and error), mean, best, deals; notes; foot; date as [year, month, day].
    """
    trumps = make_table(run, by=("trumps",), min_deals=CHART_DEALS)
    patterns = make_table(run, by=("pattern",), min_deals=CHART_DEALS)
    found = [text for text in TYPICAL if text in set(patterns["pattern"])]
    holdings = patterns.set_index("pattern", drop=False).loc[found]
    started = _started(run)
    return {
        "title": title,
        "words": words.sheet_words(),
        "rules": words.rules_in_words(run.info.rules),
        "bids": list(BIDS),
        "trumps": [_sheet_row("trumps", row) for row in rows_of(trumps)],
        "holdings": [_sheet_row("pattern", row) for row in rows_of(holdings)],
        "notes": _notes(run, pd.concat([trumps, holdings]), [text for text in TYPICAL if text not in found]),
        "foot": f"{words.caption(run.info)} · {words.SHEET_RUN.format(date=f'{started:%Y-%m-%d}')}",
        "date": [started.year, started.month, started.day],
    }


def _sheet_row(key: str, row: Row) -> dict[str, Any]:
    return {
        "name": words.key_text(key, row[key]),
        "once": one_in(row["share"]),
        "makes": [make_text(row, bid).split(" ") for bid in BIDS],
        "mean": decimal(row["mean_points"]),
        "best": row["best_bid"],
        "deals": count(row["deals"]) + ("*" if is_few(row) else ""),
    }


def _notes(run: Run, shown: pd.DataFrame, missing: list[str]) -> list[str]:
    rows = rows_of(shown)
    best = " ".join([words.SHEET_BEST, *open_notes(rows)])
    share = words.SHARE_NOTES[run.info.sample].format(place="")
    notes = [words.AUCTION_NOTE] if run.info.mode == "auction" else []
    notes += [words.SHEET_HOW.format(share=share, best=best), *one_sided_notes(rows)]
    if any(is_few(row) for row in rows):
        notes.append(words.FEW_NOTE.format(few=count(FEW_DEALS)))
    if missing:
        unbroken = (text.replace(" ", "\u00a0") for text in missing)
        notes.append(words.SHEET_LEFT_OUT.format(holdings=", ".join(unbroken)))
    return notes


def _started(run: Run) -> datetime:
    """When the run started; a time without a zone is taken for UTC, so that it is the same everywhere."""
    started = datetime.fromisoformat(run.info.started)
    return started.astimezone(UTC) if started.tzinfo else started.replace(tzinfo=UTC)
