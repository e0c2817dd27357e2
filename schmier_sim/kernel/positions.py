"""Play-outs from the middle of a deal: all options of a decision in all worlds, in lockstep.

A position is one column of a block (`kernel.block`): what all worlds share.  Over it lie the rows that differ by world,
then each lane makes its own decision, and a base policy plays on for all seats.  Lanes are options times worlds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.cards import SUITS, Card, Suit
from schmier_sim.game.laws import winning_place
from schmier_sim.game.view import View
from schmier_sim.game.words import mix
from schmier_sim.kernel import answers, block
from schmier_sim.kernel.answers import OUTCOMES, play_lanes
from schmier_sim.kernel.bits import u64
from schmier_sim.kernel.block import (
    AWAY,
    BASE,
    BEST,
    BID,
    CARDS,
    DECLARER,
    HANDS,
    HELD_BY,
    LEADER,
    LED,
    PLACE,
    ROWS,
    SEEN,
    TAKEN,
    TRICK,
    TRUMP,
    TYPE,
    VOIDS,
    WINNER,
    B,
)
from schmier_sim.kernel.counts import team_points
from schmier_sim.kernel.jit import Entry, phase
from schmier_sim.kernel.masks import LED_TRUMP, TRUMPS
from schmier_sim.kernel.play import lay, lay_lead, pass_the_lead, play_on
from schmier_sim.kernel.rng import deal_base
from schmier_sim.kernel.score import address_cells, score
from schmier_sim.kernel.worlds import (
    Masks,
    cards_played,
    cards_to_mask,
    suit_of_card,
    voids_shown,
    worlds_dealt,
    worlds_in_play,
)

Tables = NDArray[np.int16]
Results = NDArray[np.int64]

_TRUMP_COLUMN = 3
_PLAY_STREAM = 0x6A09E667F3BCC909  # sets the words of the play-outs apart from those that deal the worlds


@dataclass(frozen=True, slots=True)
class BasePolicy:
    """Who plays on: the codes of the teams' bots (`kernel.bots`), and the weights that they need."""

    bots: tuple[int, int, int]
    tables: Tables


def results_of_cards(
    view: View, cards: Sequence[Card], worlds: int, start: np.uint64, base: BasePolicy
) -> Results:
    """Play each of some cards in the same sampled worlds.

    Parameters
    ----------
    view : View
        Of a seat that is to play.
    cards : sequence of cards
        Legal ones.
    worlds : int
        How many.
    start : uint64
        Where their random words start.
    base : BasePolicy
        Who plays the rest of the deal.

    Returns
    -------
    int64 [cards, worlds]
        What the own team scores in the deal, less the mean of the others, times the number of the others.
    """
    trump = view.trumps_named
    hands, away = worlds_in_play(view, worlds, start)
    column, place = _column_of(view)
    n_teams = view.rules.n_teams
    held = np.array([cards_played(view)], dtype=np.uint64).T | hands
    leader = view.seat - 1 - place
    rows = [(HANDS[at], hands[(leader + at) % 6]) for at in range(6)]
    rows += [(AWAY[seat], away[seat]) for seat in range(6)]
    rows += [(HELD_BY[team], np.bitwise_or.reduce(held[team::n_teams])) for team in range(n_teams)]
    options = np.array([cards_to_mask([card], trump) for card in cards], dtype=np.uint64)
    outcomes = np.zeros((len(cards), worlds), dtype=np.int64)
    _play_cards(
        block.new_block(),
        base.tables,
        column,
        np.array([row for row, _ in rows], dtype=np.int64),
        np.stack([values for _, values in rows]),
        options,
        len(view.tricks),
        place,
        u64(mix(int(start) ^ _PLAY_STREAM)),
        base.bots,
        view.rules.packed(),
        outcomes,
    )
    return _results(view, outcomes)


def results_of_exchanges(
    view: View, options: Sequence[Sequence[Card]], worlds: int, start: np.uint64, base: BasePolicy
) -> Results:
    """Put away each of some sets of cards in the same sampled worlds; as `results_of_cards`.

    All sets must be as large as what the base policy puts away, so that the others get the same cards.
    """
    trump = view.trumps_named
    away = [cards_to_mask(cards, trump) for cards in options]
    return _results_of_deals(view, [trump] * len(options), away, worlds, start, base)


def results_of_suits(
    view: View, suits: Sequence[Suit], worlds: int, start: np.uint64, base: BasePolicy
) -> Results:
    """Name each of some suits trumps in the same sampled worlds; as `results_of_cards`."""
    return _results_of_deals(view, suits, [0] * len(suits), worlds, start, base)


