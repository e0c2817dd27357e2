"""Which cards may be played."""

from typing import Any

from schmier_sim.kernel.bits import U0, sel
from schmier_sim.kernel.jit import inline
from schmier_sim.kernel.masks import TRUMPS


@inline
def may_lead(hand: Any, only_trumps: bool) -> Any:
    """The cards that may be led."""
    trumps = hand & TRUMPS
    return sel(only_trumps & (trumps != U0), trumps, hand)


@inline
def may_follow(hand: Any, led: Any, anytime: Any) -> Any:
    """The cards that may be played to a suit led; `anytime`: trumps, if they may be played at any time, else none."""
    follows = hand & led
    return sel(follows != U0, follows | (hand & anytime & sel(led == TRUMPS, U0, TRUMPS)), hand)
