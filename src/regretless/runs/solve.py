"""From a game's name to a solution, in one call."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from regretless.core.errors import BadFile, BadInput, BadParameter
from regretless.core.files import require_writable
from regretless.core.memory import size_text
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.exploitability import Evaluation, evaluate
from regretless.forms.choice import form_kind, form_of
from regretless.forms.form import Form
from regretless.games._spot import Spot
from regretless.games._state import Game
from regretless.kernels.compiled import announced
from regretless.runs.limits import DEFAULT_ITERATIONS, Limits, Stop
from regretless.runs.run import Report, run
from regretless.runs.solution import Look, Solution, saved_trace
from regretless.runs.spot_runs import (
    default_target,
    is_spot,
    plain_target,
    saved_game,
    target_in_chips,
)
from regretless.solvers import _catalog
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy import files
from regretless.strategy.strategy import Strategy

# Fastest on most small games (docs/measurements/methods.md), and on Rhode Island
# (docs/measurements/public-sweep.md).
DEFAULT_METHODS = {"sequence": "sapcfr+", "public": "dcfr"}
CHECKPOINT_S = 30.0
WORTH_TELLING = 64 * 2**20  # bytes of memory: less is there everywhere


def solve(
    game: str | Game | Spot | Form | None = None,
    *,
    method: str | None = None,
    target: str | float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    strategy: str | None = None,
    form: str = "auto",
    threads: int = 1,
    seed: int = 0,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    checkpoint_s: float = CHECKPOINT_S,
    keep_state: bool = False,
    listen: Listener = nobody,
) -> Solution:
    """Solve a game until a target exploitability, a number of iterations or of seconds.

    Without any of them: 1e-6 or 100,000 iterations, and until it is solved by an exact method; a
    resumed run keeps its own limits. Of a spot a target such as "0.5%" is of the pot, and is
    the one without any; `keep_state` writes what is needed to go on after the end, too.
    `strategy` chooses the average, current or last iterate, `form` the sequence or public
    form; threads share the boards of a public form. `out` is written every
    `checkpoint_s` seconds and at the end; `resume` continues a written run exactly."""
    Limits(target=plain_target(target), iterations=iterations, seconds=seconds)  # or refused
    if not checkpoint_s > 0:
        raise BadParameter(f"checkpoint_s={checkpoint_s}: allowed is more than 0")
    if out is None and resume is not None:
        out = resume
    if out is not None:
        require_writable(out)
    with announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))):
        build = partial(_form, kind=form, threads=threads)
        work = _Work.prepare(build, game, method, strategy, seed, resume, listen)
        if (target, iterations, seconds) != (None, None, None):
            chips = target_in_chips(work.solver.form, target)
            work.limits = Limits(target=chips, iterations=iterations, seconds=seconds)
        work.keep_state = keep_state
        return work.run(Path(out) if out is not None else None, checkpoint_s, listen)


def with_parameters(method: str | None, **given: str | None) -> str | None:
    """A method's text with these parameters added, as far as they are given."""
    more = [f"{name}={value}" for name, value in given.items() if value is not None]
    if not more:
        return method
    if method is None:
        raise BadInput(f"{more[0]} is a parameter of a method: name one, as method=double-oracle")
    return f"{method}{',' if ':' in method else ':'}{','.join(more)}"


def evaluate_file(
    path: str | Path, *, game: str | Game | None = None, threads: int = 1
) -> Evaluation:
    """Evaluate a saved strategy from its probabilities alone."""
    return evaluate(load_strategy(path, game=game, threads=threads))


def load_strategy(
    path: str | Path, *, game: str | Game | None = None, threads: int = 1
) -> Strategy:
    """A saved strategy; `game` where the file of its game has moved."""
    saved = files.read(path)
    kind = _saved_kind(saved.about)
    form = _form(game if game is not None else saved_game(saved.about), kind=kind, threads=threads)
    return saved.strategy(form)


