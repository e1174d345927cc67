"""Ctrl-C as a request: long work ends at its next good moment and keeps its results so far."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from types import FrameType

COMPILER = f"numba{os.sep}core"
AGAIN_S = 0.25  # until an unheard Ctrl-C is raised again
_asked: list[threading.Event] = []  # one per running piece of work, the outermost first
_deadline: ContextVar[float] = ContextVar("deadline", default=inf)


class _Pressed:
    """The state of Ctrl-C since the command began."""

    watched = False  # a command is running
    ever = False
    heard = True  # caught by code that handles it


@contextmanager
def insistent() -> Iterator[Callable[[], bool]]:
    """Around a whole command: Ctrl-C is raised again until it is `heard`.

    Python drops what is raised in a finaliser or a callback, and some libraries written in C drop
    more. Yields a function that says whether Ctrl-C was pressed."""
    _Pressed.ever, _Pressed.heard = False, True
    if not _may_listen() or not hasattr(signal, "setitimer"):
        yield lambda: _Pressed.ever
        return
    before = signal.signal(signal.SIGALRM, _again), signal.signal(signal.SIGINT, _press)
    _Pressed.watched = True
    try:
        yield lambda: _Pressed.ever
    finally:
        _Pressed.watched = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before[0])
        signal.signal(signal.SIGINT, before[1])


def heard() -> None:
    """Note that Ctrl-C was caught on purpose, so that it is not raised again."""
    _Pressed.heard = True


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks the work to end; a second one ends it at once.

    Nested work is all asked."""
    asked = threading.Event()
    if not _may_listen():
        yield asked.is_set
        return
    previous = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:
        _Pressed.ever = True
        for event in _asked:
            event.set()
        signal.signal(signal.SIGINT, _press if _Pressed.watched else signal.default_int_handler)
        if _is_compiling(frame):  # which checks nothing, and may take a minute
            _raise()

    if any(event.is_set() for event in _asked):
        asked.set()  # work that begins after Ctrl-C ends at once
    else:
        signal.signal(signal.SIGINT, ask)
    _asked.append(asked)
    try:
        yield asked.is_set
    finally:
        _asked.remove(asked)
        # Inner work that was asked has restored the default: the outer work was asked as well.
        signal.signal(signal.SIGINT, previous)


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Ask the enclosed work to end, as by Ctrl-C, after this time."""
    until = inf if seconds is None else time.monotonic() + seconds
    token = _deadline.set(min(until, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


def interrupted() -> bool:
    """Whether the running work has been asked to end."""
    return (bool(_asked) and _asked[-1].is_set()) or time.monotonic() >= _deadline.get()


def _may_listen() -> bool:
    """Signals work in the main thread only, and not in a job whose shell ignores them."""
    if threading.current_thread() is not threading.main_thread():
        return False
    return signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def _press(number: int, frame: FrameType | None) -> None:
    _Pressed.ever = True
    _raise()


def _raise() -> None:
    if _Pressed.watched:
        _Pressed.heard = False
        signal.setitimer(signal.ITIMER_REAL, AGAIN_S, AGAIN_S)
    raise KeyboardInterrupt


def _again(number: int, frame: FrameType | None) -> None:
    """Raise it again, unless it is already on its way: cleanup must not be disturbed."""
    if _Pressed.heard:
        signal.setitimer(signal.ITIMER_REAL, 0)
        return
    error = sys.exc_info()[1]
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return
        error = error.__context__
    raise KeyboardInterrupt


def _is_compiling(frame: FrameType | None) -> bool:
    """Whether Ctrl-C has hit the compilation of a kernel."""
    while frame is not None:
        if COMPILER in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False
