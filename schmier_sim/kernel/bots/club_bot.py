"""The bot `club`: every legal card is weighed by sums from tables, and the heaviest is played.

A card's weight is the sum of seven entries of int16 tables.  Each table is addressed by a few small numbers that
describe the card and what the seat knows (`weigh`); the entries are learned from play-outs (``scripts/tune``).  The
twin in plain Python is `game.reference_bots.ClubBot`.
"""

from typing import Any

from schmier_sim.game.club_bot import SIZE, STARTS
from schmier_sim.kernel.bits import U0, U1, U2, U3, U4, U5, U6, above, count, low, sel, u64
from schmier_sim.kernel.block import (
    ALIKE,
    BEATEN,
    BEHIND,
    BEST,
    CARD,
    CARDS,
    CHOICE,
    FEATURES,
    GAME,
    HAND,
    HANDS,
    LEADER,
    LED,
    NEAR_VOIDS,
    OPTIONS,
    PLACE,
    SEEN,
    TAKEN,
    TO_WEIGH,
    TRICK,
    UNKNOWN,
    VOIDS,
    WINNER,
    B,
)
from schmier_sim.kernel.jit import inline, phase
from schmier_sim.kernel.masks import (
    COLUMN,
    JOKER,
    LED_TRUMP,
    LEFT,
    PLAIN,
    RIGHT,
    TRUMPS,
    TWO,
    card_points,
    suit_of,
)
from schmier_sim.kernel.teams import FIRST_LEAD_TRUMP, LOW_TO_TAKER, N_TEAMS, TRUMP_ANYTIME, mates

_U = tuple(u64(i) for i in range(128))
_STARTS = tuple(u64(start) for start in STARTS)
_SIZE = u64(SIZE)
_SIXTEEN = u64(0xFFFF)
_SIX = u64(63)


@inline
def _flags(cards: Any) -> Any:
    """Which of joker, 2, 10, left, right, Q, K, A of trumps are among some cards: eight bits."""
    return (
        (cards >> _U[3] & U1)
        | (cards >> _U[6] & U2)
        | (cards >> _U[37] & U4)
        | (cards >> _U[40] & _U[8])
        | (cards >> _U[43] & _U[16])
        | (cards >> _U[46] & _U[32])
        | (cards >> _U[49] & u64(64))
        | (cards >> _U[52] & u64(128))
    )


@inline
def _level(n: Any) -> Any:
    """0, 1, 2, 3, 4, 5-6, 7-8, more: 0 to 7."""
    return sel(n <= U4, n, sel(n <= U6, U5, sel(n <= _U[8], U6, _U[7])))


@inline
def _few(n: Any) -> Any:
    """0, 1, 2, 3 and more."""
    return sel(n > U3, U3, n)


@inline
def _some(n: Any) -> Any:
    """0, 1 to 3, 4 to 7, more."""
    return sel(n == U0, U0, sel(n <= U3, U1, sel(n <= _U[7], U2, U3)))


@inline
def _danger(threats: Any, behind: Any) -> Any:
    """Danger to a trump that wins: 0 safe, else 1 to 20 by trumps out above it and opponents behind."""
    level = sel(threats <= U3, threats - U1, sel(threats <= U5, U3, U4))
    return sel(threats == U0, U0, sel(behind == U0, U0, level * U4 + behind))


@phase
def count_game(w: Any) -> None:
    """Card points that each team has taken so far: fill GAME."""
    for b in range(B):
        w[GAME[0] + b] = card_points(w[TAKEN[0] + b])
        w[GAME[1] + b] = card_points(w[TAKEN[1] + b])
        w[GAME[2] + b] = card_points(w[TAKEN[2] + b])


@phase
def note_voids(w: Any, trick: int, rules: Any) -> None:
    """Before a trick, once the lead has passed: add to VOIDS who has shown void in the last one."""
    if trick == 0:
        for b in range(B):
            w[VOIDS + b] = U0
        return
    anytime = TRUMPS if rules[TRUMP_ANYTIME] != 0 else U0
    for place in range(1, 6):
        row = CARDS[0] + place * B
        for b in range(B):
            # Cards and suit are still those of the last trick, LEADER has moved on by WINNER.
            led = w[LED + b]
            seat = w[LEADER + b] + _U[12] - w[WINNER + b] + u64(place)
            seat = sel(seat >= _U[12], seat - _U[12], seat)
            seat = sel(seat >= U6, seat - U6, seat)
            column = sel(led == TRUMPS, U3, _plain_column(led))
            shown = (w[row + b] & (led | anytime)) == U0
            w[VOIDS + b] |= sel(shown, U1 << (seat + column * _U[8]), U0)


