"""The command `regretless`."""

from __future__ import annotations

import sys

from regretless.core.errors import RegretlessError


def main() -> None:
    """Run the command line; errors made by people are one line and exit code 2."""
    from regretless.interfaces.cli.app import app

    try:
        app()
    except RegretlessError as error:
        sys.stderr.write(f"regretless: {error}\n")
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        sys.stderr.close()
        sys.exit(1)
