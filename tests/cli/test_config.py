"""Flags before environment before config file before defaults."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.program import Run, refused


def seed_of(run: Run, *arguments: object) -> int:
    outcome = run("deal", 0, "--json", *arguments)
    assert outcome.code == 0, outcome.err
    return int(json.loads(outcome.out)["seed"])


def test_values_come_from_flag_environment_file_and_default(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seed_of(run) == 21
    Path("schmier.toml").write_text("seed = 1\n")
    assert seed_of(run) == 1
    Path("schmier.toml").write_text("seed = 1\n[deal]\nseed = 2\n[simulate]\nseed = 3\n")
    assert seed_of(run) == 2
    monkeypatch.setenv("SCHMIER_SEED", "4")
    assert seed_of(run) == 4
    assert seed_of(run, "--seed", 5) == 5


def test_the_config_file_can_be_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("schmier.toml").write_text("seed = 1\n")
    Path("other.toml").write_text("seed = 2\n")
    Path("third.toml").write_text("[deal]\nseed = 3\n")
    monkeypatch.setenv("SCHMIER_CONFIG", "other.toml")
    assert seed_of(run) == 2
    assert seed_of(run, "--config", "third.toml") == 3


def test_all_kinds_of_values(run: Run, small_run: Path) -> None:
    Path("schmier.toml").write_text(
        '[table]\nby = ["trumps", "role"]\nformat = "json"\nmin-deals = 0\nquiet = true\n'
    )
    row = json.loads(run("table", small_run).out)["rows"][0]
    Path("schmier.toml").write_text('[table]\noutput = ["a.csv", "b.md"]\nquiet = true\n')
    assert run("table", small_run).code == 0
    assert Path("a.csv").is_file()
    assert Path("b.md").is_file()
    assert {"trumps", "role"} <= row.keys()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("sed = 1", ["'sed'", "seed"]),
        ("[simulate]\nsed = 1", ["'sed'", "simulate", "seed"]),
        ("[play]\nseed = 1", ["[play]", "simulate"]),
        ("[deal]\nseed = 1979-05-27", ["schmier.toml: deal.seed", "1979-05-27"]),
        ("[deal]\nseed = [[1]]", ["schmier.toml: deal.seed", "list", "seed = "]),
        ("[deal]\nseed = [1, 2]", ["schmier.toml: deal.seed", "one value"]),
        ("[deal]\nseed = true", ["schmier.toml: deal.seed", "true"]),
        ("seed = { a = 1 }", ["schmier.toml: seed", "a table"]),
        ("seed = 'x'", ["schmier.toml: seed", "'x'", "21"]),
        ("seed = 0.5", ["schmier.toml: seed", "'0.5'", "21"]),
        ("[deal]\njson = 'yes'", ["schmier.toml: deal.json", "'yes'", "json = true"]),
        ("quiet = 1", ["schmier.toml: quiet", "'1'", "quiet = true"]),
        ("rules = 'standart'", ["schmier.toml: rules", "standart", "standard"]),
        ('[table]\noutput = "a\\u0000b"', ["schmier.toml: table.output", "null"]),
        ("[table]\nby = [true]", ["schmier.toml: table.by"]),
        ("[deal]\nsuits = '" + "x" * 500 + "'", ["schmier.toml: deal.suits", "x…'", "letters"]),
        ("y" * 500 + " = 1", ["schmier.toml: ", "y…'", "seed"]),
        ("seed =", ["schmier.toml", "TOML"]),
        ("seed = 1\nseed = 2", ["schmier.toml", "TOML"]),
        ("\x00", ["schmier.toml", "TOML"]),
    ],
)
def test_a_config_file_with_a_mistake_is_refused(run: Run, text: str, parts: list[str]) -> None:
    Path("schmier.toml").write_text(text)
    refused(run("deal", 0), 2, *parts)


def test_a_config_file_that_is_not_there_or_no_text(run: Run) -> None:
    refused(run("deal", 0, "--config", "none.toml"), 2, "none.toml", "not there")
    Path("bytes.toml").write_bytes(b"\xff\xfe\x00")
    refused(run("deal", 0, "--config", "bytes.toml"), 2, "bytes.toml")


def test_a_wrong_value_in_the_environment_is_refused_by_its_name(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHMIER_SEED", "x")
    refused(run("deal", 0), 2, "SCHMIER_SEED: 'x'")
    outcome = run("deal", 0, "--seed", "y")
    refused(outcome, 2, "--seed: 'y'")
    assert "SCHMIER" not in outcome.err
    monkeypatch.setenv("SCHMIER_SEED", "1")
    monkeypatch.setenv("SCHMIER_RULES", "standart")
    refused(run("deal", 0), 2, "SCHMIER_RULES: ", "standart")


@pytest.mark.parametrize("option", ["--config", "--rules"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "huge"])
def test_what_is_no_small_file_is_refused_at_once(run: Run, option: str, kind: str) -> None:
    path = Path("odd.toml")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)
    refused(run("deal", 0, option, path if kind != "device" else "/dev/zero"), 2, str(path))
