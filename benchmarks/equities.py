"""Exact equities: all match-ups before the flop, and two full ranges on a board.

The table before the flop is counted from nothing, not read from the cache directory; the
kernels are compiled. It has the processor time of one thread, as it takes long enough for
others to get in between."""

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
    progress("all match-ups before the flop")
    started = time.process_time()
    count_wins()
    table_s = time.process_time() - started
    aim = (f"< {MOST_S:.0f}", table_s < MOST_S)
    return [
        Row("1326 × 1326 match-ups before the flop", float(f"{table_s:.3g}"), "s", {}, *aim),
        *(
            Row(f"random against random on the {street}", float(f"{1e3 * s:.3g}"), "ms")
            for street, s in each.items()
        ),
    ]
