"""Runs: the same counts to the last deal, however many threads, whatever the chunks, stopped and resumed or not."""

import multiprocessing
import threading
import time
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from schmier_sim.analysis import chunks
from schmier_sim.analysis import run as runs
from schmier_sim.analysis.estimates import make_table, worst_half_width
from schmier_sim.analysis.run import STRATA, ExecutorError, Progress, available_cores, simulate
from schmier_sim.analysis.store import Run, StoreError, read_run, write_run
from schmier_sim.analysis.tally import Tally
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.simulate import Setup, play_into

SETUPS = (
    Setup(seed=3),
    Setup(seed=3, sample="stratified", rules=Rules(name="two", teams="2x3")),
    Setup(seed=3, mode="auction", bots="random"),
)
DEALS = 30_011


@pytest.fixture(autouse=True)
def _looks_up_often(monkeypatch):
    monkeypatch.setattr(runs, "TICK_SECONDS", 0.0005)
    monkeypatch.setattr(runs, "CHUNK_SECONDS", 0.0)  # chunks stay as small as a test makes them


@pytest.fixture
def _slow_chunks(monkeypatch):
    """Let each chunk take some milliseconds, so that stops fall amid a run."""

    def play_slowly(*arguments):
        time.sleep(0.002)
        return play_into(*arguments)

    monkeypatch.setattr(chunks, "play_into", play_slowly)


def played(setup, *ranges):
    """Counts of some ranges, by the kernels alone."""
    tally = Tally.empty()
    for start, stop in ranges or ((0, DEALS),):
        tally.passed += play_into(setup, start, stop - start, tally.cells, tally.types)
    return tally


def stop_after(calls):
    """An event, and a progress callback that sets it when it is called for the n-th time."""
    stop, seen = threading.Event(), []

    def progress(state):
        seen.append(state)
        if len(seen) >= calls:
            stop.set()

    return stop, progress


# --- the counts


@pytest.mark.parametrize("chunk", [97, 1000, 4096, 1 << 18])
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: f"{setup.mode}-{setup.sample}")
def test_counts_do_not_depend_on_threads_and_chunks(monkeypatch, setup, workers, chunk):
    monkeypatch.setattr(runs, "CHUNK", chunk)
    made = simulate(setup, deals=DEALS, workers=workers)
    assert made.tally == played(setup)
    assert made.info.ranges == ((0, DEALS),)
    assert made.info.complete


@pytest.mark.usefixtures("_slow_chunks")
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: f"{setup.mode}-{setup.sample}")
def test_counts_are_the_same_when_stopped_and_resumed_again_and_again(monkeypatch, tmp_path, setup, workers):
    monkeypatch.setattr(runs, "CHUNK", 1500)
    made, sittings = None, 0
    while made is None or not made.info.complete:
        stop, progress = stop_after(1 + 3 * (sittings % 3))
        more = simulate(setup, deals=DEALS, workers=workers, previous=made, progress=progress, stop=stop)
        assert made is None or more.tally.deals >= made.tally.deals
        write_run(tmp_path / "run", more)
        made = read_run(tmp_path / "run")
        sittings += 1
        assert sittings < 1000
    assert sittings > 2
    assert made.tally == played(setup)
    assert made.info.ranges == ((0, DEALS),)


def test_a_stopped_run_says_what_it_holds(monkeypatch, tmp_path):
    monkeypatch.setattr(runs, "CHUNK", 1000)
    stop, progress = stop_after(2)
    part = simulate(SETUPS[0], deals=50_000_000, workers=2, progress=progress, stop=stop)
    assert not part.info.complete
    assert 0 < part.tally.deals == part.info.deals < 50_000_000
    assert part.info.wanted == 50_000_000
    write_run(tmp_path / "run", part)
    assert read_run(tmp_path / "run").tally == part.tally


