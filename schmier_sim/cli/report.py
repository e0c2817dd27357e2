"""``report [RUN]``: the club handout, on paper, as a web page, as Markdown, or as a page to look hands up."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console, Failure, usage
from schmier_sim.cli.options import (
    DEFAULT_DEALS,
    DEFAULT_SEED,
    RulesOption,
    SeedOption,
    WorkersOption,
    bad_value,
    load_rules,
    read_run,
)
from schmier_sim.cli.output import (
    STDOUT,
    check_file,
    check_texts,
    draw_into_files,
    refuse_input,
    refuse_stdout,
    refusing,
    write_text,
)
from schmier_sim.cli.signals import at_once

if TYPE_CHECKING:
    from schmier_sim.analysis.store import Run
    from schmier_sim.present.report import Style

PAPERS = ("a4", "letter")
LANGUAGES = ("en", "de", "hu")
FORMATS = ("pdf", "html", "markdown")
ENDINGS = {".pdf": "pdf", ".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}
NAMES = {"pdf": "schmier.pdf", "html": "schmier.html", "markdown": "schmier.md"}
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg")
#: Of a logo or a template.
MOST_BYTES = 4_000_000
#: What says how to play, where there is no run yet.
PLAYED = ("deals", "seed", "rules", "workers")


def report(
    console: Console,
    run_file: Annotated[
        Path | None,
        typer.Argument(
            metavar="RUN",
            show_default=False,
            help="Run file that `simulate` wrote. Without one, deals are played first.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default="schmier.pdf",
            help="The file to write; its ending says the format.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            parser=parse.one_of(*FORMATS),
            metavar="|".join(FORMATS),
            show_default="what FILE's ending says, else pdf",
            help="pdf to print, html as one page that needs nothing else, markdown.",
        ),
    ] = None,
    lookup: Annotated[
        bool,
        typer.Option(
            "--lookup", help="A page to look hands up: tap six cards, see their chances. Only html."
        ),
    ] = False,
    lang: Annotated[
        str,
        typer.Option(
            "--lang",
            parser=parse.one_of(*LANGUAGES),
            metavar="|".join(LANGUAGES),
            envvar="SCHMIER_LANG",
            help="Language: English, German, Hungarian.",
        ),
    ] = "en",
    paper: Annotated[
        str,
        typer.Option(
            "--paper",
            parser=parse.one_of(*PAPERS),
            metavar="|".join(PAPERS),
            envvar="SCHMIER_PAPER",
            help="Size of the sheet.",
        ),
    ] = "a4",
    all_hands: Annotated[
        bool, typer.Option("--all-hands", help="More pages: all holdings of three trumps and more.")
    ] = False,
    large: Annotated[bool, typer.Option("--large", help="Large print, on more pages.")] = False,
    title: Annotated[
        str,
        typer.Option(
            "--title",
            parser=parse.line,
            metavar="TEXT",
            show_default=False,
            help="Title in place of the usual one.",
        ),
    ] = "",
    club: Annotated[
        str,
        typer.Option(
            "--club",
            parser=parse.line,
            metavar="TEXT",
            envvar="SCHMIER_CLUB",
            show_default=False,
            help="Name of the club, above the title.",
        ),
    ] = "",
    logo: Annotated[
        Path | None,
        typer.Option(
            "--logo",
            metavar="FILE",
            show_default=False,
            help="Picture beside the title: .png, .jpg, .gif or .svg.",
        ),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option(
            "--template",
            metavar="FILE",
            show_default=False,
            help="A typst template of your own (docs/handout.md). Only pdf.",
        ),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(
            "--date",
            parser=parse.checked(parse.day),
            metavar="YYYY-MM-DD",
            show_default="when the run was started",
            help="Date on the handout.",
        ),
    ] = None,
    deals: Annotated[
        int,
        typer.Option("--deals", "-n", parser=parse.deals, metavar="N", help="Deals to play, without RUN."),
    ] = DEFAULT_DEALS,
    seed: SeedOption = DEFAULT_SEED,
    rules: RulesOption = "standard",
    workers: WorkersOption = None,
) -> None:
    """Make the club handout: how high to bid, on one sheet.

    Front: rules, points, a count for the head, model hands. Back: chart, what a partner brings, the score, rules of
    play, how the numbers were made. In English, German or Hungarian, on paper, as a web page or as Markdown; --lookup
    makes a page that answers for any six cards, without a network.
    """
    path, form = _output(console, output, form, lookup=lookup)
    _refuse_inputs(path, {"logo": logo, "template": template})
    _check(console, form, lookup=lookup, all_hands=all_hands, large=large, logo=logo, template=template)
    if form == "pdf":
        refuse_stdout(path, NAMES["pdf"])
        refuse_input(path, run_file)
        check_file(path)
    else:
        check_texts([path], run_file)
    from schmier_sim.present.files import PresentError, write_file
    from schmier_sim.present.report import Style, check_logo

    style = Style(
        lang=lang,
        paper=paper,
        large=large,
        more=all_hands,
        title=title,
        club=club,
        logo=None if logo is None else _bytes(console, "logo", logo),
        template=None if template is None else _text(console, "template", template),
        day=None if date is None else parse.day(date),
    )
    if style.logo is not None:
        try:
            check_logo(style.logo)
        except PresentError as error:
            bad_value(console, "logo", f"{logo} is no good: {error}")
    run = _run(console, run_file, deals=deals, seed=seed, rules=rules, workers=workers)
    draw_into_files()
    with refusing(PresentError):
        if form == "pdf":
            from schmier_sim.present.report import report_pdf

            write_file(path, report_pdf(run, style, at_once))
            console.say(f"wrote {path}")
            console.data(str(path))
            return
        text = _made(run, style, form, lookup=lookup)
    write_text(console, path, text)
    if path != STDOUT:
        console.data(str(path))


def _made(run: "Run", style: "Style", form: str, *, lookup: bool) -> str:
    """The page as text."""
    if lookup:
        from schmier_sim.present.lookup import lookup_page

        return lookup_page(run, style.lang, style.title or None, style.day)
    from schmier_sim.present.report_text import report_html, report_markdown

    return report_html(run, style) if form == "html" else report_markdown(run, style)


def _output(console: Console, output: Path | None, form: str | None, *, lookup: bool) -> tuple[Path, str]:
    """Where the handout goes, and what it is."""
    if output is None:
        form = form or ("html" if lookup else "pdf")
        return Path("lookup.html" if lookup else NAMES[form]), form
    said = ENDINGS.get(output.suffix.lower())
    if output == STDOUT or form is None:
        form = form or said or ("html" if lookup else None)
        if form is None and output == STDOUT:
            usage(
                "--output: stdout takes html or markdown: add --format html, or name a file: -o schmier.pdf"
            )
        if form is None:
            usage(
                f"--output: {output} says no format; name a file such as {output.stem or 'schmier'}.pdf, or --format"
            )
        return output, form
    if said is not None and said != form:
        bad_value(
            console,
            "format",
            f"{form} does not fit {output}; name a file such as {output.stem}{_ending(form)}",
        )
    return output, form


def _refuse_inputs(path: Path, inputs: dict[str, Path | None]) -> None:
    """Refuse to write over what is read."""
    for name, other in inputs.items():
        with contextlib.suppress(OSError, ValueError):
            if other is not None and path.samefile(other):
                usage(f"--output: {path} is the {name} itself, which is not written over; name another file")


def _ending(form: str) -> str:
    return Path(NAMES[form]).suffix


def _check(
    console: Console,
    form: str,
    *,
    lookup: bool,
    all_hands: bool,
    large: bool,
    logo: Path | None,
    template: Path | None,
) -> None:
    """Refuse what does not go together."""
    if lookup and form != "html":
        bad_value(console, "format", f"--lookup makes a web page, not {form}: write html")
    if template is not None and form != "pdf":
        bad_value(console, "template", f"it sets a PDF, not {form}: leave it out")
    if "paper" in console.given and form != "pdf":
        bad_value(console, "paper", f"it is for a PDF, not for {form}: leave it out")
    if large and (form == "markdown" or lookup):
        bad_value(console, "large", "it is for pdf and html handouts: leave it out")
    if lookup and all_hands:
        bad_value(console, "all-hands", "the lookup page has them all: leave it out")
    if lookup and "club" in console.given:
        bad_value(console, "club", "it is for handouts: leave it out, or write it into --title")
    if logo is not None and (form == "markdown" or lookup):
        bad_value(console, "logo", "it is for pdf and html handouts: leave it out")
    if logo is not None and logo.suffix.lower() not in PICTURES:
        bad_value(console, "logo", f"{logo} is no picture: name one such as {logo.stem or 'logo'}.png")


def _bytes(console: Console, name: str, path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            bad_value(console, name, f"{path} is no regular file: name one")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Failure(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MOST_BYTES:
        bad_value(console, name, f"{path} is larger than {MOST_BYTES // 1_000_000} MB: take a smaller one")
    return data


def _text(console: Console, name: str, path: Path) -> str:
    try:
        return _bytes(console, name, path).decode("utf-8")
    except UnicodeDecodeError:
        bad_value(console, name, f"{path} is no text in UTF-8: name a typst file, such as club.typ")


def _run(
    console: Console, run_file: Path | None, *, deals: int, seed: int, rules: str, workers: int | None
) -> "Run":
    """Read the run, or play it."""
    if run_file is not None:
        for name in PLAYED:
            if name in console.given:
                bad_value(console, name, f"{run_file} has been played already: leave it out")
        return read_run(run_file)
    from schmier_sim.analysis.run import simulate
    from schmier_sim.kernel.simulate import Setup

    setup = Setup(
        seed=seed, mode="declare", sample="stratified", bots="club", rules=load_rules(console, rules)
    )
    console.say(f"playing {deals:,} deals, seed {seed}, rules {setup.rules.name}")
    run = simulate(setup, deals=deals, workers=workers, progress=console.progress)
    console.clear()
    return run
