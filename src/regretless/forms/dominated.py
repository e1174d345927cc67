"""Dominated actions.

An action is dominated if another action at the same decision point earns strictly more at every
node of it, no matter how play continues after either: the worst outcome of the one is better than
the best outcome of the other. Calling with a jack in Kuhn poker is an example. This finds only
the clear cases; it never calls an action dominated that is not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.tree import GameTree
from regretless.games._state import TERMINAL


class Range(NamedTuple):
    """The least and the most that a player can win below every node."""

    least: Floats
    most: Floats


def payoff_range(tree: GameTree, player: int) -> Range:
    """The worst and best payoffs of a player below every node."""
    nodes, levels = tree.tree.nodes, tree.levels
    least, most, ends = np.zeros(len(nodes)), np.zeros(len(nodes)), tree.players == TERMINAL
    least[ends] = most[ends] = tree.tree.payoffs[nodes[ends, 3], player]
    for level in range(len(levels) - 3, -1, -1):
        here = np.arange(levels[level], levels[level + 1])
        here, below = here[~ends[here]], slice(levels[level + 1], levels[level + 2])
        starts = nodes[here, 1] - levels[level + 1]
        least[here] = np.minimum.reduceat(least[below], starts)
        most[here] = np.maximum.reduceat(most[below], starts)
    return Range(least, most)


def dominated(tree: GameTree, player: int) -> frozenset[int]:
    """Sequences, counted over all players, that end in a dominated action of this player."""
    least, most = payoff_range(tree, player)
    worse_by_point: dict[
        int, np.ndarray
    ] = {}  # decision point -> [action, other]: still dominated by it
    edges: dict[int, np.ndarray] = {}
    for node in np.flatnonzero(tree.players == player):
        _, first, count, _ = tree.tree.nodes[node]
        below = slice(first, first + count)
        worse = most[below][:, None] < least[below][None, :]
        point = int(tree.points[node])
        worse_by_point[point] = worse_by_point[point] & worse if point in worse_by_point else worse
        edges[point] = tree.edges[below]
    return frozenset(
        int(edge)
        for point in worse_by_point
        for edge in edges[point][worse_by_point[point].any(axis=1)]
    )
