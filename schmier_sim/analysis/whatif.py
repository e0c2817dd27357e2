"""What a better or a worse card would change, and single worlds in full: two further looks at a piece of advice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from schmier_sim.analysis.advice import FIRST_LOOK, Advice, Mean, Plan
from schmier_sim.analysis.outlook import CHUNK, ROUND, Floats, Glance, Outlook, Sharing
from schmier_sim.analysis.run import Progress, available_cores
from schmier_sim.analysis.situation import AdviceError, Situation
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import DECK, RANKS, Card, Suit, suit_of, trump_order
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.laws import auction_is_over, high_bid
from schmier_sim.game.record import DealRecord
from schmier_sim.game.reference import SEATS, Table, name_trumps, play_trick, run_exchange
from schmier_sim.game.symmetry import alike, inverse, relabel, relabel_deal
from schmier_sim.game.view import Bot
from schmier_sim.game.words import word

SWAP_WORLDS, SWAP_HANDS = ROUND // 2, ROUND
"""Worlds in which a swap is valued, and hands that are looked for in a round for each bid before the player's."""


@dataclass(frozen=True)
class SwapAdvice:
    """What another card would change.

    Attributes
    ----------
    give, take
        The card of the hand, and the one in its place.
    call, suit
        The best call with it.
    gain
        Relative points of the best call, more than without the swap; the same deals but for the two cards.
    """

    give: Card
    take: Card
    call: int | None
    suit: Suit
    gain: Mean


def swaps_of(situation: Situation, trump: Suit) -> tuple[tuple[Card, Card], ...]:
    """Swaps that are of interest: for neighbouring cards, and of a low plain card for a low trump.

    Each card changes places with the next one above and below it that is not held, in the order of trumps or of its
    plain suit; the lowest plain card also with the lowest trump from 3 to 9.
    """
    hand = situation.hand
    order = tuple(reversed(trump_order(trump)))  # from the lowest
    found: list[tuple[Card, Card]] = []
    for card in hand:
        suit = suit_of(card, trump)
        ladder = (
            order if suit == trump else tuple(r + suit for r in RANKS if suit_of(r + suit, trump) == suit)
        )
        at = ladder.index(card)
        above = [other for other in ladder[at + 1 :] if other not in hand]
        below = [other for other in ladder[:at] if other not in hand]
        found += [(card, other[0]) for other in (above, below[::-1]) if other]
    plain = [card for card in hand if card not in order]
    small = [card for card in order if card[:-1] in "3456789" and card not in hand]
    if plain and small:
        found.append((min(plain, key=lambda card: RANKS.index(card[:-1])), small[0]))
    return tuple(dict.fromkeys(found))


def value_swaps(
    advice: Advice,
    swaps: tuple[tuple[Card, Card], ...] | None = None,
    *,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[SwapAdvice, ...]:
    """Tell what other cards would be worth in the situation of a piece of advice.

    For each hand the best call is chosen in some worlds and valued in others, the same ones for all hands: a swap takes
    its two cards' places in each.

    Parameters
    ----------
    advice : Advice
    swaps : tuple of (card of the hand, card not held), optional
        By default `swaps_of` the verdict's suit.
    workers : int, optional
    progress : function of Progress, optional

    Raises
    ------
    AdviceError
        A card that is not held, or one that is.
    """
    situation = advice.situation
    if swaps is None:
        swaps = swaps_of(situation, advice.verdict.suit)
    for give, take in swaps:
        if give not in situation.hand:
            raise AdviceError(f"{give} is not in the hand: it holds {' '.join(situation.hand)}")
        if take in situation.hand or take not in DECK:
            raise AdviceError(f"{take} cannot come in: it has to be a card that is not in the hand")
    with ThreadPoolExecutor(workers or available_cores(), thread_name_prefix="advice") as pool:
        base = Outlook(situation, advice.seed, pool)
        base.look(0, CHUNK)  # finds what is asked of the calls before

        def best_values(swap: tuple[Card, Card] | None) -> tuple[Plan, Glance, Floats]:
            """Choose the best call in the first round, and value it in the second: relative points by world."""
            outlook = Outlook(situation, advice.seed, pool, swap, tuple(base.slack), SWAP_HANDS)
            plan = Plan(situation, outlook.look(0, FIRST_LOOK))
            glance = outlook.look(ROUND, SWAP_WORLDS)
            return plan, glance, plan.relative[plan.types(glance)[plan.best]]

        _, without, before = best_values(None)
        found = []
        for done, (give, take) in enumerate(swaps, start=1):
            plan, with_it, after = best_values((give, take))
            # A world is left out where one of the two hands found none.
            _, first, second = np.intersect1d(
                without.numbers, with_it.numbers, assume_unique=True, return_indices=True
            )
            apart = after[second] - before[first]
            n = len(apart) * Sharing(with_it.picks[:, second]).independent(apart)
            gain = (
                Mean(float(apart.mean()), float(apart.std(ddof=1)) / n**0.5)
                if n > 1
                else Mean(np.nan, np.nan)
            )
            found.append(SwapAdvice(give, take, plan.options[plan.best], plan.suits[plan.best], gain))
            if progress is not None:
                progress(Progress(done, len(swaps)))
        return tuple(found)


def tell_world(situation: Situation, seed: int, number: int, call: int | None, suit: Suit) -> DealRecord:
    """Play one world in full: the calls before as they were, then the player's, then the bots.

    Parameters
    ----------
    situation : Situation
    seed, number : int
        Of the advice, and of the world (`Advice.failures`).
    call, suit
        The player's call, and the suit that he names if he declares.

    Raises
    ------
    AdviceError
        A call that he may not make, or a number that is not there.
    """
    if call not in situation.options:
        options = ", ".join("pass" if option is None else str(option) for option in situation.options)
        raise AdviceError(f"call {call} is not possible here: {options}")
    with ThreadPoolExecutor(available_cores(), thread_name_prefix="advice") as pool:
        dealt, index = Outlook(situation, seed, pool).world(number)
    suits = situation.relabelling
    # A suit that is like another one is played as that one, as in the advice: all is told with the two in each other's
    # places then, which leaves the hand as it is.
    to_first = alike(relabel(card, suits) for card in situation.hand)[suits[suit]]
    own = False
    bot: Bot = (
        ClubBot(tempers=situation.tempers, curves=situation.curves)
        if situation.bots == "club"
        else BOTS[situation.bots]
    )
    players = dict.fromkeys(SEATS, bot)
    table = Table(dealt, situation.rules, partial(word, seed, index))
    for seat in SEATS:
        if not auction_is_over(table.auction):
            if seat < situation.seat:
                bid = situation.auction[seat - 1]
            else:
                bid = call if seat == situation.seat else bot.bid(table.view(seat))
            table.auction.append((seat, bid))
    highest = high_bid(table.auction)
    if highest is not None:
        table.declarer, table.bid = highest
        own = table.declarer == situation.seat
        name_trumps(table, bot, to_first[suits[suit]] if own else None)
        run_exchange(table, players)
        for _ in range(6):
            play_trick(table, players)
    record = relabel_deal(table.record(), inverse(to_first)) if own else table.record()
    return relabel_deal(record, inverse(suits))
