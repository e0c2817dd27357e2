import hashlib
import os
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import schmier_sim
from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.store import Run
from schmier_sim.game.holdings import HOLDINGS, parse_holding
from schmier_sim.game.rules import Rules
from schmier_sim.present import charts, style, words
from schmier_sim.present.files import PresentError

NAMES = ("make-by-trumps", "patterns", "points", "points-won")


def all_figures(run: Run) -> dict[str, Figure]:
    holdings = make_table(run, by=("pattern",))
    return {
        "make-by-trumps": charts.by_trumps(make_table(run, by=("role", "trumps")), run.info),
        "patterns": charts.patterns(holdings, run.info),
        "points": charts.points(holdings, run.info),
        "points-won": charts.points_won(make_table(run, by=("trumps",)), run.info),
    }


def foot(figure: Figure) -> str:
    return " ".join(text.get_text() for text in reversed(figure.texts))


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(matplotlib.text.Text) if text.get_text()]


@pytest.fixture(scope="module")
def figures(run: Run) -> dict[str, Figure]:
    return all_figures(run)


@pytest.fixture(scope="module")
def again(run: Run) -> dict[str, Figure]:
    return all_figures(run)


@pytest.mark.parametrize(
    ("name", "image_format"),
    [*((name, "svg") for name in NAMES), ("make-by-trumps", "png")],
)
def test_the_same_run_gives_the_same_bytes(
    figures: dict[str, Figure], again: dict[str, Figure], name: str, image_format: str
) -> None:
    assert style.figure_bytes(figures[name], image_format) == style.figure_bytes(again[name], image_format)


def test_bytes_are_the_same_in_another_process_with_other_settings(
    run: Run, figures: dict[str, Figure], tmp_path: Path
) -> None:
    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\nfont.size: 30\nsvg.fonttype: none\n")
    (tmp_path / "data").write_bytes(pickle.dumps((make_table(run, by=("trumps",)), run.info)))
    script = (
        "import hashlib, pathlib, pickle\n"
        "from schmier_sim.present import charts, style\n"
        "figure = charts.points_won(*pickle.loads(pathlib.Path('data').read_bytes()))\n"
        "print(*(hashlib.sha256(style.figure_bytes(figure, f)).hexdigest() for f in ('svg', 'pdf')))\n"
    )
    environment = os.environ | {
        "PYTHONPATH": str(Path(schmier_sim.__file__).parents[1]),
        "PYTHONHASHSEED": "5",
    }
    told = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert told == [
        hashlib.sha256(style.figure_bytes(figures["points-won"], image_format)).hexdigest()
        for image_format in ("svg", "pdf")
    ]


def test_the_users_own_settings_are_left_alone(run: Run) -> None:
    before = dict(matplotlib.rcParams)
    charts.points_won(make_table(run, by=("trumps",)), run.info)
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_says_where_it_comes_from(figures: dict[str, Figure], name: str) -> None:
    foot = "rules standard · bots simple · mode declare, stratified sample · 1,845,600 deals · seed 7 · schmier-sim"
    assert any(text.startswith(foot) for text in texts(figures[name]))


@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_cut_off_at_the_edge_of_the_picture(figures: dict[str, Figure], name: str) -> None:
    figure = figures[name]
    FigureCanvasAgg(figure).draw()
    page = figure.bbox
    for text in figure.findobj(matplotlib.text.Text):
        if text.get_text() and text.get_visible() and text.axes is None:
            box = text.get_window_extent()
            assert page.x0 <= box.x0, text
            assert box.x1 <= page.x1, text
            assert page.y0 <= box.y0, text
    for panel in figure.axes:
        box = panel.get_tightbbox()
        assert box is not None
        assert page.x0 <= box.x0
        assert box.x1 <= page.x1


