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
from regretless.forms.form import Form
from regretless.games._state import Game
from regretless.runs.limits import Stop
from regretless.runs.request import Request
from regretless.runs.solution import Solution
from regretless.runs.solve import fulfilled
from regretless.solvers._catalog import parsed

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
            (solution.method, point.iteration, point.seconds, point.exploitability)
            for solution in self.solutions
            for point in solution.trace
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
    wanted = Request(
        game=game,
        target=target,
        iterations=ITERATIONS if (target, iterations, seconds) == (None,) * 3 else iterations,
        seconds=seconds,
        form=form,
        threads=threads,
        seed=seed,
    )
    requests = [replace(wanted, game=wanted.source, method=name) for name in _names(methods)]
    forms: dict[str, Form] = {}
    for request in requests:  # all forms before the first run, each once
        if request.kind not in forms:
            forms[request.kind] = request.built()
    solutions: list[Solution] = []
    with interrupts() as asked:
        for request in requests:
            ready = replace(request, game=forms[request.kind], form="auto", threads=1)
            try:
                solution = fulfilled(ready, _named(str(request.method), listen))
            except Interrupted:  # an exact method has nothing to show, but those before it have
                if not solutions:
                    raise
                break
            assert isinstance(solution, Solution)
            solutions.append(solution)
            if asked():
                break
    name = next(iter(forms.values())).spec
    return Comparison(name, tuple(solutions), is_cut=len(solutions) < len(requests))


def _names(methods: Sequence[str]) -> list[str]:
    listed = isinstance(methods, Sequence) and not isinstance(methods, str)
    if not listed or not all(isinstance(name, str) for name in methods):
        raise BadParameter(f"methods={shown(methods)}: must be a list of names")
    names = [parsed(name).text for name in methods]
    if not names:
        raise BadInput("no methods to compare")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise BadInput(f"method {twice[0]} is given twice")
    return names


def _named(method: str, listen: Listener) -> Callable[[Progress], None]:
    def said(progress: Progress) -> None:
        solving = progress.stage == "solving"
        listen(replace(progress, stage=method) if solving else progress)

    return said
