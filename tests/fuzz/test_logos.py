"""Logos: pictures of a sane size that load and run nothing, or refused in one line."""

import io
import re
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from schmier_sim.present.files import PresentError
from schmier_sim.present.report import check_logo
from tests.fuzz.budget import cases, in_time, read_or_refused
from tests.fuzz.strategies import as_bytes, mixed, mutated_bytes
from tests.fuzz.things import png

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2">'
SVG = HEAD + '<g><rect width="1" height="1" fill="#123"/></g></svg>'
SVG_WORDS = [
    *(
        "<g>",
        "</g>",
        "<script/>",
        "<image href='x'/>",
        "<use href='#a'/>",
        " onload='x'",
        "&lt;",
        "&x;",
        "<text>",
        "url(x)",
    ),
    *("<!--", "-->", "<![CDATA[", "]]>", "<?x?>", "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"),
    *("<style>@import 'x';</style>", "xlink:href='http://x'"),
]
HEADS = [b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff\xe0", b"<svg"]


def picture(kind: str) -> bytes:
    out = io.BytesIO()
    Image.new("P", (5, 4), 3).convert("L" if kind == "JPEG" else "P").save(out, kind)
    return out.getvalue()


PICTURES = [SVG.encode(), png(5, 4), *(picture(kind) for kind in ("PNG", "JPEG", "GIF"))]


@cases(100)
@given(
    st.one_of(
        mutated_bytes(
            st.sampled_from(PICTURES), st.one_of(st.sampled_from(PICTURES), st.binary(max_size=60))
        ),
        mixed(st.just(SVG), SVG_WORDS).map(as_bytes),
        st.builds(lambda head, rest: head + rest, st.sampled_from(HEADS), st.binary(max_size=80)),
    )
)
def test_a_logo_is_a_picture_that_loads_nothing_or_refused(data: bytes) -> None:
    _, refusal = read_or_refused(lambda: check_logo(data), PresentError)
    if not refusal and b"<svg" in data[:1000]:
        assert not re.search(rb"<script|file:|http://x|@import|onload", data)


@pytest.mark.parametrize("part", ["g", "text", "tspan", "a", "svg", "x"])
def test_a_logo_of_a_million_parts_within_each_other_is_refused(part: str) -> None:
    inner = f"<{part}>" * 400_000 + f"</{part}>" * 400_000
    with in_time(), pytest.raises(PresentError, match="nested"):
        check_logo(SVG.replace("<g>", "<g>" + inner).encode())


@pytest.mark.parametrize("size", [(30_000, 30_000), (10_000, 9_000), (2**31 - 1, 1), (2**31 - 1, 2**31 - 1)])
def test_a_logo_of_too_many_pixels_is_refused_unread(size: tuple[int, int]) -> None:
    data = png(1, 1)
    head = b"IHDR" + struct.pack(">II", *size) + data[24:29]
    with pytest.raises(PresentError, match=r"too many|broken"):
        check_logo(data[:12] + head + struct.pack(">I", zlib.crc32(head)) + data[33:])
