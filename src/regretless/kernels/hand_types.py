"""Types of the hands of one board: similar hands merged, the cheapest merger first.

Two types a and b of w(a) and w(b) hands merge into their mean. Their hands then move by
2 w(a) w(b) / (w(a) + w(b)) d(a, b) in all, which is the cost of a merger. Boards have many groups
of nearly equal hands, those that differ only in a suit that hardly matters: this finds them, and
k-means from random starts does not."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import kernel, lean


@lean
def distance(one: Any, other: Any) -> Any:
    """Of two hands, [round, bin]: the root of the sum of squared sums of absolute differences."""
    squares = 0.0
    for round in range(one.shape[0]):
        x, y, total = one[round], other[round], np.int32(0)
        for bin in range(x.size):
            total += abs(np.int32(x[bin]) - np.int32(y[bin]))
        squares += float(total) * total
    return np.sqrt(squares)


@lean
def _cost(rows: Any, weights: Floats, a: int, b: int) -> Any:
    both = weights[a] * weights[b] / (weights[a] + weights[b])
    return 2.0 * both * distance(rows[a], rows[b])


@lean
def _look(
    rows: Any, weights: Floats, live: Indices, size: int, a: int, near: Indices, costs: Floats
) -> None:
    """Find the cheapest partner of a type."""
    near[a], costs[a] = -1, np.inf
    for place in range(size):
        b = live[place]
        if b != a:
            cost = _cost(rows, weights, a, b)
            if cost < costs[a]:
                near[a], costs[a] = b, cost


@kernel
def merge_hands(rows: Any, weights: Floats, limit: float, own: Indices) -> int:
    """Merge hands while they move by no more than `limit` in all; return the number of types.

    `rows`[hand, round, bin] and `weights` are overwritten; `own`[hand] becomes the type."""
    count = len(rows)
    live, near = np.arange(count).astype(np.int32), np.empty(count, np.int32)
    costs, size, spent = np.empty(count), count, 0.0
    for hand in range(count):
        own[hand] = hand
    for a in range(count):
        _look(rows, weights, live, size, a, near, costs)
    while size > 1:
        best = 0
        for place in range(1, size):
            if costs[live[place]] < costs[live[best]]:
                best = place
        a = live[best]
        b = near[a]
        spent += costs[a]
        if spent > limit:
            break
        share = weights[a] / (weights[a] + weights[b])
        for round in range(rows.shape[1]):
            for bin in range(rows.shape[2]):
                mean = share * rows[a, round, bin] + (1.0 - share) * rows[b, round, bin]
                rows[a, round, bin] = int(mean + 0.5)
        weights[a] += weights[b]
        own[b] = a
        size -= 1
        for place in range(size):
            if live[place] == b:
                live[place] = live[size]
                break
        near[a], costs[a] = -1, np.inf
        for place in range(size):
            c = live[place]
            if c == a:
                continue
            cost = _cost(rows, weights, a, c)
            if cost < costs[a]:
                near[a], costs[a] = c, cost
            if near[c] == a or near[c] == b:
                _look(rows, weights, live, size, c, near, costs)
            elif cost < costs[c]:
                near[c], costs[c] = a, cost
    return _numbered(own, live, size)


@lean
def _numbered(own: Indices, live: Indices, size: int) -> int:
    """Replace merged hands by the numbers of their types, in the order of their first hands."""
    for hand in range(own.size):
        while own[own[hand]] != own[hand]:
            own[hand] = own[own[hand]]
    found = 0
    for hand in range(own.size):
        if own[hand] == hand:
            live[hand] = found
            found += 1
    for hand in range(own.size):
        own[hand] = live[own[hand]]
    return found
