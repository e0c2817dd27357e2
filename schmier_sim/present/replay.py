"""A deal told as people would tell it: hands, auction, exchange, six tricks, points and scores, in 80 columns."""

import textwrap
from collections.abc import Iterable
from itertools import groupby

from schmier_sim.game.cards import JOKER, MATE, POINTS, Card, Suit, card_points, in_order, trump_order
from schmier_sim.game.record import Call, DealRecord
from schmier_sim.game.rules import Rules
from schmier_sim.present.numbers import MINUS, count, signed

WIDTH = 80
SYMBOLS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
SUIT_NAMES = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}
INDENT = "  "
GAP = "  "


def tell(
    record: DealRecord,
    *,
    index: int,
    seed: int,
    rules: Rules,
    bots: str = "",
    tempers: str = "",
    mode: str = "",
    sample: str = "",
    bidding: str = "",
    symbols: bool = False,
    title: str = "Deal",
) -> str:
    """Tell one deal.

    Parameters
    ----------
    record : DealRecord
        What happened.
    index, seed : int
        Which deal it is; only shown.
    rules : Rules
        The rules that it was played by: who is partners, and what becomes of a passed-out deal.
    bots, tempers, mode, sample, bidding : str
        How it was played and dealt; only shown, where not empty: `bidding` as it stands.
    symbols : bool
        Write `A♠` instead of `AS`.
    title : str
        What `index` counts.

    Returns
    -------
    str
        Lines of at most 80 characters, the last one with its line feed.
    """
    teller = _Teller(record, rules, symbols)
    settings = {"seed": str(seed), "rules": rules.name, "bots": bots, "tempers": tempers, "mode": mode}
    settings["sample"] = sample
    heading = [f"{title} {count(index)}", *(f"{name} {value}" for name, value in settings.items() if value)]
    heading += [bidding] if bidding else []
    parts = [_heading(heading), teller.hands(), teller.auction()]
    if not record.redeal:
        parts += [teller.exchange(), teller.tricks(), teller.points(), teller.scores()]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


