import csv
import io
import json
import re
from dataclasses import replace

import pandas as pd
import pytest

from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.store import Run
from schmier_sim.game.cards import POINTS
from schmier_sim.game.rules import Rules
from schmier_sim.present import tables

ROW_KEYS = [
    "deals", "effective_deals", "share", "mean_points", "points",
    *(f"make_{bid}{bound}" for bid in (3, 4, 5, 6) for bound in ("", "_low", "_high")),
    *(f"net_{bid}{error}" for bid in (3, 4, 5, 6) for error in ("", "_se")),
    "best_bid", "won",
]  # fmt: skip


def one_row(**changes: object) -> pd.DataFrame:
    row: dict[str, object] = {
        "pattern": "A K R x x", "deals": 13_002, "effective_deals": 13_002.0, "share": 1 / 28_800, "mean_points": 4.127,
        **{f"points_{number}": count for number, count in enumerate([0, 2, 600, 2_800, 5_100, 3_600, 900])},
    }  # fmt: skip
    for bid, chance in zip((3, 4, 5, 6), (0.954, 0.738, 0.346, 0.069), strict=True):
        row |= {f"make_{bid}": chance, f"make_{bid}_low": chance - 0.008, f"make_{bid}_high": chance + 0.007}
    for bid, net in zip((3, 4, 5, 6), (3.9, 2.414, -1.33, -5.2), strict=True):
        row |= {f"net_{bid}": net, f"net_{bid}_se": 0.0123}
    row |= {"best_bid": "4", **{f"won_{point}": 0.5 for point in POINTS}}
    return pd.DataFrame([row | changes])


def test_a_table_for_the_terminal_is_aligned_and_says_where_it_comes_from(run: Run) -> None:
    text = tables.to_text(one_row(), run.info)
    assert text.splitlines()[:3] == [
        "trumps              once in  ------------- bid is made, % ------------    mean    bid"
        "  - net points of bidding --",
        "held         deals  … hands          3          4          5         6  points  up to"
        "      3      4      5      6",
        "A K R x x  13,002    28,800  95.4 ±0.8  73.8 ±0.8  34.6 ±0.8  6.9 ±0.8    4.13      4"
        "  +3.90  +2.41  −1.33  −5.20",
    ]
    assert text.endswith(
        "\nrules standard · bots simple · mode declare, stratified sample · 1,845,600 deals · seed 7"
        " · schmier-sim 0.1.0\n"
    )


def test_the_main_table_fits_into_120_columns(run: Run) -> None:
    for by in (("trumps",), ("pattern",)):
        assert max(map(len, tables.to_text(make_table(run, by=by), run.info).splitlines())) <= 120


def test_a_wide_table_goes_on_in_further_blocks_with_the_keys_repeated(run: Run) -> None:
    text = tables.to_text(one_row(), run.info, wide=True)
    assert text.count("A K R x x ") == 2
    assert "+2.41 (0.012)" in text
    assert re.search(r"A K R x x .*50\.0 +50\.0 +50\.0 +50\.0 +50\.0 +50\.0", text)
    assert max(map(len, text.splitlines())) <= 120


def test_numbers_in_the_text_are_those_of_the_frame(run: Run) -> None:
    frame = make_table(run, by=("trumps",))
    lines = tables.to_text(frame, run.info).splitlines()[2:]
    for line, (_, row) in zip(lines, frame.iterrows(), strict=False):
        cells = line.replace("−", "-").split()
        assert int(cells[0]) == row["trumps"]
        assert int(cells[1].replace(",", "")) == row["deals"]
        for bid, cell in zip((3, 4, 5, 6), cells[3:11:2], strict=True):
            assert float(cell) == pytest.approx(100 * row[f"make_{bid}"], abs=0.0501)
        assert float(cells[11]) == pytest.approx(row["mean_points"], abs=0.00501)
        assert [float(cell) for cell in cells[-4:]] == pytest.approx(
            [row[f"net_{b}"] for b in (3, 4, 5, 6)], abs=0.00501
        )