def test_lines_show_the_chances_and_intervals_of_the_table(run: Run) -> None:
    frame = make_table(run, by=("role", "trumps"))
    dealer = frame[frame["role"] == "dealer"]
    panel = charts.by_trumps(frame, run.info).axes[0]
    bars = panel.containers[1]  # of a bid of 4
    assert list(bars.lines[0].get_ydata()) == pytest.approx(list(100 * dealer["make_4"]))
    ends = [segment[:, 1] for segment in bars.lines[2][0].get_segments()]
    assert [end[0] for end in ends] == pytest.approx(list(100 * dealer["make_4_low"]))
    assert [end[1] for end in ends] == pytest.approx(list(100 * dealer["make_4_high"]))


def test_heatmaps_show_frequent_and_strong_holdings(run: Run) -> None:
    frame = make_table(run, by=("pattern",)).set_index("pattern", drop=False)
    frequent, strongest = charts.patterns(frame, run.info).axes
    shown = [label.get_text() for label in frequent.get_yticklabels()]
    chances = {holding.text: holding.chance for holding in HOLDINGS if holding.trumps >= 3}
    assert min(chances[text] for text in shown) == sorted(chances.values())[-charts.PATTERN_ROWS]
    best = [label.get_text() for label in strongest.get_yticklabels()]
    common = [text for text in frame["pattern"] if HOLDINGS[parse_holding(text)].chance >= 1 / 10_000]
    assert best == list(
        frame.loc[common].sort_values("mean_points", ascending=False).index[: charts.PATTERN_ROWS]
    )
    first = [text.get_text() for text in strongest.texts[:4]]
    assert first == [f"{100 * frame[f'make_{bid}'][best[0]]:.0f}" for bid in (3, 4, 5, 6)]


def test_rows_of_heatmaps_stand_by_mean_points_and_the_note_says_so(run: Run) -> None:
    frame = make_table(run, by=("pattern",)).set_index("pattern", drop=False)
    figure = charts.patterns(frame, run.info)
    for panel in figure.axes:
        shown = [label.get_text() for label in panel.get_yticklabels()]
        assert frame.loc[shown, "mean_points"].is_monotonic_decreasing
    assert "most points on average first" in foot(figure)


def test_labels_and_numbers_of_a_heatmap_have_one_baseline(figures: dict[str, Figure]) -> None:
    panel = figures["patterns"].axes[0]
    labels = panel.get_yticklabels()
    assert {text.get_va() for text in [*labels, *panel.texts]} == {"baseline"}
    places = {round(float(text.get_position()[1]), 9) for text in panel.texts}
    assert sorted(places) == pytest.approx([label.get_position()[1] for label in labels])


@pytest.mark.parametrize("name", ["make-by-trumps", "points-won"])
def test_no_grid_line_runs_through_a_label(figures: dict[str, Figure], name: str) -> None:
    FigureCanvasAgg(figures[name]).draw()
    for panel in figures[name].axes:
        (lines,) = (lines for lines in panel.collections if lines.get_zorder() == 0.5)
        end = max(panel.transData.transform(segment)[:, 0].max() for segment in lines.get_segments())
        names = [
            text for text in panel.texts if re.match("bid|high|low|right|left|joker|game", text.get_text())
        ]
        assert len(names) == {"make-by-trumps": 4, "points-won": 6}[name]
        assert all(text.get_window_extent().x0 >= end for text in names)
        assert not any(line.get_visible() for line in panel.get_ygridlines())


def test_every_part_of_a_column_has_its_number_or_the_note_tells(run: Run) -> None:
    frame = make_table(run, by=("trumps",))
    figure = charts.points_won(frame, run.info)
    numbers = [text for text in figure.axes[0].texts if text.get_text().endswith(" %")]
    assert len(numbers) == 6 * len(frame)
    assert "without a number" not in foot(figure)
    backed = [text for text in numbers if text.get_bbox_patch() is not None]
    assert len(backed) == 3 * len(frame)  # all on hatches
    frame.loc[0, ["won_left", "won_game"]] = 0.01
    figure = charts.points_won(frame, run.info)
    assert re.search(r"Parts without a number are below \d+ %\.", foot(figure))


