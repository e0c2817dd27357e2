"""The bot `simple`: a sensible beginner who follows ordered rules.

Each decision is the first rule that applies; of the cards that a rule allows it plays the lowest (lowest rank of any
suit), unless said otherwise.  `docs/bots.md` tells the rules in words, `game.reference_bots` in plain Python.
"""

from typing import Any

from schmier_sim.game.reference_bots import SIMPLE_BIDS, SUIT_VALUE_BASE, SUIT_VALUE_PER_TRUMP, SUIT_VALUES
from schmier_sim.kernel.bits import (
    U0,
    U1,
    U2,
    U3,
    U4,
    U5,
    U6,
    above,
    count,
    drop_low,
    first2,
    first3,
    first4,
    low,
    sel,
    u64,
)
from schmier_sim.kernel.jit import inline
from schmier_sim.kernel.masks import (
    ACE,
    ACES,
    COLUMN,
    DISCARDABLE_TRUMPS,
    JOKER,
    KING,
    KINGS,
    LEFT,
    PLAIN,
    PLAIN_ACES,
    QUEEN,
    RIGHT,
    SMALL,
    TENS,
    TRUMPS,
    TWO,
    highest_trump,
    trumps_up_to,
)

_BASE, _EACH = u64(SUIT_VALUE_BASE), u64(SUIT_VALUE_PER_TRUMP)
_A, _K, _Q, _R, _L, _TEN, _TWO, _JO = (
    u64(SUIT_VALUES[name]) for name in ("A", "K", "Q", "R", "L", "10", "2", "Jo")
)
_T3, _T4, _T5, _T6 = (u64(t) for t in SIMPLE_BIDS)
_NATURAL_SUIT = COLUMN & ~u64(1)  # of a column moved to column 0; bit 0 may be the joker
_HIGH_TRUMPS = ACE | KING | QUEEN
_BAUERS = RIGHT | LEFT
_POINT_CARDS = JOKER | LEFT | RIGHT
_FAT = ACES | KINGS | TENS
_LAST_ROWS = TENS | _BAUERS


@inline
def suit_value(hand: Any, column: int) -> Any:
    """Points that a side can expect with this natural hand and trumps in `column`, in hundredths."""
    own = hand >> u64(column)
    other_jack = (hand >> u64(44 + (column + 2) % 4)) & U1
    joker = hand & U1
    length = count(own & _NATURAL_SUIT) + other_jack + joker
    return (
        _BASE
        + _A * ((own >> u64(56)) & U1)
        + _K * ((own >> u64(52)) & U1)
        + _Q * ((own >> u64(48)) & U1)
        + _R * ((own >> u64(44)) & U1)
        + _L * other_jack
        + _TEN * ((own >> u64(36)) & U1)
        + _TWO * ((own >> u64(4)) & U1)
        + _JO * joker
        + _EACH * length
    )


@inline
def best_suit(hand: Any) -> Any:
    """The suit worth most and its value, as ``4 * value + (3 - column)``; ties go to the first of S H C D."""
    best = suit_value(hand, 0) * U4 + U3
    for_hearts = suit_value(hand, 1) * U4 + U2
    best = sel(for_hearts > best, for_hearts, best)
    for_clubs = suit_value(hand, 2) * U4 + U1
    best = sel(for_clubs > best, for_clubs, best)
    for_diamonds = suit_value(hand, 3) * U4
    return sel(for_diamonds > best, for_diamonds, best)


@inline
def name_suit(hand: Any) -> Any:
    """Column of the suit named."""
    return U3 - (best_suit(hand) & U3)


@inline
def call(hand: Any, minimal: Any, partner_holds: Any, is_dealer: Any, must_bid: Any) -> Any:
    """What the hand is worth, if that is enough and the partner does not hold the bid; the last to call just enough."""
    value = best_suit(hand) >> U2
    level = sel(value >= _T6, U6, sel(value >= _T5, U5, sel(value >= _T4, U4, sel(value >= _T3, U3, U0))))
    level = sel((level < minimal) | partner_holds, U0, sel(is_dealer, minimal, level))
    return sel(must_bid, minimal, level)


