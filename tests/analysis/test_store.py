import errno
import json
import os
import resource
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schmier_sim.analysis import runformat, store
from schmier_sim.analysis.store import Run, StoreError, read_run, write_run
from schmier_sim.analysis.tally import Tally


@pytest.fixture(scope="module")
def run(synthetic: SimpleNamespace) -> Run:
    return synthetic.make_run(5000, "stratified")


@pytest.fixture(scope="module")
def data(run: Run, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("runs") / "run.parquet"
    write_run(path, run)
    return path.read_bytes()


def refusal(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        read_run(path)
    assert str(caught.value).isprintable()
    return str(caught.value)


def read_or_refuse(path: Path, run: Run) -> str:
    """Read a file that is damaged, if at all, where it does not matter; else return the one-line message."""
    message = ""
    try:
        assert read_run(path) == run
    except StoreError as error:
        message = str(error)
    assert message.isprintable()
    return message


def refusal_of(data: bytes, folder: Path) -> str:
    (folder / "x.parquet").write_bytes(data)
    return refusal(folder / "x.parquet").removeprefix(str(folder / "x.parquet") + " ")


@pytest.mark.parametrize("kind", ["natural", "stratified", "auction", "empty", "two-teams"])
def test_a_run_comes_back_as_it_was(synthetic: SimpleNamespace, tmp_path: Path, kind: str) -> None:
    run = {
        "natural": lambda: synthetic.make_run(700),
        "stratified": lambda: synthetic.make_run(9000, "stratified"),
        "auction": lambda: synthetic.make_auction_run(700, passed=13),
        "empty": lambda: synthetic.make_run(0),
        "two-teams": lambda: synthetic.make_run(700, rules="two-teams"),
    }[kind]()
    write_run(tmp_path / "a.parquet", run)
    back = read_run(tmp_path / "a.parquet")
    assert back == run
    write_run(tmp_path / "b.parquet", back)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.parquet", "b.parquet"]


def test_only_time_and_speed_change_the_bytes_of_the_same_run(run: Run, tmp_path: Path, data: bytes) -> None:
    write_run(tmp_path / "a.parquet", run)
    assert (tmp_path / "a.parquet").read_bytes() == data
    write_run(tmp_path / "a.parquet", Run(replace(run.info, seconds=2.5), run.tally))
    assert (tmp_path / "a.parquet").read_bytes() != data


def test_other_programs_can_read_the_counts(data: bytes) -> None:
    table = pq.read_table(pa.BufferReader(data))
    assert table.column_names == ["kind", "seat", "group", "aces", "outcome", "count"]
    frame = table.to_pandas()
    assert (
        frame[frame["kind"] == "cell"]["count"].sum() == frame[frame["kind"] == "type"]["count"].sum() == 5000
    )
    assert set(frame["seat"]) == set(range(1, 7))
    metadata = json.loads(table.schema.metadata[b"schmier_sim"])
    assert metadata["schema"] == "schmier-sim/run/1"
    assert metadata["ranges"] == [[0, 5000]]
    assert metadata["rules"]["teams"] == "3x2"


def test_what_is_there_is_replaced_whole(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    (tmp_path / "link").symlink_to("old")
    write_run(tmp_path / "link", run)
    assert (tmp_path / "link").is_symlink()
    assert read_run(tmp_path / "old") == run


def test_files_that_are_no_runs_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.parquet").endswith("none.parquet is not there")
    assert refusal(tmp_path).endswith(" is no file")
    foreign = "is not a run file of schmier-sim"
    assert refusal_of(b"", tmp_path) == foreign
    assert refusal_of(b"a,b\n1,2\n", tmp_path) == foreign
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"a": [1]}), sink)
    assert refusal_of(sink.getvalue().to_pybytes(), tmp_path) == foreign
    (tmp_path / "deep").mkdir()
    assert "cannot read" in refusal(tmp_path / "x.parquet" / "y")
    assert refusal(Path("/dev/null")) == "/dev/null is no file"
    assert "cannot read" in refusal(tmp_path / ("long" * 100))
    assert "cannot read" in refusal(tmp_path / "nul\0")


