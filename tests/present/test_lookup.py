"""The lookup page: what it is made of, its script in an engine without a browser, and the page in a browser."""

import json
import random
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.lookup import (
    ANY_ACES,
    DEALINGS,
    LEAST_SCORE,
    ROLE_OF,
    Lookup,
    bid_up_to,
    declare,
    figures,
    make_lookup,
)
from schmier_sim.analysis.patterns import ROLES
from schmier_sim.analysis.store import Run
from schmier_sim.game.cards import CANONICAL, DECK, SUITS, in_order
from schmier_sim.game.holdings import HOLDINGS, holding_of
from schmier_sim.game.notation import NotationError, parse_cards
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import BIDS
from schmier_sim.present import lookup
from schmier_sim.present.files import PresentError
from schmier_sim.present.i18n import language
from schmier_sim.present.lookup_texts import TEXTS
from schmier_sim.present.numbers import decimal, percent_interval, signed
from tests.deal_types import with_types
from tests.present import browser

TEMPLATES = Path(lookup.__file__).parent / "templates"
HAND = ("AS", "KS", "JC", "2S", "10H", "9D")


@pytest.fixture(scope="module")
def full_run(run: Run) -> Run:
    return Run(run.info, with_types(run.tally.cells, run.info.rules))


@pytest.fixture(scope="module")
def known(full_run: Run) -> Lookup:
    return make_lookup(full_run)


@pytest.fixture(scope="module")
def page(full_run: Run) -> str:
    return lookup.lookup_page(full_run)


def with_info(run: Run, **changes: object) -> Run:
    return replace(run, info=replace(run.info, **changes))  # type: ignore[arg-type]


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return dict(json.loads(found[1]))


# What it is made of


def test_the_same_run_gives_the_same_page(full_run: Run, page: str) -> None:
    assert lookup.lookup_page(full_run) == page
    assert ["Date of the run", "March 4, 2025"] in data_of(page)["facts"]


