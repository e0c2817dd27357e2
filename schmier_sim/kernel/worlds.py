"""Hidden cards as a seat may imagine them: worlds that agree with all that its view tells.

During play
    Known are one's own cards and what one put away, the cards played, who showed void in what, and how many cards each
    seat put away.  From the dealing, every world has its exact weight, if all players put away as many plain cards as
    they may, and which ones is open: see `weight_of_hand` and `weight_of_dealer`.  So whoever put away n < 3 cards
    was dealt 6 - n trumps and kept them; and all trumps are in the hands, but for what a dealer has over six.
Before
    Hands as they were dealt, and the reserved cards of the stock (`kernel.deal`), all equally likely given how many
    trumps each seat must have had that has put cards away.  Those then exchange as their policy does.

What others called in the auction is left out of account.

Worlds are drawn from this law exactly.  The weight of a hand depends on its trumps alone, a void forbids whole suits:
so the ways to fill the hands are counted by numbers of cards of each suit (suits that the same seats cannot hold are
one kind), from the last hand to the first; then numbers are drawn hand by hand, and the cards at random.

Where no world fits during play, the players were not as described: then first the dealer is given trumps over six,
then what was put away counts no more, and last nor do voids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.cards import DECK, SUITS, TRUMPS, Card, Suit, mask_of, relative, trump_order
from schmier_sim.game.laws import DEALER, MOST_PUT_AWAY
from schmier_sim.game.view import View
from schmier_sim.kernel.bits import U0, drop_low, low, u64
from schmier_sim.kernel.jit import Entry, inline, phase
from schmier_sim.kernel.masks import COLUMN, DISCARDABLE_TRUMPS
from schmier_sim.kernel.rng import deal_base, draw, word

KINDS = 4
"""Kinds of cards that are told apart: trumps, and up to three of plain suits."""

Masks = NDArray[np.uint64]

_WAYS = np.array([[comb(n, k) for k in range(7)] for n in range(54)], dtype=np.float64)
_UNIT = 2.0**-53
_S11 = u64(11)
_PLAIN_SUITS = tuple(int(COLUMN) << column for column in range(3))
_ALL = relative(mask_of(DECK), "S")
_BITS = {trump: {card: relative(mask_of([card]), trump) for card in DECK} for trump in SUITS}
_NATURAL_TRUMPS = {trump: mask_of(trump_order(trump)) for trump in SUITS}


@cache
def weight_of_hand(trumps: int, away: int) -> float:
    """Relative weight of the six cards that one of the seats 1 to 5 plays.

    Of fewer than three put away, the dealt cards kept are trumps, any of those held now. Of three, any three cards may
    be those kept: if p of them are plain, the three that went were one of C(3 + p, 3) choices.

    Parameters
    ----------
    trumps : int
        Trumps among the six, 0..6.
    away : int
        Cards that the seat put away, 0..3.
    """
    if away < MOST_PUT_AWAY:
        return float(comb(trumps, 6 - away))
    plain = 6 - trumps
    return sum(comb(trumps, 3 - p) * comb(plain, p) / comb(3 + p, 3) for p in range(4))


@cache
def weight_of_dealer(trumps: int, away: int, excess: int = 0) -> float:
    """Relative weight of the six cards that the dealer plays: he keeps the trumps, and of the plain cards any.

    Parameters
    ----------
    trumps : int
        Trumps among the six, 0..6.
    away : int
        Cards that the dealer put away.
    excess : int
        Trumps among those.
    """
    if excess:
        return float(trumps == 6)
    return 1 / comb(6 + away - trumps, away)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Hidden cards, and the places where they may lie.

    Parameters
    ----------
    kinds : sequence of int
        Masks of the hidden cards by kind, trumps first; at most `KINDS`.
    hands : sequence of (size, kinds, weights)
        Hands to fill: how many cards (at most six), bits of the kinds that they may be of, and the weight of 0, 1, … 6
        trumps among them.
    piles : sequence of int
        Sizes of the places that take the cards left over, each with the same chance.
    may_hold_trumps : bool
        Whether trumps may be left over.
    """

    kinds: Sequence[int]
    hands: Sequence[tuple[int, int, Sequence[float]]]
    piles: Sequence[int]
    may_hold_trumps: bool

    def sample(self, n: int, start: np.uint64) -> tuple[Masks, Masks] | None:
        """Draw worlds.

        Parameters
        ----------
        n : int
            How many.
        start : uint64
            Where their random words start: world i has those of deal i of that sequence.

        Returns
        -------
        hands : uint64 [hands, n]
        piles : uint64 [piles, n]
            Masks of cards. None if the cards fit in no way.
        """
        masks = [*self.kinds, *[0] * (KINDS - len(self.kinds))]
        numbers = np.array([mask.bit_count() for mask in masks], dtype=np.int64)
        hands = np.zeros((len(self.hands), n), dtype=np.uint64)
        piles = np.zeros((len(self.piles), n), dtype=np.uint64)
        law = (
            numbers,
            np.array([size for size, _, _ in self.hands], dtype=np.int64),
            np.array([kinds for _, kinds, _ in self.hands], dtype=np.int64),
            np.array([weights for _, _, weights in self.hands], dtype=np.float64).reshape(-1, 7),
            np.zeros((len(self.hands) + 1) * int(np.prod(numbers[:3] + 1)), dtype=np.float64),
        )
        found = _sample(
            np.array(masks, dtype=np.uint64),
            law,
            np.array(self.piles, dtype=np.int64),
            self.may_hold_trumps,
            np.zeros(2 * len(DECK), dtype=np.uint64),
            start,
            hands,
            piles,
        )
        return (hands, piles) if found else None


