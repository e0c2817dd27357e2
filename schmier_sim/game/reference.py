"""The slow, obvious engine: one deal, played by the rules with card strings, lists and integers.

It knows every house rule of `schmier_sim.game.rules.Rules` and checks every decision of a bot. Each kernel
is compared with it, card by card.
"""

from collections.abc import Callable, Sequence
from functools import partial

from schmier_sim.game.cards import POINTS, SUITS, Card, Suit, in_order
from schmier_sim.game.dealing import MODES, SAMPLES, STRATIFIED_TRUMP, Dealt, deal_cards, declarer_of
from schmier_sim.game.laws import (
    DEALER,
    IllegalMove,
    auction_is_over,
    check_exchange,
    high_bid,
    legal_bids,
    legal_cards,
    may_pass,
    winning_place,
)
from schmier_sim.game.record import Call, DealRecord, Exchange, Trick
from schmier_sim.game.rules import Rules
from schmier_sim.game.scoring import card_points_won, deal_scores, points_won
from schmier_sim.game.view import Bot, View
from schmier_sim.game.words import MAX_INDEX, MAX_SEED, is_own_word, word

SEATS: tuple[int, ...] = (1, 2, 3, 4, 5, 6)


def play_deal(
    seed: int,
    index: int,
    rules: Rules,
    bots: Bot | tuple[Bot, ...],
    mode: str = "declare",
    sample: str = "natural",
) -> DealRecord:
    """Play deal `index` of a seed.

    Parameters
    ----------
    seed, index : int
        Address of the random numbers: seed below 2**63, index below 2**56.
    rules : Rules
        The rules in force.
    bots : Bot or tuple of Bot
        One bot for all seats, or one for each team.
    mode : "declare" | "auction"
        Declare: seat ``index % 6 + 1`` names trumps, without an auction. Auction: the seats call.
    sample : "natural" | "stratified"
        How hands are dealt, see `deal_cards`; a stratified deal has spades as trumps and no auction.

    Raises
    ------
    ValueError
        Numbers out of range, an unknown mode or sample, or stratified deals with an auction.
    IllegalMove
        A bot that breaks the rules.
    """
    if not (0 <= seed < MAX_SEED and 0 <= index < MAX_INDEX):
        raise ValueError(f"seed {seed} or index {index} out of range: seed 0 to 2**63-1, index 0 to 2**56-1")
    if mode not in MODES or sample not in SAMPLES or (mode, sample) == ("auction", "stratified"):
        raise ValueError(f"no mode {mode} with sample {sample}: declare has both samples, auction natural")
    table = Table(deal_cards(seed, index, sample), rules, partial(word, seed, index))
    declarer = declarer_of(index) if mode == "declare" else None
    trump = STRATIFIED_TRUMP if sample == "stratified" else None
    return play_table(table, bots, declarer=declarer, trump=trump)


def play_table(
    table: "Table", bots: Bot | tuple[Bot, ...], *, declarer: int | None = None, trump: Suit | None = None
) -> DealRecord:
    """Play what lies on a table to its end.

    Parameters
    ----------
    table : Table
        The cards dealt, before the first call; it is played to its end.
    bots : Bot or tuple of Bot
        One bot for all seats, or one for each team.
    declarer : int, optional
        Seat that declares; without one there is an auction.
    trump : str, optional
        Trumps; without them the declarer's bot names them.
    """
    if isinstance(bots, tuple) and len(bots) != table.rules.n_teams:
        raise ValueError(f"{len(bots)} bots for {table.rules.n_teams} teams: give one for all or one a team")
    players = {seat: bots[table.rules.team(seat) - 1] if isinstance(bots, tuple) else bots for seat in SEATS}
    if declarer is None:
        run_auction(table, players)
    else:
        table.declarer = declarer
    if table.declarer is not None:
        name_trumps(table, players[table.declarer], trump)
        run_exchange(table, players)
        for _ in range(6):
            play_trick(table, players)
    return table.record()


