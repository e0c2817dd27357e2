"""What stands on the club handout: every word and number of it, in the reader's language, before anything is set.

`content` turns the figures of a run into titles, sentences and tables of text.  The typst template, the web page and
the Markdown text set the same content, and hold no words of their own.
"""

import datetime
import math
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from schmier_sim.analysis.estimates import worst_half_width
from schmier_sim.analysis.handout import BOX_HANDS, LEAST_SHARE, Figures
from schmier_sim.analysis.playrules import play_rules
from schmier_sim.analysis.pointcount import HONOURS, Count
from schmier_sim.analysis.store import Run, RunInfo
from schmier_sim.game.rules import Rules
from schmier_sim.present.content import Content, Section, Table
from schmier_sim.present.house import rules_in_words
from schmier_sim.present.i18n import HARD, Language
from schmier_sim.present.numbers import MISSING
from schmier_sim.present.tables import FEW_DEALS, Row, is_few, rows_of
from schmier_sim.present.words import BIDS, ROLES

if TYPE_CHECKING:
    import pandas as pd

MARK = "*"
NARROW_MARK = 0.012
"""Half the height of a mark of the chart, as a chance."""


def content(
    run: Run,
    shown: Figures,
    language: Language,
    *,
    title: str = "",
    club: str = "",
    more: bool = False,
    day: datetime.date | None = None,
) -> Content:
    """Word the figures of a run.

    Parameters
    ----------
    run : Run
    shown : Figures
        Of this run.
    language : Language
    title : str
        In place of the usual title.
    club : str
        Name of the club, above the title.
    more : bool
        Whether all holdings are wanted too.
    day : date, optional
        Day of the run; by default the day on which it was started.
    """
    say = language.say
    day = day or started(run.info)
    standard = is_standard(run.info.rules)
    front = {
        "rules": Section(say("The rules in force"), items=tuple(rules_in_words(run.info.rules, language))),
        "trumps": _trumps(language),
        "points": _points(run.info.rules, language),
        # Made for the standard rules: under others the two may be no sure point, and cards count otherwise.
        **({"ceiling": _ceiling(shown, language), "count": _count(shown, language)} if standard else {}),
        "holdings": _holdings(shown, run, language),
    }
    back = {
        "chart": _chart(shown, language),
        "partner": _partner(shown, language),
        "score": _score(shown, language),
        "play": _play(language),
        "how": _how(run, language),
    }
    return Content(
        lang=language.code,
        title=title or say("How high to bid in Schmier"),
        club=club,
        subtitle=say("What bots have learned from {deals} deals", deals=language.count(run.info.deals)),
        foot=foot(run, language, day),
        date=(day.year, day.month, day.day),
        front=front,
        back={name: section for name, section in back.items() if section is not None},
        more={"all": _all(shown, language)} if more else {},
        chart=chart_words(language),
    )


def is_standard(rules: Rules) -> bool:
    """Whether rules are the standard ones, whatever their name."""
    return not rules.differences()


def started(info: RunInfo) -> datetime.date:
    """The day on which a run was started; a time without a zone is taken for UTC, so that it is the same everywhere."""
    begun = datetime.datetime.fromisoformat(info.started)
    return (begun.astimezone(datetime.UTC) if begun.tzinfo else begun).date()


def foot(run: Run, language: Language, day: datetime.date) -> str:
    """The line at the foot of each page: rules, bots, deals, seed, version, date."""
    info = run.info
    return language.say(
        "rules {rules} · bots {bots} · {deals} deals · seed {seed} · schmier-sim {version} · {date}",
        rules=info.rules.name,
        bots=info.bots,
        deals=language.count(info.deals),
        seed=info.seed,
        version=info.version,
        date=language.date(day),
    )


def chart_words(language: Language) -> dict[str, str]:
    """Words of the chart by honours."""
    say = language.say
    return {
        "x": say("trumps among your six cards"),
        "A 2": say("ace and two"),
        "A": say("ace, no two"),
        "2": say("two, no ace"),
        "": say("neither"),
        **{str(bid): say("Bid {bid} is made", bid=bid) for bid in BIDS},
        "alt": say(
            "Line charts of the chance to make a bid by the number of trumps, each with four lines: hands with ace and "
            "two of trumps, with the ace only, with the two only, and with neither."
        ),
    }


def _trumps(language: Language) -> Section:
    say = language.say
    order = "A K Q R L 10 9 8 7 6 5 4 3 2 Jo"
    return Section(
        say("Trumps from the top"),
        lead=(language.cards(order),),
        notes=(
            say(
                "{right}: right bauer, the jack of trumps. {left}: left bauer, the other jack of the same colour, a "
                "trump too. {joker}: joker, the lowest trump.",
                right=language.cards("R"),
                left=language.cards("L"),
                joker=language.cards("Jo"),
            ),
        ),
    )


