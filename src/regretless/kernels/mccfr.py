"""Regret minimisation on sampled parts of an enumerated game (Lanctot et al. 2009).

A traversal is for one player, the traverser, and estimates what its actions earn:

    external   all own actions; the opponent's and chance's are drawn
    outcome    one path: every action is drawn, own ones with some exploration
    chance     all actions of all players; chance is drawn

A drawn outcome may have a baseline, a running guess of what it is worth: the estimate of a
node is the mean of the guesses, corrected by what the drawn one turned out to be worth
(Schmid et al. 2019). That changes the variance, never the mean. Numbers are drawn as in
`sampling`: the finaliser of SplitMix64 on a counter, which is all the state there is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import lean
from regretless.kernels.sampling import CHANCE, STEP, TERMINAL, TO_FRACTION, UNIT, Tree, mixed


class Learned(NamedTuple):
    """What is kept, by slot: slots list the actions of decision point after decision point."""

    regret: Floats
    policy: Floats  # what is played now
    sums: Floats  # the average strategy, times weights
    baselines: Floats  # [node, player] what nodes are worth; no rows: none are kept
    values: Floats  # [node] workspace
    touched: Ints  # workspace: how many slots must be matched again, first slot, actions, …


class Draw(NamedTuple):
    """How outcomes are drawn."""

    counter: npt.NDArray[np.uint64]  # one number
    rate: float  # by which baselines move to what was found; 0: there are none
    explore: float  # probability of a uniform action on the traverser's path


@lean
def _drawn(draw: Draw) -> float:
    """The next number below 1."""
    draw.counter[0] += STEP
    return float(np.float64(mixed(draw.counter[0]) >> TO_FRACTION) * UNIT)


@lean
def _pick(sums: Floats, slot: int, count: int, u: float) -> int:
    """Which outcome a number below 1 means, given running sums of probabilities."""
    option = 0
    while option < count - 1 and u >= sums[slot + option]:
        option += 1
    return option


@lean
def _choose(policy: Floats, slot: int, count: int, u: float) -> int:
    """Which action a number below 1 means, given probabilities; never one of probability 0."""
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
    """The value of a node of chance or of an opponent, out of the drawn child's and baselines."""
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
def external(tree: Tree, learned: Learned, draw: Draw, node: int, player: int) -> float:
    """Estimated value of a node for the traverser; regrets and the other's average are updated.

    The average needs two players: what a third one does would weigh in it."""
    mover, first = tree.nodes[node, 0], tree.nodes[node, 1]
    count, slot = tree.nodes[node, 2], tree.nodes[node, 3]
    while mover != player and mover != TERMINAL:
        if mover == CHANCE:
            drawn = first + _pick(tree.chances, slot, count, _drawn(draw))
        else:
            for a in range(slot, slot + count):
                learned.sums[a] += learned.policy[a]
            drawn = first + _choose(learned.policy, slot, count, _drawn(draw))
        if draw.rate > 0.0:
            value = external(tree, learned, draw, drawn, player)
            return _corrected(tree, learned, draw.rate, node, drawn, player, value)
        mover, first = tree.nodes[drawn, 0], tree.nodes[drawn, 1]
        count, slot = tree.nodes[drawn, 2], tree.nodes[drawn, 3]
    if mover == TERMINAL:
        return float(tree.payoffs[slot, player])
    mean = 0.0
    for a in range(count):
        value = external(tree, learned, draw, first + a, player)
        learned.values[first + a] = value
        mean += learned.policy[slot + a] * value
    for a in range(count):
        learned.regret[slot + a] += learned.values[first + a] - mean
    _match(learned, slot, count)
    return mean


