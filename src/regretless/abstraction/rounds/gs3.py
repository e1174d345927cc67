"""Clusters of hands by where they lead, shared out by an integer program (GS3).

Gilpin, Sandholm & Sørensen 2007. Hands of every bucket of the previous round are clustered (L1) by
their histograms over temporary buckets of the next round; the program chooses the numbers of
clusters. In the last round this is GS2.

Differs from the paper: temporary buckets are made once for all hands, not for every bucket again;
large rounds are clustered on a sample, and each hand then goes to the nearest child."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction._allocation import share_out
from regretless.abstraction._grouping import STARTS, Vectors, members
from regretless.abstraction._hand_map import RoundMap, follow
from regretless.abstraction.rounds import gs2
from regretless.abstraction.rounds._clusters import label_type
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._histories import all_boards
from regretless.abstraction.rounds._transitions import follow_rows, rows_of
from regretless.abstraction.rounds._unfinished import filled, kept
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import within
from regretless.kernels.hand_buckets import number_board
from regretless.kernels.next_hands import nearest_children

SAMPLE = 2000  # hands per bucket of the previous round, if there are more
LEAST_SAMPLE = 40_000
STEP = 1.4  # between numbers of children to choose from, on a sample
CHUNK = 64  # boards of one task
PART = 1 << 17  # hands looked up together


class Sample(NamedTuple):
    """Some hands of a round, or all of them."""

    numbers: Ints  # in the ordered index
    rows: npt.NDArray[Any]  # [hand] its histogram
    weights: Floats
    parents: Indices  # [hand] its bucket in the previous round


def make(context: Context, *, buckets: int, temporary: int = 100) -> RoundMap:
    """`buckets` in all, such as flop=gs3:800; `temporary` buckets of the next round."""
    within("buckets", buckets, 1, 10**6)
    within("temporary", temporary, 1, 10**4)
    if context.is_last:
        return gs2.make(context, buckets=buckets)
    gs2.require_enough(context, buckets)
    rows = rows_of(context, temporary)
    before = context.earlier[-1].count if context.round else 1
    sample = _sample(context, rows, before)
    # The bucket of every hand of the sample, after the first child of every bucket before.
    found = kept(context, "sample", lambda: np.append(*_split(context, sample, before, buckets)))
    firsts, labels = found[: before + 1], found[before + 1 :].astype(np.int32)
    index, count = context.deal.index(context.round, ordered=True), int(firsts[-1])
    if sample.numbers.size < index.size:
        labels = _assigned(context, rows, _centres(sample, labels, count), firsts)
    return RoundMap(index, count, labels.astype(label_type(count)))


def _sample(context: Context, rows: npt.NDArray[Any], before: int) -> Sample:
    index = context.deal.index(context.round, ordered=True)
    size = min(max(SAMPLE * before, LEAST_SAMPLE), index.size)
    numbers = np.arange(index.size)
    if size < index.size:
        rng = np.random.default_rng([context.seed, context.round])
        numbers = np.sort(rng.choice(index.size, size, replace=False))
    known, weights = np.empty((size, rows.shape[1]), np.float32), np.empty(size)
    parents = np.empty(size, np.int32)
    for begin in range(0, size, PART):
        context.report("sampling hands", begin / size)
        part = slice(begin, begin + PART)
        cards = index.cards(numbers[part])
        mine = rows[context.index.index(cards)].astype(np.float32)
        known[part] = mine / mine.sum(axis=1)[:, None]
        parents[part] = follow_rows(context.earlier, context, cards)
        weights[part] = index.weights(cards)
    return Sample(numbers, known, weights, parents)


def _split(
    context: Context, sample: Sample, before: int, buckets: int
) -> tuple[npt.NDArray[np.int64], Indices]:
    """The first child of every bucket before, and [hand of the sample] its bucket."""
    is_all = sample.numbers.size == context.deal.index(context.round, ordered=True).size
    starts, step = (STARTS, 1.1) if is_all else (1, STEP)
    most = gs2.most_children(buckets, before)
    groups = members(sample.parents, before)
    made = []
    for done, hands in enumerate(groups):
        context.report("clustering", done / len(groups))
        rows = sample.rows[hands] if hands.size else np.zeros((1, sample.rows.shape[1]))
        weights = sample.weights[hands] if hands.size else np.ones(1)
        one = Vectors(rows, weights, metric="manhattan", most=most, starts=starts, step=step)
        made.append(one)
        if before > 1:
            _ = one.errors  # now, so that progress is shown
    shares = share_out(made, buckets, listen=context.tell) if before > 1 else [buckets]
    labels, firsts = np.empty(sample.numbers.size, np.int32), np.zeros(before + 1, np.int64)
    for bucket, (hands, one) in enumerate(zip(groups, made, strict=True)):
        own = one.labels(int(shares[bucket]))
        labels[hands] = firsts[bucket] + own[: hands.size]
        firsts[bucket + 1] = firsts[bucket] + int(own.max()) + 1
    return firsts, labels


def _centres(sample: Sample, labels: Indices, count: int) -> npt.NDArray[np.float32]:
    from scipy import sparse

    size = labels.size
    ones = sparse.csr_matrix((sample.weights, (labels, np.arange(size))), (count, size))
    mass = np.maximum(np.bincount(labels, sample.weights, count), 1e-300)
    return np.asarray((ones @ sample.rows) / mass[:, None], np.float32)


def _assigned(
    context: Context,
    rows: npt.NDArray[Any],
    centres: npt.NDArray[np.float32],
    firsts: npt.NDArray[np.int64],
) -> Indices:
    """[hand] the nearest child of its bucket before, for all hands of the round.

    By boards, all of whose hands are numbered at once: hand by hand it would take minutes."""
    deal, earlier, boards = context.deal, context.earlier, all_boards(context)
    index = deal.index(context.round, ordered=True)
    own, row = index.tables, context.index.tables
    total = np.float32(rows[0].sum())  # the same for all hands: boards to come, or 1
    scaled = np.ascontiguousarray(centres.T) * total

    def work(begin: int, end: int, out: npt.NDArray[Any]) -> None:
        numbers, which = np.empty(len(deal.hands), np.int64), np.empty(len(deal.hands), np.int64)
        parents, nearest = np.zeros(which.size, np.int32), np.empty(which.size, np.int32)
        for board in boards[begin:end]:
            if earlier:
                parents = follow(earlier, deal, deal.hands, board)[-1]
            number_board(own, deal.hands, board, numbers)
            number_board(row, deal.hands, board, which)
            nearest_children(rows, which, parents, firsts, scaled, nearest)
            out[numbers[numbers >= 0]] = nearest[numbers >= 0]

    empty = np.empty(index.size, np.int32)
    return filled(context, "assigning hands", empty, len(boards), work, chunk=CHUNK)
