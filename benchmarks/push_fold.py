"""Push/fold and the value of stacks: heads-up and nine-player charts, ICM of 9 and 20 players."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks._report import Row
from benchmarks._timing import progress, repeated, seconds_each
from regretless.cards.three_hands import table_path
from regretless.games._icm import expected_prizes
from regretless.stochastic.push_fold import pushfold

MOST_MS = {
    "heads-up chart, 10 big blinds": 50.0,
    "charts of nine players with ICM": 10_000.0,
    "ICM, 9 players": 1.0,
    "ICM, 20 players": 1000.0,
}
NINE = [4000, 7000, 3000, 9000, 5000, 2500, 6000, 3500, 8000]


def measure() -> list[Row]:
    """Milliseconds."""
    progress("push or fold")
    works = {"heads-up chart, 10 big blinds": repeated(partial(pushfold, "10bb"))}
    if table_path().is_file():
        nine = partial(pushfold, NINE, blinds=(300, 600), big_blind_ante=600, payouts=[50, 30, 20])
        works["charts of nine players with ICM"] = repeated(nine)
    for players in (9, 20):
        stacks = np.arange(1.0, players + 1)[None]
        prizes = list(range(players, 0, -1))
        works[f"ICM, {players} players"] = repeated(partial(expected_prizes, stacks, prizes))
    found = {name: 1e3 * s for name, s in seconds_each(works, repetitions=3).items()}
    return [
        Row(name, float(f"{ms:.3g}"), "ms", {}, f"< {MOST_MS[name]:g}", ms < MOST_MS[name])
        for name, ms in found.items()
    ]
