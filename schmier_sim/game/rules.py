"""House rules: a frozen, checked `Rules`, read from TOML.

A rule set names only what differs from the standard rules. Rule sets ship in ``rulesets/``; `load_rules`
also reads a file of one's own. Whatever cannot be used is refused with a one-line `RulesError` that names
the bad value and a right one.
"""

import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib import resources
from os import PathLike, fspath
from pathlib import Path
from typing import Any

MAX_FILE_BYTES = 8_000
"""Longer than any rule set with all its comments; the time that a TOML key takes grows with the square of its parts."""

MAX_TARGET = 1000
MAX_NAME = 60

_EXAMPLE = 'write lines such as low_to = "taker"'

CHOICES: dict[str, tuple[str, ...]] = {
    "teams": ("3x2", "2x3"),
    "all_pass": ("redeal", "next-dealer", "dealer-bids-3"),
    "low_to": ("player", "taker"),
    "game_tie": ("nobody", "declarer", "defender"),
    "first_lead": ("any", "trump"),
    "endgame": ("highest", "declarer-first"),
}
"""Rules that choose one of several words; the first is the standard one."""

FLAGS: tuple[str, ...] = ("trump_anytime", "dealer_steals", "must_bid_to_win")
"""Rules that are on or off; off is standard."""


class RulesError(ValueError):
    """Rules that cannot be used; the message is one line."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force. Every field's default is the standard rule.

    Parameters
    ----------
    name : str
        What the rules are called in titles and files.
    teams : "3x2" | "2x3"
        Three teams of two (partners opposite), or two teams of three in alternate seats.
    all_pass : "redeal" | "next-dealer" | "dealer-bids-3"
        What happens when all pass. With "dealer-bids-3" the dealer may not pass after five passes.
    low_to : "player" | "taker"
        Whether low goes to the team of the player of the 2, or to the team that takes its trick.
    game_tie : "nobody" | "declarer" | "defender"
        Who gets the game point when card points are tied: nobody; the declarer's team if it is among the
        tied; the defending team if exactly one is among the tied.
    trump_anytime : bool
        Whether one who could follow a plain suit may play a trump instead.
    first_lead : "any" | "trump"
        Whether the declarer's first lead must be a trump, if he holds one.
    dealer_steals : bool
        Whether the dealer may take the bid at the level of the highest bid. A bid of 6 ends the auction.
    endgame : "highest" | "declarer-first"
        Who wins when several teams have reached the target: the highest score, or the declarer's team.
    must_bid_to_win : bool
        Whether a team that did not declare stops one short of the target.
    target : int
        Score that ends the match, 1..1000.

    Raises
    ------
    RulesError
        A value that is not among these, or a combination that makes no sense.
    """

    name: str = "standard"
    teams: str = "3x2"
    all_pass: str = "redeal"
    low_to: str = "player"
    game_tie: str = "nobody"
    trump_anytime: bool = False
    first_lead: str = "any"
    dealer_steals: bool = False
    endgame: str = "highest"
    must_bid_to_win: bool = False
    target: int = 21

    def __post_init__(self) -> None:
        _check_name(self.name)
        for key, choices in CHOICES.items():
            _check_choice(key, getattr(self, key), choices)
        for key in FLAGS:
            _check_flag(key, getattr(self, key))
        _check_target(self.target)
        if self.must_bid_to_win and self.endgame == "declarer-first":
            raise RulesError(
                'must_bid_to_win = true and endgame = "declarer-first" do not go together'
                " (only the declarer's team can reach the target): leave one of them out"
            )

    @property
    def n_teams(self) -> int:
        """Number of teams, 3 or 2."""
        return 3 if self.teams == "3x2" else 2

    def team(self, seat: int) -> int:
        """Team 1..n_teams of a seat 1..6."""
        return (seat - 1) % self.n_teams + 1

    def differences(self) -> dict[str, Any]:
        """Fields, other than the name, that differ from the standard rules."""
        return {
            key: value for key, value in self.to_dict().items() if key != "name" and value != _STANDARD[key]
        }

    def to_dict(self) -> dict[str, Any]:
        """All fields by name; `from_dict` reads it back."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Rules":
        """Rules from fields by name; what is not named is standard.

        Raises
        ------
        RulesError
            An unknown key (with the nearest known one), or a value that the field does not take.
        """
        for key in values:
            if key not in _STANDARD:
                raise RulesError(
                    f"unknown rule {_show(key)}: {_nearest(key, tuple(_STANDARD), 'the rules are')}"
                )
        return cls(**values)

    def packed(self) -> tuple[int, int, int, int, int, int, int]:
        """Everything that matters within a deal, as integers.

        Returns
        -------
        tuple of int
            n_teams, dealer_must_bid, low_to_taker, game_tie (0 nobody, 1 declarer, 2 defender),
            trump_anytime, first_lead_trump, dealer_steals.
        """
        return (
            self.n_teams,
            int(self.all_pass == "dealer-bids-3"),
            int(self.low_to == "taker"),
            CHOICES["game_tie"].index(self.game_tie),
            int(self.trump_anytime),
            int(self.first_lead == "trump"),
            int(self.dealer_steals),
        )


_STANDARD: dict[str, Any] = {field.name: field.default for field in fields(Rules)}


def ruleset_names() -> tuple[str, ...]:
    """Names of the shipped rule sets: the standard rules, then the others by name."""
    shipped = resources.files("schmier_sim.game") / "rulesets"
    names = sorted(
        file.name.removesuffix(".toml") for file in shipped.iterdir() if file.name.endswith(".toml")
    )
    return ("standard", *(name for name in names if name != "standard"))


def ruleset_text(name: str) -> str:
    """Text of a shipped rule set's file, comments and all. RulesError for an unknown name."""
    names = ruleset_names()
    if name not in names:
        hint = _nearest(name, names, "shipped are")
        raise RulesError(f"no rule set {_show(name)}: {hint}; or give the path of a .toml file")
    return (resources.files("schmier_sim.game") / "rulesets" / f"{name}.toml").read_text(encoding="utf-8")


