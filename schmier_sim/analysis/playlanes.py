"""Deals played to their end by `club`, many at a time by the kernels, where any single card may be changed.

Each lane of a block is a table of the reference engine, which tells what a seat sees; the kernels choose the cards.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.cards import DECK, SUITS, Card, mask_of, relative
from schmier_sim.game.reference import Table
from schmier_sim.kernel.block import CHOICE, DECLARER, HANDS, SEEN, TAKEN, TRICK, WINNER, B, new_block
from schmier_sim.kernel.bots import CLUB
from schmier_sim.kernel.bots.club_bot import count_game, note_voids
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.play import choose, lay_choice, pass_the_lead, sit_down
from schmier_sim.kernel.simulate import STANDARD

Decide = Callable[[int, int, Card], Card]
Words = NDArray[np.uint64]

_MASKS = {trump: {card: np.uint64(relative(mask_of([card]), trump)) for card in DECK} for trump in SUITS}
_CARDS = {trump: {int(mask): card for card, mask in masks.items()} for trump, masks in _MASKS.items()}


def play_out(tables: Sequence[Table], decide: Decide) -> None:
    """Play some tables from the first lead to the end, by the standard rules.

    Parameters
    ----------
    tables : sequence of Table
        At most `B`, after the exchange.
    decide : function of lane, seat and card
        Is given `club`'s card while the seat holds more than one, and returns what is played.
    """
    w = new_block()
    rules, bots = STANDARD.packed(), (CLUB, CLUB, CLUB)
    for lane in range(B):
        table = tables[lane % len(tables)]
        assert table.declarer is not None
        assert table.trump is not None
        masks = _MASKS[table.trump]
        w[DECLARER + lane] = table.declarer - 1
        for seat, hand in table.hands.items():
            w[HANDS[seat - 1] + lane] = sum(int(masks[card]) for card in hand)
    sit_down(w)
    for table in tables:
        table.leader = table.declarer
    for trick in range(6):
        pass_the_lead(w)
        note_voids(w, trick, rules)
        count_game(w)
        for place in range(6):
            choose(w, club_tables(), trick, place, bots, rules)
            for lane, table in enumerate(tables):
                _lay(w, lane, table, place, decide)
            lay_choice(w, place)
        _take(w, tables)


def _lay(w: Words, lane: int, table: Table, place: int, decide: Decide) -> None:
    """Lay a lane's card on its table, the kernels' or another."""
    assert table.leader is not None
    assert table.trump is not None
    seat = (table.leader + place - 1) % 6 + 1
    card = _CARDS[table.trump][int(w[CHOICE + lane])]
    if len(table.hands[seat]) > 1:
        other = decide(lane, seat, card)
        if other != card:
            w[CHOICE + lane] = _MASKS[table.trump][other]
            card = other
    table.hands[seat].remove(card)
    table.trick.append(card)


def _take(w: Words, tables: Sequence[Table]) -> None:
    """Give each trick to its winner."""
    cards = w[TRICK : TRICK + B]
    w[SEEN : SEEN + B] |= cards
    for lane in range(B):
        table = tables[lane % len(tables)]
        assert table.leader is not None
        winner = (table.leader + int(w[WINNER + lane]) - 1) % 6 + 1
        w[TAKEN[STANDARD.team(winner) - 1] + lane] |= cards[lane]
    for lane, table in enumerate(tables):
        assert table.leader is not None
        winner = (table.leader + int(w[WINNER + lane]) - 1) % 6 + 1
        table.tricks.append((table.leader, tuple(table.trick), winner))
        table.trick, table.leader = [], winner
