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

from regretless.core import tables
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


def say(*things: RenderableType | tables.Table, style: str = "") -> None:
    """Print tables and texts; control characters in names are shown escaped."""
    parts = [escaped(part) for thing in things for part in _parts(thing)]
    if sys.stdout.isatty():
        console = Console()
        for thing in parts:
            fitted = _narrow(thing, console) if isinstance(thing, Table) else thing
            console.print(fitted, style=style, markup=False, highlight=False)
        return
    sys.stdout.write("".join(map(_unpadded, parts)))


def _parts(thing: RenderableType | tables.Table) -> list[RenderableType]:
    """A table and its note; anything else is printed as it is."""
    if not isinstance(thing, tables.Table):
        return [thing]
    return [thing.__rich__(), *([Text(thing.note)] if thing.note else [])]


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
