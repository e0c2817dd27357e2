"""Single deals in the open: the kernels' workspace translated into records.

The deals are played by the very kernels that play millions; nothing is decided again here.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.cards import POINTS, SUITS, Card, cards_of, natural
from schmier_sim.game.record import DealRecord, Trick
from schmier_sim.game.scoring import deal_scores
from schmier_sim.kernel import block
from schmier_sim.kernel.counts import NOBODY
from schmier_sim.kernel.simulate import Setup, logged_blocks

_DEALT, _EXCHANGED, _FIRST_TRICK, _SCORED = 0, 1, 2, 8


def replay(setup: Setup, first: int, n: int = 1) -> list[DealRecord]:
    """Play deals ``first … first + n - 1`` and tell what happened in each.

    Raises
    ------
    ValueError
        Indices out of range.
    """
    return [
        _record(setup, log[:, :, b]) for log in logged_blocks(setup, first, n) for b in range(log.shape[2])
    ]


class _Deal:
    """One deal's workspace after each phase: uint64 [phase, row]."""

    def __init__(self, log: NDArray[np.uint64]) -> None:
        self.log = log
        self.trump: str = SUITS[self.number(_EXCHANGED, block.TRUMP)]

    def number(self, phase: int, row: int) -> int:
        return int(self.log[phase, row // block.B])

    def cards(self, phase: int, row: int) -> tuple[Card, ...]:
        """Cards of a trump-relative mask."""
        return cards_of(natural(self.number(phase, row), self.trump))

    def dealt(self, row: int) -> tuple[Card, ...]:
        """Cards of a natural mask, before the first call."""
        return cards_of(self.number(_DEALT, row))


def _record(setup: Setup, log: NDArray[np.uint64]) -> DealRecord:
    deal = _Deal(log)
    n_teams = setup.rules.n_teams
    calls = [deal.number(_EXCHANGED, row) for row in block.CALLS] if setup.mode == "auction" else []
    auction = tuple((seat, call or None) for seat, call in enumerate(calls, 1) if call != block.NOT_ASKED)
    hands = tuple(deal.dealt(row) for row in block.HANDS)
    bid = deal.number(_EXCHANGED, block.BID) or None
    if calls and bid is None:
        stock = [
            cards_of(deal.number(_DEALT, a) | deal.number(_DEALT, b))
            for a, b in zip(block.ONE, block.TWO, strict=True)
        ]
        nothing = (0,) * n_teams
        return DealRecord(
            hands=hands,
            stock=tuple(card for cards in (*stock, deal.dealt(block.REST)) for card in cards),
            auction=auction,
            redeal=True,
            declarer=None,
            bid=None,
            trump=None,
            exchange=(),
            tricks=(),
            points=dict.fromkeys(POINTS),
            game_points=nothing,
            scores=nothing,
        )
    declarer = deal.number(_EXCHANGED, block.DECLARER) + 1
    drawn = [deal.cards(_EXCHANGED, row) for row in block.DRAWN]
    away = [deal.cards(_EXCHANGED, row) for row in block.AWAY]
    teams = [deal.number(_SCORED, row) for row in block.POINTS]
    points = {name: None if team == NOBODY else team + 1 for name, team in zip(POINTS, teams, strict=True)}
    return DealRecord(
        hands=hands,
        stock=tuple(card for cards in drawn for card in cards),
        auction=auction,
        redeal=False,
        declarer=declarer,
        bid=bid,
        trump=deal.trump,
        exchange=tuple(zip(range(1, 7), away, drawn, strict=True)),
        tricks=tuple(_trick(deal, _FIRST_TRICK + trick) for trick in range(6)),
        points=points,
        game_points=tuple(deal.number(_SCORED, row) for row in block.CARD_POINTS[:n_teams]),
        scores=deal_scores(points, setup.rules.team(declarer), bid, setup.rules),
    )


@cache
def _card(mask: int, trump: str) -> Card:
    """The card of a trump-relative mask of one."""
    (card,) = cards_of(natural(mask, trump))
    return card


def _trick(deal: _Deal, phase: int) -> Trick:
    leader, winner = deal.number(phase, block.LEADER), deal.number(phase, block.WINNER)
    cards = tuple(_card(deal.number(phase, row), deal.trump) for row in block.CARDS)
    return leader + 1, cards, (leader + winner) % 6 + 1
