"""Whole command lines: whatever is typed is answered, or refused in one line that leaves nothing behind."""

import os
from typing import Any

import pytest
import typer
from hypothesis import assume, given
from hypothesis import strategies as st

from schmier_sim.analysis.patterns import KEYS
from schmier_sim.cli.command import is_argument
from schmier_sim.cli.config import MOST_BYTES
from tests.fuzz.budget import cases
from tests.fuzz.grammar import (
    CALL_WORDS,
    CARD_WORDS,
    LIST_WORDS,
    NUMBER_WORDS,
    SCORE_WORDS,
    WHERE_WORDS,
    auctions,
    comparisons,
    config_texts,
    hand_lists,
    hands,
    rules_texts,
    team_scores,
    toml_text,
)
from tests.fuzz.program import COMMANDS, TREE, Case, Program
from tests.fuzz.strategies import PIECES, Text, as_argument, as_bytes, mixed, pool, rubbish
from tests.fuzz.things import INPUTS, ODD_NAMES, OUTPUTS, RUNS

#: The only paths that lead out of the folder: nothing can be written there.
PATHS = [*INPUTS, *OUTPUTS, *ODD_NAMES]


# -- what may follow a command

small = st.one_of(st.sampled_from(pool("0 1 2 3 7 60 1k 1e2 1_000")), st.integers(0, 2**63).map(str))
RULE_SETS = pool("standard two-teams low-to-taker dealer-steals own.toml")
TITLES = ["Club", "Schmierköpfe", '#read("own.typ")', "<b>&amp;", "{0}%s$x$", ""]
#: Right values by how the help calls them, and words that others are made of.
RIGHT: dict[str, tuple[Text, list[str]]] = {
    "HAND": (hands(), CARD_WORDS),
    "CALLS": (auctions, CALL_WORDS),
    "CALL": (st.sampled_from(pool("p 3 4 6")), CALL_WORDS),
    "N,N,N": (team_scores, SCORE_WORDS),
    "KEYS": (st.sampled_from(pool("trumps pattern role,aces holds_A seat,honours")), [*KEYS, ","]),
    "FILTER": (comparisons().map(lambda pair: pair[0]), WHERE_WORDS),
    "TEXT": (st.sampled_from(TITLES), PIECES),
    "YYYY-MM-DD": (st.dates().map(str), pool("2026 - 13")),
    "1…6": (st.sampled_from([*"1236"]), pool("0 7")),
    "INDEX": (small, NUMBER_WORDS),
    "N": (small, NUMBER_WORDS),
    "PP": (st.sampled_from(pool("30 49.9 0.5 0.0001 40%")), NUMBER_WORDS),
    "SECONDS": (st.sampled_from(pool("0.1 1 30s 1e6")), NUMBER_WORDS),
    "I/N": (st.sampled_from(pool("1/2 2/2 1/999999999")), pool("3 0 2 ,")),
    "ADDRESS": (st.just("tcp://127.0.0.1:8786"), pool("tcp: 127.0.0.1 : [::1]")),
    "NAME|FILE": (st.sampled_from(RULE_SETS), [*INPUTS, "standart"]),
    "A": (st.sampled_from(RULE_SETS), [*INPUTS, "standart"]),
    "B": (st.sampled_from(RULE_SETS), [*INPUTS, "standart"]),
    "RUN": (st.sampled_from([*RUNS]), PATHS),
    "PART": (st.sampled_from([*RUNS]), PATHS),
    "FILE": (st.sampled_from(OUTPUTS), PATHS),
    "DIR": (st.sampled_from(pool("charts folder .")), PATHS),
}
#: What is read rather than written, by the names of options.
READ = {"--from": "hands.txt", "--logo": "logo.png", "--template": "own.typ", "--config": "own-config.toml"}
READ["--extend"] = "run.parquet"
OPTIONS = {
    path: [one for one in command.params if not is_argument(one)] for path, command in COMMANDS.items()
}
ARGUMENTS = {path: [one for one in command.params if is_argument(one)] for path, command in COMMANDS.items()}
VARIABLES = {str(one.envvar): one for options in OPTIONS.values() for one in options if one.envvar}
#: It shows where an error came from, for the asking; so it is not asked for here.
DEBUG = "--debug"
SPELLINGS = sorted({name for options in OPTIONS.values() for one in options for name in one.opts} - {DEBUG})


