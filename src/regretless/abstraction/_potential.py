"""Buckets from the last round up: a hand is the histogram of the buckets it leads to.

In the last round buckets are clusters of strengths on a line, or of strengths against clusters of
rival hands (OCHS, Johanson et al. 2013). Before, hands are clustered by their
histograms over the buckets of the next round, either by the L1 distance, which takes all buckets
to be equally far apart (GS3), or by the earth mover's distance, whose ground distance is that
between the centres of the next round (Ganzfried & Sandholm 2014)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.abstraction._clustering import Clusters, k_means
from regretless.abstraction._grouping import STARTS, Line, Vectors
from regretless.abstraction._signals import Signals
from regretless.abstraction._transport import Moved, distances_between, ground, move_k_means
from regretless.core.arrays import Floats, Indices
from regretless.kernels.transport import Ground

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scipy import sparse


def bottom_up(signals: Signals, count: int) -> Indices:
    """[hand of the first round] its bucket, by L1 distances with `count` buckets per round."""
    last = signals.rounds - 1
    labels = Line(signals.strengths[last], signals.weights[last], count).labels(count)
    for round in range(last - 1, -1, -1):
        hands = signals.weights[round]
        rows = signals.histograms(round + 1, labels, hands.size).toarray()
        labels = Vectors(rows, hands, metric="manhattan").labels(count)
    return labels


class Places(NamedTuple):
    """The buckets of a round as places between which earth is moved: on a line, or anywhere."""

    line: Floats | None  # [bucket] positions, ascending
    over: Ground | None  # otherwise


class Features(NamedTuple):
    """The hands of a round as they are compared."""

    histograms: sparse.csr_matrix | None  # over the next round's buckets; None in the last round
    places: Places  # of these buckets; in the last round the strengths themselves
    rivals: Floats | None = None  # in the last round: strengths against clusters of rival hands


class Clustered(NamedTuple):
    """Buckets of hands, and the buckets as places."""

    own: Indices
    places: Places


def potential_features(signals: Signals, counts: Sequence[int]) -> list[Features]:
    """[round] what hands of a round are compared by, given the number of buckets of all later
    rounds."""
    last = signals.rounds - 1
    against = signals.rivals if signals.rivals.shape[1] else None
    features = [Features(None, Places(signals.strengths[last], None), against)]
    for round in range(last - 1, -1, -1):
        weights = signals.weights[round + 1]
        own, places = clusters(features[0], weights, np.arange(weights.size), counts[round + 1])
        hands = signals.weights[round].size
        features.insert(0, Features(signals.histograms(round + 1, own, hands), places))
    return features


def clusters(features: Features, weights: Floats, hands: np.ndarray, count: int) -> Clustered:
    """Some hands of a round in at most this many buckets; equal hands stay together."""
    weights = weights[hands]
    if features.rivals is not None:
        return _by_rivals(features.rivals[hands], weights, count)
    if features.histograms is None:
        assert features.places.line is not None
        return _on_a_line(features.places.line[hands], weights, count)
    rows = features.histograms[hands]
    if features.places.line is not None:
        return _by_running_sums(rows, weights, features.places.line, count)
    assert features.places.over is not None
    return _by_transport(rows, weights, features.places.over, count)


def _on_a_line(values: Floats, weights: Floats, count: int) -> Clustered:
    own = Line(values, weights, count).labels(count)
    mass = np.bincount(own, weights)
    return Clustered(own, Places(np.bincount(own, weights * values) / mass, None))


def _by_rivals(rows: Floats, weights: Floats, count: int) -> Clustered:
    """Strengths against clusters of rival hands (OCHS), by Euclidean distance."""
    own = Vectors(rows, weights, metric="euclidean").labels(count)
    mass = np.bincount(own, weights)
    centres = np.stack([np.bincount(own, weights * row) / mass for row in rows.T], axis=1)
    return Clustered(own, Places(None, ground(np.linalg.norm(centres[:, None] - centres, axis=2))))


def _by_running_sums(
    rows: sparse.csr_matrix, weights: Floats, line: Floats, count: int
) -> Clustered:
    """On a line the distance is L1 between running sums, times the gaps: exact, and fast."""
    sums = np.cumsum(rows.toarray(), axis=1)[:, :-1] * np.diff(line)
    if not sums.shape[1]:
        sums = np.zeros((rows.shape[0], 1))
    cluster = partial(k_means, metric="manhattan", starts=STARTS)
    own, centres = _once(np.round(sums, 9), weights, count, cluster)
    between = np.array([np.abs(centres - one).sum(axis=1) for one in centres])
    return Clustered(own, Places(None, ground(between)))


def _by_transport(rows: sparse.csr_matrix, weights: Floats, over: Ground, count: int) -> Clustered:
    from scipy import sparse

    def moved(points: Floats, count: int, *, weights: Floats) -> Moved:
        points = sparse.csr_matrix(points)
        return move_k_means(points, count, over, weights=weights, starts=STARTS)

    own, centres = _once(rows.toarray(), weights, count, moved)
    return Clustered(own, Places(None, ground(distances_between(centres, over))))


def _once(
    rows: Floats, weights: Floats, count: int, cluster: Callable[..., Clusters | Moved]
) -> tuple[Indices, Floats]:
    """[row] its cluster, and the centres; equal rows are clustered once, none if they are few."""
    points, back = np.unique(rows, axis=0, return_inverse=True)
    back = back.ravel()
    if len(points) <= count:
        return back.astype(np.int32), points
    made = cluster(points, count, weights=np.bincount(back, weights).astype(np.float64))
    used, renamed = np.unique(made.own, return_inverse=True)
    return renamed.ravel()[back].astype(np.int32), made.centres[used].astype(np.float64)
