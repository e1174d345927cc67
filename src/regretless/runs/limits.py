"""When a run ends, and why it did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regretless.core.errors import BadParameter

DEFAULT_TARGET = 1e-6
DEFAULT_ITERATIONS = 100_000  # with more than two players a target may never be reached


class Stop(StrEnum):
    """Why a run ended."""

    CONVERGED = "target reached"
    EXACT = "solved exactly"
    ENDED = "method has ended"  # by itself, without a proof
    BUDGET = "iteration limit reached"
    TIME = "time limit reached"
    INTERRUPTED = "interrupted"
    FAILED = "failed"  # the method could not go on; why is told beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The first limit that is reached ends the run. Without any: a target and a budget."""

    target: float | None = None  # exploitability
    iterations: int | None = None  # counted from the first run, not from a resume
    seconds: float | None = None  # of this run

    def __post_init__(self) -> None:
        if self.target is not None and not self.target >= 0:
            raise BadParameter(f"target={self.target}: allowed is an exploitability of 0 or more")
        if self.iterations is not None and self.iterations < 1:
            raise BadParameter(f"iterations={self.iterations}: allowed is 1 or more")
        if self.seconds is not None and not self.seconds > 0:
            raise BadParameter(f"seconds={self.seconds}: allowed is more than 0")
        if self.target is None and self.iterations is None and self.seconds is None:
            object.__setattr__(self, "target", DEFAULT_TARGET)
            object.__setattr__(self, "iterations", DEFAULT_ITERATIONS)
