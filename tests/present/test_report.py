"""The handout: what it says is what the tables say, in every language, on every paper, and nothing is cut off."""

import hashlib
import io
import os
import pickle
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.handout import BOX_HANDS, STANDINGS, TYPICAL, Figures, count_points, figures
from schmier_sim.analysis.playrules import play_rules
from schmier_sim.analysis.pointcount import ladder
from schmier_sim.analysis.store import Run
from schmier_sim.game.rules import CHOICES, FLAGS, Rules
from schmier_sim.kernel import equity as shipped
from schmier_sim.kernel.match import state_of
from schmier_sim.present import report, report_text
from schmier_sim.present.content import Content, Table
from schmier_sim.present.files import PresentError, write_file
from schmier_sim.present.handout import SEARCH_WINS, content, who_gets
from schmier_sim.present.handout_chart import chart_svg
from schmier_sim.present.house import rules_in_words
from schmier_sim.present.i18n import LANGUAGES, language
from schmier_sim.present.report import Style, report_pdf
from schmier_sim.present.report_text import report_html, report_markdown

MANY_RULES = Rules(
    name="a-club-with-many-rules-of-its-own", teams="2x3", all_pass="dealer-bids-3", low_to="taker",
    game_tie="defender", trump_anytime=True, first_lead="trump", dealer_steals=True, must_bid_to_win=True, target=15,
)  # fmt: skip
BIDS = (3, 4, 5, 6)
#: Asked before settings of the person who runs the tests are taken away.
WRITES_SHEETS = "SCHMIER_WRITE_SHEETS" in os.environ


