"""Playing deals: chunks into counts, single deals into records.

`play_into` is what threads and machines call: it plays a range of deals of a `Setup` and adds to the counts that it is
given.  A deal depends on nothing but the setup and its index, so counts add up to the same whatever the ranges.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.dealing import MODES, SAMPLES, TEMPER_NAMES
from schmier_sim.game.rules import Rules
from schmier_sim.game.standing import check_bidding
from schmier_sim.game.words import MAX_INDEX, MAX_SEED
from schmier_sim.kernel import block
from schmier_sim.kernel.auction import auction, name_trumps
from schmier_sim.kernel.bits import U0, u64
from schmier_sim.kernel.block import BID, B
from schmier_sim.kernel.bots import BOT_NAMES, CLUB
from schmier_sim.kernel.bots.club_bids import draw_tempers
from schmier_sim.kernel.bots.weights import check_tables, club_tables
from schmier_sim.kernel.counts import CELLS_SHAPE, TYPES_SHAPE
from schmier_sim.kernel.deal import deal
from schmier_sim.kernel.equity import Curves, bidding_curves
from schmier_sim.kernel.exchange import exchange, turn_to_trumps
from schmier_sim.kernel.jit import Entry, phase
from schmier_sim.kernel.play import pass_the_lead, play_on, sit_down
from schmier_sim.kernel.rng import start_of
from schmier_sim.kernel.score import address_cells, cell_of, score
from schmier_sim.kernel.teams import plays

STANDARD = Rules()

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played: everything that, with an index, decides a deal.

    Parameters
    ----------
    seed : int
        0 <= seed < 2**63.
    mode : "declare" | "auction"
        ``declare``: deal i is declared by seat ``i % 6 + 1``, without an auction. ``auction``: the bots bid.
    sample : "natural" | "stratified"
        ``stratified`` (mode declare only): the declarer of deal i holds trumps of class ``i // 6 % 769``, spades.
    bots : str or tuple of str
        Who plays: one of `BOT_NAMES` for all six seats, or one for each team (seats 1 and 4, 2 and 5, 3 and 6; in two
        teams seats 1, 3, 5 and 2, 4, 6).
    rules : Rules
    tempers : "normal" | "cautious" | "bold" | "mixed"
        How readily `club` bids; ``mixed`` draws one of the three for each seat and deal.
    bidding : "points" | "equity" or tuple of these
        What `club` bids by: points of the deal, or the chance to win the match; for all teams or for each.
    scores : tuple of int
        What `club` bids at, if by equity: scores of the dealer's team, the team to its left, the third team; empty at
        the beginning of a match.

    Raises
    ------
    ValueError
        One line that names the bad value and right ones.
    """

    seed: int = 21
    mode: str = "declare"
    sample: str = "natural"
    bots: str | tuple[str, ...] = "club"
    rules: Rules = STANDARD
    tempers: str = "normal"
    bidding: str | tuple[str, ...] = "points"
    scores: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.seed < MAX_SEED:
            raise ValueError(f"seed {self.seed} is out of range: 0 to 2^63 - 1, such as 21")
        bots = (self.bots,) if isinstance(self.bots, str) else self.bots
        if not isinstance(self.bots, str) and len(bots) != self.rules.n_teams:
            raise ValueError(
                f"{len(bots)} bots for {self.rules.n_teams} teams: give one for all or one a team"
            )
        for name, value, known in (
            ("mode", self.mode, MODES),
            ("sample", self.sample, SAMPLES),
            *(("bot", bot, BOT_NAMES) for bot in bots),
            ("temper", self.tempers, TEMPER_NAMES),
        ):
            if value not in known:
                raise ValueError(f"there is no {name} '{value}': choose {' or '.join(known)}")
        if self.mode == "auction" and self.sample == "stratified":
            raise ValueError(
                "sample 'stratified' fits mode 'declare' only: in auctions the bots choose, take 'natural'"
            )
        check_bidding(self.rules, self.bidding, self.standing)

    @property
    def standing(self) -> tuple[int, ...]:
        """Scores of the dealer's team, the team to its left, the third team."""
        return self.scores or (0,) * self.rules.n_teams

    def curves(self) -> Curves:
        """What teams of `club` bid by: uint16 [3, n]."""
        bidding = self.bidding if self.mode == "auction" else "points"
        return bidding_curves(self.rules, bidding, self.standing)


@phase
def _keep(log: Any, number: int, w: Any) -> None:
    """Copy the workspace into the log, if there is one."""
    if number < log.shape[0]:
        for i in range(w.size):
            log[number, i] = w[i]


@Entry
def _play_chunk(
    w: Any,
    log: Any,
    tables: Any,
    start: Any,
    first: Any,
    n: Any,
    with_auction: bool,
    stratified: bool,
    bots: Any,
    tempers: Any,
    curves: Any,
    rules: Any,
    cells: Any,
    types: Any,
    type_of: Any,
) -> Any:
    """Play deals ``first … first + n - 1`` and count them in the flat arrays; return how many were passed out.

    `log`, if it has rows, gets the block after each phase. `type_of`, if it is not empty, gets the deal type of each
    (-1: passed out), and then nothing is counted.
    """
    passed = 0
    done = U0
    while done < n:
        deal(w, start, first + done, stratified)
        _keep(log, 0, w)
        if with_auction:
            if plays(CLUB, bots):
                draw_tempers(w, tempers)
            auction(w, bots, curves, rules)
        if not stratified:
            name_trumps(w, bots, rules)
        turn_to_trumps(w)
        exchange(w, tables, bots, rules)
        _keep(log, 1, w)
        sit_down(w)
        for trick in range(6):
            pass_the_lead(w)
            play_on(w, tables, trick, 0, bots, rules)
            _keep(log, 2 + trick, w)
        score(w, rules)
        _keep(log, 8, w)
        address_cells(w, rules)
        here = min(n - done, u64(B))
        for b in range(here):
            if with_auction and w[BID + b] == U0:
                passed += 1
                if type_of.size:
                    type_of[done + b] = -1
            elif type_of.size:
                type_of[done + b] = w[block.TYPE + b]
            else:
                cells[cell_of(w[block.DECLARER + b], w[block.CELL + b])] += 1
                types[w[block.TYPE + b]] += 1
        done += u64(B)
    return passed


