"""Runs that are extended, played in parts, and put together."""

import random
from pathlib import Path

import pytest

from schmier_sim.analysis.store import read_run
from tests.cli.program import Run, refused

COMMON = ("--bots", "random", "--seed", 5)


def tables(run: Run, path: str) -> tuple[str, ...]:
    return tuple(
        run("table", path, "--by", by, "--min-deals", 0, "--format", form, "--quiet").out
        for by in ("trumps", "pattern,role")
        for form in ("table", "csv", "json", "markdown")
    )


@pytest.mark.parametrize("kind", [(), ("--sample", "stratified"), ("--mode", "auction")])
def test_seven_parts_in_any_order_give_the_same_tables(run: Run, kind: tuple[str, ...]) -> None:
    order = list(range(1, 8))
    random.Random(str(kind)).shuffle(order)
    for number in order:
        assert run("simulate", *COMMON, *kind, "-n", 30_001, "--shard", f"{number}/7").code == 0
    parts = sorted(Path.cwd().glob("run-*-of-7.parquet"))
    random.Random(1).shuffle(parts)
    outcome = run("merge", *parts, "-o", "merged.parquet")
    assert (outcome.code, outcome.out, outcome.err) == (0, "merged.parquet\n", "30,001 deals of 7 parts\n")
    run("simulate", *COMMON, *kind, "-n", 30_001, "-o", "whole.parquet")
    assert read_run("merged.parquet").tally == read_run("whole.parquet").tally
    assert tables(run, "merged.parquet") == tables(run, "whole.parquet")


def test_a_part_is_named_and_says_what_comes_next(run: Run) -> None:
    outcome = run("simulate", *COMMON, "-n", 30_000, "--shard", "2/3")
    assert outcome.out == "run-declare-5-2-of-3.parquet\n"
    assert outcome.err.splitlines()[-1] == "next: schmier-sim merge run-declare-5-2-of-3.parquet … -o RUN"
    assert read_run("run-declare-5-2-of-3.parquet").info.part == (10_000, 10_000, 30_000)


def test_missing_parts_are_told_and_can_be_played(run: Run) -> None:
    for number in (1, 4):
        run("simulate", *COMMON, "-n", 40_000, "--shard", f"{number}/4", "-o", f"{number}.parquet")
    outcome = run("merge", "4.parquet", "1.parquet", "-o", "a.parquet")
    assert (outcome.code, outcome.out) == (3, "a.parquet\n")
    assert outcome.err == (
        "schmier-sim: deals 10,000 to 29,999 are missing: a.parquet has 20,000 of 40,000; merge it with the other "
        "parts, or play them here: schmier-sim simulate --resume -o a.parquet\n"
    )
    assert run("simulate", "--resume", "-o", "a.parquet").code == 0
    run("simulate", *COMMON, "-n", 40_000, "-o", "whole.parquet")
    assert tables(run, "a.parquet") == tables(run, "whole.parquet")


def test_parts_of_runs_of_other_lengths_are_told_where_deals_are_missing(run: Run) -> None:
    run("simulate", *COMMON, "-n", 3000, "--shard", "1/3", "-o", "1.parquet")
    run("simulate", *COMMON, "-n", 6000, "--shard", "3/3", "-o", "3.parquet")
    outcome = run("merge", "1.parquet", "3.parquet", "-o", "a.parquet")
    assert outcome.code == 3
    assert (
        "a.parquet has 3,000 of 6,000 (parts are of runs of 3,000 and 6,000 deals); merge it" in outcome.err
    )


def test_a_part_goes_on_with_or_without_being_told_which_it_is(run: Run) -> None:
    again = ("simulate", *COMMON, "-n", 30_000, "--shard", "2/3", "-o", "a.parquet", "--resume")
    run(*again[:-1])
    assert "nothing to play" in run(*again).err
    assert "nothing to play" in run("simulate", "--resume", "-o", "a.parquet").err
    refused(run("simulate", "--resume", "-o", "a.parquet", "-n", 5000), 2, "--deals", "a.parquet is a part")
    refused(
        run("simulate", *COMMON, "-n", 30_000, "--shard", "3/3", "-o", "a.parquet", "--resume"),
        2,
        "--shard 3/3: 10,000 deals from 20,000 on of 30,000, but a.parquet was to have 10,000 deals from 10,000 on",
    )


def test_a_run_is_extended_by_more_deals(run: Run) -> None:
    run("simulate", *COMMON, "-n", 20_000, "-o", "a.parquet")
    assert run("simulate", "--extend", "a.parquet", "-n", 5000, "-o", "b.parquet").out == "b.parquet\n"
    assert read_run("a.parquet").info.deals == 20_000
    assert run("simulate", "--extend", "a.parquet", "-n", 5000).out == "a.parquet\n"
    run("simulate", *COMMON, "-n", 25_000, "-o", "whole.parquet")
    assert tables(run, "a.parquet") == tables(run, "b.parquet") == tables(run, "whole.parquet")


def test_deals_that_a_run_is_extended_by_come_in_parts_too(run: Run) -> None:
    run("simulate", *COMMON, "-n", 20_000, "-o", "a.parquet")
    for number in (2, 1):
        outcome = run("simulate", "--extend", "a.parquet", "-n", 5001, "--shard", f"{number}/2")
        assert outcome.out == f"a-more-{number}-of-2.parquet\n"
    assert (
        run("merge", "a-more-1-of-2.parquet", "a.parquet", "a-more-2-of-2.parquet", "-o", "b.parquet").code
        == 0
    )
    run("simulate", *COMMON, "-n", 25_001, "-o", "whole.parquet")
    assert tables(run, "b.parquet") == tables(run, "whole.parquet")


