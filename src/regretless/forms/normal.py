"""The normal form of a small game: one row or column for every pure strategy.

Reduced: pure strategies that differ only at decision points they never reach are one. The plans
of a player's pure strategies are the rows of a 0-1 matrix over its sequences."""

from __future__ import annotations

from math import prod

import numpy as np

from regretless.core.errors import TooLarge
from regretless.core.memory import require
from regretless.forms.treeplex import Treeplex

MOST_STRATEGIES = 20_000  # per player
MANY = 10**12  # counting ends here: large games have numbers of millions of digits
COPIES = 3  # of the plans, while they are enumerated


def plan_count(plex: Treeplex) -> int:
    """The number of pure strategies of a player, refused if there are too many to enumerate."""
    below = plex.below
    counts = [1] * plex.size
    for sequence in reversed(range(plex.size)):
        ways = (sum(counts[child] for child in plex.sequences[point]) for point in below[sequence])
        counts[sequence] = min(prod(ways), MANY)
    if counts[0] > MOST_STRATEGIES:
        number = f"{counts[0]:,}" if counts[0] < MANY else f"more than {MANY:,}"
        raise TooLarge(
            f"the normal form has {number} pure strategies of one player: "
            f"must be at most {MOST_STRATEGIES:,}"
        )
    return counts[0]


def plan_bytes(plex: Treeplex) -> int:
    """Memory to enumerate the pure strategies of a player."""
    return COPIES * 8 * plan_count(plex) * plex.size


def pure_plans(plex: Treeplex) -> np.ndarray:
    """Realization plans of all pure strategies of a player, [strategy, sequence]."""
    require(plan_bytes(plex), f"{plan_count(plex):,} pure strategies of one player")
    below = plex.below
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
