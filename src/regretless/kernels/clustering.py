"""k-means with bounds: Lloyd 1982, Hamerly 2010; seeds as in Arthur & Vassilvitskii 2007.

Points are rows of numbers. For the earth mover's distance, histograms are accumulated on the
fly: it is the sum of absolute differences of cumulative histograms. Each point keeps an upper
bound on the distance to its own centre and a lower bound on the distance to all others; while
these do not overlap, no distance has to be computed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel, lean


class Points(NamedTuple):
    """The points to cluster."""

    rows: Any  # [point, dimension] any numbers
    weights: Any  # [point], or empty if all are 1
    cumulate: bool  # histograms: distances are between their running sums
    absolute: bool  # sum of absolute differences instead of the Euclidean distance


class Bounds(NamedTuple):
    """The assignment and bounds of every point."""

    own: Indices  # its centre
    upper: Any  # on the distance to it
    lower: Any  # on the distance to every other centre


@lean
def _load(points: Points, point: int, out: Any) -> None:
    """A point as floats, accumulated if required."""
    real = out.dtype.type
    total = real(0)
    for d in range(out.size):
        x = real(points.rows[point, d])
        total = total + x if points.cumulate else x
        out[d] = total


@lean
def _one(x: Any, centre: Any, absolute: bool) -> Any:
    """The distance between two rows."""
    total = x.dtype.type(0)
    for d in range(x.size):
        apart = x[d] - centre[d]
        total += abs(apart) if absolute else apart * apart
    return total if absolute else np.sqrt(total)


@lean
def _all(x: Any, columns: Any, absolute: bool, out: Any) -> None:
    """Distances to all centres, squared if Euclidean; `columns` is [dimension, centre]."""
    count = out.size
    for c in range(count):
        out[c] = 0
    for d in range(x.size):
        here, row = x[d], columns[d]
        if absolute:
            for c in range(count):
                out[c] += abs(here - row[c])
        else:
            for c in range(count):
                out[c] += (here - row[c]) * (here - row[c])


@kernel
def assign(
    points: Points, begin: int, end: int, centres: Any, columns: Any, near: Any, bounds: Bounds
) -> int:
    """Assign points to their nearest centres; return how many change. Bounds stay valid.

    `near`[centre] is half the distance to the nearest other centre."""
    x, distances = np.empty(centres.shape[1], centres.dtype), np.empty(len(centres), centres.dtype)
    changed = 0
    for point in range(begin, end):
        own = bounds.own[point]
        if own >= 0:
            safe = max(bounds.lower[point], near[own])
            if bounds.upper[point] <= safe:
                continue
            _load(points, point, x)
            bounds.upper[point] = _one(x, centres[own], points.absolute)
            if bounds.upper[point] <= safe:
                continue
        else:
            _load(points, point, x)
        _all(x, columns, points.absolute, distances)
        first, second = 0, -1
        for c in range(1, distances.size):
            if distances[c] < distances[first]:
                first, second = c, first
            elif second < 0 or distances[c] < distances[second]:
                second = c
        changed += first != own
        bounds.own[point] = first
        bounds.upper[point] = distances[first]
        bounds.lower[point] = distances[second] if second >= 0 else np.inf
        if not points.absolute:
            bounds.upper[point] = np.sqrt(bounds.upper[point])
            bounds.lower[point] = np.sqrt(bounds.lower[point])
    return changed


@kernel
def add_up(points: Points, begin: int, end: int, own: Indices, sums: Floats, mass: Floats) -> None:
    """Add points to the sums of their centres."""
    x = np.empty(sums.shape[1], np.float64)
    for point in range(begin, end):
        weight = points.weights[point] if points.weights.size else 1.0
        _load(points, point, x)
        for d in range(x.size):
            sums[own[point], d] += weight * x[d]
        mass[own[point]] += weight


@kernel
def loosen(begin: int, end: int, bounds: Bounds, moved: Any, most: float, next_most: float) -> None:
    """Update bounds after centres have moved; `most` and `next_most` are the longest moves."""
    for point in range(begin, end):
        own = bounds.own[point]
        bounds.upper[point] += moved[own]
        bounds.lower[point] -= next_most if moved[own] == most else most


@kernel
def spread(points: Points, chosen: Any, nearest: Any, first: bool) -> None:
    """Squared distances to the nearest centre chosen so far, after adding one."""
    x = np.empty(chosen.size, chosen.dtype)
    for point in range(nearest.size):
        _load(points, point, x)
        apart = _one(x, chosen, points.absolute) ** 2
        if first or apart < nearest[point]:
            nearest[point] = apart


@kernel
def load_rows(points: Points, which: Ints, out: Any) -> None:
    """Some points as floats."""
    for k in range(which.size):
        _load(points, which[k], out[k])


@kernel
def distances_between(rows: Any, absolute: bool, near: Any) -> None:
    """Half the distance from every row to the nearest other row."""
    for a in range(len(rows)):
        near[a] = np.inf
        for b in range(len(rows)):
            if a != b:
                near[a] = min(near[a], 0.5 * _one(rows[a], rows[b], absolute))


@kernel
def total_distance(
    points: Points, begin: int, end: int, own: Indices, centres: Any
) -> tuple[float, float]:
    """Sums over points of weight times distance, and times its square."""
    x, total, squares = np.empty(centres.shape[1], centres.dtype), 0.0, 0.0
    for point in range(begin, end):
        weight = points.weights[point] if points.weights.size else 1.0
        _load(points, point, x)
        apart = _one(x, centres[own[point]], points.absolute)
        total += weight * apart
        squares += weight * apart * apart
    return total, squares