def test_a_file_that_is_cut_short_is_refused(tmp_path: Path, data: bytes) -> None:
    for length in (4, 8, 11, 100, len(data) // 2, len(data) - 1):
        assert refusal_of(data[:length], tmp_path).startswith("is cut short")
    assert refusal_of(b"PAR1PAR1", tmp_path).startswith("is cut short")


def rewritten(
    data: bytes, columns: dict[str, Any] | None = None, without: Sequence[str] = (), **metadata: Any
) -> bytes:
    """Write a run's table again with other metadata or columns, as a stranger would."""
    table = pq.read_table(pa.BufferReader(data))
    values = json.loads(table.schema.metadata[b"schmier_sim"]) | metadata
    text = json.dumps({key: value for key, value in values.items() if key not in without})
    if columns is not None:
        table = pa.table({name: columns.get(name, table[name]) for name in table.column_names} | columns)
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({"schmier_sim": text}), sink)
    return bytes(sink.getvalue())


def test_a_run_of_another_format_is_named(tmp_path: Path, data: bytes) -> None:
    message = refusal_of(rewritten(data, schema="schmier-sim/run/2"), tmp_path)
    assert (
        message == "is in the format schmier-sim/run/2; this version of the program reads schmier-sim/run/1"
    )
    assert (
        refusal_of(rewritten(data, schema="schmier-sim/table/1"), tmp_path)
        == "is not a run file of schmier-sim"
    )
    assert refusal_of(rewritten(data, schema=7), tmp_path) == "is not a run file of schmier-sim"


def test_changed_metadata_do_not_fit_the_checksum(tmp_path: Path, data: bytes) -> None:
    for change in (
        {"seed": 1},
        {"passed": 1},
        {"ranges": [[0, 5001]]},
        {"bots": "club"},
        {"more": 1},
        {"checksum": 0},
    ):
        assert refusal_of(rewritten(data, **change), tmp_path).startswith("is damaged")


def test_changed_tables_are_refused(tmp_path: Path, data: bytes) -> None:
    table = pq.read_table(pa.BufferReader(data))
    for name, value in (
        ("count", 1),
        ("seat", 7),
        ("seat", 0),
        ("group", 769),
        ("group", -1),
        ("aces", 4),
        ("outcome", 64),
    ):
        values = table[name].to_numpy().copy()
        values[3] = value if name != "count" else values[3] + 1
        assert refusal_of(rewritten(data, {name: pa.array(values)}), tmp_path).startswith("is damaged")
    nulls = pa.array([None, *table["count"].to_pylist()[1:]])
    assert refusal_of(rewritten(data, {"count": nulls}), tmp_path).startswith("is damaged")
    texts = pa.array([str(count) for count in table["count"].to_pylist()])
    assert refusal_of(rewritten(data, {"count": texts}), tmp_path).startswith("is damaged")
    assert refusal_of(rewritten(data, {"extra": table["seat"]}), tmp_path).startswith("is damaged")


