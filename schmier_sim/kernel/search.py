"""The player `search`: it tries each of its options in sampled worlds and takes the one that does best.

Worlds agree with all that the seat knows (`kernel.worlds`); in each, every option is played to the end of the deal by a
base policy at all seats (`kernel.positions`).  It is slow beside a policy, and stronger than the one it builds on: the
measure for policies, and with many worlds the judge of single decisions (`SearchBot.evaluate`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import cast

import numpy as np
from numpy.typing import NDArray

from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import SUITS, TRUMPS, Card, Suit, in_order
from schmier_sim.game.laws import DEALER, MOST_PUT_AWAY
from schmier_sim.game.view import Bot, View
from schmier_sim.game.words import GAMMA, MAX_SEED, SUIT_WORD, exchange_word, mix, play_word
from schmier_sim.kernel.bits import u64
from schmier_sim.kernel.bots import BOT_NAMES
from schmier_sim.kernel.bots.weights import check_tables, club_tables
from schmier_sim.kernel.masks import DISCARDABLE_TRUMPS
from schmier_sim.kernel.positions import (
    BasePolicy,
    Results,
    Tables,
    results_of_cards,
    results_of_exchanges,
    results_of_suits,
)
from schmier_sim.kernel.worlds import cards_to_mask

Option = Card | Suit | tuple[Card, ...]
"""A card to play, a suit to name, or the cards to put away in canonical order."""

MOST_OPTIONS = 64
"""Where the dealer has more ways to exchange, those that differ from the base bot's in one card are tried."""

_SPOTS = ("2", "3", "4", "5", "6", "7", "8", "9")
_WORD = 2**64 - 1


@dataclass(frozen=True)
class Evaluation:
    """What the options of a decision are worth.

    Parameters
    ----------
    options : tuple of n options
        Cards, suits, or tuples of cards to put away, the lowest first.
    values : float array [n]
        Mean over the worlds of what the own team scores in the deal, less the mean of the other teams.
    errors : float array [n]
        Standard errors of the differences to the chosen option, by world; 0 for that option.
    chosen : int
        Place of the option that is taken: the base bot's, unless another is better by more than its doubt; then the
        best, of equal ones the first.
    """

    options: tuple[Option, ...]
    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    chosen: int

    def loss(self, option: Option) -> float:
        """How much less an option is worth than the chosen one. ValueError for one that was not evaluated."""
        option = in_order(option) if isinstance(option, tuple) else option
        return float(self.values[self.chosen] - self.values[self.options.index(option)])


