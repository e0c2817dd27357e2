"""``quiz``: hands to bid, and what each answer costs; on the screen, or on a sheet of paper."""

import io
import re
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console, ExitCode, Failure, shown, usage
from schmier_sim.cli.options import (
    DEFAULT_SEED,
    SUIT_FORMS,
    BotsOption,
    JsonOption,
    RulesOption,
    SeedOption,
    TempersOption,
    TextFileOption,
    WorkersOption,
    load_rules,
    wants_json,
)
from schmier_sim.cli.output import STDOUT, check_texts, refusing, write_text
from schmier_sim.game.notation import SYMBOLS, format_call

if TYPE_CHECKING:
    from schmier_sim.analysis.quiz import Question, Quiz
    from schmier_sim.analysis.situation import Situation

DEFAULT_QUESTIONS = 10
DEFAULT_PRECISION = 1.0
MOST_QUESTIONS = 1000
MOST_ON_A_SHEET = 100
#: Of an answer that are read at a time: there may be no end of a line.
MOST_LETTERS = 1000
#: So many answers to a question that are none come from no player.
MOST_TRIES = 100
PROMPT = "Your call: "
END = frozenset({"q", "quit"})
#: A call as people type it; the suit by its letter, sign or name.
CALL = re.compile(
    r"(?P<call>p|pass|-|–|[0-9]{1,3})\s*(?:(?:in\s+)?(?P<suit>[shcd♠♥♣♦]|spades|hearts|clubs|diamonds))?"
)
#: Signs that pick the look of the one before.
UNSEEN = str.maketrans("", "", "\ufe0e\ufe0f")
SUIT_OF = {symbol: letter for letter, symbol in SYMBOLS.items()}


def quiz(
    console: Console,
    questions: Annotated[
        int,
        typer.Option(
            "--questions",
            "-n",
            parser=parse.whole(1, MOST_QUESTIONS, str(DEFAULT_QUESTIONS)),
            metavar="N",
            help="Questions that are asked.",
        ),
    ] = DEFAULT_QUESTIONS,
    first: Annotated[
        int,
        typer.Option(
            "--first",
            parser=parse.whole(0, parse.MOST_DEALS, "100"),
            metavar="INDEX",
            help="Number of the deal to begin with: other questions of the same seed.",
        ),
    ] = 0,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            parser=parse.whole(1, 6, "3"),
            metavar="N",
            show_default="any",
            help="Ask this seat only: 1, left of the dealer, to 6, the dealer.",
        ),
    ] = None,
    close: Annotated[
        bool,
        typer.Option(
            "--close", help="Hard questions only: the second-best call costs little, but something."
        ),
    ] = False,
    sheet: Annotated[
        int | None,
        typer.Option(
            "--sheet",
            parser=parse.whole(1, MOST_ON_A_SHEET, "12"),
            metavar="N",
            show_default="ask on the screen",
            help="Write N questions, and their answers overleaf, in Markdown.",
        ),
    ] = None,
    seed: SeedOption = DEFAULT_SEED,
    bots: BotsOption = "club",
    tempers: TempersOption = "mixed",
    rules: RulesOption = "standard",
    precision: Annotated[
        float,
        typer.Option(
            "--precision",
            parser=parse.points,
            metavar="PP",
            help="Half-width of the intervals of chances, in percentage points; of costs a tenth of it, in points.",
        ),
    ] = DEFAULT_PRECISION,
    workers: WorkersOption = None,
    suits: Annotated[
        str | None,
        typer.Option(
            "--suits",
            parser=parse.one_of(*SUIT_FORMS),
            metavar="|".join(SUIT_FORMS),
            envvar="SCHMIER_SUITS",
            show_default="letters; on a sheet symbols",
            help="AS, or A and the symbol of spades (not in JSON).",
        ),
    ] = None,
    as_json: JsonOption = None,
    output: TextFileOption = STDOUT,
) -> int:
    """Ask what you would call.

    A hand, a seat, the calls before and the scores: write p, or a bid such as 4 or 4S. Each answer comes with what
    every call costs, and at the end with how many were best. The same seed asks the same questions. With --sheet they
    come on paper, for club evenings: --sheet 12 -o quiz.md
    """
    _check(console, sheet)
    symbols = suits == "symbols" if suits else sheet is not None
    as_json = wants_json(console, as_json, output) if sheet is not None else False
    check_texts([output] if sheet is not None else [], None)
    house = load_rules(console, rules)
    if bots != "club" and "tempers" in console.origins:
        console.say(f"tempers {tempers} change nothing here: they are club's")
    from schmier_sim.analysis.quiz import Quiz, QuizError
    from schmier_sim.analysis.situation import AdviceError

    wanted = Quiz(seed, house, bots, tempers, seat, close, precision)
    with refusing(AdviceError, QuizError):
        if sheet is None:
            return _ask(console, wanted, questions, first, workers, symbols)
        return _write(console, wanted, sheet, first, workers, symbols, as_json, output)


