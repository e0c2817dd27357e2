"""Advice for programs: a line of JSON, schema `schmier-sim/hand/1`, or a row of CSV.  Not-a-number is null or empty."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import schmier_sim
from schmier_sim.analysis.advice import Advice, CallAdvice, Chance, Mean, SuitAdvice
from schmier_sim.analysis.situation import Situation
from schmier_sim.analysis.whatif import SwapAdvice
from schmier_sim.game.notation import format_call, format_cards
from schmier_sim.game.record import DealRecord
from schmier_sim.present import words
from schmier_sim.present.hands import best_first, verdict
from schmier_sim.present.numbers import plain
from schmier_sim.present.quoting import as_cell
from schmier_sim.present.words import BIDS

SCHEMA = "schmier-sim/hand/1"
CALLS = (None, *BIDS)
COLUMNS = (
    "line",
    "hand",
    "seat",
    "auction",
    "scores",
    "verdict",
    "suit",
    "close",
    "wins_auction",
    "make",
    "make_low",
    "make_high",
    "relative",
    "relative_se",
    "equity",
    "equity_se",
    *(f"behind_{'pass' if call is None else call}{error}" for error in ("", "_se") for call in CALLS),
    *(f"equity_behind_{'pass' if call is None else call}{error}" for error in ("", "_se") for call in CALLS),
    "deals",
    "effective_deals",
    "chance",
    "weakened",
    "precise",
    "half_width",
    "rules",
    "bots",
    "tempers",
    "bidding",
    "heeds_calls",
    "seed",
    "version",
)


def to_json(
    advice: Advice,
    precision: float,
    *,
    line: int | None = None,
    swaps: Sequence[SwapAdvice] | None = None,
    failures: Sequence[DealRecord] | None = None,
) -> str:
    """Write a piece of advice as one line of JSON.

    Parameters
    ----------
    advice : Advice
    precision : float
        The one that was wanted, in percentage points.
    line : int, optional
        Of the file that the hand stood in.
    swaps : sequence of SwapAdvice, optional
        What other cards would change, as ``what_if``.
    failures : sequence of DealRecord, optional
        The worlds ``failures`` in full, as ``failure_deals``.
    """
    situation = advice.situation
    best = advice.verdict
    answer: dict[str, Any] = {
        "schema": SCHEMA,
        "run": _run(advice, precision),
        "hand": list(situation.hand),
        "seat": situation.seat,
        "auction": list(situation.auction),
        "scores": list(situation.scores),
        "deals": advice.deals,
        "effective_deals": plain(advice.effective_deals),
        "suits": {one.suit: _suit(one) for one in advice.suits},
        "calls": [_call(call) for call in advice.calls],
        "verdict": {
            "call": best.call,
            "suit": best.suit,
            "close": [call.call for call in advice.close],
            "text": verdict(advice),
        },
        "equity_before": None if advice.before is None else plain(advice.before),
        "at_the_beginning": _beginning(advice),
        "decided": advice.decided,
        "precise": advice.precise,
        "half_width": plain(advice.half_width),
        "chance": plain(advice.chance),
        "weakenings": [asdict(weaker) for weaker in advice.weakenings],
        "failures": list(advice.failures),
    }
    if line is not None:
        answer["line"] = line
    if swaps is not None:
        answer["what_if"] = [_swap(swap) for swap in best_first(swaps)]
    if failures is not None:
        answer["failure_deals"] = [
            record.to_json(seed=advice.seed, index=number, rules_name=situation.rules.name)
            for number, record in zip(advice.failures, failures, strict=True)
        ]
    return _line(answer)


def world_to_json(situation: Situation, seed: int, number: int, record: DealRecord) -> str:
    """Write one world as `deal --json` writes a deal; its index is the number of the world."""
    return _line(record.to_json(seed=seed, index=number, rules_name=situation.rules.name))


def csv_head() -> str:
    """Write the names of the columns."""
    return _row(COLUMNS)


def to_csv(advice: Advice, *, line: int | None = None) -> str:
    """Write a piece of advice as one row of CSV, columns `COLUMNS`.

    ``make`` is the chance of the contract once the auction is won with the verdict's call; calls that may not be made
    have no figures.
    """
    situation, best = advice.situation, advice.verdict
    values: dict[str, Any] = {
        "line": line,
        "hand": format_cards(situation.hand),
        "seat": situation.seat,
        "auction": " ".join(map(format_call, situation.auction)),
        "scores": " ".join(map(str, situation.scores)),
        "verdict": format_call(best.call),
        "suit": best.suit,
        "close": " ".join(format_call(call.call) for call in advice.close),
        "wins_auction": best.wins_auction.value,
        **_chance("make", best.make),
        "relative": best.relative.value,
        "relative_se": best.relative.se,
        **({} if best.equity is None else {"equity": best.equity.value, "equity_se": best.equity.se}),
        "deals": advice.deals,
        "effective_deals": advice.effective_deals,
        "chance": advice.chance,
        "weakened": " ".join(str(weaker.seat) for weaker in advice.weakenings),
        "precise": advice.precise,
        "half_width": advice.half_width,
        "rules": as_cell(words.rules_name(situation.rules)),
        "bots": situation.bots,
        "tempers": situation.tempers,
        "bidding": situation.bidding,
        "heeds_calls": situation.heeds_calls,
        "seed": advice.seed,
        "version": schmier_sim.__version__,
    }
    for call in advice.calls:
        for kind, behind in (("", call.behind_best), ("equity_", call.equity_behind)):
            name = f"{kind}behind_{'pass' if call.call is None else call.call}"
            if behind is not None:
                values |= {name: behind.value, f"{name}_se": behind.se}
    return _row(_written(values.get(name)) for name in COLUMNS)


def _run(advice: Advice, precision: float) -> dict[str, Any]:
    """Describe what decides the numbers, as for other commands."""
    situation = advice.situation
    return {
        "version": schmier_sim.__version__,
        "rules": situation.rules.to_dict(),
        "bots": situation.bots,
        "tempers": situation.tempers,
        "bidding": situation.bidding,
        "heeds_calls": situation.heeds_calls,
        "seed": advice.seed,
        "deals": advice.deals,
        "precision": precision,
    }


def _suit(one: SuitAdvice) -> dict[str, Any]:
    return {
        "deals": one.deals,
        "points": list(one.points),
        **_mean("mean_points", one.mean_points),
        **_merged(_chance(f"make_{bid}", one.make[bid]) for bid in BIDS),
        **_merged(_mean(f"net_{bid}", one.net[bid]) for bid in BIDS),
        "won": {point: plain(chance.value) for point, chance in one.won.items()},
        "missing": {
            str(bid): {point: plain(share) for point, share in shares.items()}
            for bid, shares in one.missing.items()
        },
    }


def _call(call: CallAdvice) -> dict[str, Any]:
    return {
        "call": call.call,
        "suit": call.suit,
        **_chance("wins_auction", call.wins_auction),
        **_chance("make", call.make),
        **_mean("own", call.own),
        "others": [plain(other.value) for other in call.others],
        "others_se": [plain(other.se) for other in call.others],
        **_mean("relative", call.relative),
        **_mean("behind_best", call.behind_best),
        "goes_out": [plain(chance) for chance in call.goes_out],
        **_perhaps("equity", call.equity),
        **_perhaps("equity_behind", call.equity_behind),
    }


def _perhaps(name: str, mean: Mean | None) -> dict[str, Any]:
    return {name: None, f"{name}_se": None} if mean is None else _mean(name, mean)


def _beginning(advice: Advice) -> dict[str, Any] | None:
    """What one would rather call at the beginning of a match."""
    best = advice.beginning
    return None if best is None else {"call": best.call, "suit": best.suit}


def _swap(swap: SwapAdvice) -> dict[str, Any]:
    return {
        "give": swap.give,
        "take": swap.take,
        **_mean("gain", swap.gain),
        "call": swap.call,
        "suit": swap.suit,
    }


def _chance(name: str, chance: Chance) -> dict[str, Any]:
    return {
        name: plain(chance.value),
        f"{name}_low": plain(chance.low),
        f"{name}_high": plain(chance.high),
    }


def _mean(name: str, mean: Mean) -> dict[str, Any]:
    return {name: plain(mean.value), f"{name}_se": plain(mean.se)}


def _merged(parts: Any) -> dict[str, Any]:
    return {name: value for part in parts for name, value in part.items()}


def _written(value: Any) -> Any:
    """Write a value in CSV: numbers with nine digits, what is not there as nothing."""
    if isinstance(value, float):
        value = plain(value)
    return "" if value is None else value


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _row(values: Any) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()
