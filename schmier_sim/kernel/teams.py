"""Teams as masks of seats, and the rules as the kernels read them (`game.rules.Rules.packed`)."""

from typing import Any

from schmier_sim.kernel.bits import U0, U1, u64
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
