"""Regret minimisation on sampled parts of an enumerated game (Lanctot et al. 2009).

A traversal is for one player, the traverser, and estimates the values of its actions:

    external   all own actions; opponents' and chance's actions are sampled
    outcome    one path: every action is sampled, own ones with some exploration
    chance     all actions of all players; chance is sampled

A sampled outcome may have a baseline, a running estimate of its value: the estimate of a node
is the mean of the baselines, corrected by the value found for the sampled outcome (Schmid et
al. 2019). That changes the variance, never the mean. Random numbers are as in `sampling`: the
finaliser of SplitMix64 on a counter, which is the whole state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import lean
from regretless.kernels.sampling import CHANCE, STEP, TERMINAL, TO_FRACTION, UNIT, Tree, mixed


class Learned(NamedTuple):
    """The memory, by slot: slots list the actions of one decision point after another."""

    regret: Floats
    policy: Floats  # the current strategy
    sums: Floats  # the average strategy, times weights
    baselines: Floats  # [node, player] values of nodes; no rows: none are kept
    # Workspace. Paths are on a stack, because cached kernels cannot be recursive.
    values: Floats  # [node] what was found
    frames: Ints  # [depth, (node, its child on the path)]
    reach: Floats  # [depth, (π of the traverser, π of the others, 1 / drawn)]
    touched: Ints  # how many slots need regret matching again, first slot, actions, …


class Draw(NamedTuple):
    """How outcomes are sampled."""

    counter: npt.NDArray[np.uint64]  # one number
    rate: float  # step of baselines towards the value found; 0: no baselines
    explore: float  # probability of a uniformly random action on the traverser's path


@lean
def _drawn(draw: Draw) -> float:
    """The next number below 1."""
    draw.counter[0] += STEP
    return float(np.float64(mixed(draw.counter[0]) >> TO_FRACTION) * UNIT)


@lean
def _pick(sums: Floats, slot: int, count: int, u: float) -> int:
    """The outcome for a random number below 1, given running sums of probabilities."""
    option = 0
    while option < count - 1 and u >= sums[slot + option]:
        option += 1
    return option


@lean
def _choose(policy: Floats, slot: int, count: int, u: float) -> int:
    """The action for a random number below 1, given probabilities; never one of probability 0."""
    option, last = 0, 0
    while option < count:
        if policy[slot + option] > 0.0:
            last = option
            u -= policy[slot + option]
            if u < 0.0:
                return option
        option += 1
    return last


@lean
def _match(learned: Learned, slot: int, count: int) -> None:
    """Regret matching: play in proportion to positive regrets, uniformly if there are none."""
    total = 0.0
    for a in range(slot, slot + count):
        total += max(learned.regret[a], 0.0)
    share = 1.0 / count
    factor = 1.0 / total if total > 0.0 else 0.0
    for a in range(slot, slot + count):
        learned.policy[a] = max(learned.regret[a], 0.0) * factor if total > 0.0 else share


@lean
def _corrected(
    tree: Tree, learned: Learned, rate: float, node: int, drawn: int, player: int, value: float
) -> float:
    """The value of a chance or opponent node, from the sampled child's value and baselines."""
    mover, first = tree.nodes[node, 0], tree.nodes[node, 1]
    count, slot = tree.nodes[node, 2], tree.nodes[node, 3]
    before, mean = 0.0, 0.0
    for a in range(count):
        if mover == CHANCE:
            p = tree.chances[slot + a] - before
            before = tree.chances[slot + a]
        else:
            p = learned.policy[slot + a]
        mean += p * learned.baselines[first + a, player]
    surprise = value - learned.baselines[drawn, player]
    learned.baselines[drawn, player] += rate * surprise
    return float(mean + surprise)


@lean
def _mean(tree: Tree, learned: Learned, node: int) -> float:
    """The value of the policy at a node, given the values found for its children."""
    first, count, slot = tree.nodes[node, 1], tree.nodes[node, 2], tree.nodes[node, 3]
    mean = 0.0
    for a in range(count):
        mean += learned.policy[slot + a] * learned.values[first + a]
    return mean


