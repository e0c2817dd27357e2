"""Counts for the head as a card, tables, JSON and a picture."""

import json
from dataclasses import replace

import pytest

from schmier_sim.analysis.pointcost import Cost, Measured, Worst
from schmier_sim.analysis.pointcount import Count, ladder
from schmier_sim.game.holdings import parse_holding
from schmier_sim.present import pointcount_chart, pointcounts
from schmier_sim.present.files import PresentError

ROW = (11, 14, 17, 20)
COUNT = Count("six", "", (9, 4, 3, 3, 3, 1, 4, 1), 1, 0, (ROW,) * 3, 3, 18)
UGLY = Count("u", "", (9, 8, 7, 6, 5, 4, 3, 2), 1, 2, (ROW, (10, 13, 16, 19), ROW), 3, 18)


def measured():
    steps = ladder()
    costs = tuple(
        Cost(0.4 / 2**at, 0.001, 0.1 / 2**at, 6000, -0.41 / 2**at, 0.002) for at in range(len(steps.counts))
    )
    passing = Cost(0.5, 0.001, 0.17, 6000, -0.6, 0.003)
    worst = (
        Worst(parse_holding("A K Q x"), 1, 2, 0, False, 3, 4, 0.36, 1 / 3750),
        Worst(parse_holding("A 2"), 0, 0, 3, True, 4, 4, 1.25, 1 / 20_000),
        Worst(parse_holding("R L"), 0, 1, 4, False, 0, 5, 0.5, 1 / 500),
    )
    return Measured(steps, costs, passing, (-0.28, 0.003), "six", worst, worst[:1], 21, 1000)


@pytest.mark.parametrize("count", [*ladder().counts, COUNT, UGLY], ids=lambda count: count.name)
def test_every_count_fits_on_a_business_card(count):
    lines = pointcounts.card(count)
    assert len(lines) <= pointcounts.CARD_LINES
    assert max(map(len, lines)) <= pointcounts.CARD_WIDTH


def test_the_card_says_all_that_a_player_needs():
    assert pointcounts.card(COUNT) == [
        "Count each suit as if trumps, and name the one worth most:",
        "  A: 9 · K, 2: 4 · Q, right, left: 3 · other trumps: 1",
        "Bid the lowest bid open to you if you reach it, else pass:",
        "  bid        3     4     5     6",
        "  points    11    14    17    20",
        "It takes 3 more where your partner holds the bid.",
        "From 18 open with 4, not 3, unless you deal.",
    ]
    lines = pointcounts.card(replace(UGLY, partner_more=None, opens_four=None))
    assert lines[-1] == "Pass where your partner holds the bid."
    assert "  partner deals    10    13    16    19" in lines
    assert pointcounts.card_points(replace(COUNT, honours=(1,) * 8)) == "every trump: 1"
    assert "plain ace: 2" in pointcounts.card_points(UGLY)


def test_the_text_has_card_ladder_hands_and_provenance():
    lines = pointcounts.to_text(measured()).splitlines()
    assert max(map(len, lines)) <= 130
    rows = {line.split()[0]: line for line in lines if line}
    assert rows["two"].split()[-5:] == ["0.1000", "±0.0020", "0.1025", "±0.0039", "2.5"]
    assert rows["club"].split()[-3:] == ["0.0000", "0.0000", "0.0"]
    assert rows["simple"].split()[-4:] == ["–", "0.2800", "±0.0059", "–"]
    hands = lines[lines.index("Hands that cost most by six") + 3 :][:3]
    assert hands[0].split() == ["A", "K", "Q", "x", "others", "none", "1", "3", "4", "0.36", "3,750"]
    assert "4 in another suit" in hands[1]
    assert "3, partner" in hands[1]
    assert hands[2].split()[-4:] == ["pass", "5", "0.50", "500"]
    for part in ("1,000 fresh deals", "seed 21", "rules standard", "150,000 others"):
        assert part in lines[-1]


def test_a_finer_count_that_came_out_the_same_is_named():
    (line,) = pointcounts._same((UGLY, COUNT, replace(COUNT, name="all", about="more")))
    assert line.startswith("all came out as six: plain aces")


def test_json_has_everything():
    text = pointcounts.to_json(measured())
    assert text.count("\n") == 1
    value = json.loads(text)
    assert value["schema"] == "schmier-sim/pointcount/1"
    assert [step["name"] for step in value["ladder"]] == [count.name for count in ladder().counts]
    assert value["ladder"][0]["loss"] == 0.4
    assert value["ladder"][0]["relative_se"] == 0.002
    assert Count.from_dict({name: value["ladder"][3][name] for name in COUNT.to_dict()}) == ladder().counts[3]
    assert value["worst"][1] == {
        "trumps": "A 2",
        "aces": 0,
        "role": "dealer",
        "high": 3,
        "partner_holds": True,
        "call": 4,
        "club_call": 4,
        "loss": 1.25,
        "share": 5e-05,
    }
    assert value["run"]["ranges"] == [[2**40, 2**40 + 1000]]


def test_the_picture_shows_each_count_and_is_the_same_each_time(tmp_path):
    result = measured()
    (panel,) = pointcount_chart.ladder(result).axes
    labels = [label.get_text().split("\n")[0] for label in panel.get_yticklabels()]
    assert labels == [count.name for count in ladder().counts]
    assert len(panel.containers) == 2 * len(labels)
    for name in ("a.svg", "b.svg"):
        pointcount_chart.write_chart(result, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    with pytest.raises(PresentError, match="gif"):
        pointcount_chart.write_chart(result, tmp_path / "a.gif")
