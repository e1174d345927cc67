"""Small groups: of numbers on a line, optimally or by share, and of vectors."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._clustering import k_means
from regretless.core.arrays import Floats, Indices

TIE = 1e-9  # costs closer than this, times the largest possible one, are equal
STARTS = 10  # of k-means: the best of them is taken


def on_a_line(values: Floats, weights: Floats, k: int) -> Indices:
    """The cluster of every number, counted from small to large: the weighted sum of squared
    distances to the means is as small as possible (Wang & Song 2011, by dynamic programming).

    Among equally good ways the one whose last clusters are smallest is taken: of evenly spaced
    numbers the small ones are put together."""
    points, back = np.unique(values, return_inverse=True)
    mass = np.bincount(back, weights)
    k = min(k, points.size)
    w = np.concatenate([[0.0], np.cumsum(mass)])
    x = np.concatenate([[0.0], np.cumsum(mass * points)])
    xx = np.concatenate([[0.0], np.cumsum(mass * points**2)])

    def costs(end: int) -> Floats:
        """Of one cluster from every start up to a point."""
        total = w[end] - w[:end]
        found: Floats = xx[end] - xx[:end] - (x[end] - x[:end]) ** 2 / np.maximum(total, 1e-300)
        return np.maximum(found, 0.0)

    slack = TIE * (points[-1] - points[0]) ** 2 * w[-1]
    best = np.full((k + 1, points.size + 1), np.inf)
    best[0, 0] = 0.0
    starts = np.zeros((k + 1, points.size + 1), dtype=np.int64)
    for end in range(1, points.size + 1):
        one = costs(end)
        for clusters in range(1, min(k, end) + 1):
            total = best[clusters - 1, :end] + one
            least = total.min()
            starts[clusters, end] = int(np.flatnonzero(total <= least + slack)[-1])
            best[clusters, end] = least
    labels = np.zeros(points.size, dtype=np.int32)
    end = points.size
    for cluster in range(k, 0, -1):
        start = int(starts[cluster, end])
        labels[start:end] = cluster - 1
        end = start
    return labels[back.ravel()]


def by_share(values: Floats, weights: Floats, k: int) -> Indices:
    """The cluster of every number, from small to large, each with about the same weight; equal
    numbers stay together."""
    _, back = np.unique(values, return_inverse=True)
    mass = np.bincount(back, weights)
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    shares = np.minimum((middle * k).astype(np.int64), k - 1)
    _, labels = np.unique(shares, return_inverse=True)
    return labels[back.ravel()].astype(np.int32)


def of_vectors(vectors: Floats, weights: Floats, k: int) -> Indices:
    """The cluster of every vector by k-means; equal vectors stay together."""
    points, back = np.unique(vectors, axis=0, return_inverse=True)
    if len(points) <= k:
        return back.ravel().astype(np.int32)
    mass = np.bincount(back.ravel(), weights)
    own = k_means(points, k, weights=mass, starts=STARTS).own
    _, used = np.unique(own, return_inverse=True)
    return used[back.ravel()].astype(np.int32)
