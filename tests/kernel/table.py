"""What the kernel tests share: deals of the kernels in the open, and how far counts are from what they should be."""

from dataclasses import fields
from math import sqrt

import numpy as np

from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import DECK, mask_of, relative, trump_order
from schmier_sim.game.reference import play_deal
from schmier_sim.game.rules import Rules
from schmier_sim.kernel.block import B
from schmier_sim.kernel.counts import CELLS_SHAPE, TYPES_SHAPE
from schmier_sim.kernel.replay import replay
from schmier_sim.kernel.simulate import Setup, logged_blocks, play_into

STANDARD = Rules()
WAYS = (("declare", "natural"), ("declare", "stratified"), ("auction", "natural"))
DEALT, EXCHANGED, FIRST_TRICK, SCORED = 0, 1, 2, 8
"""Phases of `logged_blocks`."""

LIMIT = 4.5
"""A right program exceeds this many standard errors with a chance of 7e-6, once for each figure that is tested."""


def word_of(cards):
    """Mask of some cards once spades are trumps, as the kernels hold it."""
    return np.uint64(relative(mask_of(cards), "S"))


TRUMPS = word_of(trump_order("S"))
ALL = word_of(DECK)
ACE, TWO = word_of(["AS"]), word_of(["2S"])


def size(masks):
    """Number of cards in masks."""
    return np.bitwise_count(masks).astype(np.int64)


def rows(log, phase, some):
    """Rows of the workspace after a phase: uint64 [number of rows, deals]."""
    return log[phase, np.array(some) // B]


def collect(setup, first, n, *wanted):
    """Rows of many deals, each wanted as (phase, rows): arrays [number of rows, deals]."""
    found = [[] for _ in wanted]
    for log in logged_blocks(setup, first, n):
        for kept, (phase, some) in zip(found, wanted, strict=True):
            kept.append(rows(log, phase, some))
    return [np.concatenate(kept, axis=1) for kept in found]


def no_counts():
    """Cells and types of no deals, to be added to."""
    return np.zeros(CELLS_SHAPE, np.int64), np.zeros(TYPES_SHAPE, np.int64)


def counts(setup, first, n, pieces=None):
    """Cells, types and passed out deals of a range, played in one go or in pieces of some sizes."""
    cells, types = no_counts()
    passed = 0
    for piece in pieces or (n,):
        passed += play_into(setup, first, piece, cells, types)
        first += piece
    return cells, types, passed


def twins_of(bots):
    """The reference bots of a name, or of a name for each team."""
    return BOTS[bots] if isinstance(bots, str) else tuple(BOTS[name] for name in bots)


def assert_twins(setup, first, n):
    """The kernels' records of some deals are those of the reference engine."""
    for index, record in enumerate(replay(setup, first, n), start=first):
        twin = play_deal(setup.seed, index, setup.rules, twins_of(setup.bots), setup.mode, setup.sample)
        if record != twin:
            parts = [
                f"{field.name}: {getattr(record, field.name)}, reference {getattr(twin, field.name)}"
                for field in fields(twin)
                if getattr(record, field.name) != getattr(twin, field.name)
            ]
            raise AssertionError("\n".join([f"{setup}, deal {index}:", *parts]))


def share_error(hits, n, chance):
    """Distance of a count of hits from its mean, in standard errors."""
    return float((hits - n * chance) / sqrt(n * chance * (1 - chance)))


def chi_square_error(observed, expected, freedom=None, scale=1.0):
    """Distance of counts from what is expected of them, in standard errors (Wilson and Hilferty).

    Cells of which fewer than ten are expected are taken together. `freedom` is by default one less than
    the number of cells; `scale` times the sum of squares has the distribution of chi-square.
    """
    observed, expected = np.ravel(observed).astype(float), np.ravel(expected).astype(float)
    assert observed.sum() == np.round(expected.sum(), 3)
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
        if expected[-1] < 10:
            observed, expected = (
                np.append(observed[:-2], sum(observed[-2:])),
                np.append(expected[:-2], sum(expected[-2:])),
            )
    freedom = freedom or len(expected) - 1
    total = scale * float((np.square(observed - expected) / expected).sum())
    spread = 2 / (9 * freedom)
    return ((total / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)


def same_law_error(table):
    """Distance of counts [groups, values] from what they would be if all groups had one law, in standard errors."""
    table = np.asarray(table)
    table = table[:, table.sum(axis=0) > 0]
    common = table.sum(axis=0) >= 10 * len(table)
    table = np.column_stack([table[:, common], table[:, ~common].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    total = float((np.square(table - expected) / expected).sum())
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    spread = 2 / (9 * freedom)
    return ((total / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)


def setup_of(way, bots="simple", seed=21, rules=STANDARD):
    """Setup of a (mode, sample)."""
    return Setup(seed, *way, bots, rules)
