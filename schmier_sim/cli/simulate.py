"""``simulate``: play deals, write a run file."""

import contextlib
import os
import shlex
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import PROGRAM, Console, ExitCode, Failure, command_line, duration, rate, usage
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
    refusing_value,
)
from schmier_sim.cli.output import alone, check_file, refuse_stdout

if TYPE_CHECKING:
    from schmier_sim.analysis.ranges import Part
    from schmier_sim.analysis.store import Run
    from schmier_sim.kernel.simulate import Setup

#: Where a precision is wanted and no number of deals is named, the search for it ends here.
MOST_FOR_PRECISION = 1_000_000_000
#: Signals that end a run early.
_STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_NOTHING = "stopped before the first deal; nothing was written"
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
    extend: Annotated[
        Path | None,
        typer.Option(
            "--extend",
            metavar="RUN",
            help="Add as many deals as --deals says to those of RUN; with -o, all go to another file.",
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(
            "--shard",
            parser=parse.checked(parse.shard),
            metavar="I/N",
            help="Play part I of N of the deals, on this machine or another; `merge` puts parts together.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            parser=parse.address,
            metavar="ADDRESS",
            envvar="SCHMIER_SCHEDULER",
            help="Play on the workers of a dask scheduler, such as tcp://127.0.0.1:8786.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a run that is there.")] = False,
) -> ExitCode:
    """Play deals and write a run file.

    The other commands read it. Ctrl-C ends early and leaves a valid run; --resume goes on with it, to the same counts.
    Exit code 3: the deals were played, but the wanted precision was not reached.
    """
    _check_together(
        console,
        deals=deals,
        resume=resume,
        force=force,
        extend=extend,
        output=output,
        shard=shard,
        precision=precision,
    )
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
    path = output or _default_path(f"run-{mode}-{seed}", extend, shard)
    refuse_stdout(path, "run.parquet")
    check_file(path)
    with _stop_on_signal(console) as stop, alone(path):
        base = None if extend is None else read_run(extend)
        previous = _previous(path, base, extend, shard, resume=resume, force=force)
        for run, name, option in ((base, extend, "--extend"), (previous, path, "--resume")):
            if run is not None:
                setup = _same_setup(console, setup, run, name, option)
        _check_keys(console, by, setup)
        if base is not None and extend is not None:
            _check_extended(base, extend)
        part = _part(console, path, deals, precision, base, shard, previous)
        if previous is not None and precision is None and not _lacks(previous, part):
            console.say(f"{path} already has {previous.info.deals:,} deals; nothing to play")
            console.data(str(path))
            return ExitCode.DONE
        with _workers(console, scheduler, workers) as crew:
            result = _play(
                console, stop, path, setup, part, precision, parse.words(by), min_deals, crew, previous
            )
    console.clear()
    console.data(str(path))
    precise = precision is None or _half_width(result, by, min_deals) <= precision
    given = scheduler if "scheduler" in console.given else None
    return _summary(console, result, path, stop.signal, given, precise=precise)


def _check_together(
    console: Console,
    *,
    deals: int | None,
    resume: bool,
    force: bool,
    extend: Path | None,
    output: Path | None,
    shard: str | None,
    precision: float | None,
) -> None:
    """Refuse options that do not go together."""
    if resume and force:
        usage("--resume goes on with a run, --force writes over it: leave one of them out")
    if extend is not None and resume and shard is None:
        usage("--extend adds deals to a run, --resume plays what it still lacks: leave one of them out")
    if extend and shard and output and os.path.realpath(output) == os.path.realpath(extend):
        usage(f"--output {output}: a part does not go where the run is that is extended; name another -o")
    if extend is not None and deals is None and precision is None:
        usage("--extend: say with --deals how many are added, such as -n 1M")
    if precision is None:
        return
    for option, given in (("--shard", shard), ("--extend", extend)):
        if given is not None:
            place = console.origins.get("precision", "--precision")
            usage(f"{option} plays as many deals as --deals says: leave out {place}, or {option}")


