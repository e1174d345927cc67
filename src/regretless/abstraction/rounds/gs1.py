"""GameShrink with a threshold: hands that end alike are merged (GS1; Gilpin & Sandholm 2006).

Two rounds at a time, as published. In the second of them, and in the last round, the penalty of two
hands is the difference of their strengths: the rest of the deal is rolled out. In the first of them
it is the mean penalty of the best matching between the boards that may follow. Hands with the same
bucket in the previous round are siblings; those whose penalty is at most the threshold are merged,
and so are those that a chain of such pairs connects: this is greedy, and makes some buckets huge.

The threshold is chosen by the number of buckets. Differs from the paper: a tie is half a win,
where the paper compares wins and losses, so that matchings are found by sorting."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from regretless.abstraction._grouping import members
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds import gs2
from regretless.abstraction.rounds._clusters import by_strength, label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import DIGITS, means
from regretless.abstraction.rounds._parents import Sample, sampled
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import Unsuitable, within
from regretless.core.memory import require

PHASE = 2  # rounds that are abstracted together
MOST_HANDS = 2_000_000
MOST_PAIRED = 10_000  # siblings with different boards to come, each compared with each


def make(context: Context, *, buckets: int, threshold: float = 0.0) -> RoundMap:
    """At most `buckets` in all, by the least threshold that suffices; or by a given larger one."""
    within("buckets", buckets, 1, 10**6)
    within("threshold", threshold, 0, 1)
    index = context.deal.index(context.round, ordered=True)
    if index.size > MOST_HANDS:
        raise Unsuitable(
            f"{context.name}=gs1: {index.size:,} hands: must be at most {MOST_HANDS:,}, since "
            "they are compared in pairs"
        )
    gs2.require_enough(context, buckets)
    hands = sampled(context, index.size)
    groups = [mine for mine in members(hands.parents) if mine.size]
    families = _families(context, hands, groups)
    heights = np.concatenate([one.heights for one in families])
    limit = max(threshold, _threshold(heights, buckets - len(groups)))
    strengths = means(context)[:, 0].astype(np.float64)[hands.which]
    own, count = np.empty(index.size, np.int32), 0
    for mine, one in zip(groups, families, strict=True):
        ranked, used = by_strength(one.labels(limit), strengths[mine], hands.weights[mine])
        own[mine] = count + ranked
        count += used
    return RoundMap(index, count, own.astype(label_type(count)))


class Family(Protocol):
    """Hands with one bucket in the previous round."""

    heights: Floats  # thresholds at which two of their classes become one

    def labels(self, threshold: float) -> Indices:
        """[hand] its class."""


def _families(context: Context, hands: Sample, groups: list[Ints]) -> list[Family]:
    is_leaf = context.is_last or context.round % PHASE == PHASE - 1
    rows = means(context)[:, 0] if is_leaf else _boards_to_come(context)
    families: list[Family] = []
    for done, mine in enumerate(groups):
        context.report("comparing hands", done / len(groups))
        given = rows[hands.which[mine]].astype(np.float64)
        families.append(OnALine(given) if is_leaf else Matched(given, context.name))
    return families


def _boards_to_come(context: Context) -> Floats:
    """[hand, child] strengths in the next round, ascending, divided by their number: the L1
    distance of two rows is then the mean penalty of the best matching."""
    deal, following = context.deal, context.deal.index(context.round + 1)
    strengths = means(replace(context, round=context.round + 1))[:, 0].astype(np.float64)
    new = deal.board[context.round + 1]
    dealt = np.array(list(combinations(range(deal.cards), new)), np.uint8).reshape(-1, new)
    rows = list[Floats]()
    for done, cards in enumerate(context.index.cards(np.arange(context.index.size))):
        context.report("boards to come", done / context.index.size)
        free = dealt[~np.isin(dealt, cards).any(axis=1)]
        whole = np.hstack([np.tile(cards, (len(free), 1)), free])
        if not rows:
            require(context.index.size * len(free) * 24, f"{context.name}: boards to come")
        rows.append(np.sort(strengths[following.index(whole)]) / len(free))
    return np.array(rows)


class OnALine:
    """Hands by their strengths."""

    def __init__(self, values: Floats) -> None:
        points, back = np.unique(values, return_inverse=True)
        self.heights: Floats = np.round(np.diff(points), DIGITS)
        self._back = back.ravel()

    def labels(self, threshold: float) -> Indices:
        """Cut wherever the gap is larger."""
        cuts = np.cumsum(np.append(False, self.heights > threshold))
        return cuts[self._back].astype(np.int32)


class Matched:
    """Hands by the boards to come: single linkage of rows."""

    def __init__(self, rows: Floats, name: str) -> None:
        from scipy.cluster.hierarchy import linkage

        points, back = np.unique(np.round(rows, DIGITS + 3), axis=0, return_inverse=True)
        if len(points) > MOST_PAIRED:
            raise Unsuitable(
                f"{name}=gs1: {len(points):,} siblings: must be at most {MOST_PAIRED:,}, since "
                "they are compared in pairs"
            )
        self._back = back.ravel()
        self._tree: Any = linkage(points, "single", "cityblock") if len(points) > 1 else None
        if self._tree is not None:
            self._tree[:, 2] = np.round(self._tree[:, 2], DIGITS)
        self.heights: Floats = np.empty(0) if self._tree is None else self._tree[:, 2]

    def labels(self, threshold: float) -> Indices:
        from scipy.cluster.hierarchy import fcluster

        if self._tree is None:
            return np.zeros(self._back.size, np.int32)
        classes = fcluster(self._tree, threshold, "distance") - 1
        return np.asarray(classes[self._back], np.int32)


def _threshold(heights: Floats, cuts: int) -> float:
    """The least one that at most this many heights exceed."""
    return float(np.sort(heights)[::-1][cuts]) if heights.size > cuts else 0.0