class _Teller:
    """The chapters of one deal's story, each a list of lines."""

    def __init__(self, record: DealRecord, rules: Rules, symbols: bool) -> None:
        self.record = record
        self.rules = rules
        self.symbols = symbols
        self.trump = record.trump

    def hands(self) -> list[str]:
        order = "" if self.trump is None else f", trumps ({SUIT_NAMES[self.trump]}) first"
        lines = [f"Hands{order}"]
        for seat, hand in enumerate(self.record.hands, start=1):
            marks = ["deals"] if seat == 6 else []
            marks += ["declares"] if seat == self.record.declarer else []
            note = f"  {', '.join(marks)}" if marks else ""
            lines.append(
                f"{INDENT}seat {seat} (team {self.rules.team(seat)})  {self.cards(hand):<27}{note}".rstrip()
            )
        return lines

    def auction(self) -> list[str]:
        """Tell the calls, and what came of them."""
        record = self.record
        if record.redeal:
            after = {"next-dealer": "the next dealer deals"}.get(
                self.rules.all_pass, "the same dealer deals again"
            )
            return ["Auction", f"{INDENT}All six pass: nobody scores, {after}."]
        calls = f"{', '.join(_calls(record.auction))}. ".capitalize() if record.auction else "No auction. "
        bid = "" if record.bid is None else f" for {record.bid}"
        end = f"Seat {record.declarer} declares{bid} and names {self.suit(str(record.trump))}."
        return ["Auction", *_wrapped(calls + end)]

    def exchange(self) -> list[str]:
        lines = ["Exchange", f"{INDENT}seat  puts away     draws         then holds"]
        for (seat, away, drawn), hand in zip(self.record.exchange, self.record.hands, strict=True):
            held = [card for card in (*hand, *drawn) if card not in away]
            cells = [_by_three(self.cards(away)), _by_three(self.cards(drawn)), [self.cards(held)]]
            height = max(map(len, cells))
            filled = [cell + [""] * (height - len(cell)) for cell in cells]
            for number, (first, second, third) in enumerate(zip(*filled, strict=True)):
                name = str(seat) if number == 0 else ""
                lines.append(f"{INDENT}{name:<4}  {first:<12}  {second:<12}  {third}".rstrip())
        return lines

    def tricks(self) -> list[str]:
        heads = "".join(f"{f'seat {seat}':<8}" for seat in range(1, 7))
        lines = ["Tricks (> leads, * wins)", f"{INDENT}       {heads}card points"]
        for number, (leader, cards, winner) in enumerate(self.record.tricks, start=1):
            seats = [(leader - 1 + place) % 6 + 1 for place in range(6)]
            played = dict(zip(seats, cards, strict=True))
            cells = "".join(
                f"{'>' if seat == leader else ' '}{self.card(played[seat])}{'*' if seat == winner else ''}".ljust(
                    8
                )
                for seat in range(1, 7)
            )
            worth = sum(map(card_points, cards))
            lines.append(f"{INDENT}  {number}.  {cells} {worth:>2} to team {self.rules.team(winner)}")
        return lines

    def points(self) -> list[str]:
        """Say for each of the six points who won it and how."""
        lines = ["Points"]
        for point in POINTS:
            team = self.record.points[point]
            owner = "nobody" if team is None else f"team {team}"
            lines.append(f"{INDENT}{point:<6} {owner:<7} {self._how(point)}")
        return lines

    def _how(self, point: str) -> str:
        if point == "game":
            totals = ", ".join(
                f"team {team} {total}" for team, total in enumerate(self.record.game_points, start=1)
            )
            tied = "" if list(self.record.game_points).count(max(self.record.game_points)) == 1 else " (tied)"
            return f"card points: {totals}{tied}"
        assert self.trump is not None  # only played deals have points
        wanted = {
            "high": "A" + self.trump, "low": "2" + self.trump, "right": "J" + self.trump,
            "left": "J" + MATE[self.trump], "joker": JOKER,
        }[point]  # fmt: skip
        for number, (leader, cards, winner) in enumerate(self.record.tricks, start=1):
            if wanted in cards:
                player = (leader - 1 + cards.index(wanted)) % 6 + 1
                story = f"seat {player} plays {self.card(wanted)} to trick {number}"
                return story if player == winner else f"{story}, seat {winner} takes it"
        return ""

    def scores(self) -> list[str]:
        record = self.record
        won = [list(record.points.values()).count(team) for team in range(1, self.rules.n_teams + 1)]
        scores = INDENT + GAP.join(
            f"team {team} {signed(score, 0)}" for team, score in enumerate(record.scores, 1)
        )
        if record.bid is None or record.declarer is None:
            return ["Points won", scores]
        team = self.rules.team(record.declarer)
        points = won[team - 1]
        outcome = "made" if points >= record.bid else f"set, so it loses the bid ({MINUS}{record.bid})"
        return [
            "Scores",
            *_wrapped(f"Team {team} bid {record.bid} and won {_points(points)}: {outcome}."),
            scores,
        ]

    def cards(self, cards: Iterable[Card]) -> str:
        """Write cards sorted: trumps first from the top once they are named, then apart from them the plain suits."""
        trump = self.trump
        if trump is None:
            return " ".join(map(self.card, in_order(cards)))
        held = set(cards)
        trumps = [card for card in trump_order(trump) if card in held]
        plain = [card for card in in_order(held) if card not in trumps]
        return GAP.join(" ".join(map(self.card, group)) for group in (trumps, plain) if group)

    def card(self, card: Card) -> str:
        return card if card == JOKER or not self.symbols else card[:-1] + SYMBOLS[card[-1]]

    def suit(self, suit: Suit) -> str:
        return f"{SUIT_NAMES[suit]} {SYMBOLS[suit]}" if self.symbols else SUIT_NAMES[suit]


def _calls(auction: Iterable[Call]) -> list[str]:
    """Tell the calls in order; neighbours who pass are told together: `seats 2 to 5 pass`."""
    told = []
    for bid, run in groupby(auction, key=lambda call: call[1]):
        seats = [seat for seat, _ in run]
        if bid is not None:
            told.append(f"seat {seats[0]} bids {bid}")
        elif len(seats) == 1:
            told.append(f"seat {seats[0]} passes")
        else:
            told.append(f"seats {seats[0]} {'and' if len(seats) == 2 else 'to'} {seats[-1]} pass")
    return told


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


def _by_three(cards: str) -> list[str]:
    """Break a line of cards into lines of three, at least one line."""
    words = cards.split()  # without the gap between trumps and plain cards, which would not line up
    return [" ".join(words[start : start + 3]) for start in range(0, len(words), 3)] or ["nothing"]


def _heading(parts: Iterable[str]) -> list[str]:
    """Join the parts; where the line is too long it is broken between them."""
    joined = " · ".join(part.replace(" ", "\u00a0") for part in parts)
    lines = textwrap.wrap(joined, WIDTH, break_on_hyphens=False)
    return [line.replace("\u00a0", " ").strip(" ·") for line in lines]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