def test_a_run_that_is_stopped_before_it_begins_holds_nothing(tmp_path):
    stop = threading.Event()
    stop.set()
    empty = simulate(SETUPS[0], deals=DEALS, stop=stop)
    assert empty.tally == Tally.empty()
    assert empty.info.ranges == ()
    assert not empty.info.complete
    write_run(tmp_path / "run", empty)
    assert simulate(SETUPS[0], deals=DEALS, previous=read_run(tmp_path / "run")).tally == played(SETUPS[0])


def test_a_run_can_be_extended():
    few = simulate(SETUPS[0], deals=1234)
    more = simulate(SETUPS[0], deals=DEALS, previous=few)
    assert more.tally == played(SETUPS[0])
    assert few.tally == played(SETUPS[0], (0, 1234))


def test_holes_in_a_run_are_filled():
    info = replace(simulate(SETUPS[0], deals=10).info, ranges=((100, 350), (1000, 1001)))
    filled = simulate(SETUPS[0], deals=1000, previous=Run(info, played(SETUPS[0], *info.ranges)))
    assert filled.info.ranges == ((0, 1001),)
    assert filled.tally == played(SETUPS[0], (0, 1001))


def test_a_run_that_has_all_deals_is_left_as_it_is():
    whole = simulate(SETUPS[0], deals=2000)
    again = simulate(SETUPS[0], deals=1500, previous=whole)
    assert again.tally == whole.tally
    assert again.info.complete
    assert again.info.wanted == 2000


# --- saving on the way


@pytest.mark.parametrize("workers", [1, 3])
def test_what_is_saved_on_the_way_are_valid_runs(monkeypatch, tmp_path, workers):
    monkeypatch.setattr(runs, "CHUNK", 3001 // workers)
    monkeypatch.setattr(runs, "SAVE_SECONDS", 0.0)
    saved = []

    def save(part):
        write_run(tmp_path / "run", part)
        back = read_run(tmp_path / "run")
        assert back.tally == part.tally
        assert back.info == part.info
        saved.append(back)

    made = simulate(SETUPS[2], deals=DEALS, workers=workers, checkpoint=save)
    assert made.tally == played(SETUPS[2])
    deals = [part.tally.deals for part in saved]
    assert len(deals) > 5
    assert deals == sorted(set(deals))
    assert deals[-1] < DEALS
    for part in saved:
        assert not part.info.complete
        assert part.tally == played(SETUPS[2], *part.info.ranges)


def test_a_run_goes_on_from_what_was_saved_on_the_way(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 1000)
    saved = []

    def fail_late(part):
        saved.append(part)
        if len(saved) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(runs, "SAVE_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        simulate(SETUPS[1], deals=DEALS, workers=2, checkpoint=fail_late)
    assert simulate(SETUPS[1], deals=DEALS, previous=saved[-1]).tally == played(SETUPS[1])


# --- precision


@pytest.fixture
def _early_look(monkeypatch):
    monkeypatch.setattr(runs, "FIRST_LOOK", 4 * STRATA)


@pytest.mark.usefixtures("_early_look")
@pytest.mark.parametrize(
    ("setup", "precision", "by"),
    [(SETUPS[1], 3.0, ("trumps",)), (SETUPS[0], 1.0, ("seat",)), (SETUPS[2], 1.2, ("role",))],
    ids=["stratified", "natural", "auction"],
)
def test_precision_asks_for_the_same_deals_of_any_number_of_threads(monkeypatch, setup, precision, by):
    made = []
    for workers, chunk in ((1, 1 << 18), (2, 3000), (3, 999)):
        monkeypatch.setattr(runs, "CHUNK", chunk)
        made.append(simulate(setup, deals=3_000_000, precision=precision, by=by, workers=workers))
    first = made[0]
    assert 4 * STRATA < first.tally.deals < 3_000_000
    assert first.tally.deals % STRATA == 0
    for other in made[1:]:
        assert other.info.ranges == first.info.ranges
        assert other.tally == first.tally
    assert worst_half_width(make_table(first, by, min_deals=100)) <= precision
    assert all(run.info.complete for run in made)


@pytest.mark.usefixtures("_early_look")
@pytest.mark.parametrize(
    "held",
    [
        1000,
        4 * STRATA,
        500_000,
    ],
)
def test_precision_asks_for_the_same_deals_of_a_run_that_was_stopped_on_the_way(held):
    wanted = {"deals": 3_000_000, "precision": 3.0}
    whole = simulate(SETUPS[1], **wanted)
    resumed = simulate(SETUPS[1], **wanted, previous=simulate(SETUPS[1], deals=held))
    assert whole.tally.deals > 500_000
    assert resumed.tally.deals == whole.tally.deals
    assert resumed.tally == whole.tally


def test_a_run_that_is_stopped_before_a_look_is_not_called_precise(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 20_000)
    stop = threading.Event()

    def play_and_stop(setup, first, deals, *counts):
        if deals:
            stop.set()
        return play_into(setup, first, deals, *counts)

    whole = simulate(SETUPS[1], deals=3_000_000, precision=49)
    monkeypatch.setattr(chunks, "play_into", play_and_stop)
    part = simulate(SETUPS[1], deals=3_000_000, precision=49, workers=1, stop=stop)
    assert part.tally.deals < whole.tally.deals
    assert not part.info.complete


@pytest.mark.usefixtures("_early_look")
def test_precision_that_is_out_of_reach_uses_up_the_deals():
    made = simulate(SETUPS[1], deals=50_000, precision=0.01)
    assert made.tally == played(SETUPS[1], (0, 50_000))
    assert made.info.complete


# --- refusals


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"seed": 4}, "seed is 3, not 4"),
        ({"bots": "random"}, "bots is club, not random"),
        ({"sample": "stratified"}, "sample is natural, not stratified"),
        ({"mode": "auction"}, "mode is declare, not auction"),
        ({"rules": Rules(name="ours", low_to="taker")}, r"rules is standard, not ours \(low_to = taker\)"),
        ({"rules": Rules(low_to="taker")}, r"rules is standard, not standard \(low_to = taker\)"),
    ],
)
def test_a_run_of_something_else_is_not_continued(change, what):
    previous = simulate(SETUPS[0], deals=1000)
    with pytest.raises(StoreError, match=f"^the run cannot be continued: its {what}$"):
        simulate(replace(SETUPS[0], **change), deals=2000, previous=previous)


