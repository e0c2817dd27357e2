"""What `club` bids: its tables are whole, its values follow from the rules, and better hands do not bid less."""

import hashlib
import json
import lzma
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from schmier_sim.game import club_bids, club_bot
from schmier_sim.game.cards import DECK, SUITS, in_order
from schmier_sim.game.club_bids import BIDS, CALLS, KNOTS, N_CELLS, N_POINTS, N_STATES, OFFSET, TEMPERS, UNIT
from schmier_sim.game.holdings import HOLDINGS, holding_of, parse_holding
from schmier_sim.game.laws import legal_bids, may_pass
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import deal_scores
from schmier_sim.game.view import View

STANDARD = Rules()
ALL_RULES = (STANDARD, Rules(dealer_steals=True), Rules(all_pass="dealer-bids-3"), Rules(teams="2x3"))
TABLE_ERROR = 300
"""Thousandths of a point: values of rare cells rest on some hundred deals."""

TABLES = club_bids.bidding()


@cache
def cells():
    return [TABLES.chances[N_POINTS * cell : N_POINTS * (cell + 1)] for cell in range(N_CELLS)]


def view_of(seat, hand, auction=(), rules=STANDARD, **more):
    bids, free = legal_bids(seat, auction, rules), may_pass(seat, auction, rules)
    return View(seat, rules, in_order(hand), auction, bids, free, **more)


def views(number, rules=STANDARD, seed=1):
    """Views of seats in turn, with any hands and any calls before."""
    rng = random.Random(seed)
    for n in range(number):
        seat, auction = n % 6 + 1, []
        for before in range(1, seat):
            bids = [bid for bid in legal_bids(before, auction, rules) if bid < 6]
            call = rng.choice(bids) if bids and rng.random() < 0.2 else None
            auction.append((before, call))
        yield view_of(seat, rng.sample(DECK, 6), tuple(auction), rules)


def level(call):
    return call or 0


def test_each_cell_holds_chances():
    assert all(sum(chances) == UNIT for chances in cells())


def test_curves_never_fall_and_stay_within_what_a_deal_can_bring():
    for at in range(0, N_STATES * len(CALLS) * KNOTS, KNOTS):
        curve = list(TABLES.curves[at : at + KNOTS])
        assert curve == sorted(curve)
        assert 0 <= curve[0] <= curve[-1] <= 2 * OFFSET


def test_the_files_belong_to_each_other(monkeypatch, tmp_path):
    data = bytearray(club_bids.unpacked(club_bids.PATH.read_bytes()))
    numbers = [*TABLES.chances, *TABLES.curves]
    assert club_bids.unpacked(club_bids.pack(numbers[: 7 * N_CELLS], numbers[7 * N_CELLS :])) == bytes(data)
    numbers[5] += 1
    other = tmp_path / club_bids.PATH.name
    other.write_bytes(club_bids.pack(numbers, []))
    monkeypatch.setattr(club_bids, "PATH", other)
    with pytest.raises(ValueError, match="damaged"):
        club_bids.bidding.__wrapped__()
    with pytest.raises(ValueError, match="wanted"):
        club_bids.pack(numbers, [0])


def test_values_are_the_relative_points_that_the_rules_give():
    """Three teams: the declarers win k points, the others share the rest; in two teams it would be another value."""
    rng = random.Random(2)
    for chances in rng.sample(cells(), 50):
        found = club_bids.values_of(chances)
        for value, bid in zip(found, BIDS, strict=False):
            exact = Fraction(0)
            for k, chance in enumerate(chances):
                points = dict(enumerate([1] * k + [2] * (6 - k)))
                own, second, third = deal_scores(points, 1, bid, STANDARD)
                exact += Fraction(chance, UNIT) * (own - Fraction(second + third, 2))
            assert value == (1000 * exact + OFFSET) // 1
        assert found[-1] == sum(k * chance for k, chance in enumerate(chances))


def test_a_higher_bid_is_never_worth_more():
    for chances in cells():
        values = club_bids.values_of(chances)[:-1]
        assert list(values) == sorted(values, reverse=True)


def exchanged(worse, better):
    """Classes with a trump that a better one could take the place of, and what they then are, as (number, number)."""
    for number, holding in enumerate(HOLDINGS):
        held = holding.text.split()
        if worse in held and better not in held:
            held[held.index(worse)] = better
            yield number, parse_holding(" ".join(held))


def gains(worse, better):
    """How much more declaring at 3 and at 4 is worth without plain aces: by class and role."""
    for number, other in exchanged(worse, better):
        for role in range(3):
            before, after = (
                club_bids.values_of(cells()[n * club_bids.N_ACES * club_bids.N_ROLES + role])
                for n in (number, other)
            )
            yield number, min(after[0] - before[0], after[1] - before[1])


@pytest.mark.parametrize(
    ("worse", "better"),
    [*((card, "A") for card in ("x", "10", "Q", "K")), ("x", "2"), ("x", "R"), ("L", "R")],
)
def test_a_surer_trump_is_never_worth_less(worse, better):
    found = [gain for _, gain in gains(worse, better)]
    assert len(found) > 500
    assert min(found) > -TABLE_ERROR


@pytest.mark.parametrize(("worse", "better"), [("x", "Q"), ("x", "K"), ("10", "Q"), ("Q", "K")])
def test_a_higher_trump_is_worth_more_on_average(worse, better):
    found = [(HOLDINGS[number].chance, gain) for number, gain in gains(worse, better)]
    assert sum(chance * gain for chance, gain in found) > 0


