"""``completion bash|zsh|fish``: what a shell needs so that the Tab key completes, and the answers that it asks for.

The three scripts beside this module are small: they hand over the line up to the cursor, in `VARIABLE`'s presence, and
offer what comes back.  The first line says whether files may stand there too: ``words``, ``files``, ``files .toml`` or
``folders``; then comes an offer a line, with what it means after a tab.
"""

import inspect
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Annotated, Any

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.command import is_argument
from schmier_sim.cli.console import PROGRAM, Console
from schmier_sim.cli.options import KEYS
from schmier_sim.game.rules import ruleset_names

SHELLS = ("bash", "zsh", "fish")
WORDS, FILES, FOLDERS = "words", "files", "folders"
VARIABLE = "_SCHMIER_SIM_COMPLETE"
RUN_FILES, TOML_FILES = f"{FILES} .parquet", f"{FILES} .toml"
#: What values are like that a name in the help stands for.
KINDS = {"FILE": FILES, "RUN": RUN_FILES, "PART": RUN_FILES, "DIR": FOLDERS}
#: What stands at the cursor while a line is split, so that there is a word even if nothing was typed of it.
CURSOR = "\x00"


def completion(
    console: Console,
    shell: Annotated[
        str,
        typer.Argument(
            parser=parse.one_of(*SHELLS), metavar="|".join(SHELLS), help="The shell to complete in."
        ),
    ],
) -> None:
    """Write a script that lets a shell complete with Tab.

    Commands, options and their values, rule sets and files. In .bashrc or .zshrc: eval "$(schmier-sim completion bash)"
    with the shell's name; for fish: schmier-sim completion fish > ~/.config/fish/completions/schmier-sim.fish
    """
    console.data(script(shell))


def script(shell: str) -> str:
    """Read the script for a shell."""
    folder = resources.files("schmier_sim.cli") / "completions"
    return (folder / f"{PROGRAM}.{shell}").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Offers:
    """What may stand at the cursor.

    Parameters
    ----------
    words : tuple of (str, str)
        Whole words, and what they mean.
    kind : str
        `WORDS` if these are all, else which files may stand there as well.
    """

    words: tuple[tuple[str, str], ...] = ()
    kind: str = WORDS

    def beginning(self, typed: str) -> "Offers":
        """Those that begin with what was typed."""
        return Offers(tuple(word for word in self.words if word[0].startswith(typed)), self.kind)

    def after(self, before: str) -> "Offers":
        """The same, with something before each word."""
        return Offers(tuple((before + word, meaning) for word, meaning in self.words), self.kind)

    def to_text(self) -> str:
        """Write them as the scripts read them."""
        return "".join(
            f"{line}\n" for line in (self.kind, *(f"{word}\t{meaning}" for word, meaning in self.words))
        )


def answer(root: Any, line: str) -> str:
    """What may follow on a line of the shell, which ends at the cursor; `root` is the program's command."""
    words = split(line)
    return offers(root, words[1:-1], words[-1]).to_text()


