"""From a game's name to a solution, in one call."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._hand_map import HandMap
from regretless.blueprints.blueprint import Blueprint
from regretless.core.errors import BadFile, BadInput, one_of, shown
from regretless.core.files import require_distinct
from regretless.core.memory import size_text
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.specs import Spec
from regretless.evaluation.exploitability import Evaluation, measured
from regretless.forms.choice import building_s, form_kind
from regretless.forms.form import Form
from regretless.forms.precision import Precision
from regretless.forms.public import PublicForm
from regretless.forms.sequence import SequenceForm
from regretless.games._catalog import game_file
from regretless.games._spot import Spot
from regretless.games._state import Game
from regretless.runs.blueprint_runs import trained
from regretless.runs.least_exploitable import METHOD as CFR_BR
from regretless.runs.least_exploitable import AbstractCfrBr
from regretless.runs.limits import DEFAULT_ITERATIONS, Limits, Stop
from regretless.runs.opening import with_model
from regretless.runs.request import Request, at_work, in_time, require_same
from regretless.runs.run import RunReport, evaluation_of, run
from regretless.runs.solution import CurvePoint, Solution, saved_trace
from regretless.runs.spot_runs import default_target, is_spot
from regretless.solvers import _catalog
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy import files
from regretless.strategy.packed import PackedStrategy
from regretless.strategy.strategy import Strategy

# Fastest on most small games (docs/measurements/methods.md), and on Rhode Island
# (docs/measurements/public-sweep.md).
DEFAULT_METHODS = {"sequence": "sapcfr+", "public": "dcfr"}
SPOT_METHOD = "dcfr:gamma=4"  # about a tenth fewer iterations (docs/measurements/holdem_spots.md)
WORTH_SAYING = 64 * 2**20  # bytes of memory: less is always available
WORTH_SAYING_S = 5.0  # of building a form
LEAST_S = 1e-3  # left to a run whose game took all the time to walk


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
    precision: str | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    checkpoint_s: float | None = None,
    keep_state: bool = False,
    abstraction: str | Path | Abstraction | HandMap | None = None,
    listen: Listener = nobody,
) -> Solution | Any:
    """Solve a game until a target exploitability, a number of iterations or of seconds.

    Default limits: 1e-6 or 100,000 iterations; exact methods run to the end; a resumed run
    keeps its own limits. For a spot, a target such as "0.5%" is a percentage of the pot, and
    0.5% is the default; `keep_state` also saves what is needed to continue after the target.
    `strategy` chooses the average, current or last iterate, `form` the sequence or public
    form; threads share the boards of a public form. `precision` is single or double (default:
    single for large public forms). `seed` is for methods that draw random numbers. `out` is
    written every `checkpoint_s` seconds (default 30) and at the end; `resume` continues a saved
    run exactly; one in single precision may continue in double.

    With an `abstraction`, or a file or spec of one, the abstract game is solved, and the solution
    is lifted and measured in the full game. The target then refers to the abstract game if that
    is a sequence form, and to the full game if hands share cells of the public form, or if the
    method is cfr-br, which learns against best responses of the full game. Hold'em on a map of
    hands is trained by sampled boards, unless another method is named: the result is then a
    Blueprint, as from `train_blueprint`."""
    asked = {name: given for name, given in locals().items() if name != "listen"}
    return fulfilled(Request(**asked), listen)


def fulfilled(request: Request, listen: Listener = nobody) -> Solution | Blueprint:
    """What was asked for: a solution, or a blueprint if the request is for training."""
    with at_work(request.written, listen):
        if request.trains:
            return trained(request, listen)
        work = _prepared(request, listen) if request.resume is None else _resumed(request, listen)
        work.limits = request.limits(work.solver.form) or work.limits
        work.keep_state = request.keep_state
        return work.run(request.written, request.save_s, listen)


def _prepared(request: Request, listen: Listener) -> _SolverRun:
    listen(Progress("building the form"))
    game, kind = request.source, request.kind
    expected = building_s(game) if game is not None and kind == "auto" else 0.0
    if expected > WORTH_SAYING_S:
        listen(Progress(f"building the form: about {expected:,.0f} s", notice=True))
    began = time.perf_counter()
    with in_time(request.seconds):
        form = request.built()
    built_s = time.perf_counter() - began
    abstraction = request.abstracted(form)
    method = request.spec
    if abstraction is not None:
        form = abstraction.form()
        if method is not None and _catalog.needed_form(method) == "sequence":
            abstraction.require_recall(method.text)
    if method is None:
        usual = SPOT_METHOD if is_spot(form) else DEFAULT_METHODS[form_kind(form)]
        method = _catalog.parsed(usual)
    needed = form.memory_bytes + _catalog.memory_bytes(method, form)
    if needed >= WORTH_SAYING:
        listen(Progress(f"memory: about {size_text(needed)}", notice=True))
    work = _SolverRun(request, method, form, abstraction, seed=request.seed or 0)
    work.built_s = built_s
    return work


def _resumed(request: Request, listen: Listener) -> _SolverRun:
    path = request.resume
    assert path is not None
    saved = files.read(path)
    about, state = saved.about, saved.state
    require_distinct({"out": request.written}, {"the game": game_file(about["game"])})
    _require_run(path, about)
    kind = str(about.get("form", "sequence"))
    method = request.spec or _catalog.parsed(about["method"])
    seed = _saved(about, "seed", int, 0)
    require_same(
        path,
        method=(method.text, about["method"]),
        form=(kind if request.form == "auto" else request.form, kind),
        seed=(seed if request.seed is None else request.seed, seed),
    )
    precision = Precision.of(state) if kind == "public" else None
    if (precision, request.precision) == (Precision.SINGLE, Precision.DOUBLE):
        precision = Precision.DOUBLE
        singles = {n: v for n, v in state.items() if v.dtype == np.float32}
        state = state | {n: v.astype(np.float64) for n, v in singles.items()}
    made = precision or Precision.DOUBLE
    require_same(path, precision=(request.precision or made, made))
    if not state:
        hint = " (a spot keeps it only if asked to)" if "spot" in about else ""
        raise BadFile(path, f"holds a strategy but no solver state: it cannot be resumed{hint}")
    listen(Progress("building the form"))
    game, began = request.source, time.perf_counter()
    if game is None or isinstance(game, Game):
        with in_time(request.seconds):
            form = files.saved_form(saved, game, threads=request.threads, precision=precision)
    else:
        form = request.given_form(game, kind)
    built_s = time.perf_counter() - began
    if saved.is_packed:
        saved.require_fit(form)
    else:
        saved.strategy(form)  # checks its probabilities, too
    abstraction = _same_abstraction(path, about, request.abstracted(form))
    form = abstraction.form() if abstraction is not None else form
    kept = str(about.get("strategy", Iterate.AVERAGE))
    one_of("strategy", kept, Iterate)
    work = _SolverRun(request, method, form, abstraction, seed=seed, iterate=kept)
    try:
        work.solver.restore(state)
    except BadInput:
        if not saved.is_old:
            raise
        reason = f"made by version {about['version']}, whose runs cannot be resumed by this one"
        raise BadFile(path, f"{reason}: solve game {form.spec} again") from None
    work.limits = _limits(about.get("limits"))
    work.trace = saved_trace(about)
    work.seconds_before = _saved(about, "seconds", float, 0.0)
    work.built_s = built_s
    return work


def _require_run(resume: str | Path, about: Mapping[str, Any]) -> None:
    """Refuse what `refine` and `purify` wrote: there is no run behind it."""
    made = about.get("refinement") and f"refine ({about['refinement']})"
    made = made or (about.get("source") and f"purify ({about['method']})")
    if made:
        raise BadFile(resume, f"made by {made}, not by solve: there is no run to resume")


def _same_abstraction(
    resume: str | Path, about: Mapping[str, Any], given: Abstraction | None
) -> Abstraction | None:
    """Refuse to continue in a different abstract game."""
    made = about.get("details", {}).get("abstraction")
    if made is None and given is None:
        return None
    if made is None:
        raise BadInput(f"{resume} was made without an abstraction: it cannot continue with one")
    if given is None or made.get("fingerprint") != given.form().fingerprint():
        raise BadInput(f"{resume} was made in the abstraction {made.get('by')}: name that one")
    return given


class _SolverRun:
    """A solver and everything that its solution will report."""

    def __init__(
        self,
        request: Request,
        method: Spec,
        form: Form,
        abstraction: Abstraction | None,
        *,
        seed: int,
        iterate: str = Iterate.AVERAGE,
    ) -> None:
        self.method, self.abstraction, self.seed = method, abstraction, seed
        self.solver = (
            AbstractCfrBr(abstraction, method=method)
            if abstraction is not None and method.name == CFR_BR  # on the full game's form
            else _catalog.solver(with_model(method, form), form, seed=seed)
        )
        self.iterate = request.iterate(self.solver, method.text, iterate)
        self.limits = _usual_limits(self.solver)
        self.keep_state = self.is_final = False
        self.trace: tuple[CurvePoint, ...] = ()
        self.seconds_before = self.built_s = 0.0

    @property
    def until(self) -> Limits:
        """The limits of what is left to do: walking the game took a part of the time."""
        limits = self.limits
        if limits.seconds is None or not isinstance(self.solver.form, SequenceForm):
            return limits
        return replace(limits, seconds=max(limits.seconds - self.built_s, LEAST_S))

    def run(self, out: Path | None, checkpoint_s: float, listen: Listener) -> Solution:
        started = time.perf_counter()
        looked = {point.iteration: point.exploitability for point in self.trace}
        report: RunReport | None = None
        for report in run(
            self.solver,
            until=self.until,
            iterate=self.iterate,
            listen=listen,
            looked=looked,
            save=None if out is None else lambda: self._checkpoint(started).write(out),
            save_s=checkpoint_s,
        ):
            spent = self.seconds_before + report.seconds
            if not self.trace or report.iteration > self.trace[-1].iteration:
                self.trace += (CurvePoint(report.iteration, spent, report.exploitability),)
        assert report is not None
        stop = report.stop or Stop.INTERRUPTED
        self.is_final = not self.keep_state and stop not in (Stop.INTERRUPTED, Stop.FAILED)
        solution = self._solution(report.evaluation, self.seconds_before + report.seconds, stop)
        solution = replace(solution, failure=report.failure)
        if out is not None:
            solution = replace(solution, out=str(out))
            solution.write(out)
        return solution

    def _checkpoint(self, started: float) -> Solution:
        """The solution if the run ended now."""
        seconds = self.seconds_before + time.perf_counter() - started
        return self._solution(evaluation_of(self.solver, self.iterate), seconds, Stop.INTERRUPTED)

    def _solution(self, evaluation: Evaluation, seconds: float, stop: Stop) -> Solution:
        form, iterations = self.solver.form, self.solver.iteration
        average = is_spot(form) and self.iterate is Iterate.AVERAGE
        average = average and self.abstraction is None
        if self.is_final and isinstance(form, PublicForm):
            form.free_scratch()  # the strategy, which comes next, is as large as the average
        numbers = self.solver.proportions(final=self.is_final) if average else None
        strategy = (
            PackedStrategy(form, numbers)
            if numbers is not None
            else Strategy.trusted(form, self.solver.behaviour(self.iterate))
        )
        details, remarks = dict(self.solver.details()), list(self.solver.remarks())
        if self.abstraction is not None:
            inside = form is not self.abstraction.full
            details["abstraction"] = _abstract_facts(
                self.abstraction, evaluation if inside and self.abstraction.is_merged else None
            )
            remarks.append(("abstraction", _abstract_text(details["abstraction"])))
            if inside:
                strategy = self.abstraction.lift(strategy)
                evaluation = measured(strategy)
        return Solution(
            strategy=strategy,
            method=self.method.text,
            iterate=str(self.iterate),
            seed=self.seed,
            iterations=iterations,
            seconds=seconds,
            stop=stop,
            evaluation=evaluation,
            trace=self.trace,
            version=version("regretless"),
            limits=asdict(self.limits),
            state=self.solver.state(),
            details=details,
            remarks=tuple(remarks),
            memory_bytes=form.memory_bytes + _catalog.memory_bytes(self.method, form),
            keeps_state=self.keep_state,
        )


def _abstract_facts(abstraction: Abstraction, evaluation: Evaluation | None) -> dict[str, Any]:
    """The abstraction that was solved, and the exploitability there if it was measured."""
    facts = {**abstraction.facts(), "fingerprint": abstraction.form().fingerprint()}
    if evaluation is not None:
        facts["exploitability"] = evaluation.exploitability
        facts["values"] = list(evaluation.values)
    return facts


def _abstract_text(facts: Mapping[str, Any]) -> str:
    points = ", ".join(f"{count:,}" for count in facts["decision_points"]["after"])
    if "exploitability" not in facts:
        recall = "perfect" if facts["perfect_recall"] else "imperfect"
        return f"{facts['by']}: {points} decision points, {recall} recall"
    return f"{facts['by']}: {points} decision points, exploitability {facts['exploitability']:.3e}"


def _usual_limits(solver: Solver) -> Limits:
    """When a run ends by default."""
    if solver.is_exact:
        return Limits(iterations=DEFAULT_ITERATIONS)
    if is_spot(solver.form):
        return Limits(target=default_target(solver.form), iterations=DEFAULT_ITERATIONS)
    return Limits()


def _saved(about: Mapping[str, Any], key: str, kind: Any, default: Any) -> Any:
    """A number from a file's metadata."""
    try:
        return kind(about.get(key, default))
    except (TypeError, ValueError):
        raise BadInput(f"damaged {key}: {shown(about.get(key))}") from None


def _limits(saved: object) -> Limits:
    try:
        return Limits(**saved) if isinstance(saved, dict) else Limits()
    except (TypeError, BadInput):
        raise BadInput(f"damaged limits: {str(saved)[:60]}") from None
