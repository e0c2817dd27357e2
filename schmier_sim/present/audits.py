"""Audits as tables for people, and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap
from typing import Any

import schmier_sim
from schmier_sim.analysis.audit import PARTS, Audit
from schmier_sim.analysis.calibration import Calibration, CalibrationRow
from schmier_sim.analysis.cells import CellRow, Cells, CellSummary
from schmier_sim.analysis.regret import Decision, Regret, RegretTable, option_text
from schmier_sim.analysis.response import Gap, Response
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.counts import BIDS
from schmier_sim.present.numbers import Z95, count, decimal, percent, percent_interval, plain, signed
from schmier_sim.present.replay import SUIT_NAMES

SCHEMA = "schmier-sim/audit/1"
GAP = "  "
WIDTH = 100
MEASURE_NAMES = {
    "points": "points",
    **{f"make_{bid}": f"{bid} or more, %" for bid in BIDS},
    "made": "bid made, %",
    "relative": "relative points",
}
IN_POINTS = ("points", "relative")

#: Of fewer decisions the spread is not known well enough to tell an error.
LEAST_DECISIONS = 20
DASH = "–"

REGRET_TITLE = "Regret of {bots}: {mode}, {deals} deals, {worlds} worlds"
REGRET_MODES = {
    ("auction", "natural"): "with an auction",
    ("declare", "stratified"): "declared in turn, every trump holding alike",
}
REGRET_NOTE = (
    "Regret: how much more the choice of search is worth, in relative points, valued in worlds that had no part in "
    "choosing; all six seats together. Clear: decisions with regret beyond its error. Own side, opponents: whose card "
    "was winning before this one. –: fewer than 20 decisions."
)
WORST_TITLE = "The worst decisions of {bots}, judged in {judged} worlds"
RESPONSE_TITLE = "What a side gains by search, {worlds} worlds, {deals} deals with each way to declare"
RESPONSE_NOTE = (
    "All figures are the declaring side's; the gain is that of the side that search plays for, on the same deals. For "
    "defenders it is what the declaring side loses. Calls are those of {bots} throughout."
)
CELLS_TITLE = "Hands played by {bots}, and by search at all six seats ({worlds} worlds, {deals} deals)"
CELLS_NOTE = (
    "Percentage points, search less {bots}, on the same deals; the {classes} commonest trump holdings with which "
    "{bots} declares in auctions ({covered} % of its bids), each as often as it bids on it. Spread: how much holdings "
    "differ from the mean, without noise; size: how large differences are, without noise. Seen: their mean size as "
    "measured for the groups below, of which noise alone would make the number beside it. Largest: of the groups, "
    "moved towards the mean by how much of it is noise."
)
GROUPS_TITLE = "By groups of holdings: percent made by {bots}, and what search has more"
CALIBRATION_TITLE = "Predicted and made: contracts of {bots} in {deals} deals, tenths by predicted chance"
CALIBRATION_NOTE = (
    "Predicted: the chance of at least the bid in club's bidding table, by dealt hand, suit and seat."
)
FOOT = "± 95 % interval · rules standard · seed {seed} · schmier-sim {version}"


@dataclass(frozen=True)
class Block:
    """A table with a title and notes.

    Attributes
    ----------
    title, note
        What stands above, and a paragraph that stands below.
    columns
        Headings.
    rows
        Cells as text, one for each column; a row without cells is a gap.
    left
        How many columns, from the first, stand at the left.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    note: str = ""

    def to_text(self) -> str:
        """Write it for a terminal."""
        lines = [self.columns, *self.rows]
        widths = [max(len(line[at]) for line in lines if line) for at in range(len(self.columns))]
        text = [self.title, ""]
        for line in lines:
            cells = [
                cell.ljust(width) if at < self.left else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(line, widths, strict=False))
            ]
            text.append(GAP.join(cells).rstrip())
        return "\n".join([*text, *(["", *wrap(self.note, WIDTH)] if self.note else [])]) + "\n"

    def to_markdown(self) -> str:
        """Write it for a page."""
        lines = [
            "| " + " | ".join(self.columns) + " |",
            "| " + " | ".join("---" if at < self.left else "---:" for at in range(len(self.columns))) + " |",
        ]
        lines += ["| " + " | ".join(row) + " |" for row in self.rows if row]
        return "\n".join(lines) + "\n"


