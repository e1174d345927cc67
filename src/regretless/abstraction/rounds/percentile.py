"""Equally many hands per bucket, by expected strength, E[HS] or E[HS²] (Johanson 2007).

Hands of equal strength stay together, so that buckets may differ in size. They are numbered from
weak to strong, and nothing of earlier rounds is remembered."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._grouping import by_share
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds._clusters import label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import scores
from regretless.core.errors import within


def make(context: Context, *, buckets: int, squared: bool = False) -> RoundMap:
    """`squared` favours hands that may improve."""
    within("buckets", buckets, 1, 10**6)
    known = scores(context, squared=squared)
    live = known.mass > 0
    of_value = np.zeros(live.size, np.int32)
    of_value[live] = by_share(known.values[live], known.mass[live], buckets)
    count = int(of_value.max()) + 1
    return RoundMap(context.index, count, of_value.astype(label_type(count))[known.codes])
