"""The command line ``schmier-sim``: one module per command, nothing heavy imported before a command needs it."""

import gc
from collections.abc import Sequence

from schmier_sim.cli import signals


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Parameters
    ----------
    arguments
        What follows the program's name; None for those of this process, whose signals and streams are looked after.

    Returns
    -------
    int
        The exit code, one of `console.ExitCode`.
    """
    if arguments is None:
        signals.watch()
        # Imports make many objects and no rubbish: looking for it after every 700 takes a tenth of a short command.
        gc.set_threshold(100_000)
    try:
        from schmier_sim.cli import app
    except BaseException as error:
        if signals.is_interrupt(error):
            return signals.end()
        raise
    return app.run(arguments)


__all__ = ["main"]