def who_gets(rules: Rules, language: Language) -> tuple[tuple[str, str], ...]:
    """The six points, and who gets each."""
    say, card = language.say, language.cards
    low = (
        say("plays the two of trumps")
        if rules.low_to == "player"
        else say("takes the trick with the two of trumps")
    )
    values = ", ".join(
        f"{card(rank)}{HARD}{value}" for rank, value in (("A", 4), ("K", 3), ("Q", 2), ("J", 1))
    )
    return (
        (say("High"), say("plays the ace of trumps")),
        (say("Low"), low),
        (say("Right"), say("takes the trick with the right bauer")),
        (say("Left"), say("takes the trick with the left bauer")),
        (say("Joker"), say("takes the trick with the joker")),
        (
            say("Game"),
            say(
                "has most card points in its tricks: {values}, ten{gap}10, joker{gap}1",
                values=values,
                gap=HARD,
            ),
        ),
    )


def _points(rules: Rules, language: Language) -> Section:
    say = language.say
    return Section(
        say("The six points"),
        tables=(
            Table(
                (say("point"), say("goes to the team that …")),
                who_gets(rules, language),
                "ll",
                (0,),
                say("The six points of a deal"),
            ),
        ),
    )


def _ceiling(shown: Figures, language: Language) -> Section:
    say, ceiling = language.say, shown.ceiling
    items = [
        say(
            "A team without ace and two of trumps wins four points at the most; with one of them, five: a 6 takes both."
        )
    ]
    if math.isfinite(ceiling.neither_5):
        items.append(
            say(
                "Neither in your hand: early in the match never bid above 4. Even the best such hand makes 5 only in "
                "{five} of the deals, and 6 in {six}.",
                five=language.percent(ceiling.neither_5),
                six=language.percent(ceiling.neither_6),
            )
        )
    if math.isfinite(ceiling.one_6):
        items.append(
            say(
                "Only one of them: a 6 is made one time in four at best. The best such hand makes it in {one} of the "
                "deals.",
                one=language.percent(ceiling.one_6),
            )
        )
    return Section(say("The ceiling"), items=tuple(items))


def count_lines(count: Count, language: Language) -> list[tuple[str, str]]:
    """The cards that count alike, and what each counts, the dearest first."""
    worth = sorted(zip(count.honours, HONOURS, strict=True), key=lambda pair: -pair[0])
    lines = []
    for points, group in groupby(worth, key=lambda pair: pair[0]):
        if points != count.small:
            lines.append((language.cards(" ".join(name for _, name in group)), language.count(points)))
    lines.append((language.say("every other trump"), language.count(count.small)))
    if count.ace:
        lines.append((language.say("each ace of another suit"), language.count(count.ace)))
    return lines


def _count(shown: Figures, language: Language) -> Section:
    say, count = language.say, shown.count
    rows = []
    for band in shown.bands:
        by_role = {row["role"]: row for row in rows_of(band.rows)}
        chances = [
            _chance(by_role[role], band.bid, language) if role in by_role else MISSING for role in ROLES
        ]
        points = (
            say("{least} and more", least=band.least) if band.bid == BIDS[-1] else f"{band.least}–{band.most}"
        )
        rows.append((points, str(band.bid), *chances))
    head = (
        say("points"),
        say("bid"),
        say("made, you deal"),
        say("partner deals"),
        say("opponent deals"),
    )
    notes = []
    if count.partner_more:
        notes.append(
            language.say_many(
                "Where your partner holds the bid it takes {n} point more.",
                "Where your partner holds the bid it takes {n} points more.",
                count.partner_more,
            )
        )
    if count.opens_four:
        notes.append(say("From {points} open with 4, not 3, unless you deal.", points=count.opens_four))
    return Section(
        say("Count your hand"),
        lead=(
            say("Count each suit as if it were trumps; name the one that counts most."),
            say("Bid the lowest bid that is open to you, if your points reach it; else pass."),
        ),
        tables=(
            Table(
                (say("card"), say("points")),
                tuple(count_lines(count, language)),
                "lr",
                (0, 1),
                say("What cards count"),
            ),
            Table(head, tuple(rows), "lcrrr", (0, 1), say("Bids by points, and how often they are made")),
        ),
        notes=tuple(notes),
    )


def _chance(row: Row, bid: int, language: Language) -> str:
    return language.chance(row[f"make_{bid}"]) + (MARK if is_few(row) else "")


