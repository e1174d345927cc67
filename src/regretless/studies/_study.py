"""Studies: tables with notes, as a page and as CSV; and the studies by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from regretless.core.errors import BadParameter, Interrupted
from regretless.core.folders import Registry
from regretless.core.interrupts import heard, interrupts
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table, csv_text, page, prose
from regretless.kernels.compiled import announced
from regretless.solvers._solver import Solver

STUDIES: Registry[Any] = Registry("regretless.studies", "study", "tables")


class Pair(NamedTuple):
    """A published number and ours."""

    theirs: float
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs

    def __str__(self) -> str:
        ratio = f"× {self.ratio:.3g}" if self.ratio >= 1 else f"÷ {1 / self.ratio:.3g}"
        return f"{Beside(*self)} ({ratio})"


class Beside(NamedTuple):
    """A published number and ours, where a ratio is meaningless: payoffs, shares."""

    theirs: float | None
    ours: float

    def __str__(self) -> str:
        theirs, ours = map(prose("").text, self)
        return f"{theirs} → {ours}"


Cell = str | int | float | Pair | Beside | None


@dataclass(frozen=True)
class Picture:
    """A figure of a study, drawn on demand."""

    name: str
    draw: Callable[[Path], object]


@dataclass(frozen=True)
class Study:
    """What a study has found."""

    name: str
    about: str
    tables: tuple[Table, ...]
    pictures: tuple[Picture, ...] = ()
    interrupted: bool = False  # by Ctrl-C: tables are missing

    def facts(self) -> dict[str, Any]:
        """All tables as JSON-compatible data."""
        tables = [table.facts() for table in self.tables]
        about = {"name": self.name, "about": self.about, "tables": tables}
        return {**about, "interrupted": self.interrupted}

    def markdown(self) -> str:
        """All tables for a document."""
        return page(self.name, self.about, self.tables)

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self.tables)

    def csv(self) -> str:
        """All cells, one per line: table, row, column, value."""
        rows = [
            (table.title, row[0], name, value)
            for table in self.tables
            for row in table.rows
            for column, cell in zip(table.header[1:], row[1:], strict=True)
            for name, value in _parts(column.name, cell)
        ]
        return csv_text(("table", "row", "column", "value"), rows)


def _parts(column: str, cell: Cell) -> list[tuple[str, str | int | float]]:
    """A cell as single values."""
    if isinstance(cell, Beside):
        theirs = "" if cell.theirs is None else cell.theirs
        return [(f"{column}, published", theirs), (f"{column}, ours", cell.ours)]
    if isinstance(cell, Pair):
        parts = {"published": cell.theirs, "ours": cell.ours, "ratio": cell.ratio}
        return [(f"{column}, {kind}", value) for kind, value in parts.items()]
    return [(column, "" if cell is None else cell)]


def finished(running: Solver) -> Solver:
    """An exact method, run to its end."""
    while not running.finished:
        running.step()
    return running


def prefixed(listen: Listener, name: str) -> Listener:
    """A listener that says which part of a study its progress belongs to."""
    return lambda progress: listen(replace(progress, stage=f"{name}: {progress.stage}"))


def reproduce(name: str, listen: Listener, *, quick: bool = False, full: bool = False) -> Study:
    """Run the study of this name; `quick` leaves out what takes long, `full` takes as long as
    it takes, for studies that have more to show.

    A table or picture replaces an earlier one of the same name. Ctrl-C stops it and keeps the
    complete tables."""
    study = STUDIES.module(name)
    sizes = {"quick": quick, **({"full": True} if full else {})}
    if quick and full:
        raise BadParameter("quick and full: must be one of them at most")
    if full and "full" not in inspect.signature(study.tables).parameters:
        raise BadParameter(f"full: the study {name} always runs in full")
    with interrupts() as asked:

        def attentive(progress: Progress) -> None:
            if asked():
                raise Interrupted("interrupted before the first table was complete")
            listen(progress)

        def compiling(kernel: str) -> None:
            attentive(Progress(f"compiling {kernel} (once per machine)"))

        tables: dict[str, Table] = {}
        pictures: dict[str, Picture] = {}
        stopped = False
        try:
            with announced(compiling):
                for made in study.tables(attentive, **sizes):
                    if isinstance(made, Picture):
                        pictures[made.name] = made
                        continue
                    tables[made.title] = made
                    attentive(Progress(f"{made.title} is complete"))
        except (Interrupted, KeyboardInterrupt):  # the latter while a kernel is compiled
            if not tables:
                raise
            heard()
            stopped = True
    return Study(name, study.ABOUT, (*tables.values(),), (*pictures.values(),), stopped)
