"""Buckets from the top down: every bucket is split, an integer program says into how many parts.

This is what GS2 and GS3 share (Gilpin & Sandholm 2007; Gilpin, Sandholm & Sørensen 2007)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from regretless.abstraction._allocation import Choices, share_out
from regretless.abstraction._grouping import joined, members
from regretless.abstraction._signals import Signals
from regretless.core.arrays import Floats, Indices, Ints

# Ways to split hands of a round: round, hands, the numbers of children to choose from at most.
Split = Callable[[int, Ints, int], Choices]


def top_down(signals: Signals, totals: Sequence[int], split: Split) -> list[Indices]:
    """[round][hand] its bucket; at most `totals` buckets per round, and perfect recall."""
    labels: list[Indices] = []
    for round, total in enumerate(totals):
        before = np.zeros(signals.weights[round].size, np.int32)
        if labels:
            before = labels[-1][signals.above[round]]
        groups = members(before)
        spare = max(total - len(groups), 0) + 1
        choices = [split(round, hands, spare) for hands in groups]
        shares = share_out(choices, total) if len(groups) > 1 else np.array([total])
        shared = zip(choices, shares.tolist(), strict=True)
        labels.append(joined(groups, [one.labels(share) for one, share in shared]))
    return labels


def error_within(values: Floats, weights: Floats, labels: Indices) -> float:
    """Weighted mean of squared distances to the means of the buckets."""
    mass = np.bincount(labels, weights)
    means = np.bincount(labels, weights * values) / np.maximum(mass, 1e-300)
    return float((weights * (values - means[labels]) ** 2).sum() / weights.sum())
