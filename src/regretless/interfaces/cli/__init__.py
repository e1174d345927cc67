"""The command `regretless`."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from regretless.core.errors import RegretlessError


def _one_line(message: Warning | str, *_: Any, **__: Any) -> None:
    sys.stderr.write(f"regretless: {message}\n")


def main() -> None:
    """Run the command line; errors made by people are one line and exit code 2."""
    from regretless.interfaces.cli.app import app

    warnings.showwarning = _one_line
    try:
        app()
    except RegretlessError as error:
        sys.stderr.write(f"regretless: {error}\n")
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        sys.exit(1)
