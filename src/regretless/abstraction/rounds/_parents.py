"""Hands of a round with their buckets of the previous round: a sample of them, and all of them.

Hands are numbered with the rounds of the board kept apart, since the bucket of the previous round
depends on which cards came first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction._hand_map import follow
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._histories import all_boards
from regretless.abstraction.rounds._transitions import follow_rows
from regretless.abstraction.rounds._unfinished import filled
from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.hand_buckets import number_board

if TYPE_CHECKING:
    from scipy import sparse

PART = 1 << 17  # hands looked up together
CHUNK = 64  # boards of one task


class Sample(NamedTuple):
    """Some hands of a round, or all of them."""

    which: Ints  # [hand] its number in the index of the round, where the board is a set
    weights: Floats
    parents: Indices  # [hand] its bucket in the previous round
    is_all: bool


def sampled(context: Context, wanted: int) -> Sample:
    """All hands, or this many if there are more."""
    index = context.deal.index(context.round, ordered=True)
    size, numbers = min(wanted, index.size), np.arange(index.size)
    if size < index.size:
        rng = np.random.default_rng([context.seed, context.round])
        numbers = np.sort(rng.choice(index.size, size, replace=False))
    which, weights = np.empty(size, np.int64), np.empty(size)
    parents = np.empty(size, np.int32)
    for begin in range(0, size, PART):
        context.report("sampling hands", begin / size)
        part = slice(begin, begin + PART)
        cards = index.cards(numbers[part])
        which[part] = context.index.index(cards)
        parents[part] = follow_rows(context.earlier, context, cards)
        weights[part] = index.weights(cards)
    return Sample(which, weights, parents, size == index.size)


def assigned(context: Context, nearest: Callable[[Ints, Indices], Indices]) -> Indices:
    """[hand] its bucket by `nearest(which, parents)`, which are as in `Sample`; for all hands.

    By boards, all of whose hands are numbered at once: hand by hand it would take minutes."""
    deal, earlier, boards = context.deal, context.earlier, all_boards(context)
    index = deal.index(context.round, ordered=True)
    own, row = index.tables, context.index.tables

    def work(begin: int, end: int, out: npt.NDArray[Any]) -> None:
        numbers, which = np.empty((2, end - begin, len(deal.hands)), np.int64)
        parents = np.zeros(which.shape, np.int32)
        for place, board in enumerate(boards[begin:end]):
            if earlier:
                parents[place] = follow(earlier, deal, deal.hands, board)[-1]
            number_board(own, deal.hands, board, numbers[place])
            number_board(row, deal.hands, board, which[place])
        live = np.flatnonzero(numbers >= 0)
        fresh, first = np.unique(numbers.ravel()[live], return_index=True)
        once = live[first]  # suits make many hands of a board equal
        out[fresh] = nearest(which.ravel()[once], parents.ravel()[once])

    empty = np.empty(index.size, np.int32)
    return filled(context, "assigning hands", empty, len(boards), work, chunk=CHUNK)


def child_means(
    rows: npt.NDArray[Any] | sparse.csr_matrix, weights: Floats, labels: Indices, count: int
) -> Floats:
    """[child] the mean row of its hands; zeros if it has none."""
    from scipy import sparse

    ones = sparse.csr_matrix((weights, (labels, np.arange(labels.size))), (count, labels.size))
    mass = np.maximum(np.bincount(labels, weights, count), 1e-300)
    sums = ones @ rows
    return np.asarray((sums.toarray() if sparse.issparse(sums) else sums) / mass[:, None])
