"""Advice for people: the verdict in a sentence, the tables behind it, and what they rest on, in 100 columns.

`hand_files` writes the same for programs.
"""

import shlex
import textwrap
from collections.abc import Sequence

import schmier_sim
from schmier_sim.analysis.advice import POINTS_OF_PRECISION, Advice, CallAdvice, Chance, Mean
from schmier_sim.analysis.situation import Situation
from schmier_sim.analysis.whatif import SwapAdvice
from schmier_sim.game.cards import POINTS, Suit
from schmier_sim.game.laws import DEALER, HIGHEST_BID, high_bid
from schmier_sim.game.notation import SYMBOLS, format_call, format_card, format_cards
from schmier_sim.game.record import DealRecord
from schmier_sim.present import words
from schmier_sim.present.numbers import (
    MISSING,
    count,
    decimal,
    one_in,
    one_sided_limits,
    percent,
    percent_interval,
    signed,
)
from schmier_sim.present.replay import SUIT_NAMES, tell
from schmier_sim.present.words import BIDS

WIDTH = 100
GAP = "  "
#: Below this share of deals people rather think of one in so many, and of what then happens as of next to nothing.
RARE = 0.01
#: Where deals are worth nearly as much as independent ones, nothing is said of it.
NEARLY_ALL = 0.995


def to_text(advice: Advice, *, symbols: bool = False, swaps: Sequence[SwapAdvice] | None = None) -> str:
    """Write a piece of advice: verdict, conditions, tables, notes and where the numbers come from.

    Parameters
    ----------
    advice : Advice
    symbols : bool
        Write `A♠` and `♠` instead of `AS` and names of suits.
    swaps : sequence of SwapAdvice, optional
        What other cards would change.
    """
    parts = [
        _question(advice.situation, symbols),
        _wrapped(verdict(advice)),
        _conditions(advice),
        _calls_table(advice, symbols),
        _suits_table(advice, symbols),
        _sources(advice, symbols),
    ]
    if swaps is not None:
        parts.append(_swaps_table(swaps, symbols))
    parts.append(_foot(advice))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def verdict(advice: Advice) -> str:
    """Say in one or two sentences what to call, and what other calls would cost."""
    best, close = advice.verdict, advice.close
    worse = words.HAND_WORSE if best.equity is None else words.HAND_WORSE_EQUITY
    others = "".join(
        # Once "points worse" is enough: "bidding 3 is 0.31 points worse, passing 0.92".
        (worse if number == 0 else words.HAND_WORSE_TOO).format(name=_doing(call, best), points=_behind(call))
        for number, call in enumerate(_neighbours(advice))
    )
    others += "."
    if len(close) > 1:
        apart = ", ".join(_apart(call, best) for call in close if call is not best)
        first = words.HAND_CLOSE.format(names=_names(close), apart=apart)
        return first + _outcome(advice.situation, best, close=True) + others
    if best.call is None:
        return words.HAND_PASS + _outcome(advice.situation, best) + others
    forced = "" if advice.calls[0].call is None else words.HAND_FORCED
    return forced + words.HAND_BID.format(name=_name(best)) + _outcome(advice.situation, best) + others


def _neighbours(advice: Advice) -> list[CallAdvice]:
    """Calls that are clearly worse than the best: the bids next to it, and passing."""
    best = advice.verdict.call or 0
    worse = [call for call in advice.calls if call not in advice.close]
    below = [call for call in worse if call.call is not None and call.call < best]
    above = [call for call in worse if call.call is not None and call.call > best]
    return below[-1:] + above[:1] + [call for call in worse if call.call is None]


