"""Every bucket of the previous round is split into percentiles of E[HS²] or E[HS]: perfect recall.

History bucketing (Johanson 2007; Moravčík 2014, section 3.5)."""

from __future__ import annotations

from regretless.abstraction._grouping import by_share
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds import percentile
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._histories import histories, remembered
from regretless.core.errors import within


def make(context: Context, *, buckets: int, squared: bool = True) -> RoundMap:
    """`buckets` per bucket of the previous round."""
    within("buckets", buckets, 1, 10**6)
    if context.round == 0:
        return percentile.make(context, buckets=buckets, squared=squared)
    known = histories(context, squared=squared)
    parts = [
        by_share(there.astype(float), known.shares[before, there], buckets)
        for before, there in known.met.items()
    ]
    return remembered(context, known, parts)