def test_an_extended_run_keeps_its_settings(run: Run) -> None:
    run("simulate", *COMMON, "-n", 1000, "-o", "a.parquet")
    refused(
        run("simulate", "--extend", "a.parquet", "-n", 5, "--seed", 7),
        2,
        "--seed 7 does not go with --extend: a.parquet was played with seed 5",
    )


def test_what_is_no_part_of_a_run_is_not_merged_into_it(run: Run) -> None:
    run("simulate", *COMMON, "-n", 2000, "--shard", "1/2", "-o", "a.parquet")
    run("simulate", "--bots", "simple", "--seed", 6, "-n", 2000, "--shard", "2/2", "-o", "b.parquet")
    refused(
        run("merge", "a.parquet", "b.parquet", "-o", "c.parquet"),
        1,
        "b.parquet is no part of the same run as a.parquet: it has bots simple, not random; seed 6, not 5",
    )
    refused(
        run("merge", "a.parquet", "a.parquet", "-o", "c.parquet"),
        1,
        "a.parquet and a.parquet both have deals 0 to 999",
    )
    refused(
        run("merge", "a.parquet", "none.parquet", "-o", "c.parquet"),
        1,
        "none.parquet is not there: name parts that are there",
    )
    Path("text").write_text("text")
    refused(run("merge", "a.parquet", "text", "-o", "c.parquet"), 1, "text is not a run file")
    assert not Path("c.parquet").exists()


def test_a_run_is_merged_over_another_only_if_told_to(run: Run) -> None:
    for number in (1, 2):
        run("simulate", *COMMON, "-n", 2000, "--shard", f"{number}/2", "-o", f"{number}.parquet")
    before = Path("1.parquet").read_bytes()
    refused(
        run("merge", "1.parquet", "2.parquet", "-o", "1.parquet"), 1, "1.parquet is there already", "--force"
    )
    assert Path("1.parquet").read_bytes() == before
    assert run("merge", "1.parquet", "2.parquet", "-o", "1.parquet", "--force").code == 0
    assert read_run("1.parquet").info.ranges == ((0, 2000),)


@pytest.mark.parametrize(
    ("options", "code", "part"),
    [
        (("--shard", "0/3"), 2, "--shard: '0/3' is no part of a run; write 1/7"),
        (("--shard", "4/3"), 2, "--shard: '4/3' is no part"),
        (("--shard", "1"), 2, "--shard: '1' is no part"),
        (("--shard", "1/9", "-n", 8), 2, "--shard: 8 deals have no 9 parts"),
        (("--shard", "1/2", "--precision", 3), 2, "leave out --precision, or --shard"),
        (("--extend", "a.parquet", "--precision", 3), 2, "leave out --precision, or --extend"),
        (("--extend", "a.parquet", "--resume"), 2, "leave one of them out"),
        (("--extend", "a.parquet"), 2, "--extend: say with --deals how many are added"),
        (("--extend", "none.parquet", "-n", 5), 1, "none.parquet is not there"),
        (("--extend", "part.parquet", "-n", 5), 1, "merge the parts first"),
        (("--extend", "part.parquet", "-n", 5, "--shard", "1/2"), 1, "merge the parts first"),
        (
            ("--extend", "a.parquet", "-n", 5, "-o", "part.parquet"),
            1,
            "part.parquet is there already: without --extend, --resume goes on with it",
        ),
        (
            ("--extend", "holes.parquet", "-n", 5),
            1,
            "has 500 of 1,000 deals, so it is not extended: schmier-sim simulate --resume -o holes.parquet",
        ),
        (("--extend", "holes.parquet", "-n", 5, "-o", "b.parquet"), 1, "has 500 of 1,000 deals"),
        (("--extend", "holes.parquet", "-n", 5, "--shard", "1/2"), 1, "has 500 of 1,000 deals"),
        (("--resume", "-o", "part.parquet", "--precision", 3), 2, "--precision: part.parquet is a part"),
        (
            ("--resume", "-o", "a.parquet", "--shard", "1/2"),
            2,
            "but a.parquet was to have 1,000 deals from 0 on",
        ),
        (
            ("--extend", "a.parquet", "-n", 5, "--shard", "1/2", "-o", "a.parquet", "--force"),
            2,
            "--output a.parquet: a part does not go where the run is",
        ),
        (("--scheduler", "tcp://a..b:1"), 2, "'tcp://a..b:1' is no address"),
        (("--scheduler", f"{64 * 'a'}:1"), 2, "is no address"),
        (("--scheduler", "tcp://.:1"), 2, "is no address"),
        (("--scheduler", "somewhere"), 2, "--scheduler: 'somewhere' is no address"),
        (("--scheduler", "tcp://a:1", "--workers", 2), 2, "leave one of them out"),
    ],
)
def test_what_does_not_go_together_is_refused(
    run: Run, options: tuple[object, ...], code: int, part: str
) -> None:
    run("simulate", *COMMON, "-n", 1000, "-o", "a.parquet")
    run("simulate", *COMMON, "-n", 1000, "--shard", "2/2", "-o", "part.parquet")
    run("merge", "part.parquet", "-o", "holes.parquet")
    before = {path.name: path.read_bytes() for path in Path.cwd().iterdir()}
    refused(run("simulate", *options), code, part)
    assert {path.name: path.read_bytes() for path in Path.cwd().iterdir()} == before
