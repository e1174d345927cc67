"""Best responses that change only what must change."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import kernel
from regretless.kernels.treeplex import Plex


@kernel
def kept_response(
    plex: Plex, player: int, gradient: Floats, last: Floats, tie: float, plan: Floats
) -> float:
    """Value of the best response; `plan` becomes its plan, `gradient` is overwritten.

    At a decision point where the action that `last` (a plan) prefers is within `tie` of the
    best one, it is played again. Vectors are of the player's own sequences, its root first."""
    root = plex.roots[player]
    first_block, end_block = plex.ranges[player], plex.ranges[player + 1]
    for block in range(end_block - 1, first_block - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        first -= root
        for lane in range(lanes):
            best, chosen, kept = first + lane, first + lane, first + lane
            for action in range(1, actions):
                s = first + action * lanes + lane
                if gradient[s] > gradient[best]:
                    best = s
                if last[s] > last[kept]:
                    kept = s
            chosen = kept if gradient[kept] >= gradient[best] - tie else best
            for action in range(actions):
                plan[first + action * lanes + lane] = 0.0
            plan[chosen] = 1.0
            gradient[plex.parents[point + lane] - root] += gradient[chosen]
    plan[0] = 1.0
    for block in range(first_block, end_block):
        first, actions, lanes, point = plex.blocks[block]
        first -= root
        for lane in range(lanes):
            reach = plan[plex.parents[point + lane] - root]
            for action in range(actions):
                plan[first + action * lanes + lane] *= reach
    value: float = gradient[0]
    return value