class SearchBot:
    """A player that looks for the best option by play-outs; its calls are the base bot's.

    It knows nothing but its view: the same view and the same seed give the same choice.

    Parameters
    ----------
    worlds : int
        Worlds a decision, at least 1.
    seed : int
        0 <= seed < 2**63. Bots of different seeds look at different worlds.
    bots : str or tuple of str
        Who plays in the play-outs: one of `BOT_NAMES` for all seats, or one for each of the teams, own team or not.
    base : Bot, optional
        Makes the calls, and decides between options that are worth the same. By default the twin of the first of
        `bots`, or `simple` if it has none.
    tables : int16 array, optional
        Weights of `club`, by default those that ship.
    doubt : float
        By how many standard errors another option has to be better than the base bot's to be taken. The best of several
        noisy means looks better than it is: without doubt, a few worlds lose by luck what they gain.

    Raises
    ------
    ValueError
        One line that names the bad value.
    """

    def __init__(
        self,
        worlds: int = 40,
        seed: int = 0,
        bots: str | tuple[str, ...] = "club",
        base: Bot | None = None,
        tables: Tables | None = None,
        doubt: float = 1.0,
    ) -> None:
        if worlds < 1:
            raise ValueError(f"{worlds} worlds are too few: 1 or more, such as 40")
        if not 0 <= seed < MAX_SEED:
            raise ValueError(f"seed {seed} is out of range: 0 to 2^63 - 1, such as 0")
        names = (bots,) if isinstance(bots, str) else bots
        for name in names:
            if name not in BOT_NAMES:
                raise ValueError(f"there is no bot '{name}': choose {' or '.join(BOT_NAMES)}")
        if not doubt >= 0:
            raise ValueError(f"doubt {doubt} is below 0: 0 or more, such as 1")
        self.worlds = worlds
        self.doubt = doubt
        self.seed = seed
        self.names = names
        self.base = BOTS.get(names[0], BOTS["simple"]) if base is None else base
        self.tables = club_tables() if tables is None else check_tables(tables)

    def bid(self, view: View) -> int | None:
        """Call what the base bot calls."""
        return self.base.bid(view)

    def trump(self, view: View) -> Suit:
        """Name the best suit."""
        return cast(Suit, self._choose(view))

    def exchange(self, view: View) -> tuple[Card, ...]:
        """Put away the best set of as many cards as may be; as dealer keep the best six."""
        return cast(tuple[Card, ...], self._choose(view))

    def play(self, view: View) -> Card:
        """Play the best card."""
        return cast(Card, self._choose(view))

    def _choose(self, view: View) -> Option:
        evaluation = self.evaluate(view)
        return evaluation.options[evaluation.chosen]

    def evaluate(self, view: View, also: Sequence[Option] = ()) -> Evaluation:
        """Evaluate the options of a decision; a single option is worth 0 and is not played out.

        Parameters
        ----------
        view : View
            Of a seat that is to name trumps, to exchange or to play.
        also : sequence of options
            Legal ones to be evaluated besides those that the bot looks at itself: exchanges of a dealer with very many
            cards. Cards to put away are given in any order.

        Raises
        ------
        ValueError
            In an auction; where the others cannot have put away as many cards as they may; and where the view has no
            random word for the decision.
        """
        if view.declarer is None:
            raise ValueError("calls are the base bot's: there is nothing to evaluate in an auction")
        own: Callable[[], Option]
        options: set[Option]
        if view.trump is None:
            own, options, address = lambda: self.base.trump(view), set(SUITS), SUIT_WORD
        elif view.legal:
            own, options = lambda: self.base.play(view), set(view.legal)
            address = play_word(view.seat, len(view.tricks))
        else:
            own, options = lambda: in_order(self.base.exchange(view)), self._exchanges(view)
            address = exchange_word(view.seat, 0)
        options |= {in_order(option) if isinstance(option, tuple) else option for option in also}
        ordered = _ascending(options, view)
        if len(ordered) == 1:
            return Evaluation(ordered, np.zeros(1), np.zeros(1), 0)
        start = mix((mix((self.seed + GAMMA) & _WORD) ^ view.word(address)) & _WORD)
        return _evaluation(
            ordered, self._results(view, ordered, u64(start)), view.rules.n_teams, own, self.doubt
        )

    def _results(self, view: View, options: tuple[Option, ...], start: np.uint64) -> Results:
        if len(self.names) not in (1, view.rules.n_teams):
            raise ValueError(
                f"{len(self.names)} bots for {view.rules.n_teams} teams: give one for all or one a team"
            )
        codes = [BOT_NAMES.index(name) for name in self.names] * 3
        base = BasePolicy((codes[0], codes[1], codes[2]), self.tables)
        if view.trump is None:
            return results_of_suits(view, cast(tuple[Suit, ...], options), self.worlds, start, base)
        if view.legal:
            return results_of_cards(view, cast(tuple[Card, ...], options), self.worlds, start, base)
        sets = cast(tuple[tuple[Card, ...], ...], options)
        return results_of_exchanges(view, sets, self.worlds, start, base)

    def _exchanges(self, view: View) -> set[Option]:
        """Sets of cards that may be put away."""
        trump = view.trumps_named
        trumps = [card for card in view.hand if cards_to_mask([card], trump) & TRUMPS]
        plain = [card for card in view.hand if card not in trumps]
        if view.seat != DEALER:
            return {in_order(away) for away in combinations(plain, min(MOST_PUT_AWAY, len(plain)))}
        spare = [card for card in trumps if cards_to_mask([card], trump) & int(DISCARDABLE_TRUMPS)]
        free, n = (spare, len(trumps) - 6) if len(trumps) > 6 else (plain, len(view.hand) - 6)
        always = plain if len(trumps) > 6 else []
        if comb(len(free), n) <= MOST_OPTIONS:
            return {in_order((*always, *away)) for away in combinations(free, n)}
        away = in_order(self.base.exchange(view))
        return {away, *_with_one_card_changed(away, free)}


def _with_one_card_changed(away: tuple[Card, ...], free: Sequence[Card]) -> set[Option]:
    """Sets that differ in one card from those put away; of a suit's cards from 2 to 9 only one is exchanged."""

    def by_worth(cards: Sequence[Card]) -> list[Card]:
        return list({card[-1] if card[:-1] in _SPOTS else card: card for card in cards}.values())

    out = by_worth([card for card in away if card in free])
    into = by_worth([card for card in free if card not in away])
    changed: list[Option] = [
        in_order((*(card for card in away if card != kept), gone)) for kept in out for gone in into
    ]
    return set(changed[: MOST_OPTIONS - 1])


def _ascending(options: set[Option], view: View) -> tuple[Option, ...]:
    """Options from the lowest card on, suits in their order."""
    trump = view.trump
    if trump is None:
        return tuple(sorted(options, key=lambda suit: SUITS.index(cast(Suit, suit))))
    return tuple(
        sorted(
            options, key=lambda option: cards_to_mask([option] if isinstance(option, str) else option, trump)
        )
    )


def _evaluation(
    options: tuple[Option, ...], results: Results, n_teams: int, own: Callable[[], Option], doubt: float
) -> Evaluation:
    """Sum up results [options, worlds], which count each other team once."""
    totals = results.sum(axis=1)
    best = np.flatnonzero(totals == totals.max())
    chosen = int(best[0])
    worlds, others = results.shape[1], n_teams - 1

    def errors_to(one: int) -> NDArray[np.float64]:
        """Standard errors of the differences to an option, times the worlds and the other teams."""
        if worlds == 1:
            return np.full(len(options), np.nan)
        differences = results - results[one]
        squares = (differences * differences).sum(axis=1) - (totals - totals[one]) ** 2 / worlds
        return np.asarray(np.sqrt(squares * worlds / (worlds - 1)))

    if len(best) > 1 or (doubt and worlds > 1):
        preferred = own()
        if preferred in options:
            at = options.index(preferred)
            if totals[chosen] - totals[at] <= doubt * errors_to(at)[chosen]:
                chosen = at
    errors = errors_to(chosen) / (worlds * others)
    errors[chosen] = 0.0
    return Evaluation(options, totals / (worlds * others), errors, chosen)
