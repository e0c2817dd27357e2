"""Turning all hands to trumps and the exchange, a block at a time."""

from typing import Any

from schmier_sim.kernel.auction import of_seat
from schmier_sim.kernel.bits import U0, U1, U2, U3, U6, count, sel, u64
from schmier_sim.kernel.block import (
    AWAY,
    BASE,
    DEALT,
    DECLARER,
    DRAWN,
    HAND,
    HANDS,
    HELD_BY,
    KEEP,
    KEPT,
    ONE,
    REST,
    SHIFT,
    TRUMP,
    TWO,
    WRAPPED,
    B,
)
from schmier_sim.kernel.bots import CLUB, RANDOM, club_exchange, random_bot, simple_bot
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.masks import PLAIN, TRUMPS, relative, wrapped_columns
from schmier_sim.kernel.teams import N_TEAMS, is_in, mates


@phase
def turn_to_trumps(w: Any) -> None:
    """Make the hands trump-relative; fills SHIFT, WRAPPED and DEALT too."""
    for b in range(B):
        shift = U3 - w[TRUMP + b]
        wrapped = wrapped_columns(shift)
        w[SHIFT + b] = shift
        w[WRAPPED + b] = wrapped
        for seat in range(6):
            w[HANDS[0] + seat * B + b] = relative(w[HANDS[0] + seat * B + b], shift, wrapped)
        w[DEALT + b] = of_seat(w, b, w[DECLARER + b])


@phase
def exchange(w: Any, tables: Any, bots: Any, rules: Any) -> None:
    """Seats 0 to 4 put away and draw, the dealer takes what is left and keeps six. Fills AWAY, DRAWN, HELD_BY."""
    n_teams = rules[N_TEAMS]
    for seat in range(5):
        bot = bots[seat % n_teams]
        if bot == CLUB:
            _club_puts_away(w, tables, seat, n_teams)
        else:
            _put_away(w, seat, bot, n_teams)
    dealer = bots[5 % n_teams]
    if dealer == CLUB:
        _club_dealer_keeps(w, tables, n_teams)
    else:
        _dealer_keeps(w, dealer)
    _dealer_sheds_trumps(w, dealer)
    for team in range(3):
        for b in range(B):
            w[HELD_BY[0] + team * B + b] = U0
    for seat in range(6):
        held0 = HELD_BY[0] + seat % n_teams * B
        for b in range(B):
            w[held0 + b] |= w[HANDS[0] + seat * B + b]


@phase
def _club_puts_away(w: Any, tables: Any, seat: int, n_teams: int) -> None:
    row = HANDS[0] + seat * B
    for b in range(B):
        w[HAND + b] = w[row + b]
    for b in range(B):
        n = count(w[HAND + b] & PLAIN)
        w[KEEP + b] = sel(n > U3, n - U3, U0)
    club_exchange.keep_plain(w, tables, seat, n_teams)
    for b in range(B):
        _draw(w, b, seat, w[HAND + b] & PLAIN & ~w[KEPT + b])


@phase
def _club_dealer_keeps(w: Any, tables: Any, n_teams: int) -> None:
    for b in range(B):
        cards = w[HANDS[5] + b] | relative(w[REST + b], w[SHIFT + b], w[WRAPPED + b])
        trumps = count(cards & TRUMPS)
        w[HAND + b] = cards
        w[KEEP + b] = sel(trumps < U6, U6 - trumps, U0)
    club_exchange.keep_plain(w, tables, 5, n_teams)
    for b in range(B):
        cards = w[HAND + b]
        kept = (cards & TRUMPS) | w[KEPT + b]
        w[DRAWN[5] + b] = cards ^ w[HANDS[5] + b]
        w[AWAY[5] + b] = cards ^ kept
        w[HANDS[5] + b] = kept


@inline
def _put_away(w: Any, seat: int, bot: int, n_teams: int) -> None:
    """As `random` or `simple`."""
    own = mates(seat, n_teams)
    row = seat * B
    for b in range(B):
        hand = w[HANDS[0] + row + b]
        if bot == RANDOM:
            away = random_bot.put_away(w[BASE + b], u64(seat), hand)
        else:
            away = simple_bot.put_away(hand, is_in(own, w[DECLARER + b]))
        _draw(w, b, seat, away)


@inline
def _draw(w: Any, b: Any, seat: int, away: Any) -> None:
    """A seat puts cards away and draws as many."""
    row = seat * B
    n = count(away)
    one, two = w[ONE[0] + row + b], w[TWO[0] + row + b]
    drawn = sel(n & U1 != U0, one, U0) | sel(n >= U2, two, U0)
    w[REST + b] |= (one | two) ^ drawn
    drawn = relative(drawn, w[SHIFT + b], w[WRAPPED + b])
    w[AWAY[0] + row + b] = away
    w[DRAWN[0] + row + b] = drawn
    w[HANDS[0] + row + b] = (w[HANDS[0] + row + b] ^ away) | drawn


@inline
def _dealer_keeps(w: Any, bot: int) -> None:
    for b in range(B):
        drawn = relative(w[REST + b], w[SHIFT + b], w[WRAPPED + b])
        cards = w[HANDS[5] + b] | drawn
        kept = random_bot.keep(w[BASE + b], cards) if bot == RANDOM else simple_bot.keep(cards)
        w[HANDS[5] + b] = kept
        w[DRAWN[5] + b] = drawn
        w[AWAY[5] + b] = cards ^ kept


@inline
def _dealer_sheds_trumps(w: Any, bot: int) -> None:
    """The rare dealer with more than six trumps puts some away."""
    for b in range(B):
        i = U0
        while count(w[HANDS[5] + b] & TRUMPS) > U6:
            trumps = w[HANDS[5] + b]
            card = (
                random_bot.spare_trump(w[BASE + b], trumps, i)
                if bot == RANDOM
                else simple_bot.spare_trump(trumps)
            )
            w[HANDS[5] + b] ^= card
            w[AWAY[5] + b] |= card
            i += U1
