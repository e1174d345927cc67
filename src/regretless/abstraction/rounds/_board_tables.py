"""Transition tables of boards: how hands change in strength (Waugh et al. 2009).

Hands of the previous round are in buckets of equal size by E[HS], and so are the hands of this
round that come from one of these buckets (perfect recall). Row i of a board's table has the shares
of bucket i that go to each of its later buckets on this board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from regretless.abstraction._grouping import by_share
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import coded, means, scores
from regretless.core.arrays import Floats, Indices, Ints


def transition_tables(
    context: Context, rows: tuple[Ints, Ints], board: Ints, weights: Ints, total: Ints, count: int
) -> npt.NDArray[np.float32]:
    """[board, early bucket * count + late bucket] shares.

    `rows` are the numbers of each hand in the previous round and in this one, `board` its board,
    `weights` the hands like it on one such board, `total` on all of them."""
    before = scores(replace(context, round=context.round - 1), squared=False)
    early = by_share(before.values, before.mass, count)[before.codes][rows[0]]
    late = _within(early, means(context)[rows[1], 0], total, count)
    cell = (board * count + early) * count + late
    boards = int(board.max()) + 1
    table = np.bincount(cell, weights, boards * count * count).reshape(-1, count)
    shares: Floats = table / np.maximum(table.sum(axis=1), 1)[:, None]
    return shares.reshape(boards, count * count).astype(np.float32)


def _within(
    early: Indices, strengths: npt.NDArray[np.floating], total: Ints, count: int
) -> Indices:
    """[hand] its bucket among the hands with the same early bucket."""
    late = np.zeros(early.size, np.int32)
    for one in range(int(early.max()) + 1):
        mine = np.flatnonzero(early == one)
        part = coded(strengths[mine], total[mine])
        late[mine] = by_share(part.values, part.mass, count)[part.codes]
    return late
