"""A quiz in bidding: hands in the middle of an auction and a match, and what an answer costs.

Question i of a seed is always the same.  Its cards are those of deal i, and the seats before call as the bots call
there; the seat that is asked and the scores come from random words of a stream of their own, which deals none of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import hypot

from schmier_sim.analysis.advice import Advice, CallAdvice, advise_in
from schmier_sim.analysis.run import Progress
from schmier_sim.analysis.situation import Situation, make_situation
from schmier_sim.game import club_bids
from schmier_sim.game.bots import BOTS
from schmier_sim.game.cards import Suit
from schmier_sim.game.club_bot import ClubBot
from schmier_sim.game.dealing import deal_cards
from schmier_sim.game.laws import high_bid
from schmier_sim.game.reference import SEATS, Table, play_deal, run_auction
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import apply_scores
from schmier_sim.game.standing import LOWEST_SCORE
from schmier_sim.game.view import Bot
from schmier_sim.game.words import MAX_INDEX, MAX_SEED, chain, draw, mix, word
from schmier_sim.kernel.simulate import STANDARD

DEFAULT_PRECISION = 1.0
COARSE = 10.0
"""Precision at which deals are scanned for hard questions."""
LEAST_GAP, MOST_GAP = 0.1, 0.5
"""A question is hard if the second-best call is so many points behind the best: little, but more than nothing."""
GAP_BY_TABLES = 0.6
"""Deals where the tables of `club` see more than this between two calls are not scanned any further."""
MOST_SCANNED = 3000
"""Deals in a row without a question, after which there is none to be found."""
MOST_DEALS_PLAYED = 60

_STREAM = 0x51A1_2E5C_0DD5_EA75
"""Sets the words of the quiz apart from those that deal and play."""
_SEATS_WORD, _MOMENT_WORD, _MATCH_WORD = range(3)


class QuizError(ValueError):
    """Questions that cannot be asked; the message is one line."""


@dataclass(frozen=True)
class Quiz:
    """What is asked.

    Parameters
    ----------
    seed : int
        0 <= seed < 2**63.
    rules : Rules
    bots : str
    tempers : str
        Of the seats before, and of all who play behind.
    seat : int, optional
        Ask this seat only, 1 to 6.
    close : bool
        Ask hard questions only.
    precision : float
        Of the answers, in percentage points, as for `advice.advise`.
    """

    seed: int = 21
    rules: Rules = STANDARD
    bots: str = "club"
    tempers: str = "mixed"
    seat: int | None = None
    close: bool = False
    precision: float = DEFAULT_PRECISION


@dataclass(frozen=True)
class Question:
    """One question.

    Parameters
    ----------
    deal : int
        Index of the deal.
    situation : Situation
        What the player knows.
    known : Advice, optional
        Its answer, where it was found in looking for hard questions.
    """

    deal: int
    situation: Situation
    known: Advice | None = None


@dataclass(frozen=True)
class Mark:
    """What an answer is worth.

    Parameters
    ----------
    call : CallAdvice
        What comes of the call that was made.
    suit : Suit, optional
        That was named with it.
    right : bool
        Whether the call is the best one, or too close to it to tell.
    call_cost : float
        Points behind the best call; 0 if it is right.
    suit_cost : float
        Points that another suit would bring at this bid; 0 if that is within error, or no suit was named.
    """

    call: CallAdvice
    suit: Suit | None
    right: bool
    call_cost: float
    suit_cost: float

    @property
    def cost(self) -> float:
        """Points lost."""
        return self.call_cost + self.suit_cost


def questions(
    quiz: Quiz,
    first: int = 0,
    *,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[Question]:
    """Yield the questions from deal `first` on, as many as are taken.

    A deal has one question, or none: where the auction is over before the wanted seat, or where hard ones are wanted
    and it is not.

    Raises
    ------
    QuizError
        No deal has a question, among many in a row.
    """
    idle = 0
    for deal in range(first, MAX_INDEX):
        question = ask(quiz, deal) if not quiz.close or _may_be_close(quiz, deal) else None
        if question is not None and quiz.close:
            question = _if_close(quiz, question, workers, progress)
        if question is not None:
            idle = 0
            yield question
            continue
        idle += 1
        if idle == MOST_SCANNED:
            kind = "close question" if quiz.close else "question"
            raise QuizError(
                f"no {kind} in the {MOST_SCANNED} deals from {deal - MOST_SCANNED + 1} on:"
                " leave out --seat or --close, or choose other bots"
            )


def ask(quiz: Quiz, deal: int) -> Question | None:
    """Make the question of a deal; None where the auction ends before the wanted seat."""
    table = _auction(quiz, deal)
    seat = _seat(quiz, deal, len(table.auction))
    if seat is None:
        return None
    calls = [call for _, call in table.auction[: seat - 1]]
    scores = _scores(quiz, deal, seat)
    situation = make_situation(
        table.dealt.hands[seat - 1],
        seat,
        calls,
        scores,
        quiz.rules,
        quiz.bots,
        quiz.tempers,
        bidding="points",
    )
    return Question(deal, situation)


def answer(
    quiz: Quiz,
    question: Question,
    *,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Advice:
    """Find what each call is worth: as the command `hand` tells it for the same seed."""
    if question.known is not None:
        return question.known
    return _answer(quiz, question, workers, progress, quiz.precision)


def _answer(
    quiz: Quiz,
    question: Question,
    workers: int | None,
    progress: Callable[[Progress], None] | None,
    precision: float,
) -> Advice:
    return advise_in(
        question.situation,
        seed=quiz.seed,
        precision=precision,
        workers=workers,
        progress=progress,
    )


def mark(advice: Advice, call: int | None, suit: Suit | None = None) -> Mark:
    """Judge an answer.

    Parameters
    ----------
    advice : Advice
        The right answer.
    call : int or None
        One of the situation's options; None passes.
    suit : Suit, optional
        Named with a bid.

    Raises
    ------
    ValueError
        A call that cannot be made.
    """
    made = next((one for one in advice.calls if one.call == call), None)
    if made is None:
        raise ValueError(f"no call {call}: {', '.join(str(one.call) for one in advice.calls)}")
    right = call in [one.call for one in advice.close]
    cost = 0.0 if right else max(made.behind_best.value, 0.0)
    return Mark(made, suit, right, cost, 0.0 if suit is None else _suit_cost(advice, made, suit))


def gap(advice: Advice) -> float:
    """Points by which the second-best call is behind the verdict's."""
    behind = [one.behind_best.value for one in advice.calls if one is not advice.verdict]
    return min(behind, default=float("inf"))


