"""From a game's name to a solution, in one call."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._catalog import any_abstraction
from regretless.core.errors import (
    BadFile,
    BadInput,
    BadParameter,
    WrongGame,
    number,
    one_of,
    shown,
    whole,
)
from regretless.core.files import locked, require_distinct, require_writable
from regretless.core.memory import size_text
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.exploitability import Evaluation, measured
from regretless.forms.choice import FORMS, MOST_THREADS, any_form, any_game, building_s, form_kind
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.games._catalog import game_file
from regretless.games._spot import Spot
from regretless.games._state import Game
from regretless.kernels.compiled import announced
from regretless.runs.least_exploitable import AbstractCfrBr, is_cfr_br
from regretless.runs.limits import DEFAULT_ITERATIONS, Limits, Stop
from regretless.runs.method_forms import form_for, kind_for
from regretless.runs.run import Report, look, run
from regretless.runs.solution import Look, Solution, saved_trace
from regretless.runs.spot_runs import default_target, is_spot, plain_target, target_in_chips
from regretless.solvers import _catalog
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy import files
from regretless.strategy.packed import PackedStrategy
from regretless.strategy.strategy import Strategy

# Fastest on most small games (docs/measurements/methods.md), and on Rhode Island
# (docs/measurements/public-sweep.md).
DEFAULT_METHODS = {"sequence": "sapcfr+", "public": "dcfr"}
SPOT_METHOD = "dcfr:gamma=4"  # about a tenth fewer iterations (docs/measurements/holdem_spots.md)
CHECKPOINT_S = 30.0
WORTH_SAYING = 64 * 2**20  # bytes of memory: less is always available
WORTH_SAYING_S = 5.0  # of building a form
MOST_SEED = 2**63 - 1
PRECISION_OF = {np.int16: "compact", np.float32: "single", np.float64: "double"}


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
    abstraction: str | Path | Abstraction | None = None,
    listen: Listener = nobody,
) -> Solution:
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
    method is cfr-br, which learns against best responses of the full game."""
    game = game.game if isinstance(game, Spot) else game
    Limits(target=plain_target(target), iterations=iterations, seconds=seconds)  # or refused
    wanted = _Wanted(method, strategy, form, threads, precision, seed, abstraction)
    if checkpoint_s is not None and not number("checkpoint_s", checkpoint_s) > 0:
        raise BadParameter(f"checkpoint interval of {checkpoint_s} s: must be more than 0")
    if out is None and resume is not None:
        out = resume
    if out is None and checkpoint_s is not None:
        raise BadParameter("checkpoint interval: needs a file to write: name it with out")
    if out is not None:
        require_writable(out)
        require_distinct({"out": out}, {"the game": game_file(game)})
    with (
        announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))),
        locked(out) if out is not None else nullcontext(),
    ):
        prepare = partial(_resumed, resume, out or resume) if resume is not None else _prepared
        work = prepare(game, wanted, listen)
        if (target, iterations, seconds) != (None, None, None):
            chips = target_in_chips(work.solver.form, target)
            work.limits = Limits(target=chips, iterations=iterations, seconds=seconds)
        work.keep_state = keep_state
        pause = CHECKPOINT_S if checkpoint_s is None else checkpoint_s
        return work.run(Path(out) if out is not None else None, pause, listen)


