"""Run files: read as the very run that was written, or refused in one line; what a stranger says in them is text."""

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schmier_sim.analysis import runformat
from schmier_sim.analysis.store import StoreError, read_run
from schmier_sim.analysis.tally import Tally
from tests.fuzz import footers
from tests.fuzz.budget import cases, read_or_refused
from tests.fuzz.program import Case, Program
from tests.fuzz.strategies import json_values, mutated_bytes, pool
from tests.fuzz.things import RUNS
from tests.fuzz.watch import watched


def read(path: Path) -> tuple[Any, str]:
    """A run, or the line that refuses it."""
    found, refusal = read_or_refused(lambda: read_run(path), StoreError)
    assert not refusal or refusal.startswith(os.fspath(path))
    return found, refusal


def parquet(table: pa.Table, metadata: bytes | None = None, **options: Any) -> bytes:
    """A table as the bytes of a file, with metadata as a run has them."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, **options) as writer:
        writer.write_table(table)
        if metadata is not None:
            writer.add_key_value_metadata({"schmier_sim": metadata})
    return bytes(sink.getvalue())


def described(data: bytes) -> bytes:
    """The metadata of a run file, as they stand in it."""
    found: bytes = pq.ParquetFile(pa.BufferReader(data)).metadata.metadata[b"schmier_sim"]
    return found


FOREIGN = [
    *(
        b"",
        b"PAR1",
        b"PAR1PAR1",
        b"PAR1" + bytes(100) + b"PAR1",
        b"PK\x03\x04",
        b"ARROW1\0\0",
        b"\x89PNG\r\n",
    ),
    *(parquet(pa.table({"a": [1, 2]})), parquet(pa.table({"kind": ["cell"]}), b"{}")),
]


@cases(50)
@given(data=st.data(), name=st.sampled_from([*RUNS]), other=st.sampled_from([*RUNS]))
def test_a_file_that_is_not_what_was_written_is_refused(
    runs: dict[str, bytes], tmp_path: Path, data: st.DataObject, name: str, other: str
) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(runs[name])
    whole = read_run(path)
    foreign = st.one_of(st.just(runs[other]), st.sampled_from(FOREIGN), st.binary(max_size=60))
    path.write_bytes(data.draw(mutated_bytes(st.just(runs[name]), foreign)))
    found, refusal = read(path)
    # Two mistakes may undo each other, or leave a whole other run.
    if path.read_bytes() == runs[name]:
        assert found == whole
    else:
        assert bool(refusal) == (path.read_bytes() != runs[other])


def unsealed(data: bytes) -> bytes:
    """The metadata of a run, as they stand in files that are older than the seal."""
    metadata = json.loads(described(data))
    metadata.pop("sealed", None)
    return json.dumps(metadata).encode()


# -- other tables

TYPES = [
    *(
        pa.int8(),
        pa.int16(),
        pa.int64(),
        pa.uint64(),
        pa.float64(),
        pa.string(),
        pa.large_string(),
        pa.binary(),
        pa.bool_(),
    ),
    *(
        pa.timestamp("ns"),
        pa.date32(),
        pa.decimal128(38, 3),
        pa.list_(pa.int64()),
        pa.struct([("a", pa.int64())]),
        pa.null(),
    ),
    pa.dictionary(pa.int32(), pa.string()),
]


@st.composite
def columns(draw: st.DrawFn, rows: int) -> pa.Array:
    """A column of any type, with values that a run could have, and others."""
    kind = draw(st.sampled_from(TYPES))
    whole = draw(
        st.lists(st.one_of(st.integers(0, 7), st.sampled_from([-1, 127, None])), min_size=rows, max_size=rows)
    )
    if pa.types.is_list(kind) or pa.types.is_struct(kind):
        values = [
            None if value is None else [value] if pa.types.is_list(kind) else {"a": value} for value in whole
        ]
        return pa.array(values, kind)
    texts = draw(
        st.lists(st.sampled_from(["cell", "type", "", "x" * 1000, None]), min_size=rows, max_size=rows)
    )
    if (
        pa.types.is_dictionary(kind)
        or pa.types.is_binary(kind)
        or pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
    ):
        return pa.array(texts).cast(kind)
    if pa.types.is_null(kind):
        return pa.nulls(rows)
    numbers = [None if value is None else abs(value) for value in whole]
    return pa.array(numbers, pa.int32() if pa.types.is_date(kind) else pa.int64()).cast(kind)


COLUMNS = ("kind", "seat", "group", "aces", "outcome", "count")


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A table much like that of a run."""
    rows = draw(st.integers(0, 4))
    kinds = (pa.string(), pa.int8(), pa.int16(), pa.int8(), pa.int16(), pa.int64())
    values = ("cell", 1, 0, 0, 0, 1)
    right = {
        name: pa.array([value] * rows, kind) for name, value, kind in zip(COLUMNS, values, kinds, strict=True)
    }
    for name in draw(st.lists(st.sampled_from(COLUMNS), max_size=3)):
        right[name] = draw(columns(rows))
    table = pa.table(right)
    changes = draw(st.sampled_from(["", "", "", "order", "fewer", "more", "twice"]))
    if changes == "order":
        table = table.select(draw(st.permutations(COLUMNS)))
    elif changes == "fewer":
        table = table.drop_columns("aces")
    elif changes == "more":
        table = table.append_column("more", draw(columns(rows)))
    elif changes == "twice":
        table = table.append_column("seat", draw(columns(rows)))
    return table


