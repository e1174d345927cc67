"""Best responses by searching the game tree, and restricted games cut out of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Flags, Floats, Indices, Ints
from regretless.kernels.compiled import kernel

TERMINAL = -2
INSIDE, LEAF = 1, 2


class Search(NamedTuple):
    """The game tree as one player searches it."""

    nodes: Indices  # [node, (player, first child, children, slot)]
    chance: Floats  # probability that chance goes along to a node
    rival: Indices  # the other player's last sequence before a node
    edges: Indices  # sequence that leads to a node; -1: chance
    points: Indices  # decision point of a node, counted over all players
    starts: Ints  # members of a decision point: where they begin
    members: Indices  # nodes of every decision point
    bounds: Floats  # [node, (worst, best)] payoff of the player below it
    payoffs: Floats  # of the player at every terminal


class Path(NamedTuple):
    """What a search finds and counts."""

    choice: Indices  # action at every decision point; -1: never come to
    values: Floats  # of nodes that are decided
    visited: Ints  # [nodes visited, actions cut off]


@kernel
def search(
    tree: Search, player: int, plan: Floats, included: Flags, slack: float, path: Path, node: int
) -> float:
    """Value of a node for the player, times the probability that the others come there.

    Bošanský et al. 2014: depth first; at the player's own nodes the whole information set is
    decided at once, its likeliest nodes first, and an action is dropped as soon as what is left
    cannot make it the best. Among equals `included` sequences win."""
    weight = tree.chance[node] * plan[tree.rival[node]]
    if weight <= 0.0:
        return 0.0
    path.visited[0] += 1
    mover, first = tree.nodes[node, 0], tree.nodes[node, 1]
    count, slot = tree.nodes[node, 2], tree.nodes[node, 3]
    if mover == TERMINAL:
        return float(weight * tree.payoffs[slot])
    if mover != player:
        total = 0.0
        for child in range(first, first + count):
            total += search(tree, player, plan, included, slack, path, child)
        return total
    point = tree.points[node]
    if path.choice[point] < 0:
        members = tree.members[tree.starts[point] : tree.starts[point + 1]]
        weights = np.empty(members.size)
        low, high = np.zeros(count), np.zeros(count)
        for m in range(members.size):
            weights[m] = tree.chance[members[m]] * plan[tree.rival[members[m]]]
            for action in range(count):
                child = tree.nodes[members[m], 1] + action
                low[action] += weights[m] * tree.bounds[child, 0]
                high[action] += weights[m] * tree.bounds[child, 1]
        found = np.zeros((members.size, count))
        for m in np.argsort(-weights):
            if weights[m] <= 0.0:
                break
            floor = low.max()
            for action in range(count):
                if high[action] < floor - slack:
                    path.visited[1] += 1
                    continue
                child = tree.nodes[members[m], 1] + action
                value = search(tree, player, plan, included, slack, path, child)
                found[m, action] = value
                low[action] += value - weights[m] * tree.bounds[child, 0]
                high[action] += value - weights[m] * tree.bounds[child, 1]
        best = low.argmax()
        kept = -1
        for action in range(count):
            near = high[action] >= low[best] - slack
            if (
                near
                and included[tree.edges[first + action]]
                and (kept < 0 or low[action] > low[kept])
            ):
                kept = action
        path.choice[point] = kept if kept >= 0 else best
        for m in range(members.size):
            path.values[members[m]] = found[m, best]
    return float(path.values[node])


@kernel
def cut(nodes: Indices, allowed: Flags, alive: Flags) -> None:
    """alive[node]: INSIDE the restricted game, or a temporary LEAF of it.

    `allowed` marks the nodes that chance or an included action leads to."""
    alive[:] = 0
    alive[0] = INSIDE
    for node in range(nodes.shape[0]):  # parents stand before their children
        if alive[node] != INSIDE or nodes[node, 0] == TERMINAL:
            continue
        goes_on = False
        for child in range(nodes[node, 1], nodes[node, 1] + nodes[node, 2]):
            if allowed[child]:
                alive[child] = INSIDE
                goes_on = True
        if not goes_on:
            alive[node] = LEAF
