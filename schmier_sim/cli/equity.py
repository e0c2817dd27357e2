"""``equity``: chances to win the match at a score, and how sure a bid has to be."""

from pathlib import Path
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.chart import FORMATS
from schmier_sim.cli.console import Console, usage
from schmier_sim.cli.options import (
    DEFAULT_SEED,
    BiddingOption,
    BotsOption,
    JsonOption,
    RulesOption,
    ScoresOption,
    SeedOption,
    TempersOption,
    TextFileOption,
    WorkersOption,
    bad_value,
    make_setup,
    wants_json,
)
from schmier_sim.cli.output import (
    STDOUT,
    check_file,
    check_texts,
    draw_into_files,
    refuse_stdout,
    refusing,
    write_text,
)
from schmier_sim.game.standing import MOST_TARGET

DEALERS = ("me", "left", "right")


def equity(
    console: Console,
    scores: ScoresOption = None,
    dealer: Annotated[
        str,
        typer.Option(
            "--dealer",
            parser=parse.one_of(*DEALERS),
            metavar="|".join(DEALERS),
            help="Whose team deals: yours, or that of your left or right neighbour.",
        ),
    ] = "me",
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            parser=parse.deals,
            metavar="N",
            show_default="the table that ships, where it fits; else 1M",
            help="Play so many deals, which tell how scores change; by equity at least 100k, at all scores.",
        ),
    ] = None,
    seed: SeedOption = DEFAULT_SEED,
    bots: BotsOption = "club",
    tempers: TempersOption = "mixed",
    bidding: BiddingOption = None,
    rules: RulesOption = "standard",
    workers: WorkersOption = None,
    chart: Annotated[
        Path | None,
        typer.Option(
            "--chart",
            metavar="FILE",
            show_default=False,
            help="Also draw chances at many scores: a .png, .svg or .pdf.",
        ),
    ] = None,
    as_json: JsonOption = None,
    output: TextFileOption = STDOUT,
) -> None:
    """Tell the chances to win the match at a score.

    And for each team and bid the break-even chance: how sure it must be of a bid, so that bidding is no worse for its
    chance to win the match than leaving the deal to another team.
    """
    check_texts([output], None)
    if chart is not None:
        _check_chart(console, chart)
    as_json = wants_json(console, as_json, output)
    if bots != "club":
        if "tempers" in console.given:
            console.say(f"tempers {tempers} change nothing here: they are club's (--bots club)")
        tempers = "normal"
    setup = make_setup(
        console,
        seed=seed,
        mode="auction",
        sample="natural",
        bots=bots,
        tempers=tempers,
        rules=rules,
        bidding=bidding,
    )
    teams = setup.rules.n_teams
    given = (0,) * teams if scores is None else parse.scores(scores)
    if chart is not None and teams != len(DEALERS):
        bad_value(console, "chart", "it is drawn for three teams: leave it out")
    if setup.rules.target > MOST_TARGET:
        reason = (
            f"target {setup.rules.target} has too many scores for chances of matches: up to {MOST_TARGET}"
        )
        bad_value(console, "rules", reason)
    if DEALERS.index(dealer) >= teams:
        bad_value(console, "dealer", "there are two teams: write me or left")
    from schmier_sim.analysis import equity as library
    from schmier_sim.present import equities as present

    try:
        library.check(given, setup.rules)
    except library.EquityError as error:
        usage(f"{console.origins.get('scores', '--scores')}: {error}")
    with refusing(library.EquityError):
        result = library.equity(
            given,
            dealer=DEALERS.index(dealer),
            setup=setup,
            deals=deals,
            workers=workers,
            progress=console.progress,
        )
    console.clear()
    write_text(console, output, present.to_json(result) if as_json else present.to_text(result))
    if chart is not None:
        draw_into_files()
        from schmier_sim.present.equity_chart import equity_chart
        from schmier_sim.present.files import PresentError, write_file
        from schmier_sim.present.style import figure_bytes

        with refusing(PresentError):
            write_file(chart, figure_bytes(equity_chart(result), chart.suffix.lower().removeprefix(".")))


def _check_chart(console: Console, chart: Path) -> None:
    """Refuse a picture that could not be drawn or written, before anything is played."""
    if chart.suffix.lower().removeprefix(".") not in FORMATS:
        bad_value(console, "chart", f"{chart} is no picture: write a .png, .svg or .pdf, such as equity.png")
    refuse_stdout(chart, "equity.png")
    check_file(chart)
