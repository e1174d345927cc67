"""Ctrl-C as a question: long work ends at its next good moment and keeps what it has."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

COMPILER = f"numba{os.sep}core"
_asked: list[threading.Event] = []  # of all work that is going on, the outermost first


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


def interrupted() -> bool:
    """Whether the work that is going on has been asked to end."""
    return bool(_asked) and _asked[-1].is_set()
