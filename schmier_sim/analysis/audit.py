"""Audits: how well a bot plays, measured with the slow player `search`, in four parts.

``regret``
    What it gives away by kind of decision, and its worst decisions.
``response``
    What a side gains that is played by `search`, which knows the bot's policy.
``cells``
    Make-chances of hands with the bot at all seats, beside those with `search` at all seats.
``calibration``
    Chances by the bidding table beside contracts made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from schmier_sim.analysis.audited import Address, Subject
from schmier_sim.analysis.calibration import Calibration, measure_calibration
from schmier_sim.analysis.cells import Cells, measure_cells
from schmier_sim.analysis.compiling import say_compiling
from schmier_sim.analysis.crew import open_crew
from schmier_sim.analysis.regret import Regret, decisions_of, measure_regret
from schmier_sim.analysis.response import Response, measure_response
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.analysis.seating import Report
from schmier_sim.game.bots import BOTS
from schmier_sim.game.words import MAX_INDEX, MAX_SEED
from schmier_sim.kernel.positions import is_ready as search_is_ready
from schmier_sim.kernel.simulate import is_ready

PARTS = ("regret", "response", "cells", "calibration")
DEALS = {"regret": 800, "response": 3000, "cells": 3000, "calibration": 400_000}
"""Deals of each part where nothing is asked for: some minutes in all on two cores."""
WORLDS = {"regret": 150, "response": 40, "cells": 40}
"""Worlds a decision."""
LEAST_WORLDS = 2


class AuditError(ValueError):
    """An audit that cannot be made; the message is one line."""


@dataclass(frozen=True)
class Audit:
    """What came of an audit; None for a part that was not asked for.

    Attributes
    ----------
    bots, seed
        Who was audited, and the seed of all deals.
    deals, worlds
        Of each part.
    """

    bots: str
    seed: int
    deals: dict[str, int]
    worlds: dict[str, int]
    regret: Regret | None
    response: Response | None
    cells: Cells | None
    calibration: Calibration | None


def audit(
    parts: Sequence[str] = PARTS,
    *,
    bots: str = "club",
    seed: int = 21,
    deals: int | None = None,
    worlds: int | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Audit:
    """Audit a bot, by the standard rules.

    Parameters
    ----------
    parts : sequence of str
        Some of `PARTS`.
    bots : str
        One of `game.bots.BOTS`. The predictions of ``calibration`` are `club`'s, whoever plays.
    seed : int
        0 <= seed < 2**63. Parts use the same deals.
    deals, worlds : int, optional
        Of each part; by default `DEALS` and `WORLDS`.
    workers : int, optional
        Processes, by default one for each core that this process may use. The results are the same for any number.
        Processes import the main module anew, so a script that calls this has its own work under
        ``if __name__ == "__main__"``.
    progress : function of Progress, optional
        Called about ten times a second from the calling thread.

    Raises
    ------
    AuditError
        One line that names the bad value and a right one.
    """
    for part in parts:
        if part not in PARTS:
            raise AuditError(f"there is no part '{part}': choose some of {', '.join(PARTS)}")
    if bots not in BOTS:
        raise AuditError(f"there is no bot '{bots}': choose {' or '.join(BOTS)}")
    if not 0 <= seed < MAX_SEED:
        raise AuditError(f"seed {seed} is out of range: 0 to 2^63 - 1, such as 21")
    if deals is not None and not 1 <= deals <= MAX_INDEX:
        raise AuditError(f"{deals} deals are out of range: 1 to 2^56, such as 1000")
    if worlds is not None and worlds < LEAST_WORLDS:
        raise AuditError(f"{worlds} worlds are too few: take at least {LEAST_WORLDS}")
    if workers is not None and workers < 1:
        raise AuditError(f"{workers} workers are too few: take at least 1")
    subject = Subject(bots)
    sizes = {part: DEALS[part] if deals is None else deals for part in PARTS if part in parts}
    depths = {part: WORLDS[part] if worlds is None else worlds for part in sizes if part in WORLDS}
    say = progress or (lambda _progress: None)
    if not (is_ready() and (search_is_ready() or not depths)):
        say_compiling(lambda text: say(Progress(0, 1, message=text)))
    if depths:
        # In the calling process first: the others then find the machine code on disk.
        decisions_of(subject, LEAST_WORLDS, Address(seed, 0, "declare"))

    def begin(part: str) -> Report:
        report = Report(say, None)
        if len(sizes) > 1:
            report.say(f"{part}: {sizes[part]:,} deals …")
        return report

    def settings(part: str) -> tuple[Subject, int, int, int]:
        return subject, seed, sizes[part], depths[part]

    with open_crew((workers or available_cores()) if depths else 1) as crew:
        return Audit(
            bots,
            seed,
            sizes,
            depths,
            measure_regret(*settings("regret"), crew, begin("regret")) if "regret" in sizes else None,
            measure_response(*settings("response"), crew, begin("response")) if "response" in sizes else None,
            measure_cells(*settings("cells"), crew, begin("cells")) if "cells" in sizes else None,
            measure_calibration(subject, seed, sizes["calibration"], begin("calibration"))
            if "calibration" in sizes
            else None,
        )
