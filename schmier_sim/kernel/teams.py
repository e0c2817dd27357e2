"""Teams as masks of seats, and the rules as the kernels read them (`game.rules.Rules.packed`)."""

from typing import Any

from schmier_sim.kernel.bits import U0, U1, sel, u64
from schmier_sim.kernel.jit import inline

# Places in the tuple of packed rules.
N_TEAMS, DEALER_MUST_BID, LOW_TO_TAKER, GAME_TIE, TRUMP_ANYTIME, FIRST_LEAD_TRUMP, DEALER_STEALS = range(7)

_THREE_TEAMS = u64(0b001001)
_TWO_TEAMS = u64(0b010101)


@inline
def mates(place: int, n_teams: int) -> Any:
    """Mask of the places (seats, or places after a leader) of one's own team, oneself included."""
    return (_THREE_TEAMS if n_teams == 3 else _TWO_TEAMS) << u64(place % n_teams)


@inline
def is_in(places: Any, place: Any) -> Any:
    """Whether a mask of places holds a place."""
    return (places >> place) & U1 != U0


@inline
def team_of(seat: Any, n_teams: int) -> Any:
    """Team 0, 1 (2) of a seat 0..5: the remainder, without a division."""
    n = u64(n_teams)
    seat = seat - n if seat >= n else seat
    return seat - n if seat >= n else seat


@inline
def code_of(seat: Any, bots: Any, n_teams: int) -> Any:
    """The code of the bot that sits at a seat, given those of the teams."""
    team = team_of(seat, n_teams)
    return sel(team == U0, u64(bots[0]), sel(team == U1, u64(bots[1]), u64(bots[2])))


@inline
def only(bots: Any) -> int:
    """The code of the bot at all seats; -1 where the teams have different ones."""
    return bots[0] if bots[0] == bots[1] and bots[0] == bots[2] else -1


@inline
def plays(code: int, bots: Any) -> bool:
    """Whether any team has this bot."""
    return bool(code == bots[0] or code == bots[1] or code == bots[2])