@lean
def external(tree: Tree, learned: Learned, draw: Draw, player: int) -> float:
    """Estimated value of the game for the traverser; regrets and the other's average are updated.

    The average needs two players: the actions of a third would bias it."""
    nodes, frames = tree.nodes, learned.frames
    depth, node = 0, 0
    while True:
        mover, first, count, slot = nodes[node, 0], nodes[node, 1], nodes[node, 2], nodes[node, 3]
        while mover != TERMINAL:
            child = first
            if mover == CHANCE:
                child += _pick(tree.chances, slot, count, _drawn(draw))
            elif mover != player:
                for a in range(slot, slot + count):
                    learned.sums[a] += learned.policy[a]
                child += _choose(learned.policy, slot, count, _drawn(draw))
            if mover == player or draw.rate > 0.0:
                frames[depth, 0], frames[depth, 1] = node, child
                depth += 1
            node = child
            mover, first = nodes[node, 0], nodes[node, 1]
            count, slot = nodes[node, 2], nodes[node, 3]
        value = tree.payoffs[slot, player]
        node = -1
        while depth > 0 and node < 0:
            above, child = frames[depth - 1, 0], frames[depth - 1, 1]
            if nodes[above, 0] != player:
                value = _corrected(tree, learned, draw.rate, above, child, player, value)
                depth -= 1
                continue
            learned.values[child] = value
            if child + 1 < nodes[above, 1] + nodes[above, 2]:
                node = frames[depth - 1, 1] = child + 1
                continue
            value = _mean(tree, learned, above)
            first, count, slot = nodes[above, 1], nodes[above, 2], nodes[above, 3]
            for a in range(count):
                learned.regret[slot + a] += learned.values[first + a] - value
            _match(learned, slot, count)
            depth -= 1
        if node < 0:
            return float(value)


@lean
def outcome(tree: Tree, learned: Learned, draw: Draw, player: int) -> float:
    """Estimated value of the game on the one sampled path.

    Others and chance are sampled as they play, so that π of all but the traverser, over the
    probability of the path, is 1 over the probability of the traverser's sampled actions."""
    depth, node = 0, 0
    mine, others, weight = 1.0, 1.0, 1.0
    while tree.nodes[node, 0] != TERMINAL:
        mover, first = tree.nodes[node, 0], tree.nodes[node, 1]
        count, slot = tree.nodes[node, 2], tree.nodes[node, 3]
        learned.reach[depth, 0], learned.reach[depth, 1] = mine, others
        learned.reach[depth, 2] = weight
        u = _drawn(draw)
        if mover == CHANCE:
            child = first + _pick(tree.chances, slot, count, u)
        elif mover != player:
            child = first + _choose(learned.policy, slot, count, u)
            others *= learned.policy[slot + child - first]
        else:
            a = _explored(learned.policy, slot, count, draw.explore, u)
            child, p = first + a, learned.policy[slot + a]
            mine *= p
            weight /= draw.explore / count + (1.0 - draw.explore) * p
        learned.frames[depth, 0], learned.frames[depth, 1] = node, child
        depth += 1
        node = child
    value = float(tree.payoffs[tree.nodes[node, 3], player])
    while depth > 0:
        depth -= 1
        if tree.nodes[learned.frames[depth, 0], 0] == player:
            value = _learn_from_path(tree, learned, draw, player, depth, value)
        elif draw.rate > 0.0:
            node, child = learned.frames[depth, 0], learned.frames[depth, 1]
            value = _corrected(tree, learned, draw.rate, node, child, player, value)
    return value


@lean
def _explored(policy: Floats, slot: int, count: int, explore: float, u: float) -> int:
    """An action of the policy, or with some probability a uniformly random one."""
    if u < explore:
        return min(int(u / explore * count), count - 1)
    return _choose(policy, slot, count, (u - explore) / (1.0 - explore))


@lean
def _learn_from_path(
    tree: Tree, learned: Learned, draw: Draw, player: int, depth: int, value: float
) -> float:
    """Regrets and average of the traverser at a node of the path; the node's estimated value."""
    node, child = learned.frames[depth, 0], learned.frames[depth, 1]
    first, count, slot = tree.nodes[node, 1], tree.nodes[node, 2], tree.nodes[node, 3]
    mine, others = learned.reach[depth, 0], learned.reach[depth, 1]
    weight = learned.reach[depth, 2]
    q = draw.explore / count + (1.0 - draw.explore) * learned.policy[slot + child - first]
    for k in range(first, first + count):
        learned.values[k] = learned.baselines[k, player] if draw.rate > 0.0 else 0.0
    surprise = value - learned.values[child]
    learned.values[child] += surprise / q
    if draw.rate > 0.0:
        learned.baselines[child, player] += draw.rate * surprise
    mean = _mean(tree, learned, node)
    for k in range(count):
        learned.sums[slot + k] += mine * weight / others * learned.policy[slot + k]
        learned.regret[slot + k] += weight * (learned.values[first + k] - mean)
    _match(learned, slot, count)
    return mean


