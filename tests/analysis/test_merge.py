"""Parts of a run add up to the run; what is no part of it, or counts twice, does not."""

import random
from dataclasses import replace

import pytest

from schmier_sim.analysis.estimates import make_table
from schmier_sim.analysis.merge import merge
from schmier_sim.analysis.ranges import shard
from schmier_sim.analysis.run import SAME, simulate
from schmier_sim.analysis.store import StoreError, read_run, write_run
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.simulate import Setup
from schmier_sim.present.tables import to_json

SETUPS = (
    Setup(seed=5, bots="random"),
    Setup(seed=5, bots="random", sample="stratified"),
    Setup(seed=5, bots="random", mode="auction"),
)
DEALS = 20_011


def parts_of(setup, of=7, deals=DEALS):
    return {
        f"{number}.parquet": simulate(setup, **shard(number, of, deals)._asdict())
        for number in range(1, of + 1)
    }


@pytest.fixture(scope="module", params=SETUPS, ids=lambda setup: f"{setup.mode}-{setup.sample}")
def setup(request):
    return request.param


@pytest.fixture(scope="module")
def whole(setup):
    return simulate(setup, deals=DEALS)


@pytest.fixture(scope="module")
def parts(setup):
    return parts_of(setup)


def test_parts_in_any_order_are_the_whole_run(tmp_path, whole, parts):
    order = list(parts.items())
    random.Random(1).shuffle(order)
    for name, part in order:
        write_run(tmp_path / name, part)
        assert part.info.complete
    merged = merge((name, read_run(tmp_path / name)) for name, _ in order)
    write_run(tmp_path / "merged", merged)
    merged = read_run(tmp_path / "merged")
    assert merged.tally == whole.tally
    assert merged.info.ranges == whole.info.ranges == ((0, DEALS),)
    assert merged.info.complete
    assert merged.info.part == whole.info.part
    for by in (("trumps",), ("pattern", "seat")):
        tables = [to_json(make_table(run, by, min_deals=0), run.info) for run in (merged, whole)]
        assert tables[0] == tables[1]


def test_merged_parts_are_parts_too(whole, parts):
    items = list(parts.items())
    first, second = merge(items[:3]), merge(items[3:])
    assert not first.info.complete
    assert merge([("b", second), ("a", first)]).tally == whole.tally


def test_what_is_missing_is_told_and_can_be_played(setup, whole, parts):
    some = merge(item for item in parts.items() if item[0] not in ("2.parquet", "7.parquet"))
    lost = [shard(number, 7, DEALS) for number in (2, 7)]
    assert some.info.missing == tuple((part.first, part.stop) for part in lost)
    assert some.info.wanted == DEALS
    assert simulate(setup, deals=DEALS, previous=some).tally == whole.tally


def test_a_part_that_was_stopped_early_lacks_deals(parts, setup):
    part = shard(3, 7, DEALS)
    short = simulate(setup, first=part.first, deals=100, whole=DEALS)
    short = replace(short, info=replace(short.info, wanted=part.deals))
    merged = merge({**parts, "3.parquet": short}.items())
    assert merged.info.missing == ((part.first + 100, part.stop),)


def test_parts_of_what_a_run_is_extended_by_go_with_it():
    more = 5000
    base = simulate(SETUPS[0], deals=DEALS)
    parts = [
        (str(number), simulate(SETUPS[0], **shard(number, 3, more, DEALS)._asdict())) for number in (1, 2, 3)
    ]
    assert merge([*parts, ("base", base)]).tally == simulate(SETUPS[0], deals=DEALS + more).tally
    assert merge(parts).info.missing == ((0, DEALS),)


def test_deals_that_would_count_twice_are_refused():
    parts = parts_of(SETUPS[0], 3, 3000)
    with pytest.raises(
        StoreError, match=r"^1\.parquet and 1\.parquet both have deals 0 to 999: a deal may count once"
    ):
        merge([*parts.items(), ("1.parquet", parts["1.parquet"])])
    other = simulate(SETUPS[0], first=1500, deals=1000, whole=3000)
    with pytest.raises(StoreError, match=r"^2\.parquet and x both have deals 1,500 to 1,999: "):
        merge([("x", other), *parts.items()])


OTHERS = {
    "rules": Rules(name="ours", low_to="taker"),
    "bots": "simple",
    "mode": "auction",
    "sample": "stratified",
    "tempers": "bold",
    "bidding": "equity",
    "scores": (1, 2, 3),
    "seed": 6,
    "version": "9.9.9",
    "source_hash": "f" * 16,
}


@pytest.mark.parametrize("field", SAME)
def test_a_part_that_differs_in_anything_is_refused(field):
    parts = parts_of(SETUPS[0], 2, 2000)
    second = parts["2.parquet"]
    parts["2.parquet"] = replace(second, info=replace(second.info, **{field: OTHERS[field]}))
    with pytest.raises(
        StoreError, match=r"^2\.parquet is no part of the same run as 1\.parquet: it has "
    ) as refusal:
        merge(parts.items())
    assert field.replace("_", " ") in str(refusal.value)
    assert ";" not in str(refusal.value)


def test_all_that_differs_is_named():
    parts = parts_of(SETUPS[0], 2, 2000)
    second = parts["2.parquet"]
    parts["2.parquet"] = replace(second, info=replace(second.info, **OTHERS))
    with pytest.raises(StoreError) as refusal:
        merge(parts.items())
    for field in SAME:
        assert field.replace("_", " ") in str(refusal.value)
    assert r"rules ours (low_to = taker), not standard" in str(refusal.value)
    assert "seed 6, not 5" in str(refusal.value)


def test_nothing_is_merged_to_nothing():
    with pytest.raises(StoreError, match=r"^there is nothing to merge"):
        merge([])


def test_time_and_libraries_of_all_parts_are_kept():
    parts = parts_of(SETUPS[0], 2, 2000)
    infos = [part.info for part in parts.values()]
    other = replace(
        infos[1], libraries={"numpy": "9.9", "numba": infos[1].libraries["numba"]}, started="2001"
    )
    parts["2.parquet"] = replace(parts["2.parquet"], info=other)
    info = merge(parts.items(), "schmier-sim merge").info
    assert info.seconds == sum(part.seconds for part in infos)
    assert info.speed == pytest.approx(2000 / info.seconds)
    assert info.started == "2001"
    assert info.libraries["numpy"] == f"{infos[0].libraries['numpy']}, 9.9"
    assert info.libraries["numba"] == infos[0].libraries["numba"]
    assert info.command == "schmier-sim merge"
