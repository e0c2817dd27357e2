"""Addressed random numbers: (seed, deal index, address) names a 64-bit word; nothing is drawn in sequence.

splitmix64 is a counter generator: its n-th word is ``mix(start + n * GAMMA)``.  Deal ``i`` owns the words
``128 i … 128 i + 127`` of its seed's sequence, so a deal is the same whatever thread, chunk or machine plays it, and
different questions on one seed see the same deals.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014); constants by D. Stafford
(variant 13).
"""

from typing import Any

import numpy as np

from schmier_sim.kernel.bits import mul_high, u64
from schmier_sim.kernel.jit import inline

WORDS_PER_DEAL = 128
# Addresses within a deal.  Per seat (0..5) where the name says so.
HAND_WORD = u64(0)  # + hand, in the order of dealing
RESERVE_WORD = u64(6)
HOLDING_WORD = u64(7)  # the declarer's hand in stratified dealing
SUIT_WORD = u64(8)
BID_WORD = u64(10)  # + seat
EXCHANGE_WORD = u64(16)  # + 8 seat + choice; the dealer's may run to 15
PLAY_WORD = u64(72)  # + 6 trick + seat
TEMPER_WORD = u64(110)  # + seat
PICK_WORD = u64(116)  # + seat: which of the hands found for its call it is given (`unseen`)

GAMMA = u64(0x9E3779B97F4A7C15)
_MIX1 = u64(0xBF58476D1CE4E5B9)
_MIX2 = u64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = u64(30), u64(27), u64(31), u64(32)
_STEP = u64(WORDS_PER_DEAL)


@inline
def mix(z: Any) -> Any:
    """Finaliser of splitmix64: a bijection of the 64-bit words."""
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return z ^ (z >> _S31)


@inline
def deal_base(start: Any, index: Any) -> Any:
    """Counter of word 0 of a deal; `word` adds the address."""
    return start + index * _STEP * GAMMA


@inline
def word(base: Any, address: Any) -> Any:
    """The word at an address of the deal whose counter is `base`."""
    return mix(base + address * GAMMA)


@inline
def draw(w: Any, n: Any) -> Any:
    """A number below `n` (at most 2**32) from the upper half of a word; its bias is below ``n / 2**32``."""
    return ((w >> _S32) * n) >> _S32


@inline
def chain(w: Any, n: Any) -> Any:
    """A number below `n` from a word, and the word that is left for the next one.

    The product of all bounds drawn from one word stays far below 2**64, so the joint bias is below 1e-6.
    """
    return mul_high(w, n), w * n


def start_of(seed: int) -> np.uint64:
    """Where the sequence of a seed starts.

    Parameters
    ----------
    seed : int
        0 <= seed < 2**63.
    """
    mask = 0xFFFF_FFFF_FFFF_FFFF
    z = (seed + int(GAMMA)) & mask
    z = ((z ^ (z >> 30)) * int(_MIX1)) & mask
    z = ((z ^ (z >> 27)) * int(_MIX2)) & mask
    return u64(z ^ (z >> 31))
