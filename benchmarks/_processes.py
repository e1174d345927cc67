"""A command of ours as a process of its own: how long it takes, and its peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Ran(NamedTuple):
    """What a process took, and what it printed."""

    seconds: float
    peak_mb: float  # resident, in 10^6 bytes, with interpreter and compiler
    output: str


def ran(words: Sequence[str], folder: Path, more: Mapping[str, str] | None = None) -> Ran:
    """`python -m regretless` with these words, in this folder; `more` of an environment."""
    printed = folder / "printed.txt"
    started = time.perf_counter()
    with printed.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "regretless", *words],
            cwd=folder,
            stdout=stream,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(more or {})},
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"regretless {' '.join(words)}: exit code {process.returncode}")
    seconds = time.perf_counter() - started
    return Ran(seconds, used.ru_maxrss * 1024 / 1e6, printed.read_text())
