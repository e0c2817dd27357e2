"""Runs command lines in a process that may have only so much memory; ``test_bounds`` calls it.

The file that its argument names says ``{"memory": BYTES, "calls": [[WORD, …], …]}``; a word ``{"repeat": TEXT,
"times": N}`` is a long one. Each call is answered by a line of JSON: exit code, how much stood on stdout, what on
stderr, and the most memory that it took.
"""

import contextlib
import io
import json
import resource
import sys
from pathlib import Path
from typing import Any


def word(value: Any) -> str:
    return str(value["repeat"]) * value["times"] if isinstance(value, dict) else str(value)


def most_memory() -> int:
    """Bytes of memory at the peak; what `resource` says of it begins with that of the parent."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:"))) * 1024


def run() -> None:
    wanted = json.loads(Path(sys.argv[1]).read_text())
    resource.setrlimit(resource.RLIMIT_AS, (wanted["memory"], wanted["memory"]))
    from schmier_sim.cli import main

    for call in wanted["calls"]:
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([word(value) for value in call])
        peak = most_memory()
        sys.stdout.write(json.dumps([code, len(out.getvalue()), err.getvalue()[:2000], peak]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    run()