def _check(console: Console, sheet: int | None) -> None:
    """Refuse what only a sheet has, or does not have."""
    if sheet is not None and "questions" in console.given:
        usage("--questions and --sheet are two ways to say how many are asked: leave one of them out")
    if sheet is None:
        for name, option in (("output", "--output"), ("as_json", "--json")):
            if name in console.given:
                usage(f"{option} is for questions on paper: write, for example, --sheet 12 -o quiz.md")


def _write(
    console: Console,
    wanted: "Quiz",
    number: int,
    first: int,
    workers: int | None,
    symbols: bool,
    as_json: bool,
    output: Path,
) -> int:
    from schmier_sim.analysis import quiz as library
    from schmier_sim.analysis.run import Progress
    from schmier_sim.present import quizzes

    def tell(now: Progress) -> None:
        if now.message:
            console.progress(now)

    items = []
    for question in islice(library.questions(wanted, first, workers=workers, progress=tell), number):
        items.append((question, library.answer(wanted, question, workers=workers, progress=tell)))
        console.progress(Progress(len(items), number))
    console.clear()
    text = (
        quizzes.to_json(wanted, first, items)
        if as_json
        else quizzes.sheet(wanted, first, items, symbols=symbols)
    )
    write_text(console, output, text)
    if all(advice.precise for _, advice in items):
        return ExitCode.DONE
    console.say("not every answer is as precise as was wanted: try a larger --precision")
    return ExitCode.SHORT


def _ask(
    console: Console, wanted: "Quiz", number: int, first: int, workers: int | None, symbols: bool
) -> int:
    from schmier_sim.analysis import quiz as library
    from schmier_sim.present import quizzes

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is no call
    marks = []
    asked = islice(library.questions(wanted, first, workers=workers, progress=console.progress), number)
    for place, question in enumerate(asked, start=1):
        console.clear()
        console.data(quizzes.ask(question, place, number, symbols=symbols))
        call = _read_call(console, question)
        if call is None:
            break
        advice = library.answer(wanted, question, workers=workers, progress=console.progress)
        console.clear()
        marks.append(library.mark(advice, *call))
        console.data(quizzes.judge(advice, marks[-1], symbols=symbols) + "\n")
    console.data(quizzes.summary(marks, number))
    return ExitCode.DONE


def _read_call(console: Console, question: "Question") -> tuple[int | None, str | None] | None:
    """Read a call and the suit that is named with it, until it is one that can be made; None at the end."""
    from schmier_sim.present import quizzes

    for _ in range(MOST_TRIES):
        line = _read_line(console)
        word = line.translate(UNSEEN).strip().lower()
        if not line or word in END:
            return None
        if word == "?":
            console.data(quizzes.help_text())
            continue
        problem, call, suit = _understand(word, question.situation)
        if not problem:
            return call, suit
        console.error(problem)
    raise Failure(f"no call in {MOST_TRIES} answers: the quiz ends; ? explains what to write")


def _read_line(console: Console) -> str:
    """Read a line; an empty text is the end. A terminal gets a prompt, a log shows what was read."""
    console.out.flush()
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if terminal:
        console.err.write(PROMPT)
        console.err.flush()
    line = rest = sys.stdin.readline(MOST_LETTERS) if sys.stdin is not None else ""
    for _ in range(MOST_TRIES):
        if not rest or rest.endswith("\n"):
            break
        rest = sys.stdin.readline(MOST_LETTERS)  # of the same answer, which is too long to be one
    if not terminal and line:
        console.data(PROMPT + shown(line.strip())[1:-1])
    elif not line:
        console.data("")
    return line


def _understand(word: str, situation: "Situation") -> tuple[str, int | None, str | None]:
    """What is wrong with an answer, if anything; the call; and the suit."""
    right = " or ".join("p" if call is None else str(call) for call in situation.options)
    match = CALL.fullmatch(word)
    if match is None or (match["suit"] and not match["call"].isdigit()):
        return (
            f"{shown(word)} is no call: write {right}; a bid also with its suit, such as 4S; ? explains",
            None,
            None,
        )
    call = int(match["call"]) if match["call"].isdigit() else None
    if call not in situation.options:
        return (
            f"you cannot {'' if call is None else 'bid '}{format_call(call)} here: write {right}",
            None,
            None,
        )
    suit = match["suit"]
    return "", call, SUIT_OF.get(suit, suit[0].upper()) if suit else None
