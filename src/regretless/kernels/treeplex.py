"""Sweeps over the decisions of a player.

Sequences of all players stand in one vector. A **block** is a set of decision points
with equally many actions, none below another: its sequences are laid out [action][lane],
so inner loops run over contiguous lanes. Blocks are stored parents first."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel

TINY = 1e-14  # times the largest payoff: a regret below is rounding, not regret


class Plex(NamedTuple):
    """The decisions of all players, as kernels read them."""

    roots: Ints  # first sequence of every player (the empty one), then the total
    ranges: Ints  # first block of every player, then the total
    blocks: Ints  # [block, (first sequence, actions, lanes, first decision point)]
    parents: Indices  # of every decision point: the sequence it hangs below


@kernel
def behaviour_to_plan(plex: Plex, player: int, behaviour: Floats, plan: Floats) -> None:
    """Multiply probabilities from the root down: plan[s] = plan[parent] * behaviour[s]."""
    plan[plex.roots[player]] = 1.0
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, point = plex.blocks[block]
        for action in range(actions):
            s = first + action * lanes
            for lane in range(lanes):
                plan[s + lane] = behaviour[s + lane] * plan[plex.parents[point + lane]]


@kernel
def plan_to_behaviour(plex: Plex, player: int, plan: Floats, behaviour: Floats) -> None:
    """Divide by the plan of the parent; uniform where a decision point is never reached."""
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
    """Value of the best pure answer; `choice` becomes its behaviour, `gradient` is used up."""
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


class Regrets(NamedTuple):
    """What a regret minimiser keeps, one number a sequence."""

    regret: Floats
    behaviour: Floats  # what the next iteration plays
    plan: Floats  # the same as a realization plan
    average: Floats  # weighted mean of the plans played so far
    last: Floats  # the plan that the last iteration played


@kernel
def match_regrets(
    plex: Plex, player: int, state: Regrets, gradient: Floats, work: Floats, weights: Floats
) -> None:
    """One step of regret matching at every decision point, leaves first.

    q(I, a) is `gradient` once the children have added their values; r = q - <b, q>.
    Then R <- R + r, times weights[0] where positive and weights[1] where negative, and
    the next behaviour is proportional to max(R + weights[2] * r, 0), where what is not
    above weights[4] is rounding and counts as 0: exact ties stay ties."""
    positive, negative, prediction = weights[0], weights[1], weights[2]
    tiny = weights[4]
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        # One array written in each loop: then LLVM can prove what it needs to vectorise.
        value, total = work[0, :lanes], work[1, :lanes]
        value[:] = 0.0
        total[:] = 0.0
        for s in range(first, first + actions * lanes, lanes):
            q, b = gradient[s : s + lanes], state.behaviour[s : s + lanes]
            for lane in range(lanes):
                value[lane] += b[lane] * q[lane]
        for s in range(first, first + actions * lanes, lanes):
            q, b = gradient[s : s + lanes], state.behaviour[s : s + lanes]
            R = state.regret[s : s + lanes]
            for lane in range(lanes):
                r = q[lane] - value[lane]
                summed = R[lane] + r
                kept = positive * max(summed, 0.0) + negative * min(summed, 0.0)
                R[lane] = kept
                wanted = kept + prediction * r
                b[lane] = wanted if wanted > tiny else 0.0
            for lane in range(lanes):
                total[lane] += b[lane]
        for lane in range(lanes):
            total[lane] = 1.0 / total[lane] if total[lane] > 0.0 else 0.0
        for s in range(first, first + actions * lanes, lanes):
            b = state.behaviour[s : s + lanes]
            for lane in range(lanes):
                b[lane] = b[lane] * total[lane] if total[lane] > 0.0 else 1.0 / actions
        for lane in range(lanes):
            gradient[plex.parents[point + lane]] += value[lane]


@kernel
def advance_plan(plex: Plex, player: int, state: Regrets, work: Floats, step: float) -> None:
    """Move the average towards the plan just played, then write the next plan, root first."""
    root = plex.roots[player]
    state.average[root] = 1.0
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, point = plex.blocks[block]
        reach = work[0, :lanes]
        for lane in range(lanes):
            reach[lane] = state.plan[plex.parents[point + lane]]
        for s in range(first, first + actions * lanes, lanes):
            plan, b = state.plan[s : s + lanes], state.behaviour[s : s + lanes]
            average = state.average[s : s + lanes]
            for lane in range(lanes):
                average[lane] += step * (plan[lane] - average[lane])
                plan[lane] = reach[lane] * b[lane]
