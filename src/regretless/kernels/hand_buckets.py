"""Buckets of hands: one pass over the hands of a board, from cards to numbers to buckets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Indices, Ints
from regretless.kernels.compiled import kernel, lean
from regretless.kernels.hand_index import (
    IndexTables,
    choose,
    fill_sets,
    suit_history,
)

SUIT, TIMES, EQUAL = range(3)  # of a plan of suits


class BucketTables(NamedTuple):
    """A round of a map of hands. All arrays are read-only."""

    numbers: IndexTables  # of hands
    labels: Any  # [number of a hand] its label; empty: the label is the number
    pairs: Indices  # [bucket of the previous round, label] bucket; empty: the bucket is the label


@lean
def _plan_suits(index: IndexTables, code: Ints, plan: Ints) -> int:
    """Fill in [place] the suit, the factor of its number, and how many suits from here on have its
    code, which is all that numbering needs of codes; returns the first number."""
    suits, codes, key, times = code.size, index.spans.size, 0, 1
    for place in range(suits):
        plan[place, SUIT] = place
        for at in range(place, 0, -1):
            if code[plan[at, SUIT]] <= code[plan[at - 1, SUIT]]:
                break
            plan[at, SUIT], plan[at - 1, SUIT] = plan[at - 1, SUIT], plan[at, SUIT]
    for place in range(suits - 1):
        key = key * codes + code[plan[place, SUIT]]
    begin = 0
    while begin < suits:
        same, end = code[plan[begin, SUIT]], begin + 1
        while end < suits and code[plan[end, SUIT]] == same:
            end += 1
        for place in range(begin, end):
            plan[place, TIMES], plan[place, EQUAL] = times, end - place
        times *= choose(index.spans[same] + end - begin - 1, end - begin)
        begin = end
    return int(index.offsets[index.found[key]])


@lean
def _planned_number(plan: Ints, number: Ints, value: Ints) -> int:
    """The sum over suits, given the numbers of their histories; `value` is scratch."""
    total = 0
    for place in range(value.size):
        value[place] = number[plan[place, SUIT]]
    for place in range(value.size):
        equal = plan[place, EQUAL]
        if equal == 1:
            total += plan[place, TIMES] * value[place]
            continue
        for at in range(place + 1, place + equal):  # larger numbers come first
            if value[at] > value[place]:
                value[at], value[place] = value[place], value[at]
        total += plan[place, TIMES] * choose(value[place] + equal - 1, equal)
    return total


@kernel
def number_board(index: IndexTables, hands: Any, board: Any, out: Ints) -> None:
    """[hand] its number on a board, -1 if it shares a card with the board.

    Hands have one or two cards. A suit without any of them is the same for all hands, and one with
    a single card for all hands with this card. Codes depend only on the suits of a hand: so suits
    are sorted once for all hands of the same suits."""
    suits, cards, hole = index.deck[1], index.suit.size, hands.shape[1]
    sets = np.zeros((index.rounds.size, suits), np.int64)
    fill_sets(index, board, 1, sets)
    none, one = np.empty((suits, 2), np.int64), np.empty((cards, 2), np.int64)
    blocked = np.zeros(cards, np.bool_)
    for place in range(board.size):
        blocked[board[place]] = True
    for suit in range(suits):
        none[suit, 0], none[suit, 1] = suit_history(index, sets, suit)
    for card in range(cards):
        if not blocked[card]:
            suit = index.suit[card]
            sets[0, suit] = index.rank[card]
            one[card, 0], one[card, 1] = suit_history(index, sets, suit)
            sets[0, suit] = 0
    plans, firsts = np.empty((suits, suits, suits, 3), np.int64), np.full((suits, suits), -1)
    code, number, value = (
        np.empty(suits, np.int64),
        np.empty(suits, np.int64),
        np.empty(suits, np.int64),
    )
    for hand in range(hands.shape[0]):
        first, last = hands[hand, 0], hands[hand, hole - 1]
        if blocked[first] or blocked[last]:
            out[hand] = -1
            continue
        for suit in range(suits):
            code[suit], number[suit] = none[suit, 0], none[suit, 1]
        suit, other = index.suit[first], index.suit[last]
        code[suit], number[suit] = one[first, 0], one[first, 1]
        if suit != other:
            code[other], number[other] = one[last, 0], one[last, 1]
        elif hole > 1:
            sets[0, suit] = index.rank[first] | index.rank[last]
            code[suit], number[suit] = suit_history(index, sets, suit)
            sets[0, suit] = 0
        if firsts[suit, other] < 0:
            firsts[suit, other] = _plan_suits(index, code, plans[suit, other])
        out[hand] = firsts[suit, other] + _planned_number(plans[suit, other], number, value)


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
