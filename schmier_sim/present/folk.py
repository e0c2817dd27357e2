"""The page `docs/folk-rules.md`: common advice about bids, what it costs or gains, and how that was measured.

Run by ``scripts/folk-rules``. The page follows from seed and sizes: no time and no place is in it. Verdicts follow from
the figures, so that none can stand beside a figure that says otherwise.
"""

import argparse
import math
import sys
from pathlib import Path
from textwrap import wrap

import schmier_sim
from schmier_sim.analysis.bauers import Worth
from schmier_sim.analysis.folk import (
    DEALER_ADDS,
    SCORES,
    SEED,
    Effect,
    Folk,
    Share,
    Sizes,
    measure,
)
from schmier_sim.analysis.run import Progress
from schmier_sim.game.words import MAX_SEED
from schmier_sim.present.audits import Block
from schmier_sim.present.files import write_file
from schmier_sim.present.folk_texts import Advice, advice, gain, margin_text
from schmier_sim.present.numbers import MISSING, Z95, count, decimal, percent, signed

PAGE = Path(__file__).resolve().parents[2] / "docs" / "folk-rules.md"
COMMAND = "scripts/folk-rules"
LINE = 120
MUCH, SOME = 0.1, 0.02
"""Points a deal: what is much, and what is more than a little."""
MUCH_WON, SOME_WON = 0.02, 0.005
"""The same in matches won."""
NO_DIFFERENCE = "no difference that these deals can show"
RARE = 0.0005
"""Share of the deals that are as good as none."""
UNASKED = "club keeps to it unasked"
SCORE_MARGIN = {"rival": 500, "lead": -500}
"""The margin that the table of matches shows."""

HEAD = """# Folk rules tested

This page is written by `{command}` with schmier-sim {version} and seed {seed}. ± is a 95 % interval.

One team follows a piece of advice; the other two bid as the bot [`club`](bots.md) does, which bids what has
brought most in millions of deals. All six play their cards as `club`. The same {deals} deals are played
with the team in each of the three places. So advice that `club` cannot use shows what it *costs* to leave
`club`'s bids for it.

**Points a deal** are the team's score less the mean of the other two, per deal that is played. Deals that
all pass ({passed} % among `club`) are dealt again, so they count for whatever the next one brings. A
yardstick: a team that bids by the card-by-card sums of the bot `simple` and plays its cards as `club` loses
{simple} points a deal and wins {simple_wins} % of its matches, where 33.3 % is fair. So 0.1 points a deal
is about {tenth} matches in a hundred, and 0.01 about one match in {hundredth}. But points are not all: only
one of three teams wins a match, and lighter bids that cost a little in points may win more of them
([the score counts](match-equity.md)).

**Other contracts** says in how many of the deals the auction ends otherwise: another declarer, another bid,
or none; it stands in brackets behind other readings. Where nothing else is said, advice is compared with
`club`'s own bids. *A little* is less than {some} points a deal, *much* is {much} or more.

"""

SCORE_HEAD = """## Advice that hangs on the score

Matches to 21 from the scores given, own score first, in every order round the table: {matches} matches a
figure. The team bids by points like the others, but where the advice applies it takes each bid for half a
point better (lighter) or worse (holding back) than it is. Won, %: without the advice, and with
it; *a little* is less than {some_won} in a hundred, *much* is {much_won} or more.

"""

SCORE_CLAIMS = {
    "rival": "Bid lighter when a rival is about to go out",
    "lead": "Hold back with a leading score",
}
SCORE_TEXTS = {
    "rival": "It applies where a rival needs 3 points or fewer and the own team more.",
    "lead": "It applies where the own team needs 6 points or fewer and each rival at least 9.",
}

FOOT = """## How to read it

No difference means that the interval holds 0: if there is one, it is hardly larger than the ±.
{comparisons} figures with a ± stand on this page; by luck alone about one in twenty such intervals misses
the truth, and because all rows use the same deals, several may miss together. The best of several readings
looks a little better than it is. `club` has been made for opponents who bid like itself: against wilder or
more timid ones, and for people who play their cards otherwise, advice may be worth more or less.

All players: `club` with normal tempers, standard rules. {deals} deals in three places; {matches} matches
from each score; hands of each of 769 classes declared {each} times in each of six seats. Seed {seed},
schmier-sim {version}.

```sh
{whole}
```
"""


