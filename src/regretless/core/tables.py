"""Tables: one class that writes text, Markdown, CSV, HTML and JSON, and prints in colour.

Cells are values, not texts: a column says how its numbers read. What is not a number or a text
reads as its own `format` says; None and nan are missing."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from regretless.core.errors import BadParameter

if TYPE_CHECKING:
    import rich.table
    from rich.console import Group

MISSING = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column, and how its cells are shown."""

    name: str
    format: str = ""  # of numbers, as in format(); by default three digits
    align: Literal["left", "right"] = "right"
    wraps: bool = False  # on a narrow screen

    def text(self, cell: Any) -> str:
        """A cell, for people."""
        if cell is None or (isinstance(cell, float) and isnan(cell)):
            return MISSING
        if isinstance(cell, str):
            return cell
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if self.format or not isinstance(cell, int | float):
            return format(cell, self.format)
        return number_text(cell)


def number_text(number: float) -> str:
    """Thousands apart; three digits are enough for what was measured."""
    if isinstance(number, int):
        return f"{number:,}"
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def prose(name: str) -> Column:
    """A column of texts, which may be long."""
    return Column(name, align="left", wraps=True)


class Estimated(NamedTuple):
    """A cell: a mean with half of its confidence interval, None if that is unknown."""

    mean: float
    half_width: float | None

    def __format__(self, spec: str) -> str:
        half = "?" if self.half_width is None else format(self.half_width, spec.replace("+", ""))
        return f"{self.mean:{spec}} ± {half}"


@dataclass(frozen=True)
class Table:
    """A title, columns, rows and a note. Without column names it is a list of facts.

    A column may be given as its name: the first is then aligned to the left, as a name, and the
    others to the right, as numbers."""

    title: str
    columns: Sequence[str | Column]
    rows: Sequence[Sequence[Any]]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise BadParameter(
                    f"table {self.title!r}: got a row of {len(row)} cells, "
                    f"expected {len(self.columns)}"
                )

    @classmethod
    def of(cls, title: str, rows: Iterable[Mapping[str, Any]], note: str = "") -> Table:
        """Rows that name their cells, all in the same order."""
        listed = list(rows)
        for row in listed:
            if list(row) != list(listed[0]):
                raise BadParameter(
                    f"table {title!r}: got cells {', '.join(row)}, expected {', '.join(listed[0])}"
                )
        return cls(title, tuple(listed[0]) if listed else (), [*map(_cells, listed)], note)

    @property
    def header(self) -> list[Column]:
        """The columns, with how they are shown."""
        first = [prose(one) if isinstance(one, str) else one for one in self.columns[:1]]
        rest = [Column(one) if isinstance(one, str) else one for one in self.columns[1:]]
        return first + rest

    @property
    def names(self) -> list[str]:
        """Names of the columns; empty if none has one."""
        names = [column.name for column in self.header]
        return names if any(names) else []

    def lines(self) -> list[list[str]]:
        """All cells as text, without the header."""
        header = self.header
        return [
            [column.text(cell) for column, cell in zip(header, row, strict=True)]
            for row in self.rows
        ]

    def text(self) -> str:
        """For a terminal."""
        lines = _padded([*([self.names] if self.names else []), *self.lines()], self.header)
        parts = [self.title, *("  ".join(line).rstrip() for line in lines), self.note]
        return "\n".join(part for part in parts if part)

    def __str__(self) -> str:
        return self.text()

    def markdown(self) -> str:
        """The table alone: title and note are for the page to arrange."""
        header = self.header
        lines = [[cell.replace("|", "\\|") for cell in line] for line in self.lines()]
        names = [column.name.replace("|", "\\|") for column in header]
        marks = ["---" if column.align == "left" else "--:" for column in header]
        padded = _padded([names, marks, *lines], header)
        padded[1] = [
            cell.strip().rjust(len(cell), "-") if mark == "--:" else "-" * len(cell)
            for cell, mark in zip(padded[1], marks, strict=True)
        ]
        return "\n".join(f"| {' | '.join(line)} |" for line in padded) + "\n"

    def csv(self) -> str:
        """All values in full, one row per line; missing ones are empty."""
        return csv_text([column.name for column in self.header], self.rows)

    def html(self) -> str:
        """For a notebook or a page; everything is escaped."""
        heads = "".join(_html(name, "th", column) for name, column in self._heads())
        first = "td" if heads else "th"
        lines = [
            "".join(
                _html(cell, "td" if k else first, column)
                for k, (cell, column) in enumerate(zip(line, self.header, strict=True))
            )
            for line in self.lines()
        ]
        rows = "".join(f"<tr>{line}</tr>" for line in [heads, *lines] if line)
        title, note = (f"<p>{escape(text)}</p>" if text else "" for text in (self.title, self.note))
        return f"{title}<table>{rows}</table>{note}"

    def facts(self) -> dict[str, Any]:
        """The table as JSON-compatible data."""
        rows = [[plain(cell) for cell in row] for row in self.rows]
        names = [column.name for column in self.header]
        return {"title": self.title, "columns": names, "rows": rows, "note": self.note}

    def __rich__(self) -> rich.table.Table:
        from rich.table import Table
        from rich.text import Text

        made = Table(
            title=self.title or None,
            title_justify="left",
            title_style="bold",
            header_style="bold",
            show_header=bool(self.names),
            box=None,
            padding=(0, 2, 0, 0),
        )
        for k, column in enumerate(self.header):
            named = bool(k or self.names)
            made.add_column(
                column.name,
                justify=column.align,
                overflow="fold",
                no_wrap=not (column.wraps and named),
                style="" if named else "bold",
            )
        for row, line in zip(self.rows, self.lines(), strict=True):
            cells = zip(row, line, strict=True)
            made.add_row(*(cell if isinstance(cell, Text) else Text(text) for cell, text in cells))
        return made

    def _heads(self) -> list[tuple[str, Column]]:
        return list(zip(self.names, self.header, strict=True)) if self.names else []


