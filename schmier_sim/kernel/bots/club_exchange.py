"""What the bot `club` keeps in the exchange: the plain cards that are worth most together.

A card has a worth by its class and the side, and every suit that is kept costs something.  The numbers stand in the
tables after those for play (`game.club_bot`).  The twin in plain Python is `game.club_bot.ClubBot`.
"""

from typing import Any

from schmier_sim.game.club_bot import KEEP_CLASSES, KEEP_START, SIZE
from schmier_sim.kernel.bits import U0, U1, U2, U3, U4, U5, U6, low, sel, u64
from schmier_sim.kernel.block import DECLARER, HAND, KEEP, KEPT, WORTH, B
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.masks import ACES, COLUMN, JACKS, KINGS, PLAIN, QUEENS, TENS
from schmier_sim.kernel.teams import mates

_SIZE, _KEEP_START, _KEEP_NUMBERS = u64(SIZE), u64(KEEP_START), len(KEEP_CLASSES) + 1
_RAISED = 10_000  # added to what a card is worth, so that nothing is negative
_LOW = PLAIN & ~(ACES | KINGS | QUEENS | JACKS | TENS)


@inline
def keep_plain(w: Any, tables: Any, seat: int, n_teams: int) -> None:
    """Fill KEPT with the plain cards of HAND that the seat keeps, KEEP of them.

    Of every set of suits the best cards, and of these the best together, each suit having its cost.
    """
    own = mates(seat, n_teams)
    first = _KEEP_START
    if tables.size > SIZE:
        first += _SIZE * u64(seat % n_teams)
    if seat == 5:
        first += u64(2 * _KEEP_NUMBERS)
    for b in range(B):
        w[KEPT + b] = U0
        w[WORTH + b] = U0
    for suits in range(1, 8):
        if seat == 5:
            _keep_up_to_six(w, tables, first, u64(suits), own)
        else:
            _keep_up_to_three(w, tables, first, u64(suits), own)


@phase
def _keep_up_to_three(w: Any, tables: Any, first: Any, suits: Any, own: Any) -> None:
    _keep_of(w, tables, first, suits, 3, own)


@phase
def _keep_up_to_six(w: Any, tables: Any, first: Any, suits: Any, own: Any) -> None:
    _keep_of(w, tables, first, suits, 6, own)


@inline
def _keep_of(w: Any, tables: Any, first: Any, suits: Any, most: int, own: Any) -> None:
    among = PLAIN & (COLUMN * (suits & U1) | COLUMN * (suits & U2) | COLUMN * (suits & U4))
    # Of the declaring side, then of the others; all above zero.
    a0, k0, q0, j0, t0, x0, s0 = _worths(tables, first)
    a1, k1, q1, j1, t1, x1, s1 = _worths(tables, first + u64(_KEEP_NUMBERS))
    for b in range(B):
        left = w[HAND + b] & among
        declares = own >> w[DECLARER + b] & U1 != U0
        ace, king, queen = sel(declares, a0, a1), sel(declares, k0, k1), sel(declares, q0, q1)
        jack, ten, low_one = sel(declares, j0, j1), sel(declares, t0, t1), sel(declares, x0, x1)
        wanted = w[KEEP + b]
        kept, worth, short = U0, U0, U0
        for i in range(most):
            best, cards = U0, U0
            best, cards = _better(left & ACES, ace, best, cards)
            best, cards = _better(left & KINGS, king, best, cards)
            best, cards = _better(left & QUEENS, queen, best, cards)
            best, cards = _better(left & JACKS, jack, best, cards)
            best, cards = _better(left & TENS, ten, best, cards)
            best, cards = _better(left & _LOW, low_one, best, cards)
            wants = wanted > u64(i)
            card = sel(wants, low(cards), U0)
            kept |= card
            left ^= card
            worth += sel(wants, best, U0)
            short |= sel(wants, sel(cards == U0, U1, U0), U0)
        number = (
            sel(kept & COLUMN != U0, U1, U0)
            + sel(kept & COLUMN << U1 != U0, U1, U0)
            + sel(kept & COLUMN << U2 != U0, U1, U0)
        )
        cost = sel(declares, s0, s1)
        worth -= sel(number > U0, cost, U0) + sel(number > U1, cost, U0) + sel(number > U2, cost, U0)
        better = (sel(short == U0, worth, U0)) > w[WORTH + b]
        w[KEPT + b] = sel(better, kept, w[KEPT + b])
        w[WORTH + b] = sel(better, worth, w[WORTH + b])


@inline
def _worths(tables: Any, first: Any) -> Any:
    """The numbers of one role, the cards' raised above zero."""
    return (
        u64(tables[first] + _RAISED),
        u64(tables[first + U1] + _RAISED),
        u64(tables[first + U2] + _RAISED),
        u64(tables[first + U3] + _RAISED),
        u64(tables[first + U4] + _RAISED),
        u64(tables[first + U5] + _RAISED),
        u64(tables[first + U6]),
    )


@inline
def _better(cards: Any, worth: Any, best: Any, others: Any) -> Any:
    """The better of two classes of cards, and its worth: the second, unless the first has any and is worth more."""
    more = sel(cards != U0, worth, U0) > best
    return sel(more, worth, best), sel(more, cards, others)