def test_rows_with_few_deals_are_marked_and_rows_left_out_are_told(run: Run) -> None:
    frame = one_row(deals=812, effective_deals=812.0)
    frame.attrs["dropped"] = 3
    text = tables.to_text(frame, run.info)
    assert "  812*  " in text
    assert "* fewer than 1,000 deals: read with care." in text
    assert "3 rows are left out for too few deals." in text
    assert "fewer than" not in tables.to_text(one_row(), run.info)


def test_a_filter_is_told(run: Run) -> None:
    where = "trumps=3,\n  lacks=A"
    told = "only hands with trumps=3, lacks=A"
    assert f"\n\n{told}\n" in tables.to_text(one_row(), run.info, where=where)
    assert f"\n\n{told}  \n" in tables.to_markdown(one_row(), run.info, where=where)
    assert {
        row["where"] for row in csv.DictReader(io.StringIO(tables.to_csv(one_row(), run.info, where=where)))
    } == {"trumps=3, lacks=A"}
    assert json.loads(tables.to_json(one_row(), run.info, where=where))["run"]["where"] == "trumps=3, lacks=A"


def test_without_a_filter_nothing_is_told_of_it(run: Run) -> None:
    for text in (tables.to_text(one_row(), run.info), tables.to_markdown(one_row(), run.info, where=" ")):
        assert "only hands" not in text
    assert "where" not in json.loads(tables.to_json(one_row(), run.info, where=" "))["run"]
    (row,) = csv.DictReader(io.StringIO(tables.to_csv(one_row(), run.info)))
    assert row["where"] == ""


def test_an_open_best_bid_is_explained_where_there_is_one(run: Run) -> None:
    assert "too close" not in tables.to_text(one_row(), run.info)
    open_ = tables.to_text(one_row(best_bid="none or 3"), run.info)
    assert " beyond its error. none or 3: too close to call between the two.\n" in open_
    assert "3 to 5: too close to call between these." in tables.to_markdown(
        one_row(best_bid="3 to 5"), run.info
    )
    assert max(map(len, open_.splitlines())) <= 120


def test_an_interval_with_one_side_is_explained_where_there_is_one(run: Run) -> None:
    assert "one side" not in tables.to_text(one_row(), run.info)
    sure = tables.to_text(one_row(make_3=0.9998, make_3_low=0.9992, make_3_high=1.0), run.info)
    assert "\nWithout ± the interval has one side only: 100.0 −0.1 is from 99.9 to 100.0.\n" in sure
    never = tables.to_text(one_row(make_6=0.0, make_6_low=0.0, make_6_high=0.003), run.info)
    assert "0.0 +0.3 is from 0.0 to 0.3." in never


def test_a_table_of_chosen_hands_warns(run: Run) -> None:
    assert "so these chances flatter" in tables.to_text(one_row(), replace(run.info, mode="auction"))
    assert "so these chances flatter" not in tables.to_text(one_row(), run.info)


def test_a_table_of_everything_has_a_row_for_all_hands(run: Run) -> None:
    assert re.search(r"^all +1,845,600 ", tables.to_text(make_table(run, by=()), run.info), re.MULTILINE)


def test_keys_are_written_for_people(run: Run) -> None:
    frame = make_table(run, by=("role", "pattern"))
    text = tables.to_text(frame[frame["pattern"] == ""], run.info)
    assert re.search("^partner deals  none ", text, re.MULTILINE)
    assert re.search("^ +yes ", tables.to_text(make_table(run, by=("holds_A",)), run.info), re.MULTILINE)


def test_markdown_has_a_line_a_row_and_the_same_numbers(run: Run) -> None:
    lines = tables.to_markdown(one_row(deals=812, effective_deals=812.0), run.info).splitlines()
    assert lines[0].startswith("| trumps held | deals | once in … hands | make 3, % |")
    assert lines[1].startswith("| :--- | ---: |")
    assert lines[2].startswith("| A K R x x | 812* | 28,800 | 95.4 ±0.8 |")
    assert r"\* fewer than" in "\n".join(lines)
    assert lines[-1].startswith("rules standard · bots simple")


