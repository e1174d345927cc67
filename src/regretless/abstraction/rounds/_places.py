"""The buckets of the next round as places, between which earth is moved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction._transport import distances_between, ground
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights, histograms
from regretless.abstraction.rounds._transitions import next_counts
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.core.progress import nobody
from regretless.kernels.transport import Ground

if TYPE_CHECKING:
    from scipy import sparse

MOST_PLACES = 20_000  # buckets of the next round: their distances are a matrix
CHUNK = 1 << 12  # hands looked up together


class Places(NamedTuple):
    """Where the hands of a round lead."""

    labels: npt.NDArray[Any]  # [hand of the next round] its bucket
    over: Ground  # the buckets, by the distances between the means of their hands

    def shares(self, context: Context, which: Ints) -> sparse.csr_matrix:
        """[hand, bucket] share of the cards to come; `which` are hands of the context's round."""
        from scipy import sparse

        counts = next_counts(context, self.labels, len(self.over.distances), which)
        reached = sparse.csr_matrix(counts)
        totals = np.repeat(counts.sum(axis=1, dtype=np.float64), np.diff(reached.indptr))
        return sparse.csr_matrix(
            (reached.data / totals, reached.indices, reached.indptr), reached.shape
        )


def next_places(context: Context) -> Places:
    """The buckets of the next round, by whichever maker."""
    labels, count = _labels(context, context.round + 1)
    return Places(labels, places(replace(context, round=context.round + 1), labels, count))


def _labels(context: Context, round: int) -> tuple[npt.NDArray[Any], int]:
    """[hand of another round] its bucket."""
    one = context.other(round)
    name = context.deal.rounds[round]
    if one.remembers or one.index != context.deal.index(round):
        raise Unsuitable(f"{context.name}=potential: the {name} must not remember earlier rounds")
    if one.count > MOST_PLACES:
        raise Unsuitable(
            f"{context.name}=potential: {one.count:,} buckets on the {name}, must be at most "
            f"{MOST_PLACES:,}"
        )
    return (one.labels if one.labels.size else np.arange(one.count, dtype=np.int32)), one.count


def places(context: Context, labels: npt.NDArray[Any], count: int) -> Ground:
    """The buckets of a round as places: distances between the means of their hands."""
    if context.round == len(context.deal.board) - 2:
        bins = _means(context, labels, count, histograms(context))
        sums = np.cumsum(bins, axis=1) / bins.shape[1]
        return ground(np.array([np.abs(sums - one).sum(axis=1) for one in sums]))
    later, total = _labels(context, context.round + 1)
    over = places(replace(context, round=context.round + 1), later, total)
    return ground(distances_between(_means(context, labels, count, (later, total)), over))


def _means(
    context: Context,
    labels: npt.NDArray[Any],
    count: int,
    given: npt.NDArray[Any] | tuple[npt.NDArray[Any], int],
) -> Floats:
    """[bucket] the mean histogram of its hands: given, or over the labels of the next round."""
    from scipy import sparse

    weights, total = hand_weights(context.index, context).astype(np.float64), None
    silent, size = replace(context, listen=nobody), context.index.size
    for begin in range(0, size, CHUNK):
        context.report("means of buckets", begin / size)
        part = np.arange(begin, min(begin + CHUNK, size))
        counts = next_counts(silent, *given, part) if isinstance(given, tuple) else given[part]
        cells = labels[part], np.arange(part.size)
        ones = sparse.csr_matrix((weights[part], cells), (count, part.size))
        sums = ones @ counts.astype(np.float64)
        total = sums if total is None else total + sums
    assert total is not None
    means: Floats = total / np.maximum(total.sum(axis=1), 1e-300)[:, None]
    return means
