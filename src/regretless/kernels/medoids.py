"""k-medoids by swaps: FasterPAM (Schubert & Rousseeuw 2021), with weights.

A swap replaces a medoid by another point. What a candidate would gain is found for all medoids at
once, from the distances of points to their nearest and second nearest medoid: every point adds
either to what any swap gains, or to what is lost without its own medoid. A swap that gains is made
at once; the algorithm ends when no point has a swap that gains."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel, lean

LEAST_GAIN = 1e-9  # of a swap, relative to the total: the rest is rounding


class Nearest(NamedTuple):
    """[point] its medoids, by place in the list, and its distances to them."""

    first: Indices
    second: Indices
    near: Floats
    next: Floats


@lean
def _attach(distances: Any, medoids: Ints, point: int, far: float, state: Nearest) -> None:
    """Find the two nearest medoids of a point; if there is only one, the second is `far` away."""
    state.near[point] = state.next[point] = far
    state.first[point] = state.second[point] = -1
    for place in range(medoids.size):
        apart = distances[medoids[place], point]
        if apart < state.near[point]:
            state.second[point], state.next[point] = state.first[point], state.near[point]
            state.first[point], state.near[point] = place, apart
        elif apart < state.next[point]:
            state.second[point], state.next[point] = place, apart


@lean
def _losses(weights: Floats, state: Nearest, out: Floats) -> None:
    """[medoid] what is lost without it."""
    out[:] = 0.0
    for point in range(weights.size):
        out[state.first[point]] += weights[point] * (state.next[point] - state.near[point])


@lean
def _swap(
    distances: Any, medoids: Ints, place: int, point: int, far: float, state: Nearest
) -> None:
    """Replace a medoid, and update the nearest medoids of all points."""
    medoids[place] = point
    for other in range(state.near.size):
        apart = distances[point, other]
        if state.first[other] == place or state.second[other] == place:
            _attach(distances, medoids, other, far, state)
        elif apart < state.near[other]:
            state.second[other], state.next[other] = state.first[other], state.near[other]
            state.first[other], state.near[other] = place, apart
        elif apart < state.next[other]:
            state.second[other], state.next[other] = place, apart


@kernel
def improve_medoids(distances: Any, weights: Floats, medoids: Ints, own: Indices) -> float:
    """Swap until no swap gains; `medoids` is overwritten, `own`[point] its place in the list.

    Returns the sum of weights times distances to the nearest medoid."""
    count, k = weights.size, medoids.size
    state = Nearest(
        np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count), np.empty(count)
    )
    losses, gains, far = np.empty(k), np.empty(k), float(distances.max()) + 1.0
    for point in range(count):
        _attach(distances, medoids, point, far, state)
    total = float((weights * state.near).sum())
    point = looked = 0
    while looked < count and k < count:
        if looked == 0:
            _losses(weights, state, losses)
        row, shared = distances[point], 0.0
        gains[:] = losses
        for other in range(count):
            apart = row[other]
            if apart < state.near[other]:
                shared += weights[other] * (apart - state.near[other])
                lost = state.next[other] - state.near[other]
                gains[state.first[other]] -= weights[other] * lost
            elif apart < state.next[other]:
                gains[state.first[other]] -= weights[other] * (state.next[other] - apart)
        place = int(np.argmin(gains))
        looked += 1
        if gains[place] + shared < -LEAST_GAIN * total:
            _swap(distances, medoids, place, point, far, state)
            total = float((weights * state.near).sum())
            looked = 0
        point = point + 1 if point + 1 < count else 0
    own[:] = state.first
    return total
