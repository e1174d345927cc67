"""k-means over where hands lead, by earth mover's distance between the next buckets.

Potential-aware abstraction with imperfect recall (Ganzfried & Sandholm 2014). A hand is its
histogram over the buckets of the next round, whichever maker has made them; the ground distance
between two of these is that between the means of their hands. In the round before the last a hand
is the histogram of its strength, in the last its strength, as in `distribution`. Distances are by
the paper's fast heuristic. Large rounds are clustered on a sample, then every hand goes to the
nearest centre. Buckets are numbered from weak to strong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction._transport import (
    Moved,
    distances_between,
    ground,
    move_k_means,
    nearest_centres,
)
from regretless.abstraction.rounds import distribution
from regretless.abstraction.rounds._clusters import STEP, by_strength, in_steps, label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights, histograms, means
from regretless.abstraction.rounds._transitions import next_counts
from regretless.abstraction.rounds._unfinished import filled, kept
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import Unsuitable, within
from regretless.core.progress import Progress, nobody
from regretless.kernels.transport import Ground

if TYPE_CHECKING:
    from scipy import sparse

MOST_PLACES = 20_000  # buckets of the next round: their distances are a matrix
SAMPLE = 50  # hands per bucket on which they are made
LEAST_SAMPLE = 20_000
CHUNK = 1 << 12  # hands looked up together


def make(context: Context, *, buckets: int, starts: int = 1, iterations: int = 20) -> RoundMap:
    """`starts` of k-means++ are compared; fewer buckets if there are fewer hands."""
    within("buckets", buckets, 1, 10**6)
    within("starts", starts, 1, 1000)
    within("iterations", iterations, 1, 100_000)
    if context.round >= len(context.deal.board) - 2:
        return distribution.make(context, buckets=buckets, starts=starts, iterations=iterations)
    labels, count = _labels(context, context.round + 1)
    over = _places(replace(context, round=context.round + 1), labels, count)
    weights = hand_weights(context.index, context).astype(np.float64)
    size, wanted = context.index.size, max(SAMPLE * buckets, LEAST_SAMPLE)
    which = _sample(context, size, wanted, weights)

    def clusters() -> Moved:
        rows = _shares(next_counts(context, labels, count, which))
        mass = weights[which] if which.size == size else np.ones(which.size)
        return _clustered(context, rows, mass, min(buckets, which.size), over, starts, iterations)

    if which.size == size:
        own = clusters().own
    else:
        centres = kept(context, "centres-found", lambda: clusters().centres)
        own = _assigned(context, labels, count, centres, over)
    ranked, used = by_strength(own, means(context)[:, 0].astype(np.float64), weights)
    return RoundMap(context.index, used, ranked.astype(label_type(used)))


def _clustered(
    context: Context,
    rows: sparse.csr_matrix,
    mass: Floats,
    buckets: int,
    over: Ground,
    starts: int,
    iterations: int,
) -> Moved:
    """The start that is best after the first step continues."""
    options: Any = {"weights": mass, "seed": context.seed, "threads": context.threads}

    def begin() -> Floats:
        first = min(STEP, iterations)
        return move_k_means(
            rows, buckets, over, starts=starts, iterations=first, listen=context.tell, **options
        ).centres

    def go_on(centres: Floats, steps: int, done: int) -> Moved:
        def tell(one: Progress) -> None:
            share = (done + (one.done or 0.0) * steps) / iterations
            context.tell(replace(one, iteration=done + one.iteration, done=share))

        return move_k_means(
            rows, buckets, over, iterations=steps, centres=centres, listen=tell, **options
        )

    return in_steps(context, (buckets, rows.shape[1]), iterations, begin, go_on)


def _assigned(
    context: Context, labels: npt.NDArray[Any], count: int, centres: Floats, over: Ground
) -> Indices:
    """[hand] its nearest centre, for all hands of the round."""
    alone = replace(context, threads=1, listen=nobody)  # threads work on different hands

    def work(begin: int, end: int, out: npt.NDArray[Any]) -> None:
        rows = _shares(next_counts(alone, labels, count, np.arange(begin, end)))
        out[begin:end] = nearest_centres(rows, centres, over)

    size = context.index.size
    empty = np.empty(size, np.int32)
    return filled(context, "assigning hands", empty, size, work, chunk=CHUNK)


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


def _places(context: Context, labels: npt.NDArray[Any], count: int) -> Ground:
    """The buckets of a round as places: distances between the means of their hands."""
    if context.round == len(context.deal.board) - 2:
        bins = _means(context, labels, count, histograms(context))
        sums = np.cumsum(bins, axis=1) / bins.shape[1]
        return ground(np.array([np.abs(sums - one).sum(axis=1) for one in sums]))
    later, total = _labels(context, context.round + 1)
    over = _places(replace(context, round=context.round + 1), later, total)
    return ground(distances_between(_means(context, labels, count, (later, total)), over))


def _means(
    context: Context,
    labels: npt.NDArray[Any],
    count: int,
    given: npt.NDArray[Any] | tuple[npt.NDArray[Any], int],
) -> Floats:
    """[bucket] the mean histogram of its hands: given, or over the labels of the next round."""
    from scipy import sparse

    weights, found = hand_weights(context.index, context).astype(np.float64), None
    silent = replace(context, listen=nobody)
    for part in _parts(context.index.size):
        context.report("means of buckets", part[0] / context.index.size)
        counts = next_counts(silent, *given, part) if isinstance(given, tuple) else given[part]
        places = labels[part], np.arange(part.size)
        ones = sparse.csr_matrix((weights[part], places), (count, part.size))
        sums = ones @ counts.astype(np.float64)
        found = sums if found is None else found + sums
    assert found is not None
    means: Floats = found / np.maximum(found.sum(axis=1), 1e-300)[:, None]
    return means


def _shares(counts: npt.NDArray[Any]) -> sparse.csr_matrix:
    from scipy import sparse

    found = sparse.csr_matrix(counts)
    totals = np.repeat(counts.sum(axis=1, dtype=np.float64), np.diff(found.indptr))
    return sparse.csr_matrix((found.data / totals, found.indices, found.indptr), found.shape)


def _sample(context: Context, size: int, wanted: int, weights: Floats) -> Ints:
    """Numbers of hands, drawn by weight if there are too many."""
    if size <= wanted:
        return np.arange(size)
    rng = np.random.default_rng([context.seed, context.round])
    return np.sort(rng.choice(size, wanted, replace=False, p=weights / weights.sum()))


def _parts(size: int) -> Iterator[Ints]:
    for begin in range(0, size, CHUNK):
        yield np.arange(begin, min(begin + CHUNK, size))