def to_text(audit: Audit) -> str:
    """Write an audit for a terminal of 100 columns or more."""
    parts = [block.to_text() for block in blocks(audit)]
    if audit.regret is not None and audit.regret.worst:
        parts.insert(len(audit.regret.tables), worst_text(audit.bots, audit.seed, audit.regret))
    return "\n".join([*parts, FOOT.format(seed=audit.seed, version=schmier_sim.__version__)]) + "\n"


def blocks(audit: Audit) -> list[Block]:
    """Tables of an audit, in the order of its parts."""
    found = []
    if audit.regret is not None:
        found += [regret_block(audit.bots, audit.regret, table) for table in audit.regret.tables]
    if audit.response is not None:
        found.append(response_block(audit.bots, audit.response))
    if audit.cells is not None:
        found += [cells_block(audit.bots, audit.cells), groups_block(audit.bots, audit.cells)]
    if audit.calibration is not None:
        found.append(calibration_block(audit.bots, audit.calibration))
    return found


def regret_block(bots: str, regret: Regret, table: RegretTable) -> Block:
    """Regret by kind of decision."""
    rows = []
    for row in table.rows:
        enough = row.per_deal * table.deals >= LEAST_DECISIONS
        rows.append(
            (
                row.kind,
                decimal(row.per_deal, 2),
                _percent(row.clear, row.clear_se) if enough else DASH,
                _plus_minus(row.each, row.each_se) if enough else DASH,
                _plus_minus(row.deal, row.deal_se),
                _percent(row.share, row.share_se) if enough else DASH,
            )
        )
    mode = REGRET_MODES[table.mode, table.sample]
    return Block(
        REGRET_TITLE.format(bots=bots, mode=mode, deals=count(table.deals), worlds=regret.worlds),
        ("decision", "a deal", "clear, %", "regret each", "regret a deal", "share, %"),
        tuple(rows),
        note=REGRET_NOTE,
    )


def worst_text(bots: str, seed: int, regret: Regret) -> str:
    """Tell the worst decisions, each with the command that replays its deal."""
    lines = [WORST_TITLE.format(bots=bots, judged=count(regret.judged)), ""]
    for number, decision in enumerate(regret.worst, start=1):
        head, what = decision_text(decision)
        lines += [
            f"{number:2}. {head} (seed {seed})",
            *_indented(what),
            *_indented(decision.address.command(bots)),
        ]
    return "\n".join(lines) + "\n"


def _indented(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="    ", subsequent_indent="    ")


def decision_text(decision: Decision) -> tuple[str, str]:
    """Tell a decision: where it is and what it costs; what was held and done, and what is better."""
    place = f"deal {decision.address.index}, seat {decision.seat}"
    place += f", trick {decision.trick}" if decision.trick else ""
    cost = f"{decimal(decision.regret, 2)} ±{decimal(Z95 * decision.error, 2)}"
    trumps = f"{SUIT_NAMES[decision.trump]} are trumps" if decision.trump else ""
    bid = f", the bid is {decision.bid}" if decision.bid else ""
    table = f"on the table {' '.join(decision.table)}" if decision.table else ""
    held = f"held {' '.join(decision.hand)}"
    verb = "put away" if isinstance(decision.played, tuple) else "played" if decision.trick else "named"
    did = f"{verb} {option_text(decision.played) or 'none'}, better {option_text(decision.better) or 'none'}"
    what = "; ".join(part for part in (trumps + bid, table, held, did) if part)
    return f"{place}, {decision.kind}: regret {cost}", what


def response_block(bots: str, response: Response) -> Block:
    """Gains of both sides in both modes."""
    rows: list[tuple[str, ...]] = []
    before = ("", "")
    for gap in response.gaps:
        here = (gap.mode, gap.side)
        names = here if here != before else ("", "")
        if rows and names[0]:
            rows.append(())
        rows.append((*names, MEASURE_NAMES[gap.measure], *_gap_cells(gap)))
        before = here
    deals = "/".join(
        dict.fromkeys(count(gap.deals) for gap in response.gaps)
    )  # fewer with auctions: some are passed out
    return Block(
        RESPONSE_TITLE.format(worlds=response.worlds, deals=deals),
        ("mode", "search plays for", "declaring side", bots, "search", "gain"),
        tuple(rows),
        left=3,
        note=RESPONSE_NOTE.format(bots=bots),
    )


