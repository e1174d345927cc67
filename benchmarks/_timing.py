"""Timing that is fair to all: interleaved, on one core, the fastest repetition counts.

The minimum is the time of the work without disturbance; with interleaving, a slow minute of the
machine affects everyone."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Work = Callable[[int], object]  # runs something this many times

LONG = "BENCH_LONG"  # set in the environment: include runs that take many minutes
REPETITIONS = 7
SPAN_S = 0.15  # per repetition: long compared with the clock, short compared with disturbances


def use_one_core() -> None:
    """Pin this process and its children to one core, if the system allows it."""
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
    """Report progress on stderr."""
    print(f"  {text}", file=sys.stderr, flush=True)


def seconds_each(works: Mapping[str, Work], *, repetitions: int = REPETITIONS) -> dict[str, float]:
    """Minimum seconds per run of each piece of work."""
    counts = {name: _count(work) for name, work in works.items()}
    best = dict.fromkeys(works, float("inf"))
    for _ in range(repetitions):
        for name, work in works.items():
            best[name] = min(best[name], _clocked(work, counts[name]) / counts[name])
    return best


def rates(works: Mapping[str, Work], *, repetitions: int = REPETITIONS) -> dict[str, float]:
    """Maximum runs per second of each piece of work."""
    each = seconds_each(works, repetitions=repetitions)
    return {name: 1.0 / seconds for name, seconds in each.items()}


def repeated(once: Callable[[], object]) -> Work:
    """A piece of work that repeats something."""

    def work(count: int) -> None:
        for _ in range(count):
            once()

    return work


def _count(work: Work) -> int:
    """How many runs make one repetition; finding out also warms up."""
    work(1)
    count = 1
    while (spent := _clocked(work, count)) < SPAN_S / 4:
        count *= 4
    return max(1, round(count * SPAN_S / spent))


def _clocked(work: Work, count: int) -> float:
    started = time.perf_counter()
    work(count)
    return time.perf_counter() - started
