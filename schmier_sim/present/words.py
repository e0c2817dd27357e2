"""The words of tables, charts and the handout, all in one place, so that they can be translated in one place.

Program text (CSV headings, JSON keys) is not here: it is never translated.
"""

from typing import TYPE_CHECKING

from schmier_sim.analysis.store import RunInfo
from schmier_sim.game.rules import Rules
from schmier_sim.present.numbers import count

if TYPE_CHECKING:
    from schmier_sim.kernel.simulate import Setup

BIDS = (3, 4, 5, 6)
ROLES = ("dealer", "partner-deals", "neither")
ROLE_NAMES = {"dealer": "dealer", "partner-deals": "partner deals", "neither": "neither deals"}
ROLE_TITLES = {
    "dealer": "You are the dealer",
    "partner-deals": "Your partner deals",
    "neither": "An opponent deals",
}
POINT_NAMES = {
    "high": "high (ace)",
    "low": "low (two)",
    "right": "right bauer",
    "left": "left bauer",
    "joker": "joker",
    "game": "game",
}
KEY_NAMES = {"pattern": "trumps held", "aces": "plain aces"}
ALL_HANDS = "all"
NO_TRUMPS = "none"
FLAG_NAMES = {"True": "yes", "False": "no"}
HANDS_PICKED = "only hands with {where}"
NO_ROWS = "no rows: {reasons}"
NO_ROWS_REASONS = {  # `make_table` says how many it has left out
    "dropped": "{number} left out for too few deals",
    "incomplete": "{number} left out because the run stopped before all of their hands were dealt",
}
NO_HANDS = "no hand was declared"
NO_HANDS_PICKED = "no hand with {where} was declared"
INTERVAL_NOTE = (
    "± is the farther limit of the 95 % Wilson interval (both limits are in the CSV and the JSON)."
)
ONE_SIDED_NOTE = "Without ± the interval has one side only: {example} is from {low} to {high}."
BEST_NOTE = "Bid up to: the highest bid that wins points on average, beyond its error."
OPEN_NOTE = "{example}: too close to call between {them}."
OPEN_THEM = {" or ": "the two", " to ": "these"}
SHARE_NOTES = {
    "natural": "Once in … hands: among the hands that were declared in this run.",
    "stratified": "Once in … hands: six cards hold this in one named suit{place}.",
}
AUCTION_NOTE = (
    "Mode auction: only hands that the bots chose to bid are counted, so these chances flatter; "
    "mode declare counts all."
)
FEW_NOTE = "* fewer than {few} deals: read with care."
LEFT_OUT_NOTES = {  # what `make_table` says of rows that it does not show
    "dropped": "{rows} left out for too few deals.",
    "incomplete": "{rows} left out because the run stopped before all of their hands were dealt.",
}

DUEL_NOTES = (  # what stands below a table of duels
    "Relative points: the score of the challenger's team less the mean of the others', on the same deals in each of",
    "the {places} places; declaring and defending: where its team declared, and where another did. ±: 95 % interval.",
)
DUEL_SCORE_NOTES = (
    "Matches are played at their scores, each with its own deals, the challenger's first place each in turn.",
    "Relative points: the score of the challenger's team less the mean of the others', in the deals of these matches;",
    "declaring and defending: where its team declared, and where another did. ±: 95 % interval.",
)
DUEL_FAIR = "Matches to {target}; a fair share is {share} %."
DUEL_WORLDS = "search looks at {worlds} worlds"

