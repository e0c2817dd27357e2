"""Cards that a seat cannot see do not change what it does: the phases of the kernels with hidden cards exchanged.

A whole block is played twice from the same moment, the second time with two hidden cards exchanged. A seat must decide
alike wherever it has seen the same before; the seats before it in turn may decide otherwise, so not all deals count.
"""

import numpy as np
import pytest

from schmier_sim.game.rules import Rules
from schmier_sim.kernel.auction import auction, name_trumps
from schmier_sim.kernel.block import AWAY, CALLS, CARDS, DECLARER, DRAWN, HANDS, ONE, ROWS, TRUMP, TWO, B
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.bots.club_bids import POINT_CURVES
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.exchange import exchange, turn_to_trumps
from schmier_sim.kernel.jit import DISABLED
from schmier_sim.kernel.play import pass_the_lead, play_on, sit_down
from schmier_sim.kernel.simulate import bot_codes, logged_blocks
from tests.kernel.table import EXCHANGED, STANDARD, WAYS, setup_of

pytestmark = [
    pytest.mark.jitless,
    pytest.mark.skipif(not DISABLED, reason="single phases are called without the compiler only"),
]

HOUSE = Rules(teams="2x3", low_to="taker", trump_anytime=True, all_pass="dealer-bids-3")
NONE = np.uint64(0)


def blocks(bots, rules, way=WAYS[0]):
    """Workspaces [phase, rows] of one block, whole and as the phases want them."""
    (log,) = logged_blocks(setup_of(way, bots, seed=99, rules=rules), 6000, B)
    return [np.ascontiguousarray(log[phase]).reshape(ROWS * B) for phase in range(len(log))]


def row(w, some):
    """One row of a workspace, as a view."""
    return w[some : some + B]


def some_card(masks, rng):
    """One card of each mask, any; none of an empty one."""
    noise = rng.random((64, len(masks)))
    held = masks >> np.arange(64, dtype=np.uint64)[:, np.newaxis] & np.uint64(1)
    card = np.uint64(1) << np.where(held, noise, -1).argmax(axis=0).astype(np.uint64)
    return np.where(masks > 0, card, NONE)


def exchange_cards(w, one, other, rng, keep=NONE, keep_other=NONE):
    """Exchange a card between two rows, in place, where both have one besides those to keep."""
    first = some_card(row(w, one) & ~keep, rng)
    second = some_card(row(w, other) & ~keep_other, rng)
    both = np.where((first > 0) & (second > 0), first | second, NONE)
    row(w, one)[:] ^= both
    row(w, other)[:] ^= both
    return both > 0


def alike(w, other, some):
    """Deals in which some rows of two workspaces are equal."""
    return np.all([row(w, at) == row(other, at) for at in some], axis=0)


def others(seat, rng):
    """Two seats or places besides one."""
    return rng.permutation([at for at in range(6) if at != seat])[:2]


@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("rules", [STANDARD, HOUSE], ids=["standard", "house"])
def test_calls_and_trumps_do_not_depend_on_hidden_cards(bots, rules):
    rng = np.random.default_rng(1)
    dealt, decided = blocks(bots, rules, WAYS[2])[: EXCHANGED + 1]
    for seat in range(6):
        w = dealt.copy()
        one, other = others(seat, rng)
        assert exchange_cards(w, HANDS[one], HANDS[other], rng).all()
        exchange_cards(w, HANDS[other], TWO[seat % 5], rng)
        exchange_cards(w, HANDS[one], ONE[seat % 5], rng)
        auction(w, bot_codes(bots), POINT_CURVES, rules.packed())
        same = alike(w, decided, CALLS[:seat])
        assert same.mean() > 0.5
        assert alike(w, decided, [CALLS[seat]])[same].all()
        name_trumps(w, bot_codes(bots), rules.packed())
        declares = alike(w, decided, [DECLARER]) & (row(w, DECLARER) == seat)
        assert alike(w, decided, [TRUMP])[declares].all()


@pytest.mark.parametrize("bots", BOT_NAMES)
def test_cards_put_away_do_not_depend_on_hidden_cards(bots):
    rng = np.random.default_rng(2)
    dealt, decided = blocks(bots, STANDARD)[: EXCHANGED + 1]
    for seat in range(6):
        w = dealt.copy()
        row(w, TRUMP)[:] = row(decided, TRUMP)
        for _ in range(3):
            one, other = others(seat, rng)
            exchange_cards(w, HANDS[one], HANDS[other], rng)
        for stock in (ONE[:5], TWO[:5]) if seat < 5 else ():
            exchange_cards(w, HANDS[one], stock[seat], rng)
        turn_to_trumps(w)
        exchange(w, club_tables(), bot_codes(bots), STANDARD.packed())
        # The dealer sees what the others leave him, and with it how many cards they drew.
        same = alike(w, decided, [DRAWN[5]] if seat == 5 else [])
        assert same.mean() > 0.1
        assert alike(w, decided, [AWAY[seat]])[same].all()


@pytest.mark.parametrize("bots", BOT_NAMES)
@pytest.mark.parametrize("rules", [STANDARD, HOUSE], ids=["standard", "house"])
def test_cards_played_do_not_depend_on_hidden_cards(bots, rules):
    rng = np.random.default_rng(3)
    logged = blocks(bots, rules)
    for trick in range(6):
        before, after = logged[EXCHANGED + trick], logged[EXCHANGED + trick + 1]
        for place in range(6):
            w = before.copy()
            if trick == 0:
                sit_down(w)
            pass_the_lead(w)
            one, other = others(place, rng)
            hidden = (HANDS if (trick + place) % 2 else AWAY)[other]
            keep = row(after, CARDS[other]) if hidden in HANDS else NONE
            exchange_cards(w, HANDS[one], hidden, rng, row(after, CARDS[one]), keep)
            play_on(w, club_tables(), trick, 0, bot_codes(bots), rules.packed())
            same = alike(w, after, CARDS[:place])
            assert same.mean() > 0.1
            assert alike(w, after, [CARDS[place]])[same].all()
