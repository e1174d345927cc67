"""Sweeps over the decisions of a player.

The sequences of all players form one vector. A **block** is a set of decision points with
the same number of actions, none below another: its sequences are laid out [action][lane],
so inner loops run over contiguous lanes. Blocks are stored parents first."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart, kernel, lean
from regretless.kernels.learner import Decisions, observe, play, recall

place = np.uint32  # unsigned: an index may not count from the end


class Plex(NamedTuple):
    """The decisions of all players, for kernels."""

    roots: Ints  # first sequence of every player (the empty one), then the total
    ranges: Ints  # first block of every player, then the total
    blocks: Ints  # [block, (first sequence, actions, lanes, first decision point)]
    parents: Indices  # of every decision point: its parent sequence


@lean
def behaviour_to_plan(plex: Plex, player: int, behaviour: Floats, plan: Floats) -> None:
    """Multiply probabilities from the root down: plan[s] = plan[parent] * behaviour[s]."""
    plan[plex.roots[player]] = 1.0
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, point = plex.blocks[block]
        # The first row holds the reach of the decision points until the others are done.
        reach, parents = plan[first : first + lanes], plex.parents[point : point + lanes]
        for lane in range(lanes):
            reach[lane] = plan[parents[lane]]
        for s in range(first + (actions - 1) * lanes, first - 1, -lanes):
            x, b = plan[s : s + lanes], behaviour[s : s + lanes]
            for lane in range(lanes):
                x[lane] = b[lane] * reach[lane]


@kernel
def plan_to_behaviour(plex: Plex, player: int, plan: Floats, behaviour: Floats) -> None:
    """Divide by the plan of the parent; uniform if a decision point is never reached."""
    behaviour[plex.roots[player]] = 1.0
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, _ = plex.blocks[block]
        # The first row holds the sums until the others are done.
        total = behaviour[first : first + lanes]
        for lane in range(lanes):
            total[lane] = plan[first + lane]
        for s in range(first + lanes, first + actions * lanes, lanes):
            x = plan[s : s + lanes]
            for lane in range(lanes):
                total[lane] += x[lane]
        for s in range(first + (actions - 1) * lanes, first - 1, -lanes):
            x, b = plan[s : s + lanes], behaviour[s : s + lanes]
            for lane in range(lanes):
                b[lane] = x[lane] / total[lane] if total[lane] > 0 else 1 / actions


@kernel
def best_response(plex: Plex, player: int, gradient: Floats, choice: Floats) -> float:
    """Value of the best response; `choice` becomes its behaviour, `gradient` is overwritten."""
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        for lane in range(lanes):
            best, chosen = gradient[first + lane], 0
            choice[first + lane] = 0.0
            for action in range(1, actions):
                s = first + action * lanes + lane
                choice[s] = 0.0
                if gradient[s] > best:
                    best, chosen = gradient[s], action
            choice[first + chosen * lanes + lane] = 1.0
            gradient[plex.parents[point + lane]] += best
    choice[plex.roots[player]] = 1.0
    value: float = gradient[plex.roots[player]]
    return value


class Playing(NamedTuple):
    """Shared by both passes of an iteration, one number per sequence."""

    behaviour: Floats  # what the next iteration plays
    plan: Floats  # the same as a realization plan
    gradient: Floats
    value: Floats  # of the lanes of one block


@apart
def learn(plex: Plex, player: int, learner: Any, memory: Any, now: Playing) -> None:
    """Values of decision points, and the updates of the learner, leaves first.

    q(I, a) is the gradient once the children have added their values."""
    q, behaviour, parents = now.gradient, now.behaviour, plex.parents
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions = plex.blocks[block, 0], plex.blocks[block, 1]
        lanes, point = plex.blocks[block, 2], plex.blocks[block, 3]
        value = now.value[:lanes]
        _earned(q, behaviour, first, actions, lanes, value)
        observe(learner, memory, Decisions(first, actions, lanes, first), q, value)
        for k in range(lanes):
            q[place(parents[point + k])] += value[k]


@apart
def _earned(
    q: Floats, behaviour: Floats, first: int, actions: int, lanes: int, value: Floats
) -> None:
    """What every lane of a block earns as it plays."""
    if actions == 2:  # one loop instead of three: most blocks are short
        one, two = q[first : first + lanes], q[first + lanes : first + 2 * lanes]
        b, c = behaviour[first : first + lanes], behaviour[first + lanes : first + 2 * lanes]
        for k in range(lanes):
            total = 0.0
            total += b[k] * one[k]
            total += c[k] * two[k]
            value[k] = total
        return
    for k in range(lanes):
        value[k] = 0.0
    for s in range(first, first + actions * lanes, lanes):
        paid, b = q[s : s + lanes], behaviour[s : s + lanes]
        for k in range(lanes):
            value[k] += b[k] * paid[k]


@apart
def advance(plex: Plex, player: int, learner: Any, memory: Any, now: Playing) -> None:
    """What the learner plays next, and its plan, root first."""
    behaviour, plan, parents = now.behaviour, now.plan, plex.parents
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions = plex.blocks[block, 0], plex.blocks[block, 1]
        lanes, point = plex.blocks[block, 2], plex.blocks[block, 3]
        play(learner, memory, Decisions(first, actions, lanes, first), behaviour)
        reach = now.value[:lanes]
        for k in range(lanes):
            reach[k] = plan[place(parents[point + k])]
        for s in range(first, first + actions * lanes, lanes):
            x, b = plan[s : s + lanes], behaviour[s : s + lanes]
            for k in range(lanes):
                x[k] = reach[k] * b[k]


@kernel
def written(plex: Plex, learner: Any, memory: Any, averages: bool, behaviour: Floats) -> None:
    """The average behaviour of a learner, or its next one, for all players."""
    for player in range(plex.roots.size - 1):
        behaviour[plex.roots[player]] = 1.0
    for block in range(plex.blocks.shape[0]):
        first, actions, lanes, _ = plex.blocks[block]
        where = Decisions(first, actions, lanes, first)
        if averages:
            recall(learner, memory, where, behaviour)
        else:
            play(learner, memory, where, behaviour)


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
