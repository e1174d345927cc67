"""The hands of a round, the boards on which they are, and how hands change in strength there.

In transition tables (Waugh et al. 2009) hands of the previous round are in buckets of equal size by
E[HS], and so are the hands of this round that come from one of these buckets (perfect recall). Row
i of a board's table has the shares of bucket i that go to each of its later buckets on this
board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from regretless.abstraction._board_sets import HandSets, board_numbers, hand_sets
from regretless.abstraction._grouping import by_share
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import coded, histograms, means, scores
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import Unsuitable

MOST_BOARDS = 3000  # their square is the number of distances


class BoardHands:
    """The hands of a round, and their boards."""

    def __init__(self, context: Context, *, ordered: bool) -> None:
        deal, round = context.deal, context.round
        if not deal.shown(round):
            raise Unsuitable(f"{context.name}=public: there is no board yet")
        self.context = context
        self.index = deal.index(round, ordered=ordered)
        boards = HandIndex(self.index.rounds[1:], deal.ranks, deal.suits)
        if boards.size > MOST_BOARDS:
            raise Unsuitable(
                f"{context.name}=public: {boards.size:,} boards, must be at most {MOST_BOARDS:,}"
            )
        self.cards = self.index.cards(np.arange(self.index.size))
        self.boards, self.board, self.weights = board_numbers(self.index, deal.hole)

    @property
    def board_weights(self) -> Ints:
        """[board] actual boards."""
        return self.boards.weights(self.boards.cards(np.arange(self.boards.size)))

    def rows(self, round: int) -> Ints:
        """[hand] its number in the index of a round so far, whose board is a set of cards."""
        deal = self.context.deal
        return deal.index(round).index(self.cards[:, : deal.hole + deal.shown(round)])

    def sets(self, by: str) -> HandSets:
        """Boards as sets of hands, compared by `history` or by `distribution`."""
        last = self.context.round
        rounds = range(0 if by == "history" else last, last + 1)
        parts = [(histograms(replace(self.context, round=one)), self.rows(one)) for one in rounds]
        return hand_sets(self.index, self.context.deal.hole, parts)


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
