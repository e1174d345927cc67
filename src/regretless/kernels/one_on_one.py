"""Two strategies on one board, for all hands of both: what every end of the betting pays.

Ends are columns, `LANES` at a time; rows are hands from weak to strong. A row of reach is the
reach of the round's beginning times a row of a table, which has one row per bucket and the product
of a player's probabilities within the round in every column. Sums over the other player's hands,
in all and by card, run along with the hands: so a board takes time linear in hands and ends."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import apart, lean

LANES = 32  # columns at a time: their sums by card fit in a core's first cache
Singles: TypeAlias = npt.NDArray[np.float32]
Entries: TypeAlias = npt.NDArray[np.uint32]  # unsigned, so that no index is checked for its sign


class Side(NamedTuple):
    """One player in one round of one board."""

    reach: Singles  # [hand, entry] of the round's beginnings
    bucket: Entries  # [hand]
    table: Singles  # [bucket, column]


class Board(NamedTuple):
    """The hands on a board, from weak to strong. Of one hole card, `high` is a row of sums that
    nobody reads, and `other` one that stays 0."""

    low: Entries  # [hand] its first card
    high: Entries  # its second card, where sums are added
    other: Entries  # its second card, where sums are read
    ends: Ints  # of groups of equal hands
    deck: int
    hole: int


class Scratch(NamedTuple):
    """Rows and sums of both players."""

    mine: Singles  # [hand, lane]
    theirs: Singles
    my_sums: Singles  # [card, lane]; then two rows for `Board`, and the sum over all hands
    their_sums: Singles
    found: Singles  # [lane]


def new_scratch(hands: int, deck: int) -> Scratch:
    """Scratch for so many hands and cards."""
    rows, sums = (hands, LANES), (deck + 3, LANES)
    return Scratch(
        np.empty(rows, np.float32),
        np.empty(rows, np.float32),
        np.empty(sums, np.float32),
        np.empty(sums, np.float32),
        np.empty(LANES, np.float32),
    )


@apart
def _times(reach: Singles, entry: Entries, table: Singles, out: Singles) -> None:
    for k in range(out.size):
        out[k] = reach[entry[k]] * table[k]


@apart
def _add(row: Singles, everything: Singles, low: Singles, high: Singles) -> None:
    for k in range(row.size):
        everything[k] += row[k]
        low[k] += row[k]
        high[k] += row[k]


@apart
def _ahead(row: Singles, everything: Singles, low: Singles, high: Singles, found: Singles) -> None:
    for k in range(found.size):
        found[k] += row[k] * (everything[k] - low[k] - high[k])


@apart
def _behind(row: Singles, everything: Singles, low: Singles, high: Singles, found: Singles) -> None:
    for k in range(found.size):
        found[k] -= row[k] * (everything[k] - low[k] - high[k])


@apart
def _products(first: Singles, second: Singles, sign: float, found: Singles) -> None:
    factor = np.float32(sign)
    for k in range(found.size):
        found[k] += factor * first[k] * second[k]


@apart
def _zero(row: Singles) -> None:
    for k in range(row.size):
        row[k] = 0.0


@lean
def _clear(sums: Singles) -> None:
    for row in range(sums.shape[0]):
        _zero(sums[row])


@lean
def pass_on(side: Side, entry: Entries, out: Singles) -> None:
    """The reach of the next round's beginnings."""
    reach, bucket, table = side
    for hand in range(bucket.size):
        _times(reach[hand], entry, table[bucket[hand]], out[hand])


@lean
def _rows(side: Side, entry: Entries, begin: int, out: Singles) -> None:
    reach, bucket, table = side
    end = begin + LANES
    for hand in range(bucket.size):
        _times(reach[hand], entry[begin:end], table[bucket[hand], begin:end], out[hand])


@lean
def _paid(found: Singles, pays: Floats, begin: int) -> float:
    total = 0.0
    for lane in range(LANES):
        total += pays[begin + lane] * found[lane]
    return total


@lean
def showdowns(
    board: Board, my: Side, their: Side, entry: Entries, pays: Floats, scratch: Scratch
) -> float:
    """Payments at showdowns: `pays` is for the better hand of mine, its negative for the worse."""
    mine, theirs, my_sums, their_sums, found = scratch
    low, high, other, ends = board.low, board.high, board.other, board.ends
    my_all, their_all = my_sums[-1], their_sums[-1]
    total = 0.0
    for column in range(0, entry.size, LANES):
        _rows(my, entry, column, mine)
        _rows(their, entry, column, theirs)
        _clear(my_sums)
        _clear(their_sums)
        _zero(found)
        begin = 0
        for group in range(ends.size):
            end = ends[group]
            for hand in range(begin, end):
                a, b = low[hand], other[hand]
                _ahead(mine[hand], their_all, their_sums[a], their_sums[b], found)
                _behind(theirs[hand], my_all, my_sums[a], my_sums[b], found)
            for hand in range(begin, end):
                a, b = low[hand], high[hand]
                _add(mine[hand], my_all, my_sums[a], my_sums[b])
                _add(theirs[hand], their_all, their_sums[a], their_sums[b])
            begin = end
        total += _paid(found, pays, column)
    return total


@lean
def folds(
    board: Board, my: Side, their: Side, entry: Entries, pays: Floats, scratch: Scratch
) -> float:
    """Payments where somebody folds: for every pair of hands that share no card."""
    mine, theirs, my_sums, their_sums, found = scratch
    low, high, total = board.low, board.high, 0.0
    my_all, their_all = my_sums[-1], their_sums[-1]
    # Two cards: pairs that share one are subtracted, equal hands once too often. One: once.
    again = 1.0 if board.hole == 2 else -1.0
    cards = board.deck if board.hole == 2 else 0
    for column in range(0, entry.size, LANES):
        _rows(my, entry, column, mine)
        _rows(their, entry, column, theirs)
        _clear(my_sums)
        _clear(their_sums)
        _zero(found)
        for hand in range(low.size):
            a, b = low[hand], high[hand]
            _add(mine[hand], my_all, my_sums[a], my_sums[b])
            _add(theirs[hand], their_all, their_sums[a], their_sums[b])
            _products(mine[hand], theirs[hand], again, found)
        _products(my_all, their_all, 1.0, found)
        for card in range(cards):
            _products(my_sums[card], their_sums[card], -1.0, found)
        total += _paid(found, pays, column)
    return total
