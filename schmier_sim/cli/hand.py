"""``hand CARDS``: how high to bid with six cards, in a seat, after some calls; for one hand or a file of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import PROGRAM, Console, ExitCode, progress_line, shown, usage
from schmier_sim.cli.hand_list import FIELD_NAMES, Line, read_list, refuse_same_file
from schmier_sim.cli.options import (
    DEFAULT_SEED,
    BiddingOption,
    BotsOption,
    JsonOption,
    RulesOption,
    ScoresOption,
    SeedOption,
    SuitsOption,
    TempersOption,
    TextFileOption,
    WorkersOption,
    bad_value,
    choose_bidding,
    default_bidding,
    load_rules,
)
from schmier_sim.cli.output import STDOUT, check_texts, refusing, write_text

if TYPE_CHECKING:
    from schmier_sim.analysis.advice import Advice
    from schmier_sim.analysis.run import Progress
    from schmier_sim.analysis.situation import Situation
    from schmier_sim.game.rules import Rules

EXAMPLE = f'{PROGRAM} hand "AS KS JC 2S 10H 9D"'
DEFAULT_PRECISION = 0.5
DEFAULT_SECONDS = 30.0
DEFAULT_TEMPERS = "mixed"
MOST_WORLD = 2**32 - 1
#: A seat for each role, by who are partners: an opponent deals, the partner deals, the player deals.
ROLE_SEATS = {"3x2": (1, 3, 6), "2x3": (1, 4, 6)}
#: Endings of files, and what is written to them.
FORMS = {".json": "json", ".jsonl": "json", ".csv": "csv"}
NO_FORM = (".parquet", ".html", ".pdf", ".png", ".svg")


@dataclass(frozen=True)
class Asked:
    """What is asked for all hands alike."""

    rules: "Rules"
    rules_name: str
    bots: str
    tempers: str
    bidding: str
    heeds_calls: bool
    seed: int
    precision: float
    max_seconds: float
    workers: int | None


@dataclass(frozen=True)
class Shape:
    """What is shown of each answer, and how."""

    form: str
    symbols: bool
    what_if: bool
    failures: bool


def hand(
    console: Console,
    cards: Annotated[
        list[str] | None,
        typer.Argument(metavar="HAND", show_default=False, help='Six cards, such as "AS KS JC 2S 10H 9D".'),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            parser=parse.whole(1, 6, "3"),
            metavar="1…6",
            show_default="whose turn it is after --auction; without that, one seat for each role",
            help="Your seat: 1 is left of the dealer, 6 the dealer.",
        ),
    ] = None,
    auction: Annotated[
        str | None,
        typer.Option(
            "--auction",
            parser=parse.checked(parse.calls),
            metavar="CALLS",
            show_default="all pass",
            help='Calls before yours, from seat 1 on: "p 3 p".',
        ),
    ] = None,
    scores: ScoresOption = None,
    rules: RulesOption = "standard",
    bots: BotsOption = "club",
    tempers: TempersOption = DEFAULT_TEMPERS,
    bidding: BiddingOption = None,
    ignore_calls: Annotated[
        bool, typer.Option("--ignore-calls", help="Draw the other hands as if nobody had called.")
    ] = False,
    seed: SeedOption = DEFAULT_SEED,
    precision: Annotated[
        float,
        typer.Option(
            "--precision",
            parser=parse.points,
            metavar="PP",
            help="Play until chances are known to PP percentage points, and differences of calls to a tenth of it, "
            "in points.",
        ),
    ] = DEFAULT_PRECISION,
    max_time: Annotated[
        float,
        typer.Option(
            "--max-time",
            parser=parse.seconds,
            metavar="SECONDS",
            show_default="30",
            help="Stop after so long for each answer, whatever is known by then.",
        ),
    ] = DEFAULT_SECONDS,
    workers: WorkersOption = None,
    what_if: Annotated[
        bool, typer.Option("--what-if", help="Also what one other card in the hand would change.")
    ] = False,
    show_failures: Annotated[
        bool, typer.Option("--show-failures", help="Also three deals in which the contract fails.")
    ] = False,
    world: Annotated[
        int | None,
        typer.Option(
            "--world",
            parser=parse.whole(0, MOST_WORLD, "32777"),
            metavar="N",
            show_default=False,
            help="Only replay world N, card by card, after the best call or --call.",
        ),
    ] = None,
    call: Annotated[
        str | None,
        typer.Option(
            "--call",
            parser=parse.checked(parse.call),
            metavar="CALL",
            show_default="the best one",
            help="With --world: your call, p or a bid.",
        ),
    ] = None,
    suit: Annotated[
        str | None,
        typer.Option(
            "--suit",
            parser=parse.suit,
            metavar="S|H|C|D",
            show_default="the best one",
            help="With --world: the suit that you name.",
        ),
    ] = None,
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            show_default=False,
            help="Many hands, one a line: HAND | SEAT | CALLS | SCORES; - reads stdin.",
        ),
    ] = None,
    as_json: JsonOption = None,
    suits: SuitsOption = "letters",
    output: TextFileOption = STDOUT,
) -> ExitCode:
    """Tell how high to bid with a hand.

    Compares all bids in all suits, and passing, in deals that fit the cards and the calls before. Without --seat and
    --auction there is an answer for each role: an opponent, the partner, the player deals. With --from each line of a
    file gets its answers, as CSV or, with --json, as a line of JSON.

    Exit code 3: the answer stands, but the wanted precision was not reached.
    """
    given = " ".join(cards or [])
    if cards and "from_file" in console.given:
        usage(
            f"--from: hands come from the file or from the command line: leave out --from or {shown(given)}"
        )
    if not cards and from_file is None:
        usage(f"HAND is missing; write, for example, {EXAMPLE}, or --from FILE for many")
    batch = not cards
    _check_world(console, world, batch=batch, also=what_if or show_failures, call=call, suit=suit)
    if batch and show_failures:
        usage("--show-failures is for one hand, not for --from: leave it out")
    form = _form(console, as_json, output, batch=batch)
    if form == "csv" and (what_if or show_failures):
        also = "--what-if" if what_if else "--show-failures"
        usage(f"{also} does not fit into CSV: leave it out, or write --json")
    first = None if batch else _labelled("HAND", parse.cards, given)
    if from_file is not None and batch:
        refuse_same_file(from_file, output)
    check_texts([output], None)
    house = load_rules(console, rules)
    if bots != "club" and "tempers" in console.origins:
        console.say(f"tempers {tempers} change nothing here: they are club's (--bots club)")
    by = choose_bidding(console, bidding, house, bots)
    asked = Asked(house, rules, bots, tempers, by, not ignore_calls, seed, precision, max_time, workers)
    line = Line(
        None,
        first or (),
        seat,
        None if auction is None else parse.calls(auction),
        None if scores is None else parse.scores(scores),
    )
    shape = Shape(form, suits == "symbols", what_if, show_failures)
    if world is not None:
        return _show_world(
            console, asked, shape, line, world, None if call is None else parse.call(call), suit, output
        )
    if batch and from_file is not None:
        return _answer_list(console, asked, shape, line, from_file, output)
    return _answer_one(console, asked, shape, line, output)


def _check_world(
    console: Console, world: int | None, *, batch: bool, also: bool, call: object, suit: object
) -> None:
    """Refuse what does not go with --world, and what goes only with it."""
    if world is None:
        for name, value in (("call", call), ("suit", suit)):
            if value is not None:
                bad_value(console, name, "it goes with --world N; leave it out")
    elif batch:
        usage("--world is for one hand, not for --from: leave it out")
    elif also:
        usage("--world only replays a deal: leave out --what-if and --show-failures")


def _form(console: Console, as_json: bool | None, output: Path, *, batch: bool) -> str:
    """Choose between text, JSON and CSV; refuse endings of files that say something else."""
    ending = output.suffix.lower()
    if ending in NO_FORM:
        other = output.with_suffix(".json").name
        bad_value(
            console,
            "output",
            f"{output} cannot be written: this comes as JSON, CSV or text, such as -o {other}",
        )
    if as_json is not None:
        return "json" if as_json else "text"
    return FORMS.get(ending, "csv" if batch else "text")


def _labelled(label: str, read: Callable[[str], Any], text: str) -> Any:
    """Read what no option reads; errors name its place."""
    try:
        return read(text)
    except typer.BadParameter as error:
        usage(f"{label}: {error.message}")


def _situations(asked: Asked, line: Line) -> "list[Situation]":
    """Make the question, or one for each role where nothing tells the seat; AdviceError if it makes no sense."""
    from schmier_sim.analysis.situation import make_situation

    seats: Sequence[int] = ROLE_SEATS[asked.rules.teams]
    if line.seat is not None:
        seats = (line.seat,)
    elif line.auction is not None:
        seats = (len(line.auction) + 1,)
    return [
        make_situation(
            line.cards,
            seat,
            line.auction,
            line.scores,
            asked.rules,
            asked.bots,
            asked.tempers,
            asked.heeds_calls,
            asked.bidding,
        )
        for seat in seats
    ]


def _checked(console: Console, asked: Asked, line: Line) -> "list[Situation]":
    """Make the questions of the command line; refuse with one line what makes no sense."""
    from schmier_sim.analysis.situation import AdviceError

    try:
        return _situations(asked, line)
    except AdviceError as error:
        if error.about:
            bad_value(console, error.about, error)
        usage(str(error))


def _answer_one(console: Console, asked: Asked, shape: Shape, line: Line, output: Path) -> ExitCode:
    """Answer for the hand on the command line; each answer is shown as soon as it is there."""
    from schmier_sim.analysis.situation import AdviceError

    situations = _checked(console, asked, line)
    texts, notes = [], []
    for number, situation in enumerate(situations):
        with refusing(AdviceError):
            text, note = _answer(
                console, asked, shape, situation, first=number == 0, several=len(situations) > 1
            )
        texts.append(text)
        notes += [note] if note else []
        if output == STDOUT:
            _show(console, text)
    if output != STDOUT:
        write_text(console, output, "".join(texts))
    for note in notes:
        console.error(note)
    return ExitCode.SHORT if notes else ExitCode.DONE


def _answer_list(
    console: Console, asked: Asked, shape: Shape, defaults: Line, path: Path, output: Path
) -> ExitCode:
    """Answer for each hand of a list; a bad line is told and left out."""
    from schmier_sim.analysis.situation import AdviceError

    texts: list[str] = []
    bad, precise = False, True

    def show(text: str) -> None:
        texts.append(text)
        if output == STDOUT:
            _show(console, texts.pop())

    lines = read_list(path)
    if shape.form == "csv":
        from schmier_sim.present.hand_files import csv_head

        show(csv_head())
    first = True
    for number, read in lines:
        try:
            line = read(defaults)
            situations = _situations(asked, line)
            for situation in situations:
                text, note = _answer(console, asked, shape, situation, first=first, line=number)
                show(text)
                first = False
                if note:
                    precise = False
                    console.error(f"line {number}: {note}")
        except (typer.BadParameter, AdviceError) as error:
            bad = True
            field = FIELD_NAMES.get(getattr(error, "about", ""))
            place = f"line {number}: {field}: " if field else f"line {number}: "
            console.error(f"{place}{getattr(error, 'message', error)}")
    console.clear()
    if output != STDOUT:
        write_text(console, output, "".join(texts))
    if bad:
        return ExitCode.FAILED
    return ExitCode.DONE if precise else ExitCode.SHORT


def _show(console: Console, text: str) -> None:
    """Write an answer at once, so that a reader at the other end of a pipe has it."""
    console.clear()
    console.data(text)
    console.out.flush()


def _answer(
    console: Console,
    asked: Asked,
    shape: Shape,
    situation: "Situation",
    *,
    first: bool,
    several: bool = False,
    line: int | None = None,
) -> tuple[str, str]:
    """Answer one question: the text, and where it is not as precise as was wanted, a line that says so."""
    from schmier_sim.analysis.whatif import tell_world, value_swaps
    from schmier_sim.present import hand_files, hands

    advice = _advise(console, asked, situation, table=line is None)
    note = "" if advice.precise else hands.reached(advice, asked.precision)
    swaps = None
    if shape.what_if:
        swaps = value_swaps(
            advice,
            workers=asked.workers,
            progress=lambda now: console.live([hands.swapping(now.done, now.total)]),
        )
    best = advice.verdict
    records = None
    if shape.failures:
        records = [
            tell_world(situation, asked.seed, number, best.call, best.suit) for number in advice.failures
        ]
    console.clear()
    if shape.form == "csv":
        head = hand_files.csv_head() if first and line is None else ""
        return head + hand_files.to_csv(advice, line=line), note
    if shape.form == "json":
        text = hand_files.to_json(advice, asked.precision, line=line, swaps=swaps, failures=records)
        return text, note
    text = hands.to_text(advice, symbols=shape.symbols, swaps=swaps)
    if records is not None:
        commands = [_again(asked, advice, number) for number in advice.failures]
        text += "\n" + hands.failures_to_text(advice, records, commands, symbols=shape.symbols)
    return hands.among(text, first=first, several=several), note


def _advise(console: Console, asked: Asked, situation: "Situation", *, table: bool) -> "Advice":
    """Look at worlds; on a terminal what is known so far is drawn meanwhile."""
    from schmier_sim.analysis.advice import advise_in
    from schmier_sim.present.hands import glimpse

    lively = console.lively and table
    latest: list[Progress] = []

    def progress(now: "Progress") -> None:
        if lively and not now.message:
            latest[:] = [now]
        else:
            console.progress(now)

    def draw(advice: "Advice") -> None:
        console.live([*glimpse(advice), *map(progress_line, latest)])

    found = advise_in(
        situation,
        seed=asked.seed,
        precision=asked.precision,
        max_seconds=asked.max_seconds,
        workers=asked.workers,
        progress=progress,
        glimpse=draw if lively else None,
    )
    console.clear()
    return found


def _again(asked: Asked, advice: "Advice", number: int) -> list[str]:
    """Write the command that replays a world after the verdict's call, whatever the environment's defaults are."""
    from schmier_sim.game.notation import format_call, format_cards

    situation, best = advice.situation, advice.verdict
    words = [PROGRAM, "hand", format_cards(situation.hand)]
    if situation.auction:
        words += ["--auction", " ".join("p" if bid is None else str(bid) for bid in situation.auction)]
    else:
        words += ["--seat", "1"]
    if any(situation.scores) and situation.bidding == "equity":
        words += ["--scores", ",".join(map(str, situation.scores))]
    for name, value, default in (
        ("rules", asked.rules_name, "standard"),
        ("bots", asked.bots, "club"),
        ("tempers", asked.tempers, DEFAULT_TEMPERS),
        ("bidding", asked.bidding, default_bidding(asked.rules, asked.bots)),
        ("seed", str(asked.seed), str(DEFAULT_SEED)),
    ):
        if value != default:
            words += [f"--{name}", value]
    if not asked.heeds_calls:
        words.append("--ignore-calls")
    return [*words, "--world", str(number), "--call", format_call(best.call), "--suit", best.suit]


def _show_world(
    console: Console,
    asked: Asked,
    shape: Shape,
    line: Line,
    number: int,
    call: tuple[int | None, ...] | None,
    suit: str | None,
    output: Path,
) -> ExitCode:
    """Replay one world; advice is asked for only if call or suit are left open."""
    from schmier_sim.analysis.situation import AdviceError
    from schmier_sim.analysis.whatif import tell_world
    from schmier_sim.present import hand_files, hands

    if shape.form == "csv":
        usage("--world is written as text or as JSON, not as CSV: leave out -o, or name a .json file")
    situations = _checked(console, asked, line)
    if len(situations) > 1:
        usage("--world belongs to one seat: name it, such as --seat 3")
    situation = situations[0]
    if call is not None and call[0] not in situation.options:
        known = " or ".join("p" if option is None else str(option) for option in situation.options)
        bad_value(console, "call", f"{call[0] or 'p'} is not possible here; write {known}")
    with refusing(AdviceError):
        if call is None or (suit is None and call != (None,)):
            advice = _advise(console, asked, situation, table=True)
            chosen = advice.verdict if call is None else next(c for c in advice.calls if c.call == call[0])
            call, suit = (chosen.call,), suit or chosen.suit
        record = tell_world(situation, asked.seed, number, call[0], suit or "S")
    console.clear()
    if shape.form == "json":
        text = hand_files.world_to_json(situation, asked.seed, number, record)
    else:
        text = hands.world_to_text(situation, asked.seed, number, record, symbols=shape.symbols)
    write_text(console, output, text)
    return ExitCode.DONE
