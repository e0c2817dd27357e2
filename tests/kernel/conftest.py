"""Without the compiler the kernels are plain Python, where NumPy warns of words that wrap round as they should."""

import numpy as np
import pytest


@pytest.fixture(scope="session", autouse=True)
def words_may_wrap_round():
    with np.errstate(over="ignore"):
        yield