def _holdings(shown: Figures, run: Run, language: Language) -> Section:
    say, standard = language.say, is_standard(run.info.rules)
    counts = {text: shown.count.of_holding(text) for text in shown.holdings["pattern"]}
    rows = [
        (
            language.cards(row["pattern"]),
            _best(row["best_bid"], language),
            *([str(counts[row["pattern"]])] if standard else []),
            *(_chance(row, bid, language) for bid in BIDS),
            language.number(row["mean_points"], 1),
            language.one_in(row["share"]),
        )
        for row in rows_of(shown.holdings)
    ]
    head = (
        say("trumps in your hand"),
        say("bid up to"),
        *([say("counts")] if standard else []),
        *(say("{bid} made", bid=bid) for bid in BIDS),
        say("points won"),
        say("once in … hands"),
    )
    once = {
        "stratified": say("Once in … hands: six cards hold just these in one named suit."),
        "natural": say("Once in … hands: of the hands that were declared in this run."),
    }
    notes = [
        say("x: any trump from 9 to 3. {once}", once=once[run.info.sample]),
        say(
            "Bid up to: the highest bid that wins more than it loses on average, whatever the score and the others’ "
            "bids."
        ),
    ]
    if standard:
        notes.append(
            say(
                "To pass may be as good, for the others may lose their bid: so the count asks for a little more."
            )
        )
    if rows:
        width = _width(shown.holdings, language)
        notes.append(say("Chances are known to ±{width} percentage points or better.", width=width))
    if run.info.mode == "auction":
        notes.insert(0, say("Only hands that the bots chose to bid are counted, so these chances flatter."))
    if any(map(is_few, rows_of(shown.holdings))):
        notes.append(
            say("{mark} fewer than {few} deals: read with care.", mark=MARK, few=language.count(FEW_DEALS))
        )
    if shown.missing:
        notes.append(
            say(
                "Left out for too few deals: {holdings}.",
                holdings=", ".join(language.cards(text).replace(" ", HARD) for text in shown.missing),
            )
        )
    return Section(
        say("Model hands"),
        tables=(
            Table(
                head,
                tuple(rows),
                "lcr"[: 2 + standard] + "rrrrrr",
                (0, 1),
                say("How often typical hands make 3, 4, 5 and 6, in percent"),
            ),
        ),
        notes=tuple(notes),
    )


def _all(shown: Figures, language: Language) -> Section:
    say = language.say
    rows = tuple(
        (
            language.cards(row["pattern"]),
            _best(row["best_bid"], language),
            *(_chance(row, bid, language) for bid in BIDS),
        )
        for row in rows_of(shown.every)
    )
    notes = [
        say(
            "Holdings of three trumps and more that come up at least once in {hands} hands.",
            hands=language.one_in(LEAST_SHARE),
        ),
        say("Chances are known to ±{width} percentage points or better.", width=_width(shown.every, language))
        if rows
        else "",
    ]
    return Section(
        say("All holdings"),
        tables=(
            Table(
                (say("trumps in your hand"), say("bid up to"), *(say("{bid} made", bid=bid) for bid in BIDS)),
                rows,
                "lcrrrr",
                (0, 1),
                say("How often all holdings make 3, 4, 5 and 6, in percent"),
            ),
        ),
        notes=tuple(filter(None, notes)),
    )


def _width(rows: "pd.DataFrame", language: Language) -> str:
    """The widest half of an interval, in percentage points."""
    return language.number(worst_half_width(rows), 1)


def _best(best: str, language: Language) -> str:
    """A bid of `best_bid`, in words."""
    if best == "none":
        return language.say("pass")
    low, _, high = best.replace(" or ", " ").replace(" to ", " ").partition(" ")
    if not high:
        return low
    if low == "none":
        return language.say("pass or {bid}", bid=high)
    return language.say("{low} or {high}", low=low, high=high)


def _partner(shown: Figures, language: Language) -> Section:
    say = language.say
    names = {
        "high": say("High"),
        "low": say("Low"),
        "right": say("Right"),
        "left": say("Left"),
        "joker": say("Joker"),
        "game": say("Game"),
    }
    own, others = [], []
    for point in names:
        held, not_held = shown.brings[point]
        same = point == "game"
        own.append(MISSING if same else language.chance(held))
        others.append(language.chance(not_held))
    return Section(
        say("What your partner brings"),
        lead=(
            say(
                "How often the declaring team wins each point, by whether the declarer’s six cards hold its trump. "
                "What it wins without it comes from the partner, the exchange or the tricks."
            ),
        ),
        tables=(
            Table(
                ("", *names.values()),
                ((say("trump held"), *own), (say("not held"), *others)),
                "lrrrrrr",
                (0,),
                say("How often each point is won"),
            ),
        ),
        notes=(say("Hands with three trumps and more; game has no trump of its own."),),
    )