@dataclass(frozen=True)
class _Wanted:
    """How the game is to be solved; None and auto choose by game."""

    method: str | None
    strategy: str | None
    form: str
    threads: int
    precision: str | None
    seed: int | None
    abstraction: str | Path | Abstraction | None = None

    def __post_init__(self) -> None:
        if self.method is not None and not isinstance(self.method, str):
            raise BadParameter(f"method={shown(self.method)}: must be a name such as 'cfr+'")
        if self.strategy is not None:
            one_of("strategy", self.strategy, Iterate)
        if self.seed is not None:
            whole("seed", self.seed, 0, MOST_SEED)
        one_of("form", self.form, FORMS)
        whole("threads", self.threads, 1, MOST_THREADS)

    def built(self, game: str | Game | Form, kind: str, method: str = "") -> Form:
        """The form of the game; a given form is used as is."""
        if isinstance(game, str | Game):
            return form_for(game, method, kind, self.threads, self.precision)
        given = any_form(game)
        if kind not in ("auto", form_kind(given)):
            raise BadParameter(f"form={kind}: the given form is a {form_kind(given)} form")
        if self.threads > 1:
            raise BadParameter(f"threads={self.threads}: set when the form is built")
        if self.precision is not None:
            raise BadParameter(f"precision={self.precision}: set when the form is built")
        return given

    def abstracted(self, full: Form) -> Abstraction | None:
        """The abstraction of this form to be solved, if any."""
        if self.abstraction is None:
            return None
        found = any_abstraction(self.abstraction, full)
        if found.full is not full and found.full.fingerprint() != full.fingerprint():
            raise WrongGame(f"abstraction of {found.full.spec}: does not fit game {full.spec}")
        return found

    def iterate(self, solver: Solver, method: str, saved: str = "average") -> Iterate:
        """Which strategy of the solver to keep."""
        chosen = Iterate(self.strategy or saved)
        if solver.is_exact and chosen is not Iterate.AVERAGE:
            raise BadParameter(f"strategy={chosen}: {method} finds one strategy only")
        if chosen not in solver.iterates:
            kept = ", ".join(solver.iterates)
            raise BadParameter(f"strategy={chosen}: {method} keeps {kept}")
        return chosen


def _prepared(game: str | Game | Form | None, wanted: _Wanted, listen: Listener) -> _Work:
    if game is None:
        raise BadInput("no game: name one, or a file to resume")
    name = _catalog.canonical(wanted.method) if wanted.method is not None else ""
    kind = kind_for(name, wanted.form)  # some methods need every terminal, or the public tree
    listen(Progress("building the form"))
    game = any_game(game) if isinstance(game, str) else game  # once: it may be user code
    expected = building_s(game) if kind == "auto" else 0.0
    if expected > WORTH_SAYING_S:
        listen(Progress(f"building the form: about {expected:,.0f} s"))
    if isinstance(wanted.abstraction, Abstraction):
        kind = form_kind(wanted.abstraction.full) if kind == "auto" else kind
    form = wanted.built(game, kind if isinstance(game, str | Game) else wanted.form, name)
    abstraction = wanted.abstracted(form)
    if abstraction is not None:
        form = abstraction.form()
        if name and _catalog.needed_form(name) == "sequence":
            abstraction.require_recall(name)
    usual = SPOT_METHOD if is_spot(form) else DEFAULT_METHODS[form_kind(form)]
    name = name or _catalog.canonical(usual)
    needed = form.memory_bytes + _catalog.memory_bytes(name, form)
    if needed >= WORTH_SAYING:
        listen(Progress(f"needs about {size_text(needed)} of memory"))
    seed = wanted.seed or 0
    solver = _solver(name, form, abstraction, seed)
    iterate = wanted.iterate(solver, name)
    return _Work(solver, method=name, iterate=iterate, seed=seed, abstraction=abstraction)


def _solver(name: str, form: Form, abstraction: Abstraction | None, seed: int) -> Solver:
    """On the abstract game's form; CFR-BR, whose best responses see all cards, on the full one."""
    if abstraction is not None and is_cfr_br(name):
        return AbstractCfrBr(abstraction, method=name)
    return _catalog.solver(name, form, seed=seed)


