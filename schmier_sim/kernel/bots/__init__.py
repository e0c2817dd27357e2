"""Policies: what to bid, name, put away, lead and follow with.

A policy is a set of pure functions of masks and integers, written as straight-line selects: the same source plays
blocks of deals in lockstep and single deals that are replayed.  Each has a twin in plain Python, `game.reference_bots`.
Kernels choose a bot by its code, its place in `BOT_NAMES`.
"""

BOT_NAMES = ("random", "simple", "club")
RANDOM, SIMPLE, CLUB = range(3)
