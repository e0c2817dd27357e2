"""Rules of card play: what keeps to them, and deals in which they are broken."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from schmier_sim.analysis import playrules
from schmier_sim.analysis.playbreaks import (
    BLIND,
    BREAK,
    CAME_UP,
    CLUB,
    GAIN,
    OCCASIONS,
    SITUATIONS,
    otherwise,
    play_deals,
    relative,
)
from schmier_sim.analysis.playcandidates import ALL, CANDIDATES, DECLARING, DEFENDERS, KEPT
from schmier_sim.analysis.playlanes import play_out
from schmier_sim.analysis.playrules import PlayRules, is_stale, measure, play_rules, summary
from schmier_sim.analysis.playsights import DRAW, FOLLOW, KEEP, LEAD, Exchange, Sight
from schmier_sim.game.cards import card_points, in_order, suit_of, trump_order
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.dealing import deal_cards
from schmier_sim.game.laws import DEALER, winning_place
from schmier_sim.game.reference import SEATS, Table, name_trumps, play_deal, run_auction, run_exchange
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import View
from schmier_sim.game.words import word

SEED = 31
RULES = {rule.key: rule for rule in CANDIDATES}
STANDARD = Rules()


class Differing(ClubBot):
    """Breaks a rule, or keeps to it blindly, in deals that the reference engine plays: the lanes' twin."""

    def __init__(self, rule, way):
        super().__init__(tempers="mixed")
        self.rule, self.way, self.decisions = rule, way, []

    def exchange(self, view):
        away = in_order(super().exchange(view))
        return self.choose(view, Exchange(view), away) if self.rule.decision in (DRAW, KEEP) else away

    def play(self, view):
        card = super().play(view)
        here = self.rule.decision == (FOLLOW if view.trick else LEAD) and len(view.legal) > 1
        return self.choose(view, Sight(view), card) if here else card

    def choose(self, view, at, chosen):
        other = otherwise(self.rule, self.way, at, chosen)
        self.decisions.append((view, chosen, other))
        return chosen if other is None else other

    @property
    def broken(self):
        return [decision for decision in self.decisions if decision[2] is not None]


def played_by(rule, way, team, index):
    player = Differing(rule, way)
    bots = tuple(player if number == team else CLUB for number in range(3))
    return player, play_deal(SEED, index, STANDARD, bots, "auction")


def test_lanes_play_what_the_reference_engine_plays():
    keys = ("draw", "few-suits", "lead-tops", "take", "lead-small")
    rules = [RULES[key] for key in keys]
    found = iter(play_deals(SEED, rules, range(3)))
    for index in range(3):
        plain = play_deal(SEED, index, STANDARD, CLUB, "auction")
        if plain.declarer is None:
            continue
        counts = next(found)
        for number, rule in enumerate(rules):
            for way in (BREAK, BLIND):
                expected = np.zeros(3, int)
                for team in range(3):
                    player, record = played_by(rule, way, team, index)
                    gain = relative(record.scores, team) - relative(plain.scores, team)
                    expected += (len(player.broken) > 0, len(player.broken), gain)
                assert counts[number, way, CAME_UP:].tolist() == expected.tolist(), (index, rule.key, way)
    assert next(found, None) is None


def test_lanes_without_a_change_play_as_club():
    tables, records = [], []

    for index in range(12):
        table = Table(deal_cards(SEED, index), STANDARD, partial(word, SEED, index))
        run_auction(table, dict.fromkeys(SEATS, CLUB))
        if table.declarer is not None:
            name_trumps(table, CLUB)
            run_exchange(table, dict.fromkeys(SEATS, CLUB))
            tables.append(table)
            records.append(play_deal(SEED, index, STANDARD, CLUB, "auction"))
    play_out(tables, lambda _lane, _seat, card: card)
    assert [table.record() for table in tables] == records


# What a break of each of the eight looks like to somebody who reads the table anew.


def is_treasure(card, trump):
    return card == "Jo" or card[:-1] == "10" or (card[:-1] == "J" and suit_of(card, trump) == trump)


def winner_of(view):
    return (view.leader + winning_place(view.trick, view.trump) - 1) % 6 + 1


def wins(view, card):
    return winning_place((*view.trick, card), view.trump) == len(view.trick)


def is_rich(view):
    point = any(card == "Jo" or (is_treasure(card, view.trump) and card[0] == "J") for card in view.trick)
    return point or sum(map(card_points, view.trick)) >= 10


def higher_out(view, card):
    order = trump_order(view.trump)
    known = {*view.hand, *view.trick, *(card for trick in view.tricks for card in trick[1])}
    return [other for other in order[: order.index(card)] if other not in known]


def opponents_to_come(view):
    seats = [(view.leader + place - 1) % 6 + 1 for place in range(len(view.trick) + 1, 6)]
    return [seat for seat in seats if view.rules.team(seat) != view.team]


def partner_wins(view):
    return view.rules.team(winner_of(view)) == view.team


def draw_broken(view, club, other):
    return view.seat != DEALER and len(other) == len(club) - 1


def take_broken(view, club, other):
    return not partner_wins(view) and is_rich(view) and wins(view, club) and not wins(view, other)


