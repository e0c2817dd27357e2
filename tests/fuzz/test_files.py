"""Rules files, config files and lists of hands: read as what they say, or refused in one line."""

import os
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import example, given
from hypothesis import strategies as st

from schmier_sim.cli import config, hand_list, parse
from schmier_sim.cli.console import Failure
from schmier_sim.cli.hand_list import Line, read_list
from schmier_sim.game.rules import (
    CHOICES,
    FLAGS,
    MAX_FILE_BYTES,
    MAX_NAME,
    MAX_TARGET,
    Rules,
    RulesError,
    load_rules,
    parse_rules,
    ruleset_names,
    ruleset_text,
)
from tests.fuzz.budget import cases, in_time, read_or_refused
from tests.fuzz.grammar import (
    CONFIG_WORDS,
    KNOWN,
    LIST_WORDS,
    RIGHT_RULES,
    RULE_WORDS,
    config_texts,
    deep,
    hand_lists,
    rules_texts,
)
from tests.fuzz.strategies import as_bytes, json_values, mixed, mutated_bytes, pool, rubbish

HUGE = "0x" + "f" * 4000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- rules


def is_right(key: str, value: object) -> bool:
    """Whether a rule takes a value, by what the manual says."""
    if key in CHOICES:
        return value in CHOICES[key]
    if key in FLAGS:
        return value is True or value is False
    if key == "target":
        return type(value) is int and 1 <= value <= MAX_TARGET
    return (
        key == "name"
        and isinstance(value, str)
        and len(value) <= MAX_NAME
        and value.isprintable()
        and bool(value.strip())
    )


def are_right(values: dict[str, Any]) -> bool:
    """Whether rules can be what somebody says."""
    together = values.get("must_bid_to_win") and values.get("endgame") == "declarer-first"
    return all(is_right(key, value) for key, value in values.items()) and not together


def wanted_rules(text: str) -> dict[str, Any] | None:
    """The rules that a text names, or None if it names something else."""
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    return values if are_right(values) else None


@cases(100)
@given(st.one_of(rules_texts(), mixed(rules_texts(), RULE_WORDS), deep(MAX_FILE_BYTES)))
@example("target.a" + ".a" * 3900 + " = 1")
@example(f"target = [{HUGE}]")
@example(f"target = {HUGE}")
def test_rules_are_what_a_file_says_or_refused(text: str) -> None:
    found, refusal = read_or_refused(lambda: parse_rules(text, "ours"), RulesError)
    wanted = wanted_rules(text)
    if wanted is None:
        assert refusal.startswith('rules "ours"')
    else:
        assert found.to_dict() == Rules().to_dict() | {"name": "ours"} | wanted
        assert Rules.from_dict(found.to_dict()) == found


@cases(80)
@given(
    st.dictionaries(st.one_of(st.sampled_from([*RIGHT_RULES]), st.text(max_size=5)), json_values, max_size=4)
)
def test_rules_in_a_run_are_what_it_says_or_refused(values: dict[str, Any]) -> None:
    _, refusal = read_or_refused(lambda: Rules.from_dict(values), RulesError)
    assert bool(refusal) != are_right(values)


FILE_NAMES = st.one_of(
    st.sampled_from(
        [*pool("own.toml standard.toml low-to-taker.toml .toml {0}.toml %s.toml ü.toml -x.toml"), "a b.toml"]
    ),
    rubbish().map(lambda text: text.replace("/", "").replace("\0", "")[:40] + ".toml"),
)
SHIPPED = [as_bytes(ruleset_text(name)) for name in ruleset_names()]
RULES_BYTES = st.one_of(
    rules_texts().map(as_bytes),
    mutated_bytes(st.one_of(rules_texts().map(as_bytes), st.sampled_from(SHIPPED)), st.binary()),
    st.binary(max_size=100),
    st.sampled_from(
        [
            b"#" * MAX_FILE_BYTES,
            b"#" * (MAX_FILE_BYTES + 1),
            b"\xef\xbb\xbftarget = 3",
            "target = 3".encode("utf-16"),
        ]
    ),
)


