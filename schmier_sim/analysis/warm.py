"""Compiling all kernels that commands use, once and for all."""

from schmier_sim.analysis.advice import advise
from schmier_sim.analysis.duel import duel
from schmier_sim.analysis.run import simulate
from schmier_sim.analysis.seating import SEARCH
from schmier_sim.kernel.simulate import Setup


def warm_up() -> None:
    """Call every kernel once; it loads its machine code, or compiles and keeps it."""
    simulate(Setup(), deals=1, workers=1)
    advise(("AS", "KS", "JC", "2S", "10H", "9D"), seat=2, auction=(3,), precision=25)
    duel(SEARCH, "club", deals=1, worlds=1, workers=1)
