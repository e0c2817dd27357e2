"""``simulate``: play deals, write a run file."""

import contextlib
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import PROGRAM, Console, ExitCode, Failure, duration, rate, usage
from schmier_sim.cli.options import (
    DEFAULT_DEALS,
    DEFAULT_SAMPLE,
    DEFAULT_SEED,
    BiddingOption,
    BotsOption,
    ByOption,
    DealersScoresOption,
    MinDealsOption,
    ModeOption,
    RulesOption,
    SampleOption,
    SeedOption,
    TempersOption,
    WorkersOption,
    bad_value,
    make_setup,
    read_run,
)
from schmier_sim.cli.output import alone, check_file, refuse_stdout, refusing

if TYPE_CHECKING:
    from schmier_sim.analysis.store import Run
    from schmier_sim.kernel.simulate import Setup

#: Where a precision is wanted and no number of deals is named, the search for it ends here.
MOST_FOR_PRECISION = 1_000_000_000
#: Options that decide which deals are played: a resumed run has them already.
IDENTITY = ("seed", "mode", "sample", "bots", "tempers", "bidding", "scores", "rules")


def simulate(
    console: Console,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            "-n",
            parser=parse.deals,
            metavar="N",
            envvar="SCHMIER_DEALS",
            show_default="10M; at most 1000M with --precision",
            help="Deals to play: 10000000, 10_000_000, 10M or 2.5e6.",
        ),
    ] = None,
    seed: SeedOption = DEFAULT_SEED,
    mode: ModeOption = "declare",
    sample: SampleOption = DEFAULT_SAMPLE,
    bots: BotsOption = "club",
    tempers: TempersOption = "normal",
    bidding: BiddingOption = None,
    scores: DealersScoresOption = None,
    rules: RulesOption = "standard",
    workers: WorkersOption = None,
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision",
            parser=parse.points,
            metavar="PP",
            help="Play until no interval of the table --by KEYS reaches further than PP percentage points.",
        ),
    ] = None,
    by: ByOption = "trumps",
    min_deals: MinDealsOption = 100,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="RUN", show_default="run-MODE-SEED.parquet", help="Run file to write."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in RUN, up to --deals.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a run that is there.")] = False,
) -> ExitCode:
    """Play deals and write a run file.

    The other commands read it. Ctrl-C ends early and leaves a valid run; --resume goes on with it, to the same counts.
    Exit code 3: the deals were played, but the wanted precision was not reached.
    """
    if resume and force:
        usage("--resume goes on with a run, --force writes over it: leave one of them out")
    setup = make_setup(
        console,
        seed=seed,
        mode=mode,
        sample=sample,
        bots=bots,
        tempers=tempers,
        rules=rules,
        bidding=bidding,
        scores=scores,
    )
    path = output or Path(f"run-{mode}-{seed}.parquet")
    refuse_stdout(path, "run.parquet")
    check_file(path)
    with _stop_on_signal(console) as stop, alone(path):
        previous = _previous(path, resume=resume, force=force)
        if previous is not None:
            setup = _same_setup(console, setup, previous, path)
        _check_keys(console, by, setup)
        if deals is None:
            deals = _default_deals(precision, previous)
        if previous is not None and precision is None and _has(previous, deals):
            console.say(f"{path} already has {previous.info.deals:,} deals; nothing to play")
            console.data(str(path))
            return ExitCode.DONE
        result = _play(
            console, stop, path, setup, deals, precision, parse.words(by), min_deals, workers, previous
        )
    console.clear()
    console.data(str(path))
    precise = precision is None or _half_width(result, by, min_deals) <= precision
    return _summary(console, result, path, stop.signal, precise=precise)


def _play(
    console: Console,
    stop: "_Stop",
    path: Path,
    setup: "Setup",
    deals: int,
    precision: float | None,
    by: tuple[str, ...],
    min_deals: int,
    workers: int | None,
    previous: "Run | None",
) -> "Run":
    """Play, and write the run file now and then and at the end."""
    from schmier_sim.analysis import run as library
    from schmier_sim.analysis.store import StoreError, write_run

    console.say(_describe(setup))
    with refusing(StoreError):
        result = library.simulate(
            setup,
            deals=deals,
            precision=precision,
            by=by,
            min_deals=min_deals,
            workers=workers,
            previous=previous,
            progress=console.progress,
            stop=stop.event,
            checkpoint=lambda partial: write_run(path, partial),
            command=_command(),
        )
        if result.info.deals == 0:
            raise Failure("stopped before the first deal; nothing was written", ExitCode(128 + stop.signal))
        if previous is None or result.info.deals > previous.info.deals:
            write_run(path, result)
    return result


