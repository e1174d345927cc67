"""Potential-aware buckets that remember: every bucket of the previous round is split separately.

In the last round the hands of a bucket are clustered by strength, optimally on a line; in the one
before by the earth mover's distance between histograms of strength, exactly; in earlier ones by
that between histograms over the buckets of the next round. Large rounds are clustered on a sample,
then every hand goes to the nearest child of its bucket."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from regretless.abstraction._clustering import k_means
from regretless.abstraction._grouping import members, on_a_line
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction._transport import move_k_means, nearest_centres
from regretless.abstraction.rounds._clusters import by_strength, label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms, means
from regretless.abstraction.rounds._histories import histories, remembered
from regretless.abstraction.rounds._parents import Sample, assigned, child_means, sampled
from regretless.abstraction.rounds._places import Places, next_places
from regretless.abstraction.rounds._unfinished import kept
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.progress import nobody
from regretless.kernels.next_hands import nearest_children

SAMPLE = 200  # hands per bucket on which they are made
LEAST_SAMPLE = 40_000


class Space(Protocol):
    """How the hands of a round are compared."""

    def rows(self, which: Ints) -> Any:
        """Histograms of some hands, which sum to 1."""

    def clusters(self, rows: Any, count: int, weights: Floats) -> Indices:
        """[row] its cluster."""

    def nearest(self, which: Ints, parents: Indices, firsts: Ints, centres: Floats) -> Indices:
        """[hand] the nearest child of its parent; the children of parent p begin at firsts[p]."""


def split(context: Context, buckets: int, starts: int, iterations: int) -> RoundMap:
    """The map with so many children per bucket of the previous round, or fewer."""
    if context.is_last:
        return _by_strength(context, buckets)
    space = _space(context, {"starts": starts, "iterations": iterations, "seed": context.seed})
    before = context.earlier[-1].count
    sample = sampled(context, max(SAMPLE * buckets * before, LEAST_SAMPLE))
    rows = space.rows(sample.which)
    made = kept(context, "children", lambda: _clustered(context, space, sample, rows, buckets))
    firsts, own = made[: before + 1], made[before + 1 :].astype(np.int32)
    if not sample.is_all:
        centres = child_means(rows, sample.weights, own, int(firsts[-1]))
        own = assigned(
            context, lambda which, parents: space.nearest(which, parents, firsts, centres)
        )
    used = np.bincount(own) > 0  # on all hands: a child of the sample may have lost its own
    count, numbers = int(used.sum()), np.cumsum(used) - 1
    index = context.deal.index(context.round, ordered=True)
    return RoundMap(index, count, numbers.astype(label_type(count))[own])


def _space(context: Context, options: dict[str, Any]) -> Space:
    if context.round == len(context.deal.board) - 2:
        return OnALine(histograms(context), options)
    alone = replace(context, threads=1, listen=nobody)  # threads work on different hands
    return BetweenPlaces(alone, next_places(context), options)


def _by_strength(context: Context, buckets: int) -> RoundMap:
    known = histories(context, squared=False)
    parts = []
    for before, there in known.met.items():
        context.report("clustering", before / len(known.shares))
        parts.append(on_a_line(known.values[there], known.shares[before, there], buckets))
    return remembered(context, known, parts)


def _clustered(context: Context, space: Space, sample: Sample, rows: Any, buckets: int) -> Ints:
    """The first child of every bucket before and the end, then [hand of the sample] its child;
    children are numbered from weak to strong."""
    strengths = means(context)[:, 0][sample.which].astype(np.float64)
    groups = members(sample.parents, context.earlier[-1].count)
    own, firsts = np.empty(sample.which.size, np.int64), [0]
    for done, hands in enumerate(groups):
        context.report("clustering", done / len(groups))
        used = 1  # for hands that the sample has missed
        if hands.size:
            weights = sample.weights[hands]
            clusters = space.clusters(rows[hands], min(buckets, hands.size), weights)
            ranked, used = by_strength(clusters, strengths[hands], weights)
            own[hands] = firsts[-1] + ranked
        firsts.append(firsts[-1] + used)
    return np.append(firsts, own)


@dataclass(frozen=True, eq=False)
class OnALine:
    """By histograms of strength: the distance is that of running sums (L1)."""

    histograms: npt.NDArray[Any]
    options: dict[str, Any]  # of k-means

    def rows(self, which: Ints) -> npt.NDArray[np.float32]:
        counts = self.histograms[which].astype(np.float32)
        return np.asarray(counts / counts.sum(axis=1)[:, None])

    def clusters(self, rows: Any, count: int, weights: Floats) -> Indices:
        return k_means(rows, count, weights=weights, metric="emd", **self.options).own

    def nearest(self, which: Ints, parents: Indices, firsts: Ints, centres: Floats) -> Indices:
        sums = np.cumsum(self.rows(which), axis=1)
        goals = np.ascontiguousarray(np.cumsum(centres, axis=1).T.astype(np.float32))
        out = np.empty(which.size, np.int32)
        nearest_children(sums, np.arange(which.size), parents, firsts, goals, out)
        return out


@dataclass(frozen=True, eq=False)
class BetweenPlaces:
    """By histograms over the buckets of the next round."""

    context: Context
    there: Places
    options: dict[str, Any]

    def rows(self, which: Ints) -> Any:
        return self.there.shares(self.context, which)

    def clusters(self, rows: Any, count: int, weights: Floats) -> Indices:
        return move_k_means(rows, count, self.there.over, weights=weights, **self.options).own

    def nearest(self, which: Ints, parents: Indices, firsts: Ints, centres: Floats) -> Indices:
        rows, out = self.rows(which), np.empty(which.size, np.int32)
        for parent in np.unique(parents).tolist():
            mine, here = parents == parent, slice(firsts[parent], firsts[parent + 1])
            out[mine] = here.start + nearest_centres(rows[mine], centres[here], self.there.over)
        return out
