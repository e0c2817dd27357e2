"""Whatever cannot be done is refused with one line and the right exit code, and leaves nothing behind."""

import resource
import shutil
from pathlib import Path

import pytest

from tests.cli.program import Run, in_process, refused, spawn


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["simulate", "--deals", "0"], ["--deals", "'0'", "10M"]),
        (["simulate", "-n", "-5"], ["'-5'", "10M"]),
        (["simulate", "-n", "1e30"], ["'1e30'", "10M"]),
        (["simulate", "-n", "many"], ["'many'", "10M"]),
        (["simulate", "--seed", "-1"], ["--seed", "'-1'", "21"]),
        (["simulate", "--mode", "play"], ["--mode", "'play'", "declare or auction"]),
        (["simulate", "--sample", "even"], ["--sample", "'even'", "natural or stratified"]),
        (["simulate", "--sample", "stratified", "--mode", "auction"], ["--sample", "natural"]),
        (["simulate", "--bots", "clever"], ["--bots", "'clever'", "simple"]),
        (["simulate", "--rules", "standart"], ["--rules", "standart", "standard"]),
        (["simulate", "--rules", "none.toml"], ["--rules", "none.toml"]),
        (["simulate", "--workers", "0"], ["--workers", "'0'", "1 to 64"]),
        (["simulate", "--workers", "65"], ["--workers", "'65'", "1 to 64"]),
        (["bench", "--workers", "1000"], ["--workers", "'1000'", "1 to 64"]),
        (["simulate", "-n", "1__0"], ["--deals", "'1__0'", "10M"]),
        (["simulate", "-n", "1,00"], ["--deals", "'1,00'", "10M"]),
        (["simulate", "-n", "9" * 500], ["--deals", "99…'", "10M"]),
        (["simulate", "-n"], ["-n N"]),
        (["simulate", "--by", ""], ["--by", "trumps"]),
        (["simulate", "--by", " ,"], ["--by", "trumps"]),
        (["simulate", "-o", "-"], ["stdout", "-o run.parquet"]),
        (["report", "a.parquet", "-o", "-"], ["stdout", "-o schmier.pdf"]),
        (["chart", "a.parquet", "-o", "-"], ["stdout", "-o charts"]),
        (["report", "a.parquet", "-o", "x.html", "--format", "pdf"], ["--format", "x.html", "x.pdf"]),
        (["report", "a.parquet", "-o", "x"], ["x says no format", "x.pdf", "--format"]),
        (["report", "a.parquet", "-o", "x.png"], ["x.png says no format", "x.pdf"]),
        (["report", "a.parquet", "--lang", "fr"], ["--lang", "'fr'", "en or de or hu"]),
        (["report", "a.parquet", "--paper", "a5"], ["--paper", "'a5'", "a4 or letter"]),
        (["report", "a.parquet", "--date", "2026-13-01"], ["--date", "'2026-13-01'", "2026-11-30"]),
        (["report", "a.parquet", "--date", "2026-W01-1"], ["--date", "2026-11-30"]),
        (["report", "a.parquet", "--title", " "], ["--title", "no line of text"]),
        (["report", "a.parquet", "--club", "a\nb"], ["--club", "no line of text"]),
        (["report", "a.parquet", "--club", "\udcff"], ["--club", "no line of text"]),
        (["report", "a.parquet", "--title", "x" * 300], ["--title", "300", "at most 200"]),
        (["report", "a.parquet", "--template", "/dev/zero"], ["--template", "/dev/zero", "no regular file"]),
        (["report", "a.parquet", "--lookup", "-o", "x.pdf"], ["--lookup", "pdf", "html"]),
        (["report", "a.parquet", "--template", "x.typ", "-o", "x.html"], ["--template", "html"]),
        (["report", "a.parquet", "--logo", "logo.txt"], ["--logo", "logo.txt", "logo.png"]),
        (["report", "a.parquet", "--paper", "a4", "-o", "x.md"], ["--paper", "markdown"]),
        (["report", "a.parquet", "--large", "-o", "x.md"], ["--large", "html"]),
        (["report", "a.parquet", "--all-hands", "--lookup"], ["--all-hands", "leave it out"]),
        (["report", "a.parquet", "--club", "x", "--lookup"], ["--club", "--title"]),
        (["report", "a.parquet", "-n", "100"], ["--deals", "a.parquet", "leave it out"]),
        (["report", "a.parquet", "--rules", "low-to-taker"], ["--rules", "a.parquet", "leave it out"]),
        (["--bogus"], ["--bogus", "--version"]),
        (["deal", "7", "--json=yes"], ["--json", "no value"]),
        (["deal", "7", "--zzz"], ["--zzz", "--seed"]),
        (["deal", "7", "8"], ["'8'", "schmier-sim deal [OPTIONS] INDEX"]),
        (["deal", "-1"], ["-1", "deal index", "7"]),
        (["deal", "-12"], ["-12", "deal index", "7"]),
        (["x" * 500], ["xxx…'", "simulate, merge, table"]),
        (["simulate", "--precision", "0"], ["--precision", "'0'", "0.5"]),
        (["simulate", "--precision", "1", "--by", "colour"], ["--by", "colour", "trumps"]),
        (["simulate", "--resume", "--force"], ["--resume", "--force"]),
        (["simulate", "more"], ["more"]),
        (["simulate", "--dels", "1"], ["--dels", "--deals"]),
        (
            ["simulat"],
            ["'simulat'", "did you mean simulate?", "simulate, merge, table, chart, report, deal, duel"],
        ),
        (["deal", "first"], ["'first'", "7"]),
        (["deal", "1.5"], ["'1.5'", "7"]),
        (["deal", "7", "--count", "0"], ["--count", "'0'"]),
        (["deal", "7", "--suits", "words"], ["--suits", "letters or symbols"]),
        (["deal"], ["INDEX", "schmier-sim deal [OPTIONS] INDEX"]),
        (["table"], ["RUN", "schmier-sim table [OPTIONS] RUN"]),
        (["rules", "show", "nope"], ["nope", "two-teams"]),
        (["rules", "diff", "standard", "nope"], ["nope"]),
        (["rules", "shaw"], ["shaw", "show"]),
        (["bench", "--deals", "0"], ["--deals", "'0'"]),
    ],
)
def test_a_usage_error_is_one_line_with_a_right_value(
    run: Run, arguments: list[str], parts: list[str]
) -> None:
    refused(run(*arguments), 2, *parts)
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--by", "colour"], ["--by", "colour", "trumps"]),
        (["--by", "trumps,trumps"], ["--by", "trumps"]),
        (["--by", ""], ["--by", "trumps"]),
        (["--by", ","], ["--by", "trumps"]),
        (["--where", "trumps>9"], ["--where", "9"]),
        (["--where", "nonsense"], ["--where", "nonsense"]),
        (["--format", "html"], ["--format", "markdown"]),
        (["--min-deals", "-1"], ["--min-deals", "'-1'"]),
        (["--top", "0"], ["--top", "'0'"]),
    ],
)
def test_a_table_that_cannot_be_asked_for(
    run: Run, small_run: Path, arguments: list[str], parts: list[str]
) -> None:
    refused(run("table", small_run, *arguments), 2, *parts)


