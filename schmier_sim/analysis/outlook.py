"""Worlds that fit what a player knows, and what comes of each of his calls in them: round by round.

A round has its own hands for rare calls (`kernel.unseen`) and its own worlds.  Both follow from the seed and the number
of the round alone; so any world can be dealt again, and a longer look begins with the same worlds as a shorter one.
"""

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schmier_sim.analysis.situation import AdviceError, Situation
from schmier_sim.game.cards import SUITS, Card, cards_of, in_order
from schmier_sim.game.dealing import Dealt
from schmier_sim.game.laws import legal_bids, may_pass
from schmier_sim.game.symmetry import alike, relabel
from schmier_sim.kernel.answers import NOBODY, WAYS, answer, play_lanes
from schmier_sim.kernel.bots.weights import club_tables
from schmier_sim.kernel.rng import start_of
from schmier_sim.kernel.unseen import ATTEMPT, Knowledge, Pools, deal_worlds, find_hands, join

ROUND = 1 << 15
"""Worlds of a round."""
CHUNK = 1 << 12
"""Worlds that a thread deals and plays before it looks up: about 0.05 s."""
POOL, POOL_CHUNK = 3 * ROUND, 1 << 13
"""Hands that are looked for in a round for each bid before the player's, and how many of them at a time."""
POOL_BUDGET = 700_000
"""Deals that a chunk of these may take: one in about a hundred hands has to make the call for all to be found."""
LEAST_POOL = 500
"""Where fewer hands of a round make a call, the bots as good as never make it, and less is asked for."""
WORLD_BUDGET = 200 * CHUNK
MOST_NUMBER = 1 << 32
NUMBER_MASK = (1 << ATTEMPT) - 1
PASSED = -1

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weakening:
    """A call before the player's that the bots as good as never make.

    Parameters
    ----------
    seat : int
        1 to 6.
    call : int or None
    least : int or None
        The lowest bid that was taken in its place; None where nothing was asked.
    """

    seat: int
    call: int | None
    least: int | None


@dataclass(frozen=True)
class Glance:
    """What comes of each call in some worlds.

    Parameters
    ----------
    numbers : int64 [n]
        Of the worlds, ascending.
    own : int16 [4, n]
        Who won the points where the player declares in each suit, as `kernel.answers` numbers it.
    others : int16 [calls, n]
        The same where another declares after each call; of no meaning where none does.
    declarers, bids : int8 [calls, n]
        Who declares then: seat 0 to 5, or `NOBODY`; and his bid.
    picks : int32 [k, n]
        Which hands those seats have that have bid: worlds that share one are not independent.
    tried : int
        Deals that it took to find the worlds.
    """

    numbers: Ints
    own: NDArray[np.int16]
    others: NDArray[np.int16]
    declarers: NDArray[np.int8]
    bids: NDArray[np.int8]
    picks: NDArray[np.int32]
    tried: int

    @property
    def n(self) -> int:
        """How many worlds."""
        return len(self.numbers)


def gather(parts: Iterable[Glance]) -> Glance:
    """Put glances at different worlds together."""
    found = list(parts)
    return Glance(
        np.concatenate([part.numbers for part in found]),
        np.concatenate([part.own for part in found], axis=1),
        np.concatenate([part.others for part in found], axis=1),
        np.concatenate([part.declarers for part in found], axis=1),
        np.concatenate([part.bids for part in found], axis=1),
        np.concatenate([part.picks for part in found], axis=1),
        sum(part.tried for part in found),
    )


