"""Flags before environment before config file before defaults."""

import json
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
    assert {"trumps", "role"} <= row.keys()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("sed = 1", ["'sed'", "seed"]),
        ("[simulate]\nsed = 1", ["'sed'", "simulate", "seed"]),
        ("[play]\nseed = 1", ["[play]", "simulate"]),
        ("[deal]\nseed = 1979-05-27", ["'deal.seed'"]),
        ("[deal]\nseed = [[1]]", ["'deal.seed'"]),
        ("seed = 'x'", ["'x'", "--seed"]),
        ("seed = 0.5", ["'0.5'", "--seed"]),
        ("seed =", ["schmier.toml", "TOML"]),
        ("seed = 1\nseed = 2", ["schmier.toml", "TOML"]),
        ("\x00", ["schmier.toml", "TOML"]),
    ],
)
def test_a_config_file_with_a_mistake_is_refused(run: Run, text: str, parts: list[str]) -> None:
    Path("schmier.toml").write_text(text)
    refused(run("deal", 0), 2, *parts)


def test_a_config_file_that_is_not_there_or_no_text(run: Run) -> None:
    refused(run("deal", 0, "--config", "none.toml"), 1, "none.toml")
    Path("bytes.toml").write_bytes(b"\xff\xfe\x00")
    refused(run("deal", 0, "--config", "bytes.toml"), 2, "bytes.toml")


def test_a_wrong_value_in_the_environment_is_refused_by_its_name(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHMIER_SEED", "x")
    refused(run("deal", 0), 2, "SCHMIER_SEED", "'x'")
