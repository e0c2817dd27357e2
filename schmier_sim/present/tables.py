"""Tables: a frame of `analysis.estimates.make_table` and its run's description in, text out.

`to_text` and `to_markdown` are for people and write their numbers with `numbers`; `to_csv` and `to_json` are for
programs, hold nine digits of each number and are never localised.  A number that is not there is a dash, an empty
field or null.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from schmier_sim.analysis.store import RunInfo
from schmier_sim.game.cards import POINTS
from schmier_sim.present import words
from schmier_sim.present.numbers import (
    count,
    decimal,
    one_in,
    one_sided_limits,
    percent,
    percent_interval,
    plain,
    signed,
)
from schmier_sim.present.quoting import as_cell, as_markdown
from schmier_sim.present.words import BIDS

#: Significant digits of a number in CSV and JSON.
TABLE_SCHEMA = "schmier-sim/table/1"
FEW_DEALS = 1_000  # below, a chance is uncertain by three percentage points or more: the row is marked
TEXT_WIDTH = 120
GAP = "  "

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Column:
    """One column for people: `group` and `heading` above each other in text, `name` alone in Markdown."""

    group: str
    heading: str
    name: str
    write: Callable[[Row], str]
    left: bool = False


def key_columns(frame: pd.DataFrame) -> list[str]:
    """List the keys that a table was made by: its columns before `deals`."""
    names = [str(name) for name in frame.columns]
    return names[: names.index("deals")]


def to_text(
    frame: pd.DataFrame,
    info: RunInfo,
    *,
    where: str = "",
    wide: bool = False,
    width: int = TEXT_WIDTH,
    few: int = FEW_DEALS,
) -> str:
    """Write a table for the terminal, aligned, with a foot that says how to read it and where it comes from.

    Without rows it says in one line why there are none.
    Columns that do not fit into `width` go on in a further block, each block with the keys at its left.

    Parameters
    ----------
    frame : DataFrame
        Rows of `make_table`.
    info : RunInfo
        The run that the rows were counted from.
    where : str
        The filter that the rows were made with; it is only shown.
    wide : bool
        Also the standard errors of the net points and the chance of each of the six points.
    width : int
        Characters in a line.
    few : int
        Rows with fewer effective deals are marked with a star.
    """
    rows = rows_of(frame)
    if not rows:
        return f"{_no_rows(frame, where)}\n\n{words.caption(info)}\n"
    keys = _key_columns(frame)
    blocks = _blocks(keys, _value_groups(few, wide), rows, width)
    tables = ["\n".join(_lines(block, rows)) for block in blocks]
    return "\n\n".join([*tables, "\n".join(_foot(frame, rows, info, where, few))]) + "\n"


def to_markdown(
    frame: pd.DataFrame, info: RunInfo, *, where: str = "", wide: bool = False, few: int = FEW_DEALS
) -> str:
    """Write a table as Markdown, one line a row, with the same numbers and foot as `to_text`."""
    rows = rows_of(frame)
    if not rows:
        return f"{as_markdown(_no_rows(frame, where))}\n\n{as_markdown(words.caption(info))}\n"
    columns = [*_key_columns(frame), *(column for group in _value_groups(few, wide) for column in group)]
    lines = [
        _markdown_line(column.name for column in columns),
        _markdown_line(":---" if column.left else "---:" for column in columns),
        *(_markdown_line(column.write(row) for column in columns) for row in rows),
    ]
    foot = "  \n".join(map(as_markdown, _foot(frame, rows, info, where, few)))
    return "\n".join(lines) + f"\n\n{foot}\n"


def to_csv(frame: pd.DataFrame, info: RunInfo, *, where: str = "") -> str:
    """Write a table as CSV: all columns, then the run's description and the filter in every row.

    These stand in columns (`rules` … `version`, `where`) rather than in comments, which few programs skip; `where` is
    empty without a filter. Lines end in a line feed; decimal points are points.
    """
    about = {
        "rules": as_cell(words.rules_name(info.rules)),
        "bots": info.bots,
        "tempers": info.tempers,
        "bidding": info.bidding,
        "scores": " ".join(map(str, info.scores)),
        "mode": info.mode,
        "sample": info.sample,
        "seed": info.seed,
        "run_deals": info.deals,
        "version": as_cell(info.version),
        "where": _one_line(where),
    }
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*frame.columns, *about])
    for row in rows_of(frame):
        writer.writerow(
            ["" if value is None else value for value in (*map(plain, row.values()), *about.values())]
        )
    return text.getvalue()


def to_json(frame: pd.DataFrame, info: RunInfo, *, where: str = "") -> str:
    """Write a table as one line of JSON, schema `schmier-sim/table/1`, not-a-number is null.

    `run` has a key `where` only if there is a filter.
    """
    keys = key_columns(frame)
    table = {
        "schema": TABLE_SCHEMA,
        "run": run_dict(info) | ({"where": _one_line(where)} if where.strip() else {}),
        "rows": [
            _json_row({name: plain(value) for name, value in row.items()}, keys) for row in rows_of(frame)
        ],
    }
    return json.dumps(table, ensure_ascii=False, allow_nan=False) + "\n"


def run_dict(info: RunInfo) -> dict[str, Any]:
    """Describe a run for JSON by what decides its counts, without dates and machine, so that it can be reproduced."""
    return {
        "version": info.version,
        "rules": info.rules.to_dict(),
        "bots": info.bots,
        "tempers": info.tempers,
        "bidding": info.bidding,
        "scores": list(info.scores),
        "mode": info.mode,
        "sample": info.sample,
        "seed": info.seed,
        "deals": info.deals,
        "ranges": [list(pair) for pair in info.ranges],
    }


def is_few(row: Row, few: int = FEW_DEALS) -> bool:
    """Whether a row rests on fewer effective deals than `few`."""
    return not row.get("effective_deals", row["deals"]) >= few


def _json_row(row: Row, keys: Sequence[str]) -> dict[str, Any]:
    chances = [
        f"{name}{bound}" for name in (f"make_{bid}" for bid in BIDS) for bound in ("", "_low", "_high")
    ]
    nets = [f"net_{bid}{error}" for bid in BIDS for error in ("", "_se")]
    return {
        **{key: row[key] for key in keys},
        **{name: row[name] for name in ("deals", "effective_deals", "share", "mean_points")},
        "points": [row[f"points_{number}"] for number in range(7)],
        **{name: row[name] for name in (*chances, *nets, "best_bid")},
        "won": {point: row[f"won_{point}"] for point in POINTS},
    }


def rows_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """List the rows of a frame, each by the names of its columns; numbers stay as they are."""
    return [
        {str(name): value for name, value in zip(frame.columns, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]


def _key_columns(frame: pd.DataFrame) -> list[_Column]:
    keys = key_columns(frame)
    if not keys:
        return [_Column("", "hands", "hands", lambda _: words.ALL_HANDS, left=True)]
    return [_key_column(key, not pd.api.types.is_numeric_dtype(frame[key])) for key in keys]


def _key_column(key: str, left: bool) -> _Column:
    name = words.KEY_NAMES.get(key, key.replace("_", " "))
    first, _, second = name.rpartition(" ")
    return _Column(first, second, name, lambda row: words.key_text(key, row[key]), left)


def _value_groups(few: int, wide: bool) -> list[list[_Column]]:
    """Columns in the groups that stay together when a table is too wide for its lines."""
    groups = [
        [
            _Column(
                "", "deals", "deals", lambda row: count(row["deals"]) + ("*" if is_few(row, few) else " ")
            ),
            _Column("once in", "… hands", "once in … hands", lambda row: one_in(row["share"])),
        ],
        [_make_column(bid) for bid in BIDS],
        [
            _Column("mean", "points", "mean points", lambda row: decimal(row["mean_points"])),
            _Column("bid", "up to", "bid up to", lambda row: str(row["best_bid"])),
        ],
        [_net_column(bid, wide) for bid in BIDS],
    ]
    return [*groups, [_won_column(point) for point in POINTS]] if wide else groups


def make_text(row: Row, bid: int) -> str:
    """Write the chance to make a bid with its interval."""
    return percent_interval(row[f"make_{bid}"], row[f"make_{bid}_low"], row[f"make_{bid}_high"])


def _make_column(bid: int) -> _Column:
    return _Column(
        "bid is made, %",
        str(bid),
        f"make {bid}, %",
        lambda row: make_text(row, bid),
    )


def _net_column(bid: int, with_error: bool) -> _Column:
    def write(row: Row) -> str:
        error = f" ({decimal(row[f'net_{bid}_se'], 3)})" if with_error else ""
        return signed(row[f"net_{bid}"]) + error

    group = "net points of bidding (standard error)" if with_error else "net points of bidding"
    return _Column(group, str(bid), f"net {bid}", write)


def _won_column(point: str) -> _Column:
    return _Column(
        "chance to win the point, %", point, f"{point}, %", lambda row: percent(row[f"won_{point}"])
    )


def _blocks(
    keys: list[_Column], groups: list[list[_Column]], rows: Sequence[Row], width: int
) -> list[list[_Column]]:
    blocks = [list(keys)]
    for group in groups:
        together = [*blocks[-1], *group]
        if blocks[-1] != keys and len(_lines(together, rows)[1]) > width:
            blocks.append([*keys, *group])
        else:
            blocks[-1] = together
    return blocks


def _lines(columns: Sequence[_Column], rows: Sequence[Row]) -> list[str]:
    """Two lines of headings, then one line a row."""
    cells = [[column.heading, *(column.write(row) for row in rows)] for column in columns]
    widths = [max(map(len, column)) for column in cells]
    top = ""
    at = 0
    while at < len(columns):
        end = at + 1
        while end < len(columns) and columns[end].group == columns[at].group != "":
            end += 1
        group, spread = columns[at].group, end - at
        room = sum(widths[at:end]) + len(GAP) * (spread - 1)
        widths[at] += max(0, len(group) - room)
        room = max(room, len(group))
        single = group.ljust(room) if columns[at].left else group.rjust(room)
        top += (single if spread == 1 else f" {group} ".center(room, "-")) + GAP
        at = end
    aligned = [
        [cell.ljust(width) if column.left else cell.rjust(width) for cell in texts]
        for column, width, texts in zip(columns, widths, cells, strict=True)
    ]
    return [top.rstrip(), *(GAP.join(line).rstrip() for line in zip(*aligned, strict=True))]


def _foot(frame: pd.DataFrame, rows: Sequence[Row], info: RunInfo, where: str, few: int) -> list[str]:
    lines = [words.HANDS_PICKED.format(where=_one_line(where))] if where.strip() else []
    lines += [words.INTERVAL_NOTE, *one_sided_notes(rows)]
    lines += [" ".join([words.BEST_NOTE, *open_notes(rows)]), _share_note(key_columns(frame), info)]
    if info.mode == "auction":
        lines.append(words.AUCTION_NOTE)
    if any(is_few(row, few) for row in rows):
        lines.append(words.FEW_NOTE.format(few=count(few)))
    for reason, text in words.LEFT_OUT_NOTES.items():
        if number := frame.attrs.get(reason, 0):
            lines.append(text.format(rows="1 row is" if number == 1 else f"{count(number)} rows are"))
    return [*lines, words.caption(info)]


def one_sided_notes(rows: Sequence[Row]) -> list[str]:
    """Explain `100.0 −0.1` and `0.0 +0.1` by the first of them in these rows; nothing if there is none."""
    texts = (make_text(row, bid) for row in rows for bid in BIDS)
    for text in texts:
        if " " in text and "±" not in text:
            low, high = one_sided_limits(text)
            return [words.ONE_SIDED_NOTE.format(example=text, low=low, high=high)]
    return []


def open_notes(rows: Sequence[Row]) -> list[str]:
    """Explain `3 or 4` as the best bid by the first such value in these rows; nothing if there is none."""
    for between, them in words.OPEN_THEM.items():
        for row in rows:
            if between in row["best_bid"]:
                return [words.OPEN_NOTE.format(example=row["best_bid"], them=them)]
    return []


def _no_rows(frame: pd.DataFrame, where: str) -> str:
    reasons = [
        text.format(number=count(number))
        for reason, text in words.NO_ROWS_REASONS.items()
        if (number := frame.attrs.get(reason, 0))
    ]
    if not reasons:
        picked = words.NO_HANDS_PICKED.format(where=_one_line(where))
        reasons = [picked if where.strip() else words.NO_HANDS]
    elif where.strip():
        reasons.append(words.HANDS_PICKED.format(where=_one_line(where)))
    return words.NO_ROWS.format(reasons=", ".join(reasons))


def _one_line(where: str) -> str:
    return " ".join(where.split())


def _share_note(keys: Sequence[str], info: RunInfo) -> str:
    note = words.SHARE_NOTES[info.sample]
    place = next((key for key in ("role", "seat") if key in keys), None)
    return note.format(place=f" and {place}" if place else "")


def _markdown_line(cells: Any) -> str:
    return "| " + " | ".join(cell.strip() for cell in cells) + " |"
