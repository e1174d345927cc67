"""Prox steps over the decisions of a player, with dilated distances.

A dilated distance adds up over decision points j: the weight β_j, times the reach of j,
times the distance of the mixtures at j (Hoda, Gilpin, Peña & Sandholm 2010). So the step

    argmax over plans x of  <g, x> - μ D(x, centre)

falls apart: leaves first, every decision point mixes by itself and hands its value up.
Entropy: relative entropy, mixtures by exponentials. Euclidean: half the squared distance,
mixtures by exact projection onto the simplex. From the uniform centre this is a smoothed
best response."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.kernels.compiled import kernel
from regretless.kernels.treeplex import Plex

ENTROPY, EUCLIDEAN = 0, 1
ROWS = 5  # of the workspace
LEAST = 1e-50  # probability by exponentials: from 0 no action would ever come back


class Prox(NamedTuple):
    """A dilated distance."""

    kind: int  # ENTROPY or EUCLIDEAN
    weights: Floats  # β of every decision point


@kernel
def prox_step(
    plex: Plex,
    player: int,
    prox: Prox,
    mu: float,
    centre: Floats,
    gradient: Floats,
    behaviour: Floats,
    work: Floats,
) -> float:
    """The value of the step; `behaviour` becomes where it leads, `gradient` is used up.

    `centre` is a behaviour; an empty one is uniform. `behaviour` may be the centre itself."""
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        end = first + actions * lanes
        scale, value = work[0, :lanes], work[1, :lanes]
        for lane in range(lanes):
            scale[lane] = mu * prox.weights[point + lane]
        c = centre[first:end] if centre.size else centre
        q, b = gradient[first:end], behaviour[first:end]
        # The one place where decision points mix.
        if prox.kind == ENTROPY:
            _mix_by_entropy(lanes, scale, c, q, b, value, work[2, :lanes])
        else:
            _mix_by_projection(lanes, scale, c, q, b, value, work[2:ROWS, :lanes])
        for lane in range(lanes):
            gradient[plex.parents[point + lane]] += value[lane]
    behaviour[plex.roots[player]] = 1.0
    found: float = gradient[plex.roots[player]]
    return found


@kernel
def _mix_by_entropy(
    lanes: int, scale: Floats, c: Floats, q: Floats, b: Floats, value: Floats, total: Floats
) -> None:
    """b proportional to c exp(q / scale); value = scale log of the sum of these."""
    share, given = lanes / q.size, c.size > 0
    value[:] = -np.inf
    total[:] = 0.0
    for s in range(0, q.size, lanes):
        for lane in range(lanes):
            value[lane] = max(value[lane], q[s + lane])
    for s in range(0, q.size, lanes):
        for lane in range(lanes):
            weight = c[s + lane] if given else share
            rise = (q[s + lane] - value[lane]) / scale[lane]
            b[s + lane] = max(weight, LEAST) * np.exp(rise)
        for lane in range(lanes):
            total[lane] += b[s + lane]
    for lane in range(lanes):
        value[lane] += scale[lane] * np.log(total[lane])
        total[lane] = 1.0 / total[lane]
    for s in range(0, q.size, lanes):
        for lane in range(lanes):
            b[s + lane] = max(b[s + lane] * total[lane], LEAST)


@kernel
def _mix_by_projection(
    lanes: int, scale: Floats, c: Floats, q: Floats, b: Floats, value: Floats, work: Floats
) -> None:
    """b = the nearest mixture to v = c + q / scale; value = <q, b> - scale/2 |b - c|².

    Michelot 1986: the threshold θ that makes the positive parts of v - θ add up to 1 rises,
    as actions below it drop out, until none does; at most as many passes as actions."""
    share, given = lanes / q.size, c.size > 0
    top, theta, inside = work[0], work[1], work[2]
    total = value
    top[:] = -np.inf
    for s in range(0, q.size, lanes):
        for lane in range(lanes):
            top[lane] = max(top[lane], q[s + lane])
    # From the largest q on down: v - θ would be lost in rounding where q / scale is huge.
    theta[:] = -np.inf
    changed = True
    while changed:
        total[:] = 0.0
        inside[:] = 0.0
        for s in range(0, q.size, lanes):
            for lane in range(lanes):
                weight = c[s + lane] if given else share
                v = weight + (q[s + lane] - top[lane]) / scale[lane]
                keep = v > theta[lane]
                total[lane] += v if keep else 0.0
                inside[lane] += 1.0 if keep else 0.0
        changed = False
        for lane in range(lanes):
            raised = (total[lane] - 1.0) / inside[lane]
            changed |= raised > theta[lane]
            theta[lane] = max(raised, theta[lane])
    total[:] = 0.0
    for s in range(0, q.size, lanes):
        for lane in range(lanes):
            weight = c[s + lane] if given else share
            mixed = max(weight + (q[s + lane] - top[lane]) / scale[lane] - theta[lane], 0.0)
            away = mixed - weight
            total[lane] += mixed * q[s + lane] - 0.5 * scale[lane] * away * away
            b[s + lane] = mixed


@kernel
def distance(
    plex: Plex, player: int, prox: Prox, plan: Floats, behaviour: Floats, centre: Floats
) -> float:
    """D(x, centre) for the plan x of a behaviour."""
    found = 0.0
    for block in range(plex.ranges[player], plex.ranges[player + 1]):
        first, actions, lanes, point = plex.blocks[block]
        for s in range(first, first + actions * lanes, lanes):
            for lane in range(lanes):
                b, c = behaviour[s + lane], centre[s + lane]
                reach = prox.weights[point + lane] * plan[plex.parents[point + lane]]
                if prox.kind == ENTROPY:
                    found += reach * c * _relative(b / c - 1.0)
                else:
                    found += reach * 0.5 * (b - c) * (b - c)
    return found


@kernel
def _relative(d: float) -> float:
    """(1 + d) log(1 + d) - d: times c, one term of the relative entropy of c (1 + d) from c."""
    if abs(d) < 1e-4:  # where the difference below would be rounding
        return d * d * (0.5 - d * (1.0 / 6.0 - d / 12.0))
    return float((1.0 + d) * np.log(1.0 + d) - d)