def _resumed(
    resume: str | Path,
    out: str | Path,
    game: str | Game | Form | None,
    wanted: _Wanted,
    listen: Listener,
) -> _Work:
    saved = files.read(resume)
    about = saved.about
    require_distinct({"out": out}, {"the game": game_file(about["game"])})
    kind = str(about.get("form", "sequence"))
    _require_run(resume, about)
    name = _catalog.canonical(wanted.method or about["method"])
    seed = _saved(about, "seed", int, 0)
    precision = _precision_of(saved.state) if kind == "public" else None
    for option, asked, made in (
        ("method", name, about["method"]),
        ("form", kind if wanted.form == "auto" else wanted.form, kind),
        ("seed", seed if wanted.seed is None else wanted.seed, seed),
    ):
        if asked != made:
            raise BadInput(
                f"{resume} was made with {option} {made}: it cannot continue with {asked}"
            )
    finer = (precision, wanted.precision) == ("single", "double")
    made = precision or "double"
    if not finer and wanted.precision not in (None, made):
        raise BadInput(
            f"{resume} was made with precision {made}: it cannot continue with {wanted.precision}"
        )
    state = saved.state
    if finer:
        precision = "double"
        singles = {n: v for n, v in state.items() if v.dtype == np.float32}
        state = state | {n: v.astype(np.float64) for n, v in singles.items()}
    if not saved.state:
        hint = " (a spot keeps it only if asked to)" if "spot" in about else ""
        raise BadFile(resume, f"holds a strategy but no solver state: it cannot be resumed{hint}")
    listen(Progress("building the form"))
    if game is None or isinstance(game, str | Game):
        form = files.saved_form(saved, game, threads=wanted.threads, precision=precision)
    else:
        form = wanted.built(game, kind)
    if saved.is_packed:
        saved.require_fit(form)
    else:
        saved.strategy(form)  # checks its probabilities, too
    abstraction = _same_abstraction(resume, about, wanted.abstracted(form))
    form = abstraction.form() if abstraction is not None else form
    solver = _solver(name, form, abstraction, seed)
    try:
        solver.restore(state)
    except BadInput:
        if not saved.is_old:
            raise
        reason = f"made by version {about['version']}, whose runs cannot be resumed by this one"
        raise BadFile(resume, f"{reason}: solve game {form.spec} again") from None
    kept = str(about.get("strategy", Iterate.AVERAGE))
    one_of("strategy", kept, Iterate)
    iterate = wanted.iterate(solver, name, kept)
    work = _Work(solver, method=name, iterate=iterate, seed=seed, abstraction=abstraction)
    work.limits = _limits(about.get("limits"))
    work.trace = saved_trace(about)
    work.seconds_before = _saved(about, "seconds", float, 0.0)
    return work


def _precision_of(state: Mapping[str, np.ndarray]) -> str | None:
    """The precision of a saved learner's memory; None if it is not a learner's."""
    if "regret" not in state:
        return None
    return PRECISION_OF.get(state["regret"].dtype.type)


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


class _Work:
    """A solver and everything that its solution will report."""

    def __init__(
        self,
        solver: Solver,
        *,
        method: str,
        iterate: Iterate,
        seed: int,
        abstraction: Abstraction | None = None,
    ) -> None:
        self.solver, self.method, self.iterate, self.seed = solver, method, iterate, seed
        self.abstraction = abstraction
        self.limits = _usual_limits(solver)
        self.keep_state = self.is_final = False
        self.trace: tuple[Look, ...] = ()
        self.seconds_before = 0.0

    def run(self, out: Path | None, checkpoint_s: float, listen: Listener) -> Solution:
        started = time.perf_counter()
        looked = {look.iteration: look.exploitability for look in self.trace}
        report: Report | None = None
        for report in run(
            self.solver,
            until=self.limits,
            iterate=self.iterate,
            listen=listen,
            looked=looked,
            save=None if out is None else lambda: self._checkpoint(started).write(out),
            save_s=checkpoint_s,
        ):
            spent = self.seconds_before + report.seconds
            if not self.trace or report.iteration > self.trace[-1].iteration:
                self.trace += (Look(report.iteration, spent, report.exploitability),)
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
        return self._solution(look(self.solver, self.iterate), seconds, Stop.INTERRUPTED)

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
            method=self.method,
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
    found = {**abstraction.facts(), "fingerprint": abstraction.form().fingerprint()}
    if evaluation is not None:
        found["exploitability"] = evaluation.exploitability
        found["values"] = list(evaluation.values)
    return found


def _abstract_text(found: Mapping[str, Any]) -> str:
    points = ", ".join(f"{count:,}" for count in found["decision_points"]["after"])
    if "exploitability" not in found:
        recall = "perfect" if found["perfect_recall"] else "imperfect"
        return f"{found['by']}: {points} decision points, {recall} recall"
    return f"{found['by']}: {points} decision points, exploitability {found['exploitability']:.3e}"


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
