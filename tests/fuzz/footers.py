"""Parquet footers written by hand, in the compact protocol of Thrift, to say what no library would write."""

import struct
from collections.abc import Sequence

STRUCT, LIST, TEXT, NUMBER, LONG = 12, 9, 8, 5, 6
INT32, BYTE_ARRAY = 1, 6
Field = tuple[int, int, bytes]


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def whole(number: int) -> bytes:
    """A number with a sign."""
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def text(data: bytes) -> bytes:
    return varint(len(data)) + data


def listed(kind: int, items: Sequence[bytes]) -> bytes:
    head = bytes([len(items) << 4 | kind]) if len(items) < 15 else bytes([0xF0 | kind]) + varint(len(items))
    return head + b"".join(items)


def structure(*fields: Field) -> bytes:
    """Fields as (number, type, value), by ascending numbers."""
    out, before = b"", 0
    for number, kind, value in fields:
        out += bytes([number - before << 4 | kind]) + value
        before = number
    return out + b"\0"


def column(name: bytes, kind: int = INT32) -> bytes:
    return structure((1, NUMBER, whole(kind)), (3, NUMBER, whole(0)), (4, TEXT, text(name)))


def group(name: bytes, children: int) -> bytes:
    return structure((3, NUMBER, whole(0)), (4, TEXT, text(name)), (5, NUMBER, whole(children)))


def file(schema: Sequence[bytes], metadata: bytes, rows: int = 0) -> bytes:
    """A file of nothing but a footer."""
    pair = structure((1, TEXT, text(b"schmier_sim")), (2, TEXT, text(metadata)))
    footer = structure(
        (1, NUMBER, whole(1)), (2, LIST, listed(STRUCT, schema)), (3, LONG, whole(rows)), (4, LIST, listed(STRUCT, [])),
        (5, LIST, listed(STRUCT, [pair])),
    )  # fmt: skip
    return with_footer(b"PAR1", footer)


def with_footer(body: bytes, footer: bytes) -> bytes:
    return body + footer + struct.pack("<I", len(footer)) + b"PAR1"


def start(data: bytes) -> int:
    """Where the footer of a file begins."""
    return len(data) - 8 - int(struct.unpack("<I", data[-8:-4])[0])


def claiming(data: bytes, said: int, instead: int) -> bytes:
    """A file that says another number wherever its footer said this one."""
    at = start(data)
    footer = data[at:-8]
    assert whole(said) in footer
    return with_footer(data[:at], footer.replace(whole(said), whole(instead)))
