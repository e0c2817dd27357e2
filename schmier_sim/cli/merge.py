"""``merge``: put the parts of a run together."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schmier_sim.cli.console import PROGRAM, Console, ExitCode, Failure, command_line
from schmier_sim.cli.options import read_run
from schmier_sim.cli.output import alone, check_file, refuse_stdout, refusing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schmier_sim.analysis.store import Run, RunInfo

PartsArgument = Annotated[
    list[Path], typer.Argument(metavar="PART", help="Run files of `simulate --shard`, or merged ones.")
]
MergedOption = Annotated[Path, typer.Option("--output", "-o", metavar="RUN", help="Run file to write.")]


def merge(
    console: Console,
    parts: PartsArgument,
    output: MergedOption,
    force: Annotated[bool, typer.Option("--force", help="Write over a run that is there.")] = False,
) -> ExitCode:
    """Put the parts of a run together.

    The counts are those of the run played in one piece. Parts of other runs are refused, and deals that would count
    twice. Exit code 3: RUN was written, but deals are missing; simulate --resume plays them.
    """
    refuse_stdout(output, "run.parquet")
    check_file(output)
    from schmier_sim.analysis import merge as library
    from schmier_sim.analysis.ranges import named
    from schmier_sim.analysis.store import StoreError, write_run

    with alone(output):
        if output.exists() and not force:
            raise Failure(f"{output} is there already: --force writes over it, or name another -o")
        with refusing(StoreError):
            infos: list[RunInfo] = []
            whole = library.merge(_read(parts, infos), command_line())
            write_run(output, whole)
    info = whole.info
    console.data(str(output))
    if info.missing:
        lengths = [f"{length:,}" for length in library.lengths(infos)]
        of = f" (parts are of runs of {' and '.join(lengths)} deals)" if lengths[1:] else ""
        console.error(
            f"deals {named(info.missing)} are missing: {output} has {info.deals:,} of {info.wanted:,}{of}; "
            f"merge it with the other parts, or play them here: {PROGRAM} simulate --resume -o {output}"
        )
        return ExitCode.SHORT
    console.say(f"{info.deals:,} deals of {len(parts)} parts")
    return ExitCode.DONE


def _read(parts: list[Path], infos: "list[RunInfo]") -> "Iterator[tuple[str, Run]]":
    """Read the parts one by one, as they are many and each is large; note what they say of themselves."""
    for part in parts:
        run = read_run(part, "name parts that are there")
        infos.append(run.info)
        yield str(part), run
