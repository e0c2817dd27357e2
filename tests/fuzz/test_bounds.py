"""Too much of anything is refused with little memory, and at once."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schmier_sim.analysis import runformat
from schmier_sim.cli import config, main
from schmier_sim.cli.console import Failure
from schmier_sim.game.rules import MAX_FILE_BYTES, RulesError, load_rules
from tests.fuzz import footers
from tests.fuzz.budget import in_time
from tests.fuzz.test_files import KNOWN
from tests.fuzz.test_runs import parquet

MEGABYTE = 1 << 20
#: A process with nothing heavy in it, and one with numba, pandas and pyarrow, may have so many bytes of addresses.
LIGHT, HEAVY = 400 * MEGABYTE, 3000 * MEGABYTE
HAND = "AS KS JC 2S 10H 9D"


def refused(folder: Path, memory: int, most: int, calls: list[list[Any]], **settings: str) -> list[str]:
    """Run calls in one process; all of them have to be refused in one line, without much memory. Return the lines."""
    asked = folder / "asked.json"
    asked.write_text(json.dumps({"memory": memory, "calls": calls}))
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.bounded", asked],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | settings,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(calls)
    for call, (code, out, err, peak) in zip(calls, answers, strict=True):
        assert code in (1, 2), (call, err)
        assert out == 0, call
        assert err.count("\n") == 1, (call, err)
        assert err.startswith("schmier-sim: ")
        assert "unexpected" not in err, (call, err)
        assert peak < most, (call, peak, err)
    return [err for _, _, err, _ in answers]


#: A word that ends in … is repeated to a million characters; ␣ stands for a blank.
LONG_CALLS = """
A…
--a…
-q…
deal 1…
deal 1_1…
deal 0 --count 1,111…
deal 0 --seed 9…
deal 0 --scores x,…
deal 0 --rules a…
deal 0 --rules a/…
deal 0 --config c…
rules show ../…
hand A…
hand AS␣…
hand S:…
hand AS --auction p␣…
hand AS --scores x␣…
hand AS --seat ␣…
hand AS --precision 0…
hand AS --max-time 1…
hand AS --suit S…
hand AS --from f…
hand --json --from f…
hand --json --from list-A
hand --json --from list-9
hand --json --from list-S
hand --json --from seats
hand --json --from scores
simulate --shard 1/…
simulate --extend r…
merge p… -o new
table r…
table x -o o…
chart r…
report x --title t…
report x --club \u200b…
report x --date 2026-…
report x --logo l.png…
report x -o o…
equity --chart c…
completion b…
"""


def long_words(line: str) -> list[Any]:
    found: list[Any] = []
    for word in line.replace("␣", "\0").split():
        piece = word.removesuffix("…").replace("\0", " ")
        found.append(piece if not word.endswith("…") else {"repeat": piece, "times": 1_000_000 // len(piece)})
    return found


def test_a_million_characters_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    for piece in ("A", "9", "S:"):
        (tmp_path / f"list-{piece[0]}").write_text(piece * (3_900_000 // len(piece)))
    (tmp_path / "seats").write_text(f"{HAND} | {'9' * 3_900_000}")
    (tmp_path / "scores").write_text(f"{HAND} | 1 | | {'14,' * 1_300_000}")
    calls = [long_words(line) for line in LONG_CALLS.strip().splitlines()]
    lines = refused(tmp_path, LIGHT, 250 * MEGABYTE, calls)
    assert all(len(line) < 2000 for line in lines)


def test_a_file_of_a_hundred_megabytes_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "huge.toml").write_bytes(b"target = 21\n" * (100 * MEGABYTE // 12))
    calls = [
        "rules show huge.toml",
        "rules diff standard huge.toml",
        "deal 0 --config huge.toml",
        "deal 0 --rules huge.toml",
    ]
    for line in refused(tmp_path, LIGHT, 100 * MEGABYTE, [call.split() for call in calls]):
        assert "larger than 8 kB" in line
    calls = ["hand --json --from huge.toml", "table huge.toml"]
    refused(tmp_path, HEAVY, 400 * MEGABYTE, [call.split() for call in calls])
    (tmp_path / "huge.toml").rename(tmp_path / "schmier.toml")
    refused(tmp_path, LIGHT, 100 * MEGABYTE, [["deal", "0"], ["rules", "list"]])


#: The worst that there is in a file of the most bytes that are read.
MOST = 7_900
WORST = {
    "one key of many parts": "a" + ".a" * (MOST // 2) + " = 1",
    "a rule of many parts": "target" + ".a" * (MOST // 2 - 10) + " = 1",
    "an option of many parts": "[deal]\nseed" + ".a" * (MOST // 2 - 10) + " = 1",
    "a table of many parts": "[" + "a." * (MOST // 2) + "a]",
    "keys in a deep table": "\n".join(
        [f"[a{'.a' * (MOST // 4)}]", *(f"b{i}.c = 1" for i in range(MOST // 24))]
    ),
    "a deep key in a deep table": "[a" + ".a" * (MOST // 4) + "]\nb" + ".b" * (MOST // 4 - 5) + " = 1",
    "a key of many parts in braces": "x = { " + "a." * (MOST // 2 - 10) + "a = 1 }",
    "tables in lists in tables": "".join(f"[[{'a.' * depth}a]]\n" for depth in range(80)),
    "open brackets": "a = " + "[" * MOST,
    "brackets": "target = " + "[" * 300 + "]" * 300,
    "a long hexadecimal": "target = 0x" + "f" * MOST,
    "the longest decimal": "target = " + "9" * 4300,
    "a longer decimal": "target = " + "9" * MOST,
    "a list of long numbers": "target = [" + f"0x{'f' * 3800}, " * 2 + "]",
    "a large exponent": "target = 1e" + "9" * MOST,
    "quotes": '"' * MOST,
    "apostrophes": "'" * MOST,
    "empty lines": "\r\n" * (MOST // 2) + "=",
    "blanks": "target" + " " * MOST,
}


@pytest.mark.parametrize("name", WORST)
def test_the_worst_file_that_is_read_is_refused_at_once(tmp_path: Path, name: str) -> None:
    path = tmp_path / "worst.toml"
    path.write_text(WORST[name], newline="")
    assert path.stat().st_size <= min(MAX_FILE_BYTES, config.MOST_BYTES)
    with in_time():
        with pytest.raises(RulesError) as rules_error:
            load_rules(path)
        with pytest.raises(Failure) as config_error:
            config.defaults(config.read(path), "deal", KNOWN, path)
    for error in (rules_error, config_error):
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 2000


def test_an_endless_answer_ends_the_quiz(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/zero").open() as zeros, in_time():
        monkeypatch.setattr(sys, "stdin", zeros)
        assert main(["quiz", "--quiet"]) == 1
    assert "no call in 100 answers" in capsys.readouterr().err.splitlines()[-1]


def dictionary(length: int, rows: int) -> bytes:
    """A table whose names are all one long text, which stands in it only once."""
    kind = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int32)), pa.array(["x" * length]))
    return counted(kind, rows)


def counted(kind: pa.Array, rows: int) -> bytes:
    zeros = pa.array(np.zeros(rows, np.int8))
    table = pa.table({"kind": kind} | dict.fromkeys(("seat", "group", "aces", "outcome", "count"), zeros))
    return parquet(table, METADATA, compression="zstd", store_schema=False)


METADATA = json.dumps({"schema": runformat.SCHEMA}).encode()
COLUMN, ROOT = footers.column(b"x"), footers.group(b"r", 1)


def hostile_runs() -> dict[str, bytes]:
    """Files that are small, and claim or unfold to a lot."""
    plain = counted(pa.array(["cell"] * 1234), 1234)
    bomb = counted(pa.array([letter * (50 * MEGABYTE) for letter in "xy"]), 2)
    rows = pq.ParquetFile(pa.BufferReader(bomb)).metadata.row_group(0)
    liar = footers.claiming(bomb, rows.total_byte_size, 1000)
    liar = footers.claiming(liar, rows.column(0).total_uncompressed_size, 900)
    long = METADATA[:-1] + b', "a": [' + b"[]," * 9_000_000 + b"0]}"
    return {
        "billions of rows": footers.claiming(plain, 1234, 10**12),
        "fewer than no rows": footers.claiming(plain, 1234, -1),
        "rows of nothing": footers.file([ROOT, COLUMN], METADATA, 10**18),
        "two million rows": counted(
            pa.array(["cell"]).take(pa.array(np.zeros(2_000_000, np.int32))), 2_000_000
        ),
        "a long text in each of many rows": dictionary(1_000_000, 3000),
        "a longer text in each of some rows": dictionary(20_000_000, 300),
        "two huge texts": bomb,
        "two huge texts that are said to be small": liar,
        "deep columns": footers.file([ROOT] * 50_000 + [COLUMN], METADATA),
        "many columns": footers.file([footers.group(b"r", 50_000)] + [COLUMN] * 50_000, METADATA),
        "many more columns said": footers.file([footers.group(b"r", 2**31 - 1), COLUMN], METADATA),
        "long metadata": footers.file([ROOT, COLUMN], long),
        "deep metadata": footers.file([ROOT, COLUMN], b"[" * 5_000_000),
        "a long footer said": b"PAR1" + bytes(50) + b"\xff\xff\xff\xff" + b"PAR1",
        "a long text said": footers.with_footer(b"PAR1", b"\x15\x02\x19\xfc\xff\xff\xff\xff\x07" + bytes(99)),
    }


def test_a_run_file_that_unfolds_to_gigabytes_is_refused(tmp_path: Path) -> None:
    calls = []
    for name, data in hostile_runs().items():
        (tmp_path / f"{name}.parquet").write_bytes(data)
        calls.append(["table", f"{name}.parquet"])
    refused(tmp_path, HEAVY, 900 * MEGABYTE, calls)
