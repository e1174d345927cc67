"""The normal form of a small game: one row or column for every pure strategy.

Reduced: pure strategies that differ only at decision points they never reach are one. The plans
of a player's pure strategies are the rows of a 0-1 matrix over its sequences."""

from __future__ import annotations

from math import prod

import numpy as np

from regretless.core.errors import TooLarge
from regretless.forms.treeplex import Treeplex

MOST_STRATEGIES = 20_000  # per player


def pure_plans(plex: Treeplex) -> np.ndarray:
    """Realization plans of all pure strategies of a player, [strategy, sequence]."""
    below: list[list[int]] = [[] for _ in range(plex.size)]
    for point, parent in enumerate(plex.parents):
        below[parent].append(point)
    count = _count(plex, below)
    if count > MOST_STRATEGIES:
        raise TooLarge(
            f"the normal form has {count:,} pure strategies of one player: "
            f"must be at most {MOST_STRATEGIES:,}"
        )
    plans: list[np.ndarray] = [np.empty(0)] * plex.size  # of the subtree below each sequence
    for sequence in reversed(range(plex.size)):
        start = np.zeros((1, plex.size))
        start[0, sequence] = 1.0
        for point in below[sequence]:
            options = np.concatenate([plans[child] for child in plex.sequences[point]])
            start = (start[:, None, :] + options[None, :, :]).reshape(-1, plex.size)
        plans[sequence] = start
        for point in below[sequence]:
            for child in plex.sequences[point]:
                plans[child] = np.empty(0)
    return plans[0]


def _count(plex: Treeplex, below: list[list[int]]) -> int:
    counts = [1] * plex.size
    for sequence in reversed(range(plex.size)):
        counts[sequence] = prod(
            sum(counts[child] for child in plex.sequences[point]) for point in below[sequence]
        )
    return counts[0]
