"""Random numbers with an address: (seed, deal index, k) names each, whoever asks and in whatever order.

A plain-Python twin of the kernels' generator. Word k of deal i is number ``128 i + k`` of the sequence of
splitmix64 that begins at the mixed seed (Steele, Lea, Flood, "Fast splittable pseudorandom number
generators", 2014).
"""

from functools import cache
from math import comb

GAMMA = 0x9E3779B97F4A7C15
WORDS_PER_DEAL = 128
MAX_SEED = 2**63
MAX_INDEX = 2**56

RESERVE_WORD = 6
STRATIFIED_WORD = 7
SUIT_WORD = 8
_WORD = 2**64 - 1


def bid_word(seat: int) -> int:
    """Address of a seat's call."""
    return 10 + (seat - 1)


def exchange_word(seat: int, i: int) -> int:
    """Address of the i-th choice in a seat's exchange: i < 8, for the dealer i < 16."""
    return 16 + 8 * (seat - 1) + i


def play_word(seat: int, trick: int) -> int:
    """Address of a seat's play in a trick 0..5."""
    return 72 + 6 * trick + (seat - 1)


def temper_word(seat: int) -> int:
    """Address of a seat's temper, where tempers are mixed."""
    return 110 + (seat - 1)


def is_own_word(seat: int, k: int) -> bool:
    """Whether a seat may look at word k: not at those that deal the cards, nor at another seat's choices."""
    return k in _own_words(seat)


@cache
def _own_words(seat: int) -> frozenset[int]:
    exchange = range(exchange_word(seat, 0), exchange_word(seat, 16 if seat == 6 else 8))
    plays = [play_word(seat, trick) for trick in range(6)]
    return frozenset((SUIT_WORD, bid_word(seat), temper_word(seat), *exchange, *plays))


def mix(z: int) -> int:
    """Scramble a 64-bit number; a bijection."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


def word(seed: int, index: int, k: int) -> int:
    """Word k (0..127) of deal `index` of a seed: 64 random bits."""
    start = mix((seed + GAMMA) & _WORD)
    return mix((start + (WORDS_PER_DEAL * index + k) * GAMMA) & _WORD)


def draw(word: int, n: int) -> int:
    """One number 0..n-1 from the upper half of a word."""
    return ((word >> 32) * n) >> 32


def chain(word: int, n: int) -> tuple[int, int]:
    """One number 0..n-1 from a word, and the word that is left for the next one."""
    product = word * n
    return product >> 64, product & _WORD


def subset(n: int, m: int, index: int) -> tuple[int, ...]:
    """Find the index-th m-subset of 0..n-1 in colexicographic order, ascending.

    The subset ``c_1 < c_2 < ...`` has the index ``C(c_1, 1) + C(c_2, 2) + ...``. ValueError if there is none.
    """
    if not 0 <= index < comb(n, m):
        raise ValueError(f"no subset {index}: {n} things have {comb(n, m)} subsets of {m}")
    chosen: list[int] = []
    element = n - 1
    for size in range(m, 0, -1):
        while comb(element, size) > index:
            element -= 1
        index -= comb(element, size)
        chosen.insert(0, element)
    return tuple(chosen)
