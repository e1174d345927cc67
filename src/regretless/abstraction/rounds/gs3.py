"""Clusters of hands by where they lead, shared out by an integer program (GS3).

Gilpin, Sandholm & Sørensen 2007. Hands of every bucket of the previous round are clustered (L1) by
their histograms over temporary buckets of the next round; the program chooses the numbers of
clusters. In the last round this is GS2.

Differs from the paper: temporary buckets are made once for all hands, not for every bucket again;
large rounds are clustered on a sample, and each hand then goes to the nearest child."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._allocation import children
from regretless.abstraction._grouping import STARTS, Vectors, members
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds import gs2
from regretless.abstraction.rounds._clusters import label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._parents import PART, Sample, assigned, child_means, sampled
from regretless.abstraction.rounds._transitions import rows_of
from regretless.abstraction.rounds._unfinished import kept
from regretless.core.arrays import Indices, Ints
from regretless.core.errors import within
from regretless.kernels.next_hands import nearest_children

SAMPLE = 2000  # hands per bucket of the previous round, if there are more
LEAST_SAMPLE = 40_000
STEP = 1.4  # between numbers of children to choose from, on a sample


def make(context: Context, *, buckets: int, temporary: int = 100) -> RoundMap:
    """`buckets` in all, such as flop=gs3:800; `temporary` buckets of the next round."""
    within("buckets", buckets, 1, 10**6)
    within("temporary", temporary, 1, 10**4)
    if context.is_last:
        return gs2.make(context, buckets=buckets)
    gs2.require_enough(context, buckets)
    rows = rows_of(context, temporary)
    before = context.earlier[-1].count if context.round else 1
    sample = sampled(context, max(SAMPLE * before, LEAST_SAMPLE))
    known = _rows(rows, sample.which)
    # The bucket of every hand of the sample, after the first child of every bucket before.
    children = kept(
        context, "sample", lambda: np.append(*_split(context, sample, known, before, buckets))
    )
    firsts, labels = children[: before + 1], children[before + 1 :].astype(np.int32)
    index, count = context.deal.index(context.round, ordered=True), int(firsts[-1])
    if not sample.is_all:
        centres = child_means(known, sample.weights, labels, count).astype(np.float32)
        labels = _assigned(context, rows, centres, firsts)
    return RoundMap(index, count, labels.astype(label_type(count)))


def _rows(rows: npt.NDArray[Any], which: Ints) -> npt.NDArray[np.float32]:
    """Histograms of some hands, which sum to 1."""
    known = np.empty((which.size, rows.shape[1]), np.float32)
    for begin in range(0, len(known), PART):
        part = slice(begin, begin + PART)
        mine = rows[which[part]].astype(np.float32)
        known[part] = mine / mine.sum(axis=1)[:, None]
    return known


def _split(
    context: Context, sample: Sample, known: npt.NDArray[np.float32], before: int, buckets: int
) -> tuple[npt.NDArray[np.int64], Indices]:
    """The first child of every bucket before, and [hand of the sample] its bucket."""
    starts, step = (STARTS, 1.1) if sample.is_all else (1, STEP)
    most = gs2.most_children(buckets, before)
    groups = members(sample.parents, before)
    made = []
    for done, hands in enumerate(groups):
        context.report("clustering", done / len(groups))
        rows = known[hands] if hands.size else np.zeros((1, known.shape[1]))
        weights = sample.weights[hands] if hands.size else np.ones(1)
        one = Vectors(rows, weights, metric="manhattan", most=most, starts=starts, step=step)
        made.append(one)
        if before > 1:
            _ = one.errors  # now, so that progress is shown
    labels, firsts = np.empty(len(known), np.int32), np.zeros(before + 1, np.int64)
    parts = children(made, buckets, listen=context.tell)
    for bucket, (hands, own) in enumerate(zip(groups, parts, strict=True)):
        labels[hands] = firsts[bucket] + own[: hands.size]
        firsts[bucket + 1] = firsts[bucket] + int(own.max()) + 1
    return firsts, labels


def _assigned(
    context: Context,
    rows: npt.NDArray[Any],
    centres: npt.NDArray[np.float32],
    firsts: npt.NDArray[np.int64],
) -> Indices:
    """[hand] the nearest child of its bucket before, for all hands of the round."""
    total = np.float32(rows[0].sum())  # the same for all hands: boards to come, or 1
    scaled = np.ascontiguousarray(centres.T) * total

    def nearest(which: Ints, parents: Indices) -> Indices:
        out = np.empty(which.size, np.int32)
        nearest_children(rows, which, parents, firsts, scaled, out)
        return out

    return assigned(context, nearest)