def page(folk: Folk, command: str = COMMAND) -> str:
    """Write the page, with the command that writes it again."""
    tested = sorted(advice(folk), key=lambda one: -abs(folk.effects[one.pair].gain))
    points, sizes = folk.simple, folk.sizes
    won, low, high = folk.simple_wins
    slope = (1 / 3 - won) / -points.gain if points.gain else math.nan
    comparisons = sum(1 + len(one.readings) for one in tested)
    facts = {
        "command": COMMAND,
        "whole": command,
        "version": schmier_sim.__version__,
        "seed": folk.seed,
        "deals": count(sizes.deals),
        "matches": count(sizes.matches),
        "each": count(sizes.stratified),
        "passed": percent(folk.passed),
        "simple": f"{decimal(-points.gain, 3)} ±{decimal(Z95 * points.error, 3)}",
        "simple_wins": f"{percent(won)} ±{percent(max(won - low, high - won))}",
        "some": decimal(SOME, 2),
        "much": decimal(MUCH, 1),
        "some_won": percent(SOME_WON),
        "much_won": percent(MUCH_WON, 0),
        "tenth": decimal(100 * 0.1 * slope, 1),
        "hundredth": count(round(1 / (0.01 * slope), -1)) if slope else MISSING,
        "comparisons": comparisons + len(_shares(folk)) + 2 * len(folk.worths) + len(DEALER_ADDS),
    }
    rows = tuple(
        (
            one.claim,
            one.test,
            verdict(folk.effects[one.pair]),
            gain(folk.effects[one.pair]),
            _changed(folk.effects[one.pair]),
        )
        for one in tested
    )
    columns = ("advice", "as tested", "verdict", "points a deal", "other contracts, %")
    parts = [_wrapped(HEAD.format(**facts)), Block("", columns, rows, left=3).to_markdown(), "\n"]
    for one in tested:
        parts.append(_paragraph(one, folk) + "\n")
        if one.pair[0].startswith("folk") and one.pair[1].startswith("half"):
            parts.append(_worths(folk.worths) + "\n")
    parts += [_wrapped(SCORE_HEAD.format(**facts)), _by_score(folk), _wrapped(FOOT.format(**facts))]
    return "".join(parts)


def _changed(effect: Effect) -> str:
    text = percent(effect.changed)
    return "<0.1" if effect.changed and float(text) == 0 else text


def verdict(effect: Effect) -> str:
    """Say in words what a way of bidding brings."""
    words = _words(effect.gain, Z95 * effect.error, SOME, MUCH)
    return UNASKED if words == NO_DIFFERENCE and effect.changed < RARE else words


def _words(value: float, half: float, some: float, much: float) -> str:
    if abs(value) <= half:
        return NO_DIFFERENCE
    size = " much" if abs(value) >= much else "" if abs(value) >= some else " a little"
    return f"gains{size}" if value > 0 else f"costs{size}"


def _paragraph(one: Advice, folk: Folk) -> str:
    readings = "; ".join(
        f"{name}: {gain(folk.effects[pair])} ({_changed(folk.effects[pair])} %)"
        for name, pair in one.readings
    )
    text = f"**{one.claim}.** {one.text}"
    if readings:
        text += (" " if one.text.endswith(":") else " Other readings: ") + readings + "."
    return _wrapped(text) + "\n"


def _wrapped(text: str) -> str:
    """Break the lines of some paragraphs anew."""
    paragraphs = text.split("\n\n")
    return "\n\n".join(
        one if one.startswith("```") else "\n".join(wrap(one, LINE, break_on_hyphens=False))
        for one in paragraphs
    )


def _worths(worths: tuple[Worth, ...]) -> str:
    """What bauers were worth, over all hands as they are dealt."""
    names = {"R": "right bauer", "L": "left bauer"}
    others = sorted({worth.others for worth in worths})
    heads = [*map(str, others[:-1]), f"{others[-1]} or more"]
    rows: list[tuple[str, ...]] = []
    for card, name in names.items():
        own = [worth for worth in worths if worth.card == card]
        rows += [
            (f"{name}: its point won, %", *(_rate(one.wins, one.wins_error) for one in own)),
            (f"{name}: points more than with a plain card", *(_mean(one) for one in own)),
        ]
    rows.append(("deals, each bauer", *(count(one.deals) for one in worths if one.card == "R")))
    return Block("", ("other trumps", *heads), tuple(rows), left=1).to_markdown()


def _rate(share: float, error: float) -> str:
    return f"{percent(share)} ±{percent(max(Z95 * error, 0.001))}"


def _mean(worth: Worth) -> str:
    return f"{signed(worth.adds, 2)} ±{decimal(max(Z95 * worth.adds_error, 0.01), 2)}"


