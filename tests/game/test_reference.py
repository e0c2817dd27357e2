"""The reference engine: deals laid out by hand, and what must hold in every deal under every rule."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import DECK, MATE, POINTS, card_points, in_order, suit_of, trump_order
from schmier_sim.game.dealing import Dealt, deal_cards
from schmier_sim.game.laws import IllegalMove, winning_place
from schmier_sim.game.record import DealRecord
from schmier_sim.game.reference import Table, play_deal, play_table
from schmier_sim.game.rules import CHOICES, FLAGS, Rules, load_rules, ruleset_names

STANDARD = Rules()


class Script:
    """A bot that calls what it is told, keeps its cards, and plays the first legal card of a wish list."""

    def __init__(self, calls=(), trump="S", wishes=(), exchange: Callable | None = None):
        self.calls, self.suit, self.wishes, self.put_away = (
            dict(enumerate(calls, start=1)),
            trump,
            wishes,
            exchange,
        )

    def trump(self, _view):
        return self.suit

    def bid(self, view):
        return self.calls.get(view.seat)

    def exchange(self, view):
        if self.put_away is not None:
            return self.put_away(view)
        plain = [card for card in view.hand if suit_of(card, view.trump) != view.trump]
        return tuple(plain[: max(0, len(view.hand) - 6)])

    def play(self, view):
        return next((card for card in self.wishes if card in view.legal), view.legal[-1])


def lay_out(*hands):
    """Lay the hands of seats 1 to 5 on the table; the dealer and the stock get the rest of the pack."""
    named = [tuple(hand.split()) for hand in hands]
    rest = [card for card in DECK if card not in {card for hand in named for card in hand}]
    dealt = Dealt(
        hands=(*(in_order(hand) for hand in named), in_order(rest[:6])),
        singles=tuple(rest[6:11]),
        pairs=tuple(in_order(rest[11 + 2 * i : 13 + 2 * i]) for i in range(5)),
        rest=in_order(rest[21:]),
    )
    assert len(rest) == 23
    return dealt


TOP_HAND = "AS KS QS JS JC 10S"
TWO_WITH_PARTNER = lay_out(
    TOP_HAND, "9S 8S Jo 3H 4H 5H", "7S 6S 3D 4D 5D 6D", "2S 6H 7H 8H 9H 10H", "5S 4S 3S 3C 4C 5C"
)
TWO_WITH_OPPONENT = lay_out(
    TOP_HAND, "9S 8S 2S 3H 4H 5H", "7S 6S 3D 4D 5D 6D", "Jo 6H 7H 8H 9H 10H", "5S 4S 3S 3C 4C 5C"
)
FROM_THE_TOP = tuple(TOP_HAND.split())


def play_by_hand(dealt, rules=STANDARD, bot=None, **how):
    return play_table(Table(dealt, rules), bot or Script(wishes=FROM_THE_TOP), **how)


def test_all_top_trumps_and_partners_two_make_six():
    record = play_by_hand(TWO_WITH_PARTNER, bot=Script(calls=(6,), wishes=FROM_THE_TOP))
    assert record.auction == ((1, 6),)
    assert (record.declarer, record.bid, record.trump) == (1, 6, "S")
    assert [trick[2] for trick in record.tricks] == [1] * 6
    assert [trick[1][0] for trick in record.tricks] == list(FROM_THE_TOP)
    assert record.points == dict.fromkeys(POINTS, 1)
    assert record.scores == (6, 0, 0)


def test_an_opponents_two_sets_a_six_and_still_scores_for_him():
    record = play_by_hand(TWO_WITH_OPPONENT, bot=Script(calls=(6,), wishes=FROM_THE_TOP))
    assert record.points == {"high": 1, "low": 2, "right": 1, "left": 1, "joker": 1, "game": 1}
    assert record.scores == (-6, 1, 0)


def test_an_opponents_two_is_won_where_low_goes_to_the_taker():
    rules = Rules(low_to="taker")
    record = play_by_hand(TWO_WITH_OPPONENT, rules, Script(calls=(6,), wishes=FROM_THE_TOP))
    assert record.scores == (6, 0, 0)


def test_without_an_auction_scores_are_the_points_won():
    record = play_by_hand(TWO_WITH_OPPONENT, declarer=1)
    assert (record.auction, record.bid, record.redeal) == ((), None, False)
    assert record.scores == (5, 1, 0)


def test_first_lead_must_be_a_trump_by_house_rule():
    heart = Script(wishes=("6H", "10H", *FROM_THE_TOP))
    assert play_by_hand(TWO_WITH_PARTNER, bot=heart, declarer=4).tricks[0][1][0] == "6H"
    rules = Rules(first_lead="trump")
    assert play_by_hand(TWO_WITH_PARTNER, rules, heart, declarer=4).tricks[0][1][0] == "2S"


def test_the_declarer_leads_then_each_winner():
    record = play_by_hand(TWO_WITH_PARTNER, bot=Script(wishes=("2S", *FROM_THE_TOP)), declarer=4)
    assert record.tricks[0] == (4, ("2S", "3S", record.tricks[0][1][2], "AS", "Jo", "6S"), 1)
    assert record.tricks[1][0] == 1


def test_the_highest_bidder_declares():
    record = play_by_hand(TWO_WITH_PARTNER, bot=Script(calls=(3, None, 4, None, 5, None)))
    assert record.auction == ((1, 3), (2, None), (3, 4), (4, None), (5, 5), (6, None))
    assert (record.declarer, record.bid) == (5, 5)


def test_dealer_takes_the_bid_over_by_house_rule_only():
    bot = Script(calls=(None, 4, None, None, None, 4))
    with pytest.raises(IllegalMove, match="seat 6 may not call 4"):
        play_by_hand(TWO_WITH_PARTNER, bot=bot)
    record = play_by_hand(TWO_WITH_PARTNER, Rules(dealer_steals=True), bot)
    assert (record.declarer, record.bid) == (6, 4)


@pytest.mark.parametrize("all_pass", ["redeal", "next-dealer"])
def test_a_passed_out_deal_is_not_played(all_pass):
    record = play_by_hand(TWO_WITH_PARTNER, Rules(all_pass=all_pass), Script())
    assert record.auction == tuple((seat, None) for seat in range(1, 7))
    assert record.redeal
    assert (record.declarer, record.bid, record.trump, record.exchange, record.tricks) == (
        None,
        None,
        None,
        (),
        (),
    )
    assert record.points == dict.fromkeys(POINTS)
    assert (record.game_points, record.scores) == ((0, 0, 0), (0, 0, 0))
    threes = [card for seat in range(1, 6) for card in TWO_WITH_PARTNER.drawn(seat, 3)]
    assert record.stock == (*threes, *TWO_WITH_PARTNER.rest)


def test_dealer_may_not_pass_out_a_deal_by_house_rule():
    with pytest.raises(IllegalMove, match="seat 6 may not call None"):
        play_by_hand(TWO_WITH_PARTNER, Rules(all_pass="dealer-bids-3"), Script())


def test_seats_draw_what_they_put_away_and_the_dealer_takes_the_rest():
    def put_away(view):
        plain = [card for card in view.hand if suit_of(card, "S") != "S"]
        return tuple(plain[: len(view.hand) - 6 if view.seat == 6 else view.seat - 2 if view.seat > 2 else 0])

    record = play_by_hand(TWO_WITH_PARTNER, bot=Script(exchange=put_away), declarer=1)
    drawn = [drawn for _, _, drawn in record.exchange]
    assert [len(cards) for cards in drawn] == [0, 0, 1, 2, 3, 11]
    assert [len(discards) for _, discards, _ in record.exchange] == [0, 0, 1, 2, 3, 11]
    assert record.stock == tuple(card for cards in drawn for card in cards)
    assert set(record.stock) == {
        card for card in DECK if card not in {c for hand in record.hands for c in hand}
    }


def test_cards_put_away_count_for_nobody():
    record = play_by_hand(TWO_WITH_PARTNER, declarer=1)
    away = [card for _, discards, _ in record.exchange for card in discards]
    assert sum(card_points(card) for card in away) > 0
    assert sum(record.game_points) + sum(card_points(card) for card in away) == 81


def test_broken_rules_are_refused():
    class Cheat(Script):
        def play(self, view):
            return next(card for card in DECK if card not in view.legal)

    with pytest.raises(IllegalMove, match="may not play"):
        play_by_hand(TWO_WITH_PARTNER, bot=Cheat(), declarer=1)
    with pytest.raises(IllegalMove, match="no suit"):
        play_by_hand(TWO_WITH_PARTNER, bot=Script(trump="N"), declarer=1)
    with pytest.raises(IllegalMove, match="seat 1"):
        play_by_hand(TWO_WITH_PARTNER, bot=Script(exchange=lambda _: ("AS",)), declarer=1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"seed": -1},
        {"seed": 2**63},
        {"index": -1},
        {"index": 2**56},
        {"mode": "watch"},
        {"sample": "odd"},
        {"mode": "auction", "sample": "stratified"},
        {"bots": (BOTS["simple"], BOTS["random"])},
    ],
)
def test_impossible_deals_are_refused(arguments):
    wanted = {"seed": 1, "index": 0, "rules": STANDARD, "bots": BOTS["random"]} | arguments
    with pytest.raises(ValueError, match=r"out of range|no mode|2 bots for 3 teams"):
        play_deal(**wanted)


def test_json_has_the_documented_shape():
    assert [field.name for field in fields(DealRecord)] == [
        *("hands", "stock", "auction", "redeal", "declarer", "bid", "trump"),
        *("exchange", "tricks", "points", "game_points", "scores"),
    ]
    record = play_deal(1, 3, STANDARD, BOTS["simple"], "auction")
    data = record.to_json(1, 3, "standard")
    assert set(data) == {"seed", "index", "rules", "schema", *(field.name for field in fields(record))}
    assert (data["schema"], data["seed"], data["index"]) == ("schmier-sim/deal/1", 1, 3)
    assert data["rules"] == "standard"
    assert json.loads(json.dumps(data)) == data
    assert list(data["hands"]) == ["1", "2", "3", "4", "5", "6"]
    assert data["hands"]["2"] == list(record.hands[1])
    assert data["auction"][0] == {"seat": 1, "bid": record.auction[0][1]}
    assert list(data["exchange"][5]) == ["seat", "discards", "drawn"]
    assert list(data["tricks"][0]) == ["leader", "cards", "winner"]
    assert list(data["points"]) == list(POINTS)
    assert list(data["scores"]) == list(data["game_points"]) == ["1", "2", "3"]


any_rules = st.builds(
    Rules,
    **{key: st.sampled_from(words) for key, words in CHOICES.items() if key != "endgame"},
    **{key: st.booleans() for key in FLAGS},
)
any_way = st.sampled_from([("declare", "natural"), ("declare", "stratified"), ("auction", "natural")])
any_bots = st.sampled_from(["random", "simple", "mixed"])


def bots_for(name, rules):
    return (
        BOTS[name] if name != "mixed" else (BOTS["simple"], BOTS["random"], BOTS["simple"])[: rules.n_teams]
    )


@settings(max_examples=300)
@given(st.integers(0, 2**63 - 1), st.integers(0, 2**56 - 1), any_rules, any_bots, any_way)
def test_every_deal_keeps_the_rules(seed, index, rules, bots, way):
    record = play_deal(seed, index, rules, bots_for(bots, rules), *way)
    assert record == play_deal(seed, index, rules, bots_for(bots, rules), *way)
    check_pack(record)
    if record.redeal:
        assert way[0] == "auction"
        assert rules.all_pass != "dealer-bids-3"
        return
    check_exchanges(record)
    check_tricks(record, rules)
    check_points(record, rules)


def check_pack(record):
    assert sorted([card for hand in record.hands for card in hand] + list(record.stock)) == sorted(DECK)
    assert all(hand == in_order(hand) and len(hand) == 6 for hand in record.hands)
    assert len(record.stock) == 17


def held(record, seat):
    """Cards that a seat holds after the exchange."""
    _, discards, drawn = record.exchange[seat - 1]
    return (set(record.hands[seat - 1]) | set(drawn)) - set(discards)


def check_exchanges(record):
    trumps = set(trump_order(record.trump))
    assert [seat for seat, _, _ in record.exchange] == [1, 2, 3, 4, 5, 6]
    for seat, discards, drawn in record.exchange:
        assert len(discards) == len(drawn)
        assert len(held(record, seat)) == 6
        away = trumps.intersection(discards)
        if seat < 6:
            assert not away
            assert len(discards) <= 3
    excess = trumps.intersection(record.hands[5] + record.exchange[5][2])
    assert len(away) == max(0, len(excess) - 6)
    assert not away & {
        "A" + record.trump,
        "J" + record.trump,
        "J" + MATE[record.trump],
        "2" + record.trump,
        "Jo",
    }
    in_play = {card for _, cards, _ in record.tricks for card in cards}
    assert trumps - in_play == away


def check_tricks(record, rules):
    leader = record.declarer
    hands = {seat: held(record, seat) for seat in range(1, 7)}
    for number, (led_by, cards, winner) in enumerate(record.tricks):
        assert led_by == leader
        led = suit_of(cards[0], record.trump)
        for place, card in enumerate(cards):
            seat = (leader + place - 1) % 6 + 1
            assert card in hands[seat]
            suits = {suit_of(other, record.trump) for other in hands[seat]}
            suit = suit_of(card, record.trump)
            if place:
                ruff = rules.trump_anytime and suit == record.trump
                assert suit == led or led not in suits or ruff
            elif number == 0 and rules.first_lead == "trump" and record.trump in suits:
                assert suit == record.trump
            hands[seat].remove(card)
        leader = (leader + winning_place(cards, record.trump) - 1) % 6 + 1
        assert winner == leader
    assert len(record.tricks) == 6
    assert not any(hands.values())


def check_points(record, rules):
    points, team = record.points, rules.team
    seats = {seat: held(record, seat) for seat in range(1, 7)}
    assert set(points) == set(POINTS)
    assert all(points[point] is not None for point in POINTS[:5])
    sure = {"high": "A" + record.trump}
    if rules.low_to == "player":
        sure["low"] = "2" + record.trump
    for point, card in sure.items():
        assert points[point] == next(team(seat) for seat in seats if card in seats[seat])

    in_play = sum(card_points(card) for _, cards, _ in record.tricks for card in cards)
    away = sum(card_points(card) for _, discards, _ in record.exchange for card in discards)
    assert sum(record.game_points) == in_play == 81 - away
    most = max(record.game_points)
    if points["game"] is None:
        assert record.game_points.count(most) > 1
    else:
        assert record.game_points[points["game"] - 1] == most

    won = Counter(points.values())
    assert sum(won[number] for number in range(1, rules.n_teams + 1)) == 6 - (points["game"] is None)
    for number, score in enumerate(record.scores, start=1):
        failed = record.bid is not None and number == team(record.declarer) and won[number] < record.bid
        assert score == (-record.bid if failed else won[number])


@pytest.mark.parametrize("name", ruleset_names())
def test_house_rules_that_matter_only_elsewhere_change_no_deal(name):
    """Rules of the match, such as the target, leave every deal as it is."""
    rules = load_rules(name)
    other = Rules.from_dict(
        rules.to_dict() | {"target": 11, "must_bid_to_win": True, "all_pass": "next-dealer"}
    )
    for index in range(3):
        assert play_deal(5, index, rules, BOTS["simple"], "auction") == play_deal(
            5, index, other, BOTS["simple"], "auction"
        )


def test_a_deal_does_not_depend_on_who_plays_it():
    """Bots, rules and mode change what is done with the cards, not the cards."""
    dealt = deal_cards(9, 77)
    for rules, bot, mode in ((STANDARD, "random", "auction"), (Rules(teams="2x3"), "simple", "declare")):
        assert play_deal(9, 77, rules, BOTS[bot], mode).hands == dealt.hands


def test_deals_without_auction_are_declared_in_turn_and_stratified_ones_in_spades():
    for index in range(8):
        assert play_deal(2, index, STANDARD, BOTS["random"]).declarer == index % 6 + 1
        assert play_deal(2, index, STANDARD, BOTS["random"], sample="stratified").trump == "S"