def _default_path(stem: str, extend: Path | None, shard: str | None) -> Path:
    """Where a run goes that has no other name: parts tell which they are."""
    if shard is None:
        return extend or Path(f"{stem}.parquet")
    number, of = parse.shard(shard)
    stem = stem if extend is None else f"{extend.stem}-more"
    return Path(f"{stem}-{number}-of-{of}.parquet")


def _check_extended(base: "Run", path: Path) -> None:
    """Refuse to extend what is no whole run: which deals are to be added would not be clear."""
    if base.info.whole:
        raise Failure(f"{path} is a part of a run: merge the parts first, and extend the whole")
    if not base.info.complete:
        go_on = shlex.join([PROGRAM, "simulate", "--resume", "-o", str(path)])
        raise Failure(
            f"{path} has {base.info.deals:,} of {base.info.wanted:,} deals, so it is not extended: {go_on} plays the "
            "others, and -n with it names another end"
        )


def _part(
    console: Console,
    path: Path,
    deals: int | None,
    precision: float | None,
    base: "Run | None",
    shard: str | None,
    previous: "Run | None",
) -> "Part":
    """What is to be played."""
    from schmier_sim.analysis.ranges import Part
    from schmier_sim.analysis.ranges import shard as cut

    there = 0 if base is None else base.info.deals
    if shard is not None:
        with refusing_value(console, "shard"):
            part = cut(*parse.shard(shard), deals or DEFAULT_DEALS, there)
        if previous is not None and previous.info.part != part:
            usage(
                f"--shard {shard}: {_in_words(part)}, but {path} was to have {_in_words(previous.info.part)}; "
                "leave --shard and --deals out to go on with it"
            )
        return part
    if base is not None and deals is not None:
        return Part(0, there + deals, 0)
    if previous is not None and previous.info.whole:
        for name in ("deals", "precision"):
            if name in console.given:
                usage(
                    f"--{name}: {path} is a part and goes on to its own end; leave --{name} out, or merge first"
                )
        return previous.info.part
    return Part(0, _default_deals(precision, previous) if deals is None else deals, 0)


def _in_words(part: "Part") -> str:
    of = f" of {part.whole:,}" if part.whole else ""
    return f"{part.deals:,} deals from {part.first:,} on{of}"


@contextlib.contextmanager
def _workers(console: Console, scheduler: str | None, workers: int | None) -> Iterator["dict[str, Any]"]:
    """Who plays: threads of this process, or the workers of a cluster."""
    if scheduler is not None and "workers" in console.given:
        if "scheduler" in console.given:
            usage("--workers are threads of this machine, --scheduler plays on others: leave one of them out")
        console.say(f"playing on this machine, with --workers; not used: {console.origins['scheduler']}")
        scheduler = None
    if scheduler is None:
        yield {"workers": workers}
        return
    from schmier_sim.analysis.cluster import ClusterError, connect

    there: bool | None = None

    def threads() -> int:
        """Threads that there are now; tells when the first come and when the last go."""
        nonlocal there
        now = cluster.threads()
        if there != bool(now):
            there = bool(now)
            console.say(
                f"playing on {now} {'thread' if now == 1 else 'threads'} of {scheduler}"
                if there
                else f"waiting for workers of {scheduler} …"
            )
        return now

    try:
        with connect(scheduler) as cluster:
            yield {"workers": threads, "executor": cluster.executor}
    except ClusterError as error:
        raise Failure(str(error)) from None


