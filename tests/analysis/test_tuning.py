"""Tuning is seeded, can be resumed, and measures honestly."""

import json
import lzma

import numpy as np
import pytest

from schmier_sim.analysis import tuning
from schmier_sim.game import club_bot
from schmier_sim.game.club_bot import KEEP_START, SIZE
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.simulate import Setup, deal_types


def start():
    return club_tables() / tuning.SCALE


def test_weights_survive_rounding():
    assert (tuning.to_tables(start()) == club_tables()).all()
    assert tuning.to_tables(np.full(SIZE, 1e6)).max() == 32_000


def test_equal_tables_draw_and_better_ones_win():
    tables = club_tables()
    assert tuning.versus(tables, tables, 2000, 1) == (0.0, 0.0)
    nothing = np.concatenate([np.zeros(KEEP_START, np.int16), tables[KEEP_START:]])
    gain, error = tuning.versus(tables, nothing, 5000, 1)
    assert gain > 0.5
    assert 0 < error < 0.1


def test_a_round_does_not_depend_on_the_number_of_threads():
    results = []
    for workers in (1, 2):
        weights = start()
        lessons = tuning.learn_round(0, 5, 24, weights, [], workers)
        results.append((weights, lessons.results))
    (one, some), (two, same) = results
    assert (some == same).all()
    assert (one == two).all()
    assert (one != start()).any()


def test_a_state_can_be_gone_on_from(tmp_path):
    rounds = [tuning.Round(10, 0.1, 0.2, 0.01, 0.001)]
    tuning.save(tmp_path / "state.npz", start(), rounds, {"seed": 3})
    weights, found, settings = tuning.load(tmp_path / "state.npz")
    assert (weights == start()).all()
    assert (found, settings) == (rounds, {"seed": 3})


def test_what_ships_can_be_read_and_tells_how_it_was_made(tmp_path, monkeypatch):
    monkeypatch.setattr(club_bot, "PATH", tmp_path / "club-play.bin.xz")
    monkeypatch.setattr(club_bot, "ABOUT_PATH", tmp_path / "club-play.json")
    tuning.ship(start(), [], {"seed": 3, "blocks": 8, "from_nothing": True})
    data = lzma.decompress((tmp_path / "club-play.bin.xz").read_bytes())
    assert (np.frombuffer(data, "<i2") == club_tables()).all()
    about = json.loads((tmp_path / "club-play.json").read_text())
    assert about["command"] == "scripts/tune --from-nothing --seed=3 --blocks=8 --rounds=0"


@pytest.mark.parametrize(
    "tables", [np.zeros(SIZE - 1, np.int16), np.zeros(SIZE, np.int32), np.zeros(0, np.int16)]
)
def test_tables_of_a_wrong_size_are_refused(tables):
    with pytest.raises(ValueError, match="wanted"):
        deal_types(Setup(bots="club"), 0, 10, tables)


def test_better_numbers_for_the_exchange_are_found(monkeypatch):
    monkeypatch.setattr(tuning, "KEEP_STEPS", (400,))
    monkeypatch.setattr(tuning, "KEEP_DEALS", 6000)
    weights = start()
    weights[KEEP_START] = weights[KEEP_START + 7] = -0.3  # throw aces away first
    kept = tuning.improve_exchange(weights, 5)
    assert any(number in (0, 7) and change > 0 for number, change, _ in kept)
