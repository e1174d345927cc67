"""Studies: tables with notes, as text, Markdown and CSV; and the studies by name."""

from __future__ import annotations

import csv
import inspect
import io
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from regretless.core import folders
from regretless.core.errors import BadParameter, Interrupted, UnknownName
from regretless.core.interrupts import heard, interrupts
from regretless.core.progress import Listener, Progress
from regretless.kernels.compiled import announced

PACKAGE = "regretless.studies"


class Pair(NamedTuple):
    """A published number and ours."""

    theirs: float
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


class Beside(NamedTuple):
    """A published number and ours, where a ratio is meaningless: payoffs, shares."""

    theirs: float | None
    ours: float


Cell = str | int | float | Pair | Beside | None


@dataclass(frozen=True)
class Table:
    """One table: its columns, its rows, and a note.

    Rows are identified by their first cell."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    note: str = ""

    def lines(self) -> list[list[str]]:
        """All cells as text, without the header."""
        return [[cell_text(cell) for cell in row] for row in self.rows]


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
        tables = [asdict(table) for table in self.tables]
        about = {"name": self.name, "about": self.about, "tables": tables}
        return {**about, "interrupted": self.interrupted}

    def markdown(self) -> str:
        """All tables for a document."""
        parts = [f"# {self.name}", "", self.about]
        for table in self.tables:
            parts += ["", f"## {table.title}", ""]
            parts += [f"| {' | '.join(table.columns)} |", "|" + "---|" * len(table.columns)]
            parts += [f"| {' | '.join(line)} |" for line in table.lines()]
            parts += ["", table.note] if table.note else []
        return "\n".join(parts) + "\n"

    def csv(self) -> str:
        """All cells, one per line: table, row, column, value."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(["table", "row", "column", "value"])
        for table in self.tables:
            for row in table.rows:
                for column, cell in zip(table.columns[1:], row[1:], strict=True):
                    for name, value in _parts(column, cell):
                        writer.writerow([table.title, row[0], name, value])
        return out.getvalue()


def _parts(column: str, cell: Cell) -> list[tuple[str, str | int | float]]:
    """A cell as single values."""
    if isinstance(cell, Beside):
        theirs = "" if cell.theirs is None else cell.theirs
        return [(f"{column}, published", theirs), (f"{column}, ours", cell.ours)]
    if isinstance(cell, Pair):
        parts = {"published": cell.theirs, "ours": cell.ours, "ratio": cell.ratio}
        return [(f"{column}, {kind}", value) for kind, value in parts.items()]
    return [(column, "" if cell is None else cell)]


def cell_text(cell: Cell) -> str:
    """A cell for people: three digits are enough for what was measured."""
    if cell is None:
        return "–"
    if isinstance(cell, Beside):
        return f"{cell_text(cell.theirs)} → {cell_text(cell.ours)}"
    if isinstance(cell, Pair):
        more = cell.ratio >= 1
        ratio = f"× {cell.ratio:.3g}" if more else f"÷ {1 / cell.ratio:.3g}"
        return f"{cell_text(cell.theirs)} → {cell_text(cell.ours)} ({ratio})"
    if isinstance(cell, float):
        return f"{cell:.3g}" if abs(cell) < 1000 else f"{cell:,.0f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def study_names() -> tuple[str, ...]:
    """Names of the studies."""
    return tuple(module.replace("_", "-") for module in folders.listed(PACKAGE))


def study_about(name: str) -> str:
    """One line about a study."""
    return folders.summary(folders.module(PACKAGE, name.replace("-", "_")))


def require_study(name: str) -> None:
    """Refuse an unknown name."""
    if name not in study_names():
        raise UnknownName("study", name, study_names())


def reproduce(name: str, listen: Listener, *, quick: bool = False, full: bool = False) -> Study:
    """Run the study of this name; `quick` leaves out what takes long, `full` takes as long as
    it takes, for studies that have more to show.

    A table or picture replaces an earlier one of the same name. Ctrl-C stops it and keeps the
    complete tables."""
    require_study(name)
    found = folders.module(PACKAGE, name.replace("-", "_"))
    sizes = {"quick": quick, **({"full": True} if full else {})}
    if quick and full:
        raise BadParameter("quick and full: must be one of them at most")
    if full and "full" not in inspect.signature(found.tables).parameters:
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
                for made in found.tables(attentive, **sizes):
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
    return Study(name, found.ABOUT, (*tables.values(),), (*pictures.values(),), stopped)
