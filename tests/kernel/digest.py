"""Prints hashes of counts of some thousand deals of each bot, mode and sample; run by itself for another processor."""

import hashlib
import json
import sys

from schmier_sim.game.rules import Rules
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.deal import _deposit_slowly, deposit
from tests.kernel.table import STANDARD, WAYS, counts, setup_of

HOUSE = Rules(
    teams="2x3",
    low_to="taker",
    game_tie="defender",
    trump_anytime=True,
    first_lead="trump",
    dealer_steals=True,
)


def digest():
    """Hashes by what was played."""
    found = {}
    for bots in BOT_NAMES:
        for way in WAYS:
            for name, rules in (("standard", STANDARD), ("house", HOUSE)):
                cells, types, passed = counts(
                    setup_of(way, bots, seed=2**62 + 1, rules=rules), 10**15, 20_000
                )
                data = cells.tobytes() + types.tobytes() + str(passed).encode()
                found[f"{bots} {'-'.join(way)} {name}"] = hashlib.sha256(data).hexdigest()
    return found


if __name__ == "__main__":
    json.dump({"digest": digest(), "fast": deposit is not _deposit_slowly}, sys.stdout)
