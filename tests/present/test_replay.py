from dataclasses import replace

import pytest

from schmier_sim.game.bots import BOTS
from schmier_sim.game.record import DealRecord
from schmier_sim.game.reference import play_deal
from schmier_sim.game.rules import Rules
from schmier_sim.present.replay import tell

HANDS = tuple(
    tuple(cards.split())
    for cards in (
        "JH 7H 10C 7D 2D Jo", "KH 10H 6H 5H KC JC", "JS 9S 7S 2S 2H 4C",
        "6S 4H 9C JD 9D 8D", "10S QH 9H 7C 5C 5D", "AS KS 3S 6C KD 10D",
    )
)  # fmt: skip
PASSED_OUT = DealRecord(
    hands=HANDS, stock=(), auction=tuple((seat, None) for seat in range(1, 7)), redeal=True, declarer=None, bid=None,
    trump=None, exchange=(), tricks=(), points=dict.fromkeys(("high", "low", "right", "left", "joker", "game")),
    game_points=(0, 0, 0), scores=(0, 0, 0),
)  # fmt: skip
PLAYED = DealRecord(
    hands=HANDS,
    stock=("AH", "3H"),
    auction=((1, None), (2, 3), (3, None), (4, None), (5, None), (6, 4)),
    redeal=False, declarer=6, bid=4, trump="S",
    exchange=(
        (1, ("JH", "7H"), ("AH", "3H")), (2, (), ()), (3, (), ()), (4, (), ()), (5, (), ()),
        (6, ("6C", "KD", "10D"), ("5S", "4S", "4D", "3D")[:3]),
    ),
    tricks=(
        (6, ("AS", "Jo", "JC", "2S", "6S", "10S"), 6),
        (6, ("KS", "10C", "KH", "JS", "4H", "QH"), 6),
        (6, ("5S", "AH", "10H", "7S", "9C", "9H"), 3),
        (3, ("9S", "JD", "7C", "4S", "7D", "6H"), 3),
        (3, ("2H", "9D", "5C", "3S", "2D", "5H"), 6),
        (6, ("4D", "3H", "KC", "4C", "8D", "5D"), 6),
    ),
    points={"high": 3, "low": 3, "right": 3, "left": 3, "joker": 3, "game": 3},
    game_points=(0, 0, 53),
    scores=(0, 0, 6),
)  # fmt: skip


def test_a_deal_is_told_chapter_by_chapter() -> None:
    text = tell(PLAYED, index=12_345, seed=7, rules=Rules())
    chapters = [chapter.splitlines()[0] for chapter in text.split("\n\n")]
    assert chapters == [
        "Deal 12,345 · seed 7 · rules standard", "Hands, trumps (spades) first", "Auction", "Exchange",
        "Tricks (> leads, * wins)", "Points", "Scores",
    ]  # fmt: skip


def test_hands_are_sorted_trumps_first_and_apart() -> None:
    lines = tell(PLAYED, index=0, seed=7, rules=Rules()).splitlines()
    assert "  seat 2 (team 2)  JC  KH 10H 6H 5H KC" in lines  # the left bauer is a trump
    assert "  seat 1 (team 1)  Jo  JH 7H 10C 7D 2D" in lines
    assert "  seat 6 (team 3)  AS KS 3S  6C KD 10D          deals, declares" in lines


def test_the_auction_is_told_in_words() -> None:
    text = " ".join(tell(PLAYED, index=0, seed=7, rules=Rules()).split())
    assert (
        "Auction Seat 1 passes, seat 2 bids 3, seats 3 to 5 pass, seat 6 bids 4. "
        "Seat 6 declares for 4 and names spades."
    ) in text


def test_the_exchange_shows_what_went_what_came_and_what_is_held() -> None:
    lines = tell(PLAYED, index=0, seed=7, rules=Rules()).splitlines()
    assert "  1     JH 7H         AH 3H         Jo  AH 3H 10C 7D 2D" in lines
    assert "  2     nothing       nothing       JC  KH 10H 6H 5H KC" in lines


def test_tricks_are_a_grid_by_seat_with_leader_and_winner_marked() -> None:
    lines = tell(PLAYED, index=0, seed=7, rules=Rules()).splitlines()
    assert "    3.   AH      10H     7S*     9C      9H     >5S      14 to team 3" in lines


