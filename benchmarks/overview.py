"""The table of the README: what is solved, and how long it takes.

Each line is one call of `solve` on one thread, including construction of the form, excluding
compilation. Rhode Island itself is in `rhode_island`."""

from __future__ import annotations

import time
from typing import Any

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import progress

REPETITIONS = 2
SOLVED: list[tuple[str, dict[str, Any]]] = [
    ("kuhn", {"method": "lp"}),
    ("kuhn:players=3", {"target": 1e-6}),
    ("leduc", {"target": 1e-9}),
    ("leduc", {"method": "lp"}),
    ("leduc:suits_distinct=true", {"target": 1e-6}),
    ("leduc:ranks=13,suits=4", {"target": 1e-6}),
    ("leduc:players=3,cap=1", {"method": "cfr+", "iterations": 10_000}),
    ("liars_dice", {"target": 1e-4}),
    ("rhode_island:ranks=3,suits=2,cap=1", {"target": 1e-4}),
]


def measure() -> list[Row]:
    """Seconds for every line of the README's table."""
    return [_row(game, options) for game, options in SOLVED]


def _row(game: str, options: dict[str, Any]) -> Row:
    progress(f"{game} {options}")
    least = float("inf")
    for _ in range(REPETITIONS):
        started = time.perf_counter()
        solution = rl.solve(game, **options)
        least = min(least, time.perf_counter() - started)
    reached = f"{solution.exploitability:.1e}"
    what = f"{game} by {solution.method}, {solution.iterations:,} iterations, to {reached}"
    return Row(what, least, "s", {}, "", None)
