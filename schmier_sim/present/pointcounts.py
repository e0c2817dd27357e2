"""Counts for the head for people, as a card to cut out and tables, and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from textwrap import wrap
from typing import Any

import schmier_sim
from schmier_sim.analysis.pointcost import FRESH, PASS, Cost, Measured, Worst
from schmier_sim.analysis.pointcount import HONOURS, Count
from schmier_sim.analysis.pointfit import HARDLY
from schmier_sim.game.club_bids import BIDS
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.game.rules import Rules
from schmier_sim.present.numbers import MISSING, Z95, count, decimal, one_in, percent, plain

SCHEMA = "schmier-sim/pointcount/1"
CARD_WIDTH, CARD_LINES = 60, 10
ROLES = ("you deal", "partner deals", "others")
SPOKEN = {"R": "right", "L": "left", "Jo": "joker"}
FULL = "club"
GAP = "  "
DIGITS = 4
NOTES = """\
Lost: points a deal that a team loses, ± the 95 % interval. By the tables: what its calls bring less than the best
ones, as club values them, in its auctions. Played out: relative points, one team by the count, all else by club.
Other calls: share that club makes otherwise. x: every other trump, 1 if not said. Partner: what it takes more where
he holds the bid; pass: leave it to him. Opens 4: from so many points, unless you deal. club: the full tables."""
WORST_NOTE = "Ordered by lost times frequency. Lost: in points, each time; once in: so many calls to be made."


def to_text(measured: Measured) -> str:
    """Write the card of one count, the ladder of all, the hands that cost most, and where the numbers come from."""
    steps = measured.ladder
    chosen = measured.level if measured.level != steps.recommended else f"{measured.level}, recommended"
    recommended = (
        f"Recommended: {steps.recommended}, the simplest that costs at most {decimal(HARDLY, 3)} points a deal more "
        "than the best, by the tables."
    )
    return "\n".join(
        [
            f"The count: {chosen}",
            "",
            *card(measured.count),
            "",
            *_aligned(_ladder_rows(measured), left=2),
            "",
            recommended,
            *_same(steps.counts),
            NOTES,
            "",
            f"Hands that cost most by {measured.level}",
            "",
            *_aligned(_worst_rows(measured.worst), left=3),
            "",
            WORST_NOTE,
            _foot(measured),
            "",
        ]
    )


def _same(counts: Sequence[Count]) -> list[str]:
    """Name counts that came out as the one before, though more of a hand was open to them."""
    return [
        f"{finer.name} came out as {simpler.name}: plain aces and the seats, open to it, change nothing."
        for simpler, finer in pairwise(counts)
        if replace(finer, name=simpler.name, about=simpler.about) == simpler
    ]


def card(points: Count) -> list[str]:
    """Write a count and what to bid by it in at most `CARD_LINES` lines of `CARD_WIDTH` characters."""
    rows = (
        [("", points.thresholds[0])]
        if len(set(points.thresholds)) == 1
        else list(zip(ROLES, points.thresholds, strict=True))
    )
    first = max(len("bid"), len("points"), *(len(name) for name, _ in rows))
    table = ["  " + "bid".ljust(first) + "".join(f"{bid:>6}" for bid in BIDS)]
    for name, row in rows:
        table.append("  " + (name or "points").ljust(first) + "".join(f"{least:>6}" for least in row))
    if points.partner_more is None:
        partner = "Pass where your partner holds the bid."
    elif points.partner_more == 0:
        partner = "It takes the same where your partner holds the bid."
    else:
        partner = f"It takes {points.partner_more} more where your partner holds the bid."
    opens = f"From {points.opens_four} open with 4, not 3, unless you deal."
    return [
        "Count each suit as if trumps, and name the one worth most:",
        *(f"  {line}" for line in wrap(card_points(points), CARD_WIDTH - 2)),
        "Bid the lowest bid open to you if you reach it, else pass:",
        *table,
        partner,
        *([opens] if points.opens_four is not None else []),
    ]


def card_points(points: Count) -> str:
    """Say what cards count: `A: 9 · K, 2: 4 · other trumps: 1`."""
    special = [
        (worth, SPOKEN.get(name, name))
        for name, worth in zip(HONOURS, points.honours, strict=True)
        if worth != points.small
    ]
    special.sort(key=lambda pair: -pair[0])
    parts = [
        f"{', '.join(name for _, name in group)}: {worth}"
        for worth, group in groupby(special, key=lambda pair: pair[0])
    ]
    parts.append(f"{'other trumps' if parts else 'every trump'}: {points.small}")
    parts += [f"plain ace: {points.ace}"] if points.ace else []
    return " · ".join(parts)


def _ladder_rows(measured: Measured) -> list[tuple[str, ...]]:
    head = ("level", "points", *(f"{bid}" for bid in BIDS), "partner", "opens 4")
    rows = [(*head, "lost, by the tables", "lost, played out", "other calls, %")]
    for each, cost in zip(measured.ladder.counts, measured.costs, strict=True):
        by_bid = ("/".join(dict.fromkeys(map(str, column))) for column in zip(*each.thresholds, strict=True))
        partner = "pass" if each.partner_more is None else f"+{each.partner_more}"
        opens = MISSING if each.opens_four is None else str(each.opens_four)
        rows.append((each.name, short_points(each), *by_bid, partner, opens, *_costs(cost)))
    blank = ("",) * (len(BIDS) + 2)
    rows.append((FULL, "the full tables", *blank, decimal(0, DIGITS), decimal(0, DIGITS), percent(0)))
    rows.append((PASS, "always", *blank, *_costs(measured.passing)))
    relative, error = measured.simple
    rows.append(("simple", "that bot's bids", *blank, MISSING, _lost(-relative, error), MISSING))
    return rows


def short_points(points: Count) -> str:
    """Write what counts otherwise than a small trump: `A=9 K=4 2=4`."""
    parts = [
        f"{name}={worth}"
        for name, worth in zip(HONOURS, points.honours, strict=True)
        if worth != points.small
    ]
    parts += [f"x={points.small}"] if points.small != 1 or not parts else []
    parts += [f"ace={points.ace}"] if points.ace else []
    return " ".join(parts)


def _costs(cost: Cost) -> tuple[str, str, str]:
    return (
        _lost(cost.loss, cost.loss_se),
        _lost(-cost.relative, cost.relative_se),
        percent(cost.otherwise),
    )


def _lost(mean: float, error: float) -> str:
    return f"{decimal(mean, DIGITS)} ±{decimal(max(Z95 * error, 0.1**DIGITS), DIGITS)}"


def _worst_rows(worst: Sequence[Worst]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        ("trumps", "seat", "highest bid", "plain aces", "by the count", "by club", "lost", "once in")
    ]
    for each in worst:
        suit = " in another suit" if each.call == each.best else ""
        rows.append(
            (
                HOLDINGS[each.holding].text or MISSING,
                ROLES[each.role],
                _high(each),
                str(each.aces),
                _call(each.call) + suit,
                _call(each.best),
                decimal(each.loss, 2),
                one_in(each.share),
            )
        )
    return rows


def _high(each: Worst) -> str:
    if not each.high:
        return "none"
    return f"{each.high}, {'partner' if each.partner_holds else 'opponents'}"


def _call(bid: int) -> str:
    return str(bid) if bid else "pass"


def _aligned(rows: Sequence[tuple[str, ...]], left: int) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        GAP.join(
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _foot(measured: Measured) -> str:
    return " · ".join(provenance(measured))


def provenance(measured: Measured) -> list[str]:
    """Say where the numbers come from, part by part."""
    fit = measured.ladder.fit
    return [
        f"rules {Rules().name}",
        "bots club",
        f"{count(measured.deals)} fresh deals",
        f"seed {measured.seed}",
        f"fitted to {count(fit['deals'])} others of seed {fit['seed']}",
        f"schmier-sim {schmier_sim.__version__}",
    ]


def to_json(measured: Measured) -> str:
    """Write one line of JSON, schema `schmier-sim/pointcount/1`; not-a-number is null."""
    steps = measured.ladder
    value = {
        "schema": SCHEMA,
        "run": {
            "version": schmier_sim.__version__,
            "rules": Rules().to_dict(),
            "bots": "club",
            "tempers": "normal",
            "mode": "auction",
            "sample": "natural",
            "seed": measured.seed,
            "deals": measured.deals,
            "ranges": [[FRESH, FRESH + measured.deals]],
        },
        "fit": steps.fit,
        "recommended": steps.recommended,
        "recommended_within": HARDLY,
        "level": measured.level,
        "card": card(measured.count),
        "ladder": [
            each.to_dict() | _cost(cost) for each, cost in zip(steps.counts, measured.costs, strict=True)
        ],
        "pass": _cost(measured.passing),
        "simple": {"relative": plain(measured.simple[0]), "relative_se": plain(measured.simple[1])},
        "worst": [_hand(each) for each in measured.worst],
        "dearest": [_hand(each) for each in measured.dearest],
    }
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _cost(cost: Cost) -> dict[str, Any]:
    names = ("loss", "loss_se", "relative", "relative_se", "otherwise", "calls")
    return {name: plain(getattr(cost, name)) for name in names}


def _hand(each: Worst) -> dict[str, Any]:
    return {
        "trumps": HOLDINGS[each.holding].text,
        "aces": each.aces,
        "role": ("dealer", "partner", "other")[each.role],
        "high": each.high or None,
        "partner_holds": each.partner_holds,
        "call": each.call or "pass",
        "club_call": each.best or "pass",
        "loss": plain(each.loss),
        "share": plain(each.share),
    }
