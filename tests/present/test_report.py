import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.store import Run
from schmier_sim.game.rules import CHOICES, FLAGS, Rules
from schmier_sim.present import report, words
from schmier_sim.present.charts import TYPICAL
from schmier_sim.present.files import PresentError, write_file

MANY_RULES = Rules(
    name="a-club-with-many-rules-of-its-own", teams="2x3", all_pass="dealer-bids-3", low_to="taker",
    game_tie="defender", trump_anytime=True, first_lead="trump", dealer_steals=True, must_bid_to_win=True, target=15,
)  # fmt: skip


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_the_same_run_gives_the_same_pdf(run: Run) -> None:
    pdf = report.report_bytes(run)
    assert pdf == report.report_bytes(run)
    assert pdf.startswith(b"%PDF")
    assert b"20250304" in pdf  # dated by the run


@pytest.mark.parametrize("paper", report.PAPERS)
@pytest.mark.parametrize("rules", [Rules(), MANY_RULES], ids=["standard", "many"])
def test_the_handout_is_one_page(run: Run, paper: str, rules: Rules) -> None:
    assert pages(report.report_bytes(replace(run, info=replace(run.info, rules=rules)), paper)) == 1


def test_a_long_title_is_set_and_does_no_harm(run: Run) -> None:
    assert report.report_bytes(run, title="#panic() & $x$ \\ “Ü” " * 3).startswith(b"%PDF")


def test_the_sheet_shows_the_numbers_of_the_table(run: Run) -> None:
    data = report.sheet_data(run)
    frame = make_table(run, by=("pattern",)).set_index("pattern")
    assert [row["name"] for row in data["holdings"]] == list(TYPICAL)
    assert [row["name"] for row in data["trumps"]] == ["0", "1", "2", "3", "4", "5", "6"]
    for row in data["holdings"]:
        wanted = frame.loc[row["name"]]
        assert [float(make[0]) for make in row["makes"]] == pytest.approx(
            [100 * wanted[f"make_{bid}"] for bid in (3, 4, 5, 6)], abs=0.0501
        )
        assert float(row["mean"]) == pytest.approx(wanted["mean_points"], abs=0.00501)
        assert row["best"] == wanted["best_bid"]
        assert row["deals"] == "2,400"


def test_the_foot_names_rules_bots_deals_seed_version_and_date(run: Run) -> None:
    assert report.sheet_data(run)["foot"] == (
        "rules standard · bots simple · mode declare, stratified sample · 1,845,600 deals · seed 7"
        " · schmier-sim 0.1.0 · run of 2025-03-04"
    )


def test_holdings_with_too_few_deals_are_left_out_and_named(small_run: Run) -> None:
    data = report.sheet_data(small_run)
    assert data["holdings"] == []
    assert data["notes"][-1].replace("\u00a0", " ") == f"Left out for too few deals: {', '.join(TYPICAL)}."
    assert pages(report.report_bytes(small_run)) == 1


def test_the_notes_say_what_the_shares_are_of_and_explain_what_is_open(run: Run) -> None:
    notes = " ".join(report.sheet_data(run)["notes"])
    assert "Once in … hands: six cards hold this in one named suit." in notes
    assert "flatter" not in notes
    auction = replace(run, info=replace(run.info, mode="auction", sample="natural"))
    data = report.sheet_data(auction)
    assert data["notes"][0] == words.AUCTION_NOTE
    assert "Once in … hands: among the hands that were declared in this run." in data["notes"][1]
    assert "named suit" not in json.dumps(data)


def test_open_bids_and_one_sided_intervals_are_explained(run: Run) -> None:
    data = report.sheet_data(run)
    rows = [*data["trumps"], *data["holdings"]]
    notes = " ".join(data["notes"])
    assert any(" " in row["best"] for row in rows) == ("too close to call" in notes)
    one_sided = any(text[-1][0] in "+−" for row in rows for text in row["makes"])
    assert one_sided == ("one side only" in notes)


def test_lists_of_cards_are_not_broken() -> None:
    sentences = " ".join(words.rules_in_words(Rules()))
    assert "10 9 8 7 6 5 4 3 2".replace(" ", "\u00a0") in sentences
    assert "The match goes to 21; if several get there, the highest score wins" in sentences


def changed_rules() -> list[Rules]:
    one_changed = [{key: value} for key, values in CHOICES.items() for value in values[1:]]
    return [Rules(**change) for change in [*one_changed, *({flag: True} for flag in FLAGS), {"target": 11}]]


@pytest.mark.parametrize("rules", changed_rules(), ids=lambda rules: str(rules.differences()))
def test_every_house_rule_changes_the_words(rules: Rules) -> None:
    assert words.rules_in_words(rules) != words.rules_in_words(Rules())


def test_house_rules_in_words_cover_every_field() -> None:
    assert {field.name for field in fields(Rules)} == {"name", "target", *CHOICES, *FLAGS}


def test_the_template_holds_no_words() -> None:
    template = (Path(report.__file__).parent / "templates" / "sheet.typ").read_text(encoding="utf-8")
    code = re.sub(r"//.*", "", template)
    used = set(re.findall(r"words\.(\w+)", code)) - {"split"}
    assert used == set(words.sheet_words())
    assert not re.search(r"\[[^\]#]*[A-Za-z]{3,}", code)


def test_unknown_paper_and_language_are_refused(run: Run, tmp_path: Path) -> None:
    with pytest.raises(PresentError, match='no paper "a5": choose a4 or letter'):
        report.write_report(run, tmp_path / "sheet.pdf", paper="a5")
    with pytest.raises(PresentError, match='no handout in language "xx": choose en'):
        report.write_report(run, tmp_path / "sheet.pdf", lang="xx")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_one_line_and_leaves_nothing(run: Run, tmp_path: Path) -> None:
    with pytest.raises(PresentError, match=r"cannot write .*sheet\.pdf: No such file or directory"):
        report.write_report(run, tmp_path / "none" / "sheet.pdf")
    (tmp_path / "folder").mkdir()
    with pytest.raises(PresentError, match=r"cannot write .*folder: "):
        write_file(tmp_path / "folder", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_finished_file_is_replaced_wholly(tmp_path: Path) -> None:
    write_file(tmp_path / "sheet.pdf", b"old and long")
    write_file(tmp_path / "sheet.pdf", b"new")
    assert (tmp_path / "sheet.pdf").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.pdf"]
