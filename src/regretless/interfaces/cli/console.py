"""Printing: fitted to a terminal, but neither wrapped nor padded in files and pipes."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from regretless.interfaces.escaping import escaped

PIPE_WIDTH = 100_000  # characters per line: no table is wider
IN_ASCII = {
    "…": "...",
    "–": "-",
    "−": "-",
    "×": "x",
    "²": "2",
    "÷": "/",
    "→": "->",
    "±": "+-",
    "≥": ">=",
    "≤": "<=",
    "ε": "eps",
    "’": "'",
}


def say(*things: RenderableType, style: str = "") -> None:
    """Print tables and texts; control characters in names are shown escaped."""
    things = tuple(map(escaped, things))
    if sys.stdout.isatty():
        console = Console()
        for thing in things:
            fitted = _narrow(thing, console) if isinstance(thing, Table) else thing
            console.print(fitted, style=style, markup=False, highlight=False)
        return
    sys.stdout.write("".join(map(_unpadded, things)))


def width() -> int:
    """The maximum length of a line."""
    return Console().width if sys.stdout.isatty() else PIPE_WIDTH


@contextmanager
def paged(long: bool) -> Iterator[None]:
    """In a terminal, show long output page by page."""
    if not (long and sys.stdout.isatty() and sys.stdin.isatty()):
        yield
        return
    from rich.pager import SystemPager

    kept, sys.stdout = sys.stdout, _Terminal()
    try:
        yield
        text = sys.stdout.getvalue()
    finally:
        sys.stdout = kept
    SystemPager().show(text)


class _Terminal(io.StringIO):
    """Collects output as if it were a terminal."""

    def isatty(self) -> bool:
        return True


def table(*columns: str, title: str = "", numbers: tuple[str, ...] = ()) -> Table:
    """An empty table; numbers are right-aligned and never broken."""
    made = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), title=title or None)
    made.title_justify, made.title_style = "left", "bold"
    for column in columns:
        right = column in numbers
        made.add_column(column, justify="right" if right else "left", no_wrap=right)
    return made


def facts(rows: list[tuple[str, str]]) -> Table:
    """A table of names and values."""
    made = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    made.add_column(style="bold", no_wrap=True)
    made.add_column(overflow="fold")
    for name, text in rows:
        made.add_row(name, Text(text))
    return made


def _unpadded(thing: RenderableType) -> str:
    """Lines at their natural length, without trailing blanks."""
    out = io.StringIO()
    title = thing.title if isinstance(thing, Table) else None
    if isinstance(thing, Table):
        thing.title = None  # rich would wrap it to the width of the table
    console = Console(file=out, width=PIPE_WIDTH, color_system=None, legacy_windows=False)
    if title:
        console.print(title, markup=False, highlight=False)
    console.print(thing, markup=False, highlight=False)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _narrow(made: Table, console: Console) -> RenderableType:
    """The table, or if it does not fit, one line per cell, so that numbers stay whole."""
    title = Text(str(made.title), style="bold") if made.title else None
    made.title = None
    unlimited = console.options.update(max_width=PIPE_WIDTH)
    least = Measurement.get(console, unlimited, made).minimum
    if least <= console.width or not made.show_header:
        return Group(title, made) if title else made
    names = [str(column.header) for column in made.columns]
    lines: list[RenderableType] = [title] if title else []
    first: RenderableType = ""
    for row in zip(*(column.cells for column in made.columns), strict=True):
        record = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
        first = row[0] if str(row[0]) else first  # blank: the same as above
        for name, cell in zip(names, (first, *row[1:]), strict=True):
            if str(cell):
                record.add_row(name, cell)
        lines += [record, Text()]
    return Group(*lines)


def readable_everywhere() -> None:
    """If a stream cannot show a character, show the nearest one."""
    codecs.register_error("nearest", _nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    missing: Any = error.object[error.start : error.end]
    return "".join(IN_ASCII.get(character, "?") for character in missing), error.end