def cards_to_mask(cards: Sequence[Card], trump: Suit) -> int:
    """Trump-relative mask of some cards."""
    bits = _BITS[trump]
    mask = 0
    for card in cards:
        mask |= bits[card]
    return mask


def cards_played(view: View) -> list[int]:
    """Trump-relative masks of the cards that the seats 1..6 have played."""
    bits = _BITS[view.trumps_named]
    played = [0] * 6
    for leader, cards in tricks_of(view):
        for place, card in enumerate(cards):
            played[(leader + place - 1) % 6] |= bits[card]
    return played


def tricks_of(view: View) -> list[tuple[int, tuple[Card, ...]]]:
    """Leaders and cards of the finished tricks and of the one that is on."""
    tricks = [(leader, cards) for leader, cards, _ in view.tricks]
    if view.leader is not None and view.trick:
        tricks.append((view.leader, view.trick))
    return tricks


def voids_shown(view: View, *, finished: bool = False) -> list[int]:
    """Masks of the suits in which the seats 1..6 have shown void, trump-relative.

    Who does not follow has shown it; but where one may trump at any time, a trump shows nothing. Who must lead trumps
    first and does not has none. `finished`: leave out the trick that is on, and that lead.
    """
    bits, rules = _BITS[view.trumps_named], view.rules
    voids = [0] * 6
    tricks = [(leader, cards) for leader, cards, _ in view.tricks] if finished else tricks_of(view)
    for number, (leader, cards) in enumerate(tricks):
        led = suit_of_card(bits[cards[0]])
        if number == 0 and rules.first_lead == "trump" and led != TRUMPS and not finished:
            voids[leader - 1] |= TRUMPS
        shows_nothing = led | (TRUMPS if rules.trump_anytime else 0)
        for place, card in enumerate(cards):
            if not bits[card] & shows_nothing:
                voids[(leader + place - 1) % 6] |= led
    return voids


def worlds_in_play(view: View, n: int, start: np.uint64) -> tuple[Masks, Masks]:
    """Draw what the seats may hold during play, and what they may have put away.

    Parameters
    ----------
    view : View
        Of a seat that is to play.
    n : int
        How many worlds.
    start : uint64
        Where their random words start.

    Returns
    -------
    hands, away : uint64 [6, n]
        Trump-relative masks by seat; one's own are the same in all worlds.
    """
    own = view.seat - 1
    trump = view.trumps_named
    hands, away = np.zeros((6, n), dtype=np.uint64), np.zeros((6, n), dtype=np.uint64)
    hand, discards = cards_to_mask(view.hand, trump), cards_to_mask(view.discards, trump)
    hands[own], away[own] = u64(hand), u64(discards)
    others = [seat for seat in range(6) if seat != own]
    for hidden, dealer_trumps in _in_play(view, hand | discards):
        drawn = hidden.sample(n, start)
        if drawn is not None:
            hands[others], away[others] = drawn
            away[DEALER - 1] |= u64(dealer_trumps)
            return hands, away
    raise ValueError(f"the cards of the others do not fit in what seat {view.seat} sees")