def pages(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def words_of(text: str) -> str:
    return re.sub(r"\s+", "", text)


STEPS: dict[str, Callable[..., Any]] = {"figures": figures, "chart_svg": chart_svg}
"""The slow ones on the way to a handout: three quarters of its time."""


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that works out the same thing once."""
    known: dict[bytes, Any] = {}

    def call(*arguments: Any, **options: Any) -> Any:
        key = hashlib.sha256(pickle.dumps((arguments, options))).digest()
        if key not in known:
            known[key] = function(*arguments, **options)
        return known[key]

    return call


@pytest.fixture(scope="module", autouse=True)
def slow_steps_are_done_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, step in STEPS.items():
            once = remembered(step)
            for module in (report, report_text):
                patch.setattr(module, name, once)
        yield


@pytest.fixture(scope="module")
def shown(run: Run) -> Figures:
    return figures(run)


@pytest.fixture(scope="module")
def made(run: Run, shown: Figures) -> Content:
    return content(run, shown, language("en"))


def table(made: Content, name: str, number: int = 0) -> Table:
    return ({**made.front, **made.back})[name].tables[number]


@pytest.fixture(scope="module", params=LANGUAGES)
def sheet(run: Run, request: pytest.FixtureRequest) -> tuple[str, bytes]:
    return request.param, report_pdf(run, Style(lang=request.param))


def test_all_words_and_numbers_stand_on_two_pages_in_each_language(
    sheet: tuple[str, bytes], run: Run, shown: Figures
) -> None:
    lang, pdf = sheet
    front, back = map(words_of, pages(pdf))
    wanted = content(run, shown, language(lang))
    for page, part in ((front, wanted.front), (back, wanted.back)):
        for section in part.values():
            texts = [section.title, *section.lead, *section.items, *section.notes]
            for one in section.tables:
                texts += [*one.head, *(cell for row in one.rows for cell in row)]
            for text in texts:
                assert words_of(text) in page, text
        assert words_of(wanted.foot) in page


def test_pdfs_are_tagged_and_say_title_and_language(sheet: tuple[str, bytes]) -> None:
    lang, pdf = sheet
    reader = PdfReader(io.BytesIO(pdf))
    root = reader.trailer["/Root"]
    assert root["/Lang"] == lang
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert reader.metadata is not None
    assert reader.metadata.title == content_title(lang)
    assert b"20250304" in pdf  # dated by the run


def content_title(lang: str) -> str:
    return language(lang).say("How high to bid in Schmier")


def test_only_fonts_that_ship_are_used_and_all_are_embedded(sheet: tuple[str, bytes]) -> None:
    _, pdf = sheet
    names = set()
    for page in PdfReader(io.BytesIO(pdf)).pages:
        for font in page["/Resources"]["/Font"].values():
            (inner,) = font.get_object()["/DescendantFonts"]
            descriptor = inner.get_object()["/FontDescriptor"]
            assert {"/FontFile2", "/FontFile3"} & set(descriptor)
            names.add(str(descriptor["/FontName"]).split("+")[-1])
    assert all(name.startswith(("LibertinusSerif", "DejaVu")) for name in names), names


@pytest.mark.parametrize("paper", report.PAPERS)
@pytest.mark.parametrize("rules", [Rules(), MANY_RULES], ids=["standard", "many"])
def test_it_is_one_sheet_on_every_paper_also_with_many_house_rules(
    run: Run, paper: str, rules: Rules
) -> None:
    other = replace(run, info=replace(run.info, rules=rules))
    for lang in LANGUAGES:
        assert len(pages(report_pdf(other, Style(lang=lang, paper=paper, club="Club")))) == 2


def test_large_print_is_larger_and_complete(run: Run, made: Content) -> None:
    small, large = (report_pdf(run, Style(large=large)) for large in (False, True))
    assert len(pages(large)) > len(pages(small)) == 2
    cells = [cell for row in table(made, "holdings").rows for cell in row]
    text = words_of("".join(pages(large)))
    assert all(words_of(cell) in text for cell in cells)


def test_the_same_run_and_date_give_the_same_bytes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, step in STEPS.items():
        for module in (report, report_text):
            monkeypatch.setattr(module, name, step)
    style = Style(lang="hu", day=date(2026, 1, 2))
    assert report_pdf(run, style) == report_pdf(run, style)
    assert report_html(run, style) == report_html(run, style)
    assert "2026. január 2." in report_markdown(run, style)


def test_model_hands_are_rows_of_the_table(run: Run, made: Content) -> None:
    frame = make_table(run, by=("pattern",)).set_index("pattern")
    rows = table(made, "holdings").rows
    assert {row[0] for row in rows} == set(TYPICAL)
    means = [float(row[-2]) for row in rows]
    assert means == sorted(means, reverse=True)
    count = ladder()[ladder().recommended]
    for name, best, counts, *makes, mean, once in rows:
        wanted = frame.loc[name]
        own = dict(zip(["A", "K", "Q", "R", "L", "10", "2", "Jo"], count.honours, strict=True))
        assert int(counts) == sum(own.get(card, count.small) for card in name.split())
        for bid, make in zip(BIDS, makes, strict=True):
            assert_chance(make, wanted[f"make_{bid}"])
        assert float(mean) == pytest.approx(wanted["mean_points"], abs=0.0501)
        assert best == wanted["best_bid"].replace("none", "pass").replace(" to ", " or ")
        assert float(once.replace(",", "")) == pytest.approx(1 / wanted["share"], rel=0.01)


def assert_chance(text: str, chance: float) -> None:
    """Whole percent; what is not certain is not written as such."""
    text = text.replace("\u00a0", "").rstrip("*")
    if text.startswith(">"):
        assert 0.995 <= chance < 1
    elif text.startswith("<"):
        assert 0 < chance < 0.005
    else:
        assert float(text.rstrip("%")) == pytest.approx(100 * chance, abs=0.5001)


def test_bids_by_points_are_made_as_often_as_the_table_says(run: Run, made: Content) -> None:
    count = ladder()[ladder().recommended]
    frame = make_table(run, by=(count_points(count), "role"), min_deals=1)
    ends = [*(threshold - 1 for threshold in count.thresholds[-1][1:]), 99]
    rows_and_ends = zip(table(made, "count", 1).rows, count.thresholds[-1], ends, strict=True)
    for (points, bid, *chances), least, most in rows_and_ends:
        assert points == (f"{least}–{most}" if most < 99 else f"{least} and more")
        for role, chance in zip(("dealer", "partner-deals", "neither"), chances, strict=True):
            rows = frame[(frame["role"] == role) & frame["points"].between(least, most)]
            wanted = (rows["share"] * rows[f"make_{bid}"]).sum() / rows["share"].sum()
            assert_chance(chance, wanted)


def test_the_count_is_the_one_that_ships(made: Content) -> None:
    count = ladder()[ladder().recommended]
    assert len(set(count.thresholds)) == 1  # one column of points stands for all seats
    points = {card: int(value) for cards, value in table(made, "count").rows for card in cards.split(" ")}
    for card, worth in zip(["A", "K", "Q", "R", "L", "10", "2", "Jo"], count.honours, strict=True):
        assert points.get(card, count.small) == worth


def test_the_ceiling_is_that_of_the_best_hands(run: Run, made: Content) -> None:
    frame = make_table(run, by=("pattern", "holds_A", "holds_2"))
    neither = frame[~frame["holds_A"] & ~frame["holds_2"]]
    one = frame[frame["holds_A"] ^ frame["holds_2"]]
    numbers = [int(number) for number in re.findall(r"(\d+)%", " ".join(made.front["ceiling"].items))]
    wanted = [neither["make_5"].max(), neither["make_6"].max(), one["make_6"].max()]
    assert numbers == [pytest.approx(100 * chance, abs=0.5001) for chance in wanted]


def test_what_a_partner_brings_is_what_was_won_without_the_card(run: Run, made: Content) -> None:
    held, lacking = table(made, "partner").rows
    cards = {"high": "A", "low": "2", "right": "R", "left": "L", "joker": "Jo"}
    for number, (point, card) in enumerate(cards.items()):
        for row, where in ((held, "holds"), (lacking, "lacks")):
            (wanted,) = make_table(run, by=(), where=f"trumps>=3, {where}={card}")[f"won_{point}"]
            assert_chance(row[number + 1], round(wanted, 9))
    assert held[-1] == "–"


def test_the_score_box_is_that_of_the_table_that_ships(run: Run, made: Content) -> None:
    frame = make_table(run, by=("pattern",)).set_index("pattern")
    rows = table(made, "score").rows
    for scores, row in zip(STANDINGS, rows, strict=True):
        assert row[0] == "–".join(map(str, scores))
        # The team to the right deals: the own one sits to its left.
        own = shipped.shipped().wins[state_of((scores[2], scores[0], scores[1]), Rules())][1] / shipped.UNIT
        assert float(row[1].rstrip("%")) == pytest.approx(100 * own, abs=0.0501)
        for hand, call in zip(BOX_HANDS, row[6:], strict=True):
            makes = [float(frame.loc[hand, f"make_{bid}"]) for bid in BIDS]
            enough = [
                bid for bid, make, even in zip(BIDS, makes, row[2:6], strict=True) if surely_above(make, even)
            ]
            short = [
                bid for bid, make, even in zip(BIDS, makes, row[2:6], strict=True) if surely_below(make, even)
            ]
            if call == "pass":
                assert not enough
            else:
                assert int(call) >= max(enough, default=3)
                assert int(call) not in short


def surely_above(chance: float, even: str) -> bool:
    return even == "always" or (even.endswith("%") and 100 * chance > float(even.rstrip("%")) + 0.6)


def surely_below(chance: float, even: str) -> bool:
    return even == "never" or (even.endswith("%") and 100 * chance < float(even.rstrip("%")) - 0.6)


def test_rules_of_play_have_the_worth_that_was_measured(made: Content) -> None:
    kept = sorted(play_rules().kept, key=lambda rule: -rule.worth)
    rows = table(made, "play").rows
    assert len(rows) == len(kept) == 8
    for (_, worth, error), rule in zip(rows, kept, strict=True):
        assert float(worth) == pytest.approx(100 * rule.worth, abs=0.0501)
        assert float(error.removeprefix("±")) == pytest.approx(196 * rule.worth_se, abs=0.0501)


@pytest.mark.parametrize("rules", [Rules(low_to="taker"), Rules(teams="2x3"), Rules(target=11)])
def test_what_is_known_of_the_standard_rules_only_is_left_out_under_others(run: Run, rules: Rules) -> None:
    other = replace(run, info=replace(run.info, rules=rules))
    said = content(other, figures(other), language("en"))
    assert "score" not in said.back
    assert not {"ceiling", "count"} & set(said.front)
    assert "two teams of them" not in " ".join(said.back["how"].items)
    assert "counts" not in table(said, "holdings").head
    assert len(pages(report_pdf(other, Style()))) == 2


def test_holdings_with_too_few_deals_are_left_out_and_named(small_run: Run) -> None:
    said = content(small_run, figures(small_run), language("en"))
    assert table(said, "holdings").rows == ()
    assert not any("percentage points" in note or "±" in note for note in said.front["holdings"].notes)
    left_out = said.front["holdings"].notes[-1].replace("\u00a0", " ")
    assert left_out == f"Left out for too few deals: {', '.join(TYPICAL)}."
    assert "nan" not in repr(said)
    assert len(pages(report_pdf(small_run, Style()))) == 2


def test_marked_cells_are_explained(made: Content) -> None:
    marked = any("*" in cell for row in table(made, "holdings").rows for cell in row)
    assert marked == any(note.startswith("*") for note in made.front["holdings"].notes)


def test_hands_that_were_chosen_to_be_bid_come_with_a_warning(run: Run) -> None:
    auction = replace(run, info=replace(run.info, mode="auction", sample="natural"))
    notes = content(auction, figures(auction), language("en")).front["holdings"].notes
    assert "flatter" in notes[0]
    assert "declared in this run" in " ".join(notes)


def test_the_foot_names_rules_bots_deals_seed_version_and_date(made: Content) -> None:
    assert made.foot == (
        "rules standard · bots simple · 1,845,600 deals · seed 7 · schmier-sim 0.1.0 · March 4, 2025"
    )


class Page(HTMLParser):
    """Gathers the text of a page, and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag == "script":
            self.loads.append("script")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_the_same_and_needs_nothing_else(run: Run, shown: Figures, lang: str) -> None:
    html = report_html(run, Style(lang=lang, club="A & B <Club>", logo=PNG))
    page = Page()
    page.feed(html)
    assert all(load.startswith(("#", "data:image/png;base64,")) for load in page.loads)
    assert f'<html lang="{lang}"' in html
    text = words_of("".join(page.text))
    said = content(run, shown, language(lang), club="A & B <Club>")
    for section in [*said.front.values(), *said.back.values()]:
        for one in [section.title, *section.lead, *section.items, *section.notes]:
            assert words_of(one) in text
        for one in section.tables:
            assert all(words_of(cell) in text for row in one.rows for cell in row)
    assert words_of(said.club) in text


def test_markdown_says_the_same(run: Run, made: Content) -> None:
    text = report_markdown(run, Style())
    for row in table(made, "score").rows:
        cells = [f"**{cell}**" if number in (0, 6, 7, 8) else cell for number, cell in enumerate(row)]
        assert f"| {' | '.join(cells)} |" in text
    assert text.endswith(f"*{made.foot}*\n")


PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\n"
    b"IDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"
)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_holdings_come_on_pages_of_their_own(run: Run, shown: Figures, lang: str) -> None:
    plain, more = (pages(report_pdf(run, Style(lang=lang, more=more))) for more in (False, True))
    assert more[:2] == plain
    assert len(more) in (4, 5)
    said = content(run, shown, language(lang), more=True).more["all"].tables[0]
    text = words_of("".join(more[2:]))
    assert all(words_of("".join(row)) in text for row in said.rows)
    frame = make_table(run, by=("pattern",), where="trumps>=3")
    wanted = frame[frame["share"] >= 1e-4]
    assert len(said.rows) == len(wanted) > 100
    if lang == "en":
        assert {row[0] for row in said.rows} == set(wanted["pattern"])
        for row in said.rows[::20]:
            (chance,) = wanted[wanted["pattern"] == row[0]]["make_4"]
            assert_chance(row[3], chance)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_changes_unseen(run: Run, lang: str) -> None:
    """All words and numbers of a made-up run. SCHMIER_WRITE_SHEETS=1 writes them anew: read what has changed."""
    path = Path(__file__).parent / "sheets" / f"{lang}.md"
    text = report_markdown(run, Style(lang=lang))
    if WRITES_SHEETS:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_strength_that_is_told_was_measured() -> None:
    page = (Path(__file__).parents[2] / "docs" / "strength.md").read_text(encoding="utf-8")
    (row,) = re.findall(
        r"matches that one team of search \(40 worlds\) wins against two of club, % \|[^|]*\| ([\d.]+)", page
    )
    assert float(row) == pytest.approx(100 * SEARCH_WINS)


