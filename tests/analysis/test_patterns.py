from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.analysis.patterns import (
    GRID,
    KEYS,
    PatternError,
    cell_hands,
    make_keys,
    parse_keys,
    parse_where,
)
from schmier_sim.game.holdings import HANDS, HOLDINGS, holding_id, parse_holding
from schmier_sim.game.rules import Rules, load_rules

STANDARD = Rules()
EVERYTHING = np.ones(GRID, np.bool_)


def picked_holdings(where: str) -> set[str]:
    picked = parse_where(where, STANDARD)
    return {holding.text for number, holding in enumerate(HOLDINGS) if picked[:, number].all()}


def test_hands_by_class_and_aces_are_all_hands() -> None:
    assert cell_hands().sum() == HANDS == comb(53, 6)
    assert cell_hands().sum(axis=1).tolist() == [holding.count for holding in HOLDINGS]


def test_plain_aces_are_three_among_38_plain_cards() -> None:
    no_trumps = holding_id(0, 0)
    assert cell_hands()[no_trumps].tolist() == [comb(3, a) * comb(35, 6 - a) for a in range(4)]
    six_trumps = parse_holding("A K Q R L 10")
    assert cell_hands()[six_trumps].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("name", KEYS)
def test_a_key_gives_every_cell_one_of_its_values(name: str) -> None:
    (key,) = make_keys([name], STANDARD)
    assert key.labels.shape == GRID
    assert set(np.unique(key.labels)) == set(range(len(key.values)))
    assert len(set(key.values)) == len(key.values)


@pytest.mark.parametrize("name", ["trumps", "seat", "aces"])
def test_a_number_agrees_with_the_filter_of_its_name(name: str) -> None:
    (key,) = make_keys([name], STANDARD)
    for label, value in enumerate(key.values):
        assert np.array_equal(key.labels == label, parse_where(f"{name}={value}", STANDARD))


def test_patterns_are_the_769_classes_with_the_longest_and_strongest_first() -> None:
    (key,) = make_keys(["pattern"], STANDARD)
    assert key.values[:2] == ("A K Q R L 10", "A K Q R L 2")
    assert key.values[-1] == ""
    for number in (0, 5, 400, 768):
        assert key.values[int(key.labels[3, number, 0])] == HOLDINGS[number].text


def test_honours_leave_the_small_trumps_out() -> None:
    (key,) = make_keys(["honours"], STANDARD)
    for text, honours in (("A K x x", "A K"), ("x x x", ""), ("R 10 x 2 Jo", "R 10 2 Jo")):
        assert key.values[int(key.labels[0, parse_holding(text), 0])] == honours


def test_holding_a_card_is_a_key_of_its_own() -> None:
    (key,) = make_keys(["holds_10"], STANDARD)
    assert key.values == (True, False)
    assert key.labels[0, parse_holding("K 10"), 0] == 0
    assert key.labels[0, parse_holding("A K"), 0] == 1


def test_roles_follow_the_dealers_team() -> None:
    def roles(rules: Rules) -> list[object]:
        (key,) = make_keys(["role"], rules)
        return [key.values[label] for label in key.labels[:, 0, 0]]

    assert roles(STANDARD) == ["neither", "neither", "partner-deals", "neither", "neither", "dealer"]
    assert roles(load_rules("two-teams")) == ["neither", "partner-deals"] * 2 + ["neither", "dealer"]


def test_keys_are_read_from_a_list() -> None:
    assert [key.name for key in parse_keys(" trumps, seat ", STANDARD)] == ["trumps", "seat"]
    with pytest.raises(PatternError, match=r'^no key "trump": write some of trumps, pattern, aces, seat'):
        parse_keys("trump", STANDARD)
    with pytest.raises(PatternError, match='key "seat" is there twice'):
        parse_keys("seat,trumps,seat", STANDARD)


def test_no_filter_picks_everything() -> None:
    assert parse_where("  ", STANDARD).all()


