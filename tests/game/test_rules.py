import os
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schmier_sim.game.rules import (
    CHOICES,
    FLAGS,
    Rules,
    RulesError,
    load_rules,
    parse_rules,
    ruleset_names,
    ruleset_text,
)

CHANGES = {
    "standard": {},
    "two-teams": {"teams": "2x3"},
    "low-to-taker": {"low_to": "taker"},
    "trump-anytime": {"trump_anytime": True},
    "first-lead-trump": {"first_lead": "trump"},
    "dealer-steals": {"dealer_steals": True},
}


def test_all_shipped_rule_sets_are_known():
    assert set(ruleset_names()) == set(CHANGES)
    assert ruleset_names()[0] == "standard"


@pytest.mark.parametrize("name", CHANGES)
def test_shipped_rule_set_changes_only_what_it_names(name):
    rules = load_rules(name)
    assert rules.name == name
    assert rules.differences() == CHANGES[name]
    assert ruleset_text(name).startswith("#")


def test_standard_file_shows_every_rule_with_its_standard_value():
    assert load_rules("standard") == Rules()
    for key in (*CHOICES, *FLAGS, "target"):
        assert f"\n{key} = " in ruleset_text("standard")


def test_partners_sit_opposite_in_three_teams_and_alternate_in_two():
    assert [Rules().team(seat) for seat in range(1, 7)] == [1, 2, 3, 1, 2, 3]
    assert [Rules(teams="2x3").team(seat) for seat in range(1, 7)] == [1, 2, 1, 2, 1, 2]
    assert (Rules().n_teams, Rules(teams="2x3").n_teams) == (3, 2)


def test_rules_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Rules().target = 11  # type: ignore[misc]


def test_packed_holds_what_matters_within_a_deal():
    assert Rules().packed() == (3, 0, 0, 0, 0, 0, 0)
    changed = Rules(
        teams="2x3",
        all_pass="dealer-bids-3",
        low_to="taker",
        game_tie="defender",
        trump_anytime=True,
        first_lead="trump",
        dealer_steals=True,
    )
    assert changed.packed() == (2, 1, 1, 2, 1, 1, 1)
    assert Rules(game_tie="declarer").packed()[3] == 1
    assert Rules(all_pass="next-dealer", endgame="declarer-first", target=11).packed() == Rules().packed()


@given(
    st.fixed_dictionaries({key: st.sampled_from(words) for key, words in CHOICES.items()}), st.integers(1, 99)
)
def test_rules_survive_their_dictionary(words, target):
    rules = Rules(name="club", target=target, **words)
    assert Rules.from_dict(rules.to_dict()) == rules


def test_own_file_is_read_and_named_after_itself(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text('# ours\nlow_to = "taker"\ntarget = 31\n', encoding="utf-8")
    assert load_rules(str(path)) == load_rules(path) == Rules(name="club", low_to="taker", target=31)
    path.write_text('name = "Stammtisch"\n', encoding="utf-8-sig")
    assert load_rules(path).name == "Stammtisch"


def test_own_file_may_not_pose_as_a_shipped_set(tmp_path):
    path = tmp_path / "standard.toml"
    path.write_text("target = 31", encoding="utf-8")
    with pytest.raises(RulesError, match="belongs to a shipped rule set"):
        load_rules(path)
    path.write_text("target = 21", encoding="utf-8")
    assert load_rules(path) == Rules()


BAD_TEXTS = [
    ('low_too = "taker"', 'unknown rule "low_too": did you mean "low_to"'),
    ("colour = 1", 'unknown rule "colour": the rules are name, teams'),
    ('low_to = "takers"', 'low_to = "takers" is unknown: write "player" or "taker"'),
    ('teams = "2x2"', 'write "3x2" or "2x3"'),
    ('all_pass = "dealer"', 'write "redeal", "next-dealer" or "dealer-bids-3"'),
    ("low_to = 3", 'low_to must be a word, not 3: write low_to = "player"'),
    ("teams = ['3x2']", "teams must be a word"),
    ('trump_anytime = "yes"', 'trump_anytime must be true or false, not "yes"'),
    ("dealer_steals = 1", "dealer_steals must be true or false, not 1"),
    ("target = 0", "target must be from 1 to 1000, not 0: write target = 21"),
    ("target = 1001", "not 1001"),
    ("target = -5", "not -5"),
    ("target = true", "target must be a whole number, not true"),
    ("target = 21.0", "target must be a whole number, not 21.0"),
    ('target = "21"', 'target must be a whole number, not "21"'),
    ("target = 0x" + "f" * 9000, "a huge number"),
    ("target = " + "9" * 9000, "are not TOML"),
    ('name = ""', "name must be 1 to 60 printable characters"),
    ('name = "a\\nb"', "name must be"),
    ("name = 7", "name must be a text"),
    ('must_bid_to_win = true\nendgame = "declarer-first"', "do not go together"),
    ("low_to taker", "are not TOML"),
    ("target = 1\ntarget = 2", "are not TOML"),
    ("a = " + "[" * 50_000, "are not TOML"),
    ("[low_to]\nx = 1", "low_to must be a word"),
]


@pytest.mark.parametrize(("text", "complaint"), BAD_TEXTS)
def test_unusable_rules_are_refused_in_one_line(text, complaint):
    with pytest.raises(RulesError) as error:
        parse_rules(text, "ours")
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("standrad", 'no rule set "standrad": did you mean "standard"'),
        ("zzz", "shipped are standard"),
        ("", "no rule set"),
        ("no/such.toml", "No such file"),
        ("nul\0.toml", "cannot read"),
        ("a" * 5000 + ".toml", "cannot read"),
    ],
)
def test_missing_rules_are_refused_in_one_line(name, complaint):
    with pytest.raises(RulesError, match=complaint) as error:
        load_rules(name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [(b"\xff\xfe\x00", "not a text file"), (b"#" * 8001, "larger than 8 kB"), (b"\0", "are not TOML")],
)
def test_foreign_files_are_refused_in_one_line(tmp_path, data, complaint):
    path = tmp_path / "own.toml"
    path.write_bytes(data)
    with pytest.raises(RulesError, match=complaint) as error:
        load_rules(path)
    assert "\n" not in str(error.value)


def test_folder_is_no_rules_file(tmp_path):
    with pytest.raises(RulesError, match="cannot read rules"):
        load_rules(tmp_path)


def test_a_pipe_or_a_huge_file_is_refused_unread(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    with (tmp_path / "huge.toml").open("wb") as file:
        file.truncate(1 << 40)
    for name, complaint in (("pipe.toml", "is not a file"), ("huge.toml", "larger than 8 kB")):
        with pytest.raises(RulesError, match=complaint):
            load_rules(tmp_path / name)


def test_bad_changes_of_good_rules_are_refused_too():
    with pytest.raises(RulesError, match="game_tie"):
        replace(Rules(), game_tie="both")
