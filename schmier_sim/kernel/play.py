"""Six tricks, a block at a time. Hands stand by place after the leader, so that a place's turn is known in advance."""

from typing import Any

from schmier_sim.kernel.bits import U0, U1, U2, U4, U5, U6, sel, u64
from schmier_sim.kernel.block import (
    BASE,
    BEST,
    CARDS,
    CHOICE,
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
from schmier_sim.kernel.bots import CLUB, RANDOM, SIMPLE, club_bot, random_bot, simple_bot
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.laws import may_follow, may_lead
from schmier_sim.kernel.masks import LED_TRUMP, TRUMPS, suit_of
from schmier_sim.kernel.teams import (
    FIRST_LEAD_TRUMP,
    LOW_TO_TAKER,
    N_TEAMS,
    TRUMP_ANYTIME,
    code_of,
    is_in,
    mates,
    only,
    plays,
    team_of,
)

_RANDOM, _SIMPLE = u64(RANDOM), u64(SIMPLE)


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
def play_trick(w: Any, tables: Any, trick: int, bots: Any, rules: Any) -> None:
    """One trick, once the lead has passed. Fills CARDS and WINNER, adds to SEEN and TAKEN."""
    if plays(CLUB, bots):
        club_bot.note_voids(w, trick, rules)
    play_on(w, tables, trick, 0, bots, rules)


@phase
def play_on(w: Any, tables: Any, trick: int, place: int, bots: Any, rules: Any) -> None:
    """What is left of a trick when `place` is to play: the cards before lie in CARDS, TRICK, LED, BEST and WINNER.

    `place` 6: all have played, the trick has yet to be taken.
    """
    bot = only(bots)
    club = plays(CLUB, bots)
    if club:
        club_bot.count_game(w)
    if place == 0:
        if club:
            club_bot.weigh(w, trick, 0, rules)
            club_bot.choose(w, tables, trick, 0, rules)
        if bot < 0:
            _lead_of_teams(w, trick, bots, rules)
        else:
            _lead(w, trick, bot, rules)
    if bot < 0 or bot == CLUB:
        for at in range(max(place, 1), 6):
            if club:
                club_bot.weigh(w, trick, at, rules)
                club_bot.choose(w, tables, trick, at, rules)
            if bot < 0:
                _follow_of_teams(w, trick, bots, rules, at)
            else:
                follow_with_choice(w, at)
    else:
        # One call a place: its number is then a constant, and with it the partners and the opponents behind.
        if place <= 1:
            _follow(w, trick, bot, rules, 1)
        if place <= 2:
            _follow(w, trick, bot, rules, 2)
        if place <= 3:
            _follow(w, trick, bot, rules, 3)
        if place <= 4:
            _follow(w, trick, bot, rules, 4)
        if place <= 5:
            _follow(w, trick, bot, rules, 5)
    _take(w, rules[N_TEAMS])


@inline
def _lead(w: Any, trick: int, bot: int, rules: Any) -> None:
    own = mates(0, rules[N_TEAMS])
    low_to_taker = rules[LOW_TO_TAKER] != 0
    only_trumps = trick == 0 and rules[FIRST_LEAD_TRUMP] != 0
    for b in range(B):
        hand = w[HANDS[0] + b]
        legal = may_lead(hand, only_trumps)
        if bot == RANDOM:
            card = random_bot.play(w[BASE + b], u64(trick), w[LEADER + b], legal)
        elif bot == SIMPLE:
            card = simple_bot.lead(legal, hand, w[SEEN + b], is_in(own, w[PLACE + b]), low_to_taker)
        else:
            card = w[CHOICE + b]
        lay_lead(w, b, card)


@phase
def _lead_of_teams(w: Any, trick: int, bots: Any, rules: Any) -> None:
    n_teams = rules[N_TEAMS]
    own = mates(0, n_teams)
    low_to_taker = rules[LOW_TO_TAKER] != 0
    only_trumps = trick == 0 and rules[FIRST_LEAD_TRUMP] != 0
    for b in range(B):
        hand, seat = w[HANDS[0] + b], w[LEADER + b]
        legal = may_lead(hand, only_trumps)
        by_chance = random_bot.play(w[BASE + b], u64(trick), seat, legal)
        simply = simple_bot.lead(legal, hand, w[SEEN + b], is_in(own, w[PLACE + b]), low_to_taker)
        lay_lead(w, b, _of_code(code_of(seat, bots, n_teams), by_chance, simply, w[CHOICE + b]))


@inline
def _of_code(code: Any, by_chance: Any, simply: Any, weighed: Any) -> Any:
    """The card of the bot with this code."""
    return sel(code == _RANDOM, by_chance, sel(code == _SIMPLE, simply, weighed))


@inline
def lay_lead(w: Any, b: Any, card: Any) -> None:
    """Lead a card."""
    w[HANDS[0] + b] ^= card
    w[CARDS[0] + b] = card
    w[TRICK + b] = card
    w[BEST + b] = card | sel(card & TRUMPS != U0, LED_TRUMP, U0)
    w[LED + b] = suit_of(card)
    w[WINNER + b] = U0


@inline
def lay(w: Any, b: Any, place: Any, card: Any) -> None:
    """Play a card to a trick."""
    led, best = w[LED + b], w[BEST + b]
    w[HANDS[0] + place * B + b] ^= card
    w[CARDS[0] + place * B + b] = card
    w[TRICK + b] |= card
    value = sel(card & TRUMPS != U0, card | LED_TRUMP, card & led)
    wins = value > best
    w[BEST + b] = sel(wins, value, best)
    w[WINNER + b] = sel(wins, u64(place), w[WINNER + b])


@inline
def _follow(w: Any, trick: int, bot: int, rules: Any, place: int) -> None:
    own = mates(place, rules[N_TEAMS])
    anytime = TRUMPS if rules[TRUMP_ANYTIME] != 0 else U0
    low_to_taker = rules[LOW_TO_TAKER] != 0
    last = place == 5  # the next place is always an opponent's
    row = place * B
    for b in range(B):
        hand, led, best, winner = w[HANDS[0] + row + b], w[LED + b], w[BEST + b], w[WINNER + b]
        legal = may_follow(hand, led, anytime)
        if bot == RANDOM:
            seat = w[LEADER + b] + u64(place)
            card = random_bot.play(w[BASE + b], u64(trick), sel(seat >= U6, seat - U6, seat), legal)
        else:
            friend = is_in(own, winner)
            cards = w[TRICK + b]
            card = simple_bot.follow(legal, hand, w[SEEN + b], cards, led, best, friend, last, low_to_taker)
        lay(w, b, place, card)


@phase
def lead_with_choice(w: Any) -> None:
    """The leader plays CHOICE."""
    for b in range(B):
        lay_lead(w, b, w[CHOICE + b])


@phase
def follow_with_choice(w: Any, place: int) -> None:
    """The seat at a place plays CHOICE."""
    for b in range(B):
        lay(w, b, place, w[CHOICE + b])


@phase
def _follow_of_teams(w: Any, trick: int, bots: Any, rules: Any, place: int) -> None:
    n_teams = rules[N_TEAMS]
    own = mates(place, n_teams)
    anytime = TRUMPS if rules[TRUMP_ANYTIME] != 0 else U0
    low_to_taker = rules[LOW_TO_TAKER] != 0
    last = place == 5
    row = place * B
    for b in range(B):
        hand, led, best, winner = w[HANDS[0] + row + b], w[LED + b], w[BEST + b], w[WINNER + b]
        legal = may_follow(hand, led, anytime)
        seat = w[LEADER + b] + u64(place)
        seat = sel(seat >= U6, seat - U6, seat)
        by_chance = random_bot.play(w[BASE + b], u64(trick), seat, legal)
        friend = is_in(own, winner)
        simply = simple_bot.follow(
            legal, hand, w[SEEN + b], w[TRICK + b], led, best, friend, last, low_to_taker
        )
        lay(w, b, place, _of_code(code_of(seat, bots, n_teams), by_chance, simply, w[CHOICE + b]))


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
