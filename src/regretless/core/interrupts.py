"""Ctrl-C as a request: long work ends at its next good moment and keeps its results so far.

Around a command (`insistent`) SIGTERM is the same request: a job in the background of a shell
ignores Ctrl-C, and schedulers send nothing else. Elsewhere SIGTERM is left alone."""

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
    """The state of Ctrl-C and SIGTERM since the command began."""

    watched = False  # a command is running
    last = 0  # the signal that came last
    heard = True  # caught by code that handles it


def signals(*, terminate: bool | None = None) -> tuple[signal.Signals, ...]:
    """The signals that ask this process to end: Ctrl-C, and SIGTERM if a command is running.

    Not those that the shell told it to ignore, as it does with Ctrl-C in the background."""
    terminate = _Pressed.watched if terminate is None else terminate
    chosen = (signal.SIGINT, signal.SIGTERM) if terminate else (signal.SIGINT,)
    return tuple(one for one in chosen if signal.getsignal(one) is not signal.SIG_IGN)


def exit_code(number: int) -> int:
    """By convention: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + number


@contextmanager
def insistent() -> Iterator[Callable[[], int]]:
    """Around a whole command: Ctrl-C or SIGTERM is raised again until it is `heard`.

    Python drops what is raised in a finaliser or a callback, and some libraries written in C drop
    more. Yields a function that returns the exit code, 0 if neither came."""
    _Pressed.last, _Pressed.heard = 0, True

    def code() -> int:
        return exit_code(_Pressed.last) if _Pressed.last else 0

    listening = signals(terminate=True) if _is_main_thread() else ()
    if not listening or not hasattr(signal, "setitimer"):
        yield code
        return
    before = {one: signal.signal(one, _press) for one in listening}
    before[signal.SIGALRM] = signal.signal(signal.SIGALRM, _again)
    _Pressed.watched = True
    try:
        yield code
    finally:
        _Pressed.watched = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        for one, handler in before.items():
            signal.signal(one, handler)


def heard() -> None:
    """Note that Ctrl-C was caught on purpose, so that it is not raised again."""
    _Pressed.heard = True


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks the work to end; a second one ends it at once.

    Nested work is all asked. During a command, SIGTERM asks as well."""
    asked = threading.Event()
    listening = signals() if _is_main_thread() else ()
    if not listening:
        yield asked.is_set
        return
    previous = {one: signal.getsignal(one) for one in listening}

    def ask(number: int, frame: FrameType | None) -> None:
        _Pressed.last = number
        for event in _asked:
            event.set()
        for one in listening:
            signal.signal(one, _press if _Pressed.watched else signal.default_int_handler)
        if _is_compiling(frame):  # which checks nothing, and may take a minute
            _raise()

    if any(event.is_set() for event in _asked):
        asked.set()  # work that begins after Ctrl-C ends at once
    else:
        for one in listening:
            signal.signal(one, ask)
    _asked.append(asked)
    try:
        yield asked.is_set
    finally:
        _asked.remove(asked)
        # Inner work that was asked has restored the default: the outer work was asked as well.
        for one, handler in previous.items():
            signal.signal(one, handler)


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Ask the enclosed work to end, as by Ctrl-C, after this time."""
    until = inf if seconds is None else time.monotonic() + seconds
    token = _deadline.set(min(until, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


def seconds_left() -> float:
    """Until the first time limit around the running work; infinite if there is none."""
    return _deadline.get() - time.monotonic()


def interrupted() -> bool:
    """Whether the running work has been asked to end."""
    return (bool(_asked) and _asked[-1].is_set()) or seconds_left() <= 0


def _is_main_thread() -> bool:
    """Signals can be handled there only."""
    return threading.current_thread() is threading.main_thread()


def _press(number: int, frame: FrameType | None) -> None:
    _Pressed.last = number
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