def no_treasure_lost_broken(view, club, other):
    lost = is_treasure(other, view.trump) and not wins(view, other)
    return not partner_wins(view) and lost and (wins(view, club) or not is_treasure(club, view.trump))


def no_picture_lost_broken(view, club, other):
    picture = other[:-1] in ("A", "K", "Q", "J") and other not in trump_order(view.trump)
    return not partner_wins(view) and picture and not wins(view, other) and club != other


def high_stay_broken(view, club, other):
    high = [rank + view.trump for rank in ("A", "K", "Q")]
    return (partner_wins(view) or not is_rich(view)) and other in high and club not in high


def no_treasure_led_broken(view, club, other):
    trump = other in trump_order(view.trump)
    return (
        not view.trick
        and trump
        and is_treasure(other, view.trump)
        and higher_out(view, other)
        and club != other
    )


def bank_broken(view, club, other):
    if not is_treasure(club, view.trump) or (is_treasure(other, view.trump) and wins(view, other)):
        return False
    if partner_wins(view):
        best = view.trick[winning_place(view.trick, view.trump)]
        trump = best in trump_order(view.trump)
        return not opponents_to_come(view) or not trump or not higher_out(view, best) or len(view.tricks) > 0
    return not opponents_to_come(view) and wins(view, club)


def lead_tops_broken(view, club, other):
    tops = [card for card in view.hand if card in trump_order(view.trump) and not higher_out(view, card)]
    return not view.trick and len(tops) >= 2 and club in tops and other not in tops


LOOKS = {
    "draw": draw_broken,
    "take": take_broken,
    "no-treasure-lost": no_treasure_lost_broken,
    "no-picture-lost": no_picture_lost_broken,
    "high-stay": high_stay_broken,
    "no-treasure-led": no_treasure_led_broken,
    "bank": bank_broken,
    "lead-tops": lead_tops_broken,
}


@pytest.mark.parametrize("key", sorted(KEPT))
def test_a_breaker_breaks_its_rule_where_it_applies_and_else_plays_as_club(key):
    broken = 0
    for index in range(100, 112):
        player, _ = played_by(RULES[key], BREAK, index % 3, index)
        for view, club, other in player.decisions:
            if other is not None:
                broken += 1
                assert other != club
                assert LOOKS[key](view, club, other), (view, club, other)
                assert set(other) <= set(view.hand) if key == "draw" else other in view.legal
    assert broken or key == "lead-tops"


def test_club_takes_the_option_that_weighs_most():
    class Weighing(ClubBot):
        def exchange(self, view):
            away = in_order(super().exchange(view))
            at = Exchange(view)
            options = at.options(KEEP)
            assert not options or at.weight(away) == max(map(at.weight, options))
            return away

        def play(self, view):
            card = super().play(view)
            at = Sight(view)
            assert max(at.options(FOLLOW if view.trick else LEAD), key=at.weight) == card
            return card

    for index in range(6):
        play_deal(SEED, index, STANDARD, Weighing(tempers="mixed"), "auction")


def view_of(hand, trick=(), *, seat=1, declarer=1, tricks=(), trump="S"):
    leader = (seat - len(trick) - 1) % 6 + 1
    return View(
        seat, STANDARD, in_order(hand), declarer=declarer, bid=3, trump=trump, tricks=tricks, leader=leader,
        trick=tuple(trick), legal=in_order(hand),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "hand", "trick", "keeping"),
    [
        ("lead-tops", "AS KS 4S 9H", "", "AS KS"),
        ("lead-tops", "AS QS 4S 9H", "", ""),
        ("no-treasure-led", "AS KS JS 10S Jo 9H", "", "AS KS 9H"),
        ("no-treasure-led", "AS KS QS JS 9H", "", "AS KS QS JS 9H"),
        ("take", "AS 3H", "10H", "AS"),
        ("take", "AS 3H", "9H", ""),
        ("take", "9S 3D", "KH 4H 10H", ""),
        ("no-treasure-lost", "10D 3D JC", "AH", "3D JC"),
        ("no-treasure-lost", "10D 3D Jo", "AS", "3D"),
        ("no-picture-lost", "AD 3D JC", "AH", "3D JC"),
        ("high-stay", "AS QS 9D", "2H", "9D"),
        ("high-stay", "AS QS 9D", "Jo", ""),
        ("bank", "JS 3S Jo", "2H 3H AS 4H 5H", "JS Jo"),
        ("bank", "JS 3S Jo", "2H 3H 4H AS 5H", ""),
        ("bank", "JS 3S Jo", "2H 3H 4H 5H 10S", "JS"),
    ],
)
def test_these_cards_keep_to_a_rule(key, hand, trick, keeping):
    view = view_of(hand.split(), trick.split())
    found = set(RULES[key].keeping(Sight(view)))
    assert found == set(keeping.split())


