"""Parts of a run, played apart, added up to the very counts that the whole run has."""

from collections.abc import Iterable
from dataclasses import replace

from schmier_sim.analysis.ranges import DoubledDealsError, Range, Ranges, join, named
from schmier_sim.analysis.run import SAME
from schmier_sim.analysis.store import Run, RunInfo, StoreError, setting_words
from schmier_sim.analysis.tally import Tally


def merge(parts: Iterable[tuple[str, Run]], command: str = "") -> Run:
    """Add parts up.

    Parameters
    ----------
    parts
        Name, for messages, and run of each part, in any order; each is looked at once, so that they can be read
        as they come.
    command
        Kept in the run, to tell how it was made.

    Returns
    -------
    Run
        All deals of the parts. What they lack of the run that they are parts of is its ``info.missing``. The time is
        the sum of the parts'.

    Raises
    ------
    StoreError
        No parts; parts that differ in what decides a deal, with all that differs; or deals that are in two parts.
    """
    tally = Tally.empty()
    taken: dict[str, RunInfo] = {}
    ranges: Ranges = ()
    for name, part in parts:
        if taken:
            _refuse_other(name, part.info, *next(iter(taken.items())))
        try:
            ranges = join((*ranges, *part.info.ranges))
        except DoubledDealsError:
            raise StoreError(_doubled(name, part.info, taken)) from None
        tally.add(part.tally)
        taken[name] = part.info
    if not taken:
        raise StoreError("there is nothing to merge: name some parts")
    infos = list(taken.values())
    seconds = sum(info.seconds for info in infos)
    info = replace(
        infos[0],
        ranges=ranges,
        first=0,
        wanted=lengths(infos)[-1],
        whole=0,
        libraries=_libraries(infos),
        command=command,
        started=min(info.started for info in infos),
        seconds=seconds,
        speed=tally.deals / max(seconds, 1e-9),
    )
    return Run(info, tally)


def lengths(infos: Iterable[RunInfo]) -> list[int]:
    """How many deals the runs have that parts are of, ascending: one number, unless the run was extended."""
    return sorted({info.whole or info.first + info.wanted for info in infos})


def _refuse_other(name: str, info: RunInfo, first_name: str, first: RunInfo) -> None:
    """Refuse a part of another run; say all that differs."""
    differences = [
        f"{field.replace('_', ' ')} {setting_words(mine)}, not {setting_words(others)}"
        for field in SAME
        if (mine := getattr(info, field)) != (others := getattr(first, field))
    ]
    if differences:
        raise StoreError(
            f"{name} is no part of the same run as {first_name}: it has {'; '.join(differences)}"
        )


def _doubled(name: str, info: RunInfo, taken: dict[str, RunInfo]) -> str:
    """Say which deals of a part are in parts before it."""
    for other, before in taken.items():
        both = _common(info.ranges, before.ranges)
        if both:
            return f"{name} and {other} both have deals {named(both)}: a deal may count once only"
    raise AssertionError(f"{name} has no deals of other parts")


def _common(some: Ranges, others: Ranges) -> Ranges:
    pairs: list[Range] = [
        (max(start, begin), min(stop, end)) for start, stop in some for begin, end in others
    ]
    return join(pairs)


def _libraries(infos: list[RunInfo]) -> dict[str, str]:
    """Versions of the libraries that parts used; all of them, where they differ."""
    names = sorted({name for info in infos for name in info.libraries})
    return {
        name: ", ".join(sorted({info.libraries[name] for info in infos if name in info.libraries}))
        for name in names
    }
