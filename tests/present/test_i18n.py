import datetime
import importlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from gettext import NullTranslations
from importlib import resources, util
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from schmier_sim.analysis.handout import Figures, figures
from schmier_sim.analysis.store import Run
from schmier_sim.game.rules import CHOICES, FLAGS, Rules
from schmier_sim.present import handout, house
from schmier_sim.present.files import PresentError
from schmier_sim.present.handout import content
from schmier_sim.present.house import rules_in_words
from schmier_sim.present.i18n import HARD, LANGUAGES, NARROW, Language, language

FOREIGN = LANGUAGES[1:]
ROOT = Path(__file__).parents[2]
LOOKUP = "schmier_sim.present.lookup_texts"
SPOKEN = {"say": None, "say_many": (1, 2)}
ALIKE = {"de": {"Joker"}, "hu": {"Joker", "joker", "Program"}}  # the same words
HOUSE = Rules(
    name="our club",
    all_pass="dealer-bids-3",
    low_to="taker",
    game_tie="defender",
    first_lead="trump",
    trump_anytime=True,
    dealer_steals=True,
    must_bid_to_win=True,
    target=31,
)
Message = str | tuple[str, str]


class Recorder(NullTranslations):
    """A catalogue that knows no word, and remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.said: set[Message] = set()

    def gettext(self, message: str) -> str:
        self.said.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.said.add((msgid1, msgid2))
        return super().ngettext(msgid1, msgid2, n)


def listening(code: str = "en") -> tuple[Language, Recorder]:
    recorder = Recorder()
    return replace(language(code), catalogue=recorder), recorder


def with_info(run: Run, **changes: Any) -> Run:
    return Run(replace(run.info, **changes), run.tally)


def every_rule() -> Iterator[Rules]:
    changes: list[dict[str, Any]] = [{key: value} for key, values in CHOICES.items() for value in values]
    changes += [{key: True} for key in FLAGS]
    yield HOUSE
    yield from (Rules(**change) for change in changes)


@pytest.fixture(scope="module")
def shown(run: Run) -> Figures:
    return figures(run)


@pytest.fixture(scope="module")
def said(run: Run, shown: Figures, small_run: Run) -> set[Message]:
    """What the handouts say: of runs of every kind, and under every rule."""
    speaker, recorder = listening()
    for code in LANGUAGES:
        own, heard = listening(code)
        content(run, shown, own)
        content(with_info(run, rules=HOUSE), replace(shown, box=()), own)
        recorder.said |= heard.said
    few = figures(small_run)
    for changes in ({}, {"sample": "natural"}, {"mode": "auction"}):
        content(with_info(small_run, **changes), few, speaker)
    for rules in every_rule():
        rules_in_words(rules, speaker)
    return recorder.said


@pytest.fixture(scope="module", params=FOREIGN)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return read_catalogue(request.param)


def read_catalogue(code: str) -> Catalog:
    file = resources.files("schmier_sim.present") / "locale" / f"{code}.po"
    with file.open("rb") as stream:
        return read_po(stream, locale=code, abort_invalid=True)


def in_the_sources() -> set[Message]:
    """What the sources say, whether or not a run comes to it."""
    found: set[Message] = set()
    for module in (handout, house):
        for _, message, _, _ in extract_from_file("python", str(module.__file__), keywords=SPOKEN):
            found.add(message if isinstance(message, str) else (message[0], message[1]))
    return found


def of_play() -> set[Message]:
    """Rules of play, those among them that are not on the handout of today."""
    file = resources.files("schmier_sim.analysis") / "playrules.json"
    if not file.is_file():
        return set()
    return {rule["rule"] for rule in json.loads(file.read_text(encoding="utf-8"))["rules"]}


def of_the_lookup_page() -> set[Message]:
    if util.find_spec(LOOKUP) is None:
        return set()
    texts = importlib.import_module(LOOKUP)
    return {texts.TITLE, *texts.TEXTS.values()}


def is_there(location: tuple[str, int]) -> bool:
    """Whether there is such a file."""
    return (ROOT / location[0]).is_file()


def texts_of(message: Any) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)


def entries(catalogue: Catalog) -> list[Any]:
    return [message for message in catalogue if message.id]


def placeholders(text: str) -> Counter[str]:
    return Counter(re.findall(r"\{.*?\}", text))


def test_all_that_a_handout_says_is_translated(said: set[Message], catalogue: Catalog) -> None:
    assert not [message for message in said if texts_of(message)[0] not in catalogue]
    assert len(said) > 100


def test_all_that_stands_in_the_sources_is_translated(catalogue: Catalog) -> None:
    texts = in_the_sources() | of_play() | of_the_lookup_page()
    assert not [message for message in texts if texts_of(message)[0] not in catalogue]


def test_what_is_said_is_found_in_the_sources(said: set[Message]) -> None:
    if of_play():
        assert said <= in_the_sources() | of_play()


def test_nothing_is_translated_that_is_never_said(said: set[Message], catalogue: Catalog) -> None:
    spoken = {texts_of(message)[0] for message in said | in_the_sources() | of_play() | of_the_lookup_page()}
    there = [message for message in entries(catalogue) if any(map(is_there, message.locations))]
    assert len(there) > 100
    assert not {texts_of(message.id)[0] for message in there} - spoken


def test_a_translation_is_neither_empty_nor_english(catalogue: Catalog) -> None:
    alike = ALIKE[str(catalogue.locale)]
    for message in entries(catalogue):
        ids, words = texts_of(message.id), texts_of(message.string)
        assert len(words) == len(ids)
        assert all(text.strip() for text in words), ids
        assert all(text == text.strip() for text in words), ids
        assert alike.issuperset(ids) or not set(ids) & set(words), ids


def test_placeholders_are_those_of_the_english_text(catalogue: Catalog) -> None:
    for message in entries(catalogue):
        for english, own in zip(texts_of(message.id), texts_of(message.string), strict=True):
            assert placeholders(own) == placeholders(english), english
            assert own.count("{") == own.count("}") == placeholders(own).total(), english


def test_a_catalogue_is_clean(catalogue: Catalog) -> None:
    assert not catalogue.obsolete
    assert not [message.id for message in catalogue if message.fuzzy and message.id]
    assert all(message.locations for message in entries(catalogue))
    assert catalogue.num_plurals == 2


def test_quotation_marks_are_those_of_the_language(catalogue: Catalog) -> None:
    close = {"de": "“", "hu": "”"}[str(catalogue.locale)]
    for message in entries(catalogue):
        for text in texts_of(message.string):
            assert not re.search(r"[\"'`´]|\.\.\.|  | [,.;:!?]", text), text
            assert text.count("„") == text.count(close), text
            assert not set(text) & ({"“", "”"} - {close}), text


def all_words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from all_words(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from all_words(part)


def test_a_run_is_put_into_words_without_english(run: Run, shown: Figures) -> None:
    made = {code: content(run, shown, language(code)) for code in LANGUAGES}
    assert made["de"].title == "Wie hoch bieten beim Schmier?"
    assert made["hu"].title == "Meddig licitálj Schmierben?"
    english = re.compile(r"\b(the|of|trumps|bids|hands?|deals|points?|made)\b")
    assert english.search(" ".join(all_words(made["en"].to_dict())))
    for code in FOREIGN:
        assert not [text for text in all_words(made[code].to_dict()) if english.search(text)]


def test_a_text_that_depends_on_a_number() -> None:
    one = "Where your partner holds the bid it takes {n} point more."
    many = "Where your partner holds the bid it takes {n} points more."
    assert language("en").say_many(one, many, 1) == "Where your partner holds the bid it takes 1 point more."
    assert language("de").say_many(one, many, 1) == "Hält dein Partner das Gebot, brauchst du 1 Punkt mehr."
    assert language("de").say_many(one, many, 3) == "Hält dein Partner das Gebot, brauchst du 3 Punkte mehr."
    assert language("hu").say_many(one, many, 1) == "Ha a partneredé a licit, 1 ponttal több kell."
    assert language("hu").say_many(one, many, 3) == "Ha a partneredé a licit, 3 ponttal több kell."


def test_an_empty_text_stays_empty() -> None:
    # The catalogues have their header under the empty text.
    assert [language(code).say("") for code in LANGUAGES] == ["", "", ""]


WRITTEN = {
    "number": ((1234.5, 1), "1,234.5", "1.234,5", "1234,5"),
    "number below zero": ((-0.25, 2), "−0.25", "−0,25", "−0,25"),
    "number that is hardly below zero": ((-0.001, 2), "0.00", "0,00", "0,00"),
    "number that is unknown": ((float("nan"), 2), "–", "–", "–"),
    "signed": ((0.5, 1), "+0.5", "+0,5", "+0,5"),
    "count": ((10_000_000,), "10,000,000", "10.000.000", f"10{HARD}000{HARD}000"),
    "percent": ((0.345, 1), "34.5%", f"34,5{NARROW}%", "34,5%"),
    "percent of a whole": ((1,), "100%", f"100{NARROW}%", "100%"),
    "chance": ((0.9999,), f">{HARD}99%", f">{HARD}99{NARROW}%", f">{HARD}99%"),
    "chance that is small": ((0.0001,), f"<{HARD}1%", f"<{HARD}1{NARROW}%", f"<{HARD}1%"),
    "one_in": ((1 / 4665,), "4,665", "4.665", "4665"),
    "one_in of few": ((0.4,), "2.5", "2,5", "2,5"),
    "date": ((datetime.date(2025, 3, 4),), "March 4, 2025", "4. März 2025", "2025. március 4."),
    "cards": (("A K Q R L 10 x 2 Jo",), "A K Q R L 10 x 2 Jo", "A K D R L 10 x 2 Jo", "A K D jB bB 10 x 2 Jo"),
    "cards with a jack": (("J",), "J", "B", "B"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("code", LANGUAGES)
def test_numbers_dates_and_cards(name: str, code: str) -> None:
    values, *expected = WRITTEN[name]
    method = getattr(language(code), name.split()[0])
    assert method(*values) == expected[LANGUAGES.index(code)]


@pytest.mark.parametrize("code", FOREIGN)
def test_no_two_cards_share_a_letter(code: str) -> None:
    ranks = ("A", "K", "Q", "J", "R", "L", "10", "9", "2", "x", "Jo")
    assert len({language(code).cards(rank) for rank in ranks}) == len(ranks)


@pytest.mark.parametrize("code", ["fr", "", "DE", "de_DE"])
def test_an_unknown_language_is_refused_in_one_line(code: str) -> None:
    with pytest.raises(PresentError) as refused:
        language(code)
    assert str(refused.value) == f'there is no language "{code}": choose en, de or hu'
