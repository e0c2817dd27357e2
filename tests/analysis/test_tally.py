from types import SimpleNamespace

import numpy as np

from schmier_sim.analysis.tally import (
    Tally,
    count_points,
    count_wins,
    outcome_points,
    outcome_wins,
    type_outcomes,
)
from schmier_sim.kernel.counts import NOBODY, team_points, winners


def test_an_empty_tally_has_no_deals() -> None:
    assert Tally.empty().deals == 0
    assert Tally.empty() == Tally.empty()


def test_tallies_add_up_in_any_order(synthetic: SimpleNamespace) -> None:
    parts = [synthetic.make_auction_run(600, passed=7 * i, seed=i).tally for i in range(3)]
    forward, backward = Tally.empty(), Tally.empty()
    for tally in parts:
        forward.add(tally)
    for tally in reversed(parts):
        backward.add(tally)
    assert forward == backward
    assert forward.deals == sum(tally.deals for tally in parts) == 1800
    assert forward.passed == 21
    assert forward != parts[0]


def test_each_count_tells_tallies_apart(synthetic: SimpleNamespace) -> None:
    for name in ("cells", "types"):
        changed = synthetic.make_run(60).tally
        getattr(changed, name).reshape(-1)[5] += 1
        assert changed != synthetic.make_run(60).tally
    assert Tally.empty() != "tally"


def test_points_of_an_outcome_are_its_bits() -> None:
    assert [int(n) for n in outcome_points()] == [outcome.bit_count() for outcome in range(64)]
    assert outcome_wins()[0b100010].tolist() == [0, 1, 0, 0, 0, 1]


def test_sums_over_outcomes_keep_every_deal(synthetic: SimpleNamespace) -> None:
    cells = synthetic.make_run(2000).tally.cells
    points, wins = count_points(cells), count_wins(cells)
    assert points.sum() == 2000
    assert (points @ np.arange(7)).sum() == wins.sum()
    assert points[..., 6].sum() == cells[..., 63].sum()


def test_a_deal_type_says_who_won_each_point() -> None:
    right_to_the_third = 2 * 3**2 * 4 + NOBODY
    assert winners()[right_to_the_third].tolist() == [0, 0, 2, 0, 0, NOBODY]
    assert [int(team_points(team)[right_to_the_third]) for team in range(3)] == [4, 0, 1]
    assert [int(type_outcomes(team)[right_to_the_third]) for team in range(3)] == [0b011011, 0, 0b000100]


def test_every_deal_type_gives_away_five_or_six_points() -> None:
    given = sum(team_points(team) for team in range(3))
    assert np.array_equal(given, np.where(winners()[:, 5] == NOBODY, 5, 6))
    assert len({tuple(row) for row in winners().tolist()}) == 972