@st.composite
def values(draw: st.DrawFn, parameter: Any, careful: bool) -> str:
    """A value of a parameter, as the shell hands it over."""
    name = parameter.metavar or ""
    if name in RIGHT:
        right, words = RIGHT[name]
    elif "|" in name:
        words = name.split("|")
        right = st.sampled_from(words)
    else:
        right, words = st.one_of(small, st.sampled_from(OUTPUTS), st.sampled_from(["a", "a,b"])), PATHS
    if file := READ.get(max(parameter.opts, key=len)):
        right = st.just(file)
    return inside(as_argument(draw(right if careful or draw(st.booleans()) else mixed(right, words))))


def inside(word: str) -> str:
    """The word, with nothing in it that leads out of the folder."""
    if "/" not in word or any(word == path or word.endswith("=" + path) for path in PATHS):
        return word
    return word.replace("/", "_")


def is_refused(path: tuple[str, ...], parameter: Any, value: str) -> bool:
    """Whether the parameter's own reader refuses a value."""
    if parameter.name == "config_file":
        return False
    several = parameter.multiple or parameter.nargs != 1
    try:
        parameter.process_value(typer.Context(COMMANDS[path]), [value] if several else value)
    except typer.BadParameter:
        return True
    return False


Words = tuple[list[str], bool]


@st.composite
def option_words(draw: st.DrawFn, path: tuple[str, ...], option: Any, careful: bool) -> Words:
    """An option with its value, and whether it is refused for sure."""
    name = draw(st.sampled_from([*option.opts, *option.secondary_opts]))
    if option.is_flag:
        return [name], False
    value = draw(values(option, careful))
    refused = is_refused(path, option, value)
    if draw(st.booleans()):
        return [name, value], refused
    return [f"{name}={value}" if name.startswith("--") else name + value], refused and name.startswith("--")


@st.composite
def calls(draw: st.DrawFn, path: tuple[str, ...], careful: bool) -> Words:
    """A call of a command: options and arguments in any order, and whether it is refused for sure."""
    options = [one for one in OPTIONS[path] if DEBUG not in one.opts]
    chosen = draw(st.lists(st.sampled_from(options), max_size=4))
    chosen += [one for one in options if careful and one.required and one not in chosen]
    parts, refused = [], False
    for option in chosen:
        words, bad = draw(option_words(path, option, careful))
        parts.append(words)
        # Of an option that is given twice the last one counts; the first is not read at all.
        refused |= bad and (option.multiple or chosen.count(option) == 1)
    for argument in ARGUMENTS[path]:
        if careful or draw(st.integers(0, 9)):
            value = draw(values(argument, careful))
            parts.append([value])
            # What begins with a dash, or may stand in another's place, is no value of this argument.
            alone = len(ARGUMENTS[path]) == 1 and not value.startswith("-")
            refused |= alone and is_refused(path, argument, value)
    if draw(st.booleans()):
        parts = draw(st.permutations(parts))
    line = [*path, *(word for words in parts for word in words)]
    return line, refused and not {"--help", "-h", "--"} & set(line)


ODD_OPTIONS = [*SPELLINGS, *pool("- -- --- -1 -z --no-such --json=1 -nq --= -q-q")]
ODD_COMMANDS = [
    [],
    [""],
    *(command.split() for command in ("rules", "table", "hand", "deal 0", "simulat", "--quiet", "-x")),
]
CHANGES = ["leave out", "double", "move", "option", "value", "half", "command", "case", "split", "end"]


