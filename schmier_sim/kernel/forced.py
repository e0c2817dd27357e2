"""Auctions in which one seat makes a given call, and teams that bid by one table and play by another bot.

What the tables of `club_bids` are made with and measured by (`analysis.bidding`): the seats before the one that is
forced call as they would, those after it answer, and the deal is played to its end.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.rules import Rules
from schmier_sim.kernel import block
from schmier_sim.kernel.auction import calls_of, name_trumps_by, open_auction
from schmier_sim.kernel.bits import U0, U6, sel, u64
from schmier_sim.kernel.block import BID, CALLS, DECLARER, TEMPERS, VALUES, B
from schmier_sim.kernel.bots import CLUB, club_bids
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.deal import deal
from schmier_sim.kernel.exchange import exchange, turn_to_trumps
from schmier_sim.kernel.jit import Entry
from schmier_sim.kernel.play import pass_the_lead, play_on, sit_down
from schmier_sim.kernel.rng import start_of
from schmier_sim.kernel.score import address_cells, score
from schmier_sim.kernel.simulate import bot_codes
from schmier_sim.kernel.teams import N_TEAMS, is_in, mates

PASSED, ILLEGAL = -1, -2
"""Types of deals that were passed out, and of those where the seat could not make the call or was not asked."""
NO_SEAT = 6
_ONLY_OF = tuple(tuple(CLUB if team == one else -1 for team in range(3)) for one in range(3))


@Entry
def _play_chunk(
    w: Any,
    weights: Any,
    values: Any,
    curves: Any,
    start: Any,
    first: Any,
    n: Any,
    seat: Any,
    call: Any,
    bidders: Any,
    only_of: Any,
    tempers: Any,
    players: Any,
    rules: Any,
    states: Any,
    held: Any,
    types: Any,
) -> None:
    done, n_teams = U0, rules[N_TEAMS]
    forced = u64(call)
    while done < n:
        here = min(n - done, u64(B))
        deal(w, start, first + done, False)
        open_auction(w)
        for caller in range(6 // n_teams * n_teams):  # as in `auction.auction`
            team = caller % n_teams
            for b in range(B):
                w[TEMPERS[0] + caller * B + b] = u64(tempers[team])
            if caller == seat:
                own = mates(caller, n_teams)
                club_bids.find_values(w, caller, values[team], rules)
                for b in range(here):
                    high, holder = w[BID + b], w[DECLARER + b]
                    state = club_bids.state_of(u64(caller), high, (high != U0) & is_in(own, holder))
                    states[done + b] = state
                    held[done + b, 0] = w[VALUES[0] + b]
                    held[done + b, 1] = w[VALUES[1] + b]
                    held[done + b, 2] = w[VALUES[2] + b]
                    held[done + b, 3] = w[VALUES[3] + b]
                    beats = (forced > high) | ((caller == 5) & (forced == high))
                    types[done + b] = 0 if high != U6 and (beats or call == 0) else ILLEGAL
                    wins = (call != 0) & beats
                    w[CALLS[0] + caller * B + b] = forced
                    w[BID + b] = sel(wins, forced, high)
                    w[DECLARER + b] = sel(wins, u64(caller), holder)
            else:
                calls_of(w, caller, bidders[team], values[team], curves[team], rules)
        name_trumps_by(w, bidders, values[0], rules)
        for team in range(1, n_teams):
            if bidders[team] == CLUB:
                club_bids.name_trumps(w, only_of[team], values[team], rules)
        turn_to_trumps(w)
        exchange(w, weights, players, rules)
        sit_down(w)
        for trick in range(6):
            pass_the_lead(w)
            play_on(w, weights, trick, 0, players, rules)
        score(w, rules)
        address_cells(w, rules)
        for b in range(here):
            if types[done + b] != ILLEGAL:
                types[done + b] = PASSED if w[BID + b] == U0 else w[block.TYPE + b]
        done += u64(B)


class Table:
    """Six seats whose calls follow given tables.

    Parameters
    ----------
    seed : int
    values : uint64 [n] or three of them
        What hands are worth (`club_bids.value_table`), for all teams or for each.
    curves : sequence of int, or three of them
        What calls bring, as in `game.club_bids.Bidding`.
    players : str
        The bot that exchanges and plays the cards, for all teams.
    bidders : str or tuple of str
        The bot that bids and names trumps, for all teams or for each.
    tempers : tuple of int
        Temper of each team.
    rules : Rules
    """

    def __init__(
        self,
        seed: int,
        values: Any,
        curves: Any,
        players: str = "club",
        *,
        bidders: str | tuple[str, ...] = "club",
        tempers: tuple[int, ...] = (0, 0, 0),
        rules: Rules = Rules(),  # noqa: B008 - rules are frozen
    ) -> None:
        self.seed, self.rules = seed, rules
        each = np.array(values, np.uint64)
        self.values = np.array(np.broadcast_to(each, (3, each.shape[-1])), order="C")
        self.values.flags.writeable = False  # as those that ship: the same machine code reads both
        self.curves = club_bids.for_teams(*(curves if np.ndim(curves[0]) else (curves,)))
        self.codes = (bot_codes(bidders), _ONLY_OF, tempers, bot_codes(players))

    def play(
        self, first: int, n: int, seat: int = NO_SEAT, call: int = 0
    ) -> tuple[NDArray[np.int16], NDArray[np.uint16], NDArray[np.int32]]:
        """Play deals ``first … first + n - 1``; a seat 0..5, if one is named, makes a call (0 passes).

        Returns
        -------
        states : int16 [n]
            State of the auction when that seat is to call (`game.club_bids.state_of`).
        held : uint16 [n, 4]
            Values of its hand (`game.club_bids.hand_values`).
        types : int32 [n]
            Deal types as of `kernel.simulate.deal_types`, `PASSED` or `ILLEGAL`.
        """
        states = np.zeros(n, np.int16)
        held = np.zeros((n, 4), np.uint16)
        types = np.zeros(n, np.int32)
        _play_chunk(
            block.new_block(),
            club_tables(),
            self.values,
            self.curves,
            start_of(self.seed),
            u64(first),
            u64(n),
            seat,
            call,
            *self.codes,
            self.rules.packed(),
            states,
            held,
            types,
        )
        return states, held, types


def is_ready() -> bool:
    """False if the first deals will have to wait for the compiler."""
    return _play_chunk.is_ready
