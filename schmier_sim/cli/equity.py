"""``equity``: chances to win the match at a score, and how sure a bid has to be."""

from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console, usage
from schmier_sim.cli.options import (
    DEFAULT_SEED,
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
from schmier_sim.cli.output import STDOUT, check_texts, refusing, write_text

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
        int,
        typer.Option(
            "--deals", "-n", parser=parse.deals, metavar="N", help="Deals that tell how scores change."
        ),
    ] = 1_000_000,
    seed: SeedOption = DEFAULT_SEED,
    bots: BotsOption = "club",
    tempers: TempersOption = "mixed",
    rules: RulesOption = "standard",
    workers: WorkersOption = None,
    as_json: JsonOption = None,
    output: TextFileOption = STDOUT,
) -> None:
    """Tell the chances to win the match at a score.

    And for each team and bid the break-even chance: how sure it must be of a bid, so that bidding is no worse for its
    chance to win the match than leaving the deal to another team.
    """
    check_texts([output], None)
    as_json = wants_json(console, as_json, output)
    if bots != "club":
        if "tempers" in console.given:
            console.say(f"tempers {tempers} change nothing here: they are club's (--bots club)")
        tempers = "normal"
    setup = make_setup(
        console, seed=seed, mode="auction", sample="natural", bots=bots, tempers=tempers, rules=rules
    )
    teams = setup.rules.n_teams
    given = (0,) * teams if scores is None else parse.scores(scores)
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