@pytest.mark.parametrize("command", ["table", "chart", "report"])
@pytest.mark.parametrize("damage", ["missing", "foreign", "empty", "truncated", "folder", "flipped"])
def test_a_run_file_that_cannot_be_read(
    run: Run, small_run: Path, tmp_path: Path, command: str, damage: str
) -> None:
    bad = tmp_path / "bad.parquet"
    whole = small_run.read_bytes()
    if damage == "folder":
        bad.mkdir()
    elif damage != "missing":
        middle = len(whole) // 2
        flipped = whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :]
        bad.write_bytes(
            {"foreign": b"a,b\n1,2\n", "empty": b"", "truncated": whole[:middle], "flipped": flipped}[damage]
        )
    before = set(tmp_path.iterdir())
    refused(run(command, bad), 1, "bad.parquet")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("damage", [b"", b"PAR1 cut short"])
def test_a_damaged_run_is_not_resumed_and_not_touched(run: Run, tmp_path: Path, damage: bytes) -> None:
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(damage)
    refused(run("simulate", "-n", 100, "--quiet", "-o", bad, "--resume"), 1, "bad.parquet")
    assert bad.read_bytes() == damage


def test_a_run_that_is_there_is_not_written_over(run: Run, tmp_path: Path) -> None:
    there = tmp_path / "there.parquet"
    there.write_text("precious")
    refused(run("simulate", "-n", 100, "-o", there), 1, "there.parquet", "--resume", "--force")
    assert there.read_text() == "precious"
    assert run("simulate", "-n", 100, "-o", there, "--force").code == 0
    assert there.read_bytes()[:4] == b"PAR1"


@pytest.mark.parametrize("command", ["table", "chart", "report"])
def test_a_run_that_is_not_there_comes_with_how_to_make_one(run: Run, command: str) -> None:
    refused(run(command, "none.parquet"), 1, "none.parquet", "schmier-sim simulate -o none.parquet")