def _in_play(view: View, own_cards: int) -> Any:
    """Yield what may be hidden, the likeliest first, and the trumps that the dealer has put away."""
    played, voids = cards_played(view), voids_shown(view)
    unseen = _ALL & ~own_cards
    for cards in played:
        unseen &= ~cards
    counts = view.exchanged
    others = [seat for seat in range(6) if seat != view.seat - 1]
    sizes = [6 - played[seat].bit_count() for seat in others]
    kinds, may = _kinds(unseen, [voids[seat] for seat in others])

    def hidden(
        weights: list[list[float]], gone: int, may: list[int] = may, *, may_hold_trumps: bool = False
    ) -> Hidden:
        piles = [counts[seat] - (gone.bit_count() if seat == DEALER - 1 else 0) for seat in others]
        hands = list(zip(sizes, may, weights, strict=True))
        return Hidden([kinds[0] & ~gone, *kinds[1:]], hands, piles, may_hold_trumps)

    def weights(excess: int) -> list[list[float]]:
        return [
            [
                0.0 if held > 6
                else weight_of_hand(held, counts[seat]) if seat != DEALER - 1
                else weight_of_dealer(held, counts[seat], excess)
                for held in range(had, had + 7)
            ]
            for seat in others
            for had in ((played[seat] & TRUMPS).bit_count(),)
        ]  # fmt: skip

    yield hidden(weights(0), 0), 0
    spare, gone = unseen & int(DISCARDABLE_TRUMPS), 0
    while view.seat != DEALER and spare and gone.bit_count() < counts[DEALER - 1]:
        gone |= spare & -spare
        spare &= spare - 1
        yield hidden(weights(gone.bit_count()), gone), gone
    alike = [[1.0] * 7] * 5
    yield hidden(alike, 0), 0
    yield hidden(alike, 0, may_hold_trumps=True), 0
    yield hidden(alike, 0, [-1] * 5, may_hold_trumps=True), 0


def _kinds(unseen: int, voids: Sequence[int]) -> tuple[list[int], list[int]]:
    """Masks of the cards by kind, and for each seat the bits of the kinds that it may hold."""
    lacking: dict[tuple[bool, ...], int] = {}
    for suit in _PLAIN_SUITS:
        pattern = tuple(void & suit != 0 for void in voids)
        lacking[pattern] = lacking.get(pattern, 0) | (unseen & suit)
    # The largest kind comes last: its number follows from the others', and the table has no axis for it.
    plain = sorted(lacking.items(), key=lambda item: item[1].bit_count())
    plain = [((False,) * len(voids), 0)] * (KINDS - 1 - len(plain)) + plain
    lacks = [tuple(void & TRUMPS != 0 for void in voids), *(pattern for pattern, _ in plain)]
    may = [sum(1 << kind for kind in range(KINDS) if not lacks[kind][seat]) for seat in range(len(voids))]
    return [unseen & TRUMPS, *(cards for _, cards in plain)], may


@dataclass(frozen=True, slots=True)
class DealtWorlds:
    """Worlds before the exchange, in natural masks; what a seat does not draw is left to the dealer.

    Parameters
    ----------
    hands : uint64 [6, n]
        By seat; the dealer's own with what was left of the stock, if he has taken it.
    one, two : uint64 [5, n]
        The reserved card and the reserved pair of seats 1..5; none where the dealer has taken it.
    rest : uint64 [n]
        Two more cards of the stock; none once the dealer has taken them.
    """

    hands: Masks
    one: Masks
    two: Masks
    rest: Masks