def _shares(folk: Folk) -> list[tuple[Share, Share]]:
    """Matches with a rule, and without, from the same scores."""
    base = {(one.rule, one.scores): one for one in folk.shares if one.margin == 0}
    return [(one, base[one.rule, one.scores]) for one in folk.shares if one.margin != 0]


def _won_more(share: Share, base: Share) -> str:
    difference, error = share.gain_over(base)
    return f"{signed(100 * difference, 1)} ±{percent(max(Z95 * error, 0.001))}"


def _score_verdict(share: Share, base: Share) -> str:
    difference, error = share.gain_over(base)
    return _words(difference, Z95 * error, SOME_WON, MUCH_WON)


def _by_score(folk: Folk) -> str:
    versus = _shares(folk)
    shown = sorted(
        (pair for pair in versus if pair[0].margin == SCORE_MARGIN[pair[0].rule]),
        key=lambda pair: -abs(pair[0].won - pair[1].won),
    )
    rows = tuple(
        (
            SCORE_CLAIMS[share.rule],
            _scores(share.scores),
            _score_verdict(share, base),
            percent(base.won),
            percent(share.won),
            _won_more(share, base),
        )
        for share, base in shown
    )
    columns = ("advice", "scores", "verdict", "won without, %", "with", "difference")
    parts = [Block("", columns, rows, left=3).to_markdown(), "\n"]
    parts += [
        _score_paragraph(rule, folk, versus) + "\n"
        for rule in dict.fromkeys(share.rule for share, _ in shown)
    ]
    return "".join(parts)


def _score_paragraph(rule: str, folk: Folk, versus: list[tuple[Share, Share]]) -> str:
    text = [f"**{SCORE_CLAIMS[rule]}.** {SCORE_TEXTS[rule]}"]
    effect = folk.effects[f"all {SCORE_MARGIN[rule]}", "club"]
    text.append(
        f"The same margin in every deal brings {gain(effect)} points a deal and other contracts in "
        f"{percent(effect.changed)} % of the deals. Other margins, in points, and the difference in matches won, %:"
    )
    for scores in SCORES[rule]:
        others = [(share, base) for share, base in versus if (share.rule, share.scores) == (rule, scores)]
        margins = ", ".join(
            f"{margin_text(share.margin)}: {_won_more(share, base)}" for share, base in others if share.margin
        )
        text.append(f"from {_scores(scores)}: {margins}" + ("." if scores == SCORES[rule][-1] else ";"))
    fully = [
        f"{_won_more(share, base)} from {_scores(share.scores)}"
        for share, base in versus
        if share.rule == rule and share.margin is None
    ]
    if fully:
        text.append(f"Bids by the chance to win the match (`--bidding equity`): {', '.join(fully)}.")
    return _wrapped(" ".join(text)) + "\n"


def _scores(scores: tuple[int, ...]) -> str:
    return "-".join(map(str, scores))


def main() -> None:
    """Run ``scripts/folk-rules``."""
    sizes = Sizes()
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument(
        "--deals", type=int, default=sizes.deals, help=f"deals of each test (default {sizes.deals})"
    )
    parser.add_argument(
        "--matches",
        type=int,
        default=sizes.matches,
        help=f"matches from each score (default {sizes.matches})",
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of all deals (default {SEED})")
    parser.add_argument("--workers", type=int, help="threads (default: all cores)")
    parser.add_argument(
        "--output", "-o", type=Path, default=PAGE, help=f"file (default docs/{PAGE.name}), - for stdout"
    )
    options = parser.parse_args()
    if not 0 <= options.seed < MAX_SEED:
        parser.error(f"seed {options.seed} is out of range: 0 to 2^63 - 1, such as {SEED}")
    for name, least in (("deals", 100), ("matches", 6), ("workers", 1)):
        number = getattr(options, name)
        if number is not None and number < least:
            parser.error(f"{number} {name} are too few: take at least {least}")

    def tell(progress: Progress) -> None:
        if progress.message:
            sys.stderr.write(progress.message + "\n")

    chosen = Sizes(options.deals, sizes.stratified, options.matches)
    command = COMMAND + "".join(
        f" --{name} {value}"
        for name, value, usual in (
            ("deals", options.deals, sizes.deals),
            ("matches", options.matches, sizes.matches),
            ("seed", options.seed, SEED),
        )
        if value != usual
    )
    text = page(measure(chosen, seed=options.seed, workers=options.workers, progress=tell), command)
    if str(options.output) == "-":
        sys.stdout.write(text)
    else:
        write_file(options.output, text.encode())
        sys.stderr.write(f"wrote {options.output}: {count(len(text))} characters\n")


if __name__ == "__main__":
    main()
