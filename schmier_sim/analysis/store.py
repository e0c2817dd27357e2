"""Runs and their files: what was counted and how, written whole or not at all, read as written or refused."""

import datetime
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis import runformat
from schmier_sim.analysis.files import write_whole
from schmier_sim.analysis.patterns import cell_hands
from schmier_sim.analysis.ranges import DoubledDealsError, Part, Ranges, count, join, missing
from schmier_sim.analysis.runformat import FormatError
from schmier_sim.analysis.tally import Tally, type_outcomes
from schmier_sim.game.dealing import MODES, SAMPLES, TEMPER_NAMES
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.game.rules import Rules, RulesError
from schmier_sim.game.standing import check_bidding
from schmier_sim.game.words import MAX_INDEX, MAX_SEED
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.counts import CELLS_SHAPE, N_OUTCOMES, N_SEATS, TYPES_SHAPE

MOST_BYTES = 100_000_000
"""Larger than any run file: with every cell filled one takes about 6 million bytes."""

MOST_LETTERS = 1000
"""Of a text that a run says of itself."""
MOST_TIME = 1e15
"""Of seconds, and of deals a second."""

Int64Array = NDArray[np.int64]


class StoreError(Exception):
    """A run that cannot be read, written or put together; the message is one line."""


@dataclass(frozen=True)
class RunInfo:
    """How a run was made.

    Attributes
    ----------
    rules, bots, mode, sample, seed
        What was played: house rules, the bots' name, "declare" or "auction", "natural" or "stratified".
    ranges
        Deals played, as (start, stop) of their indices: ascending, apart from each other.
    version, source_hash, libraries
        The program, a hash of its sources, and the versions of the libraries that it used.
    command, started, seconds, speed
        The command line, when it started (ISO 8601), how long it took, and deals a second.
    first, wanted
        What it was to play: how many deals from which index on; more than it has if it was stopped early.
    whole
        Of a part of a run: how many deals the whole run has, of which others play the rest; 0 of a whole run.
    tempers
        How readily the bot `club` bid: "normal", "cautious", "bold" or "mixed".
    bidding, scores
        What it bid by in auctions, "points" or "equity", and at which scores: of the dealer's team, the team to its
        left, the third team; empty at the beginning of a match.
    """

    rules: Rules
    bots: str
    mode: str
    sample: str
    seed: int
    ranges: Ranges
    version: str
    source_hash: str
    libraries: Mapping[str, str]
    command: str
    started: str
    seconds: float
    speed: float
    wanted: int
    tempers: str = "normal"
    bidding: str = "points"
    scores: tuple[int, ...] = ()
    first: int = 0
    whole: int = 0

    @property
    def part(self) -> Part:
        """What it was to play."""
        return Part(self.first, self.wanted, self.whole)

    @property
    def missing(self) -> Ranges:
        """Deals that it was to play and does not have."""
        return missing(self.ranges, self.first, self.part.stop)

    @property
    def complete(self) -> bool:
        """Whether it has all the deals that it was to play."""
        return not self.missing

    @property
    def deals(self) -> int:
        """Deals in all ranges."""
        return count(self.ranges)


@dataclass(frozen=True)
class Run:
    """What a run counted, and how it was made."""

    info: RunInfo
    tally: Tally


def setting_words(value: object) -> object:
    """What stands in a run for a setting, as a message shows it: rules by their name and what they change."""
    if isinstance(value, Rules):
        changed = ", ".join(f"{key} = {there}" for key, there in value.differences().items())
        return f"{value.name} ({changed})" if changed else value.name
    return value


def write_run(path: str | os.PathLike[str], run: Run) -> None:
    """Write a run file, all of it or nothing.

    The same run gives the same bytes, but for the time and the speed in it.

    Raises
    ------
    StoreError
        The counts do not fit what the run says of itself, or the file cannot be written. Then a file that was
        there before is untouched, and nothing half written is left behind.
    """
    name = _shown(path)
    flaw = _find_flaw(run)
    if flaw:
        raise StoreError(f"{name} is not written: {flaw}")
    try:
        data = runformat.encode(_describe(run.info), run.tally)
    except FormatError as error:
        raise StoreError(f"{name} is not written: it {error}") from None
    try:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            raise StoreError(f"cannot write {name}: that is no file")
        write_whole(target, data)
    except (OSError, ValueError, RuntimeError) as error:
        raise StoreError(f"cannot write {name}: {_reason(error)}") from None