def worlds_dealt(view: View, n: int, start: np.uint64) -> DealtWorlds:
    """Draw what may have been dealt, for one who names trumps or exchanges.

    Parameters
    ----------
    view : View
        Of a seat that names trumps or puts cards away.
    n : int
        How many worlds.
    start : uint64
        Where their random words start.

    Raises
    ------
    ValueError
        The others cannot have put away as many plain cards as they may.
    """
    own = view.seat - 1
    hand = mask_of(view.hand)
    counts = view.exchanged
    taken = len(counts) == DEALER - 1
    done = list(range(len(counts)))
    hidden = mask_of(DECK) & ~hand
    trumps = 0 if view.trump is None else _NATURAL_TRUMPS[view.trump]
    kinds = [hidden & trumps, 0, 0, hidden & ~trumps]
    fits = [[float(_may_put_away(t, counts[seat])) for t in range(7)] for seat in done]
    later = [seat for seat in range(6) if seat not in done and seat != own]
    # Of a dealer who has taken what is left, the others' reserves hold only what they drew.
    one = [counts[seat] & 1 if taken else 1 for seat in range(5)]
    two = [2 * (counts[seat] >= 2) if taken else 2 for seat in range(5)]
    piles = [*[6] * len(later), *one, *two, 0 if taken else 2]

    drawn = Hidden(kinds, [(6, -1, weights) for weights in fits], piles, True).sample(n, start)
    if drawn is None:
        raise ValueError(f"seat {view.seat}: the others put away {counts}, which is not as many as they may")
    hands = np.full((6, n), u64(hand), dtype=np.uint64)
    hands[done], hands[later] = drawn[0], drawn[1][: len(later)]
    stock = drawn[1][len(later) :]
    return DealtWorlds(hands, stock[:5], stock[5:10], stock[10])


def _may_put_away(trumps: int, away: int) -> bool:
    """Whether one who was dealt so many trumps puts away so many cards."""
    return min(MOST_PUT_AWAY, 6 - trumps) == away


def suit_of_card(card: int) -> int:
    """Mask of the suit of one card, trump-relative."""
    return TRUMPS if card & TRUMPS else next(suit for suit in _PLAIN_SUITS if card & suit)


@Entry
def _sample(
    kinds: Any, law: Any, piles_of: Any, may_hold_trumps: bool, cards: Any, start: Any, hands: Any, piles: Any
) -> bool:
    """Fill hands and piles of all worlds; false if there is none.

    `law` is (numbers of cards by kind, sizes of the hands, the kinds that they may be of, weights [hands, 7], room for
    the table of ways), `piles_of` the sizes of the piles, `cards` room for twice the cards.
    """
    _count_ways(law, may_hold_trumps)
    numbers, ways = law[0], law[4]
    if not ways[_state(numbers, 0, numbers[0], numbers[1], numbers[2])] > 0.0:
        return False
    for i in range(hands.shape[1]):
        _draw_world(kinds, law, piles_of, cards, deal_base(start, u64(i)), hands[:, i], piles[:, i])
    return True


@inline
def _state(numbers: Any, hand: Any, n0: Any, n1: Any, n2: Any) -> Any:
    """Place in the table for what is left, by kind, before a hand is filled; what is left of the last kind follows."""
    return ((hand * (numbers[0] + 1) + n0) * (numbers[1] + 1) + n1) * (numbers[2] + 1) + n2


@inline
def _most(may: Any, kind: int, size: Any, left: Any) -> Any:
    """How many cards of a kind a hand can take."""
    return min(size, left) if may >> kind & 1 else 0


@phase
def _count_ways(law: Any, may_hold_trumps: bool) -> None:
    """Fill the table: the weighted number of ways to fill the hands from each one on."""
    numbers, sizes, ways = law[0], law[1], law[4]
    total = numbers[0] + numbers[1] + numbers[2] + numbers[3]
    dealt = 0
    for hand in range(sizes.size):
        dealt += sizes[hand]
    for hand in range(sizes.size, -1, -1):
        if hand < sizes.size:
            dealt -= sizes[hand]
        for n0 in range(max(0, numbers[0] - dealt), numbers[0] + 1):
            for n1 in range(max(0, numbers[1] - dealt), numbers[1] + 1):
                for n2 in range(max(0, numbers[2] - dealt), numbers[2] + 1):
                    n3 = total - dealt - n0 - n1 - n2
                    if n3 < 0 or n3 > numbers[3]:
                        continue
                    if hand == sizes.size:
                        found = 1.0 if may_hold_trumps or n0 == 0 else 0.0
                    else:
                        found, _ = _fill(law, hand, n0, n1, n2, n3, np.inf)
                    ways[_state(numbers, hand, n0, n1, n2)] = found


