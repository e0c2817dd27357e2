"""How high to bid in Schmier: make-probabilities per hand from millions of simulated deals.

The names below are the library; each is imported when it is first used, so that ``import schmier_sim`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schmier_sim.analysis.advice import Advice, advise
    from schmier_sim.analysis.estimates import make_table
    from schmier_sim.analysis.merge import merge
    from schmier_sim.analysis.run import simulate
    from schmier_sim.analysis.store import Run, read_run, write_run
    from schmier_sim.game.rules import Rules, load_rules
    from schmier_sim.kernel.replay import replay
    from schmier_sim.kernel.simulate import Setup

__version__ = "0.1.0"

_HOME = {
    "Rules": "game.rules",
    "load_rules": "game.rules",
    "Setup": "kernel.simulate",
    "replay": "kernel.replay",
    "simulate": "analysis.run",
    "merge": "analysis.merge",
    "Run": "analysis.store",
    "read_run": "analysis.store",
    "write_run": "analysis.store",
    "make_table": "analysis.estimates",
    "Advice": "analysis.advice",
    "advise": "analysis.advice",
}

__all__ = [
    "Advice",
    "Rules",
    "Run",
    "Setup",
    "advise",
    "load_rules",
    "make_table",
    "merge",
    "read_run",
    "replay",
    "simulate",
    "write_run",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