def _outcome(situation: Situation, call: CallAdvice, close: bool = False) -> str:
    """Say how often a call wins the auction, and how often the contract is then made."""
    sure = _is_sure(situation, call)
    if call.call is None:
        if sure and situation.seat == DEALER and high_bid(situation.calls) is None:
            form = words.HAND_PASS_OUT
        elif call.wins_auction.value < RARE:
            form = words.HAND_PASS_LOST if sure else words.HAND_PASS_NEVER
        else:
            form = words.HAND_PASS_SURE if sure else words.HAND_PASS_WINS
    elif sure:
        form = words.HAND_SURE_CLOSE if close else words.HAND_SURE
    else:
        form = words.HAND_WINS_CLOSE if close else words.HAND_WINS
    name = "" if call.call is None else call.call
    return form.format(name=name, wins=_in_words(call.wins_auction), make=_in_words(call.make))


def _is_sure(situation: Situation, call: CallAdvice) -> bool:
    """Whether nothing after a call can change who declares, or at least which side: no error is left then."""
    rules, seat = situation.rules, situation.seat
    if seat == DEALER or call.call == HIGHEST_BID:
        return True
    if call.call is not None:
        return False
    own = rules.team(seat)
    behind = any(rules.team(other) == own for other in range(seat + 1, DEALER + 1))
    highest = high_bid(situation.calls)
    return not behind and (highest is None or rules.team(highest[0]) != own)


def _wins(situation: Situation, call: CallAdvice) -> str:
    """Write the chance that the own side declares; without an interval where that is certain."""
    chance = call.wins_auction
    return percent(chance.value) if _is_sure(situation, call) else _interval(chance)


def _interval(chance: Chance) -> str:
    return percent_interval(chance.value, chance.low, chance.high)


def _in_words(chance: Chance) -> str:
    """Write a chance within a sentence: `71.3 % ±0.4`, `at least 99.9 %`."""
    text = _interval(chance)
    value, _, width = text.partition(" ")
    if not width:
        return f"{value} %"
    if "±" in width:
        return f"{value} % {width}"
    low, high = one_sided_limits(text)
    return f"at least {low} %" if value == high else f"at most {high} %"


def _apart(call: CallAdvice, best: CallAdvice) -> str:
    behind = call.behind
    points, half = _behind(call), _behind_half(call)
    same, apart = (
        (words.HAND_SAME, words.HAND_APART)
        if call.equity is None
        else (words.HAND_SAME_EQUITY, words.HAND_APART_EQUITY)
    )
    form = same if behind.value == behind.half == 0 else apart
    return form.format(
        name="passing" if call.call is None else f"{call.call}{_other_suit(call, best)}",
        points=points,
        half=half,
        way="more" if behind.value < 0 else "less" if call.equity is None else "fewer",
        best="passing" if best.call is None else best.call,
    )


def _doing(call: CallAdvice, best: CallAdvice) -> str:
    return "passing" if call.call is None else f"bidding {call.call}{_other_suit(call, best)}"


def _other_suit(call: CallAdvice, best: CallAdvice) -> str:
    """Name the suit of a bid where it is not that of the best call."""
    return "" if best.call is not None and call.suit == best.suit else f" in {SUIT_NAMES[call.suit]}"


def _name(call: CallAdvice) -> str:
    return "passing" if call.call is None else f"{call.call} in {SUIT_NAMES[call.suit]}"


def _names(calls: Sequence[CallAdvice]) -> str:
    """Name several calls: `passing, 3 and 4 in spades`; each with its suit where they differ."""
    bids = [call for call in calls if call.call is not None]
    if len({call.suit for call in bids}) == 1:
        names = [*(str(call.call) for call in bids[:-1]), _name(bids[-1])]
    else:
        names = [_name(call) for call in bids]
    names = ["passing" for call in calls if call.call is None] + names
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _question(situation: Situation, symbols: bool) -> list[str]:
    """Say again what was asked."""
    rules, seat = situation.rules, situation.seat
    role = "dealer" if seat == DEALER else "opponent"
    if seat != DEALER and rules.team(seat) == rules.team(DEALER):
        role = "partner"
    parts = [format_cards(situation.hand, symbols), f"seat {seat}, {words.HAND_SEATS[role]}"]
    if situation.auction:
        parts.append(f"after {', '.join(map(format_call, situation.auction))}")
    if any(situation.scores):
        parts.append(f"scores {_scores(situation)}")
    return ["Hand " + " · ".join(parts)]


