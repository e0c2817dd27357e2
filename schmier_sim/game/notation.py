"""Cards in words: the one reader and the one writer.

Read are rank then suit (``AS``, ``10D``, ``TD``, ``A♠``) or suit then rank (``SA``, ``♠A``), in upper or lower
case, with commas or blanks between; the joker as ``Jo``, ``Joker``, ``JK``, ``*`` or ``X``; and groups of one
suit, ``S:AKJ``, ``♠AKJ``, ``S:10 9``. Written is ``AS KH 10D Jo``, or with symbols ``A♠ K♥ 10♦ Jo``.
"""

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase, ascii_uppercase

from schmier_sim.game.cards import JOKER, Card

MAX_LENGTH = 2_000
"""Longer texts are refused unread: 53 cards take no more than 300 characters."""

SYMBOLS: dict[str, str] = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}

_SUIT_OF = {letter: letter for letter in SYMBOLS} | {symbol: letter for letter, symbol in SYMBOLS.items()}
_SUIT_OF |= {"♤": "S", "♡": "H", "♧": "C", "♢": "D"}
_JOKERS = frozenset({"JO", "JOKER", "JK", "*", "X", "🃏"})
_CAPITALS = str.maketrans(
    ascii_lowercase, ascii_uppercase
)  # upper() makes an S of ſ, and ST, the ten of spades, of ﬆ
_UNSEEN = str.maketrans("", "", "\ufe0e\ufe0f\u200b\u200d\ufeff")  # emoji selectors and marks of no width
_SUIT = "[SHCD♠♥♣♦♤♡♧♢]"
_RANK = "10|[2-9AKQJT]"
_CARD = re.compile(f"(?P<rank>{_RANK})(?P<suit>{_SUIT})|(?P<first>{_SUIT})(?P<second>{_RANK})")
_GROUP = re.compile(f"(?P<suit>{_SUIT})(?P<colon>:?)(?P<ranks>(?:{_RANK})*)")
_RANKS = re.compile(f"(?:{_RANK})+")
_ONE_RANK = re.compile(_RANK)
_EXAMPLE = "write cards such as AS, 10D or Jo"
_PASSES = frozenset({"P", "PASS", "-", "–"})
_BIDS = frozenset({"3", "4", "5", "6"})
_SEATS = 6
_CALLS_EXAMPLE = 'write p to pass or a bid from 3 to 6, such as "p 3 p"'


class NotationError(ValueError):
    """Cards in words that cannot be read; the message is one line."""


def parse_cards(text: str, count: int | None = None) -> tuple[Card, ...]:
    """Read cards in words, in the order given.

    Parameters
    ----------
    text : str
        Such as ``"AS KS JC 2S 10H 9D"``, ``"S:AKJ H:10 9 Jo"`` or ``"♠AKJ, ♥10, *"``.
    count : int, optional
        How many cards are wanted.

    Raises
    ------
    NotationError
        One line, each fault with its own: a word that is no card, a card twice, too few or too many cards.
    """
    if len(text) > MAX_LENGTH:
        raise NotationError(f"{len(text)} characters are too many for cards: {_EXAMPLE}")
    cards: dict[Card, None] = {}
    for card in _read(text):
        if card in cards:
            raise NotationError(f"{card} is there twice: there is only one in the pack")
        cards[card] = None
    if count is not None and len(cards) != count:
        given = f" ({format_cards(cards)})" if 0 < len(cards) <= 12 else ""
        noun = "card" if len(cards) == 1 else "cards"
        raise NotationError(f"{len(cards)} {noun}{given} where {count} are wanted: {_sample(count)}")
    return tuple(cards)


def parse_card(text: str) -> Card:
    """Read one card in words. NotationError as for `parse_cards`."""
    return parse_cards(text, count=1)[0]


