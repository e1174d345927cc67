"""The loop around a solver: step, evaluate, report, until a limit is reached.

Exploitability is evaluated after fixed numbers of iterations, so that a run ends at the
same iteration however fast the machine is and however often it was resumed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log

from regretless.core.errors import BadParameter, Interrupted, Unsolved, shown
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.exploitability import Evaluation, measured
from regretless.runs.limits import Limits, Stop
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy.strategy import Strategy

# Evaluations at 1, 2, 4, 8, 16, then a share of the iterations so far apart: each costs as much as
# a few iterations, and iterations after the target was reached are wasted.
DOUBLING, USUAL_SHARE = 16, 8
# With a target: rarely while exploitability is above FAR times the target, often from CLOSE on.
FAR, FAR_SHARE = 4.0, 2
CLOSE, CLOSE_SHARE = 1.5, 32
CHUNK_S = 0.1  # a compiled call cannot be interrupted, so it should be short


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one evaluation of the solver."""

    iteration: int
    seconds: float
    evaluation: Evaluation
    stop: Stop | None = None  # set in the last report of a run
    failure: str = ""  # why the method could not continue

    @property
    def exploitability(self) -> float:
        return self.evaluation.exploitability


def run(
    solver: Solver,
    *,
    until: Limits,
    iterate: Iterate = Iterate.AVERAGE,
    listen: Listener = nobody,
    looked: Mapping[int, float] | None = None,
) -> Iterator[Report]:
    """Run a solver, yielding a report per evaluation.

    `looked` are the evaluations of a resumed run: exploitability by iteration."""
    if not isinstance(solver, Solver):
        raise BadParameter(f"solver={shown(solver)}: must be a solver, as rl.solver makes them")
    if not isinstance(until, Limits):
        raise BadParameter(f"until={shown(until)}: must be Limits, as in Limits(target=1e-6)")
    solver.step(0)  # compile before the clock starts
    look(solver, iterate)
    pace = _Pace(until, listen)
    with interrupts() as interrupted:
        # A finished run that is resumed is evaluated before it continues.
        looked = dict(looked or {})
        following = solver.iteration if max(looked, default=0) == solver.iteration else 0
        while True:
            following = following or _check_after(looked, until)
            failure = ""
            while solver.iteration < following and not (interrupted() or pace.is_over()):
                if solver.finished:
                    break
                before, started = solver.iteration, time.perf_counter()
                try:
                    solver.step(pace.chunk(following - before))
                except Unsolved as error:
                    failure = str(error)
                    break
                except Interrupted:
                    if not solver.iteration:  # an exact method has nothing before it is done
                        raise
                    break
                pace.learn(solver, before, started)
            if interrupted() or pace.is_over():
                solver.settle()
            evaluation = look(solver, iterate)
            looked[solver.iteration], following = evaluation.exploitability, 0
            pace.exploitability = evaluation.exploitability
            stop = _reason(solver, evaluation, until, interrupted(), pace.is_over())
            stop = Stop.FAILED if failure else stop
            yield Report(solver.iteration, pace.seconds(), evaluation, stop, failure)
            if stop is not None:
                return


def look(solver: Solver, iterate: Iterate) -> Evaluation:
    """Evaluate the solver's strategy; a large one is not copied."""
    found = solver.judged(iterate)
    if found is not None:
        return Evaluation(*zip(*found, strict=True))
    return measured(Strategy.trusted(solver.form, solver.behaviour(iterate)))


def _reason(
    solver: Solver, evaluation: Evaluation, until: Limits, interrupted: bool, late: bool
) -> Stop | None:
    if solver.finished:
        return Stop.EXACT if solver.proved else Stop.ENDED
    if until.target is not None and evaluation.exploitability <= until.target:
        return Stop.CONVERGED
    if until.iterations is not None and solver.iteration >= until.iterations:
        return Stop.BUDGET
    if late:
        return Stop.TIME
    return Stop.INTERRUPTED if interrupted else None


def _check_after(looked: Mapping[int, float], until: Limits) -> int:
    """The first evaluation after those that were made. The schedule depends on exploitability at
    its own points: where a run was interrupted makes no difference. If there was no target before,
    the last evaluation up to a point counts."""
    checked, look = max(looked, default=0), 1
    while look <= checked:
        known = max((made for made in looked if made <= look), default=None)
        share = _share(None if known is None else looked[known], until.target)
        look += look if look < DOUBLING else max(look // share, 1)
    return look if until.iterations is None else max(min(look, until.iterations), checked)


def _share(exploitability: float | None, target: float | None) -> int:
    """By which share of the iterations so far to continue before the next evaluation."""
    if exploitability is None or not target:
        return USUAL_SHARE
    if exploitability > FAR * target:
        return FAR_SHARE
    return CLOSE_SHARE if exploitability <= CLOSE * target else USUAL_SHARE


class _Pace:
    """Speed, time left, and how many iterations to run per call."""

    def __init__(self, until: Limits, listen: Listener) -> None:
        self.until, self.listen = until, listen
        self.started = time.perf_counter()
        self.speed = 0.0
        self.exploitability: float | None = None
        self.first: tuple[int, float] | None = None  # iteration and exploitability, early on

    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def is_over(self) -> bool:
        return self.until.seconds is not None and self.seconds() >= self.until.seconds

    def chunk(self, most: int) -> int:
        span = CHUNK_S
        if self.until.seconds is not None:
            span = min(span, max(self.until.seconds - self.seconds(), 0.0))
        return max(1, min(most, int(self.speed * span)))

    def learn(self, solver: Solver, before: int, started: float) -> None:
        iteration = solver.iteration
        self.speed = (iteration - before) / max(time.perf_counter() - started, 1e-9)
        done, left = self._outlook(iteration)
        news = solver.news()
        self.listen(
            Progress("solving", iteration, self.exploitability, self.speed, done, left, news)
        )

    def _outlook(self, iteration: int) -> tuple[float, float | None]:
        """Share of the work done and seconds left, by the limit that comes first."""
        total = self._expected_iterations(iteration)
        if self.until.iterations is not None:
            total = min(total or self.until.iterations, self.until.iterations)
        done = iteration / total if total else 0.0
        left = (total - iteration) / self.speed if total and self.speed else None
        if self.until.seconds is not None:
            remaining = max(self.until.seconds - self.seconds(), 0.0)
            if left is None or remaining < left:
                done, left = self.seconds() / self.until.seconds, remaining
        return min(done, 1.0), left

    def _expected_iterations(self, iteration: int) -> float | None:
        """Exploitability falls like a power of the iterations: extend that line to the target."""
        now = self.exploitability
        if self.until.target is None or self.until.target <= 0 or not now or iteration < 10:
            return None
        if self.first is None:
            self.first = (iteration, now)
        then, worse = self.first
        if now >= worse or iteration <= then:
            return None
        power = log(worse / now) / log(iteration / then)
        more: float = max(now / self.until.target, 1.0) ** (1 / max(power, 0.2))
        return iteration * more
