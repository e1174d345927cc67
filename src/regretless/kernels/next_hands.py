"""Where hands lead: the labels of all hands of the next round, counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.kernels.compiled import apart as not_overlapping
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
    """[hand] the nearest child of its parent by L1; `which` is the row of every hand, -1: none.

    `centres` are [dimension, child], so that all children of a parent are compared at once."""
    apart = np.empty(centres.shape[1], centres.dtype)
    for hand in range(which.size):
        if which[hand] < 0:
            continue
        first, last = firsts[parents[hand]], firsts[parents[hand] + 1]
        _add_up(rows[which[hand]], centres, first, apart[: last - first])
        best = 0
        for child in range(1, last - first):
            if apart[child] < apart[best]:
                best = child
        out[hand] = first + best


@not_overlapping
def _add_up(row: Any, centres: Any, first: int, out: Any) -> None:
    """Distances to some centres."""
    for child in range(out.size):
        out[child] = 0
    for d in range(row.size):
        here, there = out.dtype.type(row[d]), centres[d, first : first + out.size]
        for child in range(out.size):
            out[child] += abs(here - there[child])