HAND_SEATS = {"dealer": "you deal", "partner": "your partner deals", "opponent": "an opponent deals"}
HAND_THREE = (
    "No seat was named, so there is an answer for each role, as if all before had passed (--seat and --auction ask for "
    "one)."
)
HAND_BID = "Bid {name}. "
HAND_PASS = "Pass. "
HAND_FORCED = "You may not pass here. "
HAND_CLOSE = "Too close to call between {names}: {apart}. "
HAND_APART = "{name} brings {points} ±{half} points {way} than {best}"
HAND_SAME = "{name} brings the same as {best}"
HAND_APART_EQUITY = "{name} wins {points} ±{half} percentage points {way} matches than {best}"
HAND_SAME_EQUITY = "{name} wins as many matches as {best}"
HAND_WORSE_EQUITY = "; {name} costs {points} percentage points of winning the match"
HAND_SURE = "It wins the auction, and your side makes its contract in {make} of the deals"
HAND_SURE_CLOSE = "With {name} your side makes its contract in {make} of the deals"
HAND_WINS = "Your side wins the auction in {wins} of the deals and makes its contract in {make} of those"
HAND_WINS_CLOSE = (
    "With {name} your side wins the auction in {wins} of the deals and makes its contract in {make} of those"
)
HAND_PASS_WINS = "Your side still declares in {wins} of the deals and makes its contract in {make} of those"
HAND_PASS_LOST = "The others then declare"
HAND_PASS_SURE = "Your side then declares all the same, and makes its contract in {make} of the deals"
HAND_PASS_NEVER = "Your side then hardly ever declares"
HAND_PASS_OUT = "All six have then passed, and the cards are dealt anew"
HAND_WORSE = "; {name} is {points} points worse"
HAND_WORSE_TOO = ", {name} {points}"
HAND_WORLD = "World"
HAND_INDENT = "  "
HAND_OPEN = "Nobody has called before you: the other hands are drawn from all 47 cards that you do not see."
HAND_PASSES = {1: "seat 1 has passed", 2: "seats 1 and 2 have passed", 0: "seats 1 to {last} have passed"}
HAND_HEEDED = (
    "After {calls}: the other hands are drawn so that these bots would call just like that, which with your cards "
    "they do in {chance}."
)
HAND_WEAKENED = (
    "After {calls}: the other hands are drawn so that these bots would call like that, as far as they ever do; with "
    "your cards they do what was asked of them in {chance}."
)
HAND_NOT_HEEDED = (
    "After {calls}: these calls count in the auction, but the other hands are drawn as if nobody had called "
    "(--ignore-calls)."
)
HAND_WEAKER = "The bots hardly ever {call} in seat {seat} here: hands were drawn that bid {least} or more."
HAND_WEAKEST = "The bots hardly ever {call} in seat {seat} here: nothing was asked of that hand."
HAND_DEALS = "{deals} deals."
HAND_EFFECTIVE = (
    "{deals} deals; they tell as much as {effective} independent ones, as some share a bidder’s hand."
)
HAND_SCORES = "Scores {scores}, yours first: advice is by points; what they are worth now is not weighed."
HAND_BEFORE = "At {scores} (yours first) your team wins the match in {chance} % before the cards are seen."
HAND_DECIDED = (
    "At {scores} (yours first) the match is as good as {how} whatever you call: calls are compared by points."
)
HAND_CHANGED = "The score changes the call: at the beginning of a match it would be {name}."
HAND_UNCHANGED = "At the beginning of a match the call would be no other, or hardly better."
HAND_MATCH = "wins the match now, %"
HAND_TEAMS = {3: ("yours", "left", "right"), 2: ("yours", "theirs")}
HAND_CALLS_NOTE = (
    "Relative: your points less the mean of the other teams’. Behind: how many fewer relative points than the best "
    "call, on the same deals."
)
HAND_EQUITY_NOTE = (
    "Relative: your points less the mean of the other teams’. Wins the match: your team, from these scores; behind: by "
    "how many percentage points it does so less often than with the best call, on the same deals."
)
HAND_SUITS_NOTE = (
    "Bid is made, net points: if you declare in that suit, however the auction goes. ±: 95 % interval; of a chance the "
    "farther limit."
)
HAND_TEAMS_NOTE = "Left, right: the teams of your left and your right neighbour."
HAND_PASSED_NOTE = "A deal that all six pass counts as much as the average deal that comes after it."
HAND_BEST = "best"
HAND_TOO_CLOSE = "too close"
HAND_SOURCES = "Where the points come from if you declare in {suit}, %"
HAND_POINTS = {
    "high": "high (the ace)",
    "low": "low (the two)",
    "right": "the right bauer",
    "left": "the left bauer",
    "joker": "the joker",
    "game": "game",
}
HAND_SWAPPING = "other cards: {done} of {total}"
HAND_MISSING = (
    "Where {bid} in {suit} fails, what is missing most often is {point}, in {share} % of those deals."
)
HAND_NO_FAILURE = "{bid} in {suit} never failed in these deals."
HAND_WHAT_IF = "What one other card would change"
HAND_GAIN_NOTE = (
    "Gain: relative points of the best call with the other card, less those of the best call with this hand."
)
HAND_FAILURES = "Deals in which {name} fails in the way it fails most often"
HAND_NO_FAILURES = "There is no deal to show: {why}."
HAND_NO_FAILURES_PASS = "passing has no contract that could fail"
HAND_NO_FAILURES_NONE = "the contract never failed"
HAND_AGAIN = "Show it again:"
HAND_REACHED = (
    "the wanted precision was not reached in {deals} deals: chances are known to ±{half} percentage points "
    "(wanted {wanted}), differences between calls to ±{points} points (wanted {wanted_points}, or an eighth of the "
    "difference); more --max-time or a larger --precision helps"
)

