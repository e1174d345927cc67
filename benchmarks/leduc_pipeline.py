"""Abstract, solve, refine: Leduc hold'em with 5, 9 and 13 ranks.

Card binning, 1,000 iterations of CFR+ on the binned game, in-game refinement with its defaults:
from the name of the game to the refined strategy, excluding compilation. Times are the minimum of
three. The slides (Carminati, Costa Cañones & Chinga 2020) report seconds and exploitability of
their program, on another machine."""

from __future__ import annotations

import time

from benchmarks._report import Row
from benchmarks._timing import progress
from regretless.runs.refine import Refined, refine
from regretless.studies.leduc_pipeline import PUBLISHED, WARM_UP, Published, made

SLIDES = "slides, 2020"
TURNS = 3
MOST_S = 10.0  # for the largest game


def measure() -> list[Row]:
    """Time and exploitability of the whole pipeline, for every column of the slides."""
    _pipeline(WARM_UP)  # compiles
    rows = []
    for column in PUBLISHED:
        progress(column.name)
        runs = [_pipeline(column) for _ in range(TURNS)]
        seconds = min(taken for taken, _ in runs)
        refined = runs[0][1]
        theirs = column.abstraction_s + column.blueprint_s + column.refinement_s
        aim = (f"< {MOST_S:.0f}", seconds < MOST_S) if column.ranks == 13 else ("", None)
        rows.append(Row(f"{column.name}: whole pipeline", seconds, "s", {SLIDES: theirs}, *aim))
        rows += [
            Row(
                f"{column.name}: exploitability of the blueprint",
                _short(refined.before.exploitability),
                "chips",
                {SLIDES: column.blueprint_exploitability},
            ),
            Row(
                f"{column.name}: exploitability after refinement",
                _short(refined.exploitability),
                "chips",
                {SLIDES: column.exploitability},
                f"< {column.exploitability:g}",
                refined.exploitability < column.exploitability,
            ),
        ]
    return rows


def _pipeline(column: Published) -> tuple[float, Refined]:
    started = time.perf_counter()
    refined = refine(made(column).strategy, by="in-game")
    return time.perf_counter() - started, refined


def _short(value: float) -> float:
    return float(f"{value:.3g}")
