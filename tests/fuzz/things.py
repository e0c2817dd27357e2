"""Files that options can name: good ones, damaged ones, and what is no file."""

import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

from tests.fuzz.strategies import pool

#: Small runs of all kinds, and what plays them.
RUNS = {
    "run.parquet": "--sample stratified -n 9228",
    "auction.parquet": "--mode auction -n 300 --scores 3,0,-2",
    "two.parquet": "--rules two-teams -n 300",
    "part.parquet": "-n 600 --shard 1/2",
    "other-part.parquet": "-n 600 --shard 2/2",
}
INPUTS = [
    *RUNS,
    *pool(
        "damaged.parquet empty hands.txt own.toml bad.toml logo.png logo.svg own.typ own-config.toml folder"
    ),
    *pool("link.parquet dangling loop folder/inner.txt /dev/null /dev/zero /proc/self/environ pipe"),
]
OUTPUTS = [
    *pool(
        "new.csv new.json new.md new.txt new.pdf new.html new.png new.svg new.parquet new.xyz new folder/new.json"
    ),
    *pool("nowhere/new.csv empty/new.csv - charts . .. dangling"),
]
ODD_NAMES = ["", " ", "a\nb.csv", "ü.csv", "\udcff.csv", "x" * 300, "x" * 5000]
ODD_NAMES += pool("{0}.csv %s.html $HOME.json ~ -x --")


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x7f" * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def files(folder: Path, runs: Mapping[str, bytes]) -> None:
    """Fill a folder."""
    run = runs["run.parquet"]
    contents = {
        **runs,
        "damaged.parquet": run[:5000] + bytes([run[5000] ^ 1]) + run[5001:],
        "empty": b"",
        "hands.txt": b"AS KS JC 2S 10H 9D | 3\nAS\n",
        "own.toml": b'name = "ours"\nlow_to = "taker"\n',
        "bad.toml": b"low_to = 3\n",
        "logo.png": png(3, 2),
        "logo.svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>',
        "own.typ": b"Hello\n",
        "own-config.toml": b"seed = 3\n[table]\nby = 'aces'\n",
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    (folder / "folder").mkdir()
    (folder / "folder" / "inner.txt").write_bytes(b"inner")
    (folder / "link.parquet").symlink_to("run.parquet")
    (folder / "dangling").symlink_to("not-there")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
