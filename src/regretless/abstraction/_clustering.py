"""Clusters of hands: k-means over histograms or vectors, millions of points at a time.

`emd` is the earth mover's distance between histograms with equal bins, in bins: the distance of
distribution-aware abstractions. Its means are those of histograms, so an iteration may increase
the sum of distances slightly; the best start is kept. Same seed, same clusters, any number
of threads: sums are accumulated in parts that do not depend on them.

`k_medoids` needs only a matrix of distances. Moravčík 2014 (section 4.2.3) alternates between
assigning points and choosing the best centre of each cluster; swaps (FasterPAM) find better optima
of the same sum."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadInput, BadParameter, within
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.threads import Map, threaded
from regretless.kernels.clustering import (
    BLOCK,
    Bounds,
    Centres,
    Points,
    add_up,
    assign,
    distances_between,
    load_rows,
    loosen,
    spread,
    total_distance,
)
from regretless.kernels.medoids import improve_medoids

METRICS = ("euclidean", "manhattan", "emd")
PART = 1 << 16  # points summed together
SAMPLE_PER_CENTRE = 60  # points from which a start is drawn
SLACK = 1e-4  # of a bound in single precision: relative, of the largest distance


class Clusters(NamedTuple):
    """A partition of points."""

    own: Indices  # [point] its cluster
    centres: npt.NDArray[np.float32]  # [cluster, dimension]; running sums for histograms
    error: float  # weighted mean of the squared distances to the centres
    iterations: int
    stable: bool  # whether the last iteration moved no point


def k_means(
    rows: npt.NDArray[Any],
    clusters: int,
    *,
    weights: npt.NDArray[Any] | None = None,
    metric: str = "euclidean",
    starts: int = 1,
    iterations: int = 50,
    centres: npt.NDArray[np.float32] | None = None,
    seed: int = 0,
    threads: int = 1,
    listen: Listener = nobody,
) -> Clusters:
    """Partition rows into this many clusters; the best of several starts is kept.

    If `centres` are given, as returned before, it continues from them."""
    points = _checked(rows, weights, metric)
    within("clusters", clusters, 1, len(rows))
    within("starts", starts, 1, 1000)
    within("iterations", iterations, 1, 100_000)
    within("threads", threads, 1, 1024)
    best: Clusters | None = None
    with threaded(threads) as each:
        for start in range(starts):
            rng = np.random.default_rng([seed, start])
            stage = f"clustering, start {start + 1} of {starts}"
            begin = _seeded(points, clusters, rng) if centres is None else centres
            clustered = _lloyd(points, begin, iterations, each, stage, listen)
            if best is None or clustered.error < best.error:
                best = clustered
            if interrupted():
                break
    assert best is not None
    return best


def _checked(rows: npt.NDArray[Any], weights: npt.NDArray[Any] | None, metric: str) -> Points:
    if metric not in METRICS:
        raise BadParameter(f"metric={metric}: must be one of {', '.join(METRICS)}")
    if rows.ndim != 2 or not rows.size or rows.dtype.kind not in "iuf":
        raise BadInput(
            f"rows of shape {rows.shape} and type {rows.dtype}: must be a matrix of numbers"
        )
    if rows.dtype.kind == "f" and not np.isfinite(rows).all():
        raise BadInput("rows must be finite numbers")
    given = np.empty(0, np.float32) if weights is None else np.ascontiguousarray(weights)
    if weights is not None and (given.shape != rows.shape[:1] or not (given > 0).all()):
        raise BadInput(f"weights of shape {given.shape}: must be one positive number per row")
    return Points(rows, given, metric == "emd", metric != "euclidean")


def nearest_clusters(
    rows: npt.NDArray[Any],
    centres: npt.NDArray[np.float32],
    *,
    metric: str = "euclidean",
    threads: int = 1,
    listen: Listener = nobody,
) -> Indices:
    """[row] the nearest of some centres, as returned by `k_means`; on Ctrl-C the rest is -1."""
    points, count = _checked(rows, None, metric), len(rows)
    own, there = np.full(count, -1, np.int32), arranged(centres, points.absolute)
    unused = np.empty(count, np.float32), np.empty(count, np.float32)
    with threaded(threads) as each:
        for begin in range(0, count, PART * threads):
            end = min(begin + PART * threads, count)
            parts = [(at, min(at + PART, end)) for at in range(begin, end, PART)]
            _assigned(points, parts, there, Bounds(own, *unused), each)
            listen(Progress("assigning rows to clusters", done=end / count))
            if interrupted():
                break
    return own


def _seeded(points: Points, clusters: int, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Centres drawn one by one, preferably far from earlier ones (k-means++)."""
    count = len(points.rows)
    size = min(count, max(SAMPLE_PER_CENTRE * clusters, clusters))
    which = np.sort(rng.choice(count, size, replace=False))
    sample = points._replace(
        rows=points.rows[which],
        weights=points.weights[which] if points.weights.size else points.weights,
    )
    mass = sample.weights.astype(np.float64) if sample.weights.size else np.ones(size)
    loaded = np.empty((size, points.rows.shape[1]), np.float32)
    load_rows(sample, np.arange(size), loaded)
    sums, nearest = loaded.sum(axis=1, dtype=np.float64), np.full(size, np.inf)
    absolute, scale = points.absolute, _scale(loaded, points.absolute)
    chosen = [int(rng.choice(size, p=mass / mass.sum()))]
    while len(chosen) < clusters:
        spread(loaded, sums, chosen[-1], absolute, scale, nearest)
        odds = nearest**2 * mass
        odds[chosen] = 0.0
        if not odds.sum() > 0:  # fewer distinct points than clusters: any others will do
            odds = mass.copy()
            odds[chosen] = 0.0
        chosen.append(int(rng.choice(size, p=odds / odds.sum())))
    return loaded[chosen]


