"""A run that is ended by signals again and again, at any moment; started as a process of its own by tests.

Arguments: where the run goes, how often it is ended, a seed.  Prints, as JSON, how many deals there were after each
end, and how many files were left half written.  Processes are forked, as starting one anew takes most of a second.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from schmier_sim.analysis import run as runs
from schmier_sim.analysis.store import read_run
from schmier_sim.cli import main

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM)


def play(path: Path) -> int:
    """Play without end, and save all the time."""
    runs.SAVE_SECONDS = 0.0
    runs.CHUNK = runs.MOST_CHUNK = 4096
    runs.LEAST_CHUNK = 1024
    signal.signal(signal.SIGINT, signal.default_int_handler)
    again = ["--resume"] if path.exists() else []
    return main(["simulate", "--quiet", "--bots", "random", "-n", "1000M", "-o", str(path), *again])


def wait_for_writing(folder: Path) -> None:
    """Wait until something is being written to a folder, but not for ever."""
    before = set(folder.iterdir())
    latest = time.monotonic() + 5
    while time.monotonic() < latest:
        if any(file.suffix == ".tmp" and file not in before for file in folder.iterdir()):
            return


def end_again_and_again(path: Path, times: int, seed: int) -> dict[str, list[int]]:
    warm = ["simulate", "--quiet", "--bots", "random", "-o", str(path.with_name("warm"))]
    if main([*warm, "-n", "1000"]) or main([*warm, "-n", "2000", "--resume"]):  # imports all that is needed
        raise AssertionError
    chance = random.Random(seed)
    deals, left = [], []
    for time_of in range(times):
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os._exit(play(path))
        if time_of % 5:
            wait_for_writing(path.parent)
        time.sleep(chance.choice((0.2, 0.02, 0.002)) * chance.random())
        os.kill(child, chance.choice(SIGNALS))
        os.waitpid(child, 0)
        deals.append(read_run(path).info.deals if path.exists() else 0)
        left.append(len(list(path.parent.glob(".schmier-*.tmp"))))
    return {"deals": deals, "left": left}


if __name__ == "__main__":
    sys.stdout.write("\n" + json.dumps(end_again_and_again(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
