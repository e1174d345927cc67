"""Best responses by searching the game tree, and restricted games within it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Flags, Floats, Indices, Ints
from regretless.kernels.compiled import kernel

TERMINAL = -2
INSIDE, LEAF = 1, 2


class Search(NamedTuple):
    """The game tree for the search by one player."""

    nodes: Indices  # [node, (player, first child, children, slot)]
    chance: Floats  # chance reach probability of a node
    rival: Indices  # the other player's last sequence before a node
    edges: Indices  # sequence that leads to a node; -1: chance
    points: Indices  # decision point of a node, counted over all players
    starts: Ints  # first member of every decision point
    members: Indices  # nodes of every decision point
    bounds: Floats  # [node, (worst, best)] payoff of the player below it
    payoffs: Floats  # of the player at every terminal


class Path(NamedTuple):
    """Results and counters of a search."""

    choice: Indices  # action at every decision point; -1: never reached
    values: Floats  # of decided nodes
    visited: Ints  # [nodes visited, actions pruned]


@kernel
def search(
    tree: Search, player: int, plan: Floats, included: Flags, slack: float, path: Path, node: int
) -> float:
    """Value of a node for the player, times the probability that the others reach it.

    Bošanský et al. 2014: depth first; at the player's own nodes the whole information set is
    decided at once, most likely nodes first, and an action is pruned as soon as the remaining
    nodes cannot make it the best. Ties go to `included` sequences."""
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
    for node in range(nodes.shape[0]):  # parents come before their children
        if alive[node] != INSIDE or nodes[node, 0] == TERMINAL:
            continue
        goes_on = False
        for child in range(nodes[node, 1], nodes[node, 1] + nodes[node, 2]):
            if allowed[child]:
                alive[child] = INSIDE
                goes_on = True
        if not goes_on:
            alive[node] = LEAF
