"""What all tests share: no settings of the person who runs them, and the same examples every time."""

import os

import pytest
from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def no_personal_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("SCHMIER_") and name != "SCHMIER_CACHE_DIR":
            monkeypatch.delenv(name)