def _lloyd(
    points: Points,
    centres: npt.NDArray[np.float32],
    iterations: int,
    each: Map,
    stage: str,
    listen: Listener,
) -> Clusters:
    count = len(points.rows)
    parts = [(begin, min(begin + PART, count)) for begin in range(0, count, PART)]
    bounds = Bounds(
        np.full(count, -1, np.int32), np.empty(count, np.float32), np.empty(count, np.float32)
    )
    done, changed = 0, count
    while done < iterations:
        done += 1
        changed = _assigned(points, parts, arranged(centres, points.absolute), bounds, each)
        news = f"points that changed cluster: {changed:,}"
        listen(Progress(stage, iteration=done, done=done / iterations, news=news))
        if not changed or interrupted():
            break
        centres = _moved(points, parts, centres, bounds, each)
    sums = each(lambda p: total_distance(points, p[0], p[1], bounds.own, centres), parts)
    mass = float(points.weights.sum(dtype=np.float64)) if points.weights.size else float(count)
    return Clusters(
        bounds.own, centres, sum(squares for _, squares in sums) / mass, done, not changed
    )


def arranged(centres: npt.NDArray[np.float32], absolute: bool) -> Centres:
    """Centres in the order in which points are compared with them."""
    count, size = centres.shape
    near = np.empty(count, np.float32)
    distances_between(centres, absolute, near)
    sums = centres.sum(axis=1, dtype=np.float64)
    order = np.argsort(sums, kind="stable")
    blocks = -(-count // BLOCK)
    filled = np.full((blocks * BLOCK, size), np.inf, np.float32)
    filled[:count] = centres[order]
    own = np.full(blocks * BLOCK, -1, np.int32)
    own[:count] = order
    by_sum = np.full(blocks * BLOCK, sums[order[-1]])
    by_sum[:count] = sums[order]
    return Centres(
        centres,
        near * np.float32(1 - SLACK),
        np.ascontiguousarray(filled.reshape(blocks, BLOCK, size).transpose(0, 2, 1)),
        own,
        by_sum,
        _scale(centres, absolute),
    )


def _scale(rows: npt.NDArray[np.float32], absolute: bool) -> float:
    """Sums of rows differ by at most the distance of the rows, divided by this."""
    return 1.0 if absolute else float(rows.shape[1]) ** -0.5


def _assigned(
    points: Points,
    parts: list[tuple[int, int]],
    centres: Centres,
    bounds: Bounds,
    each: Map,
) -> int:
    """Assign every point to its nearest centre; returns how many change."""

    def give(part: tuple[int, int]) -> int:
        return int(assign(points, part[0], part[1], centres, bounds))

    return sum(each(give, parts))


def _moved(
    points: Points,
    parts: list[tuple[int, int]],
    centres: npt.NDArray[np.float32],
    bounds: Bounds,
    each: Map,
) -> npt.NDArray[np.float32]:
    """Move centres to the means of their clusters (empty ones stay), and update bounds."""

    def sum_of(part: tuple[int, int]) -> tuple[Floats, Floats]:
        sums, mass = np.zeros(centres.shape), np.zeros(len(centres))
        add_up(points, part[0], part[1], bounds.own, sums, mass)
        return sums, mass

    sums, mass = np.zeros(centres.shape), np.zeros(len(centres))
    for one, other in each(sum_of, parts):  # in the order of the parts
        sums += one
        mass += other
    means = np.where(mass[:, None] > 0, sums / np.maximum(mass, 1e-300)[:, None], centres)
    means = means.astype(np.float32)
    apart = means.astype(np.float64) - centres
    moved = abs(apart).sum(axis=1) if points.absolute else np.sqrt((apart**2).sum(axis=1))
    ways = (moved * (1 + SLACK)).astype(np.float32)  # never too short
    most, *rest = np.sort(ways)[::-1].tolist()
    next_most = rest[0] if rest else most
    list(each(lambda part: loosen(part[0], part[1], bounds, ways, most, next_most), parts))
    return means


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
