"""Small games solved on the way: by any method, until Ctrl-C or the time limit."""

from __future__ import annotations

import time
from collections.abc import Callable

from regretless.core.arrays import Floats
from regretless.core.errors import Interrupted
from regretless.core.interrupts import interrupted
from regretless.forms.form import Form
from regretless.solvers._catalog import solver

MOST_ITERATIONS = 10**9
CHUNK_S = 0.1  # a compiled call cannot be interrupted, so it should be short


def solved(form: Form, method: str, iterations: int, tell: Callable[[float], None]) -> Floats:
    """The behaviour of both players after so many iterations, or when an exact method ends.

    `tell` hears which share of the work is done."""
    found = solver(method, form)
    if found.is_exact:
        while not found.finished:
            if interrupted():
                found.settle()
                raise Interrupted(f"{method} had not finished")
            found.step()
            tell(0.0)
        return found.behaviour()
    chunk = 1
    while found.iteration < iterations:
        if interrupted():
            if not found.iteration:
                raise Interrupted("which had made no iteration")
            break
        started = time.perf_counter()
        found.step(min(chunk, iterations - found.iteration))
        quick = time.perf_counter() - started < CHUNK_S
        chunk = 2 * chunk if quick else max(1, chunk // 2)
        tell(found.iteration / iterations)
    return found.behaviour()