def is_close(advice: Advice) -> bool:
    """Whether a question is hard: its second-best call costs little, but surely something."""
    return len(advice.close) == 1 and LEAST_GAP <= gap(advice) <= MOST_GAP


def _suit_cost(advice: Advice, made: CallAdvice, suit: Suit) -> float:
    """What naming another suit than the best one loses, of the points relative to the others.

    Of the points that a side wins fewer, the other teams win more; so these count too, shared among them.
    """
    if made.call is None or suit == made.suit:
        return 0.0
    best, named = advice.suit(made.suit), advice.suit(suit)
    others = advice.situation.rules.n_teams - 1
    lost = best.net[made.call].value - named.net[made.call].value
    lost += (best.mean_points.value - named.mean_points.value) / others
    error = hypot(best.net[made.call].half, named.net[made.call].half)
    return lost * made.wins_auction.value if lost > error else 0.0


def _word(quiz: Quiz, deal: int, number: int) -> int:
    return word(mix(quiz.seed ^ _STREAM) % MAX_SEED, deal, number)


def _bot(quiz: Quiz) -> Bot:
    return ClubBot(tempers=quiz.tempers) if quiz.bots == "club" else BOTS[quiz.bots]


def _auction(quiz: Quiz, deal: int) -> Table:
    """Deal the cards and let all bots call: what a seat calls does not depend on those behind it."""
    table = Table(deal_cards(quiz.seed, deal), quiz.rules, partial(word, quiz.seed, deal))
    run_auction(table, dict.fromkeys(SEATS, _bot(quiz)))
    return table


def _seat(quiz: Quiz, deal: int, reached: int) -> int | None:
    """The wanted seat, or the first one in a random order, that is among the first `reached`; None if it is not."""
    if quiz.seat is not None:
        return quiz.seat if quiz.seat <= reached else None
    left, random = list(SEATS), _word(quiz, deal, _SEATS_WORD)
    while True:
        place, random = chain(random, len(left))
        seat = left.pop(place)
        if seat <= reached:
            return seat


def _scores(quiz: Quiz, deal: int, seat: int) -> tuple[int, ...]:
    """Scores of the own team and those to the left, at a random moment of a match that the bots play.

    Each number of deals that leaves the match undecided is as likely, from two on if it lasts so long.
    """
    rules, bot, n = quiz.rules, _bot(quiz), quiz.rules.n_teams
    seed = _word(quiz, deal, _MATCH_WORD) % MAX_SEED
    totals = (0,) * n  # of the team on the dealer's left, and so on
    moments = [totals]
    for index in range(max(2, min(2 * rules.target // 3, MOST_DEALS_PLAYED))):
        record = play_deal(seed, index, rules, bot, mode="auction")
        if record.declarer is None:
            if rules.all_pass == "next-dealer":
                totals = (*totals[1:], totals[0])
            continue
        totals = apply_scores(totals, record.scores, rules.team(record.declarer), rules)
        totals = (*totals[1:], totals[0])
        if max(totals) >= rules.target or min(totals) < LOWEST_SCORE:
            break
        moments.append(totals)
    fitting = moments[2:] or moments[-1:]
    scores = fitting[draw(_word(quiz, deal, _MOMENT_WORD), len(fitting))]
    own = rules.team(seat) - 1
    return (*scores[own:], *scores[:own])


def _may_be_close(quiz: Quiz, deal: int) -> bool:
    """Whether the tables that `club` bids by see little between the two best calls: a quick look at many deals."""
    table = _auction(quiz, deal)
    seat = _seat(quiz, deal, len(table.auction))
    if seat is None:
        return False
    table.auction = table.auction[: seat - 1]
    table.declarer = table.bid = None
    view = table.view(seat)
    values = club_bids.hand_values(view.hand, club_bids.role_of(seat, quiz.rules))
    state = club_bids.state_of(seat, high_bid(view.auction), quiz.rules)
    brings = dict(zip(club_bids.CALLS, club_bids.call_values(state, values), strict=True))
    options = [brings[0]] if view.may_pass else []
    options = sorted(options + [brings[bid] for bid in view.bids])
    return len(options) > 1 and options[-1] - options[-2] <= 1000 * GAP_BY_TABLES


def _if_close(
    quiz: Quiz, question: Question, workers: int | None, progress: Callable[[Progress], None] | None
) -> Question | None:
    """The question with its answer if it is hard: by a coarse look first, and by the answer."""
    coarse = max(COARSE, quiz.precision)
    found = _answer(quiz, question, workers, progress, coarse)
    if gap(found) > MOST_GAP + max(one.behind_best.half for one in found.calls):
        return None
    if coarse > quiz.precision:
        found = _answer(quiz, question, workers, progress, quiz.precision)
    return replace(question, known=found) if is_close(found) else None
