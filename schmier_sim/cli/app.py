"""The program ``schmier-sim``: its commands, and what becomes of errors and signals."""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer
import typer.main

from schmier_sim import __version__
from schmier_sim.cli import (
    audit,
    bench,
    chart,
    completion,
    deal,
    duel,
    equity,
    hand,
    merge,
    pointcount,
    quiz,
    report,
    rules,
    signals,
    simulate,
    streams,
    table,
    warmup,
)
from schmier_sim.cli.command import Group, command
from schmier_sim.cli.console import PROGRAM, Console, ExitCode, Failure

app = typer.Typer(
    name=PROGRAM,
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,  # plain help starts twice as fast
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
rules_app = typer.Typer(cls=Group, rich_markup_mode=None)

command(app, "hand")(hand.hand)
command(app, "simulate")(simulate.simulate)
command(app, "merge")(merge.merge)
command(app, "table")(table.table)
command(app, "chart")(chart.chart)
command(app, "report")(report.report)
command(app, "deal")(deal.deal)
command(app, "duel")(duel.duel)
command(app, "equity")(equity.equity)
command(app, "pointcount")(pointcount.pointcount)
command(app, "quiz")(quiz.quiz)
command(app, "audit")(audit.audit)
app.add_typer(rules_app, name="rules")


@rules_app.callback(invoke_without_command=True)
def rules_root(ctx: typer.Context) -> None:
    """Show the house rules."""
    if ctx.invoked_subcommand is None:
        sys.stdout.write(ctx.get_help() + "\n")


command(rules_app, "list")(rules.show_list)
command(rules_app, "show")(rules.show)
command(rules_app, "diff")(rules.diff)
command(app, "bench")(bench.bench)
command(app, "warmup")(warmup.warmup)
command(app, "completion")(completion.completion)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"{PROGRAM} {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Show no progress.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error came from.")] = False,
) -> None:
    """How high to bid in Schmier.

    Plays millions of deals with bots, counts what the declaring team makes, and shows the chances as tables, charts and
    a printed sheet. Begin with: schmier-sim hand "AS KS JC 2S 10H 9D", or schmier-sim simulate -n 1M
    """
    del version
    console = ctx.ensure_object(Console)
    console.quiet |= quiet
    console.show_progress &= not no_progress
    console.debug |= debug
    if ctx.invoked_subcommand is None:
        sys.stdout.write(ctx.get_help() + "\n")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program, see `schmier_sim.cli.main`."""
    writable = arguments is not None or streams.prepare()
    console = Console()
    try:
        if not writable:
            raise Failure("stdout is closed: there is nowhere to write to")
        if arguments is None and completion.VARIABLE in os.environ:
            return _complete(sys.argv[1:])
        return _invoke(sys.argv[1:] if arguments is None else list(arguments), console)
    except (Exception, KeyboardInterrupt) as error:
        return _fail(console, error)


def _complete(arguments: list[str]) -> int:
    """Answer a shell that completes a line; whatever goes wrong, nobody wants to read of it there."""
    try:
        sys.stdout.write(completion.answer(typer.main.get_command(app), *arguments))
    except Exception:
        return ExitCode.FAILED
    return ExitCode.DONE


def _invoke(arguments: list[str], console: Console) -> int:
    program = typer.main.get_command(app)
    try:
        with program.make_context(PROGRAM, arguments, obj=console) as context:
            code = program.invoke(context)
    except typer.Exit as end:
        code = end.exit_code
    _say_what_was_lost(console)
    sys.stdout.flush()
    return int(code or ExitCode.DONE)


def _say_what_was_lost(console: Console) -> None:
    """Say, if kernels were compiled, that they could not be kept; a command that needed none has not imported this."""
    compiling = sys.modules.get("schmier_sim.analysis.compiling")
    if compiling is not None and (line := compiling.lost()):
        console.say(line)


def _fail(console: Console, error: BaseException) -> int:
    """Say in one line what went wrong; return the exit code."""
    if console.debug:
        console.clear()
        traceback.print_exception(error, file=console.err)
    if signals.is_interrupt(error):
        streams.drop(sys.stdout)
        console.error("interrupted")
        return ExitCode.INTERRUPTED
    if isinstance(error, OSError):
        streams.drop(sys.stdout)
    if isinstance(error, typer.TyperException):
        console.error(error.format_message())
        return int(error.exit_code)
    if isinstance(error, BrokenPipeError):
        return ExitCode.FAILED  # who read our output has seen enough
    console.error(_unexpected(error))
    return ExitCode.FAILED


def _unexpected(error: BaseException) -> str:
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else "cannot write the output: "
        return f"{where}{error.strerror or error}"
    if isinstance(error, MemoryError):
        return "out of memory"
    return f"unexpected {type(error).__name__}: {error} (--debug shows where)"