@lean
def outcome(
    tree: Tree,
    learned: Learned,
    draw: Draw,
    node: int,
    player: int,
    mine: float,
    others: float,
    weight: float,
) -> float:
    """Estimated value of a node on the one path that is drawn.

    mine: π of the traverser; others: π of the other players; weight: 1 over the probability
    that the traverser's actions so far are drawn. Others and chance are drawn as they play,
    so that π of all but the traverser, over the probability of the path, is `weight` too."""
    mover, first = tree.nodes[node, 0], tree.nodes[node, 1]
    count, slot = tree.nodes[node, 2], tree.nodes[node, 3]
    if mover == TERMINAL:
        return float(tree.payoffs[slot, player])
    if mover != player:
        if mover == CHANCE:
            drawn = first + _pick(tree.chances, slot, count, _drawn(draw))
        else:
            drawn = first + _choose(learned.policy, slot, count, _drawn(draw))
            others *= learned.policy[slot + drawn - first]
        value = outcome(tree, learned, draw, drawn, player, mine, others, weight)
        if draw.rate > 0.0:
            return _corrected(tree, learned, draw.rate, node, drawn, player, value)
        return value
    u, explore = _drawn(draw), draw.explore
    if u < explore:
        a = min(int(u / explore * count), count - 1)
    else:
        a = _choose(learned.policy, slot, count, (u - explore) / (1.0 - explore))
    p = learned.policy[slot + a]
    q = explore / count + (1.0 - explore) * p
    drawn = first + a
    value = outcome(tree, learned, draw, drawn, player, mine * p, others, weight / q)
    guess = learned.baselines[drawn, player] if draw.rate > 0.0 else 0.0
    corrected = (value - guess) / q
    mean = p * corrected
    if draw.rate > 0.0:
        for k in range(count):
            mean += learned.policy[slot + k] * learned.baselines[first + k, player]
    for k in range(count):
        learned.sums[slot + k] += mine * weight / others * learned.policy[slot + k]
        guessed = learned.baselines[first + k, player] if draw.rate > 0.0 else 0.0
        estimate = guessed + (corrected if k == a else 0.0)
        learned.regret[slot + k] += weight * (estimate - mean)
    if draw.rate > 0.0:
        learned.baselines[drawn, player] += draw.rate * (value - guess)
    _match(learned, slot, count)
    return float(mean)


@lean
def chance(
    tree: Tree,
    learned: Learned,
    draw: Draw,
    node: int,
    player: int,
    mine: float,
    others: float,
) -> float:
    """Value of a node for the traverser, exact but for what chance does.

    A decision point may be met several times, so it is matched again only afterwards."""
    mover, first = tree.nodes[node, 0], tree.nodes[node, 1]
    count, slot = tree.nodes[node, 2], tree.nodes[node, 3]
    if mover == TERMINAL:
        return float(tree.payoffs[slot, player])
    if mover == CHANCE:
        drawn = first + _pick(tree.chances, slot, count, _drawn(draw))
        value = chance(tree, learned, draw, drawn, player, mine, others)
        if draw.rate > 0.0:
            return _corrected(tree, learned, draw.rate, node, drawn, player, value)
        return value
    mean = 0.0
    for a in range(count):
        p = learned.policy[slot + a]
        own, other = (mine * p, others) if mover == player else (mine, others * p)
        if own == 0.0 and other == 0.0:
            learned.values[first + a] = 0.0  # neither regrets nor the average ask for it
            continue
        value = chance(tree, learned, draw, first + a, player, own, other)
        learned.values[first + a] = value
        mean += p * value
    if mover == player:
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
            external(tree, learned, draw, 0, player)


@lean
def iterate_outcome(tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
    """Draw one path for every player, `count` times."""
    for _ in range(count):
        for player in range(tree.payoffs.shape[1]):
            outcome(tree, learned, draw, 0, player, 1.0, 1.0, 1.0)


@lean
def iterate_chance(tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
    """Draw chance and update every player, `count` times."""
    for _ in range(count):
        for player in range(tree.payoffs.shape[1]):
            learned.touched[0] = 0
            chance(tree, learned, draw, 0, player, 1.0, 1.0)
            for at in range(1, learned.touched[0], 2):
                _match(learned, learned.touched[at], learned.touched[at + 1])
