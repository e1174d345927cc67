"""Percentiles of E[HS²], and within each of them percentiles of E[HS] (Johanson 2007).

In the last round both orders are the same, and this is a percentile bucketing."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._grouping import by_share
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds import percentile
from regretless.abstraction.rounds._clusters import label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import coded, hand_weights, means, scores
from regretless.core.errors import within


def make(context: Context, *, outer: int, inner: int) -> RoundMap:
    """`outer` buckets of E[HS²], each of `inner` buckets of E[HS]."""
    within("outer", outer, 1, 10**6)
    within("inner", inner, 1, 10**6)
    if context.is_last:
        return percentile.make(context, buckets=outer * inner)
    known = scores(context, squared=True)
    top = by_share(known.values, known.mass, outer)[known.codes]
    strengths, weights = means(context)[:, 0], hand_weights(context.index, context)
    buckets, count = np.zeros(top.size, np.int32), 0
    for one in range(int(top.max()) + 1):
        mine = np.flatnonzero(top == one)
        part = coded(strengths[mine], weights[mine])
        labels = by_share(part.values, part.mass, inner)
        buckets[mine] = count + labels[part.codes]
        count += int(labels.max()) + 1
    return RoundMap(context.index, count, buckets.astype(label_type(count)))
