"""Bits of a 64-bit word: selects, lowest and highest bit, counts, bounded products.

Policies are written with these instead of branches, so that one loop over a block of deals becomes vector code.  Every
function takes and returns ``uint64`` (conditions are booleans).  numba types ``uint64 + 1`` as a signed or floating
value, so constants are wrapped once (`U0`, `U1`, …).

With the compiler switched off (``NUMBA_DISABLE_JIT=1``) the same names are plain Python, for tests.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from schmier_sim.kernel.jit import DISABLED, inline

u64 = np.uint64
U0, U1, U2, U3, U4, U5, U6 = (u64(i) for i in range(7))
_HALVES = (u64(32), u64(16), u64(8), u64(4), u64(2), u64(1))
_I128 = ir.IntType(128)
_I64 = ir.IntType(64)

if DISABLED:

    def sel(condition: Any, yes: Any, no: Any) -> Any:
        """`yes` where the condition holds, else `no`; both are evaluated."""
        return yes if condition else no

    def count(x: Any) -> Any:
        """Number of set bits."""
        return u64(int(x).bit_count())

    def mul_high(a: Any, b: Any) -> Any:
        """High 64 bits of the 128-bit product."""
        return u64(int(a) * int(b) >> 64)

else:

    @intrinsic
    def sel(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
        """`yes` where the condition holds, else `no`; both are evaluated."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.select(args[0], args[1], args[2])

        if condition != types.boolean or yes != no:
            return None
        return yes(types.boolean, yes, yes), codegen

    @intrinsic
    def count(typingctx: Any, x: Any) -> Any:
        """Number of set bits."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        if x != types.uint64:
            return None
        return types.uint64(types.uint64), codegen

    @intrinsic
    def mul_high(typingctx: Any, a: Any, b: Any) -> Any:
        """High 64 bits of the 128-bit product."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = builder.mul(builder.zext(args[0], _I128), builder.zext(args[1], _I128))
            return builder.trunc(builder.lshr(wide, ir.Constant(_I128, 64)), _I64)

        if a != types.uint64 or b != types.uint64:
            return None
        return types.uint64(types.uint64, types.uint64), codegen


@inline
def low(x: Any) -> Any:
    """The lowest set bit alone; 0 of 0."""
    return x & (U0 - x)


@inline
def drop_low(x: Any) -> Any:
    """All but the lowest set bit."""
    return x & (x - U1)


@inline
def above(bit: Any) -> Any:
    """All bits above a single bit; none for 0."""
    return U0 - (bit << U1)


@inline
def nth3(x: Any, n: Any) -> Any:
    """Bit number `n` (0 the lowest) of a set of three bits."""
    x = sel(n > U0, drop_low(x), x)
    x = sel(n > U1, drop_low(x), x)
    return low(x)


@inline
def nth(x: Any, n: Any) -> Any:
    """Bit number `n` (0 the lowest) of a set of at most six bits; 0 where there are not so many."""
    x = sel(n > U0, drop_low(x), x)
    x = sel(n > U1, drop_low(x), x)
    x = sel(n > U2, drop_low(x), x)
    x = sel(n > U3, drop_low(x), x)
    x = sel(n > U4, drop_low(x), x)
    return low(x)


@inline
def nth_of_many(x: Any, n: Any) -> Any:
    """Bit number `n` of a set of any size: halves are discarded by their counts of bits."""
    shift = U0
    for width in _HALVES:
        below = count((x >> shift) & ((U1 << width) - U1))
        beyond = n >= below
        n -= sel(beyond, below, U0)
        shift += sel(beyond, width, U0)
    return (U1 << (shift & u64(63))) & x


@inline
def first2(a: Any, b: Any) -> Any:
    """The first of the sets that is not empty (0 if all are)."""
    return sel(a != U0, a, b)


@inline
def first3(a: Any, b: Any, c: Any) -> Any:
    """The first of the sets that is not empty."""
    return sel(a != U0, a, sel(b != U0, b, c))


@inline
def first4(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The first of the sets that is not empty."""
    return sel(a != U0, a, sel(b != U0, b, sel(c != U0, c, d)))
