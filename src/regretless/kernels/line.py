"""Clusters of numbers on a line with the least squared distances (Wang & Song 2011)."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import kernel


@kernel
def best_splits(points: Floats, mass: Floats, slack: float, least: Floats, starts: Indices) -> None:
    """For every number of clusters k and every end: the least cost `least`[k, end] of the first
    `end` points, which ascend, and the point at which the last cluster starts.

    Costs that differ by at most `slack` are equal; of equal ones the last start is taken."""
    count = points.size
    w, x, xx = np.zeros(count + 1), np.zeros(count + 1), np.zeros(count + 1)
    for p in range(count):
        w[p + 1] = w[p] + mass[p]
        x[p + 1] = x[p] + mass[p] * points[p]
        xx[p + 1] = xx[p] + mass[p] * points[p] * points[p]
    one = np.empty(count)  # the cost of one cluster from every start
    least[:] = np.inf
    least[0, 0] = 0.0
    for end in range(1, count + 1):
        for start in range(end):
            total, first = w[end] - w[start], x[end] - x[start]
            square = xx[end] - xx[start] - first * first / max(total, 1e-300)
            one[start] = max(square, 0.0)
        for k in range(1, min(len(least) - 1, end) + 1):
            best = np.inf
            for start in range(k - 1, end):
                best = min(best, least[k - 1, start] + one[start])
            start = end - 1
            while least[k - 1, start] + one[start] > best + slack:
                start -= 1
            least[k, end] = best
            starts[k, end] = start
