"""The workspace of one block of deals: a flat array of rows, one row a quantity, one column a deal.

Every phase is a loop over a block.  Rows are compile-time offsets into one array: the compiler then knows that they do
not overlap, needs no run-time checks, and turns the loop into vector code.

Masks are natural while cards are dealt and bid on; once trumps are named they are trump-relative (`game.cards`).
Seats are 0..5 here, teams ``seat % number of teams``.
"""

import numpy as np
from numpy.typing import NDArray

#: Deals in a block: few enough for the nearest caches, many enough for what is done once a block.
B = 128
_LINE = 8  # words in a line of the cache

_next_row = 0


def _row() -> int:
    """Offset of a row of its own."""
    global _next_row
    _next_row += 1
    return (_next_row - 1) * B


def _rows(n: int) -> tuple[int, ...]:
    return tuple(_row() for _ in range(n))


HANDS = _rows(6)  # by seat; during play by place after the leader
ONE = _rows(5)  # reserved stock card of seats 0..4: drawn by who draws one or three
TWO = _rows(5)  # the reserved pair: drawn by who draws two or three
REST = _row()  # the cards left: in the end two stock cards that only the dealer can get
SEAT = _row()  # the seat that was dealt the last hand
BASE = _row()  # counter of the deal's random words
DECLARER = _row()  # seat
TRUMP = _row()  # column 0..3
BID = _row()  # 3..6; 0 in mode declare and for a deal that was passed out
CALLS = _rows(6)  # 0 pass, 3..6, NOT_ASKED
TEMPERS = _rows(6)  # of the bot `club` at each seat (`bots.club_bids`)
SHIFT = _row()  # columns to turn a natural mask by
WRAPPED = _row()  # the columns that come from the other end when it is turned
DEALT = _row()  # the declarer's six dealt cards, relative
AWAY = _rows(6)  # cards that each seat put away
DRAWN = _rows(6)
HELD_BY = _rows(3)  # all cards that each team plays
LEADER = _row()  # seat
PLACE = _row()  # the declarer's place after the leader
SEEN = _row()  # cards of finished tricks
CARDS = _rows(6)  # the trick, by place
TRICK = _row()  # its cards so far
LED = _row()  # mask of the suit led
BEST = _row()  # the card that wins so far, as a number (`masks.LED_TRUMP`)
WINNER = _row()  # who wins so far: place after the leader
VOIDS = _row()  # seats that have shown void: six bits for each column, from bit 8 * column on
GAME = _rows(3)  # card points that each team has taken so far; kept for bots that count them
CHOICE = _row()  # the card that a bot has chosen
CHOSEN = _row()  # where teams have different bots: that of the bot at the seat
# What `club` sees, whichever card it looks at (`bots.club_bot`).
OPTIONS = _rows(6)  # its legal cards, from the lowest
HAND = _row()
TO_WEIGH = _row()  # legal cards not looked at yet
CARD = _row()
FEATURES = tuple(_rows(2) for _ in range(7))  # addresses in its tables, packed: of CARD, then of each option
UNKNOWN = _row()  # cards neither held nor seen
NEAR_VOIDS = _row()  # VOIDS by place after the leader
BEHIND = _row()  # opponents still to play who may hold trumps
ALIKE = _rows(2)  # addresses, as far as they are the same for all cards
BEATEN = _rows(2)  # what is added for a card that does not win
KEPT, WORTH, KEEP = OPTIONS[
    :3
]  # plain cards that it keeps, what they are worth, and how many they have to be
# What `club` weighs its calls by (`bots.club_bids`), before any card is played.
CELLS = OPTIONS[:4]  # where its hand stands in the tables, by suit
VALUES = tuple(row for pair in FEATURES[:2] for row in pair)  # of the suits, then the best at each bid
BRINGS = (HAND, TO_WEIGH, CARD, UNKNOWN, NEAR_VOIDS)  # by call: pass, 3 … 6
TAKEN = _rows(3)  # all cards that each team took
POINTS = _rows(6)  # team that won high, low, right, left, joker, game; 3 nobody
CARD_POINTS = _rows(3)  # of each team
CELL = _row()  # cell of the tally (`score`)
TYPE = _row()
ROWS = _next_row

NOT_ASKED = 7


def new_block() -> NDArray[np.uint64]:
    """A fresh workspace for one thread; its rows begin where cache lines do."""
    room = np.zeros(ROWS * B + _LINE, dtype=np.uint64)
    skip = -(room.ctypes.data // 8) % _LINE
    return room[skip : skip + ROWS * B]
