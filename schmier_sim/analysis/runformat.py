"""The bytes of a run file: one Parquet table of counts, JSON metadata with a checksum, and a seal over all bytes.

The table holds the counts that are not zero, in the columns kind ("cell" or "type"), seat (1..6), group (class of
the trump holding 0..768, or bid 3..6, 0 for none), aces (plain; 0 for types), outcome (bits as in `Tally.cells`,
or deal type as in `Tally.types`) and count. The metadata stand under the key "schmier_sim".

The seal is a mark and the SHA-256 of all other bytes of the file. It stands between the table and the footer, where
readers of Parquet do not look; so a flipped bit is found wherever it is, also where it would change no count.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.tally import Tally
from schmier_sim.kernel.counts import BIDS, CELLS_SHAPE, TYPES_SHAPE

SCHEMA = "schmier-sim/run/1"

Int64Array = NDArray[np.int64]

_KEY = b"schmier_sim"
_MAGIC = b"PAR1"
_COLUMNS = ("kind", "seat", "group", "aces", "outcome", "count")
_MOST_ROWS = math.prod(CELLS_SHAPE) + math.prod(TYPES_SHAPE)
_BID_GROUPS = np.array([0, *BIDS])
_SEAL = b"sealed: "
_SEAL_SIZE = len(_SEAL) + hashlib.sha256().digest_size
_FOOTER_LENGTH = 4
"""Bytes that tell the footer's length, before the last magic."""
_MOST_UNPACKED = 60_000_000
"""More than the columns of any run take when they are unpacked: about thirty million bytes."""
_MOST_METADATA = 300_000
"""Longer than what any run says of itself: some thousand letters, unless thousands of parts are missing."""
_MOST_FOOTER = 1_000_000
"""Where the metadata stand twice, once in four bytes for three. Each may open into three hundred times as many."""
_DAMAGED = "is damaged: its contents do not fit their checksum"
_TALKATIVE = "is damaged: it says more of itself than any run"
_FOREIGN = "is not a run file of schmier-sim"


class FormatError(ValueError):
    """Bytes that are no run; the message is one line that goes on after the file's name."""


def looks_like_parquet(head: bytes) -> bool:
    """Tell from a file's first four bytes whether the rest is worth reading."""
    return head[: len(_MAGIC)] == _MAGIC


def encode(metadata: Mapping[str, Any], tally: Tally) -> bytes:
    """Write metadata (what JSON can hold) and counts as the bytes of a file; the same ones give the same bytes.

    Raises
    ------
    FormatError
        Metadata that are too long to be read again.
    """
    import pyarrow as pa  # takes a fifth of a second, for which commands without files need not wait
    import pyarrow.parquet as pq

    described: dict[str, Any] = {"schema": SCHEMA, **metadata, "passed": tally.passed, "sealed": True}
    described["checksum"] = _checksum(described, tally)
    text = json.dumps(described, sort_keys=True, allow_nan=False)
    if len(text) > _MOST_METADATA:
        raise FormatError("says more of itself than can be read again")
    kinds = (pa.string(), pa.int8(), pa.int16(), pa.int8(), pa.int16(), pa.int64())
    schema = pa.schema(list(zip(_COLUMNS, kinds, strict=True)), metadata={_KEY: text.encode()})
    arrays = [pa.array(column, type=kind) for column, kind in zip(_columns(tally), kinds, strict=True)]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays, schema=schema), sink, compression="zstd")
    return _seal(bytes(sink.getvalue()))


def decode(data: bytes) -> tuple[dict[str, Any], Tally]:
    """Read the bytes of a file.

    Raises
    ------
    FormatError
        Bytes that are foreign, cut short, of another version or damaged.
    """
    if not looks_like_parquet(data):
        raise FormatError(_FOREIGN)
    if data[-len(_MAGIC) :] != _MAGIC or len(data) < 3 * len(_MAGIC):
        raise FormatError("is cut short: copy it again, or run it again")
    sealed = _is_sealed(data)
    text, columns = _read_parquet(data)
    metadata = _parse_metadata(text)
    # Files that are older than the seal say nothing of it.
    if metadata.get("sealed", False) is not sealed:
        raise FormatError(_DAMAGED)
    tally = _fill_tally(columns, metadata.get("passed"))
    checksum = metadata.pop("checksum", None)
    if checksum != _checksum(metadata, tally):
        raise FormatError(_DAMAGED)
    return metadata, tally


def _before_footer(data: bytes) -> int:
    """Where the footer begins; its length stands before the last magic."""
    at = len(data) - len(_MAGIC) - _FOOTER_LENGTH
    return at - int.from_bytes(data[at : at + _FOOTER_LENGTH], "little")


def _seal(data: bytes) -> bytes:
    at = _before_footer(data)
    return data[:at] + _SEAL + hashlib.sha256(data).digest() + data[at:]


