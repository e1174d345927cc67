"""Ctrl-C as a question: long work ends at its next good moment and keeps what it has."""

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
_asked: list[threading.Event] = []  # of all work that is going on, the outermost first
_deadline: ContextVar[float] = ContextVar("deadline", default=inf)


class _Pressed:
    """What has become of Ctrl-C since the command began."""

    watched = False  # a command is running
    ever = False
    heard = True  # caught by code that was written for it


@contextmanager
def insistent() -> Iterator[Callable[[], bool]]:
    """Around a whole command: Ctrl-C is raised again until it is `heard`.

    Python drops whatever is raised in a finaliser or a callback, and some libraries written in
    C drop more. Says whether Ctrl-C was pressed."""
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
    """Ctrl-C was caught on purpose, and is not raised again."""
    _Pressed.heard = True


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks the work to end; a second one ends it at once.

    Work within work: all of it is asked."""
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
        if _is_compiling(frame):  # which asks nobody, and may take a minute
            _raise()

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


def _may_listen() -> bool:
    """Signals are for the main thread, and not for a job whose shell has shut its ears."""
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
    """Raise it once more, unless it is on its way: what tidies up must not be disturbed."""
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
    """Whether a kernel is being compiled where Ctrl-C was met."""
    while frame is not None:
        if COMPILER in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False