@inline
def put_away(hand: Any, declaring: Any) -> Any:
    """Three plain cards: the declaring side's tens and aces last, a defender's tens first and aces last."""
    plain = hand & PLAIN
    tens = plain & TENS
    before = sel(declaring, plain & ~(TENS | ACES), tens)
    then = sel(declaring, tens, plain)
    cards = U0
    for _ in range(3):
        left = plain ^ cards
        cards |= low(first3(before & left, then & left, left))
    return cards


@inline
def keep(hand: Any) -> Any:
    """What the dealer keeps: all trumps, even more than six, then up to six aces, kings, low cards, tens."""
    plain = hand & PLAIN
    kept = hand & TRUMPS
    held = count(kept)
    for i in range(6):
        left = plain & ~kept
        card = low(first4(left & ACES, left & KINGS, left & ~TENS, left))
        kept |= sel(held < U6 - u64(i), card, U0)
    return kept


@inline
def spare_trump(trumps: Any) -> Any:
    """The next trump that a dealer with more than six puts away."""
    return low(trumps & DISCARDABLE_TRUMPS)


@inline
def lead(legal: Any, hand: Any, seen: Any, declaring: Any, low_to_taker: Any) -> Any:
    """The card led by a hand, given the cards of finished tricks."""
    trumps = hand & TRUMPS
    out = TRUMPS & ~(seen | hand)
    reached = trumps_up_to(out)
    tops = trumps & ~reached
    highest_top = highest_trump(tops)
    run = (tops != U0) & (U2 * count(trumps) >= count(out))
    two = sel(low_to_taker, U0, TWO)
    low_plain = legal & PLAIN & ~TENS
    aces = low_plain & ACES
    small = legal & SMALL

    attack = first4(low_plain & ~ACES, small, aces, legal & two)
    attack = sel(run, highest_top, first2(attack, legal & JOKER))
    defence = first4(aces, legal & two, low_plain, small)
    defence = first2(legal & ACE, defence)
    rest = first4(highest_top, legal & _HIGH_TRUMPS, legal & _LAST_ROWS, legal)
    return low(first2(sel(declaring, attack, defence), rest))


@inline
def follow(
    legal: Any,
    hand: Any,
    seen: Any,
    trick: Any,
    led: Any,
    best: Any,
    friend: Any,
    last: Any,
    low_to_taker: Any,
) -> Any:
    """The card played to a trick.

    Parameters
    ----------
    legal, hand : mask
        What may be played, and all that is held.
    seen, trick : mask
        Cards of finished tricks, and of this one so far.
    led : mask
        The suit led.
    best : uint64
        The card that wins so far; `LED_TRUMP` is set too if it is a trump.
    friend : bool
        It is the own side's.
    last : bool
        No opponent plays after this seat.
    low_to_taker : bool
        The 2 of trumps scores for the team that takes it.
    """
    points = _POINT_CARDS | sel(low_to_taker, TWO, U0)
    small = SMALL | sel(low_to_taker, U0, TWO)
    out = TRUMPS & ~(seen | trick | hand)
    tops = hand & TRUMPS & ~trumps_up_to(out)
    none_out = out == U0
    best_trump = best & TRUMPS
    trump_wins = best_trump != U0
    wins = legal & sel(trump_wins, TRUMPS & above(best_trump), TRUMPS | (led & above(best)))
    stake = trick & points != U0
    fat = trick & _FAT
    good = trick & (ACES | KINGS)
    rich = (trick & TENS != U0) | (drop_low(good) != U0) | stake

    # What could still beat the best card (a select of masks: one of conditions would become a branch).
    threats = sel(trump_wins, out & above(best_trump), sel(best & PLAIN_ACES != U0, out, TRUMPS))
    safe = last | (threats == U0)
    sure = sel(last, wins, wins & (tops | sel(none_out, PLAIN_ACES, U0)))

    gifts = legal & ~tops
    with_friend = sel(safe, first2(gifts & points, gifts & TENS), sel(stake, sure, U0))
    closing = first4(
        wins & points,
        wins & TENS,
        wins & PLAIN,
        first2(sel((fat != U0) | stake, wins & small, U0), sel(rich, wins, U0)),
    )
    before_opponents = sel(rich, first2(sure, wins & ~(points | TENS)), wins & PLAIN_ACES)
    against = sel(last, closing, before_opponents)

    junk = first4(legal & PLAIN & ~TENS, legal & small, legal & _HIGH_TRUMPS, first2(legal & TENS, legal))
    return low(first2(sel(friend, with_friend, against), junk))
