"""Ctrl-C as a question: long work ends at its next good moment and keeps what it has."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from types import FrameType

COMPILER = f"numba{os.sep}core"
_asked: list[threading.Event] = []  # of all work that is going on, the outermost first
_deadline: ContextVar[float] = ContextVar("deadline", default=inf)


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks the work to end; a second one ends it at once.

    Work within work: all of it is asked."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    previous = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:
        for event in _asked:
            event.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if _is_compiling(frame):  # which asks nobody, and may take a minute
            raise KeyboardInterrupt

    if any(event.is_set() for event in _asked):
        asked.set()  # work that begins after Ctrl-C has nothing to begin
    else:
        signal.signal(signal.SIGINT, ask)
    _asked.append(asked)
    try:
        yield asked.is_set
    finally:
        _asked.remove(asked)
        # Inner work that was asked has put the default back: the outer work was asked as well.
        signal.signal(signal.SIGINT, previous)


def _is_compiling(frame: FrameType | None) -> bool:
    """Whether a kernel is being compiled where Ctrl-C was met."""
    while frame is not None:
        if COMPILER in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """The work within is asked to end, as by Ctrl-C, when this time is over."""
    until = inf if seconds is None else time.monotonic() + seconds
    token = _deadline.set(min(until, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


def interrupted() -> bool:
    """Whether the work that is going on has been asked to end."""
    return (bool(_asked) and _asked[-1].is_set()) or time.monotonic() >= _deadline.get()
