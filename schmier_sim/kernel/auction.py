"""Bidding and naming trumps, a block at a time."""

from typing import Any

from schmier_sim.kernel.bits import U0, U1, U3, U5, U6, sel, u64
from schmier_sim.kernel.block import BASE, BID, CALLS, DECLARER, HAND, HANDS, NOT_ASKED, TRUMP, B
from schmier_sim.kernel.bots import CLUB, RANDOM, club_bids, random_bot, simple_bot
from schmier_sim.kernel.bots.club_bids import HAND_VALUES
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.teams import (
    DEALER_MUST_BID,
    DEALER_STEALS,
    N_TEAMS,
    code_of,
    is_in,
    mates,
    only,
    plays,
)

_NOT_ASKED = u64(NOT_ASKED)


@phase
def auction(w: Any, bots: Any, curves: Any, rules: Any) -> None:
    """Seats 0 to 5 call in turn, teams of `club` by their `curves` [3, n].

    Fills CALLS, DECLARER (0 if all passed) and BID (0 if all passed).
    """
    open_auction(w)
    if plays(CLUB, bots):
        # The compiler does not see that this ends at six, and so does not make six copies of the loops of `club`.
        n_teams = rules[N_TEAMS]
        for seat in range(6 // n_teams * n_teams):
            team = seat % n_teams
            calls_of(w, seat, bots[team], HAND_VALUES, curves[team], rules)
    else:
        for seat in range(6):
            _plain_calls(w, seat, bots[seat % rules[N_TEAMS]], rules)


@inline
def open_auction(w: Any) -> None:
    """Nobody has called."""
    for b in range(B):
        w[DECLARER + b] = U0
        w[BID + b] = U0


@phase
def calls_of(w: Any, seat: int, bot: int, values: Any, curves: Any, rules: Any) -> None:
    """One seat calls, after those before it; `values` and `curves` are tables of `club_bids`."""
    if bot == CLUB:
        club_bids.weigh_calls(w, seat, values, curves, rules)
        club_bids.make_calls(w, seat, rules)
    else:
        _plain_calls(w, seat, bot, rules)


@inline
def _plain_calls(w: Any, seat: int, bot: int, rules: Any) -> None:
    """One seat calls by arithmetic alone: not `club`, whose tables would keep the loop from being vectorised."""
    own = mates(seat, rules[N_TEAMS])
    is_dealer = seat == 5
    steals = is_dealer and rules[DEALER_STEALS] != 0
    forced = is_dealer and rules[DEALER_MUST_BID] != 0
    hand0, calls0 = seat * B + HANDS[0], seat * B + CALLS[0]
    for b in range(B):
        high, holder = w[BID + b], w[DECLARER + b]
        bidden = high != U0
        minimal = sel(bidden, high + sel(steals, U0, U1), U3)
        must_bid = (not bidden) & forced
        partner_holds = bidden & is_in(own, holder)
        if bot == RANDOM:
            chosen = random_bot.call(w[BASE + b], u64(seat), minimal, must_bid)
        else:
            chosen = simple_bot.call(w[hand0 + b], minimal, partner_holds, is_dealer, must_bid)
        asked = high != U6
        w[calls0 + b] = sel(asked, chosen, _NOT_ASKED)
        wins = asked & (chosen != U0)
        w[BID + b] = sel(wins, chosen, high)
        w[DECLARER + b] = sel(wins, u64(seat), holder)


@phase
def name_trumps(w: Any, bots: Any, rules: Any) -> None:
    """The declarer names the suit. Fills TRUMP."""
    name_trumps_by(w, bots, HAND_VALUES, rules)


@inline
def name_trumps_by(w: Any, bots: Any, values: Any, rules: Any) -> None:
    """The same by any values of `club_bids`."""
    bot = only(bots)
    if bot != CLUB:
        for b in range(B):
            declarer = w[DECLARER + b]
            hand = of_seat(w, b, declarer)
            if bot == RANDOM:
                w[TRUMP + b] = random_bot.name_suit(w[BASE + b])
            elif bot >= 0:
                w[TRUMP + b] = simple_bot.name_suit(hand)
            else:
                is_random = code_of(declarer, bots, rules[N_TEAMS]) == u64(RANDOM)
                w[TRUMP + b] = sel(is_random, random_bot.name_suit(w[BASE + b]), simple_bot.name_suit(hand))
    if plays(CLUB, bots):
        for b in range(B):
            w[HAND + b] = of_seat(w, b, w[DECLARER + b])
        club_bids.name_trumps(w, bots, values, rules)


@inline
def of_seat(w: Any, b: Any, seat: Any) -> Any:
    """The hand of a seat, chosen by selects."""
    hand = w[HANDS[0] + b]
    hand = sel(seat == U1, w[HANDS[1] + b], hand)
    hand = sel(seat == u64(2), w[HANDS[2] + b], hand)
    hand = sel(seat == U3, w[HANDS[3] + b], hand)
    hand = sel(seat == u64(4), w[HANDS[4] + b], hand)
    return sel(seat == U5, w[HANDS[5] + b], hand)
