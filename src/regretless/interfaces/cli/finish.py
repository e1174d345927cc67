"""How every command ends: its result as tables or as JSON, and then the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from regretless.core.errors import Interrupted, RegretlessError
from regretless.core.tables import Table
from regretless.interfaces.cli.console import say


def attempted(write: Callable[[], object]) -> RegretlessError | None:
    """Write the files of a result. If one cannot be written, what was computed is shown all the
    same: `finish` raises the error afterwards."""
    try:
        write()
    except RegretlessError as error:
        return error
    return None


def finish(
    facts: Any,
    *shown: RenderableType | Table,
    as_json: bool,
    written: Mapping[str, Path | None] | None = None,
    interrupted: bool | str = False,
    unwritten: RegretlessError | None = None,
) -> None:
    """Print the facts as one JSON object, or what people read; then which files were written.

    A run that Ctrl-C ended shows what it has, and raises `Interrupted` with the reason."""
    files = dict(written or {})
    if unwritten is not None:
        files = {name: path for name, path in files.items() if path and path.exists()}
    if as_json:
        named = {name: str(path) if path else None for name, path in files.items()}
        sys.stdout.write(json.dumps({**facts, **named} if files else facts) + "\n")
    else:
        say(*shown)
        say(*(Text(f"written to {path}") for path in files.values() if path))
    if unwritten is not None:
        raise unwritten
    if interrupted:
        raise Interrupted(interrupted if isinstance(interrupted, str) else "interrupted")