@inline
def _plain_column(suit: Any) -> Any:
    return sel(suit & COLUMN != U0, U0, sel(suit & (COLUMN << U1) != U0, U1, U2))


@inline
def _by_place(seats: Any, leader: Any) -> Any:
    """Masks of seats in all columns as masks of places after the leader."""
    all_of = u64(0x3F3F3F3F)
    near = (seats >> leader) & _lowest_bits(U6 - leader)
    far = (seats << (U6 - leader)) & (all_of ^ _lowest_bits(U6 - leader))
    return near | far


@inline
def _lowest_bits(n: Any) -> Any:
    """The lowest `n` bits of each column's six."""
    one = (U1 << n) - U1
    two = one | one << _U[8]
    return two | two << _U[16]


@phase
def look(w: Any, trick: int, place: int, rules: Any) -> None:
    """What a seat sees, whichever card it looks at: fill HAND … BEATEN."""
    n_teams = rules[N_TEAMS]
    points = RIGHT | LEFT | JOKER | (TWO if rules[LOW_TO_TAKER] != 0 else U0)
    anytime = TRUMPS if rules[TRUMP_ANYTIME] != 0 else U0
    only_trumps = TRUMPS if trick == 0 and place == 0 and rules[FIRST_LEAD_TRUMP] != 0 else U0
    own = mates(place, n_teams) & _SIX
    here, t = u64(place), u64(trick)
    opponents = (_SIX << (here + U1)) & _SIX & ~own
    partner_behind = U1 if (_SIX << (here + U1)) & _SIX & own != U0 else U0
    in_play = count(opponents)
    # Of a leader nobody has played before: the rows still hold the last trick.
    follows = U0 if place == 0 else ~U0
    leads = ~follows
    row = HANDS[0] + place * B
    for b in range(B):
        w[HAND + b] = w[row + b]
    for b in range(B):
        hand, seen = w[HAND + b], w[SEEN + b]
        in_trick, best, led = w[TRICK + b] & follows, w[BEST + b] & follows, w[LED + b]
        winner, declarer, leader = w[WINNER + b], w[PLACE + b], w[LEADER + b]
        of_suit = hand & led & follows
        legal = sel(of_suit != U0, of_suit | (hand & anytime & sel(led == TRUMPS, U0, TRUMPS)), hand)
        first = legal & only_trumps
        w[TO_WEIGH + b] = sel(first != U0, first, legal)
        unknown = ~(seen | in_trick | hand)
        w[UNKNOWN + b] = unknown
        out = TRUMPS & unknown
        n_out = count(out)
        own_trumps = count(hand & TRUMPS)
        role = own >> declarer & U1
        voids = _by_place(w[VOIDS + b], leader)
        w[NEAR_VOIDS + b] = voids
        trump_voids = voids >> _U[24]
        behind = count(opponents & ~trump_voids)
        w[BEHIND + b] = behind

        friend = own >> winner & U1
        best_trump = best & TRUMPS
        threats = count(out & above(best_trump))
        higher = count(led & PLAIN & unknown & above(best))
        some_out = sel(n_out == U0, U0, sel(n_out <= U3, U1, U2))
        plain_danger = _U[21] + (sel(higher == U0, U0, U1) * U3 + some_out) * U4 + in_play - U1
        plain_danger = sel((higher | n_out) == U0, U0, plain_danger)
        plain_danger = plain_danger if in_play != U0 else U0
        held = _U[57] + sel(best_trump != U0, _danger(threats, behind), plain_danger)
        by_declarer = _by_declarer(winner, declarer, n_teams)
        how_high = sel(best_trump != U0, U1 + sel(threats == U0, U0, sel(threats <= U2, U1, U2)), U0)
        lost = _U[102] + (by_declarer * U2 + partner_behind) * U4 + how_high
        of_friend = friend != U0
        kind = sel(of_friend, U2, U3)
        whose = sel(of_friend, U1, U2 + by_declarer)
        w[BEATEN[0] + b] = sel(of_friend, held, lost) << _U[8] | _of_kind(kind)
        w[BEATEN[1] + b] = kind << _U[46] | whose << _U[25]

        prey, fat = count(in_trick & points), card_points(in_trick)
        fat5 = sel(fat <= U1, U0, sel(fat <= U4, U1, sel(fat <= _U[9], U2, sel(fat <= _U[14], U3, U4))))
        stake = (sel(prey > U2, U2, prey) * U5 + fat5) | (leads & _U[15])
        t1 = role << _U[15] | stake << U4
        t2 = role << _U[15] | _level(n_out) << _U[10] | own_trumps << _U[7] | t << U4
        t3 = role << _U[14] | _flags(out) << U4
        t4 = role << _U[14] | _flags(hand) << U4
        w[ALIKE[0] + b] = t1 | t2 << _U[16] | t3 << _U[32] | t4 << _U[48]

        away = sel(declarer > sel(leads != U0, U2, here), U1, U0)  # a leader's declarer sits far or near
        side = sel(role != U0, sel(declarer == here, U0, U1), U2 + (U1 - away))
        t6 = here << _U[11] | side << _U[7] | t << U4
        seat = leader + here
        team = _remainder(sel(seat >= U6, seat - U6, seat), n_teams)
        g0, g1, g2 = w[GAME[0] + b], w[GAME[1] + b], w[GAME[2] + b]
        mine = sel(team == U0, g0, sel(team == U1, g1, g2))
        g0, g1, g2 = sel(team == U0, U0, g0), sel(team == U1, U0, g1), sel(team == U2, U0, g2)
        other = sel(g0 > g1, g0, g1)
        other = sel(g2 > other, g2, other)
        much = sel(mine <= U5, U0, sel(mine <= _U[13], U1, sel(mine <= _U[23], U2, U3)))
        ahead = mine + _U[100] - other
        lead5 = sel(
            ahead < _U[88],
            U0,
            sel(ahead < _U[97], U1, sel(ahead <= _U[103], U2, sel(ahead <= _U[112], U3, U4))),
        )
        fat4 = sel(fat <= U3, U0, sel(fat <= _U[9], U1, sel(fat <= _U[14], U2, U3)))
        t7 = fat4 << _U[12] | much << _U[10] | lead5 << _U[7] | t << U4
        w[ALIKE[1] + b] = t6 << _U[16] | t7 << _U[32]


