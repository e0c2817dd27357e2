"""Ranges of deals, against sets of numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.analysis.ranges import DoubledDealsError, Part, count, join, missing, named, shard

SETS = st.sets(st.integers(0, 40))


def ranges_of(deals):
    return join((deal, deal + 1) for deal in deals)


def deals_of(ranges):
    return {deal for start, stop in ranges for deal in range(start, stop)}


@given(SETS)
def test_joined_ranges_are_in_order_and_apart(deals):
    joined = ranges_of(deals)
    assert deals_of(joined) == deals
    assert count(joined) == len(deals)
    ends = [end for pair in joined for end in pair]
    assert ends == sorted(set(ends))
    assert join(joined) == joined


def test_empty_ranges_fall_away_and_doubled_deals_are_named():
    assert join([(5, 9), (0, 3), (3, 5), (20, 20), (12, 13)]) == ((0, 9), (12, 13))
    assert join([]) == ()
    with pytest.raises(DoubledDealsError, match=r"^deals 3 to 4 are there twice$"):
        join([(3, 9), (0, 5)])


@given(SETS, st.integers(0, 50), st.integers(0, 50))
def test_what_is_missing_is_what_is_not_there(deals, first, stop):
    assert deals_of(missing(ranges_of(deals), first, stop)) == set(range(first, stop)) - deals


@given(st.integers(1, 60), st.integers(1, 10**6), st.integers(0, 10**6))
def test_the_parts_of_a_run_have_each_of_its_deals_once(of, deals, after):
    if of > deals:
        with pytest.raises(
            ValueError, match=f"^{deals} deals have no {of} parts: take at most {deals}, or more deals$"
        ):
            shard(1, of, deals, after)
        return
    parts = [shard(number, of, deals, after) for number in range(1, of + 1)]
    assert join((part.first, part.stop) for part in parts) == ((after, after + deals),)
    assert {part.whole for part in parts} == {after + deals}
    sizes = [part.deals for part in parts]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("number", [0, 8, -1])
def test_there_is_no_part_beyond_the_last(number):
    with pytest.raises(ValueError, match=f"^there is no part {number} of 7: the first is 1/7, the last 7/7$"):
        shard(number, 7, 100)


def test_a_part_says_where_it_ends():
    assert shard(2, 3, 10, 5) == Part(8, 3, 15)
    assert shard(2, 3, 10, 5).stop == 11


def test_ranges_are_named_as_people_say_them():
    assert named(((0, 10),)) == "0 to 9"
    assert named(((3, 4), (1000, 2000))) == "3 and 1,000 to 1,999"
    assert named(((0, 1), (2, 3), (4, 6))) == "0, 2 and 4 to 5"
    assert named(tuple((10 * at, 10 * at + 2) for at in range(9))) == "0 to 81 (18 of them, in 9 ranges)"