@pytest.mark.parametrize("name", ["run.parquet", "run.pdf", "points.png"])
def test_the_run_file_is_not_written_over(run: Run, small_run: Path, name: str) -> None:
    shutil.copy(small_run, name)
    Path("link.pdf").symlink_to(name)
    whole = small_run.read_bytes()
    for output in (name, "link.pdf", Path.cwd() / name, f"../{Path.cwd().name}/{name}"):
        refused(run("table", name, "-o", "new.csv", "-o", output), 2, str(output), "run file")
        if Path(output).suffix == ".pdf":
            refused(run("report", name, "-o", output), 2, str(output), "run file")
        refused(run("chart", name, "-o", output), 2, str(output))
    if name == "points.png":
        refused(run("chart", name, "-o", "."), 2, name)
    assert Path(name).read_bytes() == whole
    assert {path.name for path in Path.cwd().iterdir()} == {name, "link.pdf"}


def test_another_run_file_is_not_written_over_either(run: Run, small_run: Path) -> None:
    shutil.copy(small_run, "other.parquet")
    refused(
        run("table", small_run, "-o", "new.csv", "-o", "other.parquet"),
        2,
        "other.parquet",
        "run file",
        "table.csv",
    )
    assert Path("other.parquet").read_bytes() == small_run.read_bytes()
    assert not Path("new.csv").exists()


def test_no_table_is_written_if_one_of_them_cannot_be(run: Run, small_run: Path) -> None:
    refused(run("table", small_run, "-o", "a.csv", "-o", "-", "-o", "nodir/x.md"), 1, "nodir")
    assert list(Path.cwd().iterdir()) == []


def test_a_folder_for_charts_is_taken_away_if_none_could_be_written(small_run: Path, tmp_path: Path) -> None:
    def no_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    outcome = in_process("chart", small_run, "-o", "a/b", "--quiet", cwd=tmp_path, preexec_fn=no_files)
    refused(outcome, 1, "a/b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("folder", ["nowhere", "file", "/proc"])
def test_a_folder_that_cannot_be_written(run: Run, small_run: Path, tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("in the way")
    for arguments in (
        ["simulate", "-n", "100", "-o", f"{folder}/run.parquet"],
        ["table", small_run, "--quiet", "-o", f"{folder}/table.txt"],
        ["report", small_run, "-o", f"{folder}/sheet.pdf"],
    ):
        refused(run(*arguments), 1, folder)
    if folder != "nowhere":
        refused(run("chart", small_run, "-o", f"{folder}/charts"), 1, folder)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("output", ["simulate -n 100", "table RUN"])
def test_a_device_is_not_replaced_by_a_file(run: Run, small_run: Path, output: str) -> None:
    arguments = [str(small_run) if word == "RUN" else word for word in output.split()]
    refused(run(*arguments, "-o", "/dev/full"), 1, "/dev/full")
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("command", ["table RUN", "deal 0", "rules list", "--help"])
def test_a_full_disk_behind_stdout(small_run: Path, command: str) -> None:
    arguments = [str(small_run) if word == "RUN" else word for word in command.split()]
    with Path("/dev/full").open("w") as full:
        outcome = in_process(*arguments, "--quiet" if command != "--help" else "--debug", stdout=full)
    refused(outcome, 1, "No space left")


@pytest.mark.parametrize(
    "command", ["simulate -n 30000 -o NEW", "table RUN -o NEW --by pattern --min-deals 0 --format csv"]
)
def test_a_disk_that_fills_up_leaves_nothing_half_written(
    small_run: Path, tmp_path: Path, command: str
) -> None:
    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    new = tmp_path / "new.out"
    shutil.copy(small_run, tmp_path / "run.parquet")
    words = {"NEW": str(new), "RUN": str(tmp_path / "run.parquet")}
    arguments = [words.get(word, word) for word in command.split()]
    outcome = in_process(*arguments, "--quiet", "--no-progress", cwd=tmp_path, preexec_fn=no_large_files)
    refused(outcome, 1, "new.out")
    assert [path.name for path in tmp_path.iterdir()] == ["run.parquet"]


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    with spawn("deal", 0, "--count", 3000, "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_traceback_is_shown_only_for_the_asking(run: Run) -> None:
    assert "Traceback" not in run("table", "none.parquet").err
    assert "Traceback" in run("table", "none.parquet", "--debug").err
    assert "Traceback" in run("--debug", "table", "none.parquet").err