def test_comparisons_pick_what_they_say() -> None:
    assert picked_holdings("trumps>=6") == {h.text for h in HOLDINGS if h.trumps == 6}
    assert picked_holdings("trumps < 1") == {""}
    assert picked_holdings('pattern="A K x"') == {"A K x"}
    assert picked_holdings("pattern = x k a") == {"A K x"}
    assert picked_holdings("pattern=none") == {""}
    assert picked_holdings("honours=AK, trumps<=3") == {"A K", "A K x"}
    assert picked_holdings("honours='' and trumps=2") == {"x x"}
    assert picked_holdings("holds=ak10 & lacks=2+Jo and trumps=3") == {"A K 10"}
    assert picked_holdings("holds='A JOKER T', trumps==3") == {"A 10 Jo"}
    assert len(picked_holdings("pattern!='A K x'")) == 768


def test_every_joiner_means_and() -> None:
    wanted = (
        parse_where("trumps>=3", STANDARD)
        & parse_where("aces=0", STANDARD)
        & parse_where("seat!=2", STANDARD)
    )
    for joiner in (" and ", " AND ", "&", " && ", ","):
        assert np.array_equal(parse_where(joiner.join(("trumps≥3", "aces=0", "seat≠2")), STANDARD), wanted)


def test_the_role_filter_is_the_role_key() -> None:
    assert parse_where("role=dealer", STANDARD)[5].all()
    assert not parse_where("role=Dealer", STANDARD)[:5].any()
    assert np.array_equal(
        parse_where("role!=neither", STANDARD),
        parse_where("seat=3", STANDARD) | parse_where("seat=6", STANDARD),
    )


@pytest.mark.parametrize(
    ("where", "message"),
    [
        (
            "trump>=3",
            'cannot filter by "trump": write some of trumps, aces, seat, role, pattern, honours, holds, lacks',
        ),
        ("trumps>=7", 'trumps must be from 0 to 6, not "7": write e.g. trumps>=3'),
        ("trumps=-1", 'trumps must be from 0 to 6, not "-1"'),
        ("trumps=", 'trumps must be from 0 to 6, not ""'),
        ("aces=4", 'aces must be from 0 to 3, not "4"'),
        ("seat=0", 'seat must be from 1 to 6, not "0"'),
        ("seat=six", 'not "six"'),
        ("seat=٣", "seat must be from 1 to 6"),
        ("trumps", 'cannot read "trumps" in the filter'),
        ("trumps>=3 and", 'cannot read "" in the filter'),
        ("trumps>=3 or aces=0", 'not "3 or aces=0"'),
        ("holds=A,K", 'cannot read "K" in the filter'),
        ("holds>A", "holds cannot be compared by >: write e.g. holds=AK"),
        ("lacks!=A", "lacks cannot be compared by !="),
        ("role<dealer", "role cannot be compared by <: write e.g. role=dealer"),
        ("role=boss", 'no role "boss": write one of dealer, partner-deals, neither'),
        ("holds=AZ", 'no named trump "Z" in holds: use A K Q R L 10 2 Jo, e.g. holds=AK'),
        ("holds=x", 'no named trump "x" in holds'),
        ("lacks=none", "lacks without a card: write e.g. lacks=2"),
        ('pattern="A K', 'quote is not closed in ""A K"'),
        ("pattern=A A", '"A" is there twice'),
        ("pattern=x x x x x x x", "7 trumps"),
        ("a\nb", 'cannot read "a?b" in the filter'),
        ("trumps=3," * 100, "900 characters are no filter"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_line(where: str, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse_where(where, STANDARD)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_huge_filter_is_refused_at_once() -> None:
    with pytest.raises(PatternError, match="10000000 characters"):
        parse_where('"' * 10_000_000, STANDARD)


@given(
    st.one_of(
        st.text(max_size=500),
        st.lists(
            st.sampled_from(
                [*"AKQRLx2=<>!&,'\" ", "10", "Jo", "trumps", "holds", "pattern", "role", "and", "seat"]
            ),
            max_size=80,
        ).map("".join),
    )
)
def test_any_text_is_a_filter_or_refused_in_one_short_line(text: str) -> None:
    message = ""
    try:
        assert parse_where(text, STANDARD).shape == GRID
    except PatternError as error:
        message = str(error)
    assert len(message) < 250
    assert message.isprintable()
