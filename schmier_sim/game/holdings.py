"""The 769 classes of trump holdings in six cards.

A class says which of the eight named trumps A K Q R L 10 2 Jo are held (R and L: right and left bauer),
and how many of the seven *small* ones, 3 to 9. ``HOLDINGS`` lists them by number of trumps, then by ``held``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from schmier_sim.game.cards import JOKER, MATE, Card, Suit, trump_order

HANDS = comb(53, 6)
"""Number of hands of six cards: 22 957 480."""

HAND_SIZE = 6
SMALL_CARDS = 7
PLAIN_CARDS = 38
NAMED: tuple[tuple[str, int], ...] = (
    ("A", 128), ("K", 64), ("Q", 32), ("R", 16), ("L", 8), ("10", 4), ("2", 2), ("Jo", 1),
)  # fmt: skip
"""The named trumps and their bits in `Holding.held`."""

_BIT = dict(NAMED)
_TOKENS = re.compile(r"10|JOKER|JO|JK|[AKQRLT2*X]")
_SPELLED = {"T": "10", "JOKER": "Jo", "JO": "Jo", "JK": "Jo", "*": "Jo"}
_EXAMPLE = 'write the trumps from the top with x for 9 to 3, such as "A K R x x" or "R 10 2 Jo"'


@dataclass(frozen=True, slots=True)
class Holding:
    """One class of trump holdings: named trumps as bits of `held`, and the number of `small` ones."""

    held: int
    small: int

    @property
    def trumps(self) -> int:
        """Number of trumps, 0..6."""
        return self.held.bit_count() + self.small

    @property
    def text(self) -> str:
        """The trumps as players say them, ``"A K R x x"``; ``""`` for none."""
        names = [name for name, value in NAMED if self.held & value and name not in ("2", "Jo")]
        names += ["x"] * self.small
        names += [name for name, value in NAMED[-2:] if self.held & value]
        return " ".join(names)

    @property
    def count(self) -> int:
        """Number of six-card hands of this class, for one named suit."""
        return comb(SMALL_CARDS, self.small) * comb(PLAIN_CARDS, HAND_SIZE - self.trumps)

    @property
    def chance(self) -> float:
        """Chance that six random cards are of this class, for one named suit."""
        return self.count / HANDS


HOLDINGS: tuple[Holding, ...] = tuple(
    sorted(
        (
            Holding(held, small)
            for held in range(256)
            for small in range(SMALL_CARDS + 1)
            if held.bit_count() + small <= HAND_SIZE
        ),
        key=lambda holding: (holding.trumps, holding.held),
    )
)
_ID = {(holding.held, holding.small): number for number, holding in enumerate(HOLDINGS)}


def holding_id(held: int, small: int) -> int:
    """Class 0..768 of a holding. ValueError if no six cards hold this."""
    number = _ID.get((held, small))
    if number is None:
        raise ValueError(f"no six cards hold named trumps {held} and {small} small ones")
    return number


def holding_of(cards: Iterable[Card], trump: Suit) -> int:
    """Class 0..768 of the trumps among some cards (at most six trumps)."""
    held = small = 0
    trumps = set(trump_order(trump))
    for card in cards:
        if card in trumps:
            value = _BIT.get(_name(card, trump), 0)
            held |= value
            small += value == 0
    return holding_id(held, small)


def _name(card: Card, trump: Suit) -> str:
    if card == JOKER:
        return "Jo"
    if card[0] == "J":
        return "R" if card[-1] == trump else "L" if card[-1] == MATE[trump] else ""
    return card[:-1]


def parse_holding(text: str) -> int:
    """Class 0..768 of a holding in words, ``"A K R x x"``; any order, upper or lower case.

    Raises
    ------
    ValueError
        One line that names the word which cannot be read, is doubled, or is too much.
    """
    held = small = 0
    for token in _tokens(text):
        if token == "X":
            small += 1
            continue
        name = _SPELLED.get(token, token)
        if held & _BIT[name]:
            raise ValueError(f'"{name}" is there twice in "{_short(text)}": {_EXAMPLE}')
        held |= _BIT[name]
    trumps = held.bit_count() + small
    if trumps > HAND_SIZE:
        raise ValueError(f'{trumps} trumps in "{_short(text)}", a hand has at most {HAND_SIZE}: {_EXAMPLE}')
    return holding_id(held, small)


def _tokens(text: str) -> list[str]:
    if len(text) > 100:
        raise ValueError(f"{len(text)} characters are no holding: {_EXAMPLE}")
    tokens = []
    for word in text.upper().replace(",", " ").split():
        found = _TOKENS.findall(word)
        if "".join(found) != word:
            raise ValueError(f'"{_short(word)}" is no trump of a holding: {_EXAMPLE}')
        tokens += found
    return tokens


def _short(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
    return shown if len(shown) <= 30 else shown[:29] + "…"