def facts_table(rows: Iterable[tuple[str, Any]], title: str = "") -> Table:
    """Names and values, without a header."""
    return Table(title, (prose(""), prose("")), list(rows))


def page(title: str, about: str, tables: Iterable[Table]) -> str:
    """Tables with their notes as a Markdown page."""
    parts = [f"# {title}", about]
    for table in tables:
        parts += [f"## {table.title}", table.markdown().rstrip(), table.note]
    return "\n\n".join(part for part in parts if part) + "\n"


def csv_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows of values in full, under their names."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


class Shown:
    """A result that prints itself, and shows itself in a notebook, as tables."""

    __slots__ = ()

    def tables(self) -> Sequence[Table]:
        """What to show."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n\n".join(table.text() for table in self.tables())

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self.tables())

    def __rich__(self) -> Group:
        from rich.console import Group

        return Group(*(table.__rich__() for table in self.tables()))


def _cells(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row.values())


def _padded(lines: Sequence[Sequence[str]], header: Sequence[Column]) -> list[list[str]]:
    widths = [max(3, *map(len, cells)) for cells in zip(*lines, strict=True)]
    return [
        [
            cell.rjust(width) if column.align == "right" else cell.ljust(width)
            for cell, width, column in zip(line, widths, header, strict=True)
        ]
        for line in lines
    ]


def _html(text: str, tag: str, column: Column) -> str:
    style = f" style='text-align:{column.align}'" if tag == "th" else ""
    return f"<{tag}{style}>{escape(text)}</{tag}>"


def plain(cell: Any) -> Any:
    """A value that JSON has: what is not finite becomes None."""
    if isinstance(cell, tuple | list):
        return [plain(part) for part in cell]
    if isinstance(cell, float):
        return float(cell) if isfinite(cell) else None
    return cell if cell is None or isinstance(cell, str | int | bool) else str(cell)
