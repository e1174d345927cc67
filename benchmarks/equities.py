"""Exact equities: all preflop match-ups, and two full ranges on a board.

The preflop table is computed from scratch, not read from the cache directory; kernels are already
compiled. Its time is the processor time of one thread, because it runs long enough for other work
to interfere."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from benchmarks._report import Row
from benchmarks._timing import progress, repeated, seconds_each
from regretless.cards.equities import count_wins, equity

MOST_S = 30.0
BOARDS = {"river": "Td9d6hQc2s", "turn": "Td9d6hQc", "flop": "Td9d6h"}


def measure() -> list[Row]:
    """Seconds for the table, milliseconds on boards."""
    full = np.ones(1326)
    progress("ranges on boards")
    works = {
        street: repeated(partial(equity, full, full, board)) for street, board in BOARDS.items()
    }
    each = seconds_each(works, repetitions=3)
    progress("all preflop match-ups")
    started = time.process_time()
    count_wins()
    table_s = time.process_time() - started
    aim = (f"< {MOST_S:.0f}", table_s < MOST_S)
    return [
        Row("all 1,326 × 1,326 preflop match-ups", float(f"{table_s:.3g}"), "s", {}, *aim),
        *(
            Row(f"random against random on the {street}", float(f"{1e3 * s:.3g}"), "ms")
            for street, s in each.items()
        ),
    ]
