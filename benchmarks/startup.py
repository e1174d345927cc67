"""Time until the command line responds.

Every line is a separate process, interpreter included. Compiled kernels are cached in a fresh
folder: the first run compiles everything that solving in a form needs, later runs load it. Rhode
Island compiles again, for single precision."""

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
    """Seconds, each the minimum of several."""
    progress("regretless --help")
    told = min(_process("--help") for _ in range(WARM))
    sequence, warm = _compiling("sequence")
    public, _ = _compiling("public")
    return [
        Row("regretless --help", told, "s", {}, "< 0.5", told < 0.5),
        Row("regretless solve kuhn", warm, "s", {}, "< 1.5", warm < 1.5),
        Row("compiling for sequence forms, once", sequence, "s", {}, "< 15", sequence < 15),
        Row("compiling for public forms, once", public, "s", {}, "", None),
    ]


def _compiling(form: str) -> tuple[float, float]:
    """Seconds that the first run on a machine spends compiling, and seconds of a later run."""
    command = ("solve", "kuhn", "--iterations", "20", "--form", form)
    cold, warm = [], []
    for repetition in range(COLD):
        progress(f"{' '.join(command)}, nothing compiled ({repetition + 1} of {COLD})")
        with tempfile.TemporaryDirectory() as folder:
            cold.append(_process(*command, NUMBA_CACHE_DIR=folder))
            progress(f"{' '.join(command)}, compiled")
            warm += [_process(*command, NUMBA_CACHE_DIR=folder) for _ in range(WARM)]
    return min(cold) - min(warm), min(warm)


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
