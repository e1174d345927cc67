"""How every command ends: its result as tables or as JSON, and then the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from regretless.core.errors import Interrupted
from regretless.core.tables import Table
from regretless.interfaces.cli.console import say


def finish(
    facts: Any,
    *shown: RenderableType | Table,
    as_json: bool,
    written: Mapping[str, Path | None] | None = None,
    interrupted: bool | str = False,
) -> None:
    """Print the facts as one JSON object, or what people read; then which files were written.

    A run that Ctrl-C ended shows what it has, and raises `Interrupted` with the reason."""
    files = written or {}
    if as_json:
        named = {name: str(path) if path else None for name, path in files.items()}
        sys.stdout.write(json.dumps({**facts, **named} if files else facts) + "\n")
    else:
        say(*shown)
        say(*(Text(f"written to {path}") for path in files.values() if path))
    if interrupted:
        raise Interrupted(interrupted if isinstance(interrupted, str) else "interrupted")
