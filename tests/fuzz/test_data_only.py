"""What rules and runs are called is text wherever it is shown: never a path, a form, a tag, a formula or a command."""

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pypdf import PdfReader

from schmier_sim.analysis.run import simulate
from schmier_sim.analysis.store import Run, write_run
from schmier_sim.game.rules import MAX_NAME, Rules
from schmier_sim.kernel.simulate import Setup
from tests.fuzz.budget import cases
from tests.fuzz.program import Case, Program
from tests.fuzz.strategies import pool

#: Names that mean something to somebody: a shell, a file system, a format, a page, a typesetter, a spreadsheet.
NAMES = [
    *pool(
        "../../x /etc/passwd ~/x .. . -rf --help a;b $(id) `id` a|b {0.__class__} {rules} {} { %s %n%n %(x)s $x$"
    ),
    *pool(
        "$\\frac$ *b* _i_ \\ \\u0041 @VERSION@ @x <script>alert(1)</script> </script> <!-- &amp; &lt; ']]> <b>"
    ),
    *pool("=1+1 +1 =HYPERLINK(1) | [a](b) ![a](b) 0 null true 🃏 ſ \" ' \\\" -- >x #h 'OR"),
    *(
        "100 %",
        '#read("/etc/passwd")',
        "#while true {}",
        '"><img src=x>',
        "| a |",
        "name = 1",
        "a" * MAX_NAME,
    ),
]
names = st.one_of(
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(NAMES), min_size=2, max_size=3).map("".join),
    st.text(st.characters(categories=["L", "N", "P", "S"], max_codepoint=0x24F), min_size=1, max_size=20),
).filter(lambda name: name.strip() and name.isprintable() and len(name) <= MAX_NAME)


def rules_file(name: str) -> bytes:
    return f"name = {json.dumps(name, ensure_ascii=False)}\nlow_to = 'taker'\n".encode()


class Page(HTMLParser):
    """The text of a page, and the tags that it is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.tags, self.data = "", list[str](), dict[str, Any]()
        self.within = ""
        self.feed(page)

    def handle_data(self, data: str) -> None:
        if self.within == "data" and data.strip():
            self.data = json.loads(data)
        else:
            self.text += data

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.within = dict(attributes).get("id") or ""
        self.text += "".join(f" {value}" for _, value in attributes)


#: A name that means nothing and stands nowhere else.
PLAIN = "Quxfoo"


@pytest.fixture(scope="module")
def named_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Make run files whose rules have a name."""
    run = simulate(
        Setup(sample="stratified", bots="club", rules=Rules(name=PLAIN, low_to="taker")), deals=9228
    )
    path = tmp_path_factory.mktemp("named") / "run.parquet"

    def make(name: str) -> bytes:
        write_run(path, Run(replace(run.info, rules=replace(run.info.rules, name=name)), run.tally))
        return path.read_bytes()

    return make


class Shown:
    """What the program shows of rules with a name."""

    def __init__(self, program: Program, make_run: Callable[[str], bytes]) -> None:
        self.program, self.make_run = program, lru_cache(make_run)
        self.plain: dict[tuple[str, ...], str] = {}

    def of(self, name: str, *words: str) -> str:
        """What stands on stdout, or in the file that the words name last."""
        return self.kept_of(name, *words, keep=words[-1] if words[-2] == "-o" else "").decode()

    def kept_of(self, name: str, *words: str, keep: str) -> bytes:
        """What stands in a file or on stdout; the program has to end well."""
        files = {"named.toml": rules_file(name), "named.parquet": self.make_run(name)}
        self.program.keep = keep
        answer = self.program.play(Case(words, files=files, playing=True))
        assert answer.code == 0, answer
        return self.program.kept if keep else answer.out.encode()

    def is_text(self, name: str, written: str, *words: str, squeeze: Callable[[str], str] = str) -> str:
        """Check that all is as with a plain name, but for the name as it should be written."""
        if words not in self.plain:
            self.plain[words] = self.of(PLAIN, *words)
        assert PLAIN in self.plain[words]
        found = self.of(name, *words)
        assert squeeze(found) == squeeze(self.plain[words].replace(PLAIN, written))
        return found


@pytest.fixture
def shown(program: Program, named_run: Callable[[str], bytes]) -> Shown:
    return Shown(program, named_run)


def squeezed(text: str) -> str:
    """A text without what lines are broken and columns are aligned with."""
    return re.sub(r"[\s·\u200b]+", "", text)


def in_markdown(name: str) -> str:
    """A name with a backslash before all that Markdown would heed, as it stands between blanks."""
    out = ""
    for before, sign, after in zip(" " + name, name, name[1:] + " ", strict=False):
        within = all(letter.isalnum() or letter == "_" for letter in before + after)
        out += f"\\{sign}" if sign in "\\`*{}[]<>#|&~$" or (sign == "_" and not within) else sign
    return out