@pytest.mark.parametrize(("field", "value"), [("version", "0.0.1"), ("source_hash", "0" * 16)])
def test_a_run_of_another_version_is_not_continued(field, value):
    previous = simulate(SETUPS[0], deals=1000)
    previous = replace(previous, info=replace(previous.info, **{field: value}))
    with pytest.raises(
        StoreError,
        match=f"^the run cannot be continued: its {field.replace('_', ' ')} is {value}, not [^\n]+$",
    ):
        simulate(SETUPS[0], deals=2000, previous=previous)


def test_rules_of_the_same_name_that_differ_are_told_apart():
    previous = simulate(SETUPS[0], deals=1000)
    other = replace(SETUPS[0], rules=Rules(low_to="taker"))
    with pytest.raises(StoreError, match=r"^the run cannot be continued") as refusal:
        simulate(other, deals=2000, previous=previous)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("deals", [0, -5, 2**56 + 1, 10**30])
def test_no_deals_or_too_many_are_refused(deals):
    with pytest.raises(ValueError, match=rf"^{deals} deals are out of range: 1 to 2\^56, such as 10000000$"):
        simulate(SETUPS[0], deals=deals)


@pytest.mark.parametrize("workers", [0, -1])
def test_no_workers_are_refused(workers):
    with pytest.raises(ValueError, match=f"^{workers} workers cannot play: take at least 1$"):
        simulate(SETUPS[0], deals=10, workers=workers)


