"""Where hands lead: the labels of all hands of the next round, counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.kernels.compiled import kernel
from regretless.kernels.hand_index import IndexTables, new_state, number_of_hand


@kernel
def count_next(index: IndexTables, hands: Any, dealt: Any, labels: Any, out: Any) -> None:
    """[hand, label] how many of the cards to come lead to a label of the next round.

    `hands` has all cards of a hand and its board, `dealt` the sets of cards that may come, of which
    those that meet the hand are skipped; `index` and `labels` are of the next round."""
    known, new = hands.shape[1], dealt.shape[1]
    cards = np.empty(known + new, np.int64)
    state = new_state(index)
    masks = np.zeros(len(dealt), np.uint64)
    for k in range(len(dealt)):
        for place in range(new):
            masks[k] |= np.uint64(1) << np.uint64(dealt[k, place])
    for hand in range(len(hands)):
        met = np.uint64(0)
        for place in range(known):
            cards[place] = hands[hand, place]
            met |= np.uint64(1) << np.uint64(hands[hand, place])
        for k in range(len(dealt)):
            if met & masks[k]:
                continue
            for place in range(new):
                cards[known + place] = dealt[k, place]
            out[hand, labels[number_of_hand(index, cards, state)]] += 1


@kernel
def nearest_children(
    rows: Any, which: Any, parents: Any, firsts: Any, centres: Any, out: Any
) -> None:
    """[hand] the nearest child of its parent by L1; `which` is the row of every hand, -1: none."""
    for hand in range(which.size):
        if which[hand] < 0:
            continue
        row = rows[which[hand]]
        least = np.inf
        for child in range(firsts[parents[hand]], firsts[parents[hand] + 1]):
            apart = 0.0
            for d in range(row.size):
                apart += abs(row[d] - centres[child, d])
            if apart < least:
                least = apart
                out[hand] = child
