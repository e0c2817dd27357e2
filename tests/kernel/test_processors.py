"""The same seed gives the same counts on every processor."""

import json
import os
import subprocess
import sys
from pathlib import Path

from schmier_sim.kernel import deal, jit
from tests.kernel.digest import digest

TOP = Path(__file__).resolve().parents[2]


def test_a_processor_without_bmi2_and_avx_counts_the_same():
    """Compiled for the least that this kind of processor can do; the first time that takes half a minute.

    Optimized by one level less, which takes a quarter less time and leaves loops vector code.
    """
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "2"}
    environment = os.environ | generic | {"PYTHONPATH": str(TOP)}
    output = subprocess.run(
        [sys.executable, "-m", "tests.kernel.digest"],
        cwd=TOP, env=environment, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    other = json.loads(output)
    assert not other["fast"]
    assert jit.has_fast_pdep() == (deal.deposit is not deal._deposit_slowly)
    assert other["digest"] == digest()