@cases(80)
@given(FILE_NAMES, RULES_BYTES)
def test_a_rules_file_is_read_or_refused(folder: Path, name: str, data: bytes) -> None:
    path = folder / os.fsdecode(as_bytes(name))
    path.write_bytes(data)
    found, refusal = read_or_refused(partial(load_rules, path), RulesError)
    assert (found, refusal) == read_or_refused(partial(load_rules, os.fspath(path)), RulesError)
    path.unlink()
    try:
        wanted = wanted_rules(data.decode("utf-8-sig")) if len(data) <= MAX_FILE_BYTES else None
    except UnicodeDecodeError:
        wanted = None
    named = {"name": path.stem[:MAX_NAME]} | (wanted or {})
    if not refusal:
        assert wanted is not None
        assert found.to_dict() == Rules().to_dict() | named
    else:
        # If its values are right, it poses as a shipped set, or has no name that can be shown.
        assert wanted is None or named["name"] in ruleset_names() or not is_right("name", named["name"])


@cases(80)
@given(mixed(st.sampled_from(ruleset_names()), pool("standard standart - to / .toml \\ .. ~")))
def test_any_name_is_a_rule_set_or_refused(name: str) -> None:
    found, refusal = read_or_refused(lambda: load_rules(name), RulesError)
    assert bool(refusal) == (name not in ruleset_names())
    assert refusal or found.name == name


# -- config files

CONFIG_BYTES = st.one_of(
    config_texts().map(as_bytes),
    mixed(config_texts(), CONFIG_WORDS).map(as_bytes),
    mutated_bytes(config_texts().map(as_bytes), st.binary()),
    deep(config.MOST_BYTES).map(as_bytes),
    st.sampled_from([b"#" * config.MOST_BYTES, b"#" * (config.MOST_BYTES + 1), b"\xef\xbb\xbfseed = 3"]),
)


@cases(100)
@given(CONFIG_BYTES, st.sampled_from([*KNOWN]))
@example(f"seed = {HUGE}".encode(), "deal")
@example(f"quiet = {HUGE}".encode(), "deal")
@example(f"[table]\noutput = ['a', {HUGE}]".encode(), "table")
@example(b"seed.a" + b".a" * 3900 + b" = 1", "deal")
@example(b"chart = 21\n[hand]", "chart")
def test_a_config_file_is_read_or_refused(tmp_path: Path, data: bytes, command: str) -> None:
    path = tmp_path / "schmier.toml"
    path.write_bytes(data)
    found, refusal = read_or_refused(
        lambda: config.defaults(config.read(path), command, KNOWN, path), Failure
    )
    if refusal:
        return
    assert len(data) <= config.MOST_BYTES
    values = tomllib.loads(data.decode("utf-8-sig"))
    stated = {key: value for key, value in values.items() if not isinstance(value, dict)}
    if isinstance(values.get(command), dict):  # else it is the value of an option of that name
        stated |= values[command]
    own = {name: value for name, value in stated.items() if name in KNOWN[command]}
    assert {KNOWN[command][name].name for name in own} == set(found)
    for name, value in own.items():
        option = KNOWN[command][name]
        texts = [str(item) for item in (value if isinstance(value, list) else [value])]
        read = value if option.is_flag else texts if option.multiple else ",".join(texts)
        assert found[option.name].value == read


# -- lists of hands


@cases(80)
@given(
    st.one_of(
        mixed(hand_lists, LIST_WORDS).map(as_bytes),
        mutated_bytes(hand_lists.map(as_bytes), st.binary()),
        st.binary(max_size=200),
    )
)
def test_each_line_of_a_list_is_a_question_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(data)
    with in_time():
        found = list(read_list(path))
    lines = enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
    assert [number for number, _ in found] == [
        number for number, line in lines if line.decode("utf-8", "replace").partition("#")[0].strip()
    ]
    for number, read in found:
        line, refusal = read_or_refused(partial(read, Line(None, (), None, None, None)), typer.BadParameter)
        if not refusal:
            assert (line.number, len(set(line.cards))) == (number, 6)
            assert line.seat is None or 1 <= line.seat <= 6
            assert line.auction is None or len(line.auction) <= parse.MOST_CALLS


def test_a_list_of_millions_of_lines_is_never_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_bytes(b"a\n" * (hand_list.MOST_BYTES // 2))
    assert next(read_list(path))[0] == 1
    path.write_bytes(b"a\n" * (hand_list.MOST_BYTES // 2 + 1))
    with pytest.raises(Failure, match="larger than"):
        read_list(path)
