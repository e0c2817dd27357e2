"""How the tables of `club` are made: what is fitted is what was put in, and forced auctions are auctions."""

import numpy as np
import pytest

from schmier_sim.analysis.bidding import PASSED, RELATIVE, Stand, Sums, fit_curves, smooth_chances
from schmier_sim.analysis.bidtable import drift, first_curves, margin_for
from schmier_sim.game import club_bids
from schmier_sim.game.club_bids import BIDS, CALLS, KNOT, KNOTS, N_STATES, OFFSET, UNIT
from schmier_sim.game.holdings import HOLDINGS
from schmier_sim.kernel.bots.club_bids import HAND_VALUES
from schmier_sim.kernel.forced import ILLEGAL, Table
from schmier_sim.kernel.simulate import Setup, deal_types

SHIPPED = club_bids.bidding()
CURVES = np.array(SHIPPED.curves, np.int64).reshape(N_STATES, len(CALLS), KNOTS)


def some_hands(n=2000, seed=1):
    """States and falling values of hands that there might be."""
    rng = np.random.default_rng(seed)
    held = np.sort(rng.integers(0, 15_000, (n, 4)), axis=1)[:, ::-1]
    return Stand(rng.integers(0, N_STATES, n), held.astype(np.int64))


def test_chances_of_many_deals_are_as_counted_and_of_none_as_their_neighbour():
    counts = np.zeros((len(HOLDINGS), 4, 3, 7), np.int64)
    counts[...] = [10, 20, 30, 20, 10, 5, 5]
    counts *= 100_000
    counts[:, 3] = 0
    chances = smooth_chances(counts)
    assert (chances == [1000, 2000, 3000, 2000, 1000, 500, 500]).all()


def test_chances_add_up_whatever_was_counted():
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 50, (len(HOLDINGS), 4, 3, 7)) * (rng.random((len(HOLDINGS), 4, 3, 1)) < 0.5)
    counts[:, 0, 2] += 1
    chances = smooth_chances(counts)
    assert (chances.sum(axis=-1) == UNIT).all()
    assert chances.min() >= 0


def sums_of(function, deals, seed=3):
    """Sums as if each call had brought a function of the hand's value (points), and some luck."""
    rng = np.random.default_rng(seed)
    sums = Sums.empty()
    for state in range(N_STATES):
        for call in range(len(CALLS)):
            value = rng.integers(0, 15_000, deals)
            won = function(value / 1000) + rng.normal(0, 1, deals)
            knot, beyond = np.divmod(value, KNOT)
            far = beyond / KNOT
            for step, weight in ((0, 1 - far), (1, far)):
                np.add.at(sums.near[state, call], knot + step, weight**2)
                np.add.at(sums.won[state, call], knot + step, weight * won)
            np.add.at(sums.both[state, call], knot, far * (1 - far))
            sums.deals[state, call] += deals
    return sums


@pytest.mark.parametrize(
    ("function", "rises"),
    [(lambda x: 0.8 * x - 5, True), (lambda x: x**2 / 30 - 4, True), (lambda x: 1 - x / 9, False)],
)
def test_a_curve_is_what_calls_have_brought_but_never_falls(function, rises):
    curves = fit_curves(sums_of(function, 20_000))
    assert (np.diff(curves, axis=-1) >= 0).all()
    if rises:
        at = np.arange(4, 55) * KNOT
        wanted = 1000 * function(at / 1000) + OFFSET
        assert np.abs(curves[..., 4:55] - wanted).max() < 150


def test_calls_weighed_all_at_once_are_those_of_the_twin():
    hands = some_hands()
    brings = hands.brings(CURVES)
    for state, held, found in zip(hands.states.tolist(), hands.held.tolist(), brings.tolist(), strict=True):
        wanted = club_bids.call_values(state, held)
        kind = state % club_bids.STATES_OF_SEAT
        high = (kind - 1) // 2 + 3 if kind else 0
        legal = [True, *(bid > high for bid in BIDS)]
        assert found == [value if may else -np.inf for value, may in zip(wanted, legal, strict=True)]


def test_nothing_drifts_between_equal_curves():
    found = drift(some_hands(), CURVES, CURVES)
    assert (found.changed, found.value, found.gain) == (0, 0, 0)
    assert drift(some_hands(), first_curves(), CURVES).changed > 0.01


def test_margins_make_bids_rarer_or_more_frequent_by_what_is_wanted():
    hands = some_hands(20_000)

    def bids(margin):
        brings = hands.brings(CURVES)
        return (brings[:, 1:].max(axis=1) + margin > brings[:, 0]).sum()

    for share in (0.75, 1.25):
        assert bids(margin_for(hands, CURVES, share)) == pytest.approx(share * bids(0), rel=0.02)


def test_relative_points_cancel_out():
    assert (RELATIVE.sum(axis=1) == 0).all()
    assert (RELATIVE[PASSED] == 0).all()


def test_forced_auctions_are_the_auctions_but_for_the_call():
    n, first = 5000, 77
    table = Table(31, HAND_VALUES, SHIPPED.curves)
    usual = deal_types(Setup(31, "auction", bots="club"), first, n)
    assert (table.play(first, n)[2] == usual).all()
    for seat in (0, 3, 5):
        made = np.zeros(n, bool)
        states, held, _ = table.play(first, n, seat)
        brings = Stand(states.astype(np.int64), held.astype(np.int64)).brings(CURVES)
        best = np.array(CALLS)[brings.argmax(axis=1)]
        for call in CALLS:
            types = table.play(first, n, seat, call)[2]
            asked = types != ILLEGAL
            same = asked & (best == call)
            assert (types[same] == usual[same]).all()
            made |= same
            high = (states % club_bids.STATES_OF_SEAT + 5) // 2 * (states % club_bids.STATES_OF_SEAT > 0)
            beaten = (call > 0) & ((call < high) | ((call == high) & (seat < 5)))
            assert not asked[beaten].any()
        assert made.mean() > 0.98  # who is not asked after a bid of 6 makes no call