def _conditions(advice: Advice) -> list[str]:
    """Say what the other hands were asked for, how many deals there are, and what the score has to do with it."""
    situation = advice.situation
    calls = _calls_in_words(situation)
    if not calls:
        first = words.HAND_OPEN
    elif not situation.heeds_calls:
        first = words.HAND_NOT_HEEDED.format(calls=calls)
    else:
        form = words.HAND_WEAKENED if advice.weakenings else words.HAND_HEEDED
        first = form.format(calls=calls, chance=_how_often(advice.chance))
    sentences = [first]
    for weaker in advice.weakenings:
        call = "pass" if weaker.call is None else f"bid {weaker.call}"
        if weaker.least is None:
            sentences.append(words.HAND_WEAKEST.format(call=call, seat=weaker.seat))
        else:
            before = max((bid or 0 for bid in situation.auction[: weaker.seat - 1]), default=0)
            least = max(weaker.least, before + 1)
            sentences.append(words.HAND_WEAKER.format(call=call, seat=weaker.seat, least=least))
    form = words.HAND_DEALS if advice.effective_deals > NEARLY_ALL * advice.deals else words.HAND_EFFECTIVE
    sentences.append(form.format(deals=count(advice.deals), effective=count(advice.effective_deals)))
    if any(situation.scores):
        sentences += _score_in_words(advice)
    return _wrapped(" ".join(sentences))


def _score_in_words(advice: Advice) -> list[str]:
    """Say what the score has to do with it."""
    scores = _scores(advice.situation)
    if advice.decided is not None:
        return [words.HAND_DECIDED.format(scores=scores, how=advice.decided)]
    if advice.before is None:
        return [words.HAND_SCORES.format(scores=scores)]
    before = words.HAND_BEFORE.format(scores=scores, chance=percent(advice.before))
    if advice.beginning is None:
        return [before, words.HAND_UNCHANGED]
    return [before, words.HAND_CHANGED.format(name=_name(advice.beginning))]


def _behind(call: CallAdvice) -> str:
    """How far a call is from the best, without sign: in percentage points, or relative points."""
    value = abs(call.behind.value)
    return decimal(value) if call.equity is None else decimal(100 * value, _places(call))


def _behind_half(call: CallAdvice) -> str:
    """Half of its interval; only what never differs has one of nothing."""
    if call.equity is None:
        return _half(call.behind)
    half = 100 * call.behind.half
    return decimal(max(half, 0.01) if half > 0 else half, _places(call))


def _places(call: CallAdvice) -> int:
    """Decimals of percentage points: two where they are known so well."""
    return 2 if 0 < 100 * call.behind.half < 0.05 else 1


def _calls_in_words(situation: Situation) -> str:
    calls = situation.auction
    if calls and not any(calls):
        forms = words.HAND_PASSES
        return forms.get(len(calls), forms[0]).format(last=len(calls))
    return ", ".join(map(format_call, calls))


def _how_often(share: float) -> str:
    return f"{percent(share)} % of deals" if share >= RARE else f"one of {one_in(share)} deals"


def _scores(situation: Situation) -> str:
    return ", ".join(decimal(score, 0) for score in situation.scores)


