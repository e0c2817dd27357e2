"""Ranges of deals, as (start, stop) of indices: which a run has, which it lacks, which a part of it is to play."""

from collections.abc import Iterable
from typing import NamedTuple

Range = tuple[int, int]
Ranges = tuple[Range, ...]

#: So many ranges are named in a message; of more than that, how many there are.
MOST_NAMED = 4


class Part(NamedTuple):
    """What is to be played: `deals` from the index `first` on, of a run of `whole` deals (0: this is the run)."""

    first: int
    deals: int
    whole: int

    @property
    def stop(self) -> int:
        """The index after the last deal."""
        return self.first + self.deals


class DoubledDealsError(ValueError):
    """Deals that are in two ranges; the message is one line."""


def join(ranges: Iterable[Range]) -> Ranges:
    """Sort ranges, leave out empty ones and join those that touch.

    Raises
    ------
    DoubledDealsError
        Deals that are in two of the ranges.
    """
    joined: list[Range] = []
    for start, stop in sorted(ranges):
        if start >= stop:
            continue
        if joined and start < joined[-1][1]:
            raise DoubledDealsError(f"deals {start} to {min(stop, joined[-1][1]) - 1} are there twice")
        if joined and start == joined[-1][1]:
            start = joined.pop()[0]
        joined.append((start, stop))
    return tuple(joined)


def count(ranges: Iterable[Range]) -> int:
    """Deals in some ranges that do not overlap."""
    return sum(stop - start for start, stop in ranges)


def missing(ranges: Ranges, first: int, stop: int) -> Ranges:
    """What ordered ranges leave out of the deals from `first` to before `stop`."""
    gaps, at = [], first
    for start, end in (*ranges, (stop, stop)):
        if at < min(start, stop):
            gaps.append((at, min(start, stop)))
        at = max(at, end)
    return tuple(gaps)


def shard(number: int, of: int, deals: int, after: int = 0) -> Part:
    """Part `number` (1 … `of`) of so many deals `after` those that there are: all parts together have each deal once.

    Raises
    ------
    ValueError
        There is no such part, or more parts than deals.
    """
    if not 1 <= number <= of:
        raise ValueError(f"there is no part {number} of {of}: the first is 1/{of}, the last {of}/{of}")
    if of > deals:
        raise ValueError(f"{deals} deals have no {of} parts: take at most {deals}, or more deals")
    start, stop = (number - 1) * deals // of, number * deals // of
    return Part(after + start, stop - start, after + deals)


def named(ranges: Ranges) -> str:
    """Ranges in words: ``0 to 99 and 200 to 299``; the number of deals where there are too many."""
    if len(ranges) > MOST_NAMED:
        return (
            f"{ranges[0][0]:,} to {ranges[-1][1] - 1:,} ({count(ranges):,} of them, in {len(ranges)} ranges)"
        )
    texts = [f"{start:,}" if stop == start + 1 else f"{start:,} to {stop - 1:,}" for start, stop in ranges]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)