@pytest.mark.parametrize("value", [1e4, 2.5, float("nan"), True, "5", None])
@pytest.mark.parametrize("name", ["deals", "first", "whole"])
def test_what_is_no_whole_number_of_deals_is_refused(name, value):
    with pytest.raises(ValueError, match=rf"^{name} {value!r} is no whole number, such as 10000000$"):
        simulate(SETUPS[0], **{"deals": 10, name: value})


@pytest.mark.parametrize("workers", [2.0, float("nan"), "3", True])
def test_what_is_no_number_of_workers_is_refused(workers):
    with pytest.raises(ValueError, match=f"^{workers!r} workers cannot play: take at least 1$"):
        simulate(SETUPS[0], deals=10, workers=workers)


@pytest.mark.parametrize("precision", [0, -1.0, float("nan")])
def test_what_is_no_precision_is_refused(precision):
    with pytest.raises(ValueError, match=f"^a precision of {precision} percentage points is not above 0"):
        simulate(SETUPS[0], deals=10, precision=precision)


# --- what is told on the way, and what is kept


def test_progress_is_told_from_the_calling_thread_and_ends_with_all_deals(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 2000)
    told = []
    simulate(
        SETUPS[0],
        deals=400_000,
        workers=2,
        progress=lambda state: told.append((state, threading.current_thread())),
    )
    assert {thread for _, thread in told} == {threading.current_thread()}
    states = [state for state, _ in told]
    done = [state.done for state in states]
    assert done == sorted(done)
    assert done[-1] == 400_000
    assert {state.total for state in states} == {400_000}
    assert states[-1].eta == 0
    assert states[-1].speed > 0
    assert all(isinstance(state, Progress) and state.half_width is None for state in states)


@pytest.mark.usefixtures("_early_look")
def test_progress_tells_the_widest_interval_where_a_precision_is_wanted():
    told = []
    simulate(SETUPS[1], deals=3_000_000, precision=3.0, progress=told.append)
    widths = [state.half_width for state in told if state.half_width is not None]
    assert widths
    assert widths[0] > 3.0


def test_an_error_of_the_listener_stops_the_threads(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 1000)
    before = threading.active_count()

    def interrupt(_state):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(SETUPS[0], deals=2**40, workers=2, progress=interrupt)
    assert threading.active_count() == before


def test_a_run_keeps_how_it_was_made():
    first = simulate(SETUPS[1], deals=500, command="schmier-sim simulate -n 500")
    info = first.info
    assert (info.rules, info.seed, info.sample, info.mode, info.bots) == (
        SETUPS[1].rules,
        3,
        "stratified",
        "declare",
        "club",
    )
    assert info.command == "schmier-sim simulate -n 500"
    assert set(info.libraries) == {"numba", "llvmlite", "numpy"}
    assert info.seconds > 0
    assert info.speed == pytest.approx(500 / info.seconds)
    more = simulate(SETUPS[1], deals=800, previous=first)
    assert more.info.started == info.started
    assert more.info.seconds > info.seconds
    assert more.info.command == info.command


def test_a_run_does_not_change_once_it_is_returned():
    first = simulate(SETUPS[0], deals=1000)
    cells = first.tally.cells.copy()
    simulate(SETUPS[0], deals=5000, previous=first)
    assert np.array_equal(first.tally.cells, cells)


def test_as_many_threads_as_cores_by_default():
    assert available_cores() >= 1
    assert simulate(SETUPS[0], deals=1000).tally == played(SETUPS[0], (0, 1000))


# --- parts of a run


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: f"{setup.mode}-{setup.sample}")
def test_a_part_has_its_own_deals_and_says_of_what_it_is_a_part(setup):
    part = simulate(setup, first=12_345, deals=7000, whole=50_000, workers=2)
    assert part.tally == played(setup, (12_345, 19_345))
    assert part.info.ranges == ((12_345, 19_345),)
    assert part.info.part == (12_345, 7000, 50_000)
    assert part.info.complete


