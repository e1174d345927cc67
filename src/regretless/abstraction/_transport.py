"""k-means of histograms with the earth mover's distance over any ground distance.

Distances are those of the fast heuristic of Ganzfried & Sandholm 2014; a centre is the mean of its
histograms. Same seed, same clusters, any number of threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices
from regretless.core.errors import within
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.threads import Map, threaded
from regretless.kernels.transport import Ground, Histograms, come_nearer, nearest_goals, works_to

if TYPE_CHECKING:
    from scipy import sparse

PART = 4096  # rows assigned together
LANDMARKS = 16  # places whose distances bound the work from below
SAMPLE_PER_CENTRE = 30  # rows from which a start is drawn
SLACK = 1e-9  # of bounds, for rounding
REPORT_EVERY = 50  # centres drawn


class Moved(NamedTuple):
    """A partition of histograms."""

    own: Indices  # [row] its cluster
    centres: Floats  # [cluster, place]
    error: float  # weighted mean of the squared distances to the centres
    iterations: int
    stable: bool  # whether the last iteration moved no row


def ground(distances: Floats) -> Ground:
    """Places by their distances, which are made a metric: no way is longer than a detour."""
    from scipy.sparse.csgraph import floyd_warshall

    least = np.minimum(distances, distances.T)
    closed = np.ascontiguousarray(floyd_warshall(_without_zeros(least)))
    np.fill_diagonal(closed, 0.0)
    return Ground(closed, np.argsort(closed, axis=1, kind="stable").astype(np.int32))


def _without_zeros(distances: Floats) -> Floats:
    """Places at distance 0 stay connected: to scipy a zero is a missing edge."""
    return np.maximum(distances, 1e-300)


def distances_between(centres: Floats, over: Ground) -> Floats:
    """The distance between every two histograms: the smaller of both directions."""
    rows = _sparse(centres)
    works = np.empty((len(centres), len(centres)))
    for goal, centre in enumerate(centres):
        works_to(rows, centre, over, works[goal])
    return np.minimum(works, works.T)


def move_k_means(
    rows: sparse.csr_matrix,
    clusters: int,
    over: Ground,
    *,
    weights: Floats,
    starts: int = 1,
    iterations: int = 30,
    centres: Floats | None = None,
    seed: int = 0,
    threads: int = 1,
    listen: Listener = nobody,
) -> Moved:
    """Partition rows, which sum to 1, into this many clusters; the best of several starts.

    If `centres` are given, as returned before, it continues from them."""
    within("clusters", clusters, 1, rows.shape[0])
    best: Moved | None = None
    with threaded(threads) as each:
        for start in range(starts):
            rng = np.random.default_rng([seed, start])
            stage = f"clustering by earth mover's distance, start {start + 1} of {starts}"
            run = _Run(rows, over, weights, each)
            begin = run.seeded(clusters, rng, stage, listen) if centres is None else centres
            moved = run.to(begin, iterations, stage, listen)
            if best is None or moved.error < best.error:
                best = moved
            if interrupted():
                break
    assert best is not None
    return best


def nearest_centres(
    rows: sparse.csr_matrix, centres: Floats, over: Ground, *, threads: int = 1
) -> Indices:
    """[row] the nearest of some centres."""
    own, works = np.full(rows.shape[0], -1, np.int32), np.empty(rows.shape[0])
    with threaded(threads) as each:
        list(_Run(rows, over, np.ones(rows.shape[0]), each).assign(centres, own, works))
    return own


class _Run:
    """Lloyd's algorithm on some rows."""

    def __init__(self, rows: sparse.csr_matrix, over: Ground, weights: Floats, each: Map) -> None:
        self.rows, self.over, self.weights, self.each = rows, over, weights, each
        self.histograms = Histograms(rows.indptr, rows.indices, rows.data)
        self.marks = _landmarks(over)
        self.mine: Floats = rows @ self.marks

    def to(self, centres: Floats, iterations: int, stage: str, listen: Listener) -> Moved:
        """From these centres, until nothing changes."""
        count = self.rows.shape[0]
        own, works = np.full(count, -1, np.int32), np.empty(count)
        done, changed = 0, count
        while done < iterations:
            done += 1
            changed = 0
            for finished, some in self.assign(centres, own, works):
                changed += some
                share = (done - 1 + finished) / iterations
                news = f"hands that changed cluster: {changed:,}"
                listen(Progress(stage, iteration=done, done=share, news=news))
            if not changed or interrupted():
                break
            centres = self._means(own, centres)
        error = float(self.weights @ works**2 / self.weights.sum())
        return Moved(own, centres, error, done, not changed)

    def assign(self, centres: Floats, own: Indices, works: Floats) -> Iterator[tuple[float, int]]:
        """Every row to its nearest centre, part by part: which share is done, and how many of the
        last part have changed."""
        theirs = np.ascontiguousarray((centres @ self.marks).T)
        marks = self.mine * (1 - SLACK), theirs * (1 - SLACK)
        count = self.rows.shape[0]
        spans = [(begin, min(begin + PART, count)) for begin in range(0, count, PART)]

        def give(span: tuple[int, int]) -> int:
            return int(nearest_goals(self.histograms, span, centres, self.over, marks, own, works))

        for span, changed in zip(spans, self.each(give, spans), strict=True):
            yield span[1] / count, changed

    def _means(self, own: Indices, centres: Floats) -> Floats:
        from scipy import sparse

        count = own.size
        ones = sparse.csr_matrix((self.weights, (own, np.arange(count))), (len(centres), count))
        sums, mass = (ones @ self.rows).toarray(), np.bincount(own, self.weights, len(centres))
        means: Floats = np.where(mass[:, None] > 0, sums / np.maximum(mass, 1e-300)[:, None], 0)
        return np.where(mass[:, None] > 0, means, centres)

    def seeded(
        self, clusters: int, rng: np.random.Generator, stage: str, listen: Listener
    ) -> Floats:
        """Centres drawn one by one, preferably far from earlier ones (k-means++)."""
        count = self.rows.shape[0]
        which = np.sort(rng.choice(count, min(count, SAMPLE_PER_CENTRE * clusters), replace=False))
        part, mass = self.rows[which], self.weights[which]
        sample = Histograms(part.indptr, part.indices, part.data)
        nearest, marks = np.full(which.size, np.inf), self.mine[which] * (1 - SLACK)
        odds, chosen = mass.copy(), list[int]()
        while len(chosen) < clusters:
            odds[chosen] = 0.0
            if not odds.sum() > 0:  # fewer distinct rows than clusters: any others will do
                odds = mass.copy()
                odds[chosen] = 0.0
            chosen.append(int(rng.choice(which.size, p=odds / odds.sum())))
            goal = part[chosen[-1]].toarray().ravel()
            come_nearer(sample, goal, self.over, (marks, marks[chosen[-1]]), nearest)
            odds = nearest**2 * mass
            if len(chosen) % REPORT_EVERY == 0:
                listen(Progress(stage, news=f"centres drawn: {len(chosen):,} of {clusters:,}"))
        return np.asarray(part[chosen].toarray(), np.float64)


def _landmarks(over: Ground) -> Floats:
    """[place, landmark] distances from places that are far from each other."""
    chosen = [0]
    while len(chosen) < min(LANDMARKS, len(over.distances)):
        chosen.append(int(np.argmax(over.distances[chosen].min(axis=0))))
    return np.ascontiguousarray(over.distances[:, chosen])


def _sparse(rows: Floats) -> Histograms:
    from scipy import sparse

    made = sparse.csr_matrix(rows)
    return Histograms(made.indptr, made.indices, made.data)