_NO_LOG = np.zeros((0, 0), dtype=np.uint64)
_NO_COUNTS = np.zeros(0, dtype=np.int64)
_NO_TYPES = np.zeros(0, dtype=np.int32)
LOGGED = 9


def bot_codes(bots: str | tuple[str, ...]) -> tuple[int, int, int]:
    """Code of each of three teams' bot; of a third team that there is not, that of the first."""
    names = (bots,) * 3 if isinstance(bots, str) else bots
    codes = [BOT_NAMES.index(name) for name in names]
    return codes[0], codes[1], codes[2] if len(codes) == 3 else codes[0]


def _code(
    setup: Setup, curves: Curves | None = None
) -> tuple[bool, bool, tuple[int, ...], int, Curves, tuple[int, ...]]:
    return (
        setup.mode == "auction",
        setup.sample == "stratified",
        bot_codes(setup.bots),
        TEMPER_NAMES.index(setup.tempers),
        setup.curves() if curves is None else curves,
        setup.rules.packed(),
    )


def play_into(setup: Setup, first: int, n: int, cells: Counts, types: Counts) -> int:
    """Play deals ``first … first + n - 1`` and add them to counts.

    Parameters
    ----------
    setup : Setup
    first, n : int
        First index and number of deals; indices stay below 2**56.
    cells : int64 array of `CELLS_SHAPE`
        Deals by the declarer's seat, class of trump holding, plain aces (of his six dealt cards), and by which of the
        six points his team won (bits: 1 high, 2 low, 4 right, 8 left, 16 joker, 32 game).
    types : int64 array of `TYPES_SHAPE`
        Deals by the declarer's seat, bid (0 none, 1 to 4: bids 3 to 6), and who won the points: the teams 0 to 2 of
        high, low, right, left, joker as digits to base 3, then times 4 plus that of game (3 nobody).

    Returns
    -------
    int
        How many deals were passed out; they are in neither array.
    """
    if first < 0 or n < 0 or first + n > MAX_INDEX:
        raise ValueError(f"deals {first} to {first + n - 1} are out of range: indices are below 2^56")
    if cells.shape != CELLS_SHAPE or types.shape != TYPES_SHAPE:
        raise ValueError(
            f"counts of shapes {cells.shape}, {types.shape}; wanted {CELLS_SHAPE}, {TYPES_SHAPE}"
        )
    arrays = (cells.reshape(-1), types.reshape(-1))
    return int(
        _play_chunk(
            block.new_block(),
            _NO_LOG,
            club_tables(),
            start_of(setup.seed),
            u64(first),
            u64(n),
            *_code(setup),
            *arrays,
            _NO_TYPES,
        )
    )


def deal_types(
    setup: Setup,
    first: int,
    n: int,
    tables: NDArray[np.int16] | None = None,
    curves: Curves | None = None,
) -> NDArray[np.int32]:
    """Play deals and tell of each what the match needs to know.

    Parameters
    ----------
    setup : Setup
    first, n : int
        First index and number of deals.
    tables : int16 array [SIZE] or [3 * SIZE], optional
        Other tables than those that ship for `club`: one set for all, or one for each team.
    curves : uint16 array [3, n], optional
        Other curves for the teams of `club` to bid by than those of the setup.

    Returns
    -------
    int32 array [n]
        Index of each deal's type in a flat array of `TYPES_SHAPE` (declarer's seat, bid, who won each point); -1 for a
        deal that was passed out.
    """
    type_of = np.empty(n, dtype=np.int32)
    tables = club_tables() if tables is None else check_tables(tables)
    start, at, size = start_of(setup.seed), u64(first), u64(n)
    _play_chunk(
        block.new_block(),
        _NO_LOG,
        tables,
        start,
        at,
        size,
        *_code(setup, curves),
        _NO_COUNTS,
        _NO_COUNTS,
        type_of,
    )
    return type_of


def logged_blocks(setup: Setup, first: int, n: int) -> Iterator[NDArray[np.uint64]]:
    """Play deals and yield, block by block, the workspace after each phase: uint64 [LOGGED, ROWS, deals].

    Phases: dealt, exchanged, the six tricks, scored. For replays and tests.
    """
    w, log = block.new_block(), np.zeros((LOGGED, block.ROWS * B), dtype=np.uint64)
    type_of = np.empty(B, dtype=np.int32)
    for done in range(0, n, B):
        here = min(B, n - done)
        start = start_of(setup.seed)
        at, size = u64(first + done), u64(here)
        _play_chunk(w, log, club_tables(), start, at, size, *_code(setup), _NO_COUNTS, _NO_COUNTS, type_of)
        yield log.reshape(LOGGED, block.ROWS, B)[:, :, :here]


def is_ready() -> bool:
    """False if the first call will have to compile the kernels."""
    return _play_chunk.is_ready