def _gap_cells(gap: Gap) -> tuple[str, str, str]:
    if gap.measure in IN_POINTS:
        gain = f"{signed(gap.gap, 3)} ±{decimal(Z95 * gap.gap_se, 3)}"
        return decimal(gap.base, 3), decimal(gap.search, 3), gain
    return percent(gap.base), percent(gap.search), _points(gap.gap, gap.gap_se)


def cells_block(bots: str, cells: Cells) -> Block:
    """Differences of table cells by bid."""
    return Block(
        CELLS_TITLE.format(bots=bots, worlds=cells.worlds, deals=count(cells.deals)),
        ("bid", "mean", "spread", "size", "seen", "noise", "largest", "group"),
        tuple(map(_summary_cells, cells.summaries)),
        note=CELLS_NOTE.format(bots=bots, classes=count(cells.classes), covered=percent(cells.covered)),
    )


def _summary_cells(summary: CellSummary) -> tuple[str, ...]:
    return (
        str(summary.bid),
        _points(summary.mean, summary.mean_se),
        percent(summary.spread),
        _percent(summary.absolute, summary.absolute_se),
        percent(summary.seen),
        percent(summary.noise),
        _points(summary.largest, summary.largest_se),
        summary.largest_group,
    )


def groups_block(bots: str, cells: Cells) -> Block:
    """Make-chances by group of holdings."""
    by_group: dict[str, list[CellRow]] = {}
    for row in cells.rows:
        by_group.setdefault(row.group, []).append(row)
    rows = [
        (
            group,
            percent(of_bids[0].share),
            *(f"{percent(row.base)} {_points(row.difference, row.difference_se)}" for row in of_bids),
        )
        for group, of_bids in by_group.items()
    ]
    return Block(
        GROUPS_TITLE.format(bots=bots),
        ("holding", "bids, %", *map(str, BIDS)),
        tuple(rows),
    )


def calibration_block(bots: str, calibration: Calibration) -> Block:
    """Predicted and made by tenths and by bid."""
    rows: list[tuple[str, ...]] = [_calibration_cells(_range(row), row) for row in calibration.tenths]
    rows += [
        (),
        *(_calibration_cells(f"bids of {bid}", row) for bid, row in zip(BIDS, calibration.bids, strict=True)),
        (),
        _calibration_cells("all", calibration.total),
    ]
    return Block(
        CALIBRATION_TITLE.format(bots=bots, deals=count(calibration.deals)),
        ("predicted, %", "contracts", "mean", "made, %", "difference"),
        tuple(rows),
        note=CALIBRATION_NOTE,
    )


def _range(row: CalibrationRow) -> str:
    return f"{percent(row.low)} to {percent(row.high)}"


def _calibration_cells(name: str, row: CalibrationRow) -> tuple[str, ...]:
    return (
        name,
        count(row.deals),
        percent(row.predicted),
        percent_interval(row.made, row.made_low, row.made_high) if row.deals else percent(row.made),
        _points(row.difference, row.difference_se),
    )


def _plus_minus(value: float, error: float) -> str:
    return f"{decimal(value, 3)} ±{decimal(Z95 * error, 3)}" if error >= 0 else decimal(value, 3)


def _percent(share: float, error: float) -> str:
    """A share in percent with its 95 % interval."""
    return f"{percent(share)} ±{percent(Z95 * error)}" if error >= 0 else percent(share)


def _points(difference: float, error: float) -> str:
    """A difference of two chances in percentage points with its 95 % interval."""
    text = signed(100 * difference, 1)
    return f"{text} ±{percent(Z95 * error)}" if error >= 0 else text


def to_json(audit: Audit) -> str:
    """Write an audit as one line of JSON, schema `schmier-sim/audit/1`; not-a-number is null.

    Parts that were not asked for are null. ``…_se`` are standard errors.
    """
    run = {
        "version": schmier_sim.__version__,
        "rules": Rules().to_dict(),
        "bots": audit.bots,
        "seed": audit.seed,
        "deals": audit.deals,
        "worlds": audit.worlds,
    }
    parts = {part: _plain(getattr(audit, part)) for part in PARTS}
    if audit.regret is not None:
        for decision, about in zip(audit.regret.worst, parts["regret"]["worst"], strict=True):
            about["command"] = decision.address.command(audit.bots)
    return json.dumps({"schema": SCHEMA, "run": run, **parts}, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: object) -> Any:
    """Lists, objects and numbers of nine digits, as in tables."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return plain(value)
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence):
        return [_plain(part) for part in value]
    return _plain(asdict(value))  # type: ignore[call-overload]
