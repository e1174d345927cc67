"""A run of a solver: the loop, with an evaluation from time to time.

Exploitability is evaluated after fixed numbers of iterations, so that a run ends at the
same iteration however fast the machine is and however often it was resumed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import inf

from regretless.core.errors import BadParameter, Interrupted, Unsolved, shown
from regretless.core.interrupts import interrupted, interrupts
from regretless.core.loop import Loop
from regretless.core.progress import Listener, nobody
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


@dataclass(frozen=True, slots=True)
class RunReport:
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
    save: Callable[[], None] | None = None,
    save_s: float = inf,
) -> Iterator[RunReport]:
    """Run a solver, yielding a report per evaluation.

    `looked` are the evaluations of a resumed run: exploitability by iteration. `save` is called
    every `save_s` seconds."""
    if not isinstance(solver, Solver):
        raise BadParameter(f"solver={shown(solver)}: must be a solver, as rl.solver makes them")
    if not isinstance(until, Limits):
        raise BadParameter(f"until={shown(until)}: must be Limits, as in Limits(target=1e-6)")
    solver.step(0)  # compile before the clock starts
    evaluation_of(solver, iterate)
    loop = Loop(work=solver, **asdict(until), listen=listen, save=save, save_s=save_s)
    with interrupts():
        # A finished run that is resumed is evaluated before it continues.
        looked = dict(looked or {})
        following = solver.iteration if max(looked, default=0) == solver.iteration else 0
        while True:
            failure = ""
            try:
                loop.advance(following or _check_after(looked, until))
            except Unsolved as error:
                failure = str(error)
            except Interrupted:
                if not solver.iteration:  # an exact method has nothing before it is done
                    raise
            limit = ended(loop)
            if limit in (Stop.TIME, Stop.INTERRUPTED):
                solver.settle()
            evaluation = _timed_evaluation(solver, iterate, loop)
            looked[solver.iteration], following = evaluation.exploitability, 0
            stop = _done(solver, evaluation, until) or limit or ended(loop)
            stop = Stop.FAILED if failure else stop
            yield RunReport(solver.iteration, loop.spent(), evaluation, stop, failure)
            if stop is not None:
                return


def _timed_evaluation(solver: Solver, iterate: Iterate, loop: Loop) -> Evaluation:
    began = time.perf_counter()
    evaluation = evaluation_of(solver, iterate)
    loop.evaluation_s = time.perf_counter() - began
    loop.exploitability = evaluation.exploitability
    return evaluation


def evaluation_of(solver: Solver, iterate: Iterate) -> Evaluation:
    """Evaluate the solver's strategy; a large one is not copied."""
    judged = solver.judged(iterate)
    if judged is not None:
        return Evaluation(*zip(*judged, strict=True))
    return measured(Strategy.trusted(solver.form, solver.behaviour(iterate)))


def _done(solver: Solver, evaluation: Evaluation, until: Limits) -> Stop | None:
    """Whether the strategy is what was asked for."""
    if solver.finished:
        return Stop.EXACT if solver.proved(evaluation.exploitability) else Stop.ENDED
    reached = until.target is not None and evaluation.exploitability <= until.target
    return Stop.CONVERGED if reached else None


def ended(loop: Loop) -> Stop | None:
    """The limit that ends a loop here, apart from a target."""
    if loop.iterations is not None and loop.work.iteration >= loop.iterations:
        return Stop.BUDGET
    if loop.is_late():
        return Stop.TIME
    return Stop.INTERRUPTED if interrupted() else None


def _check_after(looked: Mapping[int, float], until: Limits) -> int:
    """The first evaluation after those that were made. The schedule depends on exploitability at
    its own points: where a run was interrupted makes no difference. If there was no target before,
    the last evaluation up to a point counts."""
    checked, due = max(looked, default=0), 1
    while due <= checked:
        known = max((made for made in looked if made <= due), default=None)
        share = _share(None if known is None else looked[known], until.target)
        due += due if due < DOUBLING else max(due // share, 1)
    return due if until.iterations is None else max(min(due, until.iterations), checked)


def _share(exploitability: float | None, target: float | None) -> int:
    """By which share of the iterations so far to continue before the next evaluation."""
    if exploitability is None or not target:
        return USUAL_SHARE
    if exploitability > FAR * target:
        return FAR_SHARE
    return CLOSE_SHARE if exploitability <= CLOSE * target else USUAL_SHARE