FORMS = st.fixed_dictionaries(
    {
        "compression": st.sampled_from(["none", "gzip", "zstd", "snappy"]),
        "store_schema": st.booleans(),
        "data_page_version": st.sampled_from(["1.0", "2.0"]),
        "use_dictionary": st.booleans(),
    }
)


@cases(50)
@given(tables(), st.sampled_from([*RUNS]), FORMS)
def test_another_table_is_refused_whatever_its_columns_are(
    runs: dict[str, bytes], tmp_path: Path, table: pa.Table, name: str, form: dict[str, Any]
) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(parquet(table, unsealed(runs[name]), **form))
    assert read(path)[1]


# -- what a stranger writes, with true checksums

TEXTS = [
    *(
        "",
        " ",
        "\n",
        "\0",
        "\x1b[31mred",
        "\u202e",
        "\ud800",
        "🃏",
        "x" * 100_000,
        "| a | b |",
        '#read("/etc/passwd")',
    ),
    *pool(
        "club ../../x /etc/passwd {0.__class__} %s%n <script>alert(1)</script> </script> @VERSION@ =1+1 `x` $x$ *b*"
    ),
]
TIMES = [
    *pool(
        "now 2026-01-02 2026-01-02T03:04:05 2026-01-02T03:04:05+00:00 2026-01-02T03:04:05Z 20260102 2026-W01-1"
    ),
    *pool(
        "0001-01-01T00:00:00+14:00 9999-12-31T23:59:59-14:00 2026-13-01T00:00:00 2026-01-02T24:00:00 ２０２６-01-02"
    ),
]
HUGE = [2**31, 2**53 + 1, 2**56, 2**63 - 1, 2**63, 2**64, 10**30, 10**400, -(10**400)]
WHOLE = st.one_of(st.sampled_from(HUGE), st.integers(-10, 1000))
SECONDS = st.one_of(
    WHOLE, st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([1e308, -1.0, 5e-324, True])
)
ANY_TEXT = st.sampled_from(TEXTS)


def text_or(words: str) -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(pool(words)), ANY_TEXT)


KNOWN_RULES: dict[str, st.SearchStrategy[Any]] = {
    "name": ANY_TEXT,
    "teams": st.sampled_from(pool("3x2 2x3")),
    "target": WHOLE,
    "low_to": st.just("taker"),
    "game_tie": st.just("declarer"),
    "all_pass": st.just("next-dealer"),
}
SAID: dict[str, st.SearchStrategy[Any]] = {
    "rules": st.fixed_dictionaries({}, optional=KNOWN_RULES),
    "ranges": st.lists(st.lists(WHOLE, min_size=2, max_size=2), max_size=3),
    "scores": st.lists(WHOLE, max_size=4),
    "libraries": st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=2),
    "started": st.one_of(st.sampled_from(TIMES), ANY_TEXT),
    "mode": text_or("declare auction"),
    "sample": text_or("natural stratified"),
    "tempers": text_or("normal cautious bold mixed"),
    "bidding": text_or("points equity"),
    "bots": text_or("club simple random search"),
    **dict.fromkeys(("command", "version", "source_hash", "schema", "more"), ANY_TEXT),
    **dict.fromkeys(("seconds", "speed"), SECONDS),
    **dict.fromkeys(("seed", "wanted", "first", "whole", "passed"), WHOLE),
}


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    """Metadata that say something else."""
    names = draw(st.lists(st.sampled_from([*SAID]), min_size=1, max_size=2, unique=True))
    return {name: draw(json_values if draw(st.integers(0, 4)) == 0 else SAID[name]) for name in names}


READERS = """
table X
table X --wide --by role,aces --min-deals 0
table X --format csv
table X --format json --where trumps>=3
table X --format markdown --min-deals 0
chart X
chart X --format svg,pdf
report X -o new.pdf
report X -o new.html
report X -o new.md --lang hu
report X --lookup
merge X -o new.parquet
merge X part.parquet -o new.parquet
simulate --extend X -n 60 -o new.parquet
simulate --extend X --shard 1/3 -n 60
simulate --resume -o X
"""
TABLE, MARKDOWN, PDF = "table X --format csv", "report X -o new.md", "report X -o new.pdf"


