"""Matches along one stream of deals, whose outcomes are known for each place of a team: see `analysis.matches`."""

from typing import Any

from schmier_sim.kernel.jit import Entry
from schmier_sim.kernel.match import gain, winner_of

CELL = 64
"""Deals whose matches are counted together; whoever plays a stream in pieces makes all but the last multiples of it."""


@Entry
def walk(
    types: Any,
    scores: Any,
    declarers: Any,
    always_passes: bool,
    declarer_first: bool,
    must_bid: bool,
    target: Any,
    start: Any,
    wanted: Any,
    state: Any,
    wins: Any,
    ends: Any,
) -> Any:
    """Go on with the matches that begin with the team in place `start`; return how many deals were looked at.

    `state` is the team in place 0, the matches that are over, and the teams' totals: teams are numbered by their places
    in the first deal of a match. `wins` and `ends` count by cells. It ends once `wanted` matches are over.
    """
    n_teams, n = types.shape
    for i in range(n):
        if state[1] >= wanted:
            return i
        first = state[0]
        deal = types[(start - first) % n_teams, i]
        if deal < 0:
            if always_passes:
                state[0] = (first + 1) % n_teams
            continue
        declarer = (first + declarers[deal]) % n_teams
        totals = state[2:]
        for place in range(n_teams):
            team = (first + place) % n_teams
            totals[team] = gain(totals[team], scores[deal, place], team == declarer, must_bid, target)
        state[0] = (first + 1) % n_teams
        winner = winner_of(totals, n_teams, declarer, declarer_first, target)
        if winner >= 0:
            ends[i // CELL] += 1
            wins[i // CELL] += winner == start
            state[1] += 1
            state[0] = 0
            totals[:] = 0
    return n
