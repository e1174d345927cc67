"""Clusters of an opponent's starting hands (Johanson et al. 2013, section 4).

The 169 classes are clustered by the distribution of their strength on the river, with the earth
mover's distance. A hand is then described by its equity against each cluster (OCHS)."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._clustering import k_means
from regretless.cards.equities import class_equities
from regretless.cards.holdings import CLASSES, class_of
from regretless.cards.strengths import preflop_strengths
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import within
from regretless.core.progress import Listener, nobody

CLUSTERS = 8  # as in the paper and in Moravčík 2014
STARTS = 30


def opponent_clusters(count: int = CLUSTERS, *, listen: Listener = nobody) -> Ints:
    """[class] its cluster, weakest cluster first."""
    within("clusters", count, 1, CLASSES)
    sums, histograms = preflop_strengths(listen)
    sizes = np.bincount(class_of(), minlength=CLASSES)
    return weak_to_strong(histograms, sums[:, 0] / sums[:, 2], sizes, count)


def weak_to_strong(histograms: Ints, strengths: Floats, sizes: Ints, count: int) -> Ints:
    """[class] its cluster by the histogram of its strength, weakest cluster first."""
    shares = (histograms / histograms.sum(axis=1)[:, None]).astype(np.float32)
    clustered = k_means(shares, count, weights=sizes, metric="emd", starts=STARTS)
    mass = np.bincount(clustered.own, sizes, count)
    strength = np.bincount(clustered.own, sizes * strengths, count)
    order = np.argsort(strength / np.maximum(mass, 1), kind="stable")
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    of_class: Ints = rank[clustered.own]
    return of_class


def preflop_cluster_strengths(cell: int, clusters: Ints, *, listen: Listener = nobody) -> Floats:
    """[cluster] equity of a class against each cluster before the flop."""
    within("class", cell, 0, CLASSES - 1)
    equities, deals = class_equities(listen)
    count = int(clusters.max()) + 1
    won = np.bincount(clusters, equities[cell] * deals[cell], count)
    met = np.bincount(clusters, deals[cell], count)
    return np.asarray(np.where(met > 0, won / np.maximum(met, 1), 0.5))
