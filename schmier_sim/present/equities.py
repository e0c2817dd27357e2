"""Match equity for people, and as JSON."""

import json
from typing import Any

import schmier_sim
from schmier_sim.analysis.equity import Equity
from schmier_sim.kernel.counts import BIDS
from schmier_sim.present.numbers import MISSING, Z95, count, decimal, percent, plain
from schmier_sim.present.words import rules_name

SCHEMA = "schmier-sim/equity/1"
TEAMS = {3: ("you", "left", "right"), 2: ("you", "they")}
KEYS = ("dealer", "left", "third")
NOTES = """Wins the match: with bots that bid by points, whatever the score; ± is the 95 % interval.
Break-even: how sure a bid must be, so that for your chance to win the match it does as much as when
another team declares. Always: even a lost bid is no worse; never: even a made one is not as good."""


def to_text(equity: Equity) -> str:
    """Write the chances and break-even chances of all teams, the asking one first."""
    n = len(equity.standing.scores)
    own = [(place - equity.dealer) % n for place in range(n)]
    standing, target = equity.standing, equity.setup.rules.target
    rows = [("", "score", "needs", "wins the match, %", *(f"{bid}" for bid in BIDS))]
    for name, at in zip(TEAMS[n], own, strict=True):
        score = standing.scores[at]
        chance = f"{percent(standing.wins[at])} ±{decimal(max(100 * Z95 * standing.errors[at], 0.1), 1)}"
        deals = " (deal)" if at == 0 and name == "you" else " (deals)" if at == 0 else ""
        rows.append(
            (
                name + deals,
                str(score),
                str(target - score),
                chance,
                *map(_break_even, standing.break_even[at]),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
    ]
    over = sum(widths[:4]) + 3 * 2
    head = " " * over + "  " + "break-even chance of a bid, %".rjust(sum(widths[4:]) + 3 * 2)
    setup = equity.setup
    foot = [
        f"rules {rules_name(setup.rules)}",
        f"bots {setup.bots}",
        *([f"tempers {setup.tempers}"] if setup.bots == "club" else []),
        f"{count(equity.deals)} deals",
        f"seed {setup.seed}",
        f"residual {equity.residual:.0e}",
        f"schmier-sim {schmier_sim.__version__}",
    ]
    return "\n".join([head, *lines, "", NOTES, " · ".join(foot)]) + "\n"


def _break_even(chance: float) -> str:
    if chance != chance:
        return MISSING
    return "always" if chance <= 0 else "never" if chance > 1 else percent(chance, 0)


def to_json(equity: Equity) -> str:
    """Write one line of JSON, schema `schmier-sim/equity/1`; not-a-number is null."""
    standing, setup = equity.standing, equity.setup
    n = len(standing.scores)
    run: dict[str, Any] = {
        "version": schmier_sim.__version__,
        "rules": setup.rules.to_dict(),
        "bots": setup.bots,
        "tempers": setup.tempers,
        "mode": setup.mode,
        "sample": setup.sample,
        "seed": setup.seed,
        "deals": equity.deals,
        "ranges": [[0, equity.deals]],
    }
    value = {
        "schema": SCHEMA,
        "run": run,
        "scores": list(standing.scores),
        "dealer": TEAMS[n][equity.dealer],
        "win": [plain(float(chance)) for chance in standing.wins],
        "win_se": [plain(float(error)) for error in standing.errors],
        "break_even": {
            key: {str(bid): plain(float(value)) for bid, value in zip(BIDS, row, strict=True)}
            for key, row in zip(KEYS, standing.break_even, strict=False)
        },
        "residual": equity.residual,
        "sweeps": equity.sweeps,
    }
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"