def split(line: str) -> list[str]:
    """Split a line as a shell does; an open quote goes to its end.  The last word is the one at the cursor."""
    lexer = shlex.shlex(line + CURSOR, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:
        words.append(lexer.token)
    return [word.replace(CURSOR, "") for word in words]


def offers(root: Any, words: list[str], typed: str) -> Offers:
    """What may stand after some words of a command line, where something was typed already."""
    place = _Place(root)
    for word in words:
        place.read(word)
    return place.offers(typed)


class _Place:
    """How far a command line was read."""

    def __init__(self, root: Any) -> None:
        self.command = root  # None where there is no such command
        self.waiting: Any = None  # the option whose value comes next
        self.arguments = 0
        self.used: set[str] = set()
        self.only_arguments = False

    def read(self, word: str) -> None:
        """Read one word."""
        if self.command is None:
            return
        if self.waiting is not None:
            self.waiting = None
        elif self.only_arguments or word == "-" or not word.startswith("-"):
            if self._commands:
                self.command = self._commands.get(word)
            else:
                self.arguments += 1
        elif word == "--":
            self.only_arguments = True
        else:
            name, given, _ = word.partition("=")
            if not name.startswith("--"):
                name, given = word[:2], word[2:]
            option = self._option(name)
            self.used.add(name)
            if option is not None and not option.is_flag and not given:
                self.waiting = option

    def offers(self, typed: str) -> Offers:
        """What may come next."""
        if self.command is None:
            return Offers()
        if self.waiting is not None:
            return self._values(self.waiting, typed)
        if typed.startswith("-") and not self.only_arguments:
            name, equals, value = typed.partition("=")
            option = self._option(name)
            if equals and option is not None and not option.is_flag:
                return self._values(option, value).after(f"{name}=")
            return Offers(tuple(self._options(long=typed != "-"))).beginning(typed)
        if self._commands:
            named = ((name, _sentence(one.get_short_help_str(200))) for name, one in self._commands.items())
            return Offers(tuple(named)).beginning(typed)
        arguments = [one for one in self.command.params if is_argument(one)]
        many = bool(arguments) and arguments[-1].nargs == -1
        if self.arguments < len(arguments) or many:
            found = self._values(arguments[min(self.arguments, len(arguments) - 1)], typed)
            if found.words or found.kind != WORDS:
                return found
        return Offers(() if typed or self.only_arguments else tuple(self._options(long=True)))

    @property
    def _commands(self) -> dict[str, Any]:
        return getattr(self.command, "commands", {})

    def _option(self, name: str) -> Any:
        for one in self.command.params:
            if name in (*one.opts, *one.secondary_opts):
                return one
        return None

    def _options(self, *, long: bool) -> Iterator[tuple[str, str]]:
        """Options that were not used, by their long names, or by all."""
        for one in self.command.params:
            names = (*one.opts, *one.secondary_opts)
            if not is_argument(one) and (one.multiple or self.used.isdisjoint(names)):
                yield from (
                    (name, _sentence(one.help)) for name in names if name.startswith("--") or not long
                )
        yield from ((name, "Show the help.") for name in ("--help", "-h")[: 1 if long else 2])

    def _values(self, parameter: Any, typed: str) -> Offers:
        """Values that an option or argument takes, as far as they can be listed."""
        form = parameter.metavar or ""
        choice = parse.CHOICES.get(_reader(self.command, parameter.name))
        if form == "KEYS":
            choice = parse.Choice(KEYS, several=True)
        elif choice is None and form in ("NAME|FILE", "A", "B"):
            return Offers(tuple((name, "") for name in ruleset_names()), TOML_FILES).beginning(typed)
        elif choice is None and form in KINDS:
            return Offers(kind=TOML_FILES if "--config" in parameter.opts else KINDS[form])
        elif choice is None and (ends := re.fullmatch("([0-9])…([0-9])", form)):
            choice = parse.Choice(tuple(map(str, range(int(ends[1]), int(ends[2]) + 1))))
        elif choice is None and "|" in form:
            choice = parse.Choice(tuple(form.split("|")))
        if choice is None:
            return Offers()
        before = typed[: typed.rfind(",") + 1] if choice.several else ""
        taken = parse.words(before)
        names = ((name, "") for name in choice.names if name not in taken)
        return Offers(tuple(names)).after(before).beginning(typed)


def _reader(command: Any, name: str) -> object:
    """Find what reads an option or argument, in the signature of the command's function."""
    annotation = inspect.signature(command.callback).parameters[name].annotation
    return next((info.parser for info in getattr(annotation, "__metadata__", ())), None)


def _sentence(text: str | None) -> str:
    """The first sentence of a help text, on one line."""
    return re.split(r"(?<=\.)\s", " ".join((text or "").split()), maxsplit=1)[0]