def flaws(synthetic: SimpleNamespace) -> Iterator[tuple[Run, str]]:
    run = synthetic.make_run(5000, "stratified")
    info, tally = run.info, run.tally
    yield Run(replace(info, ranges=((0, 4000),)), tally), "counts 5000 deals, but says 4000"
    yield Run(replace(info, ranges=((0, 3000), (2000, 4000))), tally), "deals 2000 to 2999 are there twice"
    yield Run(replace(info, ranges=((3000, 5000), (0, 3000))), tally), "not in order"
    yield Run(replace(info, ranges=((0, 3000), (3000, 5000))), tally), "not in order"
    yield Run(replace(info, ranges=((-1, 4999),)), tally), "not in order"
    yield Run(replace(info, ranges=((7, 5007),), wanted=5007), tally), "not those of its ranges"
    yield Run(replace(info, ranges=((7, 5007),), first=7), tally), "not those of its ranges"
    yield (
        Run(replace(info, sample="natural", ranges=((1, 5001),), wanted=6000), tally),
        "not those of its ranges",
    )
    yield Run(replace(info, wanted=4999), tally), "deals that it was not to play"
    yield Run(replace(info, first=1), tally), "deals that it was not to play"
    yield Run(replace(info, whole=4999), tally), "to play 5000 deals from 0 on, of 4999"
    yield Run(replace(info, first=-1), tally), "to play 5000 deals from -1 on, of 0"
    yield Run(replace(info, wanted=-1), tally), "to play -1 deals"
    yield Run(replace(info, wanted=2**56 + 1), tally), "to play"
    yield Run(replace(info, whole=2**56 + 1), tally), "to play"
    yield Run(replace(info, mode="auction", sample="natural"), tally), "not those of mode auction"
    yield Run(replace(info, mode="auction"), tally), "mode auction with sample stratified is unknown"
    yield Run(replace(info, mode="dream"), tally), "mode dream"
    for bots in ("", "zzz", "search", "<b>\n"):
        yield Run(replace(info, bots=bots), tally), "bots .* are unknown"
    yield Run(replace(info, command=400_000 * "x"), tally), "it says more of itself than can be read again"
    yield Run(replace(info, seed=-1), tally), "seed -1"
    yield Run(replace(info, seed=2**63), tally), "seed"
    wrapped = Tally(tally.cells.copy(), tally.types, 0)
    for place in np.flatnonzero(tally.cells)[:4]:
        wrapped.cells.reshape(-1)[place] += 2**62  # four of them wrap around to nothing
    assert wrapped.deals == 5000
    yield Run(info, wrapped), "counts that no run comes to"
    doubled = Tally(2 * tally.cells, tally.types, -5000)
    yield Run(info, doubled), "counts below 0"
    yield Run(info, Tally(tally.cells, tally.types[:, :, ::-1], 0)), "do not agree"
    yield Run(info, Tally(tally.cells[:, ::-1], tally.types, 0)), "hands that do not exist"
    yield Run(info, Tally(tally.cells[:5], tally.types, 0)), "wrong shape"


def test_a_run_that_contradicts_itself_is_neither_written_nor_read(
    synthetic: SimpleNamespace, tmp_path: Path
) -> None:
    for run, flaw in flaws(synthetic):
        with pytest.raises(StoreError, match=flaw) as caught:
            write_run(tmp_path / "new.parquet", run)
        assert str(caught.value).isprintable()
        assert not list(tmp_path.iterdir())


def test_a_file_with_a_true_checksum_must_agree_with_itself(data: bytes, tmp_path: Path) -> None:
    metadata, tally = runformat.decode(data)
    for change in (
        {"ranges": [[0, 4000]]},
        {"ranges": [[0]]},
        {"ranges": None},
        {"seed": "1"},
        {"seed": True},
        {"rules": {"teams": "4x4"}},
        {"rules": []},
        {"libraries": {"numpy": 2}},
        {"seconds": "long"},
        {"mode": None},
    ):
        assert refusal_of(runformat.encode(metadata | change, tally), tmp_path).startswith("is damaged")
    del metadata["command"]
    assert (
        refusal_of(runformat.encode(metadata, tally), tmp_path) == "is damaged: it does not say its command"
    )


def places_of(data: bytes) -> list[int]:
    """Bytes to damage: some anywhere, all at both ends and around the seal."""
    seal = data.index(b"sealed: ")
    rng = np.random.default_rng(8)
    return [
        *rng.integers(0, len(data), 200).tolist(),
        *range(16),
        *range(seal - 8, seal + 48),
        *range(len(data) - 16, len(data)),
    ]


