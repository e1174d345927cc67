"""All hands of river boards at once: their strength, or the nearest centre of their equities.

Results go to the number of a hand in `HandIndex`. Boards that differ by more than suit names
share no numbers, so threads may work on different boards."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.core.arrays import Indices, Ints
from regretless.kernels.clustering import BLOCK, Centres, nearest
from regretless.kernels.compiled import kernel
from regretless.kernels.hand_buckets import number_board
from regretless.kernels.hand_index import IndexTables
from regretless.kernels.hand_strengths import against_clusters, new_sweep, river
from regretless.kernels.hands import HOLDINGS, HandTables


@kernel
def river_halves(
    tables: HandTables, index: IndexTables, boards: Ints, cards: Ints, out: Any
) -> None:
    """[number] halves of a rival that a hand wins, up to 1980."""
    sweep, numbers = new_sweep(), np.empty(HOLDINGS, np.int64)
    for board in range(len(boards)):
        river(tables, boards[board], cards, sweep)
        number_board(index, cards, boards[board], numbers)
        for hand in range(HOLDINGS):
            if numbers[hand] >= 0:
                out[numbers[hand]] = sweep.halves[hand]


@kernel
def river_mass(
    index: IndexTables, boards: Ints, weights: Ints, cards: Ints, labels: Any, out: Ints
) -> None:
    """[label] add the hands with this label on all actual boards; `weights` says how many there
    are of each board."""
    numbers = np.empty(len(cards), np.int64)
    for board in range(len(boards)):
        number_board(index, cards, boards[board], numbers)
        for hand in range(numbers.size):
            if numbers[hand] >= 0:
                out[labels[numbers[hand]]] += weights[board]


@kernel
def river_vectors(
    tables: HandTables, boards: Ints, cards: Ints, cluster: Indices, found: Any, out: Any
) -> None:
    """[board * live hands + hand] equities against the hands of each cluster."""
    sweep, row = new_sweep(), 0
    for board in range(len(boards)):
        against_clusters(tables, boards[board], cards, cluster, sweep, found)
        for hand in range(HOLDINGS):
            if found[hand, 0] >= 0:  # not nan
                for k in range(out.shape[1]):
                    out[row, k] = found[hand, k]
                row += 1


@kernel
def river_clusters(
    tables: HandTables,
    index: IndexTables,
    boards: Ints,
    cards: Ints,
    cluster: Indices,
    centres: Centres,
    out: Any,
) -> None:
    """[number] the centre nearest to the hand's equities against the hands of each cluster."""
    sweep, numbers = new_sweep(), np.empty(HOLDINGS, np.int64)
    size = centres.rows.shape[1]
    found, x = np.empty((HOLDINGS, size)), np.empty(size, centres.rows.dtype)
    distances = np.empty(BLOCK, centres.rows.dtype)
    for board in range(len(boards)):
        against_clusters(tables, boards[board], cards, cluster, sweep, found)
        number_board(index, cards, boards[board], numbers)
        for hand in range(HOLDINGS):
            if numbers[hand] < 0:
                continue
            for k in range(size):
                x[k] = found[hand, k]
            out[numbers[hand]] = nearest(x, centres, False, distances)[0]