def read_run(path: str | os.PathLike[str]) -> Run:
    """Read a run file.

    Raises
    ------
    StoreError
        One line: not there, not a run file, cut short, of another version, or damaged.
    """
    data = _read_bytes(path)
    try:
        metadata, tally = runformat.decode(data)
        run = Run(_make_info(metadata), tally)
    except FormatError as error:
        raise StoreError(f"{_shown(path)} {error}") from None
    flaw = _find_flaw(run)
    if flaw:
        raise StoreError(f"{_shown(path)} is damaged: {flaw}")
    return run


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    name = _shown(path)
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            raise StoreError(f"{name} is no file")
        with Path(path).open("rb") as file:
            head = file.read(4)
            # A foreign file is known by its first bytes or by its size; it may be too large to read.
            if not runformat.looks_like_parquet(head):
                return head
            file.seek(0)
            data = file.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise StoreError(f"{name} is no run file: it is larger than any run")
            return data
    except FileNotFoundError:
        raise StoreError(f"{name} is not there") from None
    except (OSError, ValueError, MemoryError) as error:
        raise StoreError(f"cannot read {name}: {_reason(error)}") from None


def _describe(info: RunInfo) -> dict[str, Any]:
    """Return what JSON can hold of a run; `_make_info` reads it back."""
    values = {field.name: getattr(info, field.name) for field in fields(info)}
    return values | {"rules": info.rules.to_dict(), "libraries": dict(info.libraries)}


def _make_info(metadata: Mapping[str, Any]) -> RunInfo:
    """Read the metadata of a file; FormatError where they are not those of a run."""
    values: dict[str, Any] = {"rules": _make_rules(metadata.get("rules"))}
    for field in fields(RunInfo):
        if field.name == "rules":
            continue
        value = metadata.get(field.name, _OF_OLDER_FILES.get(field.name))
        if not _READABLE.get(field.name, _is_text)(value):
            raise FormatError(f"is damaged: it does not say its {field.name.replace('_', ' ')}")
        values[field.name] = value
    values["ranges"] = tuple((start, stop) for start, stop in values["ranges"])
    values["scores"] = tuple(values["scores"])
    return RunInfo(**values)


def _make_rules(values: Any) -> Rules:
    if not isinstance(values, dict):
        raise FormatError("is damaged: it does not say its rules")
    try:
        return Rules.from_dict(values)
    except RulesError as error:
        raise FormatError(f"is damaged: {error}") from None


def _is_text(value: Any) -> bool:
    """Whether a value is a line that can be shown."""
    return isinstance(value, str) and len(value) <= MOST_LETTERS and value.isprintable()


def _is_command(value: Any) -> bool:
    """Whether a value is a command line: any text that can be written, as file names may have any letters."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_moment(value: Any) -> bool:
    """Whether a value is a time in ISO 8601, of which the day can be told in every zone."""
    try:
        return 1 < datetime.datetime.fromisoformat(value).year < 9999
    except (TypeError, ValueError):
        return False


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, as files and callers are free to give others."""
    return isinstance(value, int) and not isinstance(value, bool)


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_TIME


def _are_ranges(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, list) and len(item) == 2 and all(is_whole(end) for end in item) for item in value
    )


def _are_scores(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_whole, value))


def _are_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(item) for item in value.values())


_READABLE: dict[str, Callable[[Any], bool]] = {
    "seed": is_whole,
    "wanted": is_whole,
    "first": is_whole,
    "whole": is_whole,
    "ranges": _are_ranges,
    "scores": _are_scores,
    "libraries": _are_texts,
    "command": _is_command,
    "started": _is_moment,
    "seconds": _is_time,
    "speed": _is_time,
}
"""What the fields of `RunInfo` that are no texts must be in a file."""

_OF_OLDER_FILES: dict[str, Any] = {
    "tempers": "normal",
    "bidding": "points",
    "scores": [],
    "first": 0,
    "whole": 0,
}
"""What files mean that are older than a field."""