def test_any_flipped_bit_is_found(data: bytes, tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    for place in places_of(data):
        damaged = bytearray(data)
        damaged[place] ^= 1 << int(rng.integers(8))
        assert refusal_of(bytes(damaged), tmp_path)


def test_a_byte_more_or_less_is_found(data: bytes, tmp_path: Path) -> None:
    for place in places_of(data):
        assert refusal_of(data[:place] + data[place + 1 :], tmp_path)
        assert refusal_of(data[:place] + b"\0" + data[place:], tmp_path)


def test_a_run_that_is_older_than_the_seal_is_read(data: bytes, run: Run, tmp_path: Path) -> None:
    metadata, tally = runformat.decode(data)
    del metadata["sealed"]
    metadata["checksum"] = runformat._checksum(metadata, tally)
    path = tmp_path / "old.parquet"
    path.write_bytes(rewritten(data, checksum=metadata["checksum"], without=["sealed"]))
    assert b"sealed: " not in path.read_bytes()
    assert read_run(path) == run


def test_a_seal_cannot_be_taken_off(data: bytes, tmp_path: Path) -> None:
    seal = data.index(b"sealed: ")
    assert refusal_of(data[:seal] + data[seal + 40 :], tmp_path).startswith("is damaged")


def test_columns_that_unpack_to_more_than_any_run_are_not_unpacked(data: bytes, tmp_path: Path) -> None:
    kinds = pa.array(["cell" + 100_000_000 * " ", "type", "type"])
    numbers = {name: pa.array([1, 1, 1]) for name in ("seat", "group", "aces", "outcome", "count")}
    table = pa.table({"kind": kinds, **numbers}).replace_schema_metadata(
        pq.read_schema(pa.BufferReader(data)).metadata
    )
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", use_dictionary=False)
    packed = sink.getvalue().to_pybytes()
    assert len(packed) < 1_000_000
    assert refusal_of(packed, tmp_path) == "is damaged: it holds another table than that of a run"


def test_a_footer_longer_than_any_run_has_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pq, "ParquetFile", None)
    footer = 1_000_001 * b"\0"
    packed = b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"
    assert refusal_of(packed, tmp_path) == "is damaged: it says more of itself than any run"


@settings(max_examples=150, deadline=None)
@given(
    cuts=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    patch=st.binary(max_size=60),
    wrap=st.booleans(),
)
def test_arbitrary_bytes_are_refused_in_one_line(
    run: Run,
    data: bytes,
    tmp_path_factory: pytest.TempPathFactory,
    cuts: tuple[float, float],
    patch: bytes,
    wrap: bool,
) -> None:
    start, stop = sorted(int(cut * len(data)) for cut in cuts)
    mangled = data[:start] + patch + data[stop:]
    path = tmp_path_factory.getbasetemp() / "mangled.parquet"
    path.write_bytes(b"PAR1" + mangled + b"PAR1" if wrap else mangled)
    read_or_refuse(path, run)


def test_places_that_cannot_be_written_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, reason in (
        (tmp_path / "file" / "run.parquet", "Not a directory"),
        (tmp_path / "nowhere" / "run.parquet", "No such file or directory"),
        (tmp_path, "that is no file"),
        (Path("/dev/null"), "that is no file"),
        (tmp_path / ("x" * 300), "File name too long"),
        (tmp_path / "nul\0", "null"),
    ):
        with pytest.raises(StoreError, match=reason) as caught:
            write_run(path, run)
        assert str(caught.value).isprintable()
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_an_unwritable_folder_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")  # what all but root would see

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(StoreError, match="Permission denied"):
        write_run(tmp_path / "run.parquet", run)
    assert list(tmp_path.iterdir()) == []


def test_when_space_runs_out_the_old_file_stays_and_nothing_else(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run.parquet").write_text("old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(StoreError, match="File too large"):
            write_run(tmp_path / "run.parquet", run)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "run.parquet").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_an_error_or_interrupt_while_flushing_leaves_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(_: int) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((StoreError, KeyboardInterrupt)):
        write_run(tmp_path / "run.parquet", run)
    assert not list(tmp_path.iterdir())


def test_a_file_larger_than_any_run_is_refused_without_being_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 1000)
    path = tmp_path / "large.parquet"
    path.write_bytes(b"PAR1" + bytes(997))
    assert refusal(path).endswith("is no run file: it is larger than any run")
