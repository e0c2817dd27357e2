"""The manual page schmier-sim(1), made from the commands' own help: ``scripts/manual`` writes it to docs/schmier-sim.1.

Text in the macros of man(7).  What the help says is taken from there; here stands only what belongs to all commands.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from textwrap import TextWrapper
from typing import Any

import typer.main

from schmier_sim import __version__
from schmier_sim.cli.app import app
from schmier_sim.cli.command import help_rows
from schmier_sim.cli.config import DEFAULT_FILE
from schmier_sim.cli.console import PROGRAM, ExitCode
from schmier_sim.cli.streams import PLAIN

#: Options that every command has; they are explained once.
SHARED = ("--quiet", "--no-progress", "--debug", "--config", "--help")
EXIT_CODES = {
    ExitCode.DONE: "All is done.",
    ExitCode.FAILED: "Something went wrong; a line on stderr says what.",
    ExitCode.USAGE: "What was typed cannot be: an unknown command or option, a bad value.",
    ExitCode.SHORT: "The work is done, but the precision that was asked for was not reached, or deals are missing.",
    ExitCode.HUNG_UP: "Its terminal was closed. `simulate` leaves a valid run then.",
    ExitCode.INTERRUPTED: "Ctrl-C ended it.",
    ExitCode.TERMINATED: "SIGTERM ended it. `simulate` leaves a valid run then.",
}
VARIABLES = {
    "SCHMIER_CACHE_DIR": "Folder for the compiled simulator.",
    "XDG_CACHE_HOME": "Where the folder schmier-sim/kernels is put without it; else in ~/.cache.",
    "NO_COLOR": "If it is set to anything, messages have no colour.",
    "TERM": "If it is `dumb`, messages have no colour, and progress is told line by line.",
    "COLUMNS": "How wide tables on a terminal are, in place of its own width.",
}
FILES = {
    str(
        DEFAULT_FILE
    ): "In the folder where the program is called: defaults for options, as TOML. Keys are the long "
    "names of options without dashes; those above the tables hold for all commands, `[simulate]` and the like for one.",
    "run-MODE-SEED.parquet": "What `simulate` writes without --output: the counts of a run, from which tables, "
    "charts and handouts are made.",
    "~/.cache/schmier-sim/kernels": "The simulator compiled for this machine, in a folder for each version. It may be "
    "deleted at any time. Folders that were not used for a month are removed.",
}
EXAMPLES = (
    (
        "What to call with a hand, after a pass and a bid of 3:",
        'schmier-sim hand "AS KS JC 2S 10H 9D" --auction "p 3"',
    ),
    (
        "Play ten million deals, each class of hand equally often, and show the chances of those with ace and king:",
        "schmier-sim simulate -n 10M --sample stratified -o run.parquet",
        "schmier-sim table run.parquet --by pattern --where trumps=3,holds=AK",
    ),
    (
        "The handout in German for the printer, and a page for the phone:",
        "schmier-sim report run.parquet --lang de -o aushang.pdf",
        "schmier-sim report run.parquet --lookup -o lookup.html",
    ),
    ("A deal, card by card:", "schmier-sim deal 7 --mode auction"),
    ("Two bots on the same deals:", "schmier-sim duel club simple -n 1M"),
    ("How sure a bid must be to help win the match:", "schmier-sim equity --scores 18,15,12 --dealer left"),
    (
        "House rules of one's own:",
        "schmier-sim rules show > ours.toml",
        "schmier-sim simulate --rules ours.toml",
    ),
)
#: Words that are typed: their dashes are those of the keyboard.
CODE = re.compile(r"(?<![\w.])--?[a-zA-Z]\S*|\S*schmier-sim\S*|~/\S+|\S+\.(?:toml|parquet)\b")
_WRAPPER = TextWrapper(78, break_long_words=False, break_on_hyphens=False)
SENTENCE = re.compile(r"(?<=[.:!?]) +(?=[A-Z])")


def page() -> str:
    """Write the page."""
    root = typer.main.get_command(app)
    context = root.make_context(PROGRAM, [], resilient_parsing=True)
    name, *rest = (root.help or "").split("\n\n")
    lines = [
        f'.TH {_literal(PROGRAM.upper())} 1 "" "{_literal(PROGRAM)} {__version__}" "User Commands"',
        ".nh",  # commands that break over lines cannot be copied
        ".ad l",
        ".SH NAME",
        f"{_literal(PROGRAM)} \\- {escaped(name[0].lower() + name[1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        f"{_bold(PROGRAM)} {_form('[OPTIONS] COMMAND [ARGS]...')}",
        ".SH DESCRIPTION",
        *_paragraphs("\n\n".join(rest)),
        ".SH COMMANDS",
    ]
    for path, command, below in _commands(root, context):
        lines += _command(path, command, below)
    lines += [
        ".SH OPTIONS",
        *_text("Every command has these:"),
        *_options(row for row in _all_options(root, context) if _is_shared(row[0])),
        ".PP",
        *_text("Without a command there is also:"),
        *_options(row for row in help_rows(root, context)["Options"] if not _is_shared(row[0])),
        ".SH ENVIRONMENT",
        *_text(
            "Values of options come from the command line, else from the environment, else from the config file."
        ),
        *_options(_variables(root, context)),
        ".SH FILES",
        *_options(FILES.items()),
        ".SH EXIT STATUS",
        *_options((str(int(code)), text) for code, text in EXIT_CODES.items()),
        ".SH EXAMPLES",
    ]
    for number, (text, *commands) in enumerate(EXAMPLES):
        lines += [*([".PP"] if number else []), *_text(text)]
        lines += [".PP", ".RS 4", ".EX", *map(_literal, commands), ".EE", ".RE"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Write text so that it comes out as it is, on every terminal: nothing in it is a command, and all is ASCII."""
    text = text.replace("\\", "\\e")
    text = CODE.sub(lambda code: code[0].replace("-", "\\-").replace("'", "\\(aq"), text)
    text = re.sub("`([^`]*)`", lambda code: f"\\fB{code[1]}\\fP", text)
    return _named(text)


