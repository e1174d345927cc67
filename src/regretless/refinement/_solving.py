"""Small auxiliary games, solved by any method until Ctrl-C or the time limit."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core.arrays import Floats
from regretless.core.errors import Interrupted, whole
from regretless.core.loop import Loop
from regretless.forms.form import Form
from regretless.solvers._catalog import solver

MOST_ITERATIONS = 10**9


def solved(
    form: Form, method: str, iterations: int, tell: Callable[[float], None] | None = None
) -> Floats:
    """The behaviour of both players after some iterations, or when an exact method ends.

    `tell` receives the share of the work done."""
    whole("iterations", iterations, 1, MOST_ITERATIONS)
    running = solver(method, form)
    loop = Loop(work=running, iterations=None if running.is_exact else iterations)
    if tell is not None:
        loop.listen = lambda progress: tell(progress.done)
    loop.advance()
    if not running.finished and (running.is_exact or not running.iteration):
        running.settle()
        raise Interrupted(f"{method} had no result yet")
    return running.behaviour()
