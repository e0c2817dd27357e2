"""What a handout is made of: sections of titles, sentences and tables, all of it text."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Table:
    """A table of text.

    Attributes
    ----------
    head : tuple of str
    rows : tuple of tuple of str
    align : str
        For each column l, c or r.
    strong : tuple of int
        Columns that stand out.
    about : str
        What it shows, for readers who do not see it.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: str
    strong: tuple[int, ...] = ()
    about: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the handout.

    Attributes
    ----------
    title : str
    lead : tuple of str
        Sentences at the beginning.
    tables : tuple of Table
    items : tuple of str
        A list.
    notes : tuple of str
        Small print below.
    """

    title: str
    lead: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    items: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Content:
    """All of a handout.

    Attributes
    ----------
    lang : str
    title, club, subtitle, foot : str
    date : tuple of int
        Year, month, day.
    front, back, more : dict of str to Section
        By name, in the order in which they stand; `more` on pages of their own, if wanted.
    chart : dict
        Words of the chart, see `present.handout_chart`.
    """

    lang: str
    title: str
    club: str
    subtitle: str
    foot: str
    date: tuple[int, int, int]
    front: dict[str, Section]
    back: dict[str, Section]
    more: dict[str, Section] = field(default_factory=dict)
    chart: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, as templates are given it."""
        return asdict(self)
