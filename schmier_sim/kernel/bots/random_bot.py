"""The bot `random`: every legal choice is equally likely, by addressed random numbers, so that others can check it."""

from typing import Any

from schmier_sim.kernel.bits import U0, U1, U4, U5, U6, count, nth, nth_of_many, sel, u64
from schmier_sim.kernel.jit import inline
from schmier_sim.kernel.masks import DISCARDABLE_TRUMPS, PLAIN, TRUMPS
from schmier_sim.kernel.rng import BID_WORD, EXCHANGE_WORD, PLAY_WORD, SUIT_WORD, draw, word

_PER_SEAT = u64(8)


@inline
def name_suit(base: Any) -> Any:
    """Column of the suit named."""
    return draw(word(base, SUIT_WORD), U4)


@inline
def call(base: Any, seat: Any, minimal: Any, must_bid: Any) -> Any:
    """A pass (0) or any legal bid, `minimal` to 6, with equal chance; no pass if the dealer must bid."""
    bids = u64(7) - minimal
    chosen = draw(word(base, BID_WORD + seat), bids + sel(must_bid, U0, U1))
    return sel(must_bid, minimal + chosen, sel(chosen == U0, U0, minimal + chosen - U1))


@inline
def put_away(base: Any, seat: Any, hand: Any) -> Any:
    """Up to three plain cards of a hand of six, uniformly chosen."""
    left = hand & PLAIN
    cards = U0
    n = count(left)
    for i in range(3):
        index = draw(word(base, EXCHANGE_WORD + _PER_SEAT * seat + u64(i)), sel(n > u64(i), n - u64(i), U0))
        bit = nth(left, index)
        cards |= bit
        left ^= bit
    return cards


@inline
def keep(base: Any, hand: Any) -> Any:
    """What the dealer keeps of all his cards: the trumps, even more than six, and plain cards at random up to six."""
    left = hand & PLAIN
    kept = hand & TRUMPS
    n = count(left)
    held = count(kept)
    for i in range(6):
        index = draw(word(base, EXCHANGE_WORD + _PER_SEAT * U5 + u64(i)), sel(n > u64(i), n - u64(i), U0))
        bit = sel(held < U6 - u64(i), nth_of_many(left, index), U0)
        kept |= bit
        left ^= bit
    return kept


@inline
def spare_trump(base: Any, trumps: Any, i: Any) -> Any:
    """The trump number `i` that a dealer with more than six puts away."""
    free = trumps & DISCARDABLE_TRUMPS
    return nth_of_many(free, draw(word(base, EXCHANGE_WORD + _PER_SEAT * U5 + i), count(free)))


@inline
def play(base: Any, trick: Any, seat: Any, legal: Any) -> Any:
    """Any legal card."""
    return nth(legal, draw(word(base, PLAY_WORD + U6 * trick + seat), count(legal)))