def test_csv_holds_every_column_and_the_run_in_every_row(run: Run) -> None:
    frame = make_table(run, by=("role", "trumps"))
    text = tables.to_csv(frame, run.info)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == [
        *frame.columns,
        "rules",
        "bots",
        "tempers",
        "bidding",
        "scores",
        "mode",
        "sample",
        "seed",
        "run_deals",
        "version",
        "where",
    ]
    assert [float(row["make_4_low"]) for row in rows] == pytest.approx(list(frame["make_4_low"]), rel=1e-8)
    assert {row["run_deals"] for row in rows} == {"1845600"}
    assert "\r" not in text
    back = pd.read_csv(io.StringIO(text))
    assert list(back["net_3_se"]) == pytest.approx(list(frame["net_3_se"]), rel=1e-8)


def test_json_has_exactly_the_keys_of_its_schema(run: Run) -> None:
    frame = make_table(run, by=("role", "pattern"))
    table = json.loads(tables.to_json(frame, run.info))
    assert list(table) == ["schema", "run", "rows"]
    assert table["schema"] == "schmier-sim/table/1"
    assert list(table["run"]) == (
        [
            "version",
            "rules",
            "bots",
            "tempers",
            "bidding",
            "scores",
            "mode",
            "sample",
            "seed",
            "deals",
            "ranges",
        ]
    )
    assert table["run"]["rules"] == Rules().to_dict()
    for row in table["rows"]:
        assert list(row) == ["role", "pattern", *ROW_KEYS]
        assert list(row["won"]) == list(POINTS)
        assert len(row["points"]) == 7
        assert sum(row["points"]) == row["deals"]
    assert [row["make_3_high"] for row in table["rows"]] == pytest.approx(
        list(frame["make_3_high"]), rel=1e-8
    )


def test_json_types_are_those_of_the_keys(run: Run) -> None:
    row = json.loads(tables.to_json(make_table(run, by=("trumps", "seat", "holds_A")), run.info))["rows"][0]
    assert [type(row[name]) for name in ("trumps", "seat", "holds_A", "deals", "best_bid")] == [
        int,
        int,
        bool,
        int,
        str,
    ]


def test_what_is_not_a_number_is_never_written(run: Run) -> None:
    frame = one_row(
        net_4_se=float("nan"), make_5=float("nan"), make_5_low=float("nan"), make_5_high=float("inf")
    )
    texts = [
        tables.to_text(frame, run.info, wide=True), tables.to_markdown(frame, run.info), tables.to_csv(frame, run.info),
        tables.to_json(frame, run.info),
    ]  # fmt: skip
    assert not any(re.search(r"\b(nan|inf)\b", text, re.IGNORECASE) for text in texts)
    assert json.loads(texts[3])["rows"][0]["make_5"] is None


def test_house_rules_are_named_in_the_foot(run: Run) -> None:
    info = replace(run.info, rules=Rules(name="our-club", low_to="taker", trump_anytime=True))
    assert "rules our-club (low_to taker, trump_anytime yes) · bots" in tables.to_text(one_row(), info)


def test_a_table_without_rows_says_why_in_one_line(run: Run) -> None:
    empty = one_row()[:0]
    text = tables.to_text(empty, run.info, wide=True)
    assert text.splitlines() == ["no rows: no hand was declared", "", text.splitlines()[-1]]
    assert text.splitlines()[-1].startswith("rules standard")
    assert tables.to_markdown(empty, run.info) == text
    nothing = make_table(run, where="holds=A and lacks=A")
    assert tables.to_text(nothing, run.info, where="holds=A and lacks=A").startswith(
        "no rows: no hand with holds=A and lacks=A was declared\n"
    )
    thin = make_table(run, where="trumps=3", min_deals=10**9)
    assert tables.to_text(thin, run.info, where="trumps=3").startswith(
        "no rows: 1 left out for too few deals, only hands with trumps=3\n"
    )
    assert json.loads(tables.to_json(one_row()[:0], run.info))["rows"] == []