def test_charts_of_chosen_hands_warn(figures: dict[str, Figure], run: Run) -> None:
    auction = all_figures(replace(run, info=replace(run.info, mode="auction", sample="natural")))
    for name in NAMES:
        assert words.AUCTION_NOTE in texts(auction[name]), name
        assert words.AUCTION_NOTE not in texts(figures[name]), name


def test_shares_are_called_what_they_are(figures: dict[str, Figure], run: Run) -> None:
    natural = all_figures(replace(run, info=replace(run.info, sample="natural")))
    for name in ("patterns", "points"):
        told, dealt = foot(natural[name]), foot(figures[name])
        assert "Once in: so many of the hands that were declared in this run." in told
        assert "named suit" not in told
        assert "Once in: so many hands, for one named suit." in dealt
    titles = [panel.get_title(loc="left") for panel in natural["patterns"].axes]
    assert titles == [
        "Most often declared, from three trumps",
        "Strongest of those declared at least once in 10,000",
    ]
    titles = [panel.get_title(loc="left") for panel in figures["patterns"].axes]
    assert titles == [
        "Most often dealt, from three trumps",
        "Strongest of those dealt at least once in 10,000",
    ]


def test_typical_holdings_are_holdings_in_their_usual_spelling() -> None:
    assert [HOLDINGS[parse_holding(text)].text for text in charts.TYPICAL] == list(charts.TYPICAL)
    assert len(set(charts.TYPICAL)) == len(charts.TYPICAL)


def test_bars_add_up_to_all_deals(run: Run) -> None:
    panels = charts.points(make_table(run, by=("pattern",)), run.info).axes
    assert len(panels) == len(charts.TYPICAL)
    for panel in panels:
        assert sum(bar.get_height() for bar in panel.patches) == pytest.approx(100)


def test_the_parts_of_a_column_add_up_to_the_points_won(run: Run) -> None:
    frame = make_table(run, by=("trumps",))
    tops: dict[int, float] = {}
    for bar in charts.points_won(frame, run.info).axes[0].patches:
        trumps = round(bar.get_x() + bar.get_width() / 2)
        tops[trumps] = tops.get(trumps, 0) + bar.get_height()
    assert list(tops.values()) == pytest.approx(list(frame["mean_points"]))


def test_labels_of_close_lines_are_moved_apart() -> None:
    assert charts.apart([99.0, 98.0, 40.0, 2.0], 6, 100) == [99, 93, 40, 2]
    assert charts.apart([3.0, 2.0, 1.0, 0.0], 6, 100) == [18, 12, 6, 0]


def test_charts_of_a_run_with_too_few_deals_say_so(small_run: Run) -> None:
    figures = all_figures(small_run)
    assert "too few deals" in texts(figures["patterns"])
    assert texts(figures["points"]).count("too few deals") == len(charts.TYPICAL)
    for figure in figures.values():
        FigureCanvasAgg(figure).draw()


def test_files_are_written_chart_by_chart(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "charts"
    paths = charts.write_charts(run, folder, ["svg"])
    assert paths == [folder / f"{name}.svg" for name in NAMES]
    assert sorted(folder.iterdir()) == sorted(paths)
    assert (folder / "points.svg").read_bytes().startswith(b"<?xml")


def test_long_rules_are_wrapped_in_the_foot(run: Run) -> None:
    rules = Rules(
        name="a-club-with-many-rules-of-its-own", teams="2x3", all_pass="next-dealer", low_to="taker",
        game_tie="declarer", trump_anytime=True, first_lead="trump", dealer_steals=True, must_bid_to_win=True,
        target=15,
    )  # fmt: skip
    figure = charts.points_won(make_table(run, by=("trumps",)), replace(run.info, rules=rules))
    FigureCanvasAgg(figure).draw()
    assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in figure.texts)


def test_an_unknown_format_is_refused_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    with pytest.raises(PresentError, match=r'no charts in format "gif": choose png, svg or pdf'):
        charts.write_charts(run, tmp_path / "charts", ["png", "gif"])
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PresentError, match=r"cannot make the folder .*file: ") as error:
        charts.write_charts(run, tmp_path / "file", ["svg"])
    assert "\n" not in str(error.value)