def strange(data: bytes, changed: dict[str, Any]) -> bytes | None:
    """A run with other metadata and a true checksum; None where no file can say so."""
    metadata, tally = runformat.decode(data)
    tally = Tally(tally.cells, tally.types, changed.get("passed", tally.passed))
    try:
        return runformat.encode(
            metadata | {name: value for name, value in changed.items() if name != "passed"}, tally
        )
    except (ValueError, UnicodeError):
        return None


@cases(50)
@given(
    changes(),
    st.sampled_from([*RUNS]),
    st.sampled_from(READERS.strip().splitlines()),
    st.integers(0, 29).map(bool),
)
@example({"started": "now"}, "run.parquet", MARKDOWN, False)
@example({"started": "0001-01-01T00:00:00+14:00"}, "run.parquet", PDF, False)
@example({"seconds": 10**400}, "run.parquet", TABLE, True)
@example({"bots": "\ud800"}, "run.parquet", TABLE, True)
@example({"version": "\ud800"}, "run.parquet", TABLE, True)
@example({"scores": [10**400]}, "auction.parquet", TABLE, True)
def test_what_a_stranger_says_of_a_run_is_text_or_refused(
    program: Program, runs: dict[str, bytes], changed: dict[str, Any], name: str, reader: str, quick: bool
) -> None:
    data = strange(runs[name], changed)
    if data is None:
        return
    path = program.here / "stranger.parquet"
    path.write_bytes(data)
    found, refusal = read(path)
    if not refusal:
        for field in ("seed", "wanted", "version", "command", "bots", "mode", "sample"):
            assert field not in changed or getattr(found.info, field) == changed[field]
    words = tuple(reader.replace("X", "stranger.parquet").split())
    answer = program.play(Case(words, files={"stranger.parquet": data}, playing=not quick))
    assert not refusal or answer.code == 1


# -- counts that are none

counts = st.lists(
    st.tuples(
        st.sampled_from(["cells", "types"]),
        st.floats(0, 1, exclude_max=True),
        st.one_of(st.sampled_from([2**62, 2**63 - 1, -(2**63), 2**56]), st.integers(-5, 5)),
    ),
    min_size=1,
    max_size=4,
)


@cases(20)
@given(counts, st.sampled_from([*RUNS]))
def test_counts_that_do_not_add_up_are_refused(
    runs: dict[str, bytes], tmp_path: Path, counts: list[tuple[str, float, int]], name: str
) -> None:
    metadata, tally = runformat.decode(runs[name])
    before = Tally(tally.cells.copy(), tally.types.copy(), tally.passed)
    for which, where, by in counts:
        flat = getattr(tally, which).reshape(-1)
        with np.errstate(over="ignore"):
            flat[int(where * flat.size)] += np.int64(by)
    path = tmp_path / "x.parquet"
    path.write_bytes(runformat.encode(metadata, tally))
    same = np.array_equal(before.cells, tally.cells) and np.array_equal(before.types, tally.types)
    assert bool(read(path)[1]) != same


# -- what would lead elsewhere


@pytest.mark.parametrize("with_body", [True, False])
def test_no_other_file_is_read_that_a_file_points_at(
    runs: dict[str, bytes], tmp_path: Path, with_body: bool
) -> None:
    data = runs["run.parquet"]
    footer = pq.ParquetFile(pa.BufferReader(data)).metadata
    os.mkfifo(tmp_path / "other.parquet")  # whoever opens it waits for good
    footer.set_file_path(os.fspath(tmp_path / "other.parquet"))
    sink = pa.BufferOutputStream()
    footer.write_metadata_file(sink)
    alone = bytes(sink.getvalue())
    path = tmp_path / "x.parquet"
    path.write_bytes(data[: footers.start(data)] + alone[4:] if with_body else alone)
    assert read(path)[1]


class Touch:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


@pytest.mark.parametrize("name", pool("arrow.py_extension_type arrow.uuid arrow.json arrow.opaque no.such"))
def test_no_type_of_a_column_is_unpickled(runs: dict[str, bytes], tmp_path: Path, name: str) -> None:
    table = pq.read_table(pa.BufferReader(runs["run.parquet"]))
    touched = tmp_path / "touched"
    about = {"ARROW:extension:name": name, "ARROW:extension:metadata": pickle.dumps(Touch(touched))}
    schema = pa.schema([field.with_metadata(about) for field in table.schema])
    path = tmp_path / "x.parquet"
    path.write_bytes(parquet(pa.table(table.columns, schema=schema), unsealed(runs["run.parquet"])))
    with watched(tmp_path):
        assert read(path)[1]
    assert not touched.exists()