def _results_of_deals(
    view: View, suits: Sequence[Suit], away: Sequence[int], worlds: int, start: np.uint64, base: BasePolicy
) -> Results:
    dealt = worlds_dealt(view, worlds, start)
    rows = np.concatenate([dealt.hands, dealt.one, dealt.two, dealt.rest[np.newaxis]])
    lanes = len(suits) * worlds
    declarer = view.declarer
    if declarer is None:
        raise ValueError("nobody declares yet")
    outcomes = play_lanes(
        base.tables,
        u64(mix(int(start) ^ _PLAY_STREAM)),
        rows,
        np.arange(worlds),
        np.tile(np.arange(worlds), len(suits)),
        np.full(lanes, declarer - 1),
        np.repeat([SUITS.index(suit) for suit in suits], worlds),
        base.bots,
        view.rules.packed(),
        view.seat - 1,
        np.repeat(np.array(away, dtype=np.uint64), worlds),
    )
    return _results(view, outcomes.reshape(len(suits), worlds))


def _results(view: View, outcomes: NDArray[np.int64]) -> Results:
    """What the own team scores, less the mean of the others, times their number, by who won the points."""
    rules, bid = view.rules, view.bid or 0
    total, own = np.zeros_like(outcomes), np.zeros_like(outcomes)
    for team in range(rules.n_teams):
        points = team_points(team)
        if view.declarer is not None and rules.team(view.declarer) == team + 1:
            points = np.where(points < bid, -bid, points)
        total += points[outcomes]
        if team == view.team - 1:
            own = points[outcomes]
    return rules.n_teams * own - total


def _empty_column(view: View) -> Masks:
    """Column of a block before the exchange: declarer and bid."""
    if view.declarer is None:
        raise ValueError("nobody declares yet")
    column = np.zeros(ROWS, dtype=np.uint64)
    column[DECLARER // B] = view.declarer - 1
    column[BID // B] = view.bid or 0
    return column


def _column_of(view: View) -> tuple[Masks, int]:
    """Column of a block when a seat is to play, and its place after the leader."""
    if view.leader is None or view.declarer is None:
        raise ValueError("no trick is on")
    trump, rules = view.trumps_named, view.rules
    column = _empty_column(view)

    def put(row: int, value: int) -> None:
        column[row // B] = value

    put(TRUMP, _TRUMP_COLUMN)
    put(LEADER, view.leader - 1)
    put(PLACE, (view.declarer - view.leader) % 6)
    taken = [0] * 3
    for _, cards, winner in view.tricks:
        taken[rules.team(winner) - 1] |= cards_to_mask(cards, trump)
    put(SEEN, taken[0] | taken[1] | taken[2])
    for team in range(3):
        put(TAKEN[team], taken[team])
    if view.tricks:
        voids = voids_shown(view, finished=True)
        put(
            VOIDS,
            sum((voids[seat] >> 4 + suit & 1) << (8 * suit + seat) for seat in range(6) for suit in range(4)),
        )
    for place, card in enumerate(view.trick):
        put(CARDS[place], cards_to_mask([card], trump))
    if view.trick:
        winner = winning_place(view.trick, trump)
        led, best = (cards_to_mask([card], trump) for card in (view.trick[0], view.trick[winner]))
        put(TRICK, cards_to_mask(view.trick, trump))
        put(LED, suit_of_card(led))
        put(BEST, best | (int(LED_TRUMP) if best & int(TRUMPS) else 0))
        put(WINNER, winner)
    return column, len(view.trick)


@Entry
def _play_cards(
    w: Any,
    tables: Any,
    column: Any,
    rows: Any,
    values: Any,
    options: Any,
    trick: int,
    place: int,
    start: Any,
    bots: Any,
    rules: Any,
    outcomes: Any,
) -> None:
    """Lay each option in each world, and play on. Fills outcomes [options, worlds]: who won the points."""
    worlds = values.shape[1]
    lanes = options.size * worlds
    for first in range(0, lanes, B):
        _lay_out(w, column, rows, values, start, first)
        for b in range(B):
            card = options[min(first + b, lanes - 1) // worlds]
            if place == 0:
                lay_lead(w, b, card)
            else:
                lay(w, b, place, card)
        play_on(w, tables, trick, place + 1, bots, rules)
        for later in range(trick + 1, 6):
            pass_the_lead(w)
            play_on(w, tables, later, 0, bots, rules)
        score(w, rules)
        address_cells(w, rules)
        for b in range(min(B, lanes - first)):
            outcomes[(first + b) // worlds, (first + b) % worlds] = w[TYPE + b] % OUTCOMES


def is_ready() -> bool:
    """False if the first play-out will have to compile the kernels."""
    return _play_cards.is_ready and answers.is_ready()


@phase
def _lay_out(w: Any, column: Any, rows: Any, values: Any, start: Any, first: Any) -> None:
    """Fill a block with the position, each lane with its world."""
    worlds = values.shape[1]
    for row in range(column.size):
        for b in range(B):
            w[row * B + b] = column[row]
    for i in range(rows.size):
        for b in range(B):
            w[rows[i] + b] = values[i, (first + b) % worlds]
    for b in range(B):
        w[BASE + b] = deal_base(start, u64((first + b) % worlds))