@inline
def _by_declarer(winner: Any, declarer: Any, n_teams: int) -> Any:
    return sel(_remainder(winner, n_teams) == _remainder(declarer, n_teams), U1, U0)


@inline
def _of_kind(kind: Any) -> Any:
    """The kind of a card where it stands in the first four addresses."""
    return kind << _U[29] | kind << _U[44] | kind << _U[60]


@phase
def weigh(w: Any, trick: int, place: int, rules: Any) -> None:
    """Fill OPTIONS and FEATURES for the seat at a place of the trick."""
    look(w, trick, place, rules)
    own = mates(place, rules[N_TEAMS]) & _SIX
    here = u64(place)
    after = (_SIX << (here + U1)) & _SIX
    opponents = after & ~own
    in_play = count(opponents)
    behind_at_all = U1 if in_play != U0 else U0
    partner_behind = U1 if after & own != U0 else U0
    others, partner = _SIX & ~own, own & ~(U1 << here)
    follows = U0 if place == 0 else ~U0
    for slot in range(6 - trick):
        for b in range(B):
            card = low(w[TO_WEIGH + b])
            w[TO_WEIGH + b] ^= card
            w[CARD + b] = card
            hand, unknown, led, best = (
                w[HAND + b],
                w[UNKNOWN + b],
                w[LED + b] & follows,
                w[BEST + b] & follows,
            )
            voids = w[NEAR_VOIDS + b]
            trump_voids = voids >> _U[24]
            out = TRUMPS & unknown
            n_out = count(out)
            own_trumps = count(hand & TRUMPS)
            role = w[ALIKE[0] + b] >> _U[15] & U1
            trump = card & TRUMPS
            is_trump = trump != U0
            suit = suit_of(card)
            row = count(card - U1) >> U2
            plain_class = sel(row < _U[9], _U[9], sel(row == _U[9], _U[10], row))
            trump_class = sel(row < U2, row, sel(row < _U[9], U2, row - U6))
            class_ = sel(is_trump, trump_class, plain_class)
            higher = count(suit & PLAIN & unknown & above(card))
            threats = count(out & above(trump))

            # What the card does to the trick, and how safe the trick then is.
            wins = sel(is_trump, card | LED_TRUMP, card & led) > best
            some_out = sel(n_out == U0, U0, sel(n_out <= U3, U1, U2))
            danger = _U[21] + (sel(higher > U2, U2, higher) * U3 + some_out) * U4 + in_play - U1
            danger = sel((higher | n_out) == U0, U0, danger) * behind_at_all
            winning = sel(is_trump, _danger(threats, w[BEHIND + b]), danger)
            winning = winning << _U[8] | _of_kind(U1)
            leading = sel(
                is_trump, sel(threats > _U[6], _U[7], threats), _U[8] + _few(higher) * U4 + _some(n_out)
            )
            column = _plain_column(suit)
            ruffers = (voids >> (column * _U[8])) & ~trump_voids
            can_ruff = sel(ruffers & others != U0, U1, U0) | sel(ruffers & partner != U0, U2, U0)
            spent = count(trump_voids & others)
            spent = sel(spent == U0, U0, sel(spent <= U2, U1, sel(spent == U3, U2, U3)))
            first = sel(follows == U0, leading << _U[8], sel(wins, winning, w[BEATEN[0] + b]))
            beaten = w[BEATEN[1] + b]
            overtakes = sel(wins, beaten >> _U[47] & ~(beaten >> _U[46]) & U1, U0) & follows
            second = sel(wins, U1 << _U[46] | overtakes << _U[25], beaten)
            second = sel(follows == U0, sel(is_trump, spent, can_ruff) << _U[25], second)

            kind = second >> _U[46] & U3
            length = count(hand & suit)
            length_code = sel(length > U3, U3, length - U1)
            short = sel(own_trumps > U2, U3, own_trumps)
            seen_suit = sel(w[SEEN + b] & suit != U0, U1, U0)
            of_trump = (
                u64(1 << 15)
                | kind << _U[13]
                | length << _U[10]
                | sel(threats > _U[7], _U[7], threats) << _U[7]
                | role << _U[6]
                | (partner_behind | overtakes) << U5
                | behind_at_all << U4
                | class_
            )
            of_plain = (
                role << _U[14]
                | kind << _U[12]
                | _some(n_out) << _U[10]
                | short << _U[8]
                | length_code << _U[6]
                | seen_suit << U5
                | sel(higher > U1, U1, U0) << U4
                | row
            )
            everywhere = class_ | class_ << _U[16]
            w[FEATURES[0][0] + b] = w[ALIKE[0] + b] | first | everywhere | everywhere << _U[32]
            w[FEATURES[0][1] + b] = (
                w[ALIKE[1] + b] | second | everywhere << _U[16] | sel(is_trump, of_trump, of_plain)
            )
        _file(w, slot)