def _play(
    console: Console,
    stop: "_Stop",
    path: Path,
    setup: "Setup",
    part: "Part",
    precision: float | None,
    by: tuple[str, ...],
    min_deals: int,
    crew: "dict[str, Any]",
    previous: "Run | None",
) -> "Run":
    """Play, and write the run file now and then and at the end."""
    from schmier_sim.analysis import run as library
    from schmier_sim.analysis.store import StoreError, write_run

    console.say(_describe(setup))
    saved = False

    def save(partial: "Run") -> None:
        nonlocal saved
        write_run(path, partial)
        saved = True

    try:
        result = library.simulate(
            setup,
            **part._asdict(),
            precision=precision,
            by=by,
            min_deals=min_deals,
            **crew,
            previous=previous,
            progress=console.progress,
            stop=stop.event,
            checkpoint=save,
            command=command_line(),
        )
        if previous is None or result.info.deals > previous.info.deals:
            if result.info.deals == 0:
                raise Failure(_NOTHING, ExitCode(128 + stop.signal))
            save(result)
        elif not path.exists():  # deals for another file than that of the run they are added to
            raise Failure(_NOTHING, ExitCode(128 + stop.signal))
    except (StoreError, library.ExecutorError) as error:
        kept = ""
        if saved:
            kept = f"; {path} has what was saved before: go on with --resume"
        elif isinstance(error, library.ExecutorError):
            kept = "; nothing was written"
        raise Failure(f"{error}{kept}") from error
    return result


class _Stop:
    """Asks the workers to end, and remembers which signal it was."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.signal = 0


@contextlib.contextmanager
def _stop_on_signal(console: Console) -> Iterator[_Stop]:
    """Turn the first Ctrl-C, SIGTERM or end of the terminal into a polite stop; a second one ends at once."""
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
    taken = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]  # as nohup does
    before = {number: signal.signal(number, ask) for number in taken}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _previous(
    path: Path, base: "Run | None", extend: Path | None, shard: str | None, *, resume: bool, force: bool
) -> "Run | None":
    """The run to go on with, if any; refuse to write over a run unless told to."""
    adds = base is not None and shard is None
    if adds and path == extend:
        return base
    if resume and not path.exists():
        raise Failure(f"{path} is not there: leave out --resume to begin")
    if path.exists() and not force:
        if not resume:
            resumes = "without --extend, --resume" if adds else "--resume"
            choices = f"{resumes} goes on with it, --force writes over it"
            raise Failure(f"{path} is there already: {choices}, or name another -o")
        return read_run(path)
    return base if adds else None


def _same_setup(console: Console, setup: "Setup", previous: "Run", path: Path | None, option: str) -> "Setup":
    """Take the setup from the run that goes on; refuse an option that says otherwise, and tell of other settings."""
    from dataclasses import replace

    own, unused = [], []
    for name in IDENTITY:
        there, wanted = getattr(previous.info, name), getattr(setup, name)
        if wanted == there:
            continue
        text = _setting(there)
        if name in console.given:
            asked = _setting(wanted)
            usage(f"--{name} {asked} does not go with {option}: {path} was played with {name} {text}")
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


def _lacks(run: "Run", part: "Part") -> bool:
    """Whether a run lacks deals of a part."""
    from schmier_sim.analysis.ranges import missing

    return bool(missing(run.info.ranges, part.first, part.stop))


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


def _summary(
    console: Console, run: "Run", path: Path, number: int, scheduler: str | None, *, precise: bool
) -> ExitCode:
    """Say what was played, how to go on, and what the shell learns."""
    info, deals = run.info, run.tally.deals
    console.say(f"{deals:,} deals in {duration(info.seconds)} ({rate(info.speed)}){_passed(run)}")
    if number and not info.complete:
        wanted = [] if info.whole else ["-n", str(info.wanted)]
        there = ["--scheduler", scheduler] if scheduler else []
        go_on = shlex.join([PROGRAM, "simulate", "-o", str(path), "--resume", *wanted, *there])
        console.say(f"stopped early; go on with: {go_on}")
        return ExitCode(128 + number)
    if not precise:
        more = "go on with --resume and a larger -n"
        if info.sample == "natural":
            more += (
                "; rare hands come faster with --sample stratified, or are left out with a larger --min-deals"
            )
        console.error(f"the wanted precision was not reached in {deals:,} deals; {more}")
        return ExitCode.SHORT
    command = ["merge", str(path), "…", "-o", "RUN"] if info.whole else ["table", str(path)]
    console.say(
        f"next: {PROGRAM} {' '.join(command)}" if info.whole else f"next: {shlex.join([PROGRAM, *command])}"
    )
    return ExitCode.DONE


def _passed(run: "Run") -> str:
    return f"; {run.tally.passed:,} of them passed out" if run.info.mode == "auction" else ""
