"""``warmup``: compile the simulator now, so that later starts are quick."""

import time

from schmier_sim.cli.console import Console, duration


def warmup(console: Console) -> None:
    """Compile the simulator for quick starts.

    Prints the folder that keeps the machine code.
    """
    started = time.perf_counter()
    console.say("compiling the simulator …")
    from schmier_sim.analysis.warm import warm_up
    from schmier_sim.kernel.jit import cache_folder

    warm_up()
    console.say(f"ready after {duration(time.perf_counter() - started)}")
    folder = cache_folder()
    if folder is None:
        console.say(
            "the cache folder cannot be written: every start compiles anew; set SCHMIER_CACHE_DIR to a folder"
        )
        return
    console.data(str(folder))