class Table:
    """The state of one deal, hidden cards and all.

    Parameters
    ----------
    dealt : Dealt
        Where the cards lie before the first call.
    rules : Rules
        The rules in force.
    words : function of int
        The deal's random words by address; a view passes on only its seat's own.
    """

    def __init__(self, dealt: Dealt, rules: Rules, words: Callable[[int], int] | None = None) -> None:
        self.dealt = dealt
        self.rules = rules
        self.words = words
        self.hands: dict[int, list[Card]] = {seat: list(dealt.hands[seat - 1]) for seat in SEATS}
        self.auction: list[Call] = []
        self.declarer: int | None = None
        self.bid: int | None = None
        self.trump: Suit | None = None
        self.discards: dict[int, tuple[Card, ...]] = {}
        self.exchange: list[Exchange] = []
        self.tricks: list[Trick] = []
        self.leader: int | None = None
        self.trick: list[Card] = []

    def view(self, seat: int) -> View:
        """Return what a seat knows now."""
        calling = self.declarer is None
        hand = in_order(self.hands[seat])
        legal: tuple[Card, ...] = ()
        if self.leader is not None and self.trump is not None:
            first = not self.tricks and not self.trick
            legal = legal_cards(hand, self.trick, self.trump, self.rules, first_lead=first)
        return View(
            seat=seat,
            rules=self.rules,
            hand=hand,
            auction=tuple(self.auction),
            bids=legal_bids(seat, self.auction, self.rules) if calling else (),
            may_pass=may_pass(seat, self.auction, self.rules) if calling else True,
            declarer=self.declarer,
            bid=self.bid,
            trump=self.trump,
            exchanged=tuple(map(len, self.discards.values())),
            discards=self.discards.get(seat, ()),
            tricks=tuple(self.tricks),
            leader=self.leader,
            trick=tuple(self.trick),
            legal=legal,
            word=partial(self._own_word, seat),
        )

    def _own_word(self, seat: int, k: int) -> int:
        if self.words is None or not is_own_word(seat, k):
            raise ValueError(f"seat {seat} has no random word {k} of its own")
        return self.words(k)

    def record(self) -> DealRecord:
        """Return what has happened, once the deal is over."""
        counts = tuple(len(away) for _, away, _ in self.exchange[:5]) or (3, 3, 3, 3, 3)
        drawn = [self.dealt.drawn(seat, count) for seat, count in enumerate(counts, start=1)]
        stock = [card for cards in (*drawn, self.dealt.left(counts)) for card in cards]
        points: dict[str, int | None] = dict.fromkeys(POINTS)
        game_points = scores = (0,) * self.rules.n_teams
        if self.declarer is not None and self.trump is not None:
            points = points_won(self.tricks, self.trump, self.declarer, self.rules)
            game_points = card_points_won(self.tricks, self.rules)
            scores = deal_scores(points, self.rules.team(self.declarer), self.bid, self.rules)
        return DealRecord(
            hands=self.dealt.hands,
            stock=tuple(stock),
            auction=tuple(self.auction),
            redeal=self.declarer is None,
            declarer=self.declarer,
            bid=self.bid,
            trump=self.trump,
            exchange=tuple(self.exchange),
            tricks=tuple(self.tricks),
            points=points,
            game_points=game_points,
            scores=scores,
        )


def run_auction(table: Table, players: dict[int, Bot]) -> None:
    """Let the seats call in turn until one has bid 6 or all have called; the highest bidder declares."""
    for seat in SEATS:
        view = table.view(seat)
        bid = players[seat].bid(view)
        if bid not in view.bids and not (bid is None and view.may_pass):
            raise IllegalMove(f"seat {seat} may not call {bid}: bids {view.bids}, pass {view.may_pass}")
        table.auction.append((seat, bid))
        if auction_is_over(table.auction):
            break
    highest = high_bid(table.auction)
    if highest is not None:
        table.declarer, table.bid = highest


def name_trumps(table: Table, player: Bot, trump: Suit | None = None) -> None:
    """Let the declarer name trumps, unless they are given."""
    if table.declarer is None:
        raise ValueError("nobody declares")
    suit = player.trump(table.view(table.declarer)) if trump is None else trump
    if suit not in SUITS:
        raise IllegalMove(f"{suit} is no suit: name one of {' '.join(SUITS)}")
    table.trump = suit


def run_exchange(table: Table, players: dict[int, Bot]) -> None:
    """Let seats 1 to 5 put away and draw; then the dealer takes all that is left and keeps six."""
    for seat in SEATS:
        hand = table.hands[seat]
        drawn: tuple[Card, ...] = ()
        if seat == DEALER:
            drawn = table.dealt.left(tuple(len(away) for away in table.discards.values()))
            hand.extend(drawn)
        view = table.view(seat)
        discards = players[seat].exchange(view)
        check_exchange(seat, hand, discards, view.trumps_named)
        for card in discards:
            hand.remove(card)
        if seat != DEALER:
            drawn = table.dealt.drawn(seat, len(discards))
            hand.extend(drawn)
        table.discards[seat] = in_order(discards)
        table.exchange.append((seat, table.discards[seat], drawn))


def play_trick(table: Table, players: dict[int, Bot]) -> None:
    """Play one trick: the declarer leads to the first, later the winner of the last; clockwise."""
    leader = table.tricks[-1][2] if table.tricks else table.declarer
    if leader is None or table.trump is None:
        raise ValueError("nobody leads before trumps are named")
    table.leader = leader
    for seat in _clockwise(leader):
        view = table.view(seat)
        card = players[seat].play(view)
        if card not in view.legal:
            raise IllegalMove(f"seat {seat} may not play {card}: it may play {' '.join(view.legal)}")
        table.hands[seat].remove(card)
        table.trick.append(card)
    winner = _clockwise(leader)[winning_place(table.trick, table.trump)]
    table.tricks.append((leader, tuple(table.trick), winner))
    table.trick = []
    table.leader = None


def _clockwise(first: int) -> Sequence[int]:
    return [(first + place - 1) % 6 + 1 for place in range(6)]
