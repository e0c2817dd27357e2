import math

import pytest

from schmier_sim.present.numbers import (
    count,
    decimal,
    once_in,
    one_in,
    one_sided_limits,
    percent,
    percent_interval,
    signed,
)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (3.417, 2, "3.42"),
        (-0.184, 2, "−0.18"),
        (-0.001, 2, "0.00"),
        (0.0, 1, "0.0"),
        (math.nan, 2, "–"),
        (math.inf, 2, "–"),
    ],
)
def test_decimals_have_a_true_minus_and_no_negative_zero(value: float, digits: int, text: str) -> None:
    assert decimal(value, digits) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1.839, "+1.84"), (-0.5, "−0.50"), (-0.001, "0.00"), (math.nan, "–")]
)
def test_gains_and_losses_show_their_sign(value: float, text: str) -> None:
    assert signed(value) == text


def test_thousands_stand_apart() -> None:
    assert count(22_957_480) == "22,957,480"
    assert count(math.nan) == "–"


@pytest.mark.parametrize(
    ("probability", "low", "high", "text"),
    [
        (0.713, 0.709, 0.7168, "71.3 ±0.4"),
        (0.98, 0.955, 0.99, "98.0 ±2.5"),  # the farther limit, not the middle of both
        (0.5, 0.49999, 0.50001, "50.0 ±0.1"),  # never ±0.0
        (0.0, 0.0, 0.003, "0.0 +0.3"),
        (1.0, 0.997, 1.0, "100.0 −0.3"),
        (math.nan, math.nan, math.nan, "–"),
        (0.5, math.nan, math.nan, "50.0"),
    ],
)
def test_a_chance_comes_with_the_farther_limit_of_its_interval(
    probability: float, low: float, high: float, text: str
) -> None:
    assert percent_interval(probability, low, high) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1 / 41, "once in 41 hands"),
        (959_595 / 22_957_480, "once in 24 hands"),  # four trumps of one suit
        (1 / 1.62, "once in 1.6 hands"),
        (5_005 / 22_957_480, "once in 4,587 hands"),
        (1 / 22_957_480, "once in 23,000,000 hands"),
        (1.0, "every hand"),
        (0.0, "never"),
        (math.nan, "–"),
    ],
)
def test_shares_are_told_as_once_in_so_many_hands(share: float, text: str) -> None:
    assert once_in(share) == text


def test_the_bare_number_of_hands_is_the_one_in_the_phrase() -> None:
    assert one_in(1 / 41) == "41"
    assert one_in(0.0) == "0"


def test_percent_has_one_decimal() -> None:
    assert percent(0.7134) == "71.3"


def test_limits_are_read_off_an_interval_with_one_side() -> None:
    assert one_sided_limits("100.0 −0.3") == ("99.7", "100.0")
    assert one_sided_limits("0.0 +0.1") == ("0.0", "0.1")