def test_a_part_that_was_stopped_goes_on_to_its_end(monkeypatch, tmp_path):
    monkeypatch.setattr(runs, "CHUNK", 500)
    part = {"first": 5000, "deals": 20_000, "whole": 80_000}
    stop, progress = stop_after(3)
    some = simulate(SETUPS[0], **part, workers=2, stop=stop, progress=progress)
    assert 0 < some.info.deals < 20_000
    write_run(tmp_path / "part", some)
    again = simulate(SETUPS[0], **part, previous=read_run(tmp_path / "part"))
    assert again.tally == played(SETUPS[0], (5000, 25_000))
    with pytest.raises(StoreError, match=r"its first is 5000, not 0$"):
        simulate(SETUPS[0], deals=20_000, previous=some)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"first": -1}, "100 deals from -1 on are out of range"),
        ({"first": 2**56 - 99}, "100 deals from 72057594037927837 on are out of range"),
        ({"first": 10, "whole": 109}, "deals 10 to 109 are no part of a run of 109 deals"),
        ({"first": 10, "precision": 1.0}, "a part of a run knows nothing of the others' precision"),
        ({"whole": 1000, "precision": 1.0}, "a part of a run knows nothing of the others' precision"),
    ],
)
def test_what_cannot_be_a_part_is_refused(part, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        simulate(SETUPS[0], deals=100, **part)


# --- other people's workers


class Workers(ThreadPoolExecutor):
    """Workers that do what `mishap` says with each piece of work, by its number and how often it was tried."""

    def __init__(self, mishap, workers=2):
        super().__init__(workers)
        self.mishap, self.submitted = mishap, []

    def submit(self, work, setup, start, stop):
        tries = self.submitted.count((start, stop))
        self.submitted.append((start, stop))
        return super().submit(self.mishap, len(self.submitted), tries, partial(work, setup, start, stop))


def well(_number, _tries, work):
    return work()


def test_any_executor_plays_the_same(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 999)
    with Workers(well) as workers:
        made = simulate(SETUPS[1], deals=DEALS, executor=workers)
        assert not workers._shutdown
    assert made.tally == played(SETUPS[1])
    assert len(workers.submitted) > 20


def test_processes_play_the_same():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert simulate(SETUPS[0], deals=DEALS, executor=processes).tally == played(SETUPS[0])


def test_chunks_that_fail_or_are_lost_are_played_again(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 999)

    def fail_now_and_then(number, tries, work):
        if tries < 2 and number % 3 == 0:
            raise (OSError, CancelledError, MemoryError)[number % 9 // 3]("lost")
        return work()

    with Workers(fail_now_and_then) as workers:
        made = simulate(SETUPS[1], deals=DEALS, executor=workers)
    assert made.tally == played(SETUPS[1])
    assert len(workers.submitted) > len(set(workers.submitted)) > 20


def test_a_chunk_that_fails_again_and_again_ends_the_run_and_nothing_is_lost(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 999)
    saved = []

    def fail_at_the_end(_number, _tries, work):
        if work.args[2] == DEALS:
            raise OSError("the  disk\nis gone")
        return work()

    with Workers(fail_at_the_end) as workers, pytest.raises(ExecutorError) as failure:
        simulate(SETUPS[1], deals=DEALS, executor=workers, checkpoint=saved.append)
    last = workers.submitted[-1]
    assert (
        str(failure.value) == f"deals {last[0]} to {DEALS - 1} could not be played: OSError: the disk is gone"
    )
    assert workers.submitted.count(last) == 3
    assert saved[-1].info.deals > DEALS // 2
    assert saved[-1].tally == played(SETUPS[1], *saved[-1].info.ranges)
    assert simulate(SETUPS[1], deals=DEALS, previous=saved[-1]).tally == played(SETUPS[1])


def test_workers_that_are_broken_end_the_run():
    def break_down(_number, _tries, _work):
        raise BrokenExecutor("killed")

    with Workers(break_down) as workers:
        with pytest.raises(ExecutorError, match=r"could not be played: BrokenExecutor: killed$"):
            simulate(SETUPS[0], deals=DEALS, executor=workers)
        workers.shutdown()
        with pytest.raises(
            ExecutorError, match=r"^the workers take no more deals: RuntimeError: cannot schedule"
        ):
            simulate(SETUPS[0], deals=DEALS, executor=workers)


def test_counts_of_another_version_are_not_added_up():
    def play_older(_number, _tries, work):
        return replace(work(), program=("0.0.9", "f" * 16))

    saved = []
    with (
        Workers(play_older) as workers,
        pytest.raises(ExecutorError, match=r"with sources f{16}, not 0\.1\.0 with"),
    ):
        simulate(SETUPS[0], deals=DEALS, executor=workers, checkpoint=saved.append)
    assert saved == []


def test_counts_of_other_deals_are_not_added_up():
    def play_half(_number, _tries, work):
        return replace(work(), stop=work.args[2] - 1)

    with (
        Workers(play_half) as workers,
        pytest.raises(ExecutorError, match=r"^the workers played deals \d+ to \d+, not "),
    ):
        simulate(SETUPS[0], deals=DEALS, executor=workers)


def test_workers_that_take_no_more_end_the_run_and_nothing_is_lost(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 999)

    class Full(Workers):
        def submit(self, work, setup, start, stop):
            if len(self.submitted) == 20:
                raise OSError("no room")
            return super().submit(work, setup, start, stop)

    saved = []
    with Full(well) as workers, pytest.raises(ExecutorError, match=r"take no more deals: OSError: no room$"):
        simulate(SETUPS[1], deals=DEALS, executor=workers, checkpoint=saved.append)
    assert saved[-1].tally == played(SETUPS[1], *saved[-1].info.ranges)


def test_workers_that_come_later_get_work_too(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 300)
    monkeypatch.setattr(runs, "LEAST_CHUNK", 1)
    there, waiting = iter([0, 1, 5]), []
    known = [0]

    def count_workers():
        known[0] = next(there, known[0])
        return known[0]

    def note(_number, _tries, work):
        waiting.append(workers._work_queue.qsize())
        return work()

    with Workers(note, 1) as workers:
        assert simulate(SETUPS[0], deals=DEALS, executor=workers, workers=count_workers).tally == played(
            SETUPS[0]
        )
    assert max(waiting) > 3 * runs.AHEAD


def test_quick_chunks_grow_and_shrink_towards_the_end(monkeypatch):
    monkeypatch.setattr(runs, "CHUNK", 1000)
    monkeypatch.setattr(runs, "MOST_CHUNK", 4000)
    monkeypatch.setattr(runs, "LEAST_CHUNK", 100)
    monkeypatch.setattr(runs, "CHUNK_SECONDS", 1e9)
    with Workers(well, 1) as workers:
        made = simulate(SETUPS[0], deals=100_000, executor=workers, workers=1)
    assert made.tally == played(SETUPS[0], (0, 100_000))
    sizes = [stop - start for start, stop in workers.submitted]
    assert sizes[0] == 1000
    assert max(sizes) == 4000
    assert sizes[-1] <= 100
    assert sizes[-20:] == sorted(sizes[-20:], reverse=True)


def test_the_counts_of_a_chunk_are_no_part_of_the_next():
    whole = Tally.empty()
    for start in (0, 500):
        chunks.play_chunk(SETUPS[2], start, start + 500).add_to(whole)
    assert whole == played(SETUPS[2], (0, 1000))
    with pytest.raises(ValueError, match="out of range"):
        chunks.play_chunk(SETUPS[2], -5, 5)
    again = Tally.empty()
    chunks.play_chunk(SETUPS[2], 0, 500).add_to(again)
    assert again == played(SETUPS[2], (0, 500))
