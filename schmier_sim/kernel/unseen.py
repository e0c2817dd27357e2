"""The cards that a player does not see, drawn given what has been called before him.

A world is dealt like deal ``g + (t << ATTEMPT)`` of its stream, but for the player's own hand: g is its number, and t
counts attempts, for a world whose seats would not have called as they did is dealt again.  So worlds have exactly the
law of the unseen cards given the calls, under the bots' bidding, and all weigh the same.

Rare calls would take many attempts.  A call depends on the hand of its seat (and on its temper and random word) and on
the calls before, never on the other hands.  So hands that make a seat's call are found first, for each seat by itself;
worlds take one of them for each seat, at random, and are dealt again if two have a card in common.  That is the same
law: all hands being equally likely, those that are accepted one by one and then agree are those accepted together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.kernel import block
from schmier_sim.kernel.auction import calls_of
from schmier_sim.kernel.bits import U0, U1, sel, u64
from schmier_sim.kernel.block import BASE, BID, CALLS, CHOSEN, DECLARER, HANDS, ONE, REST, TWO, B
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, draw_tempers
from schmier_sim.kernel.deal import set_aside, six_of
from schmier_sim.kernel.jit import Entry, inline
from schmier_sim.kernel.masks import DECK
from schmier_sim.kernel.rng import HAND_WORD, PICK_WORD, deal_base, draw, start_of, word
from schmier_sim.kernel.teams import N_TEAMS

ATTEMPT = 40
"""Attempt t of world g is dealt like deal ``g + (t << ATTEMPT)``."""
MOST_ATTEMPTS = 1 << 15
_ATTEMPT = u64(ATTEMPT)
_NONE = -1
_SIX = 6
_THREES = np.array([comb(n, 3) for n in range(54)], np.uint64)
#: Once so few of a chunk's items are left, they are given up: what is found does not hang on how long it took.
_GIVE_UP = 256
_STREAM = 0x3C6EF372FE94F82B  # sets the pools' words apart from those of the worlds

Masks = NDArray[np.uint64]
Ints = NDArray[np.int64]


@inline
def _swapped(cards: Any, give: Any, take: Any) -> Any:
    """A set of cards once two cards have changed places (two empty sets: as it was)."""
    both = give | take
    has = cards & both
    return sel((has != U0) & (has != both), cards ^ both, cards)


@Entry
def _find_hands(
    w: Any,
    start: Any,
    first: Any,
    hand: Any,
    give: Any,
    take: Any,
    seat: int,
    high: int,
    holder: int,
    least: int,
    most: int,
    bots: Any,
    tempers: int,
    curves: Any,
    rules: Any,
    budget: int,
    queue: Any,
    found: Any,
) -> int:
    """Deal a seat hands from the unseen cards until they make a call from `least` to `most`; return how many it took.

    Fills `found` [n]; 0 where none was found.
    """
    left = DECK ^ hand
    team = seat % rules[N_TEAMS]
    bot, by = bots[team], curves[team]
    waiting, tried, attempt = found.size, 0, U0
    few = found.size // _GIVE_UP
    for i in range(waiting):
        queue[i] = i
        found[i] = U0
    while waiting > few and tried < budget:
        kept = 0
        for at in range(0, waiting, B):
            here = min(B, waiting - at)
            for b in range(B):
                number = queue[at + min(b, here - 1)]
                w[BASE + b] = deal_base(start, u64(first + number) + (attempt << _ATTEMPT))
                dealt = six_of(word(w[BASE + b], HAND_WORD + u64(seat)), left, _THREES[47], _THREES[44])
                w[HANDS[0] + seat * B + b] = _swapped(dealt, give, take)
                w[BID + b] = u64(high)
                w[DECLARER + b] = u64(holder)
            draw_tempers(w, tempers)
            calls_of(w, seat, bot, HAND_VALUES, by, rules)
            for b in range(here):
                call = int(w[CALLS[0] + seat * B + b])
                number = queue[at + b]
                if least <= call <= most:
                    found[number] = w[HANDS[0] + seat * B + b]
                else:
                    queue[kept] = number
                    kept += 1
        tried += waiting
        waiting = kept
        attempt += U1
    return tried


@Entry
def _deal_worlds(
    w: Any,
    start: Any,
    first: Any,
    hand: Any,
    give: Any,
    take: Any,
    own: int,
    highs: Any,
    holders: Any,
    leasts: Any,
    mosts: Any,
    pools: Any,
    sizes: Any,
    bots: Any,
    tempers: int,
    curves: Any,
    rules: Any,
    budget: int,
    queue: Any,
    attempts: Any,
    rows: Any,
    index: Any,
    picks: Any,
) -> int:
    """Deal worlds that fit the calls before seat `own`; return how many deals it took.

    Of seats with a pool (`sizes` above 0), hands come from there; others, where `leasts` is not below 0, are asked for
    their call.  Fills `index` [n] with the deal that each world is dealt like, -1 where none was found, `rows` [17, n]
    (hands, single cards, pairs, rest) and `picks` [6, n], which hands of the pools they have.
    """
    n_teams = rules[N_TEAMS]
    waiting, tried = index.size, 0
    few = index.size // _GIVE_UP
    for i in range(waiting):
        queue[i] = i
        attempts[i] = 0
        index[i] = _NONE
    while waiting > few and tried < budget:
        kept = 0
        for at in range(0, waiting, B):
            here = min(B, waiting - at)
            for b in range(B):
                number = queue[at + min(b, here - 1)]
                if b < here:
                    tried += _pick(w, b, start, first, pools, sizes, attempts, number)
                else:
                    w[BASE + b] = deal_base(start, u64(first + number))
                    w[CHOSEN + b] = U0
                    for seat in range(_SIX):
                        w[HANDS[0] + seat * B + b] = U0
            left = 47
            for seat in range(_SIX):
                if sizes[seat] > 0:
                    left -= _SIX
            for b in range(B):  # in the natural order of cards: pools hold hands as they are after a swap
                rest = DECK ^ hand
                for seat in range(_SIX):
                    rest &= ~_swapped(w[HANDS[0] + seat * B + b], give, take)
                w[REST + b] = rest
            for seat in range(_SIX):
                if seat != own and sizes[seat] == 0:
                    for b in range(B):
                        dealt = six_of(
                            word(w[BASE + b], HAND_WORD + u64(seat)),
                            w[REST + b],
                            _THREES[left],
                            _THREES[left - 3],
                        )
                        w[REST + b] ^= dealt
                        w[HANDS[0] + seat * B + b] = _swapped(dealt, give, take)
                    left -= _SIX
            set_aside(w)
            for b in range(B):
                w[HANDS[0] + own * B + b] = _swapped(hand, give, take)
                w[REST + b] = _swapped(w[REST + b], give, take)
                for seat in range(5):
                    w[ONE[0] + seat * B + b] = _swapped(w[ONE[0] + seat * B + b], give, take)
                    w[TWO[0] + seat * B + b] = _swapped(w[TWO[0] + seat * B + b], give, take)
            draw_tempers(w, tempers)
            for seat in range(own):
                if sizes[seat] == 0 and leasts[seat] >= 0:
                    for b in range(B):
                        w[BID + b] = u64(highs[seat])
                        w[DECLARER + b] = u64(holders[seat])
                    team = seat % n_teams
                    calls_of(w, seat, bots[team], HAND_VALUES, curves[team], rules)
                    for b in range(B):
                        call = int(w[CALLS[0] + seat * B + b])
                        if call < leasts[seat] or call > mosts[seat]:
                            w[CHOSEN + b] = U0
            for b in range(here):
                number = queue[at + b]
                if w[CHOSEN + b] != U0:
                    index[number] = first + number + (attempts[number] << ATTEMPT)
                    for row in range(6):
                        rows[row, number] = w[HANDS[0] + row * B + b]
                    for row in range(5):
                        rows[6 + row, number] = w[ONE[0] + row * B + b]
                        rows[11 + row, number] = w[TWO[0] + row * B + b]
                    rows[16, number] = w[REST + b]
                    for row in range(6):
                        if sizes[row] > 0:
                            picks[row, number] = draw(
                                word(w[BASE + b], PICK_WORD + u64(row)), u64(sizes[row])
                            )
                else:
                    attempts[number] += 1
                    if attempts[number] < MOST_ATTEMPTS:
                        queue[kept] = number
                        kept += 1
        waiting = kept
    return tried


@inline
def _pick(w: Any, b: int, start: Any, first: Any, pools: Any, sizes: Any, attempts: Any, number: Any) -> int:
    """Give seats their hands from the pools, again until no card comes twice; return how many attempts it took."""
    tried = 0
    fits = False
    while not fits:
        tried += 1
        attempt = attempts[number]
        base = deal_base(start, u64(first + number) + (u64(attempt) << _ATTEMPT))
        w[BASE + b] = base
        used, fits = U0, True
        for seat in range(_SIX):
            held = U0
            if sizes[seat] > 0:
                held = pools[seat, draw(word(base, PICK_WORD + u64(seat)), u64(sizes[seat]))]
                fits = fits and used & held == U0
                used |= held
            w[HANDS[0] + seat * B + b] = held
        if not fits:
            if attempt == MOST_ATTEMPTS - 1:
                break
            attempts[number] = attempt + 1
    w[CHOSEN + b] = sel(fits, U1, U0)
    return tried


@dataclass(frozen=True)
class Condition:
    """What is asked of a seat before the player's: that it calls from `least` to `most` in its state of the auction.

    Parameters
    ----------
    seat : int
        0 to 5.
    high, holder : int
        Highest bid before its call (0 none), and who holds it.
    least, most : int
        Bounds of its call (0 pass).
    """

    seat: int
    high: int
    holder: int
    least: int
    most: int


@dataclass(frozen=True)
class Knowledge:
    """What a player knows, and how the others bid.

    Parameters
    ----------
    seat : int
        His, 0 to 5.
    hand : uint64
        His six cards, natural; before a swap, if there is one.
    conditions : tuple of Condition
        In the order of seats.
    bots : tuple of int
        Codes of the teams' bots.
    tempers : int
    curves : uint16 [3, n]
        What teams of `club` bid by.
    rules : tuple of int
        Packed.
    give, take : uint64
        A card of the hand and an unseen one that change places in every world; 0 for none.
    """

    seat: int
    hand: np.uint64
    conditions: tuple[Condition, ...]
    bots: tuple[int, int, int]
    tempers: int
    curves: NDArray[np.uint16] = field(compare=False)
    rules: tuple[int, ...]
    give: np.uint64 = U0
    take: np.uint64 = U0


@dataclass(frozen=True)
class Pools:
    """Hands that make the calls of seats, for seats whose calls are rare.

    Parameters
    ----------
    hands : uint64 [6, n]
    sizes : int64 [6]
        How many there are for each seat; 0 where it has no pool.
    """

    hands: Masks
    sizes: Ints


ENTRIES = (_find_hands, _deal_worlds)
NO_POOLS = Pools(np.zeros((6, 1), np.uint64), np.zeros(6, np.int64))


@dataclass(frozen=True)
class Worlds:
    """Worlds that fit, in the order of their numbers.

    Parameters
    ----------
    rows : uint64 [17, n]
        Natural masks: hands of seats 0 to 5, single cards and pairs reserved for seats 0 to 4, and the two cards left.
    index : int64 [n]
        The deal of the stream that each is dealt like.
    picks : int64 [6, n]
        Which hand of its pool each seat has; 0 for seats without.
    tried : int
        Deals that it took.
    """

    rows: Masks
    index: Ints
    picks: Ints
    tried: int


def find_hands(
    seed: int, known: Knowledge, condition: Condition, first: int, n: int, budget: int
) -> tuple[Masks, int]:
    """Find hands that make a call, as numbers `first` … ``first + n - 1`` of the seat's stream.

    Returns
    -------
    found : uint64 [up to n]
        Fewer where `budget` deals did not suffice.
    tried : int
    """
    found, queue = np.zeros(n, np.uint64), np.zeros(n, np.int64)
    tried = _find_hands(
        block.new_block(),
        start_of(seed ^ (_STREAM >> condition.seat & 0x7FFF_FFFF_FFFF_FFFF)),
        first,
        known.hand,
        known.give,
        known.take,
        condition.seat,
        condition.high,
        condition.holder,
        condition.least,
        condition.most,
        known.bots,
        known.tempers,
        known.curves,
        known.rules,
        budget,
        queue,
        found,
    )
    return found[found != 0], int(tried)


def deal_worlds(seed: int, known: Knowledge, pools: Pools, first: int, n: int, budget: int) -> Worlds:
    """Deal worlds `first` … ``first + n - 1`` that fit; fewer where `budget` deals did not suffice."""
    by_seat = {condition.seat: condition for condition in known.conditions}

    def of_seats(value: Callable[[Condition], int], none: int) -> tuple[int, ...]:
        return tuple(value(by_seat[seat]) if seat in by_seat else none for seat in range(6))

    rows, index, picks = np.zeros((17, n), np.uint64), np.zeros(n, np.int64), np.zeros((6, n), np.int64)
    tried = _deal_worlds(
        block.new_block(),
        start_of(seed),
        first,
        known.hand,
        known.give,
        known.take,
        known.seat,
        of_seats(lambda condition: condition.high, 0),
        of_seats(lambda condition: condition.holder, 0),
        of_seats(lambda condition: condition.least, _NONE),
        of_seats(lambda condition: condition.most, 6),
        pools.hands,
        pools.sizes,
        known.bots,
        known.tempers,
        known.curves,
        known.rules,
        budget,
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
        rows,
        index,
        picks,
    )
    fits = index != _NONE
    return Worlds(np.ascontiguousarray(rows[:, fits]), index[fits], picks[:, fits], int(tried))


def join(pools: Sequence[tuple[int, Masks]]) -> Pools:
    """Put together the hands found for some seats."""
    most = max((len(found) for _, found in pools), default=1)
    hands, sizes = np.zeros((6, max(most, 1)), np.uint64), np.zeros(6, np.int64)
    for seat, found in pools:
        hands[seat, : len(found)] = found
        sizes[seat] = len(found)
    return Pools(hands, sizes)
