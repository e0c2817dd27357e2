"""Six tricks, a block at a time. Hands stand by place after the leader, so that a place's turn is known in advance."""

from typing import Any

from schmier_sim.kernel.bits import U0, U1, U2, U4, U5, U6, sel, u64
from schmier_sim.kernel.block import (
    BASE,
    BEST,
    CARDS,
    CHOICE,
    CHOSEN,
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
from schmier_sim.kernel.bots import BOT_NAMES, CLUB, RANDOM, SIMPLE, club_bot, random_bot, simple_bot
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

_LAST_TRICK = 5


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
def play_on(w: Any, tables: Any, trick: int, place: int, bots: Any, rules: Any) -> None:
    """One trick from `place` on, once the lead has passed. Fills CARDS and WINNER, adds to SEEN and TAKEN.

    Those before `place` have played: their cards lie in CARDS, TRICK, LED, BEST and WINNER, and VOIDS is what is known
    from earlier tricks. At 6 the trick has yet to be taken.
    """
    if plays(CLUB, bots):
        if place == 0:
            club_bot.note_voids(w, trick, rules)
        club_bot.count_game(w)
    if only(bots) == SIMPLE:
        # One call a place: its number is then a constant, and with it the partners and the opponents behind.
        if place == 0:
            _lead_simply(w, trick, rules)
        if place <= 1:
            _follow_simply(w, rules, 1)
        if place <= 2:
            _follow_simply(w, rules, 2)
        if place <= 3:
            _follow_simply(w, rules, 3)
        if place <= 4:
            _follow_simply(w, rules, 4)
        if place <= 5:
            _follow_simply(w, rules, 5)
    else:
        for at in range(place, 6):
            choose(w, tables, trick, at, bots, rules)
            lay_choice(w, at)
    _take(w, rules[N_TEAMS])


@phase
def choose(w: Any, tables: Any, trick: int, place: int, bots: Any, rules: Any) -> None:
    """The bot at a place of the trick chooses its card: fill CHOICE."""
    if trick == _LAST_TRICK:
        row = HANDS[0] + place * B
        for b in range(B):
            w[CHOICE + b] = w[row + b]
        return
    mixed = only(bots) < 0
    for code in range(len(BOT_NAMES)):
        if not plays(code, bots):
            continue
        if code == CLUB:
            club_bot.weigh(w, trick, place, rules)
            club_bot.choose(w, tables, trick, place, rules)
        elif code == RANDOM:
            _choose_by_chance(w, trick, place, rules)
        else:
            _choose_simply(w, trick, place, rules)
        if mixed:
            _keep_choice(w, place, code, bots, rules[N_TEAMS])
    if mixed:
        for b in range(B):
            w[CHOICE + b] = w[CHOSEN + b]


@inline
def _keep_choice(w: Any, place: int, code: int, bots: Any, n_teams: int) -> None:
    """Of teams with different bots: CHOICE becomes CHOSEN where this bot sits."""
    for b in range(B):
        seat = w[LEADER + b] + u64(place)
        at_seat = code_of(sel(seat >= U6, seat - U6, seat), bots, n_teams)
        w[CHOSEN + b] = sel(at_seat == u64(code), w[CHOICE + b], w[CHOSEN + b])


@phase
def _choose_by_chance(w: Any, trick: int, place: int, rules: Any) -> None:
    anytime = _anytime(rules)
    only_trumps = _only_trumps(trick, rules)
    row = HANDS[0] + place * B
    for b in range(B):
        hand = w[row + b]
        legal = may_lead(hand, only_trumps) if place == 0 else may_follow(hand, w[LED + b], anytime)
        seat = w[LEADER + b] + u64(place)
        w[CHOICE + b] = random_bot.play(w[BASE + b], u64(trick), sel(seat >= U6, seat - U6, seat), legal)


@phase
def _choose_simply(w: Any, trick: int, place: int, rules: Any) -> None:
    """`simple` where others play too: slower than where it plays alone."""
    own = mates(place, rules[N_TEAMS])
    anytime, low_to_taker = _anytime(rules), rules[LOW_TO_TAKER] != 0
    only_trumps = _only_trumps(trick, rules)
    row = HANDS[0] + place * B
    if place == 0:
        for b in range(B):
            hand = w[row + b]
            legal = may_lead(hand, only_trumps)
            w[CHOICE + b] = simple_bot.lead(legal, hand, w[SEEN + b], is_in(own, w[PLACE + b]), low_to_taker)
        return
    for b in range(B):
        w[CHOICE + b] = _simply(w, b, w[row + b], own, place == 5, anytime, low_to_taker)


@inline
def _anytime(rules: Any) -> Any:
    return TRUMPS if rules[TRUMP_ANYTIME] != 0 else U0


@inline
def _only_trumps(trick: int, rules: Any) -> bool:
    return trick == 0 and rules[FIRST_LEAD_TRUMP] != 0


@inline
def _simply(w: Any, b: Any, hand: Any, own: Any, last: bool, anytime: Any, low_to_taker: bool) -> Any:
    led, best = w[LED + b], w[BEST + b]
    legal = may_follow(hand, led, anytime)
    friend = is_in(own, w[WINNER + b])
    return simple_bot.follow(legal, hand, w[SEEN + b], w[TRICK + b], led, best, friend, last, low_to_taker)


@inline
def _lead_simply(w: Any, trick: int, rules: Any) -> None:
    own = mates(0, rules[N_TEAMS])
    low_to_taker, only_trumps = rules[LOW_TO_TAKER] != 0, _only_trumps(trick, rules)
    for b in range(B):
        hand = w[HANDS[0] + b]
        legal = may_lead(hand, only_trumps)
        lay_lead(w, b, simple_bot.lead(legal, hand, w[SEEN + b], is_in(own, w[PLACE + b]), low_to_taker))


@inline
def _follow_simply(w: Any, rules: Any, place: int) -> None:
    own = mates(place, rules[N_TEAMS])
    anytime, low_to_taker = _anytime(rules), rules[LOW_TO_TAKER] != 0
    last = place == 5  # the next place is always an opponent's
    for b in range(B):
        hand = w[HANDS[0] + place * B + b]
        lay(w, b, place, _simply(w, b, hand, own, last, anytime, low_to_taker))


@phase
def lay_choice(w: Any, place: int) -> None:
    """The seat at a place plays CHOICE."""
    if place == 0:
        for b in range(B):
            lay_lead(w, b, w[CHOICE + b])
    else:
        for b in range(B):
            lay(w, b, place, w[CHOICE + b])


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
def _take(w: Any, n_teams: int) -> None:
    for b in range(B):
        seat = w[LEADER + b] + w[WINNER + b]
        team = team_of(sel(seat >= U6, seat - U6, seat), n_teams)
        cards = w[TRICK + b]
        w[SEEN + b] |= cards
        w[TAKEN[0] + b] |= sel(team == U0, cards, U0)
        w[TAKEN[1] + b] |= sel(team == U1, cards, U0)
        w[TAKEN[2] + b] |= sel(team == U2, cards, U0)
