"""The kernels bid and name trumps as `game.club_bids` does, for all tempers, in all seats, under all rules."""

from collections import Counter
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from schmier_sim.game import club_bids
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import SUITS
from schmier_sim.game.dealing import TEMPER_NAMES, deal_cards, declarer_of
from schmier_sim.game.reference import Table, name_trumps, run_auction
from schmier_sim.game.rules import Rules
from schmier_sim.game.view import View
from schmier_sim.game.words import word
from schmier_sim.kernel import block
from schmier_sim.kernel.bots import club_bids as kernel
from schmier_sim.kernel.simulate import Setup, logged_blocks
from tests.kernel.table import DEALT, EXCHANGED, STANDARD, rows

SEATS = range(1, 7)
RULES = {
    "standard": STANDARD,
    "dealer steals": Rules(dealer_steals=True),
    "dealer bids three": Rules(all_pass="dealer-bids-3"),
    "two teams": Rules(teams="2x3"),
    "two teams, steals, bids three": Rules(teams="2x3", dealer_steals=True, all_pass="dealer-bids-3"),
}
DEALS = 600


@dataclass(frozen=True)
class Bidder:
    """Bids and names trumps; it plays no card."""

    tempers: str = "normal"

    def bid(self, view: View) -> int | None:
        return club_bids.call(view, self.tempers)

    def trump(self, view: View) -> str:
        return club_bids.name_trumps(view)


def by_hand(seed, index, rules, bots, mode="auction"):
    """Calls, declarer, bid and trumps of a deal by the reference engine: 0 for what there is not."""
    table = Table(deal_cards(seed, index), rules, partial(word, seed, index))
    players = {seat: bots[rules.team(seat) - 1] for seat in SEATS}
    if mode == "declare":
        table.declarer = declarer_of(index)
    else:
        run_auction(table, players)
    if table.declarer is not None:
        name_trumps(table, players[table.declarer], None)
    calls = [bid or 0 for _, bid in table.auction]
    calls += [block.NOT_ASKED] * (6 - len(calls))
    return calls, table.declarer or 0, table.bid or 0, table.trump


def by_kernel(setup, first, n):
    """The same by the kernels, deal by deal."""
    for log in logged_blocks(setup, first, n):
        calls = rows(log, EXCHANGED, block.CALLS)
        declarer, bid, trump = rows(log, EXCHANGED, [block.DECLARER, block.BID, block.TRUMP])
        for b in range(calls.shape[1]):
            declares = setup.mode == "declare" or bid[b] > 0
            yield (
                calls[:, b].tolist(),
                int(declarer[b]) + 1 if declares else 0,
                int(bid[b]),
                SUITS[int(trump[b])] if declares else None,
            )


@pytest.mark.parametrize("tempers", TEMPER_NAMES)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_auctions_are_those_of_the_twin(tempers, rules):
    first = 10**9 + 7 * TEMPER_NAMES.index(tempers)
    setup = Setup(11, "auction", bots="club", rules=rules, tempers=tempers)
    bots = (Bidder(tempers),) * rules.n_teams
    made = Counter()
    for index, decided in enumerate(by_kernel(setup, first, DEALS), start=first):
        assert decided == by_hand(11, index, rules, bots), index
        made.update(enumerate(decided[0]))
    for seat in range(6):
        assert made[seat, 0] > 50
        assert made[seat, 3] > 5
        assert made[seat, 4] > 0


@pytest.mark.parametrize("rules", [STANDARD, Rules(teams="2x3")], ids=lambda rules: rules.teams)
def test_without_a_bid_trumps_are_those_of_the_twin(rules):
    setup = Setup(12, bots="club", rules=rules)
    bots = (Bidder(),) * rules.n_teams
    for index, decided in enumerate(by_kernel(setup, 0, DEALS)):
        _, declarer, _, trump = decided
        assert (declarer, trump) == by_hand(12, index, rules, bots, "declare")[1::2], index


@pytest.mark.parametrize("names", [("club", "simple", "random"), ("simple", "club", "club")], ids="-".join)
def test_in_mixed_teams_each_bids_and_names_as_its_own_bot(names):
    setup = Setup(13, "auction", bots=names, tempers="mixed")
    bots = tuple(Bidder("mixed") if name == "club" else BOTS[name] for name in names)
    for index, decided in enumerate(by_kernel(setup, 500, DEALS), start=500):
        assert decided == by_hand(13, index, STANDARD, bots), index


@pytest.mark.boundscheck
@pytest.mark.jitless
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_few_auctions_of_each_kind(rules):
    setup = Setup(2**63 - 1, "auction", bots="club", rules=rules, tempers="mixed")
    bots = (Bidder("mixed"),) * rules.n_teams
    for index, decided in enumerate(by_kernel(setup, 2**56 - 40, 40), start=2**56 - 40):
        assert decided == by_hand(2**63 - 1, index, rules, bots)


def test_mixed_tempers_are_equally_frequent_in_each_seat():
    setup = Setup(14, "auction", bots="club", tempers="mixed")
    tempers = np.concatenate(
        [rows(log, DEALT, block.TEMPERS) for log in logged_blocks(setup, 0, 6000)], axis=1
    )
    for seat in range(6):
        shares = np.bincount(tempers[seat].astype(int), minlength=3) / 6000
        assert np.abs(shares - 1 / 3).max() < 4.5 * (2 / 9 / 6000) ** 0.5


def test_tables_of_the_kernels_are_those_of_the_twin():
    chances = club_bids.bidding().chances
    table = kernel.value_table(chances)
    for cell in [*range(0, club_bids.N_CELLS, 97), club_bids.N_CELLS - 1]:
        of_cell = club_bids.values_of(chances[7 * cell : 7 * cell + 7])
        packed = sum(value << 16 * level for level, value in enumerate(of_cell[:4]))
        assert (int(table[cell]), int(table[club_bids.N_CELLS + cell])) == (packed, of_cell[4])


def test_there_are_no_other_tempers():
    with pytest.raises(ValueError, match="temper 'wild': choose normal or cautious or bold or mixed"):
        Setup(tempers="wild")