EQUITY_TITLE = "How good are your chances, and how sure must a bid be?"
EQUITY_DEALERS = (
    "your team deals",
    "the team of your left neighbour deals",
    "the team of your right neighbour deals",
)
EQUITY_NOTE = (
    "In percent; {dealer}. Above: your chance to win the match. Below: how sure your team must be to make a bid of "
    "{bid}, so that it does as much as leaving the deal to another team; a: always, even a lost bid is no worse; n: "
    "never, even a made one is not as good; blank: it hardly matters."
)
EQUITY_WINS = "Chance to win the match"
EQUITY_EVEN = "Break-even of a bid of {bid}"
EQUITY_THIRD = "right neighbour’s team has {score}"
EQUITY_LEFT = "left neighbour’s score"
EQUITY_OWN = "your score"
EQUITY_ALWAYS, EQUITY_NEVER = "a", "n"

BY_TRUMPS_TITLE = "How often is a bid of 3, 4, 5 or 6 made?"
BY_TRUMPS_X = "trumps among your six cards, before the exchange"
BY_TRUMPS_Y = "chance to make the bid"
BY_TRUMPS_NOTE = "Bars are 95 % intervals; where none is seen it is smaller than the mark."
TOO_FEW = "too few deals"
PATTERNS_TITLE = "How often is a bid made with these trumps?"
BID = "bid {bid}"
DEALT = {"natural": "declared", "stratified": "dealt"}  # what a row's share of a run counts
PATTERNS_FREQUENT = "Most often {dealt}, from three trumps"
PATTERNS_STRONGEST = "Strongest of those {dealt} at least once in {hands}"
PATTERNS_ONCE = "once in"
PATTERNS_NOTE = (
    "Chance in percent to make the bid, by the trumps among your six cards; most points on average first. x: a trump "
    "from 9 to 3, R and L: right and left bauer, Jo: joker. Each ±{width} or better. {once}"
)
CHART_ONCE = {
    "natural": "Once in: so many of the hands that were declared in this run.",
    "stratified": "Once in: so many hands, for one named suit.",
}
POINTS_TITLE = "How many points do these hands win?"
POINTS_X = "points won"
POINTS_NOTE = (
    "Numbers above the bars are percent of the deals (±{width} or better); light bars are too few points for "
    "any bid. x: a trump from 9 to 3, R and L: right and left bauer, Jo: joker. {once}"
)
POINTS_MEAN = "mean {mean}, {once}"
WON_TITLE = "Where do the declaring team’s points come from?"
WON_X = "trumps among the declarer’s six cards, before the exchange"
WON_Y = "points won, on average"
WON_NOTE = (
    "Each part is the chance to win that point (±{width} or better); together they are the points won on average "
    "(on top).{small}"
)
WON_SMALL = " Parts without a number are below {below} %."


def rules_name(rules: Rules) -> str:
    """Name the rules and, where they are not the standard ones, what is different: `my-club (low_to taker)`."""
    differences = ", ".join(
        f"{name} {FLAG_NAMES.get(str(value), value)}" for name, value in rules.differences().items()
    )
    return f"{rules.name} ({differences})" if differences else rules.name


def caption(info: RunInfo) -> str:
    """Say in one line where numbers come from: rules, bots, tempers but for normal ones, mode and so on."""
    parts = (
        f"rules {rules_name(info.rules)}",
        f"bots {info.bots}",
        *(() if info.tempers == "normal" else (f"tempers {info.tempers}",)),
        *filter(None, [bidding_words(info)]),
        f"mode {info.mode}, {info.sample} sample",
        f"{count(info.deals)} deals",
        f"seed {info.seed}",
        f"schmier-sim {info.version}",
    )
    return " · ".join(parts)


def bidding_words(made: "RunInfo | Setup") -> str:
    """Say what `club` bids by; nothing if it does not bid."""
    if made.bots != "club" or made.mode != "auction":
        return ""
    return f"bids by {made.bidding}" + (f" at {','.join(map(str, made.scores))}" if made.scores else "")


def key_text(key: str, value: object) -> str:
    """Write the value of a `--by` key for people: no trumps are `none`, roles are spelled out, true is `yes`."""
    if key == "role":
        return ROLE_NAMES.get(str(value), str(value))
    return FLAG_NAMES.get(str(value), str(value)) if value != "" else NO_TRUMPS