def test_a_hand_with_an_ace_of_trumps_more_does_not_bid_less():
    """The suit that it would name, with the ace in the place of a small trump, if it has one."""
    improved = 0
    for view in views(3000):
        named = club_bids.name_trumps(view)
        small = [card for card in view.hand if card[-1] == named and card[:-1] in "3456789"]
        if not small or "A" + named in view.hand:
            continue
        better = replace(
            view, hand=in_order([card for card in view.hand if card != small[0]] + ["A" + named])
        )
        assert level(club_bids.call(better)) >= level(club_bids.call(view))
        improved += 1
    assert improved > 500


def test_passing_is_right_for_nothing_and_wrong_for_nearly_everything():
    nothing = ("3S", "5H", "6H", "7C", "8D", "9D")
    everything = ("AS", "KS", "QS", "JS", "JC", "2S")
    for view in views(600):
        assert club_bids.call(replace(view, hand=nothing)) is None
        # He takes the bid from anybody, or leaves it to his partner.
        call = club_bids.call(replace(view, hand=everything))
        by_partner = any(bid and (view.seat - seat) % 3 == 0 for seat, bid in view.auction)
        assert call is not None or by_partner


def test_what_a_pass_brings_is_what_others_win_on_average():
    """A team that passes with a middling hand loses up to about a point; one whose partner has the bid wins."""
    middling = 5500
    for seat in range(1, 7):
        passed = club_bids.call_values(club_bids.state_of(seat, None, STANDARD), (middling,) * 4)[0] - OFFSET
        assert -1000 < passed < 500
    left = club_bids.call_values(club_bids.state_of(4, (1, 4), STANDARD), (middling,) * 4)[0] - OFFSET
    taken = club_bids.call_values(club_bids.state_of(4, (2, 4), STANDARD), (middling,) * 4)[0] - OFFSET
    assert left > taken + 1000


def test_tempers_are_ordered():
    cautious, normal, bold = (TEMPERS.index(name) for name in ("cautious", "normal", "bold"))
    assert TABLES.margins[cautious] < TABLES.margins[normal] == 0 < TABLES.margins[bold]
    calls = [
        [level(club_bids.call(view, name)) for view in views(3000)] for name in ("cautious", "normal", "bold")
    ]
    bids = [sum(map(bool, made)) for made in calls]
    assert bids[0] < bids[1] < bids[2]
    for low, middle, high in zip(*calls, strict=True):
        assert low in (0, middle)
        assert middle in (0, high)


def test_mixed_tempers_are_the_seats_own_word():
    view = next(views(1))
    for code, name in enumerate(TEMPERS):
        word = ((code * 2**32 + 2**31) // 3) << 32
        seen = replace(view, seat=4, word={113: word}.__getitem__)
        assert club_bids.temper_of(seen, "mixed") == code
        assert club_bids.temper_of(seen, name) == code


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: str(rules.differences()))
def test_calls_are_legal(rules):
    for view in views(1200, rules):
        call = club_bids.call(view, "bold")
        assert call in view.bids or (call is None and view.may_pass)


def test_the_dealer_bids_three_where_he_must():
    passes = tuple((seat, None) for seat in range(1, 6))
    view = view_of(6, ("3S", "5H", "6H", "7C", "8D", "9D"), passes, Rules(all_pass="dealer-bids-3"))
    assert club_bids.call(view) == 3


def test_of_equal_calls_the_lowest_and_of_equal_suits_the_first(monkeypatch):
    chances, curves = [UNIT, *[0] * 6] * N_CELLS, [OFFSET] * (N_STATES * len(CALLS) * KNOTS)
    monkeypatch.setattr(club_bids, "bidding", lambda: club_bids.Bidding(chances, curves, (0, 0, 0)))
    club_bids._values.cache_clear()
    try:
        hand = ("2D", "3D", "AH", "KC", "5C", "9S")
        assert club_bids.call(view_of(2, hand)) is None
        assert club_bids.name_trumps(view_of(2, hand)) == "S"
        passes = tuple((seat, None) for seat in range(1, 6))
        assert club_bids.call(view_of(6, hand, passes, Rules(all_pass="dealer-bids-3"))) == 3
    finally:
        club_bids._values.cache_clear()


def test_cells_and_states_have_each_their_place():
    hand = ("AS", "JC", "3S", "AH", "AD", "7D")
    cell = club_bids.cell_of(hand, "S", 1)
    assert cell == (holding_of(hand, "S") * 4 + 2) * 3 + 1
    highs = [None, *((holder, bid) for bid in (3, 4, 5) for holder in (1, 2))]
    assert [club_bids.state_of(4, high, STANDARD) for high in highs] == list(range(21, 28))
    assert [club_bids.role_of(seat, STANDARD) for seat in range(1, 7)] == [2, 2, 1, 2, 2, 0]
    assert [club_bids.role_of(seat, Rules(teams="2x3")) for seat in range(1, 7)] == [2, 1, 2, 1, 2, 0]


def test_with_no_bid_trumps_are_the_suit_of_the_most_points():
    for view in views(300):
        view = replace(view, auction=(), declarer=view.seat)
        role = club_bids.role_of(view.seat, STANDARD)
        means = [club_bids.suit_values(view.hand, suit, role)[-1] for suit in SUITS]
        assert club_bids.name_trumps(view) == SUITS[means.index(max(means))]


def test_the_tables_were_made_with_the_card_play_that_ships():
    """`scripts/bid-table` is to be run whenever the card play has changed."""
    about = json.loads(club_bids.ABOUT_PATH.read_text(encoding="utf-8"))
    assert about["weights_sha256"] == hashlib.sha256(lzma.decompress(club_bot.PATH.read_bytes())).hexdigest()
