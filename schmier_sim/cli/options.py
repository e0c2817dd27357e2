"""Options that several commands share, so that each means the same everywhere.

Where a value comes from: the command line, else the environment (``SCHMIER_SEED`` and so on), else the config file,
else the default that the help shows.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import usage

if TYPE_CHECKING:
    from schmier_sim.game.rules import Rules
    from schmier_sim.kernel.simulate import Setup

DEFAULT_SEED = 21
MODES = ("declare", "auction")
SAMPLES = ("natural", "stratified")
#: What each bot is, in a few words.  The kernels' own list of names is the same; a test compares them.
BOTS = {"simple": "a sensible beginner", "random": "any legal call and card"}

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
    str | None,
    typer.Option(
        "--sample",
        parser=parse.one_of(*SAMPLES),
        metavar="|".join(SAMPLES),
        envvar="SCHMIER_SAMPLE",
        show_default="stratified, natural with --mode auction",
        help="natural: cards as they fall. stratified: every trump holding equally often, weighted when counted.",
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
        parser=parse.whole(1, 1024, "2"),
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
RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="Run file that `simulate` wrote.")]


def bad_value(option: str, reason: object) -> NoReturn:
    """Refuse an option's value that only the library could check."""
    usage(f"Invalid value for '{option}': {reason}")


def load_rules(name_or_path: str, option: str = "--rules") -> "Rules":
    """Read house rules; refuse them with one line that names the option."""
    from schmier_sim.game import rules

    try:
        return rules.load_rules(name_or_path)
    except rules.RulesError as error:
        bad_value(option, error)


def make_setup(*, seed: int, mode: str, sample: str | None, bots: str, rules: str) -> "Setup":
    """Put together what is played; `sample` None means the mode's own."""
    if sample is None:
        sample = "stratified" if mode == "declare" else "natural"
    if sample == "stratified" and mode == "auction":
        usage("--sample stratified deals to a declarer, so it needs --mode declare; write --sample natural")
    house = load_rules(rules)
    from schmier_sim.kernel.simulate import Setup

    return Setup(seed=seed, mode=mode, sample=sample, bots=bots, rules=house)
