"""Buckets of hands: one pass over the hands of a board, from cards to numbers to buckets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Indices, Ints
from regretless.kernels.compiled import kernel
from regretless.kernels.hand_index import IndexTables, number_of_hand


class BucketTables(NamedTuple):
    """A round of a map of hands. All arrays are read-only."""

    numbers: IndexTables  # of hands
    labels: Any  # [number of a hand] its label; empty: the label is the number
    pairs: Indices  # [bucket of the previous round, label] bucket; empty: the bucket is the label


@kernel
def number_board(index: IndexTables, hands: Any, board: Any, out: Ints) -> None:
    """[hand] its number on a board, -1 if it shares a card with the board."""
    hole, shown = hands.shape[1], board.size
    cards = np.empty(hole + shown, np.int64)
    state = np.empty((6, index.deck[1]), np.int64)
    dealt = np.uint64(0)
    for place in range(shown):
        cards[hole + place] = board[place]
        dealt |= np.uint64(1) << np.uint64(board[place])
    for hand in range(hands.shape[0]):
        met = np.uint64(0)
        for place in range(hole):
            cards[place] = hands[hand, place]
            met |= dealt & (np.uint64(1) << np.uint64(hands[hand, place]))
        out[hand] = -1 if met else number_of_hand(index, cards, state)


@kernel
def bucket_board(
    tables: BucketTables, hands: Any, board: Any, before: Indices, numbers: Ints, out: Indices
) -> None:
    """[hand] its bucket on a board, -1 if it shares a card with the board.

    `before` has buckets of the previous round, if pairs are used; `numbers` is scratch."""
    number_board(tables.numbers, hands, board, numbers)
    # Apart from the numbering, so that the processor can wait for many labels at once.
    for hand in range(numbers.size):
        number = numbers[hand]
        if number < 0:
            out[hand] = -1
            continue
        label = np.int64(tables.labels[number]) if tables.labels.size else number
        out[hand] = tables.pairs[before[hand], label] if tables.pairs.size else label