def _calls_table(advice: Advice, symbols: bool) -> list[str]:
    """Tabulate what each call brings; at a score also who may win the match with this deal."""
    teams = words.HAND_TEAMS[advice.situation.rules.n_teams]
    groups = [
        ("", ["call"]),
        ("your side", ["declares, %"]),
        ("contract", ["then made, %"]),
        ("points of the deal", [*teams]),
        ("relative", ["points"]),
        *([] if advice.before is None else [("wins the", ["match, %"])]),
        ("", ["behind"]),
        ("", [""]),
    ]
    rows = []
    for call in advice.calls:
        mark = ""
        if call is advice.verdict:
            mark = words.HAND_BEST
        elif call in advice.close:
            mark = words.HAND_TOO_CLOSE
        rows.append(
            [
                _label(call, symbols),
                _wins(advice.situation, call),
                _interval(call.make),
                signed(call.own.value),
                *(signed(other.value) for other in call.others),
                signed(call.relative.value),
                *([] if call.equity is None else [percent(call.equity.value)]),
                MISSING if call is advice.verdict else _signed_behind(call),
                mark,
            ]
        )
    lines = _table(groups, rows, left=(0, len(rows[0]) - 1))
    # Nobody can win a match from nought.
    return [*lines, "", *_endings_table(advice, teams, symbols)] if any(advice.situation.scores) else lines


def _signed_behind(call: CallAdvice) -> str:
    """How far a call is from the best, with half of its interval; below 0 where it did better."""
    if call.equity is None:
        return _with_half(call.behind)
    sign = "−" if call.behind.value < 0 else ""
    return f"{sign}{_behind(call)} ±{_behind_half(call)}"


def _endings_table(advice: Advice, teams: Sequence[str], symbols: bool) -> list[str]:
    rows = [[_label(call, symbols), *(percent(chance) for chance in call.goes_out)] for call in advice.calls]
    return _table([("", ["call"]), (words.HAND_MATCH, [*teams])], rows)


def _label(call: CallAdvice, symbols: bool) -> str:
    if call.call is None:
        return "pass"
    return f"{call.call} {SYMBOLS[call.suit]}" if symbols else f"{call.call} in {SUIT_NAMES[call.suit]}"


def _suits_table(advice: Advice, symbols: bool) -> list[str]:
    """Tabulate what declaring in each suit brings, the verdict's suit first, then by points."""
    first = advice.verdict.suit
    suits = sorted(advice.suits, key=lambda one: (one.suit != first, -one.mean_points.value))
    rows = [
        [
            _suit_name(one.suit, symbols),
            *(_interval(one.make[bid]) for bid in BIDS),
            decimal(one.mean_points.value),
            *(signed(one.net[bid].value) for bid in BIDS),
        ]
        for one in suits
    ]
    bids = [str(bid) for bid in BIDS]
    groups = [
        ("", ["suit"]),
        ("bid is made, %", bids),
        ("mean", ["points"]),
        ("net points of bidding", bids),
    ]
    return _table(groups, rows)


def _sources(advice: Advice, symbols: bool) -> list[str]:
    """Tell which points the best suit wins, and which one fails the contract."""
    suit = advice.suit(advice.verdict.suit)
    bid = _contract(advice)
    name = SUIT_NAMES[suit.suit]
    missing = suit.missing[bid]
    rows = [["won", *(percent(suit.won[point].value) for point in POINTS)]]
    failed = suit.points[:bid] != (0,) * bid
    if failed:
        rows.append([f"missing where {bid} fails", *(percent(missing[point]) for point in POINTS)])
    title = words.HAND_SOURCES.format(suit=_suit_name(suit.suit, symbols))
    lines = [title, *_table([("", [""]), *(("", [point]) for point in POINTS)], rows)]
    if not failed:
        return [*lines, *_wrapped(words.HAND_NO_FAILURE.format(bid=bid, suit=name))]
    worst = max(POINTS, key=lambda point: missing[point])
    note = words.HAND_MISSING.format(
        bid=bid, suit=name, point=words.HAND_POINTS[worst], share=percent(missing[worst], 0)
    )
    return [*lines, *_wrapped(note)]


def _contract(advice: Advice) -> int:
    """Return the bid that is spoken of: the verdict's; for a pass the lowest that one could make."""
    bids = [call.call for call in advice.calls if call.call is not None]
    return advice.verdict.call or bids[0]


