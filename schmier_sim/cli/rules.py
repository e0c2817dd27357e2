"""``rules list | show | diff``: the house rules."""

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from schmier_sim.cli.console import Console
from schmier_sim.cli.options import load_rules

if TYPE_CHECKING:
    from schmier_sim.game.rules import Rules

STANDARD_LINE = re.compile(r"(\w+) = [^#]*# (.*)")
RulesArgument = Annotated[str, typer.Argument(metavar="NAME|FILE", help="Shipped rule set, or a .toml file.")]


def show_list(console: Console) -> None:
    """List the shipped rule sets and what each changes."""
    from schmier_sim.game.rules import ruleset_names

    names = ruleset_names()
    width = max(map(len, names))
    for name in names:
        changes = load_rules(console, name).differences()
        text = ", ".join(f"{key} = {_toml(value)}" for key, value in changes.items())
        console.data(f"{name:{width}}  {text or 'the rules that the others change'}")


def show(console: Console, name: RulesArgument = "standard") -> None:
    """Show all rules of a set, each with its meaning.

    What it writes is TOML: the beginning of a file of your own.
    """
    rules = load_rules(console, name, "name")
    lines = [f"{key} = {_toml(value)}" for key, value in rules.to_dict().items()]
    width = max(map(len, lines))
    meanings = _meanings()
    for key, line in zip(rules.to_dict(), lines, strict=True):
        console.data(f"{line:{width}}  # {meanings[key]}")


def diff(
    console: Console,
    first: Annotated[str, typer.Argument(metavar="A", help="Shipped rule set, or a .toml file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Shipped rule set, or a .toml file.")],
) -> None:
    """Show in which rules two sets differ."""
    a, b = load_rules(console, first, "first"), load_rules(console, second, "second")
    rows = [(key, _toml(value), _toml(other)) for key, value, other in _pairs(a, b) if value != other]
    if not rows:
        console.data(f"{a.name} and {b.name}: no difference")
        return
    table = [("rule", a.name, b.name), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    for row in table:
        console.data("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _pairs(a: "Rules", b: "Rules") -> list[tuple[str, Any, Any]]:
    others = b.to_dict()
    return [(key, value, others[key]) for key, value in a.to_dict().items() if key != "name"]


def _toml(value: str | bool | int) -> str:
    """Write a value as TOML; a JSON string is also a TOML string."""
    return json.dumps(value, ensure_ascii=False)


def _meanings() -> dict[str, str]:
    """Read what each rule means from the comments of the standard rule set."""
    from schmier_sim.game.rules import ruleset_text

    found = (STANDARD_LINE.fullmatch(line) for line in ruleset_text("standard").splitlines())
    meanings = {match[1]: match[2].strip() for match in found if match}
    return {"name": "what titles and files call these rules"} | meanings