class Sharing:
    """How much worlds tell that share hands.

    Worlds in which a seat has the same hand of its pool are a cluster.

    Parameters
    ----------
    picks : int array [k, n]
        As of `Glance`.
    """

    def __init__(self, picks: NDArray[np.int32]) -> None:
        self.clusters = [np.unique(seat, return_inverse=True)[1] for seat in picks]

    def independent(self, *values: NDArray[Any]) -> float:
        """Share of the worlds that would tell as much of each of some values [n] if they were independent: 0 to 1.

        For each seat, the variance of a mean by clusters over that by worlds tells by how much sharing its hands widens
        the error. The widest of all values counts.
        """
        widest = 1.0
        for value in values if self.clusters else ():
            apart = value - value.mean()
            plain = float(apart @ apart)
            if plain > 0:
                sums = [np.bincount(cluster, apart) for cluster in self.clusters]
                widest = max(widest, 1 + sum(max(float(each @ each) / plain - 1, 0.0) for each in sums))
        return 1 / widest


class Outlook:
    """Looks at worlds for one situation.

    Parameters
    ----------
    situation : Situation
    seed : int
    executor : Executor
        Threads that look.
    swap : tuple of two cards, optional
        A card of the hand and an unseen one that change places.
    slack : tuple of int, optional
        How far what is asked of each call is weakened; by default as far as it takes.
    pool : int, optional
        Hands that are looked for in a round for each bid before the player's; a multiple of `POOL_CHUNK`.
    """

    def __init__(
        self,
        situation: Situation,
        seed: int,
        executor: Executor,
        swap: tuple[Card, Card] | None = None,
        slack: tuple[int, ...] | None = None,
        pool: int | None = None,
    ) -> None:
        self.situation, self.seed, self.executor, self.swap = situation, seed, executor, swap
        self.pool = POOL if pool is None else pool
        self.slack = [0] * len(situation.auction) if slack is None else list(slack)
        self._shares: dict[int, float] = {}
        self._pools: dict[int, Pools] = {}
        self._hand = tuple(
            swap[1] if swap is not None and card == swap[0] else card for card in situation.hand
        )
        suits = situation.relabelling
        to_first = alike(relabel(card, suits) for card in self._hand)
        # Suits that are alike share their deals: the column, as worlds are dealt, that stands for each.
        self._column = {suit: SUITS.index(to_first[suits[suit]][suits[suit]]) for suit in SUITS}

    @property
    def known(self) -> Knowledge:
        """What is known, with conditions as weak as they had to be made."""
        return self.situation.knowledge(self.swap, self.slack)

    @property
    def weakenings(self) -> tuple[Weakening, ...]:
        """Calls of which less was asked."""
        asked = {condition.seat: condition.least for condition in self.known.conditions}
        return tuple(
            Weakening(seat + 1, self.situation.auction[seat], asked.get(seat))
            for seat, weaker in enumerate(self.slack)
            if weaker
        )

    def look(self, first: int, n: int) -> Glance:
        """Look at worlds ``first … first + n - 1``; both are multiples of `CHUNK`."""
        glances = []
        for start in range(first, first + n, CHUNK):
            pools = self._pools_of(start // ROUND)
            glances.append(self.executor.submit(self._look_at_chunk, start, pools))
        return gather(glance.result() for glance in glances)

    def world(self, number: int) -> tuple[Dealt, int]:
        """Deal a world again, its suits as in `Situation.relabelling`.

        Returns
        -------
        Where its cards lie, and the deal of the seed whose random words it has.

        Raises
        ------
        AdviceError
            There is no such world.
        """
        if not 0 <= number < MOST_NUMBER:
            raise AdviceError(f"world {number} is out of range: 0 to {MOST_NUMBER - 1}")
        self._pools_of(0)  # what is asked of the others is found in the first round
        first = number // CHUNK * CHUNK
        known = self.known
        worlds = deal_worlds(self.seed, known, self._pools_of(first // ROUND), first, CHUNK, WORLD_BUDGET)
        at = np.flatnonzero(worlds.index & NUMBER_MASK == number)
        if not len(at):
            raise AdviceError(f"world {number} was given up: no deal was found for it; take another")
        *cards, rest = (cards_of(int(mask)) for mask in worlds.rows[:, at[0]])
        dealt = Dealt(
            tuple(map(in_order, cards[:6])),
            tuple(single for (single,) in cards[6:11]),
            tuple(map(in_order, cards[11:])),
            in_order(rest),
        )
        return dealt, int(worlds.index[at[0]])

    def chance(self, glance: Glance) -> float:
        """How often the bots call like this before these cards; of what was asked in its place where that is less."""
        if self.situation.bots == "random":  # asks its hand for nothing, so that its calls tell nothing
            so_far = self.situation.calls
            rules = self.situation.rules
            ways = [
                len(legal_bids(seat, so_far[: seat - 1], rules)) + may_pass(seat, so_far[: seat - 1], rules)
                for seat, _ in so_far
            ]
            return 1 / prod(ways)
        n = len(self._shares)
        apart = prod(comb(47 - 6 * i, 6) / comb(47, 6) for i in range(n))
        return prod(self._shares.values()) * glance.n / max(glance.tried, 1) / apart

    def _pools_of(self, number: int) -> Pools:
        if number not in self._pools:
            missing: int | None = -1
            while missing is not None:
                found, missing = self._find(number)
                if missing is not None:
                    self.slack[missing] += 1
            self._pools = {number: found}
        return self._pools[number]

    def _find(self, number: int) -> tuple[Pools, int | None]:
        """Find hands for the bids before, and who hardly ever bids so, if anybody.

        What is asked is weakened in the first round only, or later rounds would ask for something else.
        """
        known = self.known
        pools = []
        bids = [condition for condition in known.conditions if condition.most > 0]
        jobs = [
            [
                self.executor.submit(
                    find_hands, self.seed, known, condition, number * POOL + at, POOL_CHUNK, POOL_BUDGET
                )
                for at in range(0, self.pool, POOL_CHUNK)
            ]
            for condition in bids
        ]
        for condition, parts in zip(bids, jobs, strict=True):
            results = [part.result() for part in parts]
            hands = np.concatenate([hands for hands, _ in results])
            if len(hands) < LEAST_POOL and number == 0:
                for rest in jobs:
                    for job in rest:
                        job.cancel()
                self._shares = {}
                return join(()), condition.seat
            self._shares[condition.seat] = len(hands) / sum(tried for _, tried in results)
            pools.append((condition.seat, hands))
        return join(pools), None

    def _look_at_chunk(self, first: int, pools: Pools) -> Glance:
        known, situation = self.known, self.situation
        worlds = deal_worlds(self.seed, known, pools, first, CHUNK, WORLD_BUDGET)
        calls = [call or 0 for call in situation.options]
        answers = answer(self.seed, known, worlds, calls, *situation.standing)
        n, me = len(worlds.index), situation.seat - 1
        wanted = np.zeros((WAYS, n), np.bool_)
        for column in self._column.values():
            wanted[4 * me + column] = True
        ways = np.where(answers.declarers == NOBODY, 0, 4 * answers.declarers + answers.trumps)
        another = (answers.declarers != NOBODY) & (answers.declarers != me)
        for way, does in zip(ways, another, strict=True):
            wanted[way[does], np.flatnonzero(does)] = True
        way, world = np.nonzero(wanted)
        outcomes = np.zeros((WAYS, n), np.int16)
        outcomes[way, world] = play_lanes(
            club_tables(),
            start_of(self.seed),
            worlds.rows,
            worlds.index,
            world,
            way // 4,
            way % 4,
            known.bots,
            known.rules,
        )
        own = [outcomes[4 * me + self._column[suit]] for suit in SUITS]
        return Glance(
            numbers=worlds.index & NUMBER_MASK,
            own=np.stack(own),
            others=np.take_along_axis(outcomes, ways, axis=0),
            declarers=answers.declarers.astype(np.int8),
            bids=answers.bids.astype(np.int8),
            picks=(worlds.picks[pools.sizes > 0] + first // ROUND * POOL).astype(np.int32),
            tried=worlds.tried,
        )