def _suit_name(suit: Suit, symbols: bool) -> str:
    return SYMBOLS[suit] if symbols else SUIT_NAMES[suit]


def _swaps_table(swaps: Sequence[SwapAdvice], symbols: bool) -> list[str]:
    rows = [
        [
            format_card(swap.give, symbols),
            format_card(swap.take, symbols),
            _with_half(swap.gain, sign=True),
            "pass" if swap.call is None else f"{swap.call} in {_suit_name(swap.suit, symbols)}",
        ]
        for swap in best_first(swaps)
    ]
    lines = _table(
        [("", ["without"]), ("", ["with"]), ("", ["gain"]), ("", ["best call then"])], rows, left=(0, 1, 3)
    )
    return [words.HAND_WHAT_IF, *lines, *_wrapped(words.HAND_GAIN_NOTE)]


def best_first(swaps: Sequence[SwapAdvice]) -> list[SwapAdvice]:
    """Order swaps by what they gain; last those of which nothing is known."""
    return sorted(swaps, key=lambda swap: (swap.gain.value != swap.gain.value, -swap.gain.value))


def _with_half(mean: Mean, sign: bool = False) -> str:
    """Write a mean and half of its 95 % interval: `0.31 ±0.05`; with a sign, `+0.31 ±0.05`."""
    text = signed(mean.value) if sign else decimal(mean.value)
    return text if text == MISSING else f"{text} ±{_half(mean)}"


def _half(mean: Mean) -> str:
    """Write half of an interval; only what never differs has one of nothing."""
    return decimal(max(mean.half, 0.01) if mean.half > 0 else mean.half)


def _foot(advice: Advice) -> list[str]:
    situation = advice.situation
    passed = [] if high_bid(situation.calls) or advice.calls[0].call else [words.HAND_PASSED_NOTE]
    teams = f" {words.HAND_TEAMS_NOTE}" if situation.rules.n_teams == len(words.HAND_TEAMS[3]) else ""
    notes = [
        " ".join(
            [(words.HAND_CALLS_NOTE if advice.before is None else words.HAND_EQUITY_NOTE) + teams, *passed]
        ),
        " ".join([words.HAND_SUITS_NOTE, *_one_sided(advice)]),
    ]
    parts = [
        f"rules {words.rules_name(situation.rules)}",
        f"bots {situation.bots}",
        *(
            [f"tempers {situation.tempers}", f"bids by {situation.bidding}"]
            if situation.bots == "club"
            else []
        ),
        f"seed {advice.seed}",
        f"{count(advice.deals)} deals",
        f"schmier-sim {schmier_sim.__version__}",
    ]
    return [line for text in (*notes, " · ".join(parts)) for line in _wrapped(text)]


def among(text: str, *, first: bool, several: bool) -> str:
    """Put an answer after others; say before the first of several why there are several."""
    if not first:
        return "\n" + "-" * WIDTH + "\n\n" + text
    return "\n".join(_wrapped(words.HAND_THREE)) + "\n\n" + text if several else text


def _one_sided(advice: Advice) -> list[str]:
    """Explain `100.0 −0.1` and `0.0 +0.1` by the first of them."""
    texts = [_wins(advice.situation, call) for call in advice.calls]
    texts += [_interval(call.make) for call in advice.calls]
    texts += [_interval(one.make[bid]) for one in advice.suits for bid in BIDS]
    for text in texts:
        if " " in text and "±" not in text:
            low, high = one_sided_limits(text)
            return [words.ONE_SIDED_NOTE.format(example=text, low=low, high=high)]
    return []


