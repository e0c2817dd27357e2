"""Right things to type, as somebody may write them, and the words that nearly right ones are made of."""

import json
from collections.abc import Callable

import typer.main
from hypothesis import strategies as st

from schmier_sim.cli.app import app
from schmier_sim.cli.command import known_options
from schmier_sim.game.cards import DECK
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.game.notation import format_card
from schmier_sim.game.rules import CHOICES, FLAGS
from tests.fuzz.strategies import Text, pieces, pool, rubbish

BETWEEN = st.sampled_from([" ", ",", ", ", "  ", "\t", ";", "\n"])


def joined(words: st.SearchStrategy[list[str]], between: Text = BETWEEN) -> Text:
    """Words with the same thing between any two of them."""
    return st.builds(lambda some, sign: sign.join(some), words, between)


# -- cards, calls, scores, numbers

CARD_WORDS = [*DECK, *pool("S: ♠ ♥A ♠AK SAK s:t9 jk * x 10 T A 1S 11S AKS ASKS : S")]


@st.composite
def hands(draw: st.DrawFn) -> str:
    """Six cards."""
    cards = draw(st.lists(st.sampled_from(DECK), unique=True, min_size=6, max_size=6))
    if draw(st.booleans()):
        colon, between = draw(st.sampled_from([":", ": ", ""])), draw(st.sampled_from(["", " "]))
        suits = {suit: [card[:-1] for card in cards if card[-1] == suit] for suit in "SHCD"}
        joker = [card for card in cards if card == "Jo"]
        return " ".join(
            [suit + colon + between.join(ranks) for suit, ranks in suits.items() if ranks] + joker
        )
    text = draw(BETWEEN).join(format_card(card, draw(st.booleans())) for card in cards)
    return draw(st.sampled_from([text, text.lower(), text.replace("10", "T")]))


RIGHT_CALLS = pool("p P pass Pass - – 3 4 5 6")
CALL_WORDS = [*RIGHT_CALLS, *pool("7 03 3.0 ２ ٤ pp p3 bid — −")]
auctions = joined(st.lists(st.sampled_from(RIGHT_CALLS), max_size=5))
SCORE_WORDS = pool("0 14 -18 −3 +5 20 999999 1000000 1.0 1e1 ٣ x --1 + -")
team_scores = joined(st.lists(st.integers(-30, 20).map(str), min_size=2, max_size=3))
NUMBER_WORDS = [*pool("1 0 9 000 _ , . e e+ E k M - + ٣ １"), " "]
whole_numbers = st.one_of(
    st.integers(0, 2**64).map(str),
    st.integers(0, 2**64).map("{:,}".format),
    st.integers(0, 2**64).map("{:_}".format),
    st.builds(
        "{}{}{}".format, st.integers(0, 10**4), st.sampled_from(["", " "]), st.sampled_from([*"kMGBmgb"])
    ),
    st.builds("{:.3}e{}".format, st.floats(0, 10), st.integers(-3, 30)),
    st.builds("{}.{}{}".format, st.integers(0, 99), st.integers(0, 9999), st.sampled_from(["", "k", "M"])),
)
decimals = st.one_of(
    st.floats(0, 60).map(str),
    st.floats(0, 60).map("{:.2f}%".format),
    st.floats(0, 1).map("{:.3e}".format),
    st.floats(0, 60).map("{}s".format),
    st.integers(-1, 2_000_000).map(str),
)


# -- filters

SIGNS = {
    "=": "==",
    "==": "==",
    "!=": "!=",
    "≠": "!=",
    "<": "<",
    "<=": "<=",
    "≤": "<=",
    ">": ">",
    ">=": ">=",
    "≥": ">=",
}
BOUNDS = {"trumps": (0, 6), "aces": (0, 3), "seat": (1, 6)}
HONOURS = pool("A K Q R L 10 2 Jo")
WHERE_WORDS = [
    *BOUNDS,
    *SIGNS,
    *pool("role pattern honours holds lacks and & , 3 AK x ' \" dealer none Jo joker 10 \u212a"),
    " ",
]
Picks = Callable[[int, int, int], bool]


def compares(sign: str, left: int, right: int) -> bool:
    """Whether a comparison holds."""
    order = (left > right) - (left < right)
    return {
        "==": order == 0,
        "!=": order != 0,
        "<": order < 0,
        "<=": order <= 0,
        ">": order > 0,
        ">=": order >= 0,
    }[SIGNS[sign]]


@st.composite
def comparisons(draw: st.DrawFn) -> tuple[str, Picks]:
    """A comparison, and whether it picks a seat 0..5, a class and so many plain aces."""
    name = draw(st.sampled_from([*BOUNDS, "holds", "lacks", "pattern", "honours"]))
    blank = draw(st.sampled_from(["", " "]))
    if name in BOUNDS:
        sign, value = draw(st.sampled_from([*SIGNS])), draw(st.integers(*BOUNDS[name]))

        def picks(seat: int, holding: int, aces: int) -> bool:
            there = {"trumps": HOLDINGS[holding].trumps, "aces": aces, "seat": seat + 1}[name]
            return compares(sign, there, value)

        return f"{name}{blank}{sign}{blank}{value}", picks
    held = draw(st.lists(st.sampled_from(HONOURS), unique=True, min_size=1, max_size=5))
    text = draw(st.sampled_from(["", " "])).join(held)
    text = draw(st.sampled_from([text, text.lower()]))
    quote = draw(st.sampled_from(["'", '"', ""]))
    sign = draw(st.sampled_from(["=", "=="] if name in ("holds", "lacks") else ["=", "!="]))

    def picks_cards(_seat: int, holding: int, _aces: int) -> bool:
        there = HOLDINGS[holding].text.split()
        named = {card for card in there if card != "x"}
        if name == "holds":
            return set(held) <= named
        if name == "lacks":
            return not set(held) & named
        same = named == set(held) and (name == "honours" or "x" not in there)
        return same == (sign == "=")

    return f"{name}{blank}{sign}{blank}{quote}{text}{quote}", picks_cards


