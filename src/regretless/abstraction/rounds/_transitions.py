"""Hands by where they lead: histograms over buckets of the next round, of any size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._clustering import k_means, nearest_clusters
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds._clusters import label_type, sample_by_weight
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights, histograms
from regretless.abstraction.rounds._unfinished import kept
from regretless.core.arrays import Indices
from regretless.core.memory import require
from regretless.core.threads import threaded
from regretless.kernels.next_hands import count_next

CHUNK = 1 << 14  # hands counted together
ITERATIONS = 20  # of k-means for temporary buckets
SAMPLE = 300  # hands per temporary bucket on which they are made


def next_counts(
    context: Context, labels: npt.NDArray[Any], count: int, hands: npt.NDArray[Any]
) -> npt.NDArray[np.uint16]:
    """[hand, label] how many of the cards to come lead to each label; `hands` are numbers of
    hands of this round, `labels` those of all hands of the next."""
    deal, index = context.deal, context.index
    new = deal.board[context.round + 1]
    dealt = np.array(list(combinations(range(deal.cards), new)), np.uint8).reshape(-1, new)
    counts = np.zeros((len(hands), count), np.uint16)
    following = deal.index(context.round + 1).tables

    def work(begin: int) -> None:
        part = slice(begin, begin + CHUNK)
        count_next(following, index.cards(hands[part]), dealt, labels, counts[part])

    starts = range(0, len(hands), CHUNK)
    with threaded(context.threads) as each:
        for done, _ in enumerate(each(work, starts)):
            context.report("where hands lead", done / len(starts))
    return counts


def rows_of(context: Context, temporary: int) -> npt.NDArray[Any]:
    """[hand] its histogram over temporary buckets of the next round: in the round before the last
    these are equal intervals of strength."""
    if context.round == len(context.deal.board) - 2:
        return histograms(context)
    following = replace(context, round=context.round + 1)
    labels = kept(
        context,
        f"temporary-{following.name}-{temporary}",
        lambda: _temporary(following, temporary),
        shared=True,  # earlier rounds need them, too
    )
    count = int(labels.max()) + 1
    require(context.index.size * count * 2, f"{context.name}: histograms")
    return next_counts(context, labels, count, np.arange(context.index.size))


def _temporary(context: Context, count: int) -> npt.NDArray[Any]:
    """[hand] its temporary bucket: k-means (L1) of its histogram, on a sample if there are many."""
    rows = rows_of(context, count)
    weights = hand_weights(context.index, context).astype(np.float64)
    which = sample_by_weight(context, weights, SAMPLE * count)
    clustered = k_means(
        rows[which], min(count, which.size), metric="manhattan", seed=context.seed,
        iterations=ITERATIONS, threads=context.threads, listen=context.tell,
    )  # fmt: skip
    own = clustered.own
    if which.size < len(rows):
        context.check()
        own = nearest_clusters(
            rows,
            clustered.centres,
            metric="manhattan",
            threads=context.threads,
            listen=context.tell,
        )
    used, labels = np.unique(own, return_inverse=True)
    return labels.ravel().astype(label_type(used.size))


def follow_rows(rounds: Sequence[RoundMap], context: Context, cards: npt.NDArray[Any]) -> Indices:
    """[row] the bucket of the last of some rounds; a row has hole cards and board as dealt."""
    buckets = np.zeros(len(cards), np.int32)
    for round, one in enumerate(rounds):
        shown = context.deal.hole + context.deal.shown(round)
        label = one.index.index(cards[:, :shown])
        if one.labels.size:
            label = one.labels[label].astype(np.int64)
        buckets = (one.pairs[buckets, label] if one.remembers else label).astype(np.int32)
    return buckets
