"""Clusters of numbers on a line with the least squared distances (Wang & Song 2011).

The start of the best last cluster never moves back when the end moves on, nor when there is one
cluster more: starts are sought between those of ends that are known (Grønlund et al. 2017), n log n
instead of n² steps per number of clusters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import kernel, lean


class Sums(NamedTuple):
    """Running sums over points that ascend, one more than there are points."""

    mass: Floats
    first: Floats  # of mass times number
    second: Floats  # of mass times its square


@lean
def _one(sums: Sums, start: int, end: int) -> float:
    """The cost of one cluster."""
    total, first = sums.mass[end] - sums.mass[start], sums.first[end] - sums.first[start]
    square: float = sums.second[end] - sums.second[start] - first * first / max(total, 1e-300)
    return max(square, 0.0)


@kernel
def least_costs(sums: Sums, least: Floats) -> None:
    """[clusters, end] the least cost of the first `end` points."""
    count = sums.mass.size - 1
    best = np.empty(count + 1, np.int64)  # [end] where its last cluster starts
    least[:] = np.inf
    least[0, 0] = 0.0
    widest = 1
    while 2 * widest <= count:
        widest *= 2
    for k in range(1, len(least)):
        step = widest
        while step:
            for end in range(step, count + 1, 2 * step):
                if end < k:
                    continue
                low = max(best[end - step], k - 1) if end - step >= k else k - 1
                high = min(best[end + step], end - 1) if end + step <= count else end - 1
                for start in range(low, high + 1):
                    cost = least[k - 1, start] + _one(sums, start, end)
                    if cost < least[k, end]:
                        least[k, end], best[end] = cost, start
            step //= 2


@kernel
def last_starts(sums: Sums, least: Floats, slack: float, starts: Ints) -> None:
    """[cluster] where it starts, for as many clusters as there are starts.

    Costs that differ by at most `slack` are equal; of equal ones the last start is taken."""
    end = sums.mass.size - 1
    for k in range(starts.size, 0, -1):
        start = end - 1
        while least[k - 1, start] + _one(sums, start, end) > least[k, end] + slack:
            start -= 1
        starts[k - 1] = start
        end = start
