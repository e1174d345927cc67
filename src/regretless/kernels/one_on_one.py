"""Two strategies on one board, for all hands of both: what every end of the betting pays.

Ends are columns, `LANES` at a time; rows are hands from weak to strong. A row of reach is the
reach of the round's beginning times a row of a table, which has one row per bucket and the product
of a player's probabilities within the round in every column. Sums over the other player's hands,
in all and by card, run along with the hands: so a board takes time linear in hands and ends."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart

LANES = 32  # columns at a time: their sums by card fit in a core's first cache
Singles: TypeAlias = npt.NDArray[np.float32]


class Side(NamedTuple):
    """One player in one round of one board."""

    reach: Singles  # [hand, entry] of the round's beginnings
    bucket: Indices  # [hand]
    table: Singles  # [bucket, column]


class Board(NamedTuple):
    """The hands on a board, from weak to strong."""

    cards: Ints  # [hand, 2]; with one hole card it is named twice
    ends: Ints  # of groups of equal hands
    hole: int


class Scratch(NamedTuple):
    """Rows and sums of both players."""

    mine: Singles  # [hand, lane]
    theirs: Singles
    my_sums: Singles  # [card, lane]; the last row is the sum over all hands
    their_sums: Singles
    found: Singles  # [lane]


def new_scratch(hands: int, deck: int) -> Scratch:
    """Scratch for so many hands and cards."""
    rows, sums = (hands, LANES), (deck + 1, LANES)
    return Scratch(
        np.empty(rows, np.float32),
        np.empty(rows, np.float32),
        np.empty(sums, np.float32),
        np.empty(sums, np.float32),
        np.empty(LANES, np.float32),
    )


@apart
def pass_on(side: Side, entry: Indices, out: Singles) -> None:
    """The reach of the next round's beginnings."""
    reach, bucket, table = side
    for hand in range(bucket.size):
        row = bucket[hand]
        for column in range(entry.size):
            out[hand, column] = reach[hand, entry[column]] * table[row, column]


@apart
def _rows(side: Side, entry: Indices, begin: int, out: Singles) -> None:
    reach, bucket, table = side
    for hand in range(bucket.size):
        row = bucket[hand]
        for lane in range(LANES):
            out[hand, lane] = reach[hand, entry[begin + lane]] * table[row, begin + lane]


@apart
def _clear(sums: Singles) -> None:
    for row in range(sums.shape[0]):
        for lane in range(LANES):
            sums[row, lane] = 0.0


@apart
def _add(rows: Singles, cards: Ints, begin: int, end: int, sums: Singles) -> None:
    everything = sums.shape[0] - 1
    for hand in range(begin, end):
        low, high = cards[hand, 0], cards[hand, 1]
        for lane in range(LANES):
            sums[everything, lane] += rows[hand, lane]
        for lane in range(LANES):
            sums[low, lane] += rows[hand, lane]
        for lane in range(LANES):
            sums[high, lane] += rows[hand, lane]


@apart
def _ahead(
    rows: Singles, cards: Ints, begin: int, end: int, sums: Singles, sign: float, found: Singles
) -> None:
    """Add the weight of pairs in which these hands beat those in the sums."""
    everything, factor = sums.shape[0] - 1, np.float32(sign)
    for hand in range(begin, end):
        low, high = cards[hand, 0], cards[hand, 1]
        for lane in range(LANES):
            less = sums[everything, lane] - sums[low, lane] - sums[high, lane]
            found[lane] += factor * rows[hand, lane] * less


@apart
def _paid(found: Singles, pays: Floats, begin: int) -> float:
    total = 0.0
    for lane in range(LANES):
        total += pays[begin + lane] * found[lane]
    return total


@apart
def showdowns(
    board: Board, my: Side, their: Side, entry: Indices, pays: Floats, scratch: Scratch
) -> float:
    """Payments at showdowns: `pays` is for the better hand of mine, its negative for the worse."""
    mine, theirs, my_sums, their_sums, found = scratch
    cards, ends, total = board.cards, board.ends, 0.0
    for column in range(0, entry.size, LANES):
        _rows(my, entry, column, mine)
        _rows(their, entry, column, theirs)
        _clear(my_sums)
        _clear(their_sums)
        for lane in range(LANES):
            found[lane] = 0.0
        begin = 0
        for group in range(ends.size):
            end = ends[group]
            _ahead(mine, cards, begin, end, their_sums, 1.0, found)
            _ahead(theirs, cards, begin, end, my_sums, -1.0, found)
            _add(mine, cards, begin, end, my_sums)
            _add(theirs, cards, begin, end, their_sums)
            begin = end
        total += _paid(found, pays, column)
    return total


@apart
def folds(
    board: Board, my: Side, their: Side, entry: Indices, pays: Floats, scratch: Scratch
) -> float:
    """Payments where somebody folds: for every pair of hands that share no card."""
    mine, theirs, my_sums, their_sums, found = scratch
    cards, hands, total = board.cards, board.cards.shape[0], 0.0
    everything = my_sums.shape[0] - 1
    # Two cards: pairs that share one are subtracted, equal hands once too often. One: once.
    again = np.float32(1.0 if board.hole == 2 else -1.0)
    for column in range(0, entry.size, LANES):
        _rows(my, entry, column, mine)
        _rows(their, entry, column, theirs)
        _clear(my_sums)
        _clear(their_sums)
        _add(mine, cards, 0, hands, my_sums)
        _add(theirs, cards, 0, hands, their_sums)
        for lane in range(LANES):
            found[lane] = my_sums[everything, lane] * their_sums[everything, lane]
        for hand in range(hands):
            for lane in range(LANES):
                found[lane] += again * mine[hand, lane] * theirs[hand, lane]
        if board.hole == 2:
            for card in range(everything):
                for lane in range(LANES):
                    found[lane] -= my_sums[card, lane] * their_sums[card, lane]
        total += _paid(found, pays, column)
    return total