@inline
def _file(w: Any, slot: int) -> None:
    """Move what was found of a card to its place: the loop above writes to rows known in advance."""
    first, second = (slot + 1) * 2 * B + FEATURES[0][0], (slot + 1) * 2 * B + FEATURES[0][1]
    for b in range(B):
        w[OPTIONS[0] + slot * B + b] = w[CARD + b]
    for b in range(B):
        w[first + b] = w[FEATURES[0][0] + b]
    for b in range(B):
        w[second + b] = w[FEATURES[0][1] + b]


@inline
def _remainder(seat: Any, n_teams: int) -> Any:
    n = u64(n_teams)
    seat = sel(seat >= n, seat - n, seat)
    return sel(seat >= n, seat - n, seat)


@phase
def choose(w: Any, tables: Any, trick: int, place: int, rules: Any) -> None:
    """Put the heaviest option into CHOICE; of equal ones the lowest.

    `tables` are one set for all teams, or one after the other a set for each.
    """
    each = tables.size > SIZE
    for b in range(B):
        base = U0
        if each:
            seat = w[LEADER + b] + u64(place)
            base = _SIZE * _remainder(sel(seat >= U6, seat - U6, seat), rules[N_TEAMS])
        card, most = U0, -1_000_000
        for slot in range(6 - trick):
            option = w[OPTIONS[0] + slot * B + b]
            if option == U0:
                break
            at = FEATURES[1][0] + slot * 2 * B + b
            weight = weight_of(tables, base, w[at], w[at + B])
            if weight > most:
                card, most = option, weight
        w[CHOICE + b] = card


@inline
def places(first: Any, second: Any) -> Any:
    """The seven places in a set of tables that two packed words address."""
    return (
        _STARTS[0] + (first & _SIXTEEN),
        _STARTS[1] + (first >> _U[16] & _SIXTEEN),
        _STARTS[2] + (first >> _U[32] & _SIXTEEN),
        _STARTS[3] + (first >> _U[48]),
        _STARTS[4] + (second & _SIXTEEN),
        _STARTS[5] + (second >> _U[16] & _SIXTEEN),
        _STARTS[6] + (second >> _U[32] & _SIXTEEN),
    )


@inline
def weight_of(tables: Any, base: Any, first: Any, second: Any) -> Any:
    """Sum of the table entries that two packed words address, in the set that begins at `base`."""
    total = 0
    for place in places(first, second):
        total += tables[base + place]
    return total
