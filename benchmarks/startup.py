"""Time until the command line answers.

Every line is a process of its own, interpreter included. Compiled kernels are kept in a
fresh folder: the first run compiles all that solving needs, later ones load it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from benchmarks._report import Row
from benchmarks._timing import progress

WARM = 7  # repetitions
COLD = 2


def measure() -> list[Row]:
    """Seconds, each the least of several."""
    progress("regretless --help")
    told = min(_process("--help") for _ in range(WARM))
    cold, warm = [], []
    for repetition in range(COLD):
        progress(f"regretless solve kuhn, nothing compiled ({repetition + 1} of {COLD})")
        with tempfile.TemporaryDirectory() as folder:
            cold.append(_process("solve", "kuhn", NUMBA_CACHE_DIR=folder))
            progress("regretless solve kuhn, compiled")
            warm += [_process("solve", "kuhn", NUMBA_CACHE_DIR=folder) for _ in range(WARM)]
    compiling = min(cold) - min(warm)
    return [
        Row("regretless --help", told, "s", {}, "< 0.5", told < 0.5),
        Row("regretless solve kuhn", min(warm), "s", {}, "< 1.5", min(warm) < 1.5),
        Row("compiling all kernels, once", compiling, "s", {}, "< 15", compiling < 15),
    ]


def _process(*arguments: str, **environment: str) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "regretless", *arguments],
        env=os.environ | environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - started
