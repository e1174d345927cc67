"""Ctrl-C as a question: long work ends at its next good moment and keeps what it has."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_open: list[threading.Event] = []  # of the work that goes on in the main thread


def interrupted() -> bool:
    """Whether the work around the caller was asked to end; False if there is none around."""
    return any(asked.is_set() for asked in _open)


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks the work to end; a second one ends it at once."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    previous = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, ask)
    _open.append(asked)
    try:
        yield asked.is_set
    finally:
        _open.remove(asked)
        signal.signal(signal.SIGINT, previous)
