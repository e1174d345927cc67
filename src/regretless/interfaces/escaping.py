"""Names from files and users, made safe for a terminal: control characters are shown escaped."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regretless.core.errors import printable


def escaped(thing: RenderableType) -> RenderableType:
    """The same texts and tables; their line breaks are kept."""
    if isinstance(thing, str):
        return escaped_text(Text(thing))
    if isinstance(thing, Text):
        return escaped_text(thing)
    if isinstance(thing, Group):
        return Group(*map(escaped, thing.renderables))
    if isinstance(thing, Table):
        for column in thing.columns:
            column._cells = [escaped(cell) for cell in column._cells]
    return thing


def escaped_text(text: Text) -> Text:
    """The same, for a text."""
    if not text.plain.replace("\n", "").isprintable():
        text.plain = "\n".join(map(printable, text.plain.split("\n")))
    return text
