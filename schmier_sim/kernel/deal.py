"""Dealing: six hands and the stock straight into masks, from seven random words a deal.

A set of up to three cards is one number: the index of a subset in colexicographic order.  The first C(n, m) entries of
the table of m-subsets are those of {0 … n-1}, so one table serves every number of cards that are left, and depositing
the subset's bits among the cards left (the processor's ``pdep``) gives the cards.

The stock is not a queue.  Each of the five seats that draw has three cards reserved, one and two; what a seat does not
draw goes to the dealer.  By exchangeability this has exactly the law of drawing in turn, and what one seat draws never
depends on another's choice.
"""

from math import comb
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from schmier_sim.game import cards
from schmier_sim.game.holdings import HOLDINGS, NAMED
from schmier_sim.kernel.bits import U0, U1, U3, U5, U6, count, low, nth3, nth_of_many, sel, u64
from schmier_sim.kernel.block import BASE, DECLARER, ONE, REST, SEAT, TRUMP, TWO, B
from schmier_sim.kernel.jit import DISABLED, has_fast_pdep, inline, phase
from schmier_sim.kernel.masks import DECK
from schmier_sim.kernel.rng import HAND_WORD, HOLDING_WORD, RESERVE_WORD, chain, deal_base, word


def _subsets(n: int, sizes: range) -> list[int]:
    """Masks of the subsets of {0 … n-1}, size by size, colexicographic within a size."""
    return [mask for m in sizes for mask in _subsets_of(n, m)]


def _subsets_of(n: int, m: int) -> list[int]:
    """Masks of `m` of the numbers below `n`, ascending: each subset of one less, with a larger number added."""
    masks = np.zeros(1, np.int64)
    for _ in range(m):
        added = np.int64(1) << np.arange(n)
        both = masks[:, np.newaxis] | added
        masks = np.sort(both[added > masks[:, np.newaxis]])
    return [int(mask) for mask in masks]


def _choose3(n: int) -> np.uint64:
    return u64(comb(n, 3))


def _named_mask(held: int) -> int:
    """Natural mask of the named trumps of a holding, spades being trumps."""
    spoken = {"R": "JS", "L": "JC", "Jo": cards.JOKER}
    return cards.mask_of(spoken.get(name, name + "S") for name, value in NAMED if held & value)


# Subsets of up to three of the 53 cards; those of m cards start at FROM[m].
SUBSETS = np.array(_subsets(53, range(4)), dtype=np.uint64)
FROM = np.array([0, 1, 54, 54 + comb(53, 2)], dtype=np.uint64)
FROM3 = u64(FROM[3])
# Natural masks of the sets of small spades 3 … 9; those of m cards start at SMALL_FROM[m].
SMALL_HANDS = np.array(
    [
        sum(1 << cards.bit(f"{rank + 3}S") for rank in range(7) if mask >> rank & 1)
        for mask in _subsets(7, range(8))
    ],
    dtype=np.uint64,
)
SMALL_FROM = np.array([sum(comb(7, j) for j in range(m)) for m in range(8)], dtype=np.uint64)

# By class of trump holdings, spades being trumps: the named cards, and how many cards of which kind to add.
CLASSES = u64(len(HOLDINGS))
CLASS_NAMED = np.array([_named_mask(h.held) for h in HOLDINGS], dtype=np.uint64)
CLASS_SMALL = np.array([h.small for h in HOLDINGS], dtype=np.uint64)
CLASS_PLAIN = np.array([6 - h.trumps for h in HOLDINGS], dtype=np.uint64)
BINOMIAL = np.array([[comb(n, k) for k in range(8)] for n in range(54)], dtype=np.uint64)
NOT_SPADES = u64(cards.mask_of([c for c in cards.DECK if c not in cards.trump_order("S")]))

_U38 = u64(38)
_HAND_BOUNDS = tuple((_choose3(53 - 6 * h), _choose3(50 - 6 * h)) for h in range(6))
_B = u64(B)
_RESERVE_BOUNDS = tuple(_choose3(17 - 3 * s) for s in range(5))


@inline
def _deposit_slowly(x: Any, mask: Any) -> Any:
    """`deposit` without the processor's help; at most three bits of `x` are set."""
    out = U0
    for _ in range(3):
        bit = low(x)
        x ^= bit
        out |= sel(bit != U0, nth_of_many(mask, count(bit - U1)), U0)
    return out


deposit: Any = _deposit_slowly
if not DISABLED:

    @intrinsic
    def _pdep(typingctx: Any, x: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word64 = ir.IntType(64)
            name = "llvm.x86.bmi.pdep.64"
            function = builder.module.declare_intrinsic(name, (), ir.FunctionType(word64, [word64, word64]))
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), codegen

    if has_fast_pdep():
        deposit = _pdep


@inline
def six_of(w: Any, left: Any, bound1: Any, bound2: Any) -> Any:
    """Six of the cards left, from one random word."""
    index, w = chain(w, bound1)
    first = deposit(SUBSETS[FROM3 + index], left)
    index, w = chain(w, bound2)
    return first | deposit(SUBSETS[FROM3 + index], left ^ first)


