"""Growing a restricted game: extended plans, and which sequences to add."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Flags, Floats, Indices, Ints
from regretless.kernels.compiled import kernel
from regretless.kernels.sequence import LANES, Payoffs
from regretless.kernels.treeplex import Plex


@kernel
def stand_ins(plex: Plex, player: int, included: Flags, default: Indices, out: Ints) -> None:
    """out[s]: the included sequence whose plan s gets in the extended strategy, or -1.

    Below the last included sequence the default action is taken, all others never."""
    root = plex.roots[player]
    out[root] = root
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, point = plex.blocks[block]
        for lane in range(lanes):
            above = out[plex.parents[point + lane]]
            inside = False
            for s in range(first + lane, first + actions * lanes, lanes):
                inside = inside or included[s] != 0
            for action in range(actions):
                s = first + action * lanes + lane
                if included[s]:
                    out[s] = s
                elif inside or action != default[point + lane]:
                    out[s] = -1
                else:
                    out[s] = above


@kernel
def live_entries(payoffs: Payoffs, extends: Ints) -> tuple[Indices, Floats]:
    """Pairs of restricted sequences and their payoffs to player 1: all entries of the payoff
    table that the extended plans can reach."""
    found = 0
    for filling in range(2):  # once to count, once to write
        if filling:
            pairs, paid = np.empty((found, 2), np.int32), np.empty(found)
            found = 0
        for chunk in range(payoffs.chunks[0], payoffs.chunks[1]):
            for lane in range(LANES):
                row = payoffs.rows[chunk, lane]
                if extends[row] < 0 or (lane > 0 and row == payoffs.rows[chunk, lane - 1]):
                    continue  # the last chunk is padded by repeating its last row
                for k in range(payoffs.starts[chunk], payoffs.starts[chunk + 1]):
                    column = extends[payoffs.others[k, 0, lane]]
                    if column >= 0 and payoffs.weights[k, lane] != 0.0:
                        if filling:
                            pairs[found, 0], pairs[found, 1] = extends[row], column
                            paid[found] = payoffs.weights[k, lane]
                        found += 1
    return pairs, paid


@kernel
def reach_of(sequences: Indices, chance: Floats, player: int, plan: Floats, out: Floats) -> None:
    """out[s]: probability that chance and the other player reach the ends of sequence s."""
    out[:] = 0.0
    for terminal in range(chance.size):
        out[sequences[terminal, player]] += chance[terminal] * plan[sequences[terminal, 1 - player]]


@kernel
def answer(
    plex: Plex, player: int, gradient: Floats, included: Flags, slack: float, choice: Indices
) -> float:
    """Value of the best response; choice[point] is its action. `gradient` is overwritten.

    An included action that is as good up to `slack` is preferred: nothing is added in vain."""
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        for lane in range(lanes):
            best, chosen = gradient[first + lane], 0
            inside, kept = 0.0, -1  # the same among included actions
            for action in range(actions):
                s = first + action * lanes + lane
                if gradient[s] > best:
                    best, chosen = gradient[s], action
                if included[s] and (kept < 0 or gradient[s] > inside):
                    inside, kept = gradient[s], action
            choice[point + lane] = kept if kept >= 0 and inside >= best - slack else chosen
            gradient[plex.parents[point + lane]] += best
    value: float = gradient[plex.roots[player]]
    return value


@kernel
def walked(plex: Plex, player: int, choice: Indices, matters: Flags, out: Flags) -> None:
    """out[s] = 1 for the sequences that the choices play, where it matters; root first."""
    out[plex.roots[player]] = 1
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, point = plex.blocks[block]
        for lane in range(lanes):
            here = out[plex.parents[point + lane]] != 0 and matters[point + lane] != 0
            for action in range(actions):
                taken = here and choice[point + lane] == action
                out[first + action * lanes + lane] = 1 if taken else 0


@kernel
def reached(plex: Plex, player: int, reach: Floats, matters: Flags) -> None:
    """matters[point] = 1 if the others ever reach it; `reach` holds what ends at a sequence."""
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        for lane in range(lanes):
            total = 0.0
            for s in range(first + lane, first + actions * lanes, lanes):
                total += reach[s]
            matters[point + lane] = 1 if total > 0.0 else 0
            reach[plex.parents[point + lane]] += total


@kernel
def close(plex: Plex, player: int, included: Flags) -> None:
    """Include the ancestors of included sequences."""
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        for lane in range(lanes):
            for s in range(first + lane, first + actions * lanes, lanes):
                if included[s]:
                    included[plex.parents[point + lane]] = 1
