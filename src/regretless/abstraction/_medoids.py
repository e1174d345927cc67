"""k-medoids over a matrix of distances: the best of several random starts.

Moravčík 2014 (section 4.2.3) alternates between assigning points and choosing the
best centre of each cluster; swaps (FasterPAM) find better optima of the same sum."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadInput, within
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.kernels.medoids import improve_medoids


class Medoids(NamedTuple):
    """A partition of points around some of them."""

    points: Ints  # [cluster] its centre, ascending
    own: Indices  # [point] its cluster
    error: float  # weighted mean of the distances to the centres


def k_medoids(
    distances: npt.NDArray[Any],
    clusters: int,
    *,
    weights: npt.ArrayLike | None = None,
    starts: int = 10,
    seed: int = 0,
    listen: Listener = nobody,
) -> Medoids:
    """Partition points so that the sum of weighted distances to the centres is small."""
    count = len(distances)
    if distances.shape != (count, count) or not np.isfinite(distances).all():
        raise BadInput(f"distances of shape {distances.shape}: must be a square of finite numbers")
    if not (distances == distances.T).all():
        raise BadInput("distances must be symmetric")
    within("clusters", clusters, 1, count)
    within("starts", starts, 1, 10_000)
    mass = np.ones(count) if weights is None else np.asarray(weights, np.float64)
    if mass.shape != (count,) or not (mass > 0).all():
        raise BadInput(f"weights of shape {mass.shape}: must be one positive number per point")
    best: tuple[float, Ints, Indices] | None = None
    for start in range(starts):
        rng = np.random.default_rng([seed, start])
        points = rng.choice(count, clusters, replace=False)
        own = np.empty(count, np.int32)
        total = improve_medoids(np.ascontiguousarray(distances), mass, points, own)
        if best is None or total < best[0]:
            best = total, points, own
        listen(Progress("clustering of boards", done=(start + 1) / starts))
        if interrupted():
            break
    assert best is not None
    return _ordered(*best, mass)


def _ordered(total: float, points: Ints, own: Indices, mass: Floats) -> Medoids:
    order = np.argsort(points)
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size)
    own = rank[own]
    own[points[order]] = np.arange(order.size)  # even if another centre is at distance 0
    return Medoids(points[order], own, float(total / mass.sum()))
