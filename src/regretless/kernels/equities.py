"""Equities: every hand against every other before the flop, and ranges on a board.

Hands are numbered as in `kernels.hands`, by the higher card, then the lower."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel, lean
from regretless.kernels.hands import (
    DECK,
    HOLDINGS,
    HandTables,
    Strengths,
    rank_board,
)

NEVER = np.int16(32767)  # strength of a blocked opponent: no hand beats it


@lean
def beat(strengths: Strengths, counts: Indices, row: Strengths) -> None:
    """Add to counts[h, g] on how many of these boards hand h beats hand g.

    A row of strengths is one board. Rows of counts are summed in 16 bits, board by board, so
    at most 32,767 boards are allowed; `row` is scratch of that length."""
    hands = strengths.shape[1]
    for hand in range(hands):
        for other in range(hands):
            row[other] = 0
        for board in range(strengths.shape[0]):
            own = strengths[board, hand]
            if own != NEVER:
                for other in range(hands):
                    row[other] += np.int16(strengths[board, other] < own)
        for other in range(hands):
            counts[hand, other] += row[other]


@kernel
def rank_boards(tables: HandTables, boards: Ints, strengths: Strengths) -> None:
    """Strengths of all hands on every board; blocked hands cannot be beaten."""
    for board in range(boards.shape[0]):
        rank_board(tables, boards[board], strengths[board])
        for hand in range(HOLDINGS):
            if strengths[board, hand] < 0:
                strengths[board, hand] = NEVER


@lean
def share(
    strengths: Strengths,
    order: Ints,
    cards: Ints,
    theirs: Floats,
    won: Floats,
    met: Floats,
    before: Floats,
    after: Floats,
) -> None:
    """Add every hand's share of a pot of 1 against a range on one board, and the weight it faces.

    `order` lists hands from weak to strong. Sums over weaker hands are carried from hand to
    hand; sums by card give what shares a card with the own hand. `before` and `after` are sums
    by card, followed by the sum over all hands."""
    before[:] = 0.0
    after[:] = 0.0
    live = 0
    while live < order.size and strengths[order[live]] < 0:
        live += 1
    begin = live
    while begin < order.size:
        end = begin
        while end < order.size and strengths[order[end]] == strengths[order[begin]]:
            _put(order[end], cards, theirs, after)
            end += 1
        for place in range(begin, end):
            hand = order[place]
            low, high = cards[hand, 0], cards[hand, 1]
            less = before[DECK] - before[low] - before[high]
            up_to = after[DECK] - after[low] - after[high] + theirs[hand]
            won[hand] += 0.5 * (less + up_to)
        for place in range(begin, end):
            _put(order[place], cards, theirs, before)
        begin = end
    for place in range(live, order.size):
        hand = order[place]
        low, high = cards[hand, 0], cards[hand, 1]
        met[hand] += after[DECK] - after[low] - after[high] + theirs[hand]


@lean
def _put(hand: int, cards: Ints, theirs: Floats, sums: Floats) -> None:
    sums[cards[hand, 0]] += theirs[hand]
    sums[cards[hand, 1]] += theirs[hand]
    sums[DECK] += theirs[hand]


@kernel
def share_boards(
    tables: HandTables, boards: Ints, cards: Ints, ranges: Floats, won: Floats, met: Floats
) -> None:
    """The same over many boards, for each of the two rows of ranges against the other."""
    strengths = np.empty(HOLDINGS, np.int16)
    before, after = np.empty(DECK + 1), np.empty(DECK + 1)
    for board in range(boards.shape[0]):
        rank_board(tables, boards[board], strengths)
        order = np.argsort(strengths)
        for own in range(2):
            theirs = ranges[1 - own]
            share(strengths, order, cards, theirs, won[own], met[own], before, after)


@kernel
def shares_of_hand(tables: HandTables, boards: Ints, hand: int, halves: Ints) -> None:
    """Add to halves[g] how many halves of a pot a hand wins against hand g on these boards."""
    strengths = np.empty(HOLDINGS, np.int16)
    for board in range(boards.shape[0]):
        rank_board(tables, boards[board], strengths)
        own = strengths[hand]
        if own >= 0:
            for other in range(HOLDINGS):
                met = strengths[other]
                halves[other] += (met >= 0) * (2 * (met < own) + (met == own))
