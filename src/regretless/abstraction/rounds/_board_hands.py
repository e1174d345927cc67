"""The hands of a round, and the boards on which they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from regretless.abstraction._board_sets import HandSets, board_numbers, hand_sets
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Ints
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
