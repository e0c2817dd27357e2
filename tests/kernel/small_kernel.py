"""A kernel that compiles at once, for tests of the cache."""

from schmier_sim.kernel import jit


@jit.Entry
def double(x):
    return 2 * x
