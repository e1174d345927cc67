"""The loop around everything that works in iterations: step, report, save, until it must end.

Ctrl-C, the time limit of the run and those around it are one question, asked between calls. A
compiled call cannot be interrupted, so calls are short: about CHUNK_S, and no longer than the
time that is left. How iterations are divided into calls makes no difference to the result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, log
from typing import Protocol

from regretless.core.interrupts import interrupted, seconds_left, time_limit
from regretless.core.progress import Listener, Progress, nobody

CHUNK_S = 0.1
OVERRUN = 0.1  # of a time limit: no iteration is begun that would exceed it by more


class Stepper(Protocol):
    """Work in iterations."""

    iteration: int

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""
        return False

    def step(self, count: int = 1) -> None:
        """Run this many iterations."""

    def news(self) -> str:
        """What to show in addition to the iteration."""
        return ""


@dataclass(kw_only=True)
class Loop:
    """One run of a stepper: its clock, its limits, its speed."""

    work: Stepper
    target: float | None = None  # exploitability, for the time left; evaluating is the caller's
    iterations: int | None = None
    seconds: float | None = None
    stage: str = "solving"
    listen: Listener = nobody
    save: Callable[[], None] | None = None
    save_s: float = inf  # between two saves
    started: float = field(default_factory=lambda: time.perf_counter())
    speed: float = 0.0  # iterations per second
    exploitability: float | None = None  # as of the last evaluation
    evaluation_s: float = 0.0  # how long that took
    _saved: float = field(default_factory=lambda: time.perf_counter())
    _early: tuple[int, float] | None = None  # iteration and exploitability

    def advance(self, to: int | None = None) -> None:
        """Step to an iteration, by default the last, unless the run must end before."""
        work, last = self.work, inf if self.iterations is None else self.iterations
        last = last if to is None else to
        left = None if self.seconds is None else self.seconds - self.spent()
        with time_limit(left):
            while work.iteration < last and not (work.finished or self.must_end()):
                before, began = work.iteration, time.perf_counter()
                work.step(int(min(self._chunk(), last - before)))
                self.speed = (work.iteration - before) / max(time.perf_counter() - began, 1e-9)
                self.listen(self._progress())
                if self.save is not None and time.perf_counter() - self._saved >= self.save_s:
                    self.save()
                    self._saved = time.perf_counter()

    def spent(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self.started

    def must_end(self) -> bool:
        """Whether Ctrl-C or a time limit asks the run to end."""
        return self.is_late() or interrupted()

    def is_late(self) -> bool:
        """Whether its own time is up, or would be exceeded by far after one more iteration."""
        if self.seconds is None:
            return False
        next_s = 1 / self.speed if self.speed else 0.0
        return self.spent() >= self.seconds or next_s > self._room()

    def _room(self) -> float:
        """Seconds of work before the last evaluation must begin."""
        if self.seconds is None:
            return inf
        return (1 + OVERRUN) * self.seconds - self.spent() - self.evaluation_s

    def _chunk(self) -> int:
        return max(1, int(self.speed * min(CHUNK_S, seconds_left(), self._room())))

    def _progress(self) -> Progress:
        iteration, news = self.work.iteration, self.work.news()
        done, left = self._outlook(iteration)
        return Progress(self.stage, iteration, self.exploitability, self.speed, done, left, news)

    def _outlook(self, iteration: int) -> tuple[float, float | None]:
        """Share of the work done and seconds left, by the limit that comes first."""
        total = self._expected_iterations(iteration)
        if self.iterations is not None:
            total = min(total or self.iterations, self.iterations)
        done = iteration / total if total else 0.0
        left = (total - iteration) / self.speed if total and self.speed else None
        if self.seconds is not None:
            remaining = max(self.seconds - self.spent(), 0.0)
            if left is None or remaining < left:
                done, left = self.spent() / self.seconds, remaining
        return min(done, 1.0), left

    def _expected_iterations(self, iteration: int) -> float | None:
        """Exploitability falls like a power of the iterations: extend that line to the target."""
        now = self.exploitability
        if self.target is None or self.target <= 0 or not now or iteration < 10:
            return None
        if self._early is None:
            self._early = (iteration, now)
        then, worse = self._early
        if now >= worse or iteration <= then:
            return None
        power = log(worse / now) / log(iteration / then)
        more: float = max(now / self.target, 1.0) ** (1 / max(power, 0.2))
        return iteration * more
