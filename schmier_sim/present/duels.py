"""Duels as a table for people, and as JSON."""

import json
from collections.abc import Sequence
from typing import Any

import schmier_sim
from schmier_sim.analysis.duel import Duel
from schmier_sim.analysis.seating import MODE, SAMPLE
from schmier_sim.present.numbers import Z95, count, decimal, percent, percent_interval, plain, signed
from schmier_sim.present.words import DUEL_FAIR, DUEL_NOTES, DUEL_SCORE_NOTES, DUEL_WORLDS, rules_name

SCHEMA = "schmier-sim/duel/1"
GROUPS = (("", 2), ("deals", 1), ("relative points a deal", 3), ("matches", 2))
COLUMNS = ("challenger", "opponent", "played", "all", "declaring", "defending", "played", "won, %")
GAP = "  "


def to_text(duels: Sequence[Duel]) -> str:
    """Write duels of the same rules and seed as a table with its notes, one line a duel."""
    rows = [COLUMNS, *map(_cells, duels)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(COLUMNS))]
    heading, at = [], 0
    for name, columns in GROUPS:
        width = sum(widths[at : at + columns]) + len(GAP) * (columns - 1)
        heading.append(name.rjust(width) if columns == 1 else f" {name} ".center(width, "-" if name else " "))
        at += columns
    lines = [GAP.join(heading)]
    for row in rows:
        names = [cell.ljust(width) for cell, width in zip(row[:2], widths[:2], strict=True)]
        lines.append(
            GAP.join(
                names + [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
            ).rstrip()
        )
    return "\n".join([*lines, "", *_foot(duels)]) + "\n"


def _cells(duel: Duel) -> tuple[str, ...]:
    names = (duel.challenger, duel.opponent)
    if duel.by_score:
        names = tuple(f"{name} by {by}" for name, by in zip(names, duel.bidding, strict=True))  # type: ignore[assignment]
    return (
        *names,
        count(duel.deals),
        _points(duel.relative, duel.relative_se),
        _points(duel.declaring, duel.declaring_se),
        _points(duel.defending, duel.defending_se),
        count(duel.matches),
        percent_interval(duel.match_wins, duel.match_wins_low, duel.match_wins_high)
        if duel.match_wins_high > duel.match_wins_low
        else percent(duel.match_wins),
    )


def _points(mean: float, error: float) -> str:
    """Write a mean with its 95 % interval: `+0.123 ±0.010`; two that do not differ have none."""
    text = signed(mean, 3)
    return f"{text} ±{decimal(Z95 * error, 3)}" if error > 0 else text


def _foot(duels: Sequence[Duel]) -> list[str]:
    first = duels[0]
    places = {3: "three", 2: "two"}[first.rules.n_teams]
    parts = [
        f"rules {rules_name(first.rules)}",
        f"mode {MODE}, {SAMPLE} sample",
        f"seed {first.seed}",
        f"schmier-sim {schmier_sim.__version__}",
    ]
    worlds = {duel.worlds for duel in duels} - {None}
    parts += [DUEL_WORLDS.format(worlds=worlds.pop())] if worlds else []
    notes = [note.format(places=places) for note in (DUEL_SCORE_NOTES if first.by_score else DUEL_NOTES)]
    return [
        *notes,
        DUEL_FAIR.format(target=first.rules.target, share=percent(first.fair_share)),
        " · ".join(parts),
    ]


def to_json(duel: Duel) -> str:
    """Write a duel as one line of JSON, schema `schmier-sim/duel/1`; not-a-number is null."""
    return _line(_describe(duel))


def all_to_json(duels: Sequence[Duel]) -> str:
    """Write several duels of the same rules and seed as one line of JSON; each stands in ``duels`` as it is alone."""
    names = list(dict.fromkeys(name for duel in duels for name in (duel.challenger, duel.opponent)))
    run = _run(duels, names)
    return _line({"schema": SCHEMA, "run": run, "duels": [_describe(duel) for duel in duels]})


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _describe(duel: Duel) -> dict[str, Any]:
    numbers = (
        "deals",
        "relative",
        "relative_se",
        "matches",
        "match_wins",
        "match_wins_low",
        "match_wins_high",
    )
    return {
        "schema": SCHEMA,
        "run": _run([duel], [duel.challenger, duel.opponent]),
        "challenger": duel.challenger,
        "opponent": duel.opponent,
        **{name: plain(getattr(duel, name)) for name in numbers},
    }


def _run(duels: Sequence[Duel], names: list[str]) -> dict[str, Any]:
    """Describe what was played, as for other commands: what decides the numbers. All duels begin with deal 0."""
    first, deals = duels[0], max(duel.deals for duel in duels)
    worlds = next((duel.worlds for duel in duels if duel.worlds is not None), None)
    return {
        "version": schmier_sim.__version__,
        "rules": first.rules.to_dict(),
        "bots": names,
        "mode": MODE,
        "sample": SAMPLE,
        **({"bidding": list(first.bidding)} if first.by_score else {}),
        "seed": first.seed,
        "deals": deals,
        "ranges": [[0, deals]],
        **({} if worlds is None else {"worlds": worlds}),
    }
