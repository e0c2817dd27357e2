"""The handout as a web page and as Markdown: the same content as on paper."""

import base64
import re
from html import escape
from importlib import resources
from string import Template

from schmier_sim.analysis.handout import figures
from schmier_sim.analysis.store import Run
from schmier_sim.present.content import Content, Section, Table
from schmier_sim.present.handout import content
from schmier_sim.present.handout_chart import chart_svg
from schmier_sim.present.i18n import language
from schmier_sim.present.quoting import as_markdown
from schmier_sim.present.report import Style, picture_type

SIDES = {"l": "left", "c": "center", "r": "right"}


def report_html(run: Run, style: Style) -> str:
    """Make the handout as one page that needs nothing else: readable on a phone, and printed well.

    Raises
    ------
    PresentError
        For another language, or a logo that is no picture.
    """
    words = language(style.lang)
    shown = figures(run)
    made = content(run, shown, words, title=style.title, club=style.club, more=style.more, day=style.day)
    chart = chart_svg(shown.sure, made.chart, words.percent_gap + "%").decode()
    svg = re.sub(r"^.*?<svg", "<svg", chart, count=1, flags=re.DOTALL)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    figure = f'<figure role="img" aria-label="{escape(made.chart["alt"])}">{svg}</figure>'
    logo = ""
    if style.logo is not None:
        data = base64.b64encode(style.logo).decode()
        logo = f'<img class="logo" alt="{escape(style.club)}" src="data:{picture_type(style.logo)};base64,{data}">'
    page = (resources.files("schmier_sim.present") / "templates" / "handout.html").read_text(encoding="utf-8")
    return Template(page).substitute(
        lang=made.lang,
        title=escape(made.title),
        club=f'<p class="club">{escape(made.club)}</p>' if made.club else "",
        logo=logo,
        subtitle=escape(made.subtitle),
        sections="\n".join(_section(name, part, figure) for name, part in _parts(made)),
        foot=escape(made.foot),
        large=' class="large"' if style.large else "",
    )


def report_markdown(run: Run, style: Style) -> str:
    """Make the handout as Markdown; the chart is left out.

    Raises
    ------
    PresentError
        For another language.
    """
    made = content(
        run,
        figures(run),
        language(style.lang),
        title=style.title,
        club=style.club,
        more=style.more,
        day=style.day,
    )
    lines = [f"# {as_markdown(made.title)}", ""]
    lines += [as_markdown(made.club), ""] if made.club else []
    lines += [f"*{as_markdown(made.subtitle)}*", ""]
    for name, section in _parts(made):
        if name == "chart":
            continue
        lines += [f"## {as_markdown(section.title)}", ""]
        lines += [line for sentence in section.lead for line in (as_markdown(sentence), "")]
        for table in section.tables:
            lines += [*_markdown_table(table), ""]
        if section.items:
            lines += [*(f"- {as_markdown(item)}" for item in section.items), ""]
        if section.notes:
            lines += [as_markdown(" ".join(section.notes)), ""]
    return "\n".join([*lines, f"*{as_markdown(made.foot)}*", ""])


def _parts(made: Content) -> list[tuple[str, Section]]:
    return [*made.front.items(), *made.back.items(), *made.more.items()]


def _section(name: str, section: Section, figure: str) -> str:
    parts = [f'<section id="{name}">', f"<h2>{escape(section.title)}</h2>"]
    parts += [f'<p class="lead">{escape(sentence)}</p>' for sentence in section.lead]
    if name == "chart":
        parts.append(figure)
    parts += [_html_table(table) for table in section.tables]
    if section.items:
        parts.append("<ul>" + "".join(f"<li>{escape(item)}</li>" for item in section.items) + "</ul>")
    if section.notes:
        parts.append(f'<p class="notes">{escape(" ".join(section.notes))}</p>')
    return "\n".join([*parts, "</section>"])


def _html_table(table: Table) -> str:
    sides = [SIDES[letter] for letter in table.align]
    head = "".join(
        f'<th scope="col" class="{side}">{escape(text)}</th>'
        for side, text in zip(sides, table.head, strict=True)
    )
    rows = []
    for row in table.rows:
        cells = []
        for column, (side, text) in enumerate(zip(sides, row, strict=True)):
            strong = " strong" if column in table.strong else ""
            tag = 'th scope="row"' if column == 0 else "td"
            cells.append(f'<{tag} class="{side}{strong}">{escape(text)}</{tag.split()[0]}>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll"><table><caption>{escape(table.about)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _markdown_table(table: Table) -> list[str]:
    rules = {"l": "---", "c": ":-:", "r": "--:"}
    lines = [[as_markdown(text) for text in table.head], [rules[letter] for letter in table.align]]
    lines += [
        [
            f"**{as_markdown(text)}**" if column in table.strong else as_markdown(text)
            for column, text in enumerate(row)
        ]
        for row in table.rows
    ]
    return [f"| {' | '.join(line)} |" for line in lines]