def test_the_page_is_small_and_loads_nothing(page: str) -> None:
    assert len(page.encode()) < 400_000
    assert not re.search(r"https?:|@import|url\(|<link|\bsrc=|\bhref=", page)
    assert not re.search(r"\beval\(|new Function|innerHTML|document\.write", page)
    assert "default-src 'none'" in page
    assert "unsafe" not in page


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mode": "auction", "sample": "natural"}, "--mode declare"),
        ({"sample": "natural"}, "--sample stratified"),
        ({"ranges": ()}, "no deals"),
    ],
)
def test_other_runs_are_refused_in_one_line(run: Run, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(PresentError, match=message) as error:
        lookup.lookup_page(with_info(run, **changes))
    assert "\n" not in str(error.value)


def test_an_unknown_language_is_refused(run: Run) -> None:
    with pytest.raises(PresentError, match='no language "xx"'):
        lookup.lookup_page(run, "xx")


def test_every_text_is_used_and_every_text_used_is_there() -> None:
    template = (TEMPLATES / "lookup.html").read_text(encoding="utf-8")
    script = (TEMPLATES / "lookup_page.js").read_text(encoding="utf-8")
    logic = (TEMPLATES / "lookup_logic.js").read_text(encoding="utf-8")
    source = Path(lookup.__file__).read_text(encoding="utf-8")
    used = set(re.findall(r"\{\{(\w+)\}\}", template))
    used |= {
        name for call in re.findall(r"\bsay\(([^,(){};]*)", script) for name in re.findall(r'"(\w+)"', call)
    }
    used |= set(re.findall(r'"(error_\w+)"', logic))
    used |= set(re.findall(r'TEXTS\["(\w+)"\]', source))
    used |= {
        f"fact_{name}"
        for name in re.findall(r'^        "(\w+)": .*,$', source.split("def _facts")[1], re.MULTILINE)
    }
    used |= {f"suit_{suit}" for suit in SUITS} | {f"rank_{rank}" for rank in "AKQJ"}
    assert used == set(TEXTS)


def test_template_style_and_script_hold_no_words() -> None:
    template = re.sub(r"\{\{\w+\}\}|<[^>]*>", "", (TEMPLATES / "lookup.html").read_text(encoding="utf-8"))
    assert not re.search(r"[A-Za-z]{2,}", re.sub(r"@\w+@", "", template))
    style = (TEMPLATES / "lookup.css").read_text(encoding="utf-8")
    assert re.findall(r'content: "(.*?)"', style) == ["▸"]


def test_titles_and_texts_cannot_break_the_page(full_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sly = "</script><b>&\u2028"
    monkeypatch.setitem(TEXTS, "lead", sly)
    made = lookup.lookup_page(full_run, title=sly)
    assert made.count("</script>") == 2
    assert "<b>" not in made
    assert data_of(made)["texts"]["lead"] == sly


@pytest.mark.parametrize(("code", "queen"), [("de", "D"), ("hu", "D")])
def test_letters_and_marks_are_those_of_the_language(run: Run, known: Lookup, code: str, queen: str) -> None:
    found = lookup.page_data(known, run.info, language(code))["language"]
    assert found["decimal"] == ","
    assert found["ranks"]["Q"] == queen


@pytest.mark.parametrize(
    ("rules", "reason"),
    [(Rules(teams="2x3"), "rules"), (Rules(low_to="taker"), "")],
    ids=["two teams", "another deal"],
)
def test_rules_without_chances_leave_out_the_match_and_say_so(
    full_run: Run, rules: Rules, reason: str
) -> None:
    found = data_of(lookup.lookup_page(with_info(full_run, rules=rules)))
    assert found["without"] == reason
    assert (found["match"] is None) == bool(reason)
    other = TEXTS["how_match_rules"] in found["how"]
    assert other == (rules.low_to == "taker")


def test_a_run_without_types_leaves_out_the_match(run: Run) -> None:
    assert data_of(lookup.lookup_page(run))["without"] == "deals"


# Its script


class Engine:
    """Calls functions of the script."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def call(self, function: str, *arguments: object) -> Any:
        return self._context.call(f"({function})", *arguments)


@pytest.fixture(scope="module")
def engine(page: str) -> Iterator[Engine]:
    racer = pytest.importorskip("py_mini_racer", reason="mini-racer is not installed: the script is not run")
    with racer.MiniRacer() as context:
        engine = Engine(context)
        context.eval((TEMPLATES / "lookup_logic.js").read_text(encoding="utf-8"))
        engine.call("(data) => Boolean(globalThis.tables = readTables(data))", data_of(page))
        yield engine


def test_small_inflate_reads_whatever_deflate_writes(engine: Engine) -> None:
    rng = np.random.default_rng(5)
    texts = [b"", b"a", b"abc" * 400, rng.bytes(70_000), bytes(rng.integers(0, 5, 9000, np.uint8))]
    for text in texts:
        for level, strategy in (
            (0, zlib.Z_DEFAULT_STRATEGY),
            (9, zlib.Z_DEFAULT_STRATEGY),
            (9, zlib.Z_FIXED),
        ):
            packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
            packed = packer.compress(text) + packer.flush()
            code = "(packed, size) => Array.from(inflate(Uint8Array.from(packed), size))"
            assert bytes(engine.call(code, list(packed), len(text))) == text


def test_tables_are_unpacked_as_they_were(engine: Engine, known: Lookup) -> None:
    assert known.match is not None
    unpacked = {name: engine.call(f"() => Array.from(tables.{name})") for name in ("points", "best")}
    assert unpacked["points"] == known.points.ravel().tolist()
    assert unpacked["best"] == known.best.ravel().tolist()
    wins, left = (engine.call(f"() => Array.from(tables.match.{name})") for name in ("wins", "left"))
    assert wins == np.moveaxis(known.match.wins, -1, 0)[:2].ravel().tolist()
    assert left == np.moveaxis(known.match.left, -1, 0).ravel().tolist()


def test_large_counts_take_more_bytes(engine: Engine) -> None:
    values = np.array([0, 1, 255, 65_536, 70_000_123, 2**32 - 1])
    packed = lookup._pack(values, 4)
    assert engine.call("(packed) => Array.from(numbers(packed, 6, 4))", packed) == values.tolist()


def random_hands(count: int, seed: int = 3) -> list[list[str]]:
    draw = random.Random(seed)
    return [list(in_order(draw.sample(DECK, 6))) for _ in range(count)]


def test_hands_are_of_the_classes_of_the_program(engine: Engine) -> None:
    for hand in random_hands(150):
        for suit in SUITS:
            found = engine.call("(cards, suit) => holdingOf(cards, suit, tables.classes)", hand, suit)
            number = holding_of(hand, suit)
            assert found["number"] == number
            assert " ".join(found["letters"]) == HOLDINGS[number].text
            assert found["aces"] == sum(card[0] == "A" and card[-1] != suit for card in hand)


@pytest.mark.parametrize("dealing", range(4), ids=DEALINGS)
def test_answers_are_those_of_the_reference(engine: Engine, known: Lookup, dealing: int) -> None:
    assert known.match is not None
    draw = random.Random(dealing)
    for hand in random_hands(12, seed=dealing):
        scores = [draw.randint(LEAST_SCORE, 20) for _ in range(3)]
        found = engine.call(
            "(hand, dealing, scores) => answer(tables, hand, dealing, scores)", hand, dealing, scores
        )
        leaving = known.match.leaving(scores, dealing)
        assert found["leaving"] == pytest.approx(leaving)
        assert found["chances"] == pytest.approx(known.match.chances(scores, dealing).tolist())
        for suit in found["suits"]:
            points, any_aces = counts(known, hand, suit["suit"], dealing)
            assert suit["anyAces"] == any_aces
            wanted = [declare(points, known.match.values(scores, dealing, bid), bid, leaving) for bid in BIDS]
            assert tuple(suit["upTo"]) == bid_up_to(wanted, leaving)
            for row, each in zip(suit["figures"]["bids"], wanted, strict=True):
                needed = float("nan") if row["needed"] is None else row["needed"]
                assert [row["chance"], row["error"]] == pytest.approx([each.chance, each.error], abs=1e-9)
                assert needed == pytest.approx(each.needed, nan_ok=True)


def counts(known: Lookup, hand: list[str], suit: str, dealing: int) -> tuple[Any, bool]:
    """What the page must count for a hand, and whether for any number of aces."""
    role, holding = ROLE_OF[dealing], holding_of(hand, suit)
    aces = sum(card[0] == "A" and card[-1] != suit for card in hand)
    points = known.counts(role, holding, aces)
    return (points, False) if points.sum() >= 100 else (known.counts(role, holding, ANY_ACES), True)


def test_without_scores_points_decide(engine: Engine, known: Lookup) -> None:
    for hand in random_hands(40, seed=9):
        found = engine.call("(hand) => answer(tables, hand, 0, null)", hand)
        assert found["chances"] is None
        assert [suit["upTo"] for suit in found["suits"]] == sorted(
            (suit["upTo"] for suit in found["suits"]), reverse=True
        )
        for suit in found["suits"]:
            points, any_aces = counts(known, hand, suit["suit"], 0)
            wanted, shown = figures(points), suit["figures"]
            assert (shown["deals"], shown["mean"]) == (wanted.deals, pytest.approx(wanted.mean))
            for i, row in enumerate(shown["bids"]):
                assert [row["make"], row["low"], row["high"], row["net"]] == pytest.approx(
                    [wanted.make[i], wanted.low[i], wanted.high[i], wanted.net[i]]
                )
            at = holding_of(hand, suit["suit"]), ANY_ACES if any_aces else suit["aces"]
            assert tuple(suit["upTo"]) == divmod(int(known.best[0][at]), 8)


def test_too_few_deals_are_never_figures(engine: Engine) -> None:
    code = """(hand) => {
        const few = { ...tables, leastDeals: 500 };
        return answer(few, hand, 0, null).suits.map((suit) => [suit.ownDeals, suit.figures]);
    }"""
    for own, shown in engine.call(code, list(HAND)):
        assert own < 500
        assert shown is None


@pytest.mark.parametrize(
    "text",
    [
        "AS KS JC 2S 10H 9D", "as ks jc 2s th 9d", "SA, SK; CJ", "S:AKJ H:10 9 Jo", "♠AKJ, ♥10, *", "A♠ K♥ 10♦ joker",
        "♠️A 🃏", "S: A K Q", "SAKQ", "X", "JK", "♤A ♡K", "AS10", "KA", "ASKS", "A", "AS AS", "S:JK", "♠A JK",
        "1S", "AS KS QS JS 10S 9S 8S", "S", "S:", "10", "",
    ],
)  # fmt: skip
def test_cards_are_read_as_by_the_program(engine: Engine, text: str) -> None:
    found = engine.call("(text) => parseCards(text, {})", text)
    try:
        wanted = list(parse_cards(text))
        assert found["cards"] == wanted[:6]
        assert ("error" in found) == (len(wanted) > 6)
    except NotationError:
        assert found["error"][0] in TEXTS


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("AS KS BC 2S 10H 9D", list(HAND)),
        ("DS DD BH", ["QS", "QD", "JH"]),
        ("D10 DA", ["10D", "AD"]),
        ("S:ADB", ["AS", "QS", "JS"]),
        ("♠A D B", ["AS", "QS", "JS"]),
        ("QS JS", ["QS", "JS"]),
        ("d♦ b♣", ["QD", "JC"]),
    ],
)
def test_local_letters_are_read_as_well(engine: Engine, text: str, cards: list[str]) -> None:
    ranks = dict(language("de").ranks)
    assert engine.call("(text, ranks) => parseCards(text, ranks)", text, ranks) == {"cards": cards}


def test_what_can_be_read_in_two_ways_is_refused(engine: Engine) -> None:
    ranks = dict(language("de").ranks)
    found = engine.call("(text, ranks) => parseCards(text, ranks)", "S:A DB", ranks)
    assert found["error"][0] == "error_unclear"


def test_a_word_may_be_unfinished_while_it_is_typed(engine: Engine) -> None:
    found = [engine.call("(text) => parseCards(text, {}, true)", text) for text in ("AS 1", "AS 1 ", "AS 10")]
    assert ["error" in each for each in found] == [False, True, False]
    assert all(each["cards"] == ["AS"] for each in found)


@pytest.mark.parametrize("code", ["en", "de", "hu"])
def test_numbers_are_written_as_by_the_program(engine: Engine, code: str) -> None:
    said = language(code)
    marks = {
        "decimal": said.decimal_mark,
        "thousands": said.thousands,
        "leastGrouped": said.least_grouped,
        "percentGap": said.percent_gap,
    }
    halves = [sign * n / 16 for n in range(40) for sign in (1, -1)]
    draw = random.Random(2)
    values = [
        *halves,
        *(draw.uniform(-3000, 3000) for _ in range(200)),
        9_999.0,
        10_000.0,
        1_234_567.0,
        -0.001,
        0.0,
    ]
    for digits in (0, 1, 2):
        code = """(values, digits, marks) =>
            values.map((value) => [writeNumber, writeSigned].map((write) => write(value, digits, marks)))"""
        found = engine.call(code, values, digits, marks)
        assert found == [[said.number(value, digits), said.signed(value, digits)] for value in values]
    assert engine.call("writePercent", 0.1234, 1, marks) == said.percent(0.1234, 1)


def test_chances_are_written_as_in_tables(engine: Engine) -> None:
    marks = {"decimal": ".", "thousands": ",", "leastGrouped": 1000, "percentGap": ""}
    for k, n in (
        (0, 300),
        (1, 8),
        (150, 300),
        (299, 300),
        (300, 300),
        (9_999, 10_000),
        (5_000_000, 10_000_000),
    ):
        low, high = engine.call("wilson", k, n)
        found = engine.call("writeChance", k / n, low, high, marks)
        assert " ".join(found) == percent_interval(k / n, low, high)


def test_addresses_lead_back_to_what_was_asked(engine: Engine) -> None:
    for dealing, scores in ((0, None), (3, [14, -2, 18])):
        asked = {"cards": list(HAND), "dealing": dealing, "scores": scores}
        assert engine.call("(asked) => readAddress(writeAddress(asked))", asked) == asked
    assert engine.call("readAddress", "")["cards"] == []
    assert engine.call("readAddress", "#%41S,zz;deals=nobody;scores=1,x")["cards"] == ["AS"]
    assert engine.call("readAddress", "#AS,zz")["error"][1]["word"] == "zz"
    assert "error" not in engine.call("readAddress", "#AS,KS")
    assert engine.call("readAddress", "#%")["cards"] == []


# In a browser


class Fake:
    """A catalogue of long words."""

    def gettext(self, text: str) -> str:
        return re.sub(r"\{\w+\}|[aeo]", lambda found: found[0] * 2 if len(found[0]) == 1 else found[0], text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, page: str, full_run: Run) -> Path:
    place = tmp_path_factory.mktemp("lookup")
    (place / "page.html").write_text(page, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        fake = replace(language("de"), catalogue=Fake())  # type: ignore[arg-type]
        patch.setattr(lookup, "language", lambda _: fake)
        (place / "long.html").write_text(lookup.lookup_page(full_run, "de"), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def window(folder: Path) -> Iterator[browser.Page]:
    if lacking := browser.missing():
        pytest.skip(f"{lacking}: the page is not opened")
    with browser.new_page(folder / "profile") as opened:
        yield opened


def tap(window: browser.Page, cards: tuple[str, ...]) -> None:
    for card in cards:
        window.click(f'#cards [data-card="{card}"]')


def figure(window: browser.Page, suit: str, bid: int, name: str) -> str:
    return " ".join(window.text(f'[data-suit="{suit}"] [data-bid="{bid}"] [data-figure="{name}"]').split())


def expected(run: Run, hand: tuple[str, ...], suit: str, role: str) -> dict[str, Any]:
    """The table's row for a hand, of its number of plain aces where that has a hundred deals.

    Its chances are rounded to so many digits that noise of the last one cannot turn 51.25 % to either side.
    """
    pattern = HOLDINGS[holding_of(hand, suit)].text or "none"
    where = f'role={role}, pattern="{pattern}"'
    aces = sum(card[0] == "A" and card[-1] != suit for card in hand)
    table = make_table(run, by=("aces",), where=f"{where}, aces={aces}")
    table = table if len(table) else make_table(run, by=(), where=where)
    row = table.to_dict("records")[0]
    return {name: round(value, 12) if isinstance(value, float) else value for name, value in row.items()}


@pytest.mark.parametrize(("control", "role"), [("me", 0), ("partner", 1), ("opponent", 2)])
def test_cards_are_tapped_and_the_figures_are_those_of_the_table(
    window: browser.Page, folder: Path, full_run: Run, control: str, role: int
) -> None:
    window.size(360, 780)
    window.open(folder / "page.html")
    window.click(f"[name=deals][value={control}]")
    tap(window, HAND)
    for suit in SUITS:
        row = expected(full_run, HAND, suit, ROLES[role])
        for bid in BIDS:
            chance = percent_interval(*(row[f"make_{bid}{end}"] for end in ("", "_low", "_high")))
            assert figure(window, suit, bid, "make") == chance
            assert figure(window, suit, bid, "net") == signed(row[f"net_{bid}"])
        assert f"Mean points: {decimal(row['mean_points'])}" in window.text(f'[data-suit="{suit}"]')


def test_a_card_is_put_back_and_a_seventh_is_refused(window: browser.Page, folder: Path) -> None:
    window.open(folder / "page.html")
    tap(window, (*HAND, "Jo"))
    assert window.text("#typed-error") == TEXTS["full"]
    window.click("#hand button")
    assert window.script("return document.querySelectorAll('#hand button').length") == 5
    assert window.script("return document.getElementById('results').hidden")
    tap(window, ("Jo",))
    assert window.text("#typed-error") == ""
    assert window.script("return document.getElementById('typed').value") == "KS 2S 10H JC 9D Jo"
    window.click("#clear")
    assert window.script("return document.querySelectorAll('#hand button').length") == 0
    assert window.script("return location.hash") == ""


def test_the_keyboard_alone_is_enough(window: browser.Page, folder: Path, full_run: Run) -> None:
    window.size(1280, 900)
    window.open(folder / "page.html")
    focused = "return document.activeElement.dataset.card || document.activeElement.id || document.activeElement.value"
    window.press("tab")  # past the button that clears: there is nothing to clear yet
    assert window.script(focused) == "AS"
    window.press("space", "right", "space", "down", "enter", "end", "space", "home", "down", "down", "space")
    assert window.script("return document.getElementById('typed').value") == "AS KS KH AC Jo"
    window.press("tab")
    assert window.script(focused) == "typed"
    window.press("end", *" 2d", "enter")
    window.press("tab", "left", "left")
    assert window.script(focused) == "me"
    hand = ("AS", "KS", "KH", "AC", "Jo", "2D")
    row = expected(full_run, hand, "S", "dealer")
    assert figure(window, "S", 3, "make") == percent_interval(
        *(row[f"make_3{end}"] for end in ("", "_low", "_high"))
    )
    assert (
        window.script("return getComputedStyle(document.activeElement.nextElementSibling).outlineStyle")
        == "solid"
    )


def test_typed_cards_are_complained_of_in_words(window: browser.Page, folder: Path) -> None:
    window.open(folder / "page.html")
    window.click("#typed")
    window.press(*"AS KS QQ ")
    assert "QQ" in window.text("#typed-error")
    window.press("backspace", "backspace", *"S 1")
    assert window.text("#typed-error") == ""
    window.press(*"0S", "enter")
    assert window.text("#typed-error") == TEXTS["error_few"].format(n=4)


def test_scores_are_weighed(window: browser.Page, folder: Path, known: Lookup) -> None:
    assert known.match is not None
    window.size(1280, 900)
    window.open(folder / "page.html", f"#{','.join(HAND)};deals=right;scores=14,9,18")
    points, _ = counts(known, list(HAND), "S", 3)
    leaving = known.match.leaving((14, 9, 18), 3)
    for bid in BIDS:
        wanted = declare(points, known.match.values((14, 9, 18), 3, bid), bid, leaving)
        assert figure(window, "S", bid, "match").split()[0] == decimal(100 * wanted.chance, 1)
        assert figure(window, "S", bid, "needed") == decimal(100 * wanted.needed, 0)
    assert f"{decimal(100 * leaving, 1)}%" in window.text(".leaving")
    window.click("#weigh")
    assert window.script("return document.querySelector('.leaving')") is None
    assert window.script("return location.hash").endswith(";deals=right")


def test_what_is_said_aloud_is_marked_as_such(window: browser.Page, folder: Path) -> None:
    window.open(folder / "page.html")
    tap(window, HAND)
    assert window.script("return document.getElementById('verdict').getAttribute('aria-live')") == "polite"
    assert window.text("#verdict")
    unnamed = """return [...document.querySelectorAll('button, input, select')].filter((control) =>
        !control.ariaLabel && !control.textContent.trim() && !control.labels?.length).length"""
    assert window.script(unnamed) == 0


@pytest.mark.parametrize("name", ["page", "long"])
def test_the_page_fits_a_phone(window: browser.Page, folder: Path, name: str) -> None:
    window.size(360, 780)
    window.open(folder / f"{name}.html", f"#{','.join(HAND)};deals=right;scores=14,9,18")
    assert window.script("return document.documentElement.scrollWidth") <= 360
    small = """return [...document.querySelectorAll('#cards button, #clear, .choices input')].filter((control) =>
        control.offsetWidth && (control.offsetWidth < 32 || control.offsetHeight < 32)).length"""
    assert window.script(small) == 0


def test_an_answer_is_printed_on_one_page(window: browser.Page, folder: Path) -> None:
    window.size(1280, 900)
    window.open(folder / "page.html", f"#{','.join(HAND)};scores=14,9,18")
    assert len(re.findall(rb"/Type\s*/Page\b", window.print())) == 1


def test_every_card_can_be_tapped(window: browser.Page, folder: Path) -> None:
    window.open(folder / "page.html")
    cards = window.script(
        "return [...document.querySelectorAll('#cards button')].map((card) => card.dataset.card)"
    )
    assert cards == list(CANONICAL)


def test_the_language_is_that_of_the_page(window: browser.Page, folder: Path) -> None:
    window.open(folder / "long.html", f"#{','.join(HAND)}")
    assert window.script("return document.documentElement.lang") == "de"
    assert window.script("return document.getElementById('typed').value") == "AS KS 2S 10H BC 9D"
    assert re.fullmatch(r"\d+,\d ±\d+,\d", figure(window, "S", 4, "make"))


def test_the_browser_has_nothing_to_complain_of(window: browser.Page, folder: Path) -> None:
    window.complaints()
    for name in ("page", "long"):
        window.open(folder / f"{name}.html", f"#{','.join(HAND)};deals=left;scores=20,-6,3")
    assert window.complaints() == []
