"""Options that several commands share, so that each means the same everywhere.

Where a value comes from: the command line, else the environment (``SCHMIER_SEED`` and so on), else the config file,
else the default that the help shows.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import PROGRAM, Console, Failure, usage
from schmier_sim.cli.output import refusing
from schmier_sim.game.dealing import MODES, SAMPLES, TEMPER_NAMES
from schmier_sim.game.holdings import NAMED
from schmier_sim.game.standing import BIDDINGS

if TYPE_CHECKING:
    from schmier_sim.analysis.store import Run
    from schmier_sim.game.rules import Rules
    from schmier_sim.kernel.simulate import Setup

DEFAULT_SEED = 21
DEFAULT_DEALS = 10_000_000
DEFAULT_SAMPLE = "natural"
MOST_WORKERS = 64
#: What each bot is, in a few words.  The kernels' own list of names is the same; a test compares them.
BOTS = {
    "simple": "a sensible beginner",
    "random": "any legal call and card",
    "club": "weighs each card by tables",
}
#: The slow player, who sits in duels only.
SEARCH = "search"
MOST_WORLDS = 100_000
#: What rows of a table may stand for.  The library's own list is the same; a test compares them.
KEYS = ("trumps", "pattern", "aces", "seat", "role", "honours", *(f"holds_{name}" for name, _ in NAMED))
#: How suits are written for people.
SUIT_FORMS = ("letters", "symbols")
#: Endings of files that are neither JSON nor a table for people.
NOT_TEXT = (".csv", ".parquet", ".html", ".pdf", ".png", ".svg")

SeedOption = Annotated[
    int,
    typer.Option(
        "--seed",
        parser=parse.whole(0, parse.MOST_SEED, str(DEFAULT_SEED)),
        metavar="N",
        envvar="SCHMIER_SEED",
        help="Number that all cards and choices follow from.",
    ),
]
ModeOption = Annotated[
    str,
    typer.Option(
        "--mode",
        parser=parse.one_of(*MODES),
        metavar="|".join(MODES),
        envvar="SCHMIER_MODE",
        help="declare: each seat declares in turn, in the suit its bot chooses. auction: the bots bid.",
    ),
]
SampleOption = Annotated[
    str,
    typer.Option(
        "--sample",
        parser=parse.one_of(*SAMPLES),
        metavar="|".join(SAMPLES),
        envvar="SCHMIER_SAMPLE",
        help="natural: cards as they fall. stratified: every trump holding equally often, weighted when counted; "
        "only with --mode declare.",
    ),
]
BotsOption = Annotated[
    str,
    typer.Option(
        "--bots",
        parser=parse.one_of(*BOTS),
        metavar="|".join(BOTS),
        envvar="SCHMIER_BOTS",
        help="Who plays. " + "; ".join(f"{name}: {what}" for name, what in BOTS.items()) + ".",
    ),
]
TempersOption = Annotated[
    str,
    typer.Option(
        "--tempers",
        parser=parse.one_of(*TEMPER_NAMES),
        metavar="|".join(TEMPER_NAMES),
        envvar="SCHMIER_TEMPERS",
        help="How readily club bids; mixed: each seat draws one of the three in each deal.",
    ),
]
BiddingOption = Annotated[
    str | None,
    typer.Option(
        "--bidding",
        parser=parse.one_of(*BIDDINGS),
        metavar="|".join(BIDDINGS),
        envvar="SCHMIER_BIDDING",
        show_default="equity, where there are three teams",
        help="What club bids by in auctions. equity: the chance to win the match, at the scores. points: points of the "
        "deal, whatever the scores.",
    ),
]
DealersScoresOption = Annotated[
    str | None,
    typer.Option(
        "--scores",
        parser=parse.checked(parse.scores),
        metavar="N,N,N",
        show_default="all 0",
        help="Scores at which club bids by equity: the dealer's team's, then those of the teams to its left.",
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="NAME|FILE",
        envvar="SCHMIER_RULES",
        help="A shipped rule set (see: rules list) or a .toml file.",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        parser=parse.whole(1, MOST_WORKERS, "2"),
        metavar="N",
        envvar="SCHMIER_WORKERS",
        show_default="all cores",
        help="Threads. The counts are the same for any number.",
    ),
]
ByOption = Annotated[
    str,
    typer.Option(
        "--by",
        parser=parse.keys,
        metavar="KEYS",
        help="What a row stands for: trumps, pattern, aces, seat, role, or honours held; several with commas.",
    ),
]
MinDealsOption = Annotated[
    int,
    typer.Option(
        "--min-deals",
        parser=parse.whole(0, parse.MOST_DEALS, "100"),
        metavar="N",
        help="Leave out rows with fewer deals.",
    ),
]
ScoresOption = Annotated[
    str | None,
    typer.Option(
        "--scores",
        parser=parse.checked(parse.scores),
        metavar="N,N,N",
        show_default="all 0",
        help="Scores before the deal: your team's, then those of the teams to your left.",
    ),
]
JsonOption = Annotated[
    bool | None,
    typer.Option(
        "--json/--table",
        show_default="what FILE's ending says, else table",
        help="JSON, or tables for people.",
    ),
]
TextFileOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", show_default="stdout", help="Write here.")
]
SuitsOption = Annotated[
    str,
    typer.Option(
        "--suits",
        parser=parse.one_of(*SUIT_FORMS),
        metavar="|".join(SUIT_FORMS),
        envvar="SCHMIER_SUITS",
        help="AS, or A and the symbol of spades (not in JSON).",
    ),
]
RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="Run file that `simulate` wrote.")]


def bad_value(console: Console, name: str, reason: object, option: str = "") -> NoReturn:
    """Refuse the value of the option `name` that only the library could check."""
    usage(f"{console.origins.get(name) or option or '--' + name}: {reason}")


def load_rules(console: Console, name_or_path: str, name: str = "rules") -> "Rules":
    """Read house rules; refuse them with one line that names the option."""
    from schmier_sim.game import rules

    try:
        return rules.load_rules(name_or_path)
    except rules.RulesError as error:
        bad_value(console, name, error)


def wants_json(console: Console, as_json: bool | None, output: Path) -> bool:
    """Whether a result is written as JSON; refuses endings of files that it cannot be written as."""
    ending = output.suffix.lower()
    if ending in NOT_TEXT:
        other = output.with_suffix(".json").name
        bad_value(
            console, "output", f"{output} cannot be written: this comes as JSON or text, such as -o {other}"
        )
    return ending == ".json" if as_json is None else as_json


def read_run(path: Path, hint: str = "") -> "Run":
    """Read a run file; refuse one that is not there before anything heavy is imported, with a hint what to do."""
    if not os.path.lexists(path):
        raise Failure(f"{path} is not there: {hint or f'{PROGRAM} simulate -o {path} makes one'}")
    from schmier_sim.analysis import store

    with refusing(store.StoreError):
        return store.read_run(path)


def make_setup(
    console: Console,
    *,
    seed: int,
    mode: str,
    sample: str,
    bots: str,
    tempers: str,
    rules: str,
    bidding: str | None = None,
    scores: str | None = None,
) -> "Setup":
    """Put together what is played; without `bidding`, `club` bids by equity where it can."""
    if sample == "stratified" and mode == "auction":
        place = console.origins.get("sample", "--sample")
        usage(f"{place}: stratified deals to a declarer, so it needs --mode declare; write --sample natural")
    house = load_rules(console, rules)
    if tempers != "normal" and (mode != "auction" or bots != "club"):
        console.say(
            f"tempers {tempers} change nothing here: they are club's in auctions (--mode auction --bots club)"
        )
    from schmier_sim.game.standing import check_scores
    from schmier_sim.kernel.simulate import Setup

    bids = mode == "auction" and bots == "club"
    for name, value in (("bidding", bidding), ("scores", scores)):
        if value is not None and not bids:
            console.say(f"{name} {value} changes nothing here: it is for club in auctions (--mode auction)")
    given = () if scores is None else parse.scores(scores)
    if given:
        with refusing_value(console, "scores"):
            check_scores(given, house)
    by = choose_bidding(console, bidding, house, bots) if bids else "points"
    if not bids or not any(given):
        given = ()
    elif by == "points":
        console.say(f"scores {scores} change nothing here: bids by points are the same at all scores")
        given = ()
    return Setup(
        seed=seed,
        mode=mode,
        sample=sample,
        bots=bots,
        rules=house,
        tempers=tempers,
        bidding=by,
        scores=given,
    )


def default_bidding(rules: "Rules", bots: str) -> str:
    """What `club` bids by, and calls are weighed by, where nobody says otherwise."""
    from schmier_sim.game.standing import knows

    return "equity" if knows(rules) and bots == "club" else "points"


def choose_bidding(console: Console, bidding: str | None, rules: "Rules", bots: str) -> str:
    """What is asked for, or equity where it can be."""
    from schmier_sim.game.standing import check_bidding

    if bidding is None:
        return default_bidding(rules, bots)
    with refusing_value(console, "bidding"):
        check_bidding(rules, bidding, (0,) * rules.n_teams)
    return bidding


@contextlib.contextmanager
def refusing_value(console: Console, name: str) -> Iterator[None]:
    """Refuse a value with the words of a ValueError."""
    try:
        yield
    except ValueError as error:
        bad_value(console, name, error)