@lean
def chance(tree: Tree, learned: Learned, draw: Draw, player: int) -> float:
    """Value of the game for the traverser, exact except for the sampled chance.

    A decision point can be visited several times, so its strategy is updated only afterwards."""
    nodes, frames, reach = tree.nodes, learned.frames, learned.reach
    depth, node, mine, others, value = 0, 0, 1.0, 1.0, 0.0
    while True:
        if node >= 0:  # down
            mover, first = nodes[node, 0], nodes[node, 1]
            if mover == TERMINAL:
                value, node = tree.payoffs[nodes[node, 3], player], -1
                continue
            child = first - 1  # none yet
            if mover == CHANCE:
                child = first + _pick(tree.chances, nodes[node, 3], nodes[node, 2], _drawn(draw))
            frames[depth, 0], frames[depth, 1] = node, child
            reach[depth, 0], reach[depth, 1] = mine, others
            depth += 1
            if mover == CHANCE:
                node = child
                continue
        elif depth == 0:
            return float(value)
        else:  # up
            child = frames[depth - 1, 1]
            learned.values[child] = value
        above, mover = frames[depth - 1, 0], nodes[frames[depth - 1, 0], 0]
        if mover == CHANCE:
            if draw.rate > 0.0:
                value = _corrected(tree, learned, draw.rate, above, child, player, value)
            depth -= 1
            continue
        node = _next_child(tree, learned, player, depth - 1)
        if node < 0:
            value = _learn_from_children(tree, learned, player, depth - 1)
            depth -= 1
            continue
        p = learned.policy[nodes[above, 3] + node - nodes[above, 1]]
        mine = reach[depth - 1, 0] * (p if mover == player else 1.0)
        others = reach[depth - 1, 1] * (1.0 if mover == player else p)


@lean
def _next_child(tree: Tree, learned: Learned, player: int, depth: int) -> int:
    """The next child of the node at this depth that matters to regrets or averages; -1: none."""
    node = learned.frames[depth, 0]
    first, slot = tree.nodes[node, 1], tree.nodes[node, 3]
    child = learned.frames[depth, 1] + 1
    while child < first + tree.nodes[node, 2]:
        p = learned.policy[slot + child - first]
        other = 1 if tree.nodes[node, 0] == player else 0  # whose π is unchanged
        if p > 0.0 or learned.reach[depth, other] > 0.0:
            learned.frames[depth, 1] = child
            return int(child)
        learned.values[child] = 0.0
        child += 1
    return -1


@lean
def _learn_from_children(tree: Tree, learned: Learned, player: int, depth: int) -> float:
    """The value of a node whose children are known; updates regrets and average at own nodes."""
    node = learned.frames[depth, 0]
    first, count, slot = tree.nodes[node, 1], tree.nodes[node, 2], tree.nodes[node, 3]
    mean = _mean(tree, learned, node)
    if tree.nodes[node, 0] == player:
        mine, others = learned.reach[depth, 0], learned.reach[depth, 1]
        for a in range(count):
            learned.regret[slot + a] += others * (learned.values[first + a] - mean)
            learned.sums[slot + a] += mine * learned.policy[slot + a]
        at = learned.touched[0]
        learned.touched[at + 1], learned.touched[at + 2] = slot, count
        learned.touched[0] = at + 2
    return mean


@lean
def iterate_external(tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
    """Traverse once for either player, `count` times."""
    for _ in range(count):
        for player in range(tree.payoffs.shape[1]):
            external(tree, learned, draw, player)


@lean
def iterate_outcome(tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
    """Sample one path for every player, `count` times."""
    for _ in range(count):
        for player in range(tree.payoffs.shape[1]):
            outcome(tree, learned, draw, player)


@lean
def iterate_chance(tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
    """Sample chance and update every player, `count` times."""
    for _ in range(count):
        for player in range(tree.payoffs.shape[1]):
            learned.touched[0] = 0
            chance(tree, learned, draw, player)
            for at in range(1, learned.touched[0], 2):
                _match(learned, learned.touched[at], learned.touched[at + 1])