def _score(shown: Figures, language: Language) -> Section | None:
    if not shown.box:
        return None
    say = language.say
    rows = [
        (
            "–".join(map(language.count, row.scores)),
            language.percent(row.wins, 1),
            *(_even(value, language) for value in row.break_even),
            *(MISSING if call is None else str(call) if call else say("pass") for call in row.calls),
        )
        for row in shown.box
    ]
    head = (
        say("you–left–right"),
        say("you win"),
        *(str(bid) for bid in BIDS),
        *(language.cards(hand).replace(" ", HARD) for hand in BOX_HANDS),
    )
    return Section(
        say("The score counts"),
        lead=(
            say(
                "How sure a bid of 3, 4, 5 or 6 must be, so that it does as much for winning the match as leaving the "
                "deal to another team; and how high to bid with three hands. Your right neighbour deals."
            ),
        ),
        tables=(
            Table(
                head,
                tuple(rows),
                "lrrrrrccc",
                (0, 6, 7, 8),
                say(
                    "Chances to win the match, break-even chances of bids, and how high to bid at some scores"
                ),
            ),
        ),
        notes=(
            say(
                "From matches of bots that bid for the match: {deals} deals, seed {seed}. Any hand: compare its "
                "chances with the row of your score.",
                deals=language.count(shown.box_deals),
                seed=shown.box_seed,
            ),
        ),
    )


def _chart(shown: Figures, language: Language) -> Section:
    say = language.say
    notes = [
        say("Chance to make a bid by the trumps among your six cards, before the exchange, in any seat."),
        say("Bars: 95{gap}% intervals.", gap=language.percent_gap),
    ]
    if _is_narrow(shown):
        notes.append(say("Where none is seen it is smaller than the mark."))
    return Section(say("By the number of trumps, with and without ace and two"), notes=tuple(notes))


def _is_narrow(shown: Figures) -> bool:
    """Whether most intervals of the chart are narrower than its marks."""
    widths = (shown.sure["make_3_high"] - shown.sure["make_3_low"]).to_numpy()
    return bool(np.median(widths) < 2 * NARROW_MARK) if len(widths) else False


def _even(value: float, language: Language) -> str:
    if not math.isfinite(value):
        return MISSING
    if value <= 0:
        return language.say("always")
    return language.say("never") if value > 1 else language.percent(value)


def _play(language: Language) -> Section:
    say, played = language.say, play_rules()
    rows = [
        (
            say(rule.rule).replace("'", "’"),
            language.number(100 * rule.worth, 1),
            f"±{language.number(196 * rule.worth_se, 1)}",
        )
        for rule in sorted(played.kept, key=lambda rule: -rule.worth)
    ]
    return Section(
        say("Rules of play"),
        tables=(
            Table(
                (say("rule"), say("worth"), ""),
                tuple(rows),
                "lrr",
                (),
                say("Rules of play and what each is worth"),
            ),
        ),
        notes=(
            say(
                "Worth: points in 100 deals that a team wins by always keeping to the rule, against never, with its "
                "95{gap}% interval.",
                gap=language.percent_gap,
            ),
            say(
                "Under the standard rules: {deals} deals, seed {seed}.",
                deals=language.count(played.made["deals"]),
                seed=played.made["seed"],
            ),
        ),
    )


def _how(run: Run, language: Language) -> Section:
    say = language.say
    items = [
        say(
            "{deals} deals were played by bots: every kind of trump holding alike often, weighted as it is really "
            "dealt.",
            deals=language.count(run.info.deals),
        )
        if run.info.sample == "stratified"
        else say("{deals} deals were played by bots.", deals=language.count(run.info.deals)),
        *(
            [
                say(
                    "The bots play well, not perfectly: a much slower program that thinks before each card wins {won} "
                    "of its matches against two teams of them (a fair share is {fair}).",
                    won=language.percent(SEARCH_WINS),
                    fair=language.percent(1 / 3),
                )
            ]
            if is_standard(run.info.rules) and run.info.bots == "club"
            else []
        ),
        say(
            "What tables cannot know: your partner’s habits, the bids before yours, and how people play. Trust the "
            "differences between hands more than the last percent."
        ),
    ]
    return Section(say("How these numbers were made"), items=tuple(items))


SEARCH_WINS = 0.343
"""Matches that one team of `search` with 40 worlds won against two of `club`: docs/strength.md."""
