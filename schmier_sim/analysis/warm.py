"""Compiling all kernels that commands use, once and for all."""

from schmier_sim.analysis.advice import advise
from schmier_sim.analysis.duel import duel
from schmier_sim.analysis.equity import equity
from schmier_sim.analysis.run import simulate
from schmier_sim.analysis.seating import SEARCH
from schmier_sim.kernel import answers, forced, positions
from schmier_sim.kernel import simulate as plain
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.forced import Table
from schmier_sim.kernel.simulate import Setup


def is_ready() -> bool:
    """False if there is anything to compile that takes long."""
    return all(module.is_ready() for module in (plain, forced, answers, positions))


def warm_up() -> None:
    """Call every kernel once; it loads its machine code, or compiles and keeps it."""
    simulate(Setup(), deals=1, workers=1)
    advise(("AS", "KS", "JC", "2S", "10H", "9D"), seat=2, auction=(3,), precision=25)
    duel(SEARCH, "club", deals=1, worlds=1, workers=1)
    duel("club", "club", bidding=("equity", "points"), matches=3, workers=1)
    equity((0, 0, 0), setup=Setup(mode="auction"), deals=1000, workers=1)
    Table(0, HAND_VALUES, POINT_CURVES[0]).play(0, 1)