filters = st.lists(comparisons().map(lambda pair: pair[0]), max_size=4).map(" and ".join)


# -- TOML


def toml_text(text: str) -> str:
    """A text as a TOML string; a JSON string is one, but for letters that no text may have."""
    return json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")


ODD_VALUES = [
    *pool(
        "1e999 -0 +inf nan 1_000 0o7 0b1 9007199254740993 -1 1.5 1979-05-27 07:32:00 1979-05-27T00:32:00.999999-07:00"
    ),
    *pool('[] {} [[]] "" true false'),
    *(
        "0x" + "f" * 3000,
        "9" * 4301,
        "[1, 'a', {}]",
        "{ a = { b = 1 } }",
        "[" * 60 + "]" * 60,
        "[0x" + "f" * 3000 + "]",
    ),
    *("'''\n'''", '"\\u202e"', '"\\u0000"'),
]


def toml_values(right: Text) -> Text:
    """A value that is right, or another one."""
    return st.one_of(right, right, st.sampled_from(ODD_VALUES), rubbish().map(toml_text), pieces(most=4))


def deep(most: int) -> Text:
    """One key of many parts, in the ways there are to write it, in so many characters."""
    forms = [
        "{key} = 1",
        "[{key}]",
        "x = {{ {key} = 1 }}",
        "target.{key} = 1",
        "[[{key}]]",
        "[deal]\nseed.{key} = 1",
    ]
    return st.builds(
        lambda form, part, number: form.format(
            key=".".join([part] * min(number, (most - 20) // (len(part) + 1)))
        ),
        st.sampled_from(forms),
        st.sampled_from(["a", "''", "target", "seed"]),
        st.sampled_from([2, 30, 300, 1200]),
    )


RIGHT_RULES = {key: [f'"{word}"' for word in words] for key, words in CHOICES.items()}
RIGHT_RULES |= {key: ["true", "false"] for key in FLAGS}
RIGHT_RULES["target"] = ["1", "21", "1000", "0x15"]
RIGHT_RULES["name"] = ['"club"', "'Stammtisch 3'", '"💬"', '"../../x"', '"{0}%s"']
RULE_WORDS = [*RIGHT_RULES, " = ", "\n", *pool('" [ ] . # true 21 \' "taker" { }')]


@st.composite
def rules_texts(draw: st.DrawFn) -> str:
    """A rules file of a few lines, most of them right."""
    lines = []
    for key in draw(st.lists(st.sampled_from([*RIGHT_RULES]), unique=True, max_size=5)):
        right = st.sampled_from(RIGHT_RULES[key])
        lines.append(f"{key} = {draw(st.one_of(right, right, right, toml_values(right)))}")
    other = st.one_of(pieces(most=3).map("# {}".format), st.sampled_from(["", "low_too = 1", "a.b = 1"]))
    return "\n".join(lines + draw(st.lists(other, max_size=1)))


#: The options of each command, by the names that a config file has for them.
KNOWN = known_options(typer.main.get_command(app))
OPTION_NAMES = sorted({name for options in KNOWN.values() for name in options})
RIGHT_VALUES = pool(
    '21 0.5 true "declare" "random" "standard" "trumps" "1k" ["a.csv","b.md"] ["trumps","role"]'
)
CONFIG_WORDS = [
    *OPTION_NAMES,
    *(f'["{name}"]' for name in KNOWN),
    " = ",
    "\n",
    *pool("[deal] 21 \" ' . [ ] true"),
]


@st.composite
def config_texts(draw: st.DrawFn) -> str:
    """A config file: a few options for all commands and for some."""
    lines = []
    for command in [None, *draw(st.lists(st.sampled_from([*KNOWN]), unique=True, max_size=2))]:
        lines += [] if command is None else [f'["{command}"]']
        names = OPTION_NAMES if command is None else sorted(KNOWN[command])
        some = draw(st.lists(st.sampled_from(names), unique=True, max_size=2)) if names else []
        lines += [f"{name} = {draw(toml_values(st.sampled_from(RIGHT_VALUES)))}" for name in some]
    return "\n".join(lines)


# -- lists of hands

LINES = ["AS KS JC 2S 10H 9D", "AS KS JC 2S 10H 9D | 3", "S:AKJ102 h:9|6|p p 3 p p|14,9,18", "# nothing", ""]
LIST_WORDS = [*LINES, *pool("| 3 0,0,0 #"), " | ", "p 3", *"\n\r\0\ufeff\x85\u2028\x1c", "\r\n"]
hand_lists = st.lists(st.sampled_from([*LINES, "AS KS | x | y | z | 1"]), max_size=5).map("\n".join)