@st.composite
def broken(draw: st.DrawFn, line: list[str]) -> list[str]:
    """A command line in which something is missing, doubled, misplaced or too much."""
    line = list(line)
    for _ in range(draw(st.integers(1, 2))):
        at, change = draw(st.integers(0, len(line))), draw(st.sampled_from(CHANGES))
        if change == "option":
            line.insert(at, draw(st.sampled_from(ODD_OPTIONS)))
        elif change == "value":
            line.insert(at, draw(values(draw(st.sampled_from(list(VARIABLES.values()))), False)))
        elif change == "command":
            line[:1] = draw(st.sampled_from(ODD_COMMANDS))
        elif at < len(line):
            word = line.pop(at)
            line[at:at] = {
                "double": [word, word],
                "half": [word[: len(word) // 2]],
                "case": [word.swapcase()],
                "split": word.split("=", 1),
                "end": [word, "--"],
            }.get(change, [])
            if change == "move":
                line.insert(draw(st.integers(0, len(line))), word)
    return [inside(word) for word in line if word != DEBUG]


ANSWERS = st.lists(st.sampled_from(pool("p 4 3s ? q x")), max_size=5).map("\n".join)


@st.composite
def command_lines(draw: st.DrawFn, path: tuple[str, ...]) -> Case:
    """A call of a command, more or less right, and what it meets."""
    careful = draw(st.booleans())
    line, refused = draw(calls(path, careful))
    if draw(st.integers(0, 5 if careful else 2)) == 0:
        line, refused = draw(broken(line)), False
    environment, files, stdin = {}, {}, ""
    if draw(st.integers(0, 3)) == 0:
        for name in draw(st.lists(st.sampled_from([*VARIABLES]), max_size=2, unique=True)):
            environment[name] = draw(values(VARIABLES[name], careful))
    if draw(st.integers(0, 4)) == 0:
        text = draw(config_texts() if careful else st.one_of(mixed(config_texts()), rules_texts()))
        files["schmier.toml"] = os.fsencode(as_argument(text).replace("/", "_"))
    if "quiz" in path or "--from" in " ".join(line):
        stdin = draw(st.one_of(mixed(hand_lists, LIST_WORDS), mixed(ANSWERS)))
    playing = draw(st.integers(0, 29)) == 0
    return Case(tuple(line), environment, files, as_bytes(stdin), playing, refused)


@pytest.mark.parametrize("path", [pytest.param(path, id="-".join(path)) for path in COMMANDS])
def test_any_call_of_a_command_is_answered_or_refused_in_one_line(
    program: Program, path: tuple[str, ...]
) -> None:
    @cases(10, among=len(COMMANDS))
    @given(command_lines(path))
    def check(case: Case) -> None:
        program.play(case)

    check()


any_words = st.one_of(
    st.sampled_from([*SPELLINGS, *TREE.commands, *OUTPUTS]), rubbish().map(as_argument).map(inside)
)


@cases(60)
@given(st.lists(any_words.filter(lambda word: word != DEBUG), max_size=5))
def test_any_words_are_answered_or_refused_in_one_line(program: Program, words: list[str]) -> None:
    program.play(Case(tuple(words)))


#: Options of a command that can stand in the environment and in the config file as well.
EVERYWHERE = {str(one.envvar): one for one in OPTIONS["deal",] if one.envvar and one.name != "config_file"}


@cases(40)
@given(st.data(), st.sampled_from(sorted(EVERYWHERE)), st.booleans())
def test_a_value_is_taken_or_refused_alike_wherever_it_comes_from(
    program: Program, data: st.DataObject, variable: str, careful: bool
) -> None:
    name = max(EVERYWHERE[variable].opts, key=len).removeprefix("--")
    value = data.draw(
        values(EVERYWHERE[variable], careful).filter(lambda text: text.strip() and text.isprintable())
    )
    config = f"{name} = {toml_text(value)}\n".encode()
    assume(len(config) <= MOST_BYTES)
    by_place = {
        f"--{name}: ": program.play(Case(("deal", "0", f"--{name}={value}"))),
        f"{variable}: ": program.play(Case(("deal", "0"), {variable: value})),
        f"schmier.toml: {name}: ": program.play(Case(("deal", "0"), files={"schmier.toml": config})),
    }
    assert len({(answer.code, answer.out) for answer in by_place.values()}) == 1
    if any(answer.code for answer in by_place.values()):
        assert len({answer.err.replace(place, "", 1) for place, answer in by_place.items()}) == 1
