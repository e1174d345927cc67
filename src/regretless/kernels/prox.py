"""Prox steps over the decisions of a player, with dilated distances.

A dilated distance is a sum over decision points j: the weight β_j, times the reach of j,
times the distance of the mixtures at j (Hoda, Gilpin, Peña & Sandholm 2010). So the step

    argmax over plans x of  <g, x> - μ D(x, centre)

decomposes: leaves first, every decision point mixes by itself and passes its value up.
Entropy: relative entropy, mixtures by exponentials. Euclidean: half the squared distance,
mixtures by exact projection onto the simplex. From the uniform centre this is a smoothed
best response."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart, kernel, lean
from regretless.kernels.loops import copy, fill
from regretless.kernels.treeplex import Plex, behaviour_to_plan

ENTROPY, EUCLIDEAN = 0, 1
ROWS = 6  # of the workspace
LEAST = 1e-50  # minimum probability with entropy: an action at 0 would never come back


class Prox(NamedTuple):
    """A dilated distance."""

    kind: int  # ENTROPY or EUCLIDEAN
    weights: Floats  # β of every decision point; empty if all are 1


class Move(NamedTuple):
    """The centre and the result of a step."""

    centre: Floats  # a behaviour; an empty one is uniform
    behaviour: Floats  # the result of the step; may be the centre itself
    plan: Floats  # of that behaviour; an empty one is not written


class Scratch(NamedTuple):
    """Workspace of a step."""

    rows: Floats  # [ROWS, lane]
    spent: Floats  # a gradient to add values to


@lean
def prox_step(
    plex: Plex, player: int, prox: Prox, mu: float, gradient: Floats, move: Move, scratch: Scratch
) -> float:
    """Take the step along a gradient; return its value."""
    work, behaviour = scratch.rows, move.behaviour
    root, end = plex.roots[player], plex.roots[player + 1]
    copy(scratch.spent[root:end], gradient[root:end])
    for block in range(plex.ranges[player + 1] - 1, plex.ranges[player] - 1, -1):
        first, actions, lanes, point = plex.blocks[block]
        end = first + actions * lanes
        scale, value = work[0, :lanes], work[1, :lanes]
        for lane in range(lanes):
            scale[lane] = mu * (prox.weights[point + lane] if prox.weights.size else 1.0)
        c = move.centre[first:end] if move.centre.size else move.centre
        q, b = scratch.spent[first:end], behaviour[first:end]
        # The one place where decision points mix.
        if prox.kind == ENTROPY:
            _mix_by_entropy(lanes, c, q, b, work)
        else:
            _mix_by_projection(lanes, c, q, b, work)
        for lane in range(lanes):
            scratch.spent[plex.parents[point + lane]] += value[lane]
    behaviour[root] = 1.0
    if move.plan.size:
        behaviour_to_plan(plex, player, behaviour, move.plan)
    found: float = scratch.spent[root]
    return found


@lean
def _largest(lanes: int, q: Floats, top: Floats) -> None:
    copy(top, q[:lanes])
    for s in range(lanes, q.size, lanes):
        row = q[s : s + lanes]
        for lane in range(lanes):
            top[lane] = max(top[lane], row[lane])


@lean
def _mix_by_entropy(lanes: int, c: Floats, q: Floats, b: Floats, work: Floats) -> None:
    """b proportional to c exp(q / scale); value = scale log of the sum of these."""
    share, given = lanes / q.size, c.size > 0
    scale, value, total = work[0, :lanes], work[1, :lanes], work[2, :lanes]
    per_scale = work[3, :lanes]
    _largest(lanes, q, value)
    for lane in range(lanes):
        per_scale[lane] = 1.0 / scale[lane]
    fill(total, 0.0)
    for s in range(0, q.size, lanes):
        row, mixed = q[s : s + lanes], b[s : s + lanes]
        for lane in range(lanes):
            weight = max(c[s + lane], LEAST) if given else share
            mixed[lane] = weight * np.exp((row[lane] - value[lane]) * per_scale[lane])
        for lane in range(lanes):
            total[lane] += mixed[lane]
    for lane in range(lanes):
        value[lane] += scale[lane] * np.log(total[lane])
        total[lane] = 1.0 / total[lane]
    for s in range(0, q.size, lanes):
        mixed = b[s : s + lanes]
        for lane in range(lanes):
            mixed[lane] = max(mixed[lane] * total[lane], LEAST)


@lean
def _mix_by_projection(lanes: int, c: Floats, q: Floats, b: Floats, work: Floats) -> None:
    """b = the nearest mixture to v = c + q / scale; value = <q, b> - scale/2 |b - c|²."""
    share, given = lanes / q.size, c.size > 0
    # Rows one by one: a slice of several would not be known to be contiguous.
    scale, value, top = work[0, :lanes], work[1, :lanes], work[2, :lanes]
    theta, per_scale = work[3, :lanes], work[4, :lanes]
    # Relative to the largest q: v - θ would be lost in rounding if q / scale is huge.
    _largest(lanes, q, top)
    for lane in range(lanes):
        per_scale[lane] = 1.0 / scale[lane]
    for s in range(0, q.size, lanes):
        # b holds v until θ is known. It may be the centre: then it is read before it is written.
        row, v = q[s : s + lanes], b[s : s + lanes]
        if given:
            centre = c[s : s + lanes]
            for lane in range(lanes):
                v[lane] = centre[lane] + (row[lane] - top[lane]) * per_scale[lane]
        else:
            for lane in range(lanes):
                v[lane] = share + (row[lane] - top[lane]) * per_scale[lane]
    _thresholds(lanes, b, theta, value, work[5, :lanes])
    fill(value, 0.0)
    for s in range(0, q.size, lanes):
        _settle(q[s : s + lanes], b[s : s + lanes], scale, per_scale, top, theta, value)


@apart
def _settle(
    q: Floats,
    b: Floats,
    scale: Floats,
    per_scale: Floats,
    top: Floats,
    theta: Floats,
    value: Floats,
) -> None:
    """For one action: v in b becomes its probability, and its term is added to the value."""
    for lane in range(q.size):
        mixed = max(b[lane] - theta[lane], 0.0)
        # Scaled, how far the mixture is from the centre, v - (q - top) / scale.
        away = scale[lane] * (mixed - b[lane]) + (q[lane] - top[lane])
        value[lane] += mixed * q[lane] - 0.5 * away * away * per_scale[lane]
        b[lane] = mixed


@apart
def _thresholds(lanes: int, b: Floats, theta: Floats, total: Floats, inside: Floats) -> None:
    """θ of every lane: the positive parts of v - θ sum to 1.

    Of all sets of actions, θ is the largest (sum of v - 1) / count; with two or three actions
    these are few. With more, Michelot 1986: θ rises, as actions below it drop out, until none
    does; at most as many passes as actions. `total` and `inside` are workspace."""
    if b.size == 2 * lanes:
        one, other = b[:lanes], b[lanes:]
        for lane in range(lanes):
            both = 0.5 * (one[lane] + other[lane] - 1.0)
            theta[lane] = max(both, max(one[lane], other[lane]) - 1.0)
    elif b.size == 3 * lanes:
        one, other, third = b[:lanes], b[lanes : 2 * lanes], b[2 * lanes :]
        for lane in range(lanes):
            x, y, z = one[lane], other[lane], third[lane]
            every = x + y + z - 1.0
            pair, alone = 0.5 * (every - min(min(x, y), z)), max(max(x, y), z) - 1.0
            theta[lane] = max(max(every * (1.0 / 3.0), pair), alone)
    else:
        fill(theta, -np.inf)
        for _ in range(b.size // lanes):
            if not _raised(lanes, b, theta, total, inside):
                break


@lean
def _raised(lanes: int, b: Floats, theta: Floats, total: Floats, inside: Floats) -> bool:
    """Raise θ to the value given by the actions above it; return whether any has moved."""
    fill(total, 0.0)
    fill(inside, 0.0)
    for s in range(0, b.size, lanes):
        v = b[s : s + lanes]
        for lane in range(lanes):
            total[lane] += v[lane] if v[lane] > theta[lane] else 0.0
        for lane in range(lanes):
            inside[lane] += 1.0 if v[lane] > theta[lane] else 0.0
    moved = 0
    for lane in range(lanes):
        raised = (total[lane] - 1.0) / inside[lane]
        moved += 1 if raised > theta[lane] else 0
        total[lane] = raised
    for lane in range(lanes):
        theta[lane] = max(total[lane], theta[lane])
    return moved > 0


@lean
def blend(a: Floats, b: Floats, share: float, out: Floats) -> None:
    """out = a moved by `share` towards b."""
    for k in range(a.size):
        out[k] = a[k] + share * (b[k] - a[k])


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
                reach = plan[plex.parents[point + lane]]
                if prox.weights.size:
                    reach *= prox.weights[point + lane]
                if prox.kind == ENTROPY:
                    found += reach * c * _relative(b / c - 1.0)
                else:
                    found += reach * 0.5 * (b - c) * (b - c)
    return found


@kernel
def _relative(d: float) -> float:
    """(1 + d) log(1 + d) - d: times c, one term of the relative entropy of c (1 + d) from c."""
    if abs(d) < 1e-4:  # if the difference below would be rounding
        return d * d * (0.5 - d * (1.0 / 6.0 - d / 12.0))
    return float((1.0 + d) * np.log(1.0 + d) - d)
