"""Six tricks, a block at a time. Hands stand by place after the leader, so that a place's turn is known in advance."""

from typing import Any

from schmier_sim.kernel.bits import U0, U1, U2, U4, U5, U6, sel, u64
from schmier_sim.kernel.block import (
    BASE,
    BEST,
    CARDS,
    DECLARER,
    HANDS,
    LEADER,
    LED,
    PLACE,
    SEEN,
    TAKEN,
    TRICK,
    WINNER,
    B,
)
from schmier_sim.kernel.bots import RANDOM, random_bot, simple_bot
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.masks import LED_TRUMP, TRUMPS, suit_of
from schmier_sim.kernel.teams import (
    FIRST_LEAD_TRUMP,
    LOW_TO_TAKER,
    N_TEAMS,
    TRUMP_ANYTIME,
    is_in,
    mates,
    team_of,
)


@phase
def sit_down(w: Any) -> None:
    """Before the first trick: the declarer leads, nothing is played or taken."""
    for b in range(B):
        w[WINNER + b] = w[DECLARER + b]
        w[LEADER + b] = U0
        w[PLACE + b] = w[DECLARER + b]
        w[SEEN + b] = U0
        w[TAKEN[0] + b] = U0
        w[TAKEN[1] + b] = U0
        w[TAKEN[2] + b] = U0
        for place in range(6):
            w[CARDS[0] + place * B + b] = U0


@phase
def pass_the_lead(w: Any) -> None:
    """Turn hands and places so that the winner of the last trick is place 0."""
    for b in range(B):
        by = w[WINNER + b]
        one, two, four = by & U1 != U0, by & U2 != U0, by & U4 != U0
        h0, h1, h2, h3, h4, h5 = (
            w[HANDS[0] + b],
            w[HANDS[1] + b],
            w[HANDS[2] + b],
            w[HANDS[3] + b],
            w[HANDS[4] + b],
            w[HANDS[5] + b],
        )
        h0, h1, h2, h3, h4, h5 = (
            sel(one, h1, h0),
            sel(one, h2, h1),
            sel(one, h3, h2),
            sel(one, h4, h3),
            sel(one, h5, h4),
            sel(one, h0, h5),
        )
        h0, h1, h2, h3, h4, h5 = (
            sel(two, h2, h0),
            sel(two, h3, h1),
            sel(two, h4, h2),
            sel(two, h5, h3),
            sel(two, h0, h4),
            sel(two, h1, h5),
        )
        w[HANDS[0] + b] = sel(four, h4, h0)
        w[HANDS[1] + b] = sel(four, h5, h1)
        w[HANDS[2] + b] = sel(four, h0, h2)
        w[HANDS[3] + b] = sel(four, h1, h3)
        w[HANDS[4] + b] = sel(four, h2, h4)
        w[HANDS[5] + b] = sel(four, h3, h5)
        leader, place = w[LEADER + b] + by, w[PLACE + b] - by
        w[LEADER + b] = sel(leader >= U6, leader - U6, leader)
        w[PLACE + b] = sel(place > U5, place + U6, place)


@phase
def play_trick(w: Any, trick: int, bot: int, rules: Any) -> None:
    """One trick. Fills CARDS and WINNER, adds to SEEN and TAKEN."""
    n_teams = rules[N_TEAMS]
    low_to_taker = rules[LOW_TO_TAKER] != 0
    anytime = sel(rules[TRUMP_ANYTIME] != 0, TRUMPS, U0)
    only_trumps = trick == 0 and rules[FIRST_LEAD_TRUMP] != 0
    _lead(w, trick, bot, n_teams, only_trumps, low_to_taker)
    # One call a place: its number is then a constant, and with it the partners and the opponents behind.
    _follow(w, trick, bot, n_teams, anytime, low_to_taker, 1)
    _follow(w, trick, bot, n_teams, anytime, low_to_taker, 2)
    _follow(w, trick, bot, n_teams, anytime, low_to_taker, 3)
    _follow(w, trick, bot, n_teams, anytime, low_to_taker, 4)
    _follow(w, trick, bot, n_teams, anytime, low_to_taker, 5)
    _take(w, n_teams)


@inline
def _lead(w: Any, trick: int, bot: int, n_teams: int, only_trumps: bool, low_to_taker: bool) -> None:
    own = mates(0, n_teams)
    for b in range(B):
        hand = w[HANDS[0] + b]
        legal = sel(only_trumps & (hand & TRUMPS != U0), hand & TRUMPS, hand)
        if bot == RANDOM:
            card = random_bot.play(w[BASE + b], u64(trick), w[LEADER + b], legal)
        else:
            card = simple_bot.lead(legal, hand, w[SEEN + b], is_in(own, w[PLACE + b]), low_to_taker)
        w[HANDS[0] + b] = hand ^ card
        w[CARDS[0] + b] = card
        w[TRICK + b] = card
        w[BEST + b] = card | sel(card & TRUMPS != U0, LED_TRUMP, U0)
        w[LED + b] = suit_of(card)
        w[WINNER + b] = U0


@inline
def _follow(w: Any, trick: int, bot: int, n_teams: int, anytime: Any, low_to_taker: bool, place: int) -> None:
    own = mates(place, n_teams)
    last = place == 5  # the next place is always an opponent's
    row = place * B
    for b in range(B):
        hand, led, best, winner = w[HANDS[0] + row + b], w[LED + b], w[BEST + b], w[WINNER + b]
        follows = hand & led
        legal = sel(follows != U0, follows | (hand & anytime & sel(led == TRUMPS, U0, TRUMPS)), hand)
        if bot == RANDOM:
            seat = w[LEADER + b] + u64(place)
            card = random_bot.play(w[BASE + b], u64(trick), sel(seat >= U6, seat - U6, seat), legal)
        else:
            friend = is_in(own, winner)
            cards = w[TRICK + b]
            card = simple_bot.follow(legal, hand, w[SEEN + b], cards, led, best, friend, last, low_to_taker)
        w[HANDS[0] + row + b] = hand ^ card
        w[CARDS[0] + row + b] = card
        w[TRICK + b] |= card
        value = sel(card & TRUMPS != U0, card | LED_TRUMP, card & led)
        wins = value > best
        w[BEST + b] = sel(wins, value, best)
        w[WINNER + b] = sel(wins, u64(place), winner)


@inline
def _take(w: Any, n_teams: int) -> None:
    for b in range(B):
        seat = w[LEADER + b] + w[WINNER + b]
        team = team_of(sel(seat >= U6, seat - U6, seat), n_teams)
        cards = w[TRICK + b]
        w[SEEN + b] |= cards
        w[TAKEN[0] + b] |= sel(team == U0, cards, U0)
        w[TAKEN[1] + b] |= sel(team == U1, cards, U0)
        w[TAKEN[2] + b] |= sel(team == U2, cards, U0)
