"""k-means with bounds: Lloyd 1982, Hamerly 2010; seeds as in Arthur & Vassilvitskii 2007.

Points are rows of numbers. For the earth mover's distance, histograms are accumulated on the
fly: it is the sum of absolute differences of cumulative histograms. Each point keeps an upper
bound on the distance to its own centre and a lower bound on the distance to all others; while
these do not overlap, no distance has to be computed.

Otherwise centres are visited in the order of a projection, the sum of their numbers, beginning
at that of the point: it differs no more than the distance allows, so most centres are never
reached."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart, kernel, lean


class Points(NamedTuple):
    """The points to cluster."""

    rows: Any  # [point, dimension] any numbers
    weights: Any  # [point], or empty if all are 1
    cumulate: bool  # histograms: distances are between their running sums
    absolute: bool  # sum of absolute differences instead of the Euclidean distance


BLOCK = 32  # centres compared together


class Centres(NamedTuple):
    """Centres by projection, in blocks; the last block is filled up with infinity."""

    rows: Any  # [centre, dimension]
    near: Any  # [centre] half the distance to the nearest other centre
    blocks: Any  # [block, dimension, place]
    own: Indices  # [block * BLOCK + place] the centre, or -1
    sums: Floats  # [block * BLOCK + place] its projection, ascending
    scale: float  # a difference of projections times this is at most the distance


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


@apart
def _block(x: Any, block: Any, absolute: bool, out: Any) -> None:
    """Distances to the centres of a block, squared if Euclidean."""
    count = out.size  # BLOCK, but then the compiler would unroll the loops and not vectorise them
    for c in range(count):
        out[c] = 0
    for d in range(x.size):
        here, row = x[d], block[d]
        if absolute:
            for c in range(count):
                out[c] += abs(here - row[c])
        else:
            for c in range(count):
                out[c] += (here - row[c]) * (here - row[c])


@lean
def _gap(centres: Centres, block: int, total: float, absolute: bool) -> float:
    """A lower bound on the distances to a block and those beyond it, squared if Euclidean."""
    low, high = centres.sums[block * BLOCK], centres.sums[(block + 1) * BLOCK - 1]
    gap: float = max(low - total, total - high, 0.0) * centres.scale
    return gap if absolute else gap * gap


@lean
def nearest(x: Any, centres: Centres, absolute: bool, out: Any) -> tuple[int, Any, Any]:
    """The nearest centre, its distance, and the next distance; squared if Euclidean."""
    total, count = 0.0, len(centres.blocks)
    for d in range(x.size):
        total += x[d]
    right = 0
    while right < count - 1 and centres.sums[(right + 1) * BLOCK - 1] < total:
        right += 1
    left = right - 1
    first, best, second = -1, out.dtype.type(np.inf), out.dtype.type(np.inf)
    while True:
        far_left = _gap(centres, left, total, absolute) if left >= 0 else np.inf
        far_right = _gap(centres, right, total, absolute) if right < count else np.inf
        # Also for equal distances, of which the first centre is taken; the rest is rounding.
        if min(far_left, far_right) > second * (1 + 1e-4) or (left < 0 and right >= count):
            break
        if far_left < far_right:
            block, left = left, left - 1
        else:
            block, right = right, right + 1
        _block(x, centres.blocks[block], absolute, out)
        for c in range(BLOCK):
            distance, own = out[c], centres.own[block * BLOCK + c]
            if distance < best or (distance == best and own < first):
                first, best, second = own, distance, best
            elif distance < second:
                second = distance
    return first, best, second


@kernel
def assign(points: Points, begin: int, end: int, centres: Centres, bounds: Bounds) -> int:
    """Assign points to their nearest centres; return how many change. Bounds stay valid."""
    rows = centres.rows
    x, distances = np.empty(rows.shape[1], rows.dtype), np.empty(BLOCK, rows.dtype)
    changed = 0
    for point in range(begin, end):
        own = bounds.own[point]
        if own >= 0:
            safe = max(bounds.lower[point], centres.near[own])
            if bounds.upper[point] <= safe:
                continue
            _load(points, point, x)
            bounds.upper[point] = _one(x, rows[own], points.absolute)
            if bounds.upper[point] <= safe:
                continue
        else:
            _load(points, point, x)
        first, best, second = nearest(x, centres, points.absolute, distances)
        changed += first != own
        bounds.own[point] = first
        bounds.upper[point] = best if points.absolute else np.sqrt(best)
        bounds.lower[point] = second if points.absolute else np.sqrt(second)
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
def spread(
    loaded: Any, sums: Floats, chosen: int, absolute: bool, scale: float, nearest: Floats
) -> None:
    """Distances to the nearest point chosen so far, after choosing another one.

    `sums` are projections and `scale` that of `Centres`: a point that is too far is skipped."""
    for point in range(nearest.size):
        if abs(sums[point] - sums[chosen]) * scale < nearest[point]:
            distance = _one(loaded[point], loaded[chosen], absolute)
            nearest[point] = min(nearest[point], distance)


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


@kernel
def equal_rows(rows: Any, other: Ints) -> bool:
    """Whether every row equals the one it refers to."""
    for row in range(len(rows)):
        for d in range(rows.shape[1]):
            if rows[row, d] != rows[other[row], d]:
                return False
    return True
