"""The page `docs/play-rules.md`: eight rules of card play, what each is worth, and those that did not make it.

Run by ``scripts/play-rules``, which writes the figures into the package, and the page from them. The page follows from
the figures alone: no time and no place is in it. Verdicts follow from the figures, so that none can stand beside a
figure that says otherwise.
"""

import argparse
import sys
from pathlib import Path
from textwrap import wrap

import schmier_sim
from schmier_sim.analysis.playrules import (
    DEALS,
    PATH,
    SEED,
    PlayRule,
    PlayRules,
    is_stale,
    measure,
    play_rules,
)
from schmier_sim.analysis.run import Progress
from schmier_sim.game.words import MAX_SEED
from schmier_sim.present.audits import Block
from schmier_sim.present.files import write_file
from schmier_sim.present.numbers import MISSING, Z95, count, decimal, percent

PAGE = Path(__file__).resolve().parents[2] / "docs" / "play-rules.md"
COMMAND = "scripts/play-rules"
LINE = 120
DECISIONS = {"draw": "exchange", "keep": "exchange", "lead": "lead", "follow": "trick"}
NO_DIFFERENCE = "no difference that these deals can show"
WRONG, SMALL = "wrong: the opposite is better", "right, but worth less"
MIXED = "right, with many exceptions"
LARGE = 1 / 3
"""Share of what breaking a rule costs from which keeping to it blindly costs much."""

TESTED = {
    "draw": "Of the plain cards, `club` puts away as many as one may (three, or all). The breaker keeps one more: the "
    "one that it values most, often an ace or a king. The dealer has no such choice.",
    "few-suits": "as few suits as possible, among all ways to keep as many plain cards",
    "aces-stay": "as many plain aces kept as possible",
    "tens-go": "as few plain tens kept as possible",
    "lead-tops": "To lead, with at least two trumps that are higher than all that are out; the breaker leads another "
    "card.",
    "no-treasure-led": "To lead, with another choice. The breaker leads a bauer, the joker or the ten of trumps though "
    "a trump above it is out.",
    "save-top": "to lead, just one trump higher than all that are out",
    "lead-small": "to lead, trumps out, none of the own ones is highest: a trump other than bauer, joker, ten",
    "lead-plain": "to lead, with trumps and plain cards",
    "lead-ace": "to lead, with a plain ace",
    "lead-two": "to lead, with the 2",
    "lead-single": "to lead, with such a card",
    "no-ten-led": "to lead, with a plain ten",
    "no-king-led": "to lead, with one of these",
    "take": "An opponent's card is winning, and a bauer, the joker or ten card points lie in the trick; one "
    "can win it, by suit or by a trump when void. The breaker leaves it.",
    "no-treasure-lost": "An opponent's card is winning: the breaker throws, without beating it, a bauer, "
    "the joker or any ten though it could throw or win with something else.",
    "no-picture-lost": "An opponent's card is winning: the breaker throws, without beating it, a plain ace, king, "
    "queen or jack though it could throw or win with something else.",
    "bank": "The partner's card is winning, and nobody to come can beat it; or no opponent is to come, and the own "
    "bauer, joker or ten wins. The breaker plays another card.",
    "high-stay": "The partner's card is winning, or there are neither bauer nor joker nor ten card points in the "
    "trick, won or lost, void or not. The breaker plays the ace, king or queen of trumps though it has another choice.",
    "take-surely": "bauer, joker or ten card points in it, opponents with trumps to come: a trump above all out",
    "lowest-taker": "no opponent to come, no bauer, joker or ten that wins: not a higher trump than need be",
    "low-early": "less than ten card points, able to follow, an opponent is winning: a card that does not win",
    "no-overtaking": "the partner's card is winning: a card that does not beat it",
    "give-likely": "his trump is winning, and one trump above it is out, or one opponent with trumps to come",
    "fatten": "nobody can beat the partner's card: no bauer, joker or ten in hand",
    "no-risk": "opponents with trumps to come, a higher trump out",
    "two-goes": "an opponent is winning, trumps were led, the 2 does not win",
    "ruff-some": "void, an opponent is winning, four to nine card points and no point",
    "no-ruff": "void, an opponent is winning, less than four card points: a plain card",
}
"""In which situations each rule was tested, and how; paragraphs for those kept, a cell for the others."""

HEAD = """# Eight rules of card play, and what they are worth

This page is written by `{command}` with schmier-sim {version} and seed {seed}. ± is a 95 % interval.

One team breaks a rule; all else it does, and all that the others do, is as the bot [`club`](bots.md) plays. Where
`club` keeps to the rule and could do otherwise, the breaker takes what `club` likes best of all that breaks it. So a
rule is worth what it *costs* to break it. Nobody sees more than he would at the table.

**Costs a deal**: how many points less the team scores than the mean of the other two, per deal that is played. 0.1
points a deal is about two matches in a hundred ([folk rules](folk-rules.md)). **Comes up**: deals of a hundred in which
a team breaks the rule at least once. **Each time**: the cost by how often it is broken. `club` knows exceptions, and a
rule has none: **blindly** is what it costs a deal to keep to the rule also where `club` would not.

"""

KEPT_HEAD = """All eight are for everybody, on either side. They are measured one by one: they share some of their
worth, so the costs do not add up.

"""

OTHERS_HEAD = """## Rules that did not make it

Measured in the same way, and sorted by what breaking them costs. **Always, not never** is what a team that always keeps
to the rule, blindly too, scores more than one that never does; the verdict goes by it.

"""

