"""A watched run: what is measured is that of the deals that were played."""

from itertools import pairwise
from pathlib import Path

from schmier_sim.analysis import run as runs
from schmier_sim.analysis import soak as soaks
from schmier_sim.analysis.soak import memory, soak
from schmier_sim.analysis.store import read_run
from schmier_sim.kernel.simulate import Setup
from schmier_sim.present.soak import chart, page
from schmier_sim.present.style import figure_bytes

DEALS = 200_000


def test_lengths_and_samples_are_those_of_the_runs(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(soaks, "SHORTER", ((1000, 2), (100, 1), (10, 1)))
    monkeypatch.setattr(runs, "CHUNK", 2000)
    result = soak(Setup(bots="random"), DEALS, tmp_path / "a.parquet", workers=2, every=0.001)
    assert [(length.deals, length.times) for length in result.lengths] == [
        (200, 4),
        (2000, 2),
        (20_000, 2),
        (DEALS, 1),
    ]
    assert read_run(tmp_path / "a.parquet").info.deals == DEALS // 1000
    assert len(result.samples) > 3
    assert result.samples[-1].deals == DEALS
    for before, after in pairwise(result.samples):
        assert after.seconds > before.seconds
        assert after.processor >= before.processor
        assert after.deals >= before.deals
    for length in result.lengths:
        assert 0 < length.processor < 60
        assert length.memory > 10_000_000

    text = page(result, "scripts/soak -n 200000")
    rows = [line for line in text.splitlines() if line.startswith("| 2")]
    assert len(rows) == 4
    assert rows[-1].split(" | ")[0] == "| 200,000"
    assert rows[-1].split(" | ")[5] == "1.000"
    assert figure_bytes(chart(result), "svg").startswith(b"<?xml")


def test_memory_is_that_of_the_process() -> None:
    before = memory()
    held = bytearray(b"x" * 100_000_000)
    assert memory() - before > 80_000_000
    assert held