def parse_calls(text: str) -> tuple[int | None, ...]:
    """Read the calls of an auction in words, ``"p 3 p"``, from the first seat on; None is a pass.

    NotationError for a word that is no call, or for more than six.
    """
    if len(text) > MAX_LENGTH:
        raise NotationError(f"{len(text)} characters are too many for calls: {_CALLS_EXAMPLE}")
    tokens = text.replace(",", " ").replace(";", " ").split()
    calls: list[int | None] = []
    for token in tokens:
        if token.translate(_CAPITALS) in _PASSES:
            calls.append(None)
        elif token in _BIDS:
            calls.append(int(token))
        else:
            raise NotationError(f'"{_shown(token)}" is no call: {_CALLS_EXAMPLE}')
    if len(calls) > _SEATS:
        raise NotationError(f"{len(calls)} calls are too many: each of the six seats calls once")
    return tuple(calls)


def format_call(call: int | None) -> str:
    """Write a call, ``"3"`` or ``"pass"``."""
    return "pass" if call is None else str(call)


def format_cards(cards: Iterable[Card], symbols: bool = False) -> str:
    """Write cards in the order given, ``"AS 10H Jo"``, or with symbols ``"A♠ 10♥ Jo"``."""
    return " ".join(format_card(card, symbols) for card in cards)


def format_card(card: Card, symbols: bool = False) -> str:
    """Write one card, ``"AS"``, or with symbols ``"A♠"``."""
    return card[:-1] + SYMBOLS[card[-1]] if symbols and card != JOKER else card


def _read(text: str) -> Iterator[Card]:
    group = ""  # the suit that bare ranks belong to, after "S:" or "♠AK"
    for token in text.translate(_UNSEEN).replace(",", " ").replace(";", " ").split():
        word = token.translate(_CAPITALS)
        if word in _JOKERS:
            if group and word == "JK":
                raise NotationError(
                    f'"{token}" after {group}: can be the joker or jack and king: write Jo or {group}:JK'
                )
            group = ""
            yield JOKER
        elif match := _CARD.fullmatch(word):
            suit = match["suit"] or match["first"]
            group = _SUIT_OF[suit] if match["first"] and suit not in SYMBOLS else ""
            yield (match["rank"] or match["second"]).replace("T", "10") + _SUIT_OF[suit]
        elif (match := _GROUP.fullmatch(word)) and (match["colon"] or match["ranks"]):
            group = _SUIT_OF[match["suit"]]
            yield from _ranks(match["ranks"], group)
        elif group and _RANKS.fullmatch(word):
            yield from _ranks(word, group)
        else:
            raise NotationError(_complaint(token, word))


def _ranks(text: str, suit: str) -> Iterator[Card]:
    return (rank.replace("T", "10") + suit for rank in _ONE_RANK.findall(text))


def _complaint(token: str, word: str) -> str:
    shown = _shown(token)
    if _ONE_RANK.fullmatch(word):
        return f'"{shown}" has no suit: write {word.replace("T", "10")}S, or S:{word} for spades'
    if word in _SUIT_OF:
        return f'"{shown}" has no rank: write A{_SUIT_OF[word]}, or {word}:AK'
    if len(word) <= 20 and (match := re.fullmatch(f"((?:{_RANK})+)({_SUIT})", word)):
        return f'"{shown}" is no card: for several of one suit write {_SUIT_OF[match[2]]}:{match[1]}'
    if len(word) <= 20 and re.fullmatch(f"(?:(?:{_RANK}){_SUIT})+", word):
        apart = " ".join(found[0] for found in re.finditer(f"(?:{_RANK}){_SUIT}", word))
        return f'"{shown}" is no card: put blanks between cards, {apart}'
    return f'"{shown}" is no card: {_EXAMPLE}'


def _sample(count: int) -> str:
    return 'such as "AS KS JC 2S 10H 9D"' if count == 6 else _EXAMPLE


def _shown(token: str) -> str:
    """A word as an error shows it."""
    shown = token if len(token) <= 20 else token[:19] + "…"
    return "".join(character if character.isprintable() else "?" for character in shown)
