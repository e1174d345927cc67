"""Several methods on one game: exploitability against iterations and against time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretless.core.errors import BadInput, BadParameter, Interrupted, shown
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Column, Shown, Table, csv_text, prose
from regretless.forms.choice import any_form
from regretless.forms.form import Form
from regretless.games._state import Game
from regretless.runs.limits import Limits, Stop
from regretless.runs.method_forms import form_for, kind_for
from regretless.runs.solution import Solution
from regretless.runs.solve import solve
from regretless.runs.spot_runs import plain_target
from regretless.solvers._catalog import canonical

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METHODS = ("cfr", "cfr+", "dcfr", "pcfr+", "sapcfr+")
ITERATIONS = 1000  # of every method, if no limit is given
COLUMNS = (
    "method",
    "iterations",
    Column("seconds", ".3f"),
    Column("exploitability", ".3e"),
    prose("stopped"),
)


@dataclass(frozen=True, eq=False)
class Comparison(Shown):
    """Solutions of one game, one per method."""

    game: str
    solutions: tuple[Solution, ...]
    is_cut: bool = False  # some methods did not run, or an exact one did not finish

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it early."""
        return self.is_cut or any(solution.stop is Stop.INTERRUPTED for solution in self.solutions)

    def tables(self) -> list[Table]:
        """One row per method."""
        rows = [
            (one.method, one.iterations, one.seconds, one.exploitability, str(one.stop))
            for one in self.solutions
        ]
        return [Table(self.game, COLUMNS, rows)]

    def rows(self) -> list[list[str]]:
        """The cells of the table, as text."""
        return self.tables()[0].lines()

    def facts(self) -> dict[str, Any]:
        """The comparison as JSON-compatible data, with the curves."""
        return {
            "game": self.game,
            "methods": [
                {
                    "method": solution.method,
                    "iterations": solution.iterations,
                    "seconds": solution.seconds,
                    "exploitability": solution.exploitability,
                    "values": list(solution.values),
                    "stop": str(solution.stop),
                    "trace": [[p.iteration, p.seconds, p.exploitability] for p in solution.trace],
                }
                for solution in self.solutions
            ],
        }

    def csv(self) -> str:
        """All curves: method, iteration, seconds, exploitability."""
        rows = [
            (solution.method, look.iteration, look.seconds, look.exploitability)
            for solution in self.solutions
            for look in solution.trace
        ]
        return csv_text(("method", "iteration", "seconds", "exploitability"), rows)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Plot exploitability against iterations and time; written to a file if one is named."""
        from regretless.runs.drawing import curves

        traces = {solution.method: solution.trace for solution in self.solutions}
        return curves(self.game, traces, path)

    def __repr__(self) -> str:
        methods = ", ".join(solution.method for solution in self.solutions)
        return f"Comparison({self.game!r}: {methods})"


def compare(
    game: str | Game | Form,
    methods: Sequence[str] = METHODS,
    *,
    target: str | float | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    form: str = "auto",
    threads: int = 1,
    seed: int | None = None,
    listen: Listener = nobody,
) -> Comparison:
    """Run several methods on one game, each up to the limits (default 1,000 iterations).

    Ctrl-C ends it with the methods that have a result."""
    Limits(target=plain_target(target), iterations=iterations, seconds=seconds)  # or refused
    if (target, iterations, seconds) == (None, None, None):
        iterations = ITERATIONS
    names = _names(methods)
    built = _Forms(game, form, threads)
    forms = [built(name) for name in names]  # all of them before the first run
    found: list[Solution] = []
    with interrupts() as asked:
        for name, one in zip(names, forms, strict=True):
            try:
                solution = solve(
                    one,
                    method=name,
                    target=target,
                    iterations=iterations,
                    seconds=seconds,
                    seed=seed,
                    listen=_named(name, listen),
                )
            except Interrupted:  # an exact method has nothing to show, but those before it have
                if not found:
                    raise
                break
            found.append(solution)
            if asked():
                break
    return Comparison(forms[0].spec, tuple(found), is_cut=len(found) < len(names))


def _names(methods: Sequence[str]) -> list[str]:
    listed = isinstance(methods, Sequence) and not isinstance(methods, str)
    if not listed or not all(isinstance(name, str) for name in methods):
        raise BadParameter(f"methods={shown(methods)}: must be a list of names")
    names = [canonical(name) for name in methods]
    if not names:
        raise BadInput("no methods to compare")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise BadInput(f"method {twice[0]} is given twice")
    return names


class _Forms:
    """Every form that the methods need, built once."""

    def __init__(self, game: str | Game | Form, kind: str, threads: int) -> None:
        self.game, self.kind, self.threads = game, kind, threads
        self.built: dict[str, Form] = {}

    def __call__(self, method: str) -> Form:
        if not isinstance(self.game, str | Game):
            return any_form(self.game)
        kind = kind_for(method, self.kind)
        if kind not in self.built:
            self.built[kind] = form_for(self.game, method, kind, self.threads)
        return self.built[kind]


def _named(method: str, listen: Listener) -> Callable[[Progress], None]:
    def said(progress: Progress) -> None:
        solving = progress.stage == "solving"
        listen(replace(progress, stage=method) if solving else progress)

    return said
