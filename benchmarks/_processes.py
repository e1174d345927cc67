"""One of our commands as a separate process: its time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Ran(NamedTuple):
    """The time, memory and output of a process."""

    seconds: float
    peak_mb: float  # resident, in 10^6 bytes, with interpreter and compiler
    output: str


def ran(words: Sequence[str], folder: Path, more: Mapping[str, str] | None = None) -> Ran:
    """Run `python -m regretless` with these words in this folder; `more` environment."""
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
        peak = 0
        while process.poll() is None:
            peak = max(peak, _resident_peak(process.pid))
            time.sleep(0.01)
    if process.returncode:
        raise RuntimeError(f"regretless {' '.join(words)}: exit code {process.returncode}")
    seconds = time.perf_counter() - started
    return Ran(seconds, peak / 1e6, printed.read_text())


def _resident_peak(process: int) -> int:
    """Peak so far, in bytes. Not `ru_maxrss`, which starts at the size of this process."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(peaks[0]) * 1024 if peaks else 0
