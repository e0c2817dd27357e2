"""Warming up: it compiles all that commands need, and nothing twice."""

import subprocess
import sys

#: Kernels of learning, which no command uses.
LEARNING = "schmier_sim.kernel.lessons"
COUNT = """
import importlib
import pkgutil
import schmier_sim.kernel
from schmier_sim.analysis import warm
from schmier_sim.kernel.jit import Entry
warm.warm_up()
assert warm.is_ready()
for found in pkgutil.walk_packages(schmier_sim.kernel.__path__, "schmier_sim.kernel."):
    module = importlib.import_module(found.name)
    for name, entry in vars(module).items():
        if isinstance(entry, Entry) and entry.kernel.py_func.__module__ == found.name:
            print(found.name, name, len(entry.kernel.overloads))
"""


def test_every_kernel_is_compiled_for_one_kind_of_arguments() -> None:
    """Arrays in another order, or read-only ones, would have a kernel compiled once more: half a minute for some."""
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    kernels = [line.split() for line in done.stdout.splitlines()]
    assert len(kernels) > 10
    assert [(module, name) for module, name, kinds in kernels if module != LEARNING and kinds != "1"] == []
