"""Solvers that terminate on their own, with plans of all players.

The work is a generator: it yields its progress about ten times a second, so that a run can
show it, keep to its time limit and respond to Ctrl-C, and returns the plans."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeAlias, TypeVar

import numpy as np

from regretless.core import memory
from regretless.core.arrays import Floats
from regretless.forms.form import Form, behaviour_of, plan_of, uniform
from regretless.solvers._solver import Iterate, Solver, checked

Work: TypeAlias = Generator[str, None, Floats]
Answer = TypeVar("Answer")

SLICE_S = 0.1  # how long a step may take before it reports progress


def aside(what: str, work: Callable[[], Answer]) -> Generator[str, None, Answer]:
    """Do something that cannot be interrupted, such as one call of NumPy, in another thread.

    If the run ends before, the thread is left alone and ends with its call. Time limits of the run
    hold there too. Python waits for it before it exits: under a running call BLAS would hang."""
    ready, began = Future[Answer](), time.perf_counter()

    def run() -> None:
        try:
            ready.set_result(work())
        except BaseException as error:  # raised by `result`, in the calling thread
            ready.set_exception(error)

    Thread(target=copy_context().run, args=(run,)).start()
    while not ready.done():
        wait([ready], SLICE_S)
        if not ready.done():
            yield f"{what}, {time.perf_counter() - began:.0f} s"
    return ready.result()


class ExactSolver(Solver):
    """A step is a slice of the work; the last one finds the plans of all players."""

    is_exact = True

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.plan = plan_of(form, uniform(form))
        self._work: Work | None = None
        self._news = ""

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        return "sequence"

    @property
    def finished(self) -> bool:
        return self.iteration > 0

    @abstractmethod
    def solve(self) -> Work:
        """Yield progress texts, then return equilibrium plans of all players.

        `settle` may leave the best plans so far in `plan` if work ends early."""

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            if self.finished:
                return
            if self._work is None:
                self._work = self.solve()
            try:
                self._news = next(self._work)
                memory.keep(f"the method on {self.form.spec}")
            except StopIteration as end:
                self.plan, self.iteration = end.value, 1
            except BaseException:
                self._work = None
                raise

    def settle(self) -> None:
        if self._work is not None:
            self._work.close()
            self._work = None

    def news(self) -> str:
        return "" if self.finished else self._news

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        return behaviour_of(self.form, self.plan)

    def state(self) -> dict[str, np.ndarray]:
        return {"plan": self.plan.copy(), "clock": np.array([float(self.iteration), 0.0])}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.settle()
        self.plan = checked(state, "plan", self.plan)
        # A half-solved program cannot be saved: unfinished work starts again.
        self.iteration = int(checked(state, "clock", np.zeros(2))[0] > 0)
