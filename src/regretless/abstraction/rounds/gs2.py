"""Clusters of strength, shared out among the earlier buckets by an integer program (GS2).

Gilpin & Sandholm 2007. The hands of every bucket of the previous round are clustered by E[HS], or
E[HS²], optimally on a line; the program chooses the numbers of clusters with the least expected
error. Perfect recall, if the previous round has it."""

from __future__ import annotations

from regretless.abstraction._allocation import children
from regretless.abstraction._grouping import Line
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._histories import histories, remembered
from regretless.core.errors import Unsuitable, within

MOST_CHILDREN = 64  # at least; up to four times the mean


def make(context: Context, *, buckets: int, squared: bool = False) -> RoundMap:
    """`buckets` in all, such as preflop=gs2:15,flop=gs2:225,turn=gs2:900."""
    within("buckets", buckets, 1, 10**6)
    require_enough(context, buckets)
    known = histories(context, squared=squared)
    most, lines = most_children(buckets, len(known.met)), []
    for before, there in known.met.items():
        context.report("clustering", before / len(known.shares))
        lines.append(Line(known.values[there], known.shares[before, there], most))
    return remembered(context, known, children(lines, buckets, listen=context.tell))


def require_enough(context: Context, buckets: int) -> None:
    """Refuse fewer buckets than the previous round has."""
    before = context.earlier[-1].count if context.round else 1
    if buckets < before:
        raise Unsuitable(
            f"{context.name}: buckets={buckets}: must be at least the {before:,} of the "
            f"{context.deal.rounds[context.round - 1]}"
        )


def most_children(buckets: int, before: int) -> int:
    """The most children that a bucket may get."""
    spare = buckets - before + 1
    return spare if before == 1 else min(spare, max(MOST_CHILDREN, 4 * buckets // before))
