"""What is typed, sent or left lying about: valid things, nearly valid things, and rubbish."""

import os
from collections.abc import Sequence

from hypothesis import strategies as st

Text = st.SearchStrategy[str]


def pool(words: str) -> list[str]:
    """Words to choose from, written in a row."""
    return words.split()


#: Letters that text which was never meant for cards brings along.
CONTROLS = ["\0", "\a", "\b", "\t", "\n", "\r", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u2029"]
INVISIBLE = [*"\u200b\u200d\u202e\u2066\u200f\ufeff\ufe0f\u00a0\u3000\u0301"]
LOOKALIKES = [*"٣３²Ⅳ½ſ\u212aﬆßİıА−–＝≥≠“´"]
SURROGATES = ["\ud800", "\udc80", "\udcff", "\udfff"]
PICTURES = ["🃏", "♠", "♤", "👨\u200d👩\u200d👧", "🇩🇪", "\U0010ffff"]
MEANINGFUL = [*" ,;:.=<>!&|#'\"`()[]{}%$\\/~*?+-_@^", "\\u0041", *pool("-- == {0} %s ${x} ../ <b> 0x _")]
PIECES = [*CONTROLS, *INVISIBLE, *LOOKALIKES, *SURROGATES, *PICTURES, *MEANINGFUL, "a", "Z", "0", "9"]
#: Numbers that are none, or too much of one.
NUMBERS = [
    *pool(
        "0 -0 +1 00 1_0 1__0 1,000 1,00 1e3 1e-3 1E+3 1e999 1e9999999999 -1e999 1e-400 0x10 0b1 1. .5 1.0 1.5"
    ),
    *pool(
        "nan -nan inf -inf infinity 1k 1M 1kk 10% 5s 2147483648 4294967296 9007199254740993 9223372036854775807"
    ),
    *pool("9223372036854775808 18446744073709551616 -9223372036854775809"),
    *(
        "1 G",
        "1" * 50,
        "9" * 5000,
        "1" + "0" * 400,
        "0." + "0" * 400 + "1",
        "1" + "_1" * 3000,
        "1" + ",111" * 3000,
    ),
]
LENGTHS = (60, 101, 201, 501, 2001, 5000, 70_000)


def pieces(some: Sequence[str] = PIECES, most: int = 12) -> Text:
    """Pieces, one after the other."""
    return st.lists(st.sampled_from(some), max_size=most).map("".join)


def long(some: Sequence[str] = PIECES) -> Text:
    """The same again and again, with something before and behind it."""
    return st.builds(
        lambda before, piece, times, after: before + piece * times + after,
        pieces(most=2), st.sampled_from(some), st.sampled_from(LENGTHS), pieces(most=2),
    )  # fmt: skip


def rubbish() -> Text:
    """What nothing is."""
    return st.one_of(st.text(max_size=20), pieces(), st.sampled_from(NUMBERS), long())


@st.composite
def mutated(draw: st.DrawFn, valid: Text, parts: Sequence[str] = PIECES) -> str:
    """A valid text in which a few things went wrong."""
    text = draw(valid)
    for _ in range(draw(st.integers(1, 3))):
        start, stop = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        middle = text[start:stop]
        change = draw(st.sampled_from(["cut", "insert", "replace", "double", "case", "reverse", "repeat"]))
        if change == "insert":
            middle += draw(st.sampled_from(parts))
        elif change == "repeat":
            middle = (middle or text) * draw(st.sampled_from((3, 50)))
        else:
            middle = {
                "cut": "", "replace": draw(st.sampled_from(parts)), "double": middle * 2, "case": middle.swapcase(),
                "reverse": middle[::-1],
            }[change]  # fmt: skip
        text = text[:start] + middle + text[stop:]
    return text


def mixed(valid: Text, words: Sequence[str] = PIECES) -> Text:
    """Valid, nearly valid, the same words in any order, or rubbish."""
    soup = st.lists(st.sampled_from(words), max_size=12).flatmap(
        lambda some: st.sampled_from(["", " ", ",", "\n"]).map(lambda between: between.join(some))
    )
    return st.one_of(valid, mutated(valid), mutated(valid, words), soup, rubbish())


def as_bytes(text: str) -> bytes:
    """A text as bytes, which need not be UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def as_argument(text: str) -> str:
    """A text as the shell would hand it over: without zeros, and what is no text as the bytes that it is."""
    return os.fsdecode(as_bytes(text.replace("\0", "")))


@st.composite
def mutated_bytes(draw: st.DrawFn, valid: st.SearchStrategy[bytes], other: st.SearchStrategy[bytes]) -> bytes:
    """Bytes in which a few went wrong: flipped, cut out, doubled, moved, or taken from something else."""
    data = draw(valid)
    for _ in range(draw(st.integers(1, 3))):
        start, stop = sorted(draw(st.tuples(st.integers(0, len(data)), st.integers(0, len(data)))))
        change = draw(st.sampled_from(["flip", "byte", "cut", "end", "insert", "double", "other"]))
        if change in ("flip", "byte") and start < len(data):
            new = (
                data[start] ^ 1 << draw(st.integers(0, 7)) if change == "flip" else draw(st.integers(0, 255))
            )
            data = data[:start] + bytes([new]) + data[start + 1 :]
        elif change == "cut":
            data = data[:start] + data[stop:]
        elif change == "end":
            data = data[:start]
        elif change == "insert":
            data = data[:start] + draw(st.binary(max_size=40)) + data[start:]
        elif change == "double":
            data = data[:stop] + data[start:]
        elif change == "other":
            foreign = draw(other)
            data = data[:start] + foreign[draw(st.integers(0, len(foreign))) :]
    return data


#: What JSON can say.
json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(pool("taker any 3x2")),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
