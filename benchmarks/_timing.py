"""Timing, fair to all sides: interleaved, on one core, the fastest repetition counts.

The minimum is what the work takes when nothing else disturbs it; interleaving lets a
slow minute of the machine fall on everyone."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Work = Callable[[int], object]  # does something that many times

LONG = "BENCH_LONG"  # set in the environment: runs of many minutes are wanted too
REPETITIONS = 7
SPAN_S = 0.15  # of one repetition: long against the clock, short against the machine's moods


def use_one_core() -> None:
    """Keep this process, and those it starts, on one core where the system allows it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


@contextmanager
def all_cores() -> Iterator[None]:
    """Within this context, threads and processes that are started may use every core."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def progress(text: str) -> None:
    """Tell on stderr what is being done."""
    print(f"  {text}", file=sys.stderr, flush=True)


def seconds_each(works: Mapping[str, Work], *, repetitions: int = REPETITIONS) -> dict[str, float]:
    """Least seconds that each work took for doing its thing once."""
    counts = {name: _count(work) for name, work in works.items()}
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repetitions):
        for name, work in works.items():
            best[name] = min(best[name], _clocked(work, counts[name]) / counts[name])
    return best


def rates(works: Mapping[str, Work], *, repetitions: int = REPETITIONS) -> dict[str, float]:
    """Most times a second that each work did its thing."""
    each = seconds_each(works, repetitions=repetitions)
    return {name: 1.0 / seconds for name, seconds in each.items()}


def repeated(once: Callable[[], object]) -> Work:
    """A work out of something that is done once."""

    def work(count: int) -> None:
        for _ in range(count):
            once()

    return work


def _count(work: Work) -> int:
    """How often to do the work in one repetition; finding out also warms it up."""
    work(1)
    count = 1
    while (spent := _clocked(work, count)) < SPAN_S / 4:
        count *= 4
    return max(1, round(count * SPAN_S / spent))


def _clocked(work: Work, count: int) -> float:
    started = time.perf_counter()
    work(count)
    return time.perf_counter() - started
