"""``warmup``: compile the simulator now, so that later starts are quick."""

import time

from schmier_sim.cli.console import Console, Failure, duration


def warmup(console: Console) -> None:
    """Compile the simulator for quick starts.

    Prints the folder that keeps the machine code.
    """
    started = time.perf_counter()
    from schmier_sim.analysis import warm
    from schmier_sim.kernel.jit import cache_folder

    folder = cache_folder()
    if not warm.is_ready():
        if folder.probe():
            raise Failure(folder.trouble)
        console.say("compiling the simulator …")
    warm.warm_up()
    if folder.problem:
        raise Failure(folder.trouble)
    console.say(f"ready after {duration(time.perf_counter() - started)}")
    console.data(str(folder.path))
