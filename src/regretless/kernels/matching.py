"""Regret matching over the decisions of one player, for solvers with their own gradient."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import kernel
from regretless.kernels.treeplex import Plex


@kernel
def match(
    plex: Plex,
    player: int,
    regret: Floats,
    behaviour: Floats,
    gradient: Floats,
    work: Floats,
    floor: float,
) -> float:
    """One step at every decision point, leaves first; the value of what was played.

    R <- max(R + q - <b, q>, floor), then b in proportion to the positive part of R. A floor
    of 0 is regret matching+, a floor of minus infinity plain regret matching."""
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        value, total = work[0, :lanes], work[1, :lanes]
        value[:] = 0.0
        total[:] = 0.0
        for s in range(first, first + actions * lanes, lanes):
            for lane in range(lanes):
                value[lane] += behaviour[s + lane] * gradient[s + lane]
        # The one place where decision points learn.
        for s in range(first, first + actions * lanes, lanes):
            for lane in range(lanes):
                kept = max(regret[s + lane] + gradient[s + lane] - value[lane], floor)
                regret[s + lane] = kept
                total[lane] += max(kept, 0.0)
        for s in range(first, first + actions * lanes, lanes):
            for lane in range(lanes):
                wanted = max(regret[s + lane], 0.0)
                behaviour[s + lane] = wanted / total[lane] if total[lane] > 0.0 else 1.0 / actions
        for lane in range(lanes):
            gradient[plex.parents[point + lane]] += value[lane]
    found: float = gradient[plex.roots[player]]
    return found