def _command() -> str:
    """The command line, to tell in the run how it was made."""
    return os.fsencode(shlex.join([PROGRAM, *sys.argv[1:]])).decode("utf-8", "replace")


class _Stop:
    """Asks the workers to end, and remembers which signal it was."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.signal = 0


@contextlib.contextmanager
def _stop_on_signal(console: Console) -> Iterator[_Stop]:
    """Turn the first Ctrl-C or SIGTERM into a polite stop; a second one ends at once."""
    stop = _Stop()

    def ask(number: int, _frame: FrameType | None) -> None:
        if stop.signal:
            raise Failure("stopped at once; the run file holds what it held before", ExitCode(128 + number))
        stop.signal = number
        stop.event.set()
        console.say("stopping after the deals that are being played …")

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _previous(path: Path, *, resume: bool, force: bool) -> "Run | None":
    """Read the run to go on with; refuse to write over a run unless told to."""
    if resume and not path.exists():
        raise Failure(f"{path} is not there: leave out --resume to begin")
    if not path.exists() or force:
        return None
    if not resume:
        raise Failure(
            f"{path} is there already: --resume goes on with it, --force writes over it, or name another -o"
        )
    return read_run(path)


def _same_setup(console: Console, setup: "Setup", previous: "Run", path: Path) -> "Setup":
    """Take the setup from the run that is resumed; refuse an option that says otherwise, and tell of other settings."""
    from dataclasses import replace

    own, unused = [], []
    for name in IDENTITY:
        there, wanted = getattr(previous.info, name), getattr(setup, name)
        if wanted == there:
            continue
        text = _setting(there)
        if name in console.given:
            asked = _setting(wanted)
            usage(f"--{name} {asked} does not go with --resume: {path} was played with {name} {text}")
        if name in console.origins:
            own.append(f"{name} {text}")
            unused.append(console.origins[name])
    if own:
        console.say(f"{path} goes on with its own {', '.join(own)}; not used: {', '.join(unused)}")
    return replace(setup, **{name: getattr(previous.info, name) for name in IDENTITY})


def _setting(value: Any) -> str:
    """A setting as it would be written."""
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "all 0"
    return str(getattr(value, "name", value))


def _has(run: "Run", deals: int) -> bool:
    """Whether a run has all of its first so many deals."""
    return any(start == 0 and stop >= deals for start, stop in run.info.ranges)


def _check_keys(console: Console, by: str, setup: "Setup") -> None:
    from schmier_sim.analysis.patterns import PatternError, parse_keys

    try:
        parse_keys(by, setup.rules)
    except PatternError as error:
        bad_value(console, "by", error)


def _default_deals(precision: float | None, previous: "Run | None") -> int:
    if precision is not None:
        return MOST_FOR_PRECISION
    return previous.info.wanted if previous is not None else DEFAULT_DEALS


def _half_width(run: "Run", by: str, min_deals: int) -> float:
    """How far the widest interval of the table reaches, in percentage points."""
    from schmier_sim.analysis.estimates import make_table, worst_half_width

    return worst_half_width(make_table(run, by=parse.words(by), min_deals=min_deals))


def _describe(setup: "Setup") -> str:
    from schmier_sim.present.words import bidding_words

    tempers = "" if setup.tempers == "normal" else f", tempers {setup.tempers}"
    bidding = bidding_words(setup)
    tempers += f", {bidding}" if bidding else ""
    return (
        f"seed {setup.seed}, mode {setup.mode}, sample {setup.sample}, bots {setup.bots}{tempers}, "
        f"rules {setup.rules.name}"
    )


def _summary(console: Console, run: "Run", path: Path, number: int, *, precise: bool) -> ExitCode:
    """Say what was played, how to go on, and what the shell learns."""
    info, deals = run.info, run.tally.deals
    console.say(f"{deals:,} deals in {duration(info.seconds)} ({rate(info.speed)}){_passed(run)}")
    if number and not info.complete:
        go_on = shlex.join([PROGRAM, "simulate", "-o", str(path), "--resume", "-n", str(info.wanted)])
        console.say(f"stopped early; go on with: {go_on}")
        return ExitCode(128 + number)
    if not precise:
        more = "go on with --resume and a larger -n"
        if info.sample == "natural":
            more += (
                "; rare hands come faster with --sample stratified, or are left out with a larger --min-deals"
            )
        console.error(f"the wanted precision was not reached in {deals:,} deals; {more}")
        return ExitCode.IMPRECISE
    console.say(f"next: {shlex.join([PROGRAM, 'table', str(path)])}")
    return ExitCode.DONE


def _passed(run: "Run") -> str:
    return f"; {run.tally.passed:,} of them passed out" if run.info.mode == "auction" else ""
