"""What holds in every deal, whoever plays: looked up in the kernels' workspace, on two million deals."""

from itertools import islice

import numpy as np
import pytest

from schmier_sim.game.cards import CARD_POINTS_TOTAL, DECK, card_points
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.block import (
    AWAY,
    BID,
    CARD_POINTS,
    CARDS,
    DECLARER,
    DRAWN,
    HANDS,
    LEADER,
    POINTS,
    TAKEN,
    WINNER,
)
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.simulate import logged_blocks
from tests.kernel.table import (
    ACE,
    ALL,
    DEALT,
    EXCHANGED,
    FIRST_TRICK,
    SCORED,
    STANDARD,
    TRUMPS,
    TWO,
    WAYS,
    rows,
    setup_of,
    size,
    word_of,
)

RIGHT, LEFT, JOKER = word_of(["JS"]), word_of(["JC"]), word_of(["Jo"])
POINT_CARDS = ACE | TWO | RIGHT | LEFT | JOKER
WORTH = [
    (points, word_of([card for card in DECK if card_points(card) == points])) for points in (1, 2, 3, 4, 10)
]
NOBODY = 3
HOUSE = Rules(teams="2x3", low_to="taker", trump_anytime=True, game_tie="defender", all_pass="dealer-bids-3")


def worth(masks):
    """Card points in masks."""
    return sum(points * size(masks & cards) for points, cards in WORTH)


def played_deals(setup, n):
    """Some thousand deals at a time, those that were passed out left out."""
    logs = logged_blocks(setup, 0, n)
    while some := [log.copy() for log in islice(logs, 16)]:
        log = np.concatenate(some, axis=2)
        if setup.mode == "auction":
            log = log.take(np.flatnonzero(rows(log, EXCHANGED, BID)), axis=2)
        yield log


def union(masks):
    return np.bitwise_or.reduce(masks, axis=0)


def check_exchange(log):
    """53 cards, of which 36 are played; no trump leaves play but a dealer's excess, and never a point card."""
    hands, away, drawn = (rows(log, EXCHANGED, some) for some in (HANDS, AWAY, DRAWN))
    assert (size(hands) == 6).all()
    assert (size(union(hands)) == 36).all()
    assert (union(hands) | union(away) == ALL).all()
    assert (size(away).sum(axis=0) == 17).all()
    assert (size(union(drawn)) == 17).all()
    assert not (away[:5] & TRUMPS).any()
    assert (size(away[:5]) <= 3).all()
    assert (size(drawn[:5]) == size(away[:5])).all()
    assert (size((hands ^ drawn) | away)[:5] == 6 + 0 * size(hands[:5])).all()
    seen_trumps = size((hands[5] | away[5]) & TRUMPS)
    assert (size(hands[5] & TRUMPS) == np.minimum(6, seen_trumps)).all()
    assert not (away[5] & POINT_CARDS).any()


def check_tricks(log, n_teams):
    """Each plays his own cards in turn from the leader on, each card once, and the winner leads next."""
    at = np.arange(log.shape[2])
    hands = rows(log, EXCHANGED, HANDS).copy()
    leads = rows(log, EXCHANGED, DECLARER).astype(int)
    taken = np.zeros((3, log.shape[2]), np.uint64)
    for trick in range(6):
        cards, leader, winner = (rows(log, FIRST_TRICK + trick, some) for some in (CARDS, LEADER, WINNER))
        assert (leader == leads).all()
        for place in range(6):
            seat = (leads + place) % 6
            assert (size(cards[place]) == 1).all()
            assert (hands[seat, at] & cards[place] > 0).all()
            hands[seat, at] ^= cards[place]
        leads = (leads + winner.astype(int)) % 6
        taken[leads % n_teams, at] |= union(cards)
    assert not hands.any()
    assert (taken == rows(log, SCORED, TAKEN)).all()


def check_points(log, rules):
    """High, low, right, left and joker always score, game if it is not tied; nobody makes 6 without ace and 2."""
    n_teams = rules.n_teams
    hands, taken = rows(log, EXCHANGED, HANDS), rows(log, SCORED, TAKEN)
    points, card_points_won = rows(log, SCORED, POINTS), rows(log, SCORED, CARD_POINTS)
    own = np.stack([union(hands[team::n_teams]) if team < n_teams else 0 * hands[0] for team in range(3)])
    low_side = taken if rules.low_to == "taker" else own
    for point, (side, card) in enumerate(
        ((own, ACE), (low_side, TWO), (taken, RIGHT), (taken, LEFT), (taken, JOKER))
    ):
        assert (side & card > 0).sum(axis=0).tolist() == [1] * log.shape[2]
        assert (np.argmax(side & card > 0, axis=0) == points[point]).all()

    assert (card_points_won == worth(taken)).all()
    away = worth(union(rows(log, EXCHANGED, AWAY)))
    assert (card_points_won.sum(axis=0) == CARD_POINTS_TOTAL - away).all()
    best = card_points_won[:n_teams] == card_points_won[:n_teams].max(axis=0)
    tied = best.sum(axis=0) > 1
    assert (np.argmax(best, axis=0) == points[5])[~tied].all()
    if rules.game_tie == "nobody":
        assert (points[5] == NOBODY).tolist() == tied.tolist()

    made = np.stack([(points == team).sum(axis=0) for team in range(n_teams)])
    assert (made.sum(axis=0) == 6 - (points[5] == NOBODY)).all()
    if rules.low_to == "player":
        sure = (own[:n_teams] & ACE > 0).astype(int) + (own[:n_teams] & TWO > 0)
        assert (made >= sure).all()
        assert (made <= 4 + sure).all()
    return tied.sum()


@pytest.mark.parametrize("rules", [STANDARD, HOUSE], ids=["standard", "house"])
@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_every_deal_keeps_the_rules(way, bots, rules):
    tied = sum(check_deal(log, rules) for log in played_deals(setup_of(way, bots, 77, rules), 100_000))
    assert tied > 0


def check_deal(log, rules):
    check_exchange(log)
    check_tricks(log, rules.n_teams)
    return check_points(log, rules)


def test_hands_are_dealt_from_one_pack():
    for log in logged_blocks(setup_of(WAYS[0]), 10**12, 500_000):
        hands = rows(log, DEALT, HANDS)
        assert (size(hands) == 6).all()
        assert (size(union(hands)) == 36).all()
