"""``duel CHALLENGER OPPONENT``: which of two bots plays better, on the same deals."""

from itertools import permutations
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console, usage
from schmier_sim.cli.options import (
    BOTS,
    DEFAULT_SEED,
    MOST_WORLDS,
    SEARCH,
    JsonOption,
    RulesOption,
    SeedOption,
    TextFileOption,
    WorkersOption,
    load_rules,
    refusing_value,
    wants_json,
)
from schmier_sim.cli.output import STDOUT, check_texts, refusing, write_text
from schmier_sim.game.standing import BIDDINGS, check_bidding

PLAYERS = (*BOTS, SEARCH)
FORM = "schmier-sim duel simple random"
DEFAULT_WORLDS = 40


def duel(
    console: Console,
    challenger: Annotated[
        str | None,
        typer.Argument(
            parser=parse.one_of(*PLAYERS),
            metavar="CHALLENGER",
            show_default=False,
            help=f"One team's bot: {', '.join(PLAYERS)}.",
        ),
    ] = None,
    opponent: Annotated[
        str | None,
        typer.Argument(
            parser=parse.one_of(*PLAYERS),
            metavar="OPPONENT",
            show_default=False,
            help="The bot of all other teams.",
        ),
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Each bot against each other one, without naming them.")
    ] = False,
    search: Annotated[bool, typer.Option("--search", help=f"With --all: the slow {SEARCH} too.")] = False,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            parser=parse.deals,
            metavar="N",
            show_default=f"100k; 1000 where {SEARCH} plays",
            help="Deals, each played once with the challenger in each place.",
        ),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            "--matches",
            parser=parse.whole(1, parse.MOST_DEALS, "10000"),
            metavar="N",
            help="Play until N matches are over, the same number from each place, instead of --deals.",
        ),
    ] = None,
    seed: SeedOption = DEFAULT_SEED,
    rules: RulesOption = "standard",
    workers: WorkersOption = None,
    worlds: Annotated[
        int,
        typer.Option(
            "--worlds",
            parser=parse.whole(1, MOST_WORLDS, str(DEFAULT_WORLDS)),
            metavar="N",
            help=f"Worlds in which {SEARCH} tries each of its options.",
        ),
    ] = DEFAULT_WORLDS,
    bidding: Annotated[
        str,
        typer.Option(
            "--bidding",
            parser=parse.one_of(*BIDDINGS),
            metavar="|".join(BIDDINGS),
            help="What the challenger bids by: club can bid by equity, the chance to win the match. Matches are then "
            "played at their scores.",
        ),
    ] = "points",
    against: Annotated[
        str,
        typer.Option(
            "--opponent-bidding",
            parser=parse.one_of(*BIDDINGS),
            metavar="|".join(BIDDINGS),
            help="What the opponents bid by.",
        ),
    ] = "points",
    as_json: JsonOption = None,
    output: TextFileOption = STDOUT,
) -> None:
    """Compare two bots on the same deals.

    The challenger's team sits in each of the places in turn, the opponent's bot in all others. Points a deal relative
    to the other teams, and the share of matches won, with their 95 % intervals. A slow player, search, is there to
    measure the others: it tries each of its options in imagined worlds.
    """
    _check(challenger, opponent, everyone=everyone, search=search)
    if "equity" in (bidding, against):
        _check_bidding(console, ((challenger, bidding), (opponent, against)), deals=deals, everyone=everyone)
        deals = None
    if SEARCH not in (challenger, opponent) and not search and "worlds" in console.given:
        usage(f"--worlds is for {SEARCH}, which does not play here; leave it out")
    deals, matches = _one_of_both(console, deals, matches)
    check_texts([output], None)
    as_json = wants_json(console, as_json, output)
    house = load_rules(console, rules)
    if "equity" in (bidding, against):
        with refusing_value(console, "bidding" if bidding == "equity" else "against"):
            check_bidding(house, "equity", (0,) * house.n_teams)
    from schmier_sim.analysis import duel as library
    from schmier_sim.present import duels as present

    with refusing(library.DuelError):
        results = library.duels(
            _pairs(challenger, opponent, search=search),
            rules=house,
            seed=seed,
            deals=deals,
            matches=matches,
            worlds=worlds,
            bidding=(bidding, against),
            workers=workers,
            progress=console.progress,
        )
    console.clear()
    if not as_json:
        text = present.to_text(results)
    elif everyone:
        text = present.all_to_json(results)
    else:
        text = present.to_json(results[0])
    write_text(console, output, text)


def _check(challenger: str | None, opponent: str | None, *, everyone: bool, search: bool) -> None:
    """Refuse too few names, or names beside --all."""
    if search and not everyone:
        usage(f"--search goes with --all; to let it play, name it: schmier-sim duel {SEARCH} simple")
    if everyone and challenger is not None:
        usage(f"--all lets each bot challenge each other one: leave out {challenger}, or write {FORM}")
    if not everyone and opponent is None:
        missing = "CHALLENGER" if challenger is None else "OPPONENT"
        usage(f"{missing} is missing; write, for example, {FORM}, or --all")


def _check_bidding(
    console: Console,
    players: tuple[tuple[str | None, str], tuple[str | None, str]],
    *,
    deals: int | None,
    everyone: bool,
) -> None:
    """Refuse what does not go with bids by equity."""
    if everyone:
        usage("--all compares bids by points: leave out --bidding and --opponent-bidding")
    for (bot, bidding), option in zip(players, ("--bidding", "--opponent-bidding"), strict=True):
        if bidding == "equity" and bot != "club":
            usage(f"{option} equity is for club, not for {bot}: leave it out")
    if deals is not None and "deals" in console.given:
        usage("--deals: bids by equity hang on the score; write --matches N, such as --matches 30000")


def _pairs(challenger: str | None, opponent: str | None, *, search: bool) -> list[tuple[str, str]]:
    """Challengers and opponents: the two that are named, or each with each other one."""
    if challenger is None or opponent is None:
        return [*permutations(PLAYERS if search else BOTS, 2)]
    return [(challenger, opponent)]


def _one_of_both(console: Console, deals: int | None, matches: int | None) -> tuple[int | None, int | None]:
    """Let what stands on the command line go before what the config file has; refuse both in the same place."""
    if deals is None or matches is None:
        return deals, matches
    given = [name for name in ("deals", "matches") if name in console.given]
    if len(given) == 1:
        return (deals, None) if given == ["deals"] else (None, matches)
    places = " and ".join(console.origins[name] for name in ("deals", "matches"))
    return usage(f"{places} are two ways to say how much is played: leave one of them out")
