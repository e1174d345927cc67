"""Potential-aware buckets by earth mover's distance (Ganzfried & Sandholm 2014).

A hand is its histogram over the buckets of the next round, whichever maker has made them; the
ground distance between two of these is that between the means of their hands. In the round before
the last a hand is the histogram of its strength, in the last its strength, as in `distribution`.
Distances are by the paper's fast heuristic. Large rounds are clustered on a sample, then every hand
goes to the nearest centre. Buckets are numbered from weak to strong.

Without `recall`, as in the paper, all hands of a round are clustered together. With it every bucket
of the previous round is split separately; since the next round then depends on this one, hands
are compared by `temporary` buckets of the later rounds, made without recall."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction._transport import Moved, move_k_means, nearest_centres
from regretless.abstraction.rounds import distribution
from regretless.abstraction.rounds._clusters import (
    STEP,
    by_strength,
    in_steps,
    label_type,
    sample_by_weight,
)
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights, means
from regretless.abstraction.rounds._places import CHUNK, Places, next_places
from regretless.abstraction.rounds._potential_recall import split
from regretless.abstraction.rounds._unfinished import filled, kept
from regretless.core.arrays import Floats, Indices
from regretless.core.errors import within
from regretless.core.progress import Progress, nobody
from regretless.kernels.transport import Ground

if TYPE_CHECKING:
    from scipy import sparse

SAMPLE = 50  # hands per bucket on which they are made
LEAST_SAMPLE = 20_000


def make(
    context: Context,
    *,
    buckets: int,
    recall: bool = False,
    temporary: int = 200,
    starts: int = 1,
    iterations: int = 20,
) -> RoundMap:
    """`buckets` in all, with `recall` per bucket of the previous round; fewer if there are fewer
    hands. `starts` of k-means++ are compared; `temporary` buckets are for `recall` only."""
    within("buckets", buckets, 1, 10**6)
    within("temporary", temporary, 1, 10**4)
    within("starts", starts, 1, 1000)
    within("iterations", iterations, 1, 100_000)
    if recall:
        context = _with_temporary(context, temporary)
        if context.round:
            return split(context, buckets, starts, iterations)
    if context.round >= len(context.deal.board) - 2:
        return distribution.make(context, buckets=buckets, starts=starts, iterations=iterations)
    return _together(context, buckets, starts, iterations)


def _with_temporary(context: Context, buckets: int) -> Context:
    """The same round before temporary buckets, which all rounds of a map share."""
    home = context.shared or context.folder

    @cache
    def other(round: int) -> RoundMap:
        if round <= context.round:
            return context.other(round)
        name = f"potential-{context.deal.rounds[round]}-{buckets}"
        later = replace(context, round=round, folder=home / name, other=other)
        labels = kept(context, name, lambda: _begun(later, buckets).labels, shared=True)
        return RoundMap(later.index, int(labels.max()) + 1, labels)

    return replace(context, other=other)


def _begun(context: Context, buckets: int) -> RoundMap:
    context.folder.mkdir(parents=True, exist_ok=True)
    return make(context, buckets=buckets)


def _together(context: Context, buckets: int, starts: int, iterations: int) -> RoundMap:
    """All hands of the round clustered together."""
    there = next_places(context)
    weights = hand_weights(context.index, context).astype(np.float64)
    size = context.index.size
    which = sample_by_weight(context, weights, max(SAMPLE * buckets, LEAST_SAMPLE))

    def clusters() -> Moved:
        rows, over = there.shares(context, which), there.over
        mass = weights[which] if which.size == size else np.ones(which.size)
        return _clustered(context, rows, mass, min(buckets, which.size), over, starts, iterations)

    if which.size == size:
        own = clusters().own
    else:
        own = _assigned(context, there, kept(context, "centres-found", lambda: clusters().centres))
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


def _assigned(context: Context, there: Places, centres: Floats) -> Indices:
    """[hand] its nearest centre, for all hands of the round."""
    alone = replace(context, threads=1, listen=nobody)  # threads work on different hands

    def work(begin: int, end: int, out: npt.NDArray[Any]) -> None:
        rows = there.shares(alone, np.arange(begin, end))
        out[begin:end] = nearest_centres(rows, centres, there.over)

    size = context.index.size
    empty = np.empty(size, np.int32)
    return filled(context, "assigning hands", empty, size, work, chunk=CHUNK)