@inline
def _hand_of_class(w: Any, number: Any) -> Any:
    """Six cards of a class of trump holdings (spades), small trumps and plain cards at random."""
    small, plain = CLASS_SMALL[number], CLASS_PLAIN[number]
    index, w = chain(w, BINOMIAL[7, small])
    hand = CLASS_NAMED[number] | SMALL_HANDS[SMALL_FROM[small] + index]
    size = sel(plain > U3, U3, plain)
    index, w = chain(w, BINOMIAL[_U38, size])
    cards_ = deposit(SUBSETS[FROM[size] + index], NOT_SPADES)
    rest = plain - size
    index, w = chain(w, BINOMIAL[_U38 - size, rest])
    return hand | cards_ | deposit(SUBSETS[FROM[rest] + index], NOT_SPADES ^ cards_)


@phase
def deal(w: Any, start: Any, first: Any, stratified: bool) -> None:
    """Deal deals ``first … first + B - 1`` into a block, in the natural layout.

    Fills HANDS, ONE, TWO, REST, BASE, DECLARER (seat ``i % 6``) and TRUMP (spades, until others are named). In
    stratified dealing the declarer gets a hand of class ``i // 6 % 769``, the others' hands go to the seats after him.
    """
    for b in range(B):
        index = first + u64(b)
        w[BASE + b] = deal_base(start, index)
        w[DECLARER + b] = index % U6
        w[TRUMP + b] = U0
        w[SEAT + b] = sel(stratified, index % U6, U0)
    # One hand of all deals after the other: within a deal each waits for the last, between deals none does.
    for b in range(B):
        if stratified:
            number = (first + u64(b)) // U6 % CLASSES
            hand = _hand_of_class(word(w[BASE + b], HOLDING_WORD), number)
        else:
            hand = six_of(word(w[BASE + b], HAND_WORD), DECK, _HAND_BOUNDS[0][0], _HAND_BOUNDS[0][1])
        w[w[SEAT + b] * _B + u64(b)] = hand
        w[REST + b] = DECK ^ hand
    _deal_hand(w, 1, _HAND_BOUNDS[1][0], _HAND_BOUNDS[1][1])
    _deal_hand(w, 2, _HAND_BOUNDS[2][0], _HAND_BOUNDS[2][1])
    _deal_hand(w, 3, _HAND_BOUNDS[3][0], _HAND_BOUNDS[3][1])
    _deal_hand(w, 4, _HAND_BOUNDS[4][0], _HAND_BOUNDS[4][1])
    _deal_hand(w, 5, _HAND_BOUNDS[5][0], _HAND_BOUNDS[5][1])
    set_aside(w)


@inline
def _deal_hand(w: Any, number: int, bound1: Any, bound2: Any) -> None:
    """Deal hand `number` of each deal to the next seat."""
    for b in range(B):
        left = w[REST + b]
        hand = six_of(word(w[BASE + b], HAND_WORD + u64(number)), left, bound1, bound2)
        seat = w[SEAT + b]
        seat = sel(seat == U5, U0, seat + U1)
        w[SEAT + b] = seat
        w[seat * _B + u64(b)] = hand
        w[REST + b] = left ^ hand


@inline
def set_aside(w: Any) -> None:
    """Reserve the stock cards of seats 0 to 4, once the hands are dealt: fill ONE and TWO, leave two cards in REST."""
    _draw_reserve(w)
    for seat in range(5):
        _reserve(w, seat * B)


@inline
def _draw_reserve(w: Any) -> None:
    """Draw, for each seat, the number of its three reserved cards (into ONE) and which is the single one (into TWO)."""
    for b in range(B):
        a = word(w[BASE + b], RESERVE_WORD)
        w[ONE[0] + b], a = chain(a, _RESERVE_BOUNDS[0])
        w[ONE[1] + b], a = chain(a, _RESERVE_BOUNDS[1])
        w[ONE[2] + b], a = chain(a, _RESERVE_BOUNDS[2])
        w[ONE[3] + b], a = chain(a, _RESERVE_BOUNDS[3])
        w[ONE[4] + b], a = chain(a, _RESERVE_BOUNDS[4])
        w[TWO[0] + b], a = chain(a, U3)
        w[TWO[1] + b], a = chain(a, U3)
        w[TWO[2] + b], a = chain(a, U3)
        w[TWO[3] + b], a = chain(a, U3)
        w[TWO[4] + b], a = chain(a, U3)


@inline
def _reserve(w: Any, row: int) -> None:
    """Reserve a seat's three stock cards, one and two."""
    for b in range(B):
        left = w[REST + b]
        three = deposit(SUBSETS[FROM3 + w[ONE[0] + row + b]], left)
        one = nth3(three, w[TWO[0] + row + b])
        w[ONE[0] + row + b] = one
        w[TWO[0] + row + b] = three ^ one
        w[REST + b] = left ^ three
