"""How a command is made from a function: it gets a console, and the options that every command has.

Also what is said of a command line that cannot be read: one line that names what is wrong and shows a right form.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from schmier_sim.cli import config
from schmier_sim.cli.console import Console, Failure, shown, usage

#: Where a context keeps what errors call the values from the config file.
LABELS = "schmier_sim.config"
NEGATIVE = re.compile(r"-[0-9][0-9.,_]*")


class Command(TyperCommand):
    """A command whose refusals are one clear line."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises
        ------
        Failure
            Something is missing, unknown, too much or has a wrong value.
        """
        words = list(args)
        ctx.allow_extra_args = True
        try:
            super().parse_args(ctx, args)
        except typer.TyperException as error:
            _reword(error, ctx, words)
        if ctx.args:
            usage(f"{shown(ctx.args[0])} is one argument too many; write: {_form(ctx)}")
        return []

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the command's name: what may be left out stands in brackets."""
        del ctx
        arguments = [one for one in self.params if is_argument(one)]
        needed = [one for one in self.params if one.required and not is_argument(one)]
        return ["[OPTIONS]", *map(_shown_as, [*arguments, *needed])]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write what arguments and options mean, by the names that they have here."""
        for title, rows in help_rows(self, ctx).items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class Group(TyperGroup):
    """A group of commands that names them when it is asked for another."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            _reword(error, ctx, words)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command; refuse an unknown one."""
        names = list(self.commands)
        if args[0] not in names:
            near = get_close_matches(args[0][:50], names, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            usage(f"no command {shown(args[0])}; {hint}the commands are {', '.join(names)}")
        return super().resolve_command(ctx, args)


def _reword(error: typer.TyperException, ctx: Any, words: Sequence[str]) -> NoReturn:
    """Say what is wrong with a command line, and what would be right."""
    if isinstance(error, Failure):
        raise error
    parameter = getattr(error, "param", None)
    option = getattr(error, "option_name", None)
    if hasattr(error, "param_type") and parameter is not None:
        usage(f"{_shown_as(parameter)} is missing; write: {_form(ctx)}")
    if isinstance(error, typer.BadParameter) and parameter is not None:
        usage(f"{label(ctx, parameter)}: {error.message}")
    if hasattr(error, "possibilities") and option is not None:
        _refuse_option(ctx, option, words)
    if option is not None:
        known = next((one for one in ctx.command.params if option in one.opts), None)
        if known is not None and not known.is_flag:
            usage(f"{option} needs a value: {option} {known.metavar}")
        usage(f"{option} takes no value; write {option} alone")
    raise error


def _refuse_option(ctx: Any, option: str, words: Sequence[str]) -> NoReturn:
    number = next((word for word in words if NEGATIVE.fullmatch(word) and word.startswith(option)), None)
    if number is not None and any(one.metavar == "INDEX" for one in ctx.command.params):
        usage(f"{number[:50]} is no deal index: 0 or more, such as 7")
    names = [name for one in ctx.command.get_params(ctx) for name in one.opts if name.startswith("--")]
    near = get_close_matches(option[:50], names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the options are {', '.join(names)}"
    usage(f"no option {shown(option)}; {hint}")


def help_rows(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    """Arguments and options of a command with their help, by the title above them."""
    rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for one in command.get_params(ctx):
        form, text = one.get_help_record(ctx)
        if is_argument(one):
            rows["Arguments"].append((one.metavar, text))
        else:
            rows["Options"].append((form, text))
    return rows


def is_argument(parameter: Any) -> bool:
    """Whether a parameter is known by its place."""
    return bool(parameter.param_type_name == "argument")


def _argument_form(argument: Any) -> str:
    form = argument.metavar if argument.required else f"[{argument.metavar}]"
    return f"{form}..." if argument.nargs == -1 else form


def _form(ctx: Any) -> str:
    return " ".join([ctx.command_path, *ctx.command.collect_usage_pieces(ctx)])


def _shown_as(parameter: Any) -> str:
    """An argument by its name, an option with its value's."""
    if is_argument(parameter):
        return _argument_form(parameter)
    return f"{min(parameter.opts, key=len)} {parameter.metavar}"


def label(ctx: Any, parameter: Any) -> str:
    """What errors call the place that a value came from."""
    source = ctx.get_parameter_source(parameter.name)
    name = getattr(source, "name", "")
    if name == "ENVIRONMENT":
        return str(parameter.envvar)
    if name == "DEFAULT_MAP":
        return str(ctx.meta.get(LABELS, {}).get(parameter.name, parameter.name))
    if is_argument(parameter):
        return str(parameter.metavar or parameter.name)
    return str(max(parameter.opts, key=len))


def _read_config(ctx: typer.Context, path: Path | None) -> Path | None:
    """Let the config file's values stand in for defaults, before the other options are read."""
    if ctx.resilient_parsing:
        return path
    if path is None and not config.DEFAULT_FILE.is_file():
        return None
    path = path or config.DEFAULT_FILE
    known = known_options(ctx.find_root().command)
    name = ctx.command_path.split(" ", 1)[1]
    found = config.defaults(config.read(path), name, known, path)
    ctx.default_map = {key: value.value for key, value in found.items()}
    ctx.meta[LABELS] = {key: value.label for key, value in found.items()}
    return path


def known_options(root: Any, above: str = "") -> dict[str, dict[str, config.Option]]:
    """List the long options of all commands below `root`; a command of a group is called `group command`."""
    known: dict[str, dict[str, config.Option]] = {}
    for name, command in root.commands.items():
        if hasattr(command, "commands"):
            known |= known_options(command, f"{above}{name} ")
        else:
            known[above + name] = {
                option.removeprefix("--"): config.Option(
                    parameter.name, parameter.is_flag, parameter.multiple
                )
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
            console.given = frozenset(key for key in values if _source(ctx, key) == "COMMANDLINE")
            console.origins = {
                parameter.name: label(ctx, parameter)
                for parameter in ctx.command.params
                if _source(ctx, parameter.name) != "DEFAULT"
            }
            return function(console, **values)

        own = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        ]
        context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        parameters = [context, *own, *_shared_parameters()]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        app.command(name, cls=Command)(run)
        return function

    return register


def _source(ctx: typer.Context, key: str) -> str:
    source = ctx.get_parameter_source(key)
    return "DEFAULT" if source is None else source.name
