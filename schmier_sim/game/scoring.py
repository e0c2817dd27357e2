"""Who wins the six points, what a deal scores, and when a match is over."""

from collections.abc import Sequence

from schmier_sim.game.cards import JOKER, MATE, POINTS, Suit, card_points
from schmier_sim.game.record import Trick
from schmier_sim.game.rules import Rules


def card_points_won(tricks: Sequence[Trick], rules: Rules) -> tuple[int, ...]:
    """Card points in each team's tricks; what was put away counts for nobody."""
    won = [0] * rules.n_teams
    for _, cards, winner in tricks:
        won[rules.team(winner) - 1] += sum(card_points(card) for card in cards)
    return tuple(won)


def points_won(tricks: Sequence[Trick], trump: Suit, declarer: int, rules: Rules) -> dict[str, int | None]:
    """Find the team that wins each of the six points.

    High, and by the standard rules low, go to the team that *plays* the ace and the 2 of trumps; right,
    left and joker to the team that *takes* the trick in which they fall; game to the most card points.
    """
    player: dict[str, int] = {}
    taker: dict[str, int] = {}
    for leader, cards, winner in tricks:
        for place, card in enumerate(cards):
            player[card] = rules.team((leader + place - 1) % 6 + 1)
            taker[card] = rules.team(winner)
    low_to = player if rules.low_to == "player" else taker
    won = {
        "high": player["A" + trump],
        "low": low_to["2" + trump],
        "right": taker["J" + trump],
        "left": taker["J" + MATE[trump]],
        "joker": taker[JOKER],
        "game": game_winner(card_points_won(tricks, rules), rules.team(declarer), rules),
    }
    return {point: won[point] for point in POINTS}


def game_winner(game_points: Sequence[int], declarer_team: int, rules: Rules) -> int | None:
    """Team with the most card points; where teams are tied, what ``game_tie`` says."""
    most = max(game_points)
    tied = [team for team, points in enumerate(game_points, start=1) if points == most]
    if len(tied) == 1:
        return tied[0]
    defenders = [team for team in tied if team != declarer_team]
    if rules.game_tie == "declarer" and declarer_team in tied:
        return declarer_team
    if rules.game_tie == "defender" and len(defenders) == 1:
        return defenders[0]
    return None


def deal_scores(
    points: dict[str, int | None], declarer_team: int, bid: int | None, rules: Rules
) -> tuple[int, ...]:
    """Score of each team in a deal.

    Every team scores the points that it won; but the declarer's team, if it won fewer than it bid, loses
    the bid instead. Without a bid (None) there is nothing to lose.
    """
    scores = [list(points.values()).count(team) for team in range(1, rules.n_teams + 1)]
    if bid is not None and scores[declarer_team - 1] < bid:
        scores[declarer_team - 1] = -bid
    return tuple(scores)


def apply_scores(
    totals: Sequence[int], scores: Sequence[int], declarer_team: int, rules: Rules
) -> tuple[int, ...]:
    """Add a deal to the totals; by ``must_bid_to_win`` a team that did not declare stops below the target."""
    after = []
    for team, (total, score) in enumerate(zip(totals, scores, strict=True), start=1):
        new = total + score
        if rules.must_bid_to_win and team != declarer_team:
            new = min(new, max(total, rules.target - 1))
        after.append(new)
    return tuple(after)


def match_winner(totals: Sequence[int], declarer_team: int, rules: Rules) -> int | None:
    """Team that has won the match after a deal that `declarer_team` declared; None if it goes on.

    Of several teams at the target the highest wins, and of equal ones the declarer's; if the equal ones are
    two others, another deal decides. Under ``declarer-first`` the declarer's team comes first in any case.
    """
    most = max(totals)
    if most < rules.target:
        return None
    if rules.endgame == "declarer-first" and totals[declarer_team - 1] >= rules.target:
        return declarer_team
    highest = [team for team, total in enumerate(totals, start=1) if total == most]
    if declarer_team in highest:
        return declarer_team
    return highest[0] if len(highest) == 1 else None
