"""Scores of a match, and what `club` bids by at them: what is allowed."""

from collections.abc import Sequence

from schmier_sim.game.rules import Rules

BIDDINGS: tuple[str, ...] = ("equity", "points")
"""What `club` may bid by: the chance to win the match, or points of the deal."""
N_TEAMS = 3
"""Teams where one can bid by equity."""
LOWEST_SCORE = -200
MOST_TARGET = 50
"""Beyond it there are too many scores to know the chances of all."""


def knows(rules: Rules) -> bool:
    """Whether one can bid by equity under these rules."""
    return rules.n_teams == N_TEAMS and rules.target <= MOST_TARGET


def check_bidding(rules: Rules, bidding: str | Sequence[str], scores: Sequence[int]) -> None:
    """Refuse what is no way to bid, and scores of another number of teams or of a match that is over.

    Raises
    ------
    ValueError
        One line that names the bad value and a right one.
    """
    names = (bidding,) if isinstance(bidding, str) else tuple(bidding)
    for name in names:
        if name not in BIDDINGS:
            raise ValueError(f"there is no bidding '{name}': choose {' or '.join(BIDDINGS)}")
    if not isinstance(bidding, str) and len(names) != rules.n_teams:
        raise ValueError(
            f"{len(names)} ways to bid for {rules.n_teams} teams: give one for all or one a team"
        )
    if "equity" in names and not knows(rules):
        raise ValueError(
            f"bidding 'equity' is for three teams and targets up to {MOST_TARGET}: take points under these rules"
        )
    check_scores(scores, rules)


def check_scores(scores: Sequence[int], rules: Rules) -> None:
    """Refuse scores of another number of teams, of a match that is over, and absurd ones.

    Raises
    ------
    ValueError
    """
    n = rules.n_teams
    if len(scores) != n:
        example = ",".join(("14", "9", "18")[:n])
        raise ValueError(f"{len(scores)} scores for {n} teams: give one for each, such as {example}")
    for score in scores:
        if not LOWEST_SCORE <= score < rules.target:
            raise ValueError(
                f"score {score} is out of range: {LOWEST_SCORE} to {rules.target - 1}, as a match ends"
                f" at {rules.target}"
            )
