"""The commands that show something: ``table``, ``chart``, ``report``, ``deal``, ``rules``, ``bench``, ``warmup``."""

import csv
import io
import json
import os
from pathlib import Path

import pytest

from schmier_sim.analysis import bench
from schmier_sim.cli import options
from schmier_sim.game.rules import Rules, load_rules, ruleset_names
from schmier_sim.kernel.bots import BOT_NAMES
from tests.cli.program import Outcome, Run, in_process, refused


def test_the_bots_of_the_help_are_those_that_play() -> None:
    assert set(options.BOTS) == set(BOT_NAMES)


def test_the_main_table_has_a_row_for_each_number_of_trumps(run: Run, small_run: Path) -> None:
    rows = json.loads(run("table", small_run, "--min-deals", 0, "--format", "json").out)["rows"]
    assert [row["trumps"] for row in rows] == list(range(7))
    assert sum(row["share"] for row in rows) == pytest.approx(1)


def test_all_formats_hold_the_same_rows(run: Run, small_run: Path) -> None:
    rows = json.loads(run("table", small_run, "--by", "role", "--format", "json").out)["rows"]
    lines = list(csv.DictReader(io.StringIO(run("table", small_run, "--by", "role", "--format", "csv").out)))
    assert [float(line["make_3"]) for line in lines] == [row["make_3"] for row in rows]
    for form in ("table", "markdown"):
        text = run("table", small_run, "--by", "role", "--format", form).out
        assert all(f"{row['deals']:,}" in text for row in rows)


def test_rows_can_be_picked(run: Run, small_run: Path) -> None:
    outcome = run("table", small_run, "--by", "trumps", "--where", "trumps>=3 and aces=0", "--format", "json")
    assert [row["trumps"] for row in json.loads(outcome.out)["rows"]] == [3, 4, 5, 6]
    top = json.loads(run("table", small_run, "--top", 2, "--format", "json").out)["rows"]
    assert sorted(row["trumps"] for row in top) == [1, 2]
    few = json.loads(run("table", small_run, "--by", "pattern", "--min-deals", 61, "--format", "json").out)[
        "rows"
    ]
    assert few == []


def test_a_filter_is_told_in_every_format(run: Run, small_run: Path) -> None:
    for form in ("table", "csv", "json", "markdown"):
        text = run("table", small_run, "--where", "trumps>=3, aces=0", "--format", form).out
        assert "trumps>=3, aces=0" in text.replace("\\>", ">")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(["--min-deals", "1M"], "1,000,000 deals"), (["--where", "trumps=0 and holds=A"], "--where")],
)
def test_a_table_without_rows_says_why(run: Run, small_run: Path, arguments: list[str], reason: str) -> None:
    for form in ("table", "markdown", "csv", "json"):
        outcome = run("table", small_run, "--format", form, *arguments)
        assert outcome.code == 0
        assert outcome.err.startswith("no rows: ")
        assert outcome.err.count("\n") == 1
        assert reason in outcome.err
        if form == "csv":
            assert outcome.out.startswith("trumps,deals,")
            assert outcome.out.count("\n") == 1
        elif form == "json":
            assert json.loads(outcome.out)["rows"] == []
        else:
            assert outcome.out == ""


def test_tables_go_into_pipes_and_devices(small_run: Path, run: Run, tmp_path: Path) -> None:
    wanted = run("table", small_run).out
    assert run("table", small_run, "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()
    assert in_process("table", small_run, "-o", "/dev/stdout", "--quiet") == Outcome(0, wanted, "")
    with (tmp_path / "out.txt").open("w") as file:
        assert in_process("table", small_run, "-o", "/dev/stdout", stdout=file).code == 0
    assert (tmp_path / "out.txt").read_text() == wanted
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)  # waits for nobody
    assert run("table", small_run, "-o", pipe).code == 0
    assert os.read(reader, 1 << 16).decode() == wanted
    os.close(reader)
    assert pipe.is_fifo()


def test_tables_go_to_files_in_the_format_of_their_ending(run: Run, small_run: Path) -> None:
    outcome = run("table", small_run, "-o", "t.md", "-o", "t.csv", "-o", "t.json", "-o", "t.txt")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == "wrote t.md\nwrote t.csv\nwrote t.json\nwrote t.txt\n"
    for ending, form in (("md", "markdown"), ("csv", "csv"), ("json", "json"), ("txt", "table")):
        assert Path(f"t.{ending}").read_text() == run("table", small_run, "--format", form).out


