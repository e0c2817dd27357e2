"""Match equity for people, and as JSON."""

import json
import textwrap
from collections.abc import Sequence
from typing import Any

import schmier_sim
from schmier_sim.analysis.equity import Equity, by_equity
from schmier_sim.kernel.counts import BIDS
from schmier_sim.present.numbers import MISSING, Z95, count, decimal, percent, plain
from schmier_sim.present.words import rules_name

SCHEMA = "schmier-sim/equity/1"
TEAMS = {3: ("you", "left", "right"), 2: ("you", "they")}
KEYS = ("dealer", "left", "third")
NOTES = """Wins the match: with these bots, which {bidding}; ± is the 95 % interval.
Break-even: how sure a bid must be, so that for your chance to win the match it does as much as when
another team declares. Always: even a lost bid is no worse; never: even a made one is not as good."""
BIDDING = {"equity": "bid for the match, not for points", "points": "bid by points, whatever the score"}
WIDTH = 100
NEEDS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15)


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
    lines, widths = _aligned(rows), [max(map(len, column)) for column in zip(*rows, strict=True)]
    over = sum(widths[:4]) + 3 * 2
    head = " " * over + "  " + "break-even chance of a bid, %".rjust(sum(widths[4:]) + 3 * 2)
    notes = NOTES.format(bidding=BIDDING[bidding_of(equity)])
    parts = [
        [head, *lines],
        _own_bids(equity, own[0]),
        _own_needs(equity),
        [notes, *textwrap.wrap(caption(equity), WIDTH)],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def bidding_of(equity: Equity) -> str:
    """What the bots bid by."""
    return "equity" if by_equity(equity.setup) else "points"


def _own_bids(equity: Equity, place: int) -> list[str]:
    """Tabulate what the asking team's bids are worth."""
    bids = equity.standing.bids[place]
    rows = [
        ("If your team bids", *(f"{bid.bid}" for bid in bids)),
        ("and makes it, it wins the match, %", *(_chance(bid.made) for bid in bids)),
        ("and is set", *(_chance(bid.set) for bid in bids)),
        ("and if another team declares", *(_chance(bid.left) for bid in bids)),
    ]
    return _aligned(rows)


def _own_needs(equity: Equity) -> list[str]:
    """Tabulate the asking team's chances if it needed only so many points."""
    target = equity.setup.rules.target
    needs = [need for need in NEEDS if need <= target]
    rows = [
        ("If your team needed only", *map(str, needs)),
        ("it would win the match, %", *(_chance(equity.needing(need)) for need in needs)),
    ]
    return _aligned(rows)


def _chance(chance: float) -> str:
    return MISSING if chance != chance else percent(chance)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
    ]


def caption(equity: Equity) -> str:
    """Say in one line where the numbers come from."""
    setup = equity.setup
    parts = [
        f"rules {rules_name(setup.rules)}",
        f"bots {setup.bots}",
        *([f"tempers {setup.tempers}", f"bids by {bidding_of(equity)}"] if setup.bots == "club" else []),
        f"{count(equity.deals)} deals",
        f"seed {equity.seed}",
        *([f"{equity.rounds} rounds"] if equity.rounds else []),
        f"residual {equity.table.residual:.0e}",
        f"schmier-sim {schmier_sim.__version__}",
    ]
    return " · ".join(parts)


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
        "bidding": bidding_of(equity),
        "seed": equity.seed,
        "deals": equity.deals,
        "rounds": equity.rounds,
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
        "bids": {
            key: [
                {"bid": bid.bid, "left": plain(bid.left), "made": plain(bid.made), "set": plain(bid.set)}
                for bid in bids
            ]
            for key, bids in zip(KEYS, standing.bids, strict=False)
        },
        "needing": {str(need): plain(equity.needing(need)) for need in NEEDS if need <= setup.rules.target},
        "residual": equity.table.residual,
        "sweeps": equity.table.sweeps,
    }
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"
