"""Values of options."""

import pytest
import typer

from schmier_sim.cli import parse


@pytest.mark.parametrize(
    "text",
    [
        "10000000",
        "10_000_000",
        "10,000,000",
        "10,000k",
        "10M",
        "10m",
        "1e7",
        "1.0E7",
        "0.01G",
        "10000k",
        "0.01b",
        10**7,
    ],
)
def test_ten_million_can_be_written_in_many_ways(text: object) -> None:
    assert parse.deals(text) == 10_000_000


def test_a_fraction_of_a_million_is_a_number_of_deals() -> None:
    assert parse.deals("2.5e6") == parse.deals("2.5M") == 2_500_000


def test_the_most_deals_are_taken_and_one_more_is_not() -> None:
    assert parse.deals("9007199254740992") == 2**53
    with pytest.raises(typer.BadParameter):
        parse.deals("9007199254740993")


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-1",
        "",
        " ",
        "ten",
        "1.5",
        "1e-3",
        "1e999",
        "1e9999999999",
        "inf",
        "nan",
        "0x10",
        "1_000_000T",
        "M",
        "1 0",
    ],
)
def test_what_is_no_number_of_deals_is_refused_with_a_right_one(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="10M") as refused:
        parse.deals(text)
    assert repr(text) in str(refused.value.message)


@pytest.mark.parametrize("text", ["-1", "9223372036854775808", "1.5", "seven"])
def test_seeds_have_63_bits(text: str) -> None:
    read = parse.whole(0, parse.MOST_SEED, "21")
    assert read("9223372036854775807") == 2**63 - 1
    with pytest.raises(typer.BadParameter, match="write, for example, 21"):
        read(text)


@pytest.mark.parametrize("text", ["0", "-1", "50", "nan", "inf", "half", ""])
def test_a_precision_is_between_0_and_50_points(text: str) -> None:
    assert parse.points("0.5") == parse.points("0.5%") == 0.5
    with pytest.raises(typer.BadParameter, match=r"0\.5"):
        parse.points(text)


def test_names_are_taken_as_they_are_written() -> None:
    assert parse.one_of("declare", "auction")("auction") == "auction"
    with pytest.raises(typer.BadParameter, match="'Auction' is not known; write declare or auction"):
        parse.one_of("declare", "auction")("Auction")


def test_lists_are_split_at_commas() -> None:
    assert parse.some_of("png", "svg")("svg, png,svg") == "svg,png"
    for bad in ("svg,gif", "", ","):
        with pytest.raises(typer.BadParameter, match="png, svg"):
            parse.some_of("png", "svg")(bad)
