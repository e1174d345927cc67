"""Dominated actions.

An action is dominated if another action at the same decision point earns strictly more at every
node of it, no matter how play continues after either: the worst outcome of the one is better than
the best outcome of the other. Calling with a jack in Kuhn poker is an example. This finds only
the clear cases; it never calls an action dominated that is not."""

from __future__ import annotations

from itertools import pairwise
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
    nodes = tree.tree.nodes
    least = np.full(len(nodes), np.inf)
    most = np.full(len(nodes), -np.inf)
    ends = np.flatnonzero(nodes[:, 0] == TERMINAL)
    least[ends] = most[ends] = tree.tree.payoffs[nodes[ends, 3], player]
    for start, end in reversed(list(pairwise(tree.levels))):
        if start == 0:
            break
        above = tree.parents[start:end]
        np.minimum.at(least, above, least[start:end])
        np.maximum.at(most, above, most[start:end])
    return Range(least, most)


def dominated(tree: GameTree, player: int) -> frozenset[int]:
    """Sequences, counted over all players, that end in a dominated action of this player."""
    least, most = payoff_range(tree, player)
    found: dict[int, np.ndarray] = {}  # decision point -> [action, other]: still dominated by it
    edges: dict[int, np.ndarray] = {}
    for node in np.flatnonzero(tree.players == player):
        _, first, count, _ = tree.tree.nodes[node]
        below = slice(first, first + count)
        worse = most[below][:, None] < least[below][None, :]
        point = int(tree.points[node])
        found[point] = found[point] & worse if point in found else worse
        edges[point] = tree.edges[below]
    return frozenset(
        int(edge) for point in found for edge in edges[point][found[point].any(axis=1)]
    )
