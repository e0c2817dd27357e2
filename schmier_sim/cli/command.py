"""How a command is made from a function: it gets a console, and the options that every command has."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from schmier_sim.cli import config
from schmier_sim.cli.console import Console


def _read_config(ctx: typer.Context, path: Path | None) -> Path | None:
    """Let the config file's values stand in for defaults, before the other options are read."""
    if ctx.resilient_parsing:
        return path
    if path is None and not config.DEFAULT_FILE.is_file():
        return None
    path = path or config.DEFAULT_FILE
    known = _known_options(ctx.find_root().command)
    name = ctx.command_path.split(" ", 1)[1]
    ctx.default_map = config.defaults(config.read(path), name, known, path)
    return path


def _known_options(root: Any, above: str = "") -> dict[str, dict[str, str]]:
    """List the long options of all commands below `root`; a command of a group is called `group command`."""
    known: dict[str, dict[str, str]] = {}
    for name, command in root.commands.items():
        if hasattr(command, "commands"):
            known |= _known_options(command, f"{above}{name} ")
        else:
            known[above + name] = {
                option.removeprefix("--"): parameter.name
                for parameter in command.params
                for option in parameter.opts
                if option.startswith("--") and option not in ("--help", "--config")
            }
    return known


QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
NoProgressOption = Annotated[bool, typer.Option("--no-progress", help="Show no progress.")]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show where an error came from.")]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        is_eager=True,
        callback=_read_config,
        envvar="SCHMIER_CONFIG",
        show_default=f"{config.DEFAULT_FILE}, if it is there",
        help="TOML file with defaults for options.",
    ),
]


def _shared_parameters() -> list[inspect.Parameter]:
    named = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter("quiet", named, default=False, annotation=QuietOption),
        inspect.Parameter("no_progress", named, default=False, annotation=NoProgressOption),
        inspect.Parameter("debug", named, default=False, annotation=DebugOption),
        inspect.Parameter("config_file", named, default=None, annotation=ConfigOption),
    ]


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the command `name` of `app`.

    The function's first parameter gets the `Console`; the others are options and arguments.  Its docstring is the help.
    What it returns is the exit code; None means done.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(ctx: typer.Context, **values: Any) -> Any:
            console = ctx.ensure_object(Console)
            console.quiet |= values.pop("quiet")
            console.show_progress &= not values.pop("no_progress")
            console.debug |= values.pop("debug")
            values.pop("config_file")
            console.given = frozenset(key for key in values if _on_command_line(ctx, key))
            return function(console, **values)

        own = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        ]
        context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        parameters = [context, *own, *_shared_parameters()]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        app.command(name)(run)
        return function

    return register


def _on_command_line(ctx: typer.Context, key: str) -> bool:
    source = ctx.get_parameter_source(key)
    return source is not None and source.name == "COMMANDLINE"