class _Work:
    """A solver and all that its solution will say about it."""

    def __init__(self, solver: Solver, *, method: str, iterate: Iterate, seed: int) -> None:
        self.solver, self.method, self.iterate, self.seed = solver, method, iterate, seed
        self.limits = _usual_limits(solver)
        self.keep_state = False
        self.trace: tuple[Look, ...] = ()
        self.seconds_before = 0.0

    @classmethod
    def prepare(
        cls,
        build: partial[Form],
        game: str | Game | Spot | Form | None,
        method: str | None,
        strategy: str | None,
        seed: int,
        resume: str | Path | None,
        listen: Listener,
    ) -> _Work:
        if resume is not None:
            return cls._resumed(build, game, method, strategy, resume)
        if game is None:
            raise BadInput("no game: name one, or a file to resume")
        name = _catalog.canonical(method) if method is not None else ""
        listen(Progress("building the form"))
        form = build(game, **_needed_form(name, build))
        name = name or DEFAULT_METHODS[form_kind(form)]
        needed = form.memory_bytes + _catalog.memory_bytes(name, form)
        if needed >= WORTH_TELLING:
            listen(Progress(f"memory needed: about {size_text(needed)}"))
        iterate = _iterate(strategy or Iterate.AVERAGE)
        return cls(_catalog.solver(name, form, seed=seed), method=name, iterate=iterate, seed=seed)

    @classmethod
    def _resumed(
        cls,
        build: partial[Form],
        game: str | Game | Spot | Form | None,
        method: str | None,
        strategy: str | None,
        resume: str | Path,
    ) -> _Work:
        saved = files.read(resume)
        about = saved.about
        form = build(game if game is not None else saved_game(about), kind=_saved_kind(about))
        saved.strategy(form)  # checks that it belongs to the game
        name = _catalog.canonical(method or about["method"])
        if name != about["method"]:
            raise BadInput(f"{resume} was made by {about['method']}: it cannot go on as {name}")
        if not saved.state:
            told = "holds a strategy but no solver state: it cannot be resumed"
            hint = " (a spot keeps it with --keep-state)" if is_spot(form) else ""
            raise BadFile(resume, told + hint)
        solver = _catalog.solver(name, form)
        solver.restore(saved.state)
        iterate = _iterate(strategy or about.get("strategy", Iterate.AVERAGE))
        work = cls(solver, method=name, iterate=iterate, seed=int(about.get("seed", 0)))
        work.limits = _limits(about.get("limits"))
        work.trace = saved_trace(about)
        work.seconds_before = float(about.get("seconds", 0.0))
        return work

    def run(self, out: Path | None, checkpoint_s: float, listen: Listener) -> Solution:
        saved_at = time.perf_counter()

        def tick(progress: Progress) -> None:
            nonlocal saved_at
            listen(progress)
            if out is not None and time.perf_counter() - saved_at >= checkpoint_s:
                self._checkpoint(started).save(out)
                saved_at = time.perf_counter()

        started = time.perf_counter()
        checked = self.trace[-1].iteration if self.trace else 0
        report: Report | None = None
        for report in run(
            self.solver, until=self.limits, iterate=self.iterate, listen=tick, checked=checked
        ):
            spent = self.seconds_before + report.seconds
            if not self.trace or report.iteration > self.trace[-1].iteration:
                self.trace += (Look(report.iteration, spent, report.exploitability),)
        assert report is not None
        stop = report.stop or Stop.INTERRUPTED
        solution = self._solution(report.evaluation, self.seconds_before + report.seconds, stop)
        solution = replace(solution, failure=report.failure)
        if out is not None:
            solution = replace(solution, out=str(out))
            solution.save(out)
        return solution

    def _checkpoint(self, started: float) -> Solution:
        """What would be the solution if the run were killed now."""
        found = Strategy(self.solver.form, self.solver.behaviour(self.iterate))
        seconds = self.seconds_before + time.perf_counter() - started
        return self._solution(evaluate(found), seconds, Stop.INTERRUPTED)

    def _solution(self, evaluation: Evaluation, seconds: float, stop: Stop) -> Solution:
        form = self.solver.form
        return Solution(
            strategy=Strategy(form, self.solver.behaviour(self.iterate)),
            method=self.method,
            iterate=str(self.iterate),
            seed=self.seed,
            iterations=self.solver.iteration,
            seconds=seconds,
            stop=stop,
            evaluation=evaluation,
            trace=self.trace,
            version=version("regretless"),
            limits=asdict(self.limits),
            state=self.solver.state(),
            details=self.solver.details(),
            remarks=tuple(self.solver.remarks()),
            memory_bytes=form.memory_bytes + _catalog.memory_bytes(self.method, form),
            keeps_state=self.keep_state,
        )


def _usual_limits(solver: Solver) -> Limits:
    """When a run ends if nothing is said."""
    if solver.is_exact:
        return Limits(iterations=DEFAULT_ITERATIONS)
    if is_spot(solver.form):
        return Limits(target=default_target(solver.form), iterations=DEFAULT_ITERATIONS)
    return Limits()


def _form(game: str | Game | Spot | Form, *, kind: str = "auto", threads: int = 1) -> Form:
    if isinstance(game, str | Game | Spot):
        return form_of(game, kind=kind, threads=threads)
    return game


def _needed_form(method: str, build: partial[Form]) -> dict[str, str]:
    """Some methods need every terminal written out, or the public tree."""
    if not method or build.keywords["kind"] != "auto":
        return {}
    needed = _catalog.needed_form(method)
    return {"kind": needed} if needed else {}


def _saved_kind(about: Mapping[str, Any]) -> str:
    return str(about.get("form", "sequence"))


def _limits(saved: object) -> Limits:
    try:
        return Limits(**saved) if isinstance(saved, dict) else Limits()
    except TypeError:
        raise BadInput(f"damaged limits: {str(saved)[:60]}") from None


def _iterate(name: str) -> Iterate:
    try:
        return Iterate(name)
    except ValueError:
        allowed = ", ".join(Iterate)
        raise BadParameter(f"strategy={name}: allowed is {allowed}") from None