def test_points_say_who_won_them_and_how() -> None:
    lines = tell(PLAYED, index=0, seed=7, rules=Rules()).splitlines()
    assert "  low    team 3  seat 3 plays 2S to trick 1, seat 6 takes it" in lines
    assert "  high   team 3  seat 6 plays AS to trick 1" in lines
    assert "  game   team 3  card points: team 1 0, team 2 0, team 3 53" in lines


def test_scores_say_whether_the_bid_was_made() -> None:
    made = tell(PLAYED, index=0, seed=7, rules=Rules())
    assert made.endswith("Scores\n  Team 3 bid 4 and won 6 points: made.\n  team 1 0  team 2 0  team 3 +6\n")
    points = PLAYED.points | {"high": 1, "low": 1, "right": 1, "game": None, "left": 2}
    lost = replace(PLAYED, points=points, game_points=(29, 0, 29), scores=(3, 1, -4))
    text = tell(lost, index=0, seed=7, rules=Rules())
    assert text.endswith(
        "Scores\n  Team 3 bid 4 and won 1 point: set, so it loses the bid (−4).\n  team 1 +3  team 2 +1  team 3 −4\n"
    )
    assert "  game   nobody  card points: team 1 29, team 2 0, team 3 29 (tied)" in text


def test_suit_symbols_are_there_if_wanted() -> None:
    text = tell(PLAYED, index=0, seed=7, rules=Rules(), symbols=True)
    assert "J♣  K♥ 10♥ 6♥ 5♥ K♣" in text
    assert "names spades ♠" in text
    assert "Jo  J♥" in text


@pytest.mark.parametrize(
    ("all_pass", "after"),
    [("redeal", "the same dealer deals again"), ("next-dealer", "the next dealer deals")],
)
def test_a_passed_out_deal_ends_with_the_auction(all_pass: str, after: str) -> None:
    text = tell(PASSED_OUT, index=0, seed=7, rules=Rules(all_pass=all_pass))
    assert text.endswith(f"Auction\n  All six pass: nobody scores, {after}.\n")
    assert "Hands\n  seat 1 (team 1)  JH 7H 10C 7D 2D Jo\n" in text


def test_a_declared_deal_has_no_auction_and_tells_points_won() -> None:
    declared = replace(PLAYED, auction=(), bid=None)
    text = tell(declared, index=0, seed=7, rules=Rules())
    assert "Auction\n  No auction. Seat 6 declares and names spades.\n" in text
    assert text.endswith("Points won\n  team 1 0  team 2 0  team 3 +6\n")


@pytest.mark.parametrize("teams", ["3x2", "2x3"])
@pytest.mark.parametrize("mode", ["auction", "declare"])
@pytest.mark.parametrize("bot", ["random", "simple"])
def test_every_deal_fits_into_80_columns(bot: str, mode: str, teams: str) -> None:
    rules = Rules(teams=teams, name="x" * 40)
    for index in range(60):
        record = play_deal(11, index, rules, BOTS[bot], mode, "natural")
        lines = tell(record, index=index, seed=2**63 - 1, rules=rules, symbols=True).splitlines()
        assert max(map(len, lines)) <= 80
        assert not any(line.endswith(" ") for line in lines)


def test_the_heading_names_what_gives_the_deal() -> None:
    deal = {"index": 7, "seed": 21, "rules": Rules()}
    assert tell(PLAYED, **deal, bots="simple", mode="auction").splitlines()[0] == (
        "Deal 7 · seed 21 · rules standard · bots simple · mode auction"
    )
    text = tell(PLAYED, **deal, bots="random", mode="declare", sample="stratified")
    assert text.splitlines()[:2] == [
        "Deal 7 · seed 21 · rules standard · bots random · mode declare", "sample stratified"
    ]  # fmt: skip
    assert tell(PLAYED, **deal).splitlines()[0] == "Deal 7 · seed 21 · rules standard"


def test_a_long_heading_is_broken_between_its_parts() -> None:
    rules = Rules(name="-".join(["xxxx"] * 8))
    text = tell(PLAYED, index=10**12, seed=2**63 - 1, rules=rules, bots="simple", mode="declare")
    first, second = text.split("\n\n")[0].splitlines()
    assert max(len(first), len(second)) <= 80
    assert second.startswith("rules xxxx-xxxx-")
