"""Validation of probability vectors, before any other kernel sees them."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import lean
from regretless.kernels.treeplex import Plex


@lean
def first_wrong(plex: Plex, player: int, behaviour: Floats, slack: float) -> int:
    """First sequence of a decision point whose numbers are negative or do not sum to 1; -1: none.

    Comparisons are written so that NaN fails them."""
    root = plex.roots[player]
    if not abs(behaviour[root] - 1.0) <= slack:
        return int(root)
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes = plex.blocks[block, 0], plex.blocks[block, 1], plex.blocks[block, 2]
        for lane in range(lanes):
            total, least = 0.0, 0.0
            for action in range(actions):
                p = behaviour[first + action * lanes + lane]
                total += p
                least = min(least, p)
            if not (abs(total - 1.0) <= slack and least >= 0.0):
                return int(first + lane)
    return -1
