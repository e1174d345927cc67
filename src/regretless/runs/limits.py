"""When a run ends, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regretless.core.errors import BadParameter, number, whole

DEFAULT_TARGET = 1e-6
DEFAULT_ITERATIONS = 100_000  # with more than two players a target may never be reached
MOST_ITERATIONS = 10**15


class Stop(StrEnum):
    """Why a run ended."""

    CONVERGED = "target reached"
    EXACT = "solved exactly"
    ENDED = "method has ended"  # on its own, without a proof
    BUDGET = "iteration limit reached"
    TIME = "time limit reached"
    INTERRUPTED = "interrupted"
    FAILED = "failed"  # the method could not continue; the solution says why


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The first limit reached ends the run. If none is given: a target and a budget."""

    target: float | None = None  # exploitability
    iterations: int | None = None  # counted from the first run, not from a resume
    seconds: float | None = None  # of this run

    def __post_init__(self) -> None:
        if self.target is not None and not number("target", self.target) >= 0:
            raise BadParameter(f"target={self.target}: must be an exploitability of 0 or more")
        if self.iterations is not None:
            whole("iterations", self.iterations, 1, MOST_ITERATIONS)
        if self.seconds is not None and not number("seconds", self.seconds) > 0:
            raise BadParameter(f"seconds={self.seconds}: must be more than 0")
        if self.target is None and self.iterations is None and self.seconds is None:
            object.__setattr__(self, "target", DEFAULT_TARGET)
            object.__setattr__(self, "iterations", DEFAULT_ITERATIONS)