def _find_flaw(run: Run) -> str:
    """Say in what a run contradicts itself; nothing if it does not."""
    info, tally = run.info, run.tally
    if (
        info.mode not in MODES
        or info.sample not in SAMPLES
        or (info.mode, info.sample) == ("auction", "stratified")
    ):
        return f"mode {_shown(info.mode)} with sample {_shown(info.sample)} is unknown"
    if info.bots not in BOT_NAMES:
        return f"bots {_shown(info.bots)} are unknown"
    if info.tempers not in TEMPER_NAMES:
        return f"tempers {_shown(info.tempers)} are unknown"
    try:
        check_bidding(info.rules, info.bidding, info.scores or (0,) * info.rules.n_teams)
    except ValueError as error:
        return str(error)
    if not 0 <= info.seed < MAX_SEED:
        return f"seed {info.seed} is not from 0 to 2^63 - 1"
    return _find_range_flaw(info) or _find_count_flaw(info, tally)


def _find_range_flaw(info: RunInfo) -> str:
    ranges = info.ranges
    try:
        joined = join(ranges)
    except DoubledDealsError as error:
        return str(error)
    if joined != ranges or any(start < 0 or stop > MAX_INDEX for start, stop in ranges):
        return "its ranges of deals are not in order"
    stop = info.part.stop
    if min(info.first, info.wanted) < 0 or max(stop, info.whole) > MAX_INDEX or 0 != info.whole < stop:
        return f"it was to play {info.wanted} deals from {info.first} on, of {info.whole}"
    if ranges and not info.first <= ranges[0][0] < ranges[-1][1] <= stop:
        return "it has deals that it was not to play"
    return ""


def _find_count_flaw(info: RunInfo, tally: Tally) -> str:
    if tally.cells.shape != CELLS_SHAPE or tally.types.shape != TYPES_SHAPE:
        return "its counts have the wrong shape"
    if tally.passed < 0 or tally.cells.min() < 0 or tally.types.min() < 0:
        return "it has counts below 0"
    if max(counts.sum(dtype=np.float64) for counts in (tally.cells, tally.types)) > 2 * MAX_INDEX:
        return "it has counts that no run comes to"  # whole numbers would wrap around, and fit again
    if tally.deals != info.deals:
        return f"it counts {tally.deals} deals, but says {info.deals}"
    if tally.cells[:, cell_hands() == 0].any():
        return "it counts hands that do not exist"
    if not np.array_equal(tally.cells.sum(axis=(1, 2)), _outcomes_of_types(tally, info.rules)):
        return "its two ways of counting do not agree"
    forced = info.mode == "declare"
    if tally.types[:, 1:].any() if forced else tally.types[:, 0].any():
        return f"its bids are not those of mode {info.mode}"
    if forced and not _is_dealt_in_turn(info, tally):
        return "its deals are not those of its ranges"
    return ""


def _outcomes_of_types(tally: Tally, rules: Rules) -> Int64Array:
    """Sum the deal types to the declaring team's outcomes: int64 [seat 6, 64]."""
    counts = np.zeros((N_SEATS, N_OUTCOMES), np.int64)
    for seat, types in enumerate(tally.types.sum(axis=1)):
        np.add.at(counts[seat], type_outcomes(rules.team(seat + 1) - 1), types)
    return counts


def _is_dealt_in_turn(info: RunInfo, tally: Tally) -> bool:
    """Whether seats, and in stratified runs classes, had as many deals as their turns in the ranges."""
    dealt = tally.cells.sum(axis=(2, 3))
    if info.sample == "natural":
        return np.array_equal(dealt.sum(axis=1), _turns(info.ranges, N_SEATS))
    turns = _turns(info.ranges, N_SEATS * len(HOLDINGS))
    return np.array_equal(dealt, turns.reshape(len(HOLDINGS), N_SEATS).T)


def _turns(ranges: Ranges, modulus: int) -> Int64Array:
    """Count the indices in the ranges with each remainder: int64 [modulus]."""
    counts = np.zeros(modulus, np.int64)
    for start, stop in ranges:
        before_start, before_stop = (
            (end + modulus - 1 - np.arange(modulus)) // modulus for end in (start, stop)
        )
        counts += before_stop - before_start
    return counts


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__
    return str(text)


def _shown(path: str | os.PathLike[str]) -> str:
    text = "".join(letter if letter.isprintable() else "?" for letter in os.fspath(path))
    return text if len(text) <= 200 else text[:199] + "…"
