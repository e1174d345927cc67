"""Independent units of work, and the runners that execute them.

A `Runner` gets a function and texts and yields results as they finish. The function is
defined at module level, and texts and results are plain, so they can be sent anywhere: `local`
uses processes on this machine; a cluster needs one more function of this type."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from typing import NamedTuple, TypeAlias

from regretless.core.errors import RegretlessError, within
from regretless.core.interrupts import signals

MOST_PROCESSES = 1024


class Done(NamedTuple):
    """A finished unit: its number, and its result or error."""

    number: int
    result: str
    error: str = ""


Work: TypeAlias = Callable[[str], str]
Runner: TypeAlias = Callable[[Work, Sequence[str]], Iterator[Done]]


def local(processes: int | None = None) -> Runner:
    """Local processes, one per core by default; a single one is this process itself."""
    count = cores() if processes is None else processes
    within("processes", count, 1, MOST_PROCESSES)

    def run(work: Work, units: Sequence[str]) -> Iterator[Done]:
        if min(count, len(units)) <= 1:
            return (_attempted(work, number, unit) for number, unit in enumerate(units))
        return _shared(min(count, len(units)), work, units)

    return run


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _attempted(work: Work, number: int, unit: str) -> Done:
    # Errors are sent as text: ours cannot be rebuilt from their arguments.
    try:
        return Done(number, work(unit))
    except RegretlessError as error:
        return Done(number, "", str(error))


def _shared(count: int, work: Work, units: Sequence[str]) -> Iterator[Done]:
    # Processes are spawned, not forked: a fork would inherit locks of running threads.
    before = set(active_children())
    pool = ProcessPoolExecutor(
        count, get_context("spawn"), initializer=_undisturbed, initargs=(signals(),)
    )
    try:
        waiting = [pool.submit(partial(_attempted, work, n), unit) for n, unit in enumerate(units)]
        for future in as_completed(waiting):
            yield future.result()
    except BrokenProcessPool:
        raise RegretlessError(
            f"one of {count} processes was killed, possibly because memory ran out: "
            "try fewer processes"
        ) from None
    except BaseException:
        for process in set(active_children()) - before:
            process.kill()  # they may ignore SIGTERM
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _undisturbed(numbers: Sequence[signal.Signals]) -> None:
    """Leave signals to the parent process, which ends this one: a group of processes gets both."""
    for number in (signal.SIGINT, *numbers):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End when the parent process does: a killed one cannot say so."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)
