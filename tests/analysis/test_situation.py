"""What a player knows: bad values are refused in one line, the rest is put in the kernels' terms."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.analysis.situation import AdviceError, make_situation
from schmier_sim.game.cards import DECK, cards_of, in_order
from schmier_sim.game.laws import legal_bids, may_pass
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import LOWEST_SCORE
from schmier_sim.game.symmetry import RELABELLINGS, relabel
from schmier_sim.kernel.unseen import Condition

HAND = ("AS", "KS", "JC", "2S", "10H", "9D")
STANDARD = Rules()
HOUSES = [
    STANDARD,
    Rules(dealer_steals=True),
    Rules(all_pass="dealer-bids-3"),
    Rules(teams="2x3", dealer_steals=True),
]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hand": ("AS", "1S", *HAND[2:])}, "1S is no card: write cards such as AS, 10D or Jo"),
        ({"hand": ("as", *HAND[1:])}, "as is no card: write cards such as AS, 10D or Jo"),
        ({"hand": ("AS", "AS", *HAND[2:])}, "AS is there twice: there is only one in the pack"),
        ({"hand": ("Jo", "Jo", *HAND[2:])}, "Jo is there twice: there is only one in the pack"),
        ({"hand": HAND[:5]}, "5 cards where 6 are wanted: such as AS KS JC 2S 10H 9D"),
        ({"hand": (*HAND, "3H")}, "7 cards where 6 are wanted: such as AS KS JC 2S 10H 9D"),
        ({"hand": ()}, "0 cards where 6 are wanted: such as AS KS JC 2S 10H 9D"),
        ({"seat": 0}, "there is no seat 0: 1, left of the dealer, to 6, the dealer"),
        ({"seat": 7}, "there is no seat 7: 1, left of the dealer, to 6, the dealer"),
        ({"seat": -1}, "there is no seat -1: 1, left of the dealer, to 6, the dealer"),
        (
            {"seat": 3, "auction": [None]},
            "1 call before seat 3: give one for each seat before it, such as p p",
        ),
        (
            {"seat": 2, "auction": []},
            "0 calls before seat 2: give one for each seat before it, such as p",
        ),
        (
            {"seat": 1, "auction": [None]},
            "1 call before seat 1, which calls first: leave them out",
        ),
        ({"seat": 2, "auction": [2]}, "seat 1 cannot bid 2: it can pass or bid 3, 4, 5, 6"),
        ({"seat": 2, "auction": [7]}, "seat 1 cannot bid 7: it can pass or bid 3, 4, 5, 6"),
        ({"seat": 2, "auction": [0]}, "seat 1 cannot bid 0: it can pass or bid 3, 4, 5, 6"),
        ({"seat": 4, "auction": [None, 4, 3]}, "seat 3 cannot bid 3: it can pass or bid 5, 6"),
        ({"seat": 4, "auction": [5, None, 5]}, "seat 3 cannot bid 5: it can pass or bid 6"),
        (
            {"seat": 4, "auction": [3, 6, None]},
            "nobody calls after a bid of 6: leave out what follows call 2",
        ),
        (
            {"seat": 3, "auction": [3, 6]},
            "after a bid of 6 nobody is asked any more: lower the last call, such as 5",
        ),
        ({"scores": (1, 2)}, "2 scores for 3 teams: give one for each, such as 14,9,18"),
        ({"scores": ()}, "0 scores for 3 teams: give one for each, such as 14,9,18"),
        (
            {"scores": (1, 2, 3), "rules": Rules(teams="2x3")},
            "3 scores for 2 teams: give one for each, such as 14,9",
        ),
        (
            {"scores": (0, 21, 0)},
            "score 21 is out of range: -200 to 20, as a match ends at 21",
        ),
        (
            {"scores": (0, 0, 5), "rules": Rules(target=5)},
            "score 5 is out of range: -200 to 4, as a match ends at 5",
        ),
        (
            {"scores": (-201, 0, 0)},
            "score -201 is out of range: -200 to 20, as a match ends at 21",
        ),
        ({"bots": "clever"}, "there is no bot 'clever': choose random or simple or club"),
        ({"bots": "search"}, "there is no bot 'search': choose random or simple or club"),
        (
            {"tempers": "angry"},
            "there is no temper 'angry': choose normal or cautious or bold or mixed",
        ),
    ],
)
def test_bad_values_are_refused_in_one_line_that_names_them(change, message):
    with pytest.raises(AdviceError) as refusal:
        make_situation(**({"hand": HAND, "seat": 1} | change))
    assert str(refusal.value) == message


def test_what_is_left_out_is_passes_no_points_and_the_standard_rules():
    situation = make_situation(HAND[::-1], 4)
    assert situation.hand == in_order(HAND)
    assert situation.auction == (None, None, None)
    assert situation.scores == (0, 0, 0)
    assert (situation.rules, situation.bots, situation.tempers) == (STANDARD, "club", "mixed")
    assert situation.heeds_calls
    assert make_situation(HAND, 1, rules=Rules(teams="2x3")).scores == (0, 0)
    assert make_situation(HAND, 1, scores=(20, LOWEST_SCORE, 0)).scores == (20, -200, 0)


@pytest.mark.parametrize("rules", HOUSES, ids=["standard", "steals", "bids 3", "two teams"])
def test_options_are_the_calls_that_the_laws_allow(rules):
    for auction in product((None, 3, 4, 5), repeat=5):
        bids = [call for call in auction if call is not None]
        if bids != sorted(set(bids)):
            continue
        for seat in (4, 6):
            before = auction[: seat - 1]
            situation = make_situation(HAND, seat, before, rules=rules)
            calls = tuple(enumerate(before, start=1))
            assert situation.calls == calls
            passes = (None,) if may_pass(seat, calls, rules) else ()
            assert situation.options == passes + legal_bids(seat, calls, rules)


@pytest.mark.parametrize(
    ("seat", "auction", "rules", "options"),
    [
        (1, [], STANDARD, (None, 3, 4, 5, 6)),
        (3, [None, 4], STANDARD, (None, 5, 6)),
        (6, [None, None, 5, None, None], STANDARD, (None, 6)),
        (6, [None, None, 5, None, None], Rules(dealer_steals=True), (None, 5, 6)),
        (5, [None, None, 5, None], Rules(dealer_steals=True), (None, 6)),
        (6, [None] * 5, Rules(all_pass="dealer-bids-3"), (3, 4, 5, 6)),
        (6, [None, 3, None, None, None], Rules(all_pass="dealer-bids-3"), (None, 4, 5, 6)),
        (5, [None] * 4, Rules(all_pass="dealer-bids-3"), (None, 3, 4, 5, 6)),
    ],
)
def test_what_a_seat_may_call(seat, auction, rules, options):
    assert make_situation(HAND, seat, auction, rules=rules).options == options


@pytest.mark.parametrize(
    ("auction", "standing"),
    [([], (0, 0)), ([None], (0, 0)), ([3], (3, 0)), ([None, 3, 5, None], (5, 2)), ([3, None, None], (3, 0))],
)
def test_the_standing_bid_and_who_holds_it(auction, standing):
    assert make_situation(HAND, len(auction) + 1, auction).standing == standing


def test_conditions_ask_of_each_seat_its_own_call_in_its_own_state_of_the_auction():
    situation = make_situation(HAND, 6, [None, 3, None, 5, None])
    assert situation.conditions() == (
        Condition(0, 0, 0, 0, 0),
        Condition(1, 0, 0, 3, 3),
        Condition(2, 3, 1, 0, 0),
        Condition(3, 3, 1, 5, 5),
        Condition(4, 5, 3, 0, 0),
    )
    assert situation.knowledge().conditions == situation.conditions()
    assert make_situation(HAND, 6, [None, 3, None, 5, None], heeds_calls=False).knowledge().conditions == ()
    assert make_situation(HAND, 1).conditions() == ()


@pytest.mark.parametrize(
    ("call", "ladder"),
    [
        (3, [(3, 3), (3, 6), None, None]),
        (4, [(4, 4), (4, 6), (3, 6), None, None]),
        (5, [(5, 5), (5, 6), (4, 6), (3, 6), None]),
        (None, [(0, 0), None, None]),
    ],
)
def test_conditions_are_weakened_step_by_step_until_nothing_is_asked(call, ladder):
    """First a higher bid will do as well, then one that is so much lower, at last any bid; then anything."""
    situation = make_situation(HAND, 3, [None, call])
    for weaker, bounds in enumerate(ladder):
        first, *second = situation.conditions((0, weaker))
        assert first == Condition(0, 0, 0, 0, 0)
        assert [(one.least, one.most) for one in second] == ([] if bounds is None else [bounds])
        assert situation.knowledge(slack=(0, weaker)).conditions == (first, *second)
    assert situation.conditions((1,)) == situation.conditions()[1:]


hands = st.lists(st.sampled_from(DECK), unique=True, min_size=6, max_size=6)


@given(hands, st.sampled_from(RELABELLINGS))
def test_hands_that_are_alike_are_the_same_to_the_kernels(cards, suits):
    one = make_situation(cards, 2)
    other = make_situation([relabel(card, suits) for card in cards], 2)
    assert one.knowledge() == other.knowledge()
    mask = int(one.knowledge().hand)
    assert set(cards_of(mask)) == {relabel(card, one.relabelling) for card in cards}


def test_a_swap_is_told_in_the_kernels_suits():
    situation = make_situation(["2D", "AC", "KC", "3C", "QD", "4D"], 1)
    known = situation.knowledge(("3C", "Jo"))
    assert cards_of(int(known.give)) == (relabel("3C", situation.relabelling),)
    assert cards_of(int(known.take)) == ("Jo",)
    assert int(known.give & known.hand)
    assert not int(known.take & known.hand)
    assert int(situation.knowledge().give) == int(situation.knowledge().take) == 0