FOOT = """## How to read it

Each rule is tested by what `club` does when it breaks it *well*: people who break a rule mostly do it worse, so rules
may be worth more to them. The other players, and the team itself in all else, play as `club`: among people who play
their cards otherwise, advice may be worth more or less. The eight were chosen by other deals than those of this page,
so their figures are not flattered by the choice.

{deals} deals with an auction, of which {played} are played, with the team in each of three places; `club` bids by
points, in a temper drawn for each seat and deal. A deal in which the team never comes to break the rule is the same
with and without, so its difference is exactly 0. Intervals go by deals. Seed {seed}, schmier-sim {version}.

```sh
{whole}
```
"""


def page(found: PlayRules) -> str:
    """Write the page."""
    facts = {
        "command": COMMAND,
        "whole": found.made["command"],
        "version": schmier_sim.__version__,
        "seed": found.made["seed"],
        "deals": count(found.made["deals"]),
        "played": count(found.made["played"]),
    }
    columns = ("rule", "", "comes up, %", "costs a deal", "each time", "blindly")
    rows = tuple(
        (
            f"{number}. {rule.rule}",
            DECISIONS[rule.decision],
            decimal(rule.per_100, 1),
            cost(rule.cost_per_deal, rule.cost_per_deal_se),
            cost(rule.cost_per_occasion, rule.cost_per_occasion_se, 2),
            cost(rule.blind_cost, rule.blind_cost_se),
        )
        for number, rule in enumerate(found.kept, start=1)
    )
    parts = [_wrapped(HEAD.format(**facts)), Block("", columns, rows, left=2).to_markdown(), "\n"]
    parts.append(_wrapped(KEPT_HEAD))
    for rule in found.kept:
        keeps = MISSING if rule.club_keeps is None else percent(rule.club_keeps, 0)
        text = f"**{rule.rule}** {TESTED[rule.key]} `club` keeps to it in {keeps} % of the choices."
        parts.append(_wrapped(text) + "\n\n")
    heads = (
        "rule",
        "who",
        "as tested",
        "verdict",
        "comes up, %",
        "costs a deal",
        "blindly",
        "always, not never",
    )
    lines = tuple(
        (
            rule.rule,
            rule.who,
            TESTED[rule.key],
            verdict(rule),
            decimal(rule.per_100, 1),
            cost(rule.cost_per_deal, rule.cost_per_deal_se),
            cost(rule.blind_cost, rule.blind_cost_se),
            cost(rule.worth, rule.worth_se),
        )
        for rule in found.others
    )
    parts += [_wrapped(OTHERS_HEAD), Block("", heads, lines, left=4).to_markdown(), "\n"]
    return "".join([*parts, _wrapped(FOOT.format(**facts))])


def cost(value: float | None, error: float | None, digits: int = 3) -> str:
    """Write a cost: `0.123 ±0.004`; `−0.010 ±0.004` for a gain, `0` where nothing ever differs."""
    if value is None or error is None:
        return MISSING
    if value == error == 0:
        return "0"
    return f"{decimal(value, digits)} ±{decimal(max(Z95 * error, 10.0**-digits), digits)}"


def verdict(rule: PlayRule) -> str:
    """Say in words what a rule is worth that did not make it."""
    if abs(rule.worth) <= Z95 * rule.worth_se:
        return NO_DIFFERENCE
    if rule.worth < 0:
        return WRONG
    clear = rule.blind_cost > Z95 * rule.blind_cost_se
    return MIXED if clear and rule.blind_cost > LARGE * rule.cost_per_deal else SMALL


def _wrapped(text: str) -> str:
    """Break the lines of some paragraphs anew."""
    return "\n\n".join(
        one if one.startswith("```") else "\n".join(wrap(one, LINE, break_on_hyphens=False))
        for one in text.split("\n\n")
    )


def main() -> int:
    """Run ``scripts/play-rules``; return the exit code."""
    parser = argparse.ArgumentParser(
        prog=COMMAND,
        description="Measure short rules of card play, write the figures into the package (schmier_sim/analysis/"
        f"{PATH.name}) and docs/{PAGE.name} from them. The same options give the same figures, with any number of "
        "workers.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help="deals to play")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="seed of all deals")
    parser.add_argument(
        "--workers", type=int, default=None, metavar="N", help="processes; default: all cores"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="measure nothing; exit code 1 if the card play of club has changed since",
    )
    options = parser.parse_args()
    if options.check:
        stale = is_stale(play_rules())
        sys.stdout.write(f"made with another card play: run {COMMAND}\n" if stale else "up to date\n")
        return int(stale)
    if not 0 <= options.seed < MAX_SEED:
        parser.error(f"seed {options.seed} is out of range: 0 to 2^63 - 1, such as {SEED}")
    for name, least in (("deals", 100), ("workers", 1)):
        number = getattr(options, name)
        if number is not None and number < least:
            parser.error(f"{number} {name} are too few: take at least {least}")
    command = COMMAND + "".join(
        f" --{name} {value}"
        for name, value, usual in (("deals", options.deals, DEALS), ("seed", options.seed, SEED))
        if value != usual
    )
    told = 0

    def tell(progress: Progress) -> None:
        nonlocal told
        tenth = 10 * progress.done // progress.total
        if tenth > told:
            told = tenth
            sys.stderr.write(f"{10 * tenth:3} %\n")

    found = measure(options.deals, seed=options.seed, workers=options.workers, command=command, progress=tell)
    write_file(PATH, found.to_json().encode())
    write_file(PAGE, page(found).encode())
    sys.stderr.write(f"wrote {PATH.name} and {PAGE.name}: {count(found.made['played'])} deals played\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