def _literal(line: str) -> str:
    """A line to be typed as it stands."""
    line = line.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace('"', "\\(dq")
    return _safe(_named(line))


def _named(text: str) -> str:
    text = text.replace("~", "\\(ti").replace("^", "\\(ha")
    return "".join(letter if letter.isascii() else PLAIN[letter] for letter in text)


def _safe(line: str) -> str:
    """A line that is no command of the formatter."""
    return f"\\&{line}" if line.startswith((".", "'")) else line


def _text(text: str) -> list[str]:
    """Lines of running text; a sentence begins on a new one, which is how the formatter knows where one ends."""
    sentences = SENTENCE.split(" ".join(text.split()))
    return [_safe(line) for sentence in sentences for line in _WRAPPER.wrap(escaped(sentence))]


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += [".PP", *_text(paragraph)]
    return lines[1:]


def _bold(text: str) -> str:
    return f"\\fB{_literal(text)}\\fP"


def _form(text: str) -> str:
    """Names of options in bold, what stands for something else in italics: ``-n, --deals N``."""
    parts = re.split(r"([\[\], /|]+|\.\.\.)", text)
    return "".join(_formed(part) for part in parts)


def _formed(part: str) -> str:
    if not part or re.fullmatch(r"[\[\], /|]+|\.\.\.", part):
        return part
    if part.startswith("-") or not part.isupper():
        return _bold(part)
    return f"\\fI{_literal(part)}\\fP"


def _commands(group: Any, context: Any, above: str = PROGRAM) -> Iterator[tuple[str, Any, Any]]:
    """All commands with their full names and contexts, groups' own commands in their place."""
    for name, command in group.commands.items():
        below = type(context)(command, info_name=name, parent=context)
        if hasattr(command, "commands"):
            yield from _commands(command, below, f"{above} {name}")
        else:
            yield f"{above} {name}", command, below


def _command(path: str, command: Any, context: Any) -> list[str]:
    """A command: how it is called, what it does, its arguments and its own options."""
    rows = help_rows(command, context)
    own = [*rows["Arguments"], *(row for row in rows["Options"] if not _is_shared(row[0]))]
    form = _form(" ".join(command.collect_usage_pieces(context)))
    return [
        f".SS {_literal(path.removeprefix(PROGRAM).strip())}",
        f"{_bold(path)} {form}",
        ".PP",
        *_paragraphs(command.help),
        *_options(own),
    ]


def _options(rows: Any) -> list[str]:
    lines: list[str] = []
    for form, text in rows:
        lines += [".TP", _form(form), *_text(text)]
    return lines


def _is_shared(form: str) -> bool:
    return any(word.strip(",") in SHARED for word in form.split())


def _all_options(root: Any, context: Any) -> Sequence[tuple[str, str]]:
    """Options of the first command: all have the shared ones."""
    _, command, below = next(_commands(root, context))
    return help_rows(command, below)["Options"]


def _variables(root: Any, context: Any) -> Iterator[tuple[str, str]]:
    """Variables of the environment: those that are defaults of options, then the others."""
    found: dict[str, str] = {}
    for _, command, _ in _commands(root, context):
        for one in command.params:
            if one.envvar:
                found[one.envvar] = f"Default of {max(one.opts, key=len)}."
    yield from sorted(found.items())
    yield from VARIABLES.items()


if __name__ == "__main__":
    sys.stdout.write(page())