def test_a_named_format_counts_more_than_an_ending(run: Run, small_run: Path) -> None:
    run("table", small_run, "-o", "t.md", "--format", "csv")
    assert Path("t.md").read_text().startswith("trumps,deals,")
    assert run("table", small_run, "-o", "-", "--format", "csv").out == Path("t.md").read_text()


def test_charts_need_no_window_system(small_run: Path, tmp_path: Path) -> None:
    environment = os.environ | {"MPLBACKEND": "bogus"}
    outcome = in_process("chart", small_run, "-o", tmp_path / "charts", env=environment)
    assert (outcome.code, outcome.err) == (0, "")


def test_charts_are_listed_as_they_are_written(run: Run, small_run: Path) -> None:
    outcome = run("chart", small_run, "--format", "svg", "-o", "pictures")
    assert outcome.code == 0
    paths = [Path(line) for line in outcome.out.splitlines()]
    assert len(paths) >= 4
    assert set(Path("pictures").iterdir()) == set(paths)


def test_the_report_is_a_pdf(run: Run, small_run: Path) -> None:
    outcome = run("report", small_run, "-o", "sheet.pdf", "--paper", "letter")
    assert outcome.code == 0, outcome.err
    assert Path("sheet.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("lang", ["en", "de", "hu"])
def test_the_report_is_a_web_page_or_markdown_where_the_file_says_so(
    run: Run, small_run: Path, lang: str
) -> None:
    for name, begin in (("sheet.html", "<!DOCTYPE html>"), ("sheet.md", "# ")):
        outcome = run(
            "report", small_run, "-o", name, "--lang", lang, "--title", "Ősz & Herbst", "--club", "Klub"
        )
        assert (outcome.code, outcome.out) == (0, f"{name}\n"), outcome.err
        text = Path(name).read_text()
        assert text.startswith(begin)
        assert "Ősz &" in text.replace("\\&", "&")
        assert "Klub" in text
    shown = run("report", small_run, "-o", "-", "--format", "markdown", "--lang", lang)
    assert shown.out.startswith("# ")


def test_a_report_of_a_template_and_logo_of_ones_own(run: Run, small_run: Path) -> None:
    Path("club.typ").write_text(
        '#let data = json(bytes(sys.inputs.data))\n#set document(title: "x")\n= #data.club\n'
    )
    assert run("report", small_run, "--template", "club.typ", "--club", "Klub").code == 0
    assert Path("schmier.pdf").read_bytes().startswith(b"%PDF")
    Path("club.typ").write_text("#oops(")
    whole = Path("schmier.pdf").read_bytes()
    refused(run("report", small_run, "--template", "club.typ"), 1, "typst cannot set the handout")
    assert Path("schmier.pdf").read_bytes() == whole
    refused(run("report", small_run, "--template", "none.typ"), 1, "none.typ")
    Path("logo.png").write_text("no picture")
    refused(run("report", small_run, "--logo", "logo.png"), 2, "--logo", "no picture")
    for name, option in (("club.typ", "--template"), ("logo.png", "--logo")):
        before = Path(name).read_text()
        refused(
            run("report", small_run, option, name, "-o", name, "--format", "pdf"), 2, name, "not written over"
        )
        assert Path(name).read_text() == before


def test_without_a_run_a_report_plays_first(run: Run) -> None:
    outcome = run("report", "-n", 5000, "--seed", 3, "--rules", "low-to-taker", "-o", "sheet.md")
    assert (outcome.code, outcome.out) == (0, "sheet.md\n"), outcome.err
    foot = Path("sheet.md").read_text().splitlines()[-1]
    assert "rules low-to-taker · bots club · 5,000 deals · seed 3" in foot


def test_a_page_to_look_hands_up(run: Run) -> None:
    outcome = run("report", "-n", 20_000, "--lookup", "--lang", "de")
    assert (outcome.code, outcome.out) == (0, "lookup.html\n"), outcome.err
    page = Path("lookup.html").read_text()
    assert page.startswith("<!doctype html>")
    assert '<html lang="de"' in page
    assert run("simulate", "-n", 500, "-o", "natural.parquet").code == 0
    refused(run("report", "natural.parquet", "--lookup", "-o", "other.html"), 1, "--sample stratified")
    assert not Path("other.html").exists()


def test_a_deal_is_one_json_object_a_line(run: Run) -> None:
    lines = run("deal", 5, "--count", 3, "--json", "--mode", "auction", "--seed", 9).out.splitlines()
    deals = [json.loads(line) for line in lines]
    assert [deal["index"] for deal in deals] == [5, 6, 7]
    assert {deal["schema"] for deal in deals} == {"schmier-sim/deal/1"}
    assert {deal["seed"] for deal in deals} == {9}
    assert json.loads(run("deal", 6, "--json", "--mode", "auction", "--seed", 9).out) == deals[1]


def test_a_deal_is_told_with_letters_or_symbols(run: Run) -> None:
    letters = run("deal", 5).out
    symbols = run("deal", 5, "--suits", "symbols").out
    assert letters.isascii() or "♠" not in letters
    assert "♠" in symbols
    two = run("deal", 5, "--count", 2).out
    assert two.startswith(letters)
    assert two == letters + "\n" + run("deal", 6).out


def test_a_deal_says_how_it_was_played(run: Run) -> None:
    plain = run("deal", 1005, "--bots", "random", "--mode", "auction").out.split("\n\n")[0]
    for part in ("1,005", "seed 21", "standard", "bots random", "mode auction", "sample natural"):
        assert part in plain
    assert "sample stratified" in run("deal", 5, "--sample", "stratified").out


def test_stratified_deals_are_spades(run: Run) -> None:
    lines = run("deal", 0, "--count", 50, "--json", "--sample", "stratified").out.splitlines()
    assert {json.loads(line)["trump"] for line in lines} == {"S"}


def test_rules_list_names_all_that_is_shipped(run: Run) -> None:
    lines = run("rules", "list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(ruleset_names())
    assert any('low_to = "taker"' in line for line in lines)


@pytest.mark.parametrize("name", ruleset_names())
def test_rules_show_can_be_read_back(run: Run, name: str) -> None:
    text = run("rules", "show", name).out
    Path("copy.toml").write_text(text)
    assert load_rules("copy.toml") == load_rules(name)
    assert len(text.splitlines()) == len(Rules().to_dict())
    assert all(len(line.partition(" # ")[2]) > 10 for line in text.splitlines())


def test_rules_diff_names_what_differs(run: Run) -> None:
    text = run("rules", "diff", "two-teams", "low-to-taker").out
    assert [line.split()[0] for line in text.splitlines()] == ["rule", "teams", "low_to"]
    assert "no difference" in run("rules", "diff", "standard", "standard").out


def test_bench_measures_each_bot_mode_and_sample(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "measure_starts", lambda: (30.0, 1.0))
    outcome = run("bench", "--json", "--deals", 5000, "--workers", 2)
    assert outcome.code == 0
    shown = json.loads(outcome.out)
    assert shown["schema"] == "schmier-sim/bench/1"
    assert (shown["compile_seconds"], shown["cached_start_seconds"]) == (30.0, 1.0)
    kinds = {(row["bots"], row["mode"], row["sample"], row["workers"]) for row in shown["rows"]}
    assert kinds == {
        (bots, mode, sample, workers)
        for bots in BOT_NAMES
        for mode, sample in bench.KINDS
        for workers in (1, 2)
    }
    for row in shown["rows"]:
        assert row["ns_per_deal"] * row["deals_per_second"] == pytest.approx(1e9)


def test_bench_table_has_a_line_for_each_row(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "measure_starts", lambda: (30.0, 1.0))
    monkeypatch.setattr(bench, "KINDS", (("declare", "natural"),))
    text = run("bench", "--deals", 5000, "--workers", 1).out
    assert len(text.splitlines()) == 1 + len(BOT_NAMES) + 3
    assert "30.0 s" in text


def test_warmup_says_where_the_machine_code_is(run: Run) -> None:
    outcome = run("warmup")
    assert outcome.code == 0
    assert Path(outcome.out.strip()).is_dir()