def load_rules(name_or_path: str | PathLike[str]) -> Rules:
    """Load a shipped rule set by its name, or a file of one's own by its path.

    A text that ends in ``.toml`` or has a slash in it is a path. The name of a file's rules is its key
    ``name``, or else the file's own name without its ending.

    Raises
    ------
    RulesError
        One line: no such set or file, not readable, too large, no TOML, or rules that cannot be used.
    """
    text = fspath(name_or_path)
    is_path = not isinstance(name_or_path, str) or text.endswith(".toml") or "/" in text or "\\" in text
    if not is_path:
        return parse_rules(ruleset_text(text), text)
    rules = parse_rules(_read(text), Path(text).stem[:MAX_NAME])
    if rules.name in ruleset_names() and rules != load_rules(rules.name):
        raise RulesError(
            f"{_show(text)}: the name {_show(rules.name)} belongs to a shipped rule set with other rules;"
            f' add a line such as name = "our-{rules.name}"'
        )
    return rules


def _read(path: str) -> str:
    """Read a file's text; what is no file, such as a pipe that nobody writes to, is refused unopened."""
    try:
        there = Path(path).stat()
        is_file = stat.S_ISREG(there.st_mode)
        data = b""
        if is_file and there.st_size <= MAX_FILE_BYTES:
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RulesError(f"cannot read rules from {_show(path)}: {reason}") from None
    if not is_file:
        raise RulesError(f"cannot read rules from {_show(path)}: it is not a file")
    if max(there.st_size, len(data)) > MAX_FILE_BYTES:
        raise RulesError(f"{_show(path)} is larger than {MAX_FILE_BYTES // 1000} kB: {_EXAMPLE}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RulesError(f"{_show(path)} is not a text file: {_EXAMPLE}") from None


def parse_rules(text: str, name: str) -> Rules:
    """Rules from TOML text; `name` is their name unless the text has a key ``name``.

    Raises
    ------
    RulesError
        One line that begins with `name`.
    """
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise RulesError(f"rules {_show(name)} are not TOML ({reason}): {_EXAMPLE}") from None
    try:
        return Rules.from_dict({"name": name} | values)
    except RulesError as error:
        raise RulesError(f"rules {_show(name)}: {error}") from None


def _check_name(name: Any) -> None:
    if not isinstance(name, str):
        raise RulesError(f'name must be a text, not {_show(name)}: write name = "our-club"')
    if not name.strip() or not name.isprintable() or len(name) > MAX_NAME:
        raise RulesError(
            f'name must be 1 to {MAX_NAME} printable characters, not {_show(name)}: write name = "our-club"'
        )


def _check_choice(key: str, value: Any, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str):
        raise RulesError(f'{key} must be a word, not {_show(value)}: write {key} = "{choices[0]}"')
    if value not in choices:
        raise RulesError(f"{key} = {_show(value)} is unknown: write {_listed(choices)}")


def _check_flag(key: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise RulesError(f"{key} must be true or false, not {_show(value)}: write {key} = true")


def _check_target(value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RulesError(f"target must be a whole number, not {_show(value)}: write target = 21")
    if not 1 <= value <= MAX_TARGET:
        raise RulesError(f"target must be from 1 to {MAX_TARGET}, not {_show(value)}: write target = 21")


def _listed(words: tuple[str, ...]) -> str:
    quoted = [f'"{word}"' for word in words]
    return ", ".join(quoted[:-1]) + " or " + quoted[-1]


def _nearest(word: str, known: tuple[str, ...], otherwise: str) -> str:
    near = get_close_matches(word[:MAX_NAME], known, n=1)
    return f'did you mean "{near[0]}"?' if near else f"{otherwise} " + ", ".join(known)


def _show(value: Any) -> str:
    """Write a value on one line, as TOML would, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 100:
        return "a huge number"  # Python refuses to write out numbers of more than 4300 digits
    if isinstance(value, Mapping | list):
        return (
            "a table" if isinstance(value, Mapping) else "a list"
        )  # which may be too deep to be written out
    shown = '"' + value + '"' if isinstance(value, str) else str(value)
    shown = "".join(character if character.isprintable() else "?" for character in shown[:80])
    return shown if len(shown) <= 50 else shown[:49] + "…"