def test_title_club_and_logo_stand_above(run: Run) -> None:
    pdf = report_pdf(run, Style(title="#panic() & $x$ \\ “Ü”", club="Klub „Ő“ Žижка", logo=PNG))
    front = pages(pdf)[0]
    assert "#panic() & $x$ \\ “Ü”" in front
    assert len(PdfReader(io.BytesIO(pdf)).pages[0].images) == 1


def test_letters_that_no_font_has_are_refused_in_one_line(run: Run) -> None:
    with pytest.raises(
        PresentError,
        match=r'^no font has the letter "𒀀": leave it out of title, club and the name of the rules$',
    ):
        report_pdf(run, Style(club="𒀀"))


@pytest.mark.parametrize("template", ["#oops(", '#panic("x")', '= x\n#image("nowhere.png")'])
def test_a_broken_template_is_refused_in_one_line(run: Run, template: str) -> None:
    with pytest.raises(PresentError, match=r"^typst cannot [^\n]+$"):
        report_pdf(run, Style(template=template))


def test_a_template_has_no_network_and_no_files(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("secret.txt").write_text("x")
    with pytest.raises(PresentError, match=r'^a template imports no packages.* "@preview/cetz:0.2.0"$'):
        report_pdf(run, Style(template='#import "@preview/cetz:0.2.0"'))
    for path in ("secret.txt", str(tmp_path / "secret.txt"), "/etc/passwd"):
        with pytest.raises(PresentError, match=r"^typst cannot set the handout: .*not found"):
            report_pdf(run, Style(template=f'#set document(title: "x")\n#read("{path}")'))


def test_the_small_template_of_the_docs_works(run: Run, made: Content) -> None:
    text = (Path(__file__).parents[2] / "docs" / "handout.md").read_text(encoding="utf-8")
    template = re.findall(r"```typst\n(.*?)```", text, re.DOTALL)[-1]
    pdf = report_pdf(run, Style(template=template))
    assert pdf == report_pdf(run, Style(template=template))
    page = words_of("".join(pages(pdf)))
    assert all(words_of(cell) in page for row in table(made, "holdings").rows for cell in row)


def test_a_logo_needs_no_club_and_long_words_are_broken(run: Run) -> None:
    pdf = report_pdf(run, Style(title="W" * 90, logo=PNG))
    assert len(PdfReader(io.BytesIO(pdf)).pages[0].images) == 1
    assert "W" * 90 not in pages(pdf)[0]
    assert "W" * 90 in words_of(pages(pdf)[0]).replace("\u200b", "")


def test_a_logo_that_is_no_picture_is_refused(run: Run) -> None:
    with pytest.raises(PresentError, match=r"^it is no picture"):
        report.check_logo(b"hello")
    with pytest.raises(PresentError, match=r"^typst cannot read the logo: [^\n]+$"):
        report_pdf(run, Style(logo=b"\x89PNG broken"))
    for broken in (PNG[:40], b"\x89PNG broken", b"\xff\xd8\xff", b"<svg"):
        with pytest.raises(PresentError, match=r"broken"):
            report.check_logo(broken)
    for loads in (b"<script>x</script>", b'<image href="http://x/y.png"/>', b'<g onload="x()"/>'):
        with pytest.raises(PresentError, match=r"^a logo has no scripts and no links"):
            report.check_logo(b'<svg xmlns="http://www.w3.org/2000/svg">' + loads + b"</svg>")
    report.check_logo(PNG)
    report.check_logo(b'<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>')


def test_unknown_paper_and_language_are_refused(run: Run) -> None:
    with pytest.raises(PresentError, match='no paper "a5": choose a4 or letter'):
        report_pdf(run, Style(paper="a5"))
    with pytest.raises(PresentError, match='no language "xx": choose en, de or hu'):
        report_pdf(run, Style(lang="xx"))


def changed_rules() -> list[Rules]:
    one_changed = [{key: value} for key, values in CHOICES.items() for value in values[1:]]
    return [Rules(**change) for change in [*one_changed, *({flag: True} for flag in FLAGS), {"target": 11}]]


@pytest.mark.parametrize("rules", changed_rules(), ids=lambda rules: str(rules.differences()))
def test_every_house_rule_changes_the_words(rules: Rules) -> None:
    english = language("en")
    said = [(rules_in_words(one, english), who_gets(one, english)) for one in (Rules(), rules)]
    assert said[0] != said[1]


def test_house_rules_in_words_cover_every_field() -> None:
    assert {field.name for field in fields(Rules)} == {"name", "target", *CHOICES, *FLAGS}


@pytest.mark.parametrize("name", ["handout.typ", "handout.html"])
def test_templates_hold_no_words(name: str) -> None:
    template = (Path(report.__file__).parent / "templates" / name).read_text(encoding="utf-8")
    if name.endswith(".html"):
        page = Page()
        page.feed(re.sub(r"<style>.*?</style>", "", template, flags=re.DOTALL))
        text = re.sub(r"\$\w+", "", "".join(page.text))
    else:
        text = " ".join(re.findall(r"\[([^\]#]*)\]", re.sub(r"//.*", "", template)))
    assert not re.search(r"[A-Za-z]{3,}", text)


def test_a_file_that_cannot_be_written_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(PresentError, match=r"cannot write .*sheet\.pdf: No such file or directory"):
        write_file(tmp_path / "none" / "sheet.pdf", b"data")
    (tmp_path / "folder").mkdir()
    with pytest.raises(PresentError, match=r"cannot write .*folder: "):
        write_file(tmp_path / "folder", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
