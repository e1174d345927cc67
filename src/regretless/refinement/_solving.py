"""Small games solved on the way: by any method, until Ctrl-C or the time limit."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core.arrays import Floats
from regretless.core.errors import Interrupted
from regretless.core.interrupts import interrupted
from regretless.forms.sequence import SequenceForm
from regretless.solvers._catalog import solver

MOST_ITERATIONS = 10**9
AT_ONCE = 50_000  # terminals times iterations, in thousands, of one compiled call: about 0.1 s


def solved(
    form: SequenceForm, method: str, iterations: int, tell: Callable[[float], None]
) -> Floats:
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
    chunk = max(1, AT_ONCE * 1000 // max(form.terminals, 1))
    while found.iteration < iterations:
        if interrupted():
            if not found.iteration:
                raise Interrupted("which had made no iteration")
            break
        found.step(min(chunk, iterations - found.iteration))
        tell(found.iteration / iterations)
    return found.behaviour()