@phase
def _fill(law: Any, hand: Any, n0: Any, n1: Any, n2: Any, n3: Any, goal: float) -> Any:
    """Add up the ways to fill a hand, and all after it, by the hand's numbers of cards, until they pass a goal.

    Returns the sum, and the numbers at which it stopped, packed as digits to base 8.
    """
    numbers, sizes, may, weights, ways = law
    size, kinds = sizes[hand], may[hand]
    most1, most2, most3 = _most(kinds, 1, size, n1), _most(kinds, 2, size, n2), _most(kinds, 3, size, n3)
    found = 0.0
    last = 0
    for a0 in range(_most(kinds, 0, size, n0) + 1):
        weight = weights[hand, a0] * _WAYS[n0, a0]
        if weight == 0.0:
            continue
        for a1 in range(most1 + 1):
            for a2 in range(most2 + 1):
                a3 = size - a0 - a1 - a2
                if a3 < 0 or a3 > most3:
                    continue
                then = ways[_state(numbers, hand + 1, n0 - a0, n1 - a1, n2 - a2)]
                if then > 0.0:
                    found += weight * _WAYS[n1, a1] * _WAYS[n2, a2] * _WAYS[n3, a3] * then
                    last = a0 + 8 * a1 + 64 * a2 + 512 * a3
                    if found > goal:
                        return found, last
    return found, last  # rounding may leave the sum a little below the goal


@phase
def _draw_world(kinds: Any, law: Any, piles_of: Any, cards: Any, base: Any, hands: Any, piles: Any) -> None:
    """Draw a world: shuffle each kind, deal from its front by numbers drawn, shuffle what is left into piles."""
    numbers, sizes, ways = law[0], law[1], law[4]
    address = 0
    end = 0
    for kind in range(KINDS):
        first = end
        mask = kinds[kind]
        while mask != U0:
            cards[end] = low(mask)
            mask = drop_low(mask)
            end += 1
        _shuffle(cards, first, end, base, address)
        address += end - first
    at0, at1, at2 = 0, numbers[0], numbers[0] + numbers[1]
    at3 = at2 + numbers[2]
    end0, end1, end2, end3 = at1, at2, at3, end
    for hand in range(sizes.size):
        n0, n1, n2, n3 = end0 - at0, end1 - at1, end2 - at2, end3 - at3
        unit = np.float64(word(base, u64(address)) >> _S11) * _UNIT
        address += 1
        _, packed = _fill(law, hand, n0, n1, n2, n3, unit * ways[_state(numbers, hand, n0, n1, n2)])
        a0, a1, a2, a3 = packed & 7, packed >> 3 & 7, packed >> 6 & 7, packed >> 9
        hands[hand] = (
            _sum(cards, at0, a0) | _sum(cards, at1, a1) | _sum(cards, at2, a2) | _sum(cards, at3, a3)
        )
        at0, at1, at2, at3 = at0 + a0, at1 + a1, at2 + a2, at3 + a3
    left = _copy(cards, at0, end0, end)
    left = _copy(cards, at1, end1, left)
    left = _copy(cards, at2, end2, left)
    left = _copy(cards, at3, end3, left)
    _shuffle(cards, end, left, base, address)
    for pile in range(piles_of.size):
        piles[pile] = _sum(cards, end, piles_of[pile])
        end += piles_of[pile]


@inline
def _shuffle(cards: Any, first: Any, end: Any, base: Any, address: Any) -> None:
    for at in range(first, end - 1):
        other = at + np.int64(draw(word(base, u64(address + at - first)), u64(end - at)))
        cards[at], cards[other] = cards[other], cards[at]


@inline
def _sum(cards: Any, first: Any, n: Any) -> Any:
    mask = U0
    for at in range(first, first + n):
        mask |= cards[at]
    return mask


@inline
def _copy(cards: Any, first: Any, end: Any, to: Any) -> Any:
    for at in range(first, end):
        cards[to] = cards[at]
        to += 1
    return to
