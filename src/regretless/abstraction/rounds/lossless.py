"""Every hand on every board is a bucket, up to suits: nothing is lost.

The cards of earlier rounds are kept apart, because the rival's earlier play depends on them. The
maker `lossless` of small games also merges hands that differ in more than suits."""

from __future__ import annotations

from regretless.abstraction._hand_map import MOST_BUCKETS, RoundMap
from regretless.abstraction.rounds._context import Context
from regretless.core.errors import Unsuitable


def make(context: Context) -> RoundMap:
    """The bucket is the number of the hand in `HandIndex`."""
    index = context.deal.index(context.round, ordered=True)
    if index.size > MOST_BUCKETS:
        raise Unsuitable(
            f"{context.name}=lossless: {index.size:,} buckets, must be at most {MOST_BUCKETS:,}"
        )
    return RoundMap(index, index.size)
