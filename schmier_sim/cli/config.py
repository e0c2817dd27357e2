"""The config file: a TOML table for each command, whose keys are the long names of its options.

Keys above the tables hold for every command that has such an option::

    seed = 7

    [simulate]
    deals = "100M"

    [table]
    by = "trumps,role"
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schmier_sim.cli.console import ExitCode, Failure

DEFAULT_FILE = Path("schmier.toml")
MOST_BYTES = 1_000_000

#: The options of each command: long name without dashes, to the name that the value is passed by.
Known = Mapping[str, Mapping[str, str]]


def read(path: Path) -> dict[str, Any]:
    """Read a config file.

    Raises
    ------
    Failure
        Not there, not readable (exit code 1), or no TOML (exit code 2).
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Failure(f"cannot read the config file {path}: {error.strerror or error}") from None
    if len(data) > MOST_BYTES:
        raise Failure(f"{path} is larger than 1 MB: a config file is a few lines of TOML", ExitCode.USAGE)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Failure(f"{path} is not TOML ({error}); write lines such as seed = 7", ExitCode.USAGE) from None


def defaults(values: Mapping[str, Any], command: str, known: Known, origin: Path) -> dict[str, Any]:
    """Turn a config file's values into the defaults of one command; check all of the file.

    Parameters
    ----------
    values
        What `read` gave.
    command
        The command that runs.
    known
        The options of all commands.
    origin
        Where the values stand, for errors.

    Raises
    ------
    Failure
        A table that is no command, a key that is no option, or a value that no option could take.
    """
    found: dict[str, Any] = {}
    own: dict[str, Any] = {}
    everywhere = sorted(set().union(*known.values()))
    for key, value in values.items():
        if isinstance(value, dict):
            if key not in known:
                raise _refusal(f"{origin}: [{key}] is not a command; known are {', '.join(known)}")
            for name, inner in value.items():
                text = _text(inner, f"{key}.{name}", origin)
                if name not in known[key]:
                    raise _refusal(
                        f"{origin}: {name!r} is not an option of {key}; known are {', '.join(sorted(known[key]))}"
                    )
                if key == command:
                    own[known[key][name]] = text
        else:
            text = _text(value, key, origin)
            if key not in everywhere:
                raise _refusal(f"{origin}: {key!r} is not an option; known are {', '.join(everywhere)}")
            if key in known[command]:
                found[known[command][key]] = text
    return found | own


def _text(value: Any, key: str, origin: Path) -> str | bool:
    """Write a value as it would stand on the command line."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        return ",".join(map(str, value))
    raise _refusal(
        f"{origin}: the value of {key!r} is neither text, a number, true or false, nor a list of words"
    )


def _refusal(message: str) -> Failure:
    return Failure(message, ExitCode.USAGE)
