"""k-means over distributions of hand strength, by earth mover's distance (Johanson et al. 2013).

A hand is the histogram of its strength on all final boards to come. In the last round this is a
single strength. Buckets are numbered from weak to strong."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds._clusters import by_strength, clustered, distinct, label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights, histograms, scores
from regretless.cards.strengths import BINS
from regretless.core.errors import within


def make(context: Context, *, buckets: int, starts: int = 3, iterations: int = 50) -> RoundMap:
    """`starts` of k-means++ are compared; fewer buckets if there are fewer distributions."""
    within("buckets", buckets, 1, 10**6)
    within("starts", starts, 1, 1000)
    within("iterations", iterations, 1, 100_000)
    if context.is_last:
        known = scores(context, squared=False)
        own, mass, strength = known.codes, known.mass, known.values
        rows, metric = BINS * strength[:, None].astype(np.float32), "euclidean"
    else:
        rows, weights = histograms(context), hand_weights(context.index, context)
        context.report("distinct histograms", 0.0)
        merged = distinct(rows, weights)
        own, mass, rows, metric = merged.own, merged.mass, merged.rows, "emd"
        strength = rows @ np.arange(BINS) / rows.sum(axis=1)
    live = mass > 0
    clusters = clustered(
        context, rows[live], mass[live], buckets,
        metric=metric, starts=starts, iterations=iterations,
    )  # fmt: skip
    labels, count = by_strength(clusters.own, strength[live], mass[live])
    of_row = np.zeros(len(rows), label_type(count))
    of_row[live] = labels
    return RoundMap(context.index, count, of_row[own])
