"""The lookup page: one file that answers for any six cards, without a network.

Tables of `analysis.lookup` are packed into the page, whose script works out what a reader asks for.  Nothing is loaded
from elsewhere: a policy in the page forbids it, and allows no script but its own.
"""

import base64
import hashlib
import html
import json
import re
import zlib
from datetime import date
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.equity import LEAST_STAKE
from schmier_sim.analysis.lookup import (
    LEAST_DEALS,
    LEAST_SCORE,
    MOST_TARGET,
    PARTS,
    Lookup,
    MatchTables,
    make_lookup,
)
from schmier_sim.analysis.store import Run, RunInfo
from schmier_sim.kernel.equity import UNIT, of_match
from schmier_sim.present.files import PresentError
from schmier_sim.present.handout import started
from schmier_sim.present.i18n import Language, language
from schmier_sim.present.lookup_texts import TEXTS, TITLE
from schmier_sim.present.tables import FEW_DEALS
from schmier_sim.present.words import rules_name

_POLICY = "default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'"


def lookup_page(run: Run, lang: str = "en", title: str | None = None, day: date | None = None) -> str:
    """Make the lookup page of a run: HTML in one piece, to be written as UTF-8.

    The same run, language, title and day give the same text.

    Parameters
    ----------
    run : Run
        Of mode declare, with a stratified sample.
    lang : str
        One of `i18n.LANGUAGES`.
    title : str, optional
        Heading of the page.
    day : date, optional
        In place of the day of the run.

    Raises
    ------
    PresentError
        One line: another kind of run, a run without deals, or no such language.
    """
    _check(run.info)
    said = language(lang)
    heading = said.say(TITLE) if title is None else title
    data = page_data(make_lookup(run), run.info, said, day)
    style, script = _part("lookup.css"), _part("lookup_logic.js") + "\n" + _part("lookup_page.js")
    policy = _POLICY.format(style=_hash(style), script=_hash(script))
    parts = {
        "lang": said.code,
        "title": html.escape(heading),
        "generator": html.escape(f"schmier-sim {run.info.version}"),
        "policy": policy,
        "style": style,
        "data": _json(data),
        "script": script,
    }
    page = re.sub(
        r"\{\{(\w+)\}\}", lambda match: html.escape(said.say(TEXTS[match[1]])), _part("lookup.html")
    )
    return re.sub(r"@(\w+)@", lambda match: parts[match[1]], page)


def page_data(lookup: Lookup, info: RunInfo, said: Language, day: date | None = None) -> dict[str, Any]:
    """Gather everything that the page's script is given; it can be written as JSON.

    Tables are packed: bytes by place (the lowest byte of all numbers first), raw deflate, base64. `points` are numbers
    of `width` bytes; those of the match are unsigned 16-bit numbers, see `_of_scores`.
    """
    width = 2 if lookup.points.max(initial=0) < 1 << 16 else 4
    return {
        "language": {
            "decimal": said.decimal_mark,
            "thousands": said.thousands,
            "leastGrouped": said.least_grouped,
            "percentGap": said.percent_gap,
            "ranks": dict(said.ranks),
        },
        "texts": {name: said.say(text) for name, text in TEXTS.items()},
        "how": _how(lookup, info, said),
        "facts": _facts(info, said, day or started(info)),
        "leastDeals": LEAST_DEALS,
        "fewDeals": FEW_DEALS,
        "mostTarget": MOST_TARGET,
        "width": width,
        "points": _pack(lookup.points, width),
        "best": _pack(lookup.best, 1),
        "match": None if lookup.match is None else _match(lookup.match),
        "without": lookup.without,
    }


def _check(info: RunInfo) -> None:
    if info.mode != "declare":
        raise PresentError(
            f"a run of mode {info.mode} knows only hands that were bid on: make one with --mode declare"
        )
    if info.sample != "stratified":
        raise PresentError(
            f"a run with a {info.sample} sample knows too little of rare hands: make one with --sample stratified"
        )
    if not info.deals:
        raise PresentError("this run has no deals yet: there is nothing to look up")


def _part(name: str) -> str:
    return (resources.files("schmier_sim.present") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The name by which a policy allows a style or a script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(data: dict[str, Any]) -> str:
    """JSON that may stand in a page: no text can end the element that it is in."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _pack(values: NDArray[np.integer[Any]], width: int) -> str:
    """Pack numbers from 0 up, of `width` bytes each, see `page_data`."""
    planes = np.ascontiguousarray(values.ravel(), f"<u{width}").view(np.uint8).reshape(-1, width).T
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(packer.compress(planes.tobytes()) + packer.flush()).decode()


def _of_scores(values: NDArray[np.uint16]) -> str:
    """Pack a table [scores, scores, scores, teams], one team after another.

    As neighbours differ little: differences along the second score of differences along the third, modulo 2^16, and
    0, -1, 1, -2 … as 0, 1, 2, 3 …
    """
    table = np.moveaxis(values, -1, 0)
    steps = np.diff(np.diff(table, axis=2, prepend=np.uint16(0)), axis=3, prepend=np.uint16(0)).view(np.int16)
    return _pack(((steps << 1) ^ (steps >> 15)).view(np.uint16), 2)


def _match(match: MatchTables) -> dict[str, Any]:
    rules = match.rules
    return {
        "target": rules.target,
        "least": LEAST_SCORE,
        "declarerFirst": rules.endgame == "declarer-first",
        "mustBid": rules.must_bid_to_win,
        "unit": UNIT,
        "leastStake": LEAST_STAKE,
        "wins": _of_scores(match.wins[..., :-1]),  # the last team has the rest
        "left": _of_scores(match.left),
        "parts": PARTS,
        "others": [
            [
                [[left, right, int(parts[left, right])] for left, right in np.argwhere(parts).tolist()]
                for parts in dealing
            ]
            for dealing in match.others
        ],
    }


def _how(lookup: Lookup, info: RunInfo, said: Language) -> list[str]:
    texts = [
        said.say(TEXTS["how_deals"], deals=said.count(info.deals)),
        said.say(
            TEXTS["how_kinds"],
            named=said.cards("A K Q R L 10 2 Jo"),
            right=said.cards("R"),
            left=said.cards("L"),
            joker=said.cards("Jo"),
        ),
        said.say(TEXTS["how_best"]),
        said.say(TEXTS["how_few"], least=said.count(LEAST_DEALS)),
    ]
    if lookup.match is not None:
        texts.append(said.say(TEXTS["how_match"]))
        texts.append(said.say(TEXTS["how_match_scores"], least=said.number(LEAST_SCORE, 0)))
        if of_match(info.rules).differences() != info.rules.differences():
            texts.append(said.say(TEXTS["how_match_rules"]))
    return [*texts, said.say(TEXTS["how_unknown"])]


def _facts(info: RunInfo, said: Language, day: date) -> list[tuple[str, str]]:
    facts = {
        "rules": rules_name(info.rules),
        "bots": info.bots,
        "deals": said.count(info.deals),
        "seed": str(info.seed),
        "date": said.date(day),
        "version": f"schmier-sim {info.version}",
    }
    return [(said.say(TEXTS[f"fact_{name}"]), value) for name, value in facts.items()]
