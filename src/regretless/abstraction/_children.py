"""Buckets from the top down: every bucket is split, an integer program says into how many parts.

This is what GS2 and GS3 share (Gilpin & Sandholm 2007; Gilpin, Sandholm & Sørensen 2007)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from regretless.abstraction._allocation import Choices, share_out
from regretless.abstraction._signals import Signals
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.progress import Listener, nobody

# Ways to split hands of a round: round, hands, the numbers of children to choose from at most.
Split = Callable[[int, Ints, int], Choices]


def top_down(signals: Signals, totals: Sequence[int], split: Split) -> list[Indices]:
    """[round][hand] its bucket; at most `totals` buckets per round, and perfect recall."""

    def parts(round: int, groups: list[Ints]) -> list[Indices]:
        spare = max(totals[round] - len(groups), 0) + 1
        return children([split(round, hands, spare) for hands in groups], totals[round])

    return signals.split(parts)


def children(choices: Sequence[Choices], total: int, *, listen: Listener = nobody) -> list[Indices]:
    """[bucket][hand] its child, at most `total` in all; a single bucket gets all of them."""
    shares = share_out(choices, total, listen=listen).tolist() if len(choices) > 1 else [total]
    return [one.labels(share) for one, share in zip(choices, shares, strict=True)]


def error_within(values: Floats, weights: Floats, labels: Indices) -> float:
    """Weighted mean of squared distances to the means of the buckets."""
    mass = np.bincount(labels, weights)
    means = np.bincount(labels, weights * values) / np.maximum(mass, 1e-300)
    return float((weights * (values - means[labels]) ** 2).sum() / weights.sum())
