"""Small groups: of numbers on a line, optimally or by share, and of vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._clustering import k_means
from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.line import Sums, last_starts, least_costs

TIE = 1e-9  # costs closer than this, times the largest possible one, are equal
STARTS = 10  # of k-means: the best of them is taken
MOST_POINTS = 2048  # on a line: with more, near ones are gathered first
STEP = 1.1  # between large numbers of clusters to choose from


class Line:
    """The best clusters of numbers on a line, for every count up to `most`: those with the least
    weighted sum of squared distances to the means.

    Ties go to the partition whose last clusters are smallest: of evenly spaced numbers the small
    ones are merged."""

    def __init__(self, values: Floats, weights: Floats, most: int) -> None:
        points, self._back = _gathered(np.asarray(values, np.float64), weights)
        mass: Floats = np.bincount(self._back, weights).astype(np.float64)
        self._sums = Sums(_running(mass), _running(mass * points), _running(mass * points**2))
        self._slack = TIE * (points[-1] - points[0]) ** 2 * mass.sum()
        self.counts: Ints = np.arange(1, min(most, points.size) + 1)
        self.errors: Floats = self._least(self.counts.size)[1:, -1].copy()

    def labels(self, count: int) -> Indices:
        """The cluster of every number, counted from small to large."""
        # Costs are counted again, since few clusters are quick: kept, they would need gigabytes.
        starts = np.empty(min(count, self.counts.size), np.int64)
        last_starts(self._sums, self._least(starts.size), self._slack, starts)
        sizes = np.diff(starts, append=self._sums.mass.size - 1)
        clusters: Indices = np.repeat(np.arange(starts.size, dtype=np.int32), sizes)
        return clusters[self._back]

    def _least(self, clusters: int) -> Floats:
        """[clusters, end] the least cost of the first numbers."""
        least = np.empty((clusters + 1, self._sums.mass.size))
        least_costs(self._sums, least)
        return least


def _running(values: Floats) -> Floats:
    return np.append(0.0, np.cumsum(values))


def _gathered(values: Floats, weights: Floats) -> tuple[Floats, Ints]:
    """Distinct numbers, and the place of each value among them; if there are too many, the means
    of intervals of equal length."""
    points, back = np.unique(values, return_inverse=True)
    back = back.ravel()
    if points.size <= MOST_POINTS:
        return points, back
    scaled = (points - points[0]) * (MOST_POINTS / (points[-1] - points[0]))
    _, cell = np.unique(np.minimum(scaled.astype(np.int64), MOST_POINTS - 1), return_inverse=True)
    mass = np.bincount(back, weights)
    return np.bincount(cell, mass * points) / np.bincount(cell, mass), cell[back]


def on_a_line(values: Floats, weights: Floats, k: int) -> Indices:
    """The cluster of every number, counted from small to large; see `Line`."""
    return Line(values, weights, k).labels(k)


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
    return Vectors(vectors, weights, metric="euclidean").labels(k)


class Vectors:
    """Clusters of vectors by k-means, for some counts; equal vectors stay together."""

    def __init__(
        self,
        vectors: npt.NDArray[Any],
        weights: Floats,
        *,
        metric: str,
        most: int = 0,
        starts: int = STARTS,
        step: float = STEP,
    ) -> None:
        self._rows, back = np.unique(vectors, axis=0, return_inverse=True)
        self._back, self._metric, self._starts = back.ravel(), metric, starts
        self._mass = np.bincount(self._back, weights)
        self.counts: Ints = _steps(min(most, len(self._rows)), step)
        self._known: dict[int, Indices] = {}

    @cached_property
    def errors(self) -> Floats:
        """[count] weighted sum of Euclidean distances to the means."""
        return np.array([self._error(self._own(count)) for count in self.counts.tolist()])

    def labels(self, count: int) -> Indices:
        """The cluster of every vector."""
        return self._own(count)[self._back]

    def _own(self, count: int) -> Indices:
        if len(self._rows) <= count:
            return np.arange(len(self._rows), dtype=np.int32)
        if count not in self._known:
            own = k_means(
                self._rows, count, weights=self._mass, metric=self._metric, starts=self._starts
            ).own
            _, used = np.unique(own, return_inverse=True)
            self._known[count] = used.ravel().astype(np.int32)
        return self._known[count]

    def _error(self, own: Indices) -> float:
        mass = np.bincount(own, self._mass)
        sums = np.zeros((mass.size, self._rows.shape[1]))
        np.add.at(sums, own, self._mass[:, None] * self._rows)
        apart = self._rows - (sums / mass[:, None])[own]
        return float(self._mass @ np.sqrt((apart**2).sum(axis=1)))


def _steps(most: int, step: float) -> Ints:
    """All counts while they are small, then larger by a factor, and `most`."""
    counts = [1] if most else []
    while counts and counts[-1] < most:
        counts.append(min(max(counts[-1] + 1, int(counts[-1] * step)), most))
    return np.array(counts, np.int64)


def members(labels: Indices, count: int = 0) -> list[Ints]:
    """The places of every label from 0 to the largest, or below `count`."""
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=count))
    return np.split(order, ends[:-1])


def joined(groups: Sequence[Ints], parts: Iterable[Indices]) -> Indices:
    """[hand] its bucket: the groups that hands are in, each with its own parts, which are numbered
    one group after another."""
    labels, used = np.empty(sum(hands.size for hands in groups), np.int32), 0
    for hands, own in zip(groups, parts, strict=True):
        labels[hands] = used + own
        used += int(own.max()) + 1
    return labels