def _is_sealed(data: bytes) -> bool:
    """Whether there is a seal; FormatError where it is broken."""
    at = _before_footer(data)
    seal = data[max(at - _SEAL_SIZE, 0) : max(at, 0)]
    if len(seal) < _SEAL_SIZE or not seal.startswith(_SEAL):
        return False
    digest = hashlib.sha256(memoryview(data)[: at - _SEAL_SIZE])
    digest.update(memoryview(data)[at:])
    if seal != _SEAL + digest.digest():
        raise FormatError(_DAMAGED)
    return True


def _read_parquet(data: bytes) -> tuple[bytes, dict[str, Any]]:
    """Return the metadata's text, and the columns as arrays; without columns where it is not of this version."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if len(data) - _before_footer(data) > _MOST_FOOTER:
        raise FormatError(_TALKATIVE)
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        text = (file.metadata.metadata or {}).get(_KEY, b"")
        if len(text) > _MOST_METADATA:
            raise FormatError(_TALKATIVE)
        _parse_metadata(text)
        size = sum(file.metadata.row_group(group).total_byte_size for group in range(file.num_row_groups))
        if (
            tuple(file.schema_arrow.names) != _COLUMNS
            or not 0 <= file.metadata.num_rows <= _MOST_ROWS
            or not 0 <= size <= _MOST_UNPACKED
        ):
            raise FormatError("is damaged: it holds another table than that of a run")
        # Kinds stay numbers of a dictionary: one long text in each of a million rows would fill the memory.
        table = pq.ParquetFile(pa.BufferReader(data), read_dictionary=_COLUMNS[:1]).read(use_threads=False)
        columns = {name: table[name].to_numpy() for name in _COLUMNS[1:]}
        columns[_COLUMNS[0]] = _kinds(table[_COLUMNS[0]])
    except FormatError:
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, LookupError, OverflowError, MemoryError):
        raise FormatError("is damaged: it cannot be read as Parquet") from None
    return text, columns


def _kinds(column: Any) -> NDArray[Any]:
    """Unpack the kinds of rows; ValueError for any that no run has."""
    kinds = [np.empty(0, "U4")]
    for chunk in column.chunks:
        names = chunk.dictionary.to_pylist() if hasattr(chunk, "dictionary") else [None]
        if chunk.null_count or not set(names) <= {"cell", "type"}:
            raise ValueError("another kind than those of a run")
        kinds.append(np.array(names, "U4")[chunk.indices.to_numpy()])
    return np.concatenate(kinds)


def _parse_metadata(text: bytes) -> dict[str, Any]:
    try:
        metadata = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError(_FOREIGN) from None
    schema = metadata.get("schema") if isinstance(metadata, dict) else None
    if not isinstance(schema, str) or not schema.startswith("schmier-sim/run/"):
        raise FormatError(_FOREIGN)
    if schema != SCHEMA:
        version = "".join(letter if letter.isprintable() else "?" for letter in schema[:40])
        raise FormatError(f"is in the format {version}; this version of the program reads {SCHEMA}")
    return dict(metadata)


def _columns(tally: Tally) -> list[NDArray[Any]]:
    cells, types = np.nonzero(tally.cells), np.nonzero(tally.types)
    return [
        np.repeat(["cell", "type"], [len(cells[0]), len(types[0])]),
        np.concatenate([cells[0], types[0]]) + 1,
        np.concatenate([cells[1], _BID_GROUPS[types[1]]]),
        np.concatenate([cells[2], np.zeros_like(types[0])]),
        np.concatenate([cells[3], types[2]]),
        np.concatenate([tally.cells[cells], tally.types[types]]),
    ]


def _fill_tally(columns: Mapping[str, NDArray[Any]], passed: object) -> Tally:
    if not isinstance(passed, int):
        raise FormatError("is damaged: it does not say how many deals were passed out")
    tally = Tally.empty()
    is_cell = np.asarray(columns["kind"] == "cell", np.bool_)
    try:
        seat, group, aces, outcome, count = (
            columns[name].astype(np.int64, casting="safe") for name in _COLUMNS[1:]
        )
        bid = np.searchsorted(_BID_GROUPS, group)
        cells = _flat((seat - 1, group, aces, outcome), is_cell, CELLS_SHAPE)
        types = _flat((seat - 1, bid, outcome), ~is_cell, TYPES_SHAPE)
    except (ValueError, TypeError):
        raise FormatError("is damaged: it counts hands that do not exist") from None
    tally.cells.reshape(-1)[cells] = count[is_cell]
    tally.types.reshape(-1)[types] = count[~is_cell]
    tally.passed = passed
    return tally


def _flat(place: tuple[Int64Array, ...], rows: NDArray[np.bool_], shape: tuple[int, ...]) -> Int64Array:
    """Return indices into the flat array; ValueError where one is out of bounds."""
    return np.asarray(np.ravel_multi_index(tuple(axis[rows] for axis in place), shape), np.int64)


def _checksum(metadata: Mapping[str, Any], tally: Tally) -> str:
    digest = hashlib.sha256(json.dumps(metadata, sort_keys=True).encode())
    for counts in (tally.cells, tally.types):
        digest.update(np.ascontiguousarray(counts, "<i8").data)
    return digest.hexdigest()