@pytest.mark.parametrize(
    ("before", "keeping"),
    [("AS 9C 2H 3H 4S 5H", ["JS"]), ("AS 9C 2H 3S 4S 5H", []), (None, [])],
)
def test_opponents_who_have_shown_that_they_have_no_trumps_cannot_beat_a_partner(before, keeping):
    # Seat 4 leads the queen, 2 and 3 are to come; the king is out. Seat 6 led to the trick before.
    tricks = () if before is None else ((6, tuple(before.split()), 6),)
    view = view_of(["JS", "3S"], ["QS", "8S", "9S"], tricks=tricks)
    assert RULES["bank"].keeping(Sight(view)) == keeping


def test_rules_for_one_side_do_not_concern_the_other():
    own, other = view_of(["AS", "3H"], declarer=4), view_of(["AS", "3H"], declarer=2)
    assert {rule.who for rule in CANDIDATES} == {ALL, DECLARING, DEFENDERS}
    for rule in CANDIDATES:
        assert rule.concerns(own) == (rule.who != DEFENDERS)
        assert rule.concerns(other) == (rule.who != DECLARING)


def test_a_rule_that_never_applies_makes_exactly_no_difference():
    silent = replace(RULES["take"], keeping=lambda _at: [])
    counts = play_deals(SEED, [silent, RULES["lead-tops"]], range(40))
    assert not counts[:, 0].any()
    without = counts[..., SITUATIONS] == 0
    assert without.any()
    assert not counts[without].any()
    assert (counts[~without][:, CAME_UP] > 0).all()
    figures = summary(silent, counts[:, 0])
    assert (figures.cost_per_deal, figures.cost_per_deal_se, figures.cost_per_occasion) == (0, 0, None)


def test_figures_are_means_and_ratios_over_deals():
    counts = np.zeros((4, 2, 4), np.int64)
    counts[:, BREAK, GAIN] = (-6, 0, -12, 6)
    counts[:, BREAK, OCCASIONS] = (1, 0, 2, 1)
    counts[:, BREAK, CAME_UP] = (1, 0, 1, 1)
    counts[:, :, SITUATIONS] = (3, 1)
    counts[:, BLIND, GAIN] = (0, 0, -3, -3)
    found = summary(RULES["take"], counts)
    assert found.cost_per_deal == pytest.approx(12 / 6 / 4)
    assert found.cost_per_occasion == pytest.approx(12 / 2 / 4)
    assert found.blind_cost == pytest.approx(6 / 6 / 4)
    assert found.worth == pytest.approx(6 / 6 / 4)
    assert found.per_100 == 25
    assert found.occasions_per_100 == pytest.approx(100 / 3, abs=1e-4)
    assert found.cost_per_deal_se == pytest.approx(np.std([1, 0, 2, -1], ddof=1) / 2, abs=1e-5)
    assert found.club_keeps == 0.75


def test_the_figures_are_the_same_with_any_number_of_workers(monkeypatch):
    monkeypatch.setattr(playrules, "CANDIDATES", tuple(RULES[key] for key in ("lead-tops", "bank")))
    one = measure(70, seed=SEED, workers=1)
    assert one == measure(70, seed=SEED, workers=2)
    assert one.made["played"] < one.made["deals"] == 70


def test_too_few_deals_are_refused(monkeypatch):
    monkeypatch.setattr(playrules, "CANDIDATES", (RULES["lead-tops"],))
    with pytest.raises(ValueError, match="take more"):
        measure(1, seed=SEED, workers=1)


# The rules that ship.


def test_the_rules_that_ship_are_those_that_are_measured():
    shipped = {rule.key: rule for rule in play_rules().rules}
    assert set(shipped) == set(RULES)
    for key, rule in RULES.items():
        found = shipped[key]
        assert (found.rule, found.who, found.decision) == (rule.rule, rule.who, rule.decision)
        assert found.kept == (key in KEPT)
        assert len(rule.rule) <= 90
    assert not is_stale(play_rules())


def test_the_eight_are_worth_more_than_their_errors_and_than_the_others():
    found = play_rules()
    assert len(found.kept) == len(KEPT) == 8
    assert {rule.key for rule in found.kept} == KEPT
    assert [rule.cost_per_deal for rule in found.rules] == sorted(
        (rule.cost_per_deal for rule in found.rules), reverse=True
    )
    for rule in found.kept:
        assert rule.cost_per_deal > 5 * rule.cost_per_deal_se
        assert rule.blind_cost < rule.cost_per_deal / 5
    assert min(rule.worth for rule in found.kept) > max(rule.worth for rule in found.others)


def test_the_figures_that_ship_fit_each_other():
    for rule in play_rules().rules:
        assert rule.worth == pytest.approx(rule.cost_per_deal - rule.blind_cost, abs=2e-5)
        assert rule.per_100 <= min(100, rule.occasions_per_100)
        if rule.cost_per_occasion is not None:
            product = rule.cost_per_occasion * rule.occasions_per_100 / 100
            assert product == pytest.approx(rule.cost_per_deal, abs=2e-4)


def test_rules_written_to_a_file_are_read_as_they_were(monkeypatch, tmp_path):
    path = tmp_path / "rules.json"
    path.write_text(play_rules().to_json())
    monkeypatch.setattr(playrules, "PATH", path)
    assert PlayRules(play_rules.__wrapped__().rules, play_rules().made) == play_rules()
