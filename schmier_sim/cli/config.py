"""The config file: a TOML table for each command, whose keys are the long names of its options.

Keys above the tables hold for every command that has such an option::

    seed = 7

    [simulate]
    deals = "100M"

    [table]
    by = "trumps,role"
"""

import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schmier_sim.cli.console import ExitCode, Failure, shown

DEFAULT_FILE = Path("schmier.toml")
#: A few lines of TOML are all that is needed, and the time that a key takes grows with the square of its parts.
MOST_BYTES = 8_000
#: Bits of the largest number that is written out: no option takes so much, and Python refuses some thousand digits.
MOST_BITS = 100

#: Options whose value is a list of words.
LISTS = ("by", "format")


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: the name its value is passed by, whether it is a mere switch, or can be given often."""

    name: str
    is_flag: bool = False
    multiple: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """What the file says of an option, as it would stand on the command line, and what errors call the place."""

    value: str | bool | list[str]
    label: str


#: The options of each command, by their long names without dashes.
Known = Mapping[str, Mapping[str, Option]]


def read(path: Path) -> dict[str, Any]:
    """Read a config file.

    Raises
    ------
    Failure
        Not there, no regular file, not readable, too large, or no TOML.
    """
    try:
        there = path.stat()
        if not stat.S_ISREG(there.st_mode):
            raise _refusal(f"the config file {path} is not a file: name a file with lines such as seed = 7")
        with path.open("rb") as file:
            data = b"" if there.st_size > MOST_BYTES else file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _refusal(f"the config file {path} is not there") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise _refusal(f"cannot read the config file {path}: {reason}") from None
    if max(there.st_size, len(data)) > MOST_BYTES:
        raise _refusal(f"{path} is larger than {MOST_BYTES // 1000} kB: a config file is a few lines of TOML")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:100]
        raise _refusal(f"{path} is not TOML ({reason}); write lines such as seed = 7") from None


def defaults(values: Mapping[str, Any], command: str, known: Known, origin: Path) -> dict[str, Value]:
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

    Returns
    -------
    dict
        The command's values, by the names that they are passed by.

    Raises
    ------
    Failure
        A table that is no command, a key that is no option, or a value that no option could take.
    """
    everywhere: dict[str, Option] = {}
    for options in known.values():
        everywhere |= options
    everywhere |= known[command]
    found: dict[str, Value] = {}
    own: dict[str, Value] = {}
    for key, value in values.items():
        if key in known and isinstance(value, dict):
            for name, inner in value.items():
                if name not in known[key]:
                    raise _refusal(
                        f"{origin}: {shown(name)} is not an option of {key}; known are {', '.join(sorted(known[key]))}"
                    )
                option = known[key][name]
                read_value = _value(inner, name, option, f"{origin}: {key}.{name}")
                if key == command:
                    own[option.name] = read_value
        elif key in everywhere:
            option = everywhere[key]
            read_value = _value(value, key, option, f"{origin}: {key}")
            if key in known[command]:
                found[option.name] = read_value
        elif isinstance(value, dict):
            raise _refusal(f"{origin}: [{shown(key)[1:-1]}] is not a command; known are {', '.join(known)}")
        else:
            names = ", ".join(sorted(everywhere))
            raise _refusal(f"{origin}: {shown(key)} is not an option; known are {names}")
    return found | own


def _value(value: Any, key: str, option: Option, label: str) -> Value:
    """Write a value as it would stand on the command line."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise _refusal(f"{label} is on or off, not {_described(value)}; write {key} = true")
        return Value(value, label)
    is_list = isinstance(value, list)
    items = value if is_list else [value]
    if is_list and not (option.multiple or key in LISTS):
        raise _refusal(f"{label} takes one value, not a list; write {key} = …")
    if not all(isinstance(item, str | int | float) and not isinstance(item, bool) for item in items):
        raise _refusal(f"{label} takes text or a number, not {_described(value)}")
    if any(isinstance(item, int) and item.bit_length() > MOST_BITS for item in items):
        raise _refusal(f"{label} is a huge number, which no option takes")
    texts = [str(item) for item in items]
    if any("\0" in text for text in texts):
        raise _refusal(f"{label} holds a null character, which nothing can be called")
    return Value(texts if option.multiple else ",".join(texts), label)


def _described(value: Any) -> str:
    """Name a value that an option cannot take."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "such a list"
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "a huge number"
    return shown(value)


def _refusal(message: str) -> Failure:
    return Failure(message, ExitCode.USAGE)