def failures_to_text(
    advice: Advice, records: Sequence[DealRecord], commands: Sequence[Sequence[str]], *, symbols: bool = False
) -> str:
    """Tell deals in which the verdict's contract fails, each with the command that shows it again.

    Parameters
    ----------
    advice : Advice
    records : sequence of DealRecord
        Of the worlds `Advice.failures`.
    commands : sequence of words
        For each the command line.
    symbols : bool
    """
    if not records:
        passes = advice.verdict.call is None
        why = words.HAND_NO_FAILURES_PASS if passes else words.HAND_NO_FAILURES_NONE
        return words.HAND_NO_FAILURES.format(why=why) + "\n"
    parts = [words.HAND_FAILURES.format(name=_name(advice.verdict)) + "\n"]
    for number, record, command in zip(advice.failures, records, commands, strict=True):
        again = "\n".join([words.HAND_AGAIN, *_command(command)])
        story = world_to_text(advice.situation, advice.seed, number, record, symbols=symbols)
        parts.append(f"{story}\n{again}\n")
    return "\n".join(parts)


def world_to_text(
    situation: Situation, seed: int, number: int, record: DealRecord, *, symbols: bool = False
) -> str:
    """Tell one world card by card."""
    return tell(
        record,
        index=number,
        seed=seed,
        rules=situation.rules,
        bots=situation.bots,
        tempers=situation.tempers if situation.bots == "club" else "",
        symbols=symbols,
        title=words.HAND_WORLD,
    )


def glimpse(advice: Advice) -> list[str]:
    """Write what is known so far in a few lines, for a table that is drawn over and over."""
    rows = [
        [
            _label(call, symbols=False),
            _with_half(call.relative, sign=True),
            *([] if call.equity is None else [percent(call.equity.value)]),
            words.HAND_BEST if call is advice.verdict else "",
        ]
        for call in advice.calls
    ]
    equity = [] if advice.before is None else [("", ["wins the match, %"])]
    groups = [("", ["call"]), ("", ["relative points"]), *equity, ("", [""])]
    calls = _table(groups, rows, left=(0, len(groups) - 1))
    suit = advice.suit(advice.verdict.suit)
    makes = ", ".join(f"{bid}: {_in_words(suit.make[bid])}" for bid in BIDS)
    return [*calls, f"{SUIT_NAMES[suit.suit]} makes {makes}"]


def swapping(done: int, total: int) -> str:
    """Say how many other cards have been looked at."""
    return words.HAND_SWAPPING.format(done=done, total=total)


def reached(advice: Advice, wanted: float) -> str:
    """Say which precision was reached, where it is not the wanted one."""
    widest = max(call.behind_best.half for call in advice.calls)
    return words.HAND_REACHED.format(
        deals=count(advice.deals),
        half=decimal(advice.half_width, 3),
        wanted=decimal(wanted, 3),
        points=decimal(widest, 3),
        wanted_points=decimal(POINTS_OF_PRECISION * wanted, 3),
    )


def _command(parts: Sequence[str]) -> list[str]:
    """Write a command line, broken between its words where it is long, as shells allow it."""
    lines = [words.HAND_INDENT]
    for word in map(shlex.quote, parts):
        if len(lines[-1]) + len(word) + 3 > WIDTH and lines[-1].strip():
            lines[-1] += "\\"
            lines.append(2 * words.HAND_INDENT)
        lines[-1] += word + " "
    return [*lines[:-1], lines[-1].rstrip()]


def _table(
    groups: Sequence[tuple[str, Sequence[str]]], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)
) -> list[str]:
    """Align rows under headings; columns of a group share a heading above their own."""
    headings = [heading for _, names in groups for heading in names]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    above, at = [], 0
    for name, names in groups:
        room = sum(widths[at : at + len(names)]) + len(GAP) * (len(names) - 1)
        label = name if len(names) == 1 else f" {name} "
        widths[at] += max(0, len(label) - room)
        room = max(room, len(label))
        above.append(name.rjust(room) if len(names) == 1 else label.center(room, "-"))
        at += len(names)
    lines = [GAP.join(above).rstrip()] if any(name for name, _ in groups) else []
    for row in (headings, *rows):
        cells = [
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(GAP.join(cells).rstrip())
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)
