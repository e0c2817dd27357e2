"""Everything that commands need is compiled beforehand, and once: not again for another layout of the same numbers."""

import pkgutil
from importlib import import_module

import numpy as np
import pytest

import schmier_sim
from schmier_sim.analysis.matches import Matches
from schmier_sim.analysis.warm import warm_up
from schmier_sim.game.rules import Rules
from schmier_sim.kernel import jit
from schmier_sim.kernel.bots.club_bids import HAND_VALUES, POINT_CURVES
from schmier_sim.kernel.equity import curves_in
from schmier_sim.kernel.forced import Table
from schmier_sim.kernel.simulate import Setup, deal_types, play_into
from tests.kernel.table import no_counts

TOOLS = ("schmier_sim.kernel.lessons",)
"""Kernels that no command uses, only the scripts that make tables."""


def entries():
    """All kernels of the package, by the name of their module and their own."""
    found = {}
    for package in ("kernel", "kernel.bots", "analysis"):
        prefix = f"{schmier_sim.__name__}.{package}."
        for module in pkgutil.iter_modules(import_module(prefix[:-1]).__path__, prefix):
            members = vars(import_module(module.name))
            found |= {
                (module.name, name): member
                for name, member in members.items()
                if isinstance(member, jit.Entry) and _home(member) == module.name
            }
    return found


def _home(entry):
    """The module that a kernel's source is in; without the compiler it is a mere function."""
    return getattr(entry.kernel, "py_func", entry.kernel).__module__


@pytest.fixture(scope="module", autouse=True)
def warm():
    warm_up()


def test_warming_up_readies_every_kernel_of_the_commands():
    waiting = {module for (module, _), entry in entries().items() if not entry.is_ready}
    assert len(entries()) >= 16
    assert waiting <= set(TOOLS)


def test_each_kernel_is_compiled_for_one_kind_of_arguments():
    """Each kind takes up to a minute; so arrays have the same layout, and may be written to, whoever made them."""
    three = [POINT_CURVES[0], curves_in(0), curves_in(1)]
    for setup in (
        Setup(),
        Setup(mode="auction"),
        Setup(mode="auction", bidding=("points", "equity", "points")),
    ):
        play_into(setup, 0, 1, *no_counts())
        deal_types(setup, 0, 1)
    Table(0, HAND_VALUES, POINT_CURVES[0]).play(0, 1)
    Table(0, [HAND_VALUES] * 3, three).play(0, 1)
    types = np.zeros((128, 3), np.int32)
    for some in (types.T, np.ascontiguousarray(types.T), np.zeros((3, 256), np.int32)[:, ::2]):
        Matches(Rules()).play(some)
    if jit.DISABLED:
        return
    kinds = {name: entry.kernel.signatures for name, entry in entries().items()}
    assert max(map(len, kinds.values())) == 1, {
        name: found for name, found in kinds.items() if len(found) > 1
    }