def in_csv(name: str, rest: str) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([("'" if name[0] in "=+-@" else "") + name + rest, ""])
    return out.getvalue().removesuffix(",")


RULES = ("--rules", "named.toml")


@cases(4)
@given(names)
@example("=1+1")
@example("../../x")
def test_the_name_of_rules_is_text_in_every_answer(shown: Shown, name: str) -> None:
    assert tomllib.loads(shown.of(name, "rules", "show", "named.toml"))["name"] == name
    shown.is_text(name, name, "rules", "diff", "named.toml", "two-teams", squeeze=squeezed)
    shown.is_text(name, name, "deal", "0", *RULES, squeeze=squeezed)
    assert json.loads(shown.of(name, "deal", "0", *RULES, "--json"))["rules"] == name
    shown.is_text(name, name, "duel", "simple", "random", "-n", "6", *RULES, squeeze=squeezed)
    # The default name of a run says nothing of its rules.
    assert shown.of(name, "simulate", *RULES, "-n", "60") == "run-declare-21.parquet\n"


HAND = ("hand", "AS KS JC 2S 10H 9D", "--seat", "1", *RULES)


@cases(0, among=20)
@given(names)
@example("=<script>|*_`{0}")
def test_the_name_of_rules_is_text_in_advice_and_on_quiz_sheets(shown: Shown, name: str) -> None:
    shown.is_text(name, name, *HAND, squeeze=squeezed)
    assert json.loads(shown.of(name, *HAND, "--json"))["run"]["rules"]["name"] == name
    (row,) = csv.DictReader(io.StringIO(shown.of(name, *HAND, "-o", "new.csv")))
    assert row["rules"] == ("'" if name[0] in "=+-@" else "") + f"{name} (low_to taker)"
    sheet = ("quiz", "--sheet", "1", "--precision", "30", *RULES)
    shown.is_text(name, in_markdown(name), *sheet)


@cases(4)
@given(names)
@example("=1+1")
@example("| a |<script>alert(1)</script>")
def test_the_name_in_a_run_is_text_in_every_table(shown: Shown, name: str) -> None:
    table = ("table", "named.parquet", "--format")
    shown.is_text(name, name, *table, "table", squeeze=squeezed)
    shown.is_text(name, in_markdown(name), *table, "markdown")
    rest = " (low_to taker)"
    plain = shown.of(PLAIN, *table, "csv")
    assert shown.of(name, *table, "csv") == plain.replace(PLAIN + rest, in_csv(name, rest))
    assert json.loads(shown.of(name, *table, "json"))["run"]["rules"]["name"] == name


@cases(0, among=100)
@given(names)
@example("</script>&amp;$x$#{0}`*|")
def test_the_name_in_a_run_is_text_on_every_page(shown: Shown, name: str) -> None:
    report = ("report", "named.parquet", "-o")
    shown.is_text(name, in_markdown(name), *report, "new.md")
    page, plain = Page(shown.of(name, *report, "new.html")), Page(shown.of(PLAIN, *report, "new.html"))
    assert page.tags == plain.tags
    assert page.text == plain.text.replace(PLAIN, name)
    lookup = ("report", "named.parquet", "--lookup", "-o", "new.html")
    page, plain = Page(shown.of(name, *lookup)), Page(shown.of(PLAIN, *lookup))
    assert page.tags == plain.tags
    facts = json.dumps(plain.data["facts"]).replace(PLAIN, json.dumps(name)[1:-1])
    assert page.data["facts"] == json.loads(facts)
    assert PLAIN in json.dumps(plain.data["facts"])


@cases(0, among=200)
@given(names.filter(lambda name: "🃏" not in name))  # which no font has: it is refused
@example('#read("/etc/passwd")$x$')
def test_the_name_in_a_run_is_text_on_paper(shown: Shown, name: str) -> None:
    def text(name: str) -> str:
        pdf = PdfReader(
            io.BytesIO(shown.kept_of(name, "report", "named.parquet", "-o", "new.pdf", keep="new.pdf"))
        )
        return squeezed("".join(page.extract_text() for page in pdf.pages))

    assert text(name) == text(PLAIN).replace(PLAIN, squeezed(name))


@cases(0, among=200)
@given(names)
@example("$\\frac$</text><script>{0}--%s🃏")
def test_the_name_in_a_run_is_text_in_pictures(shown: Shown, name: str) -> None:
    def picture(name: str) -> tuple[set[str], str]:
        data = shown.kept_of(
            name, "chart", "named.parquet", "--format", "svg", "-o", "charts", keep="charts/points.svg"
        )
        parts = list(ElementTree.fromstring(data).iter())
        return {part.tag for part in parts}, data.decode()

    parts, _ = picture(name)
    assert parts == picture(PLAIN)[0]
