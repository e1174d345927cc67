"""One writer per file: a lock that dies with its process.

The lock is advisory and lies on the open file itself, so nothing is left behind. On systems
without such locks, such as Windows and some network drives, nothing is locked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

from regretless.core.errors import BadFile

BUSY = "is being written by another run"


def is_free(file: int | IO[Any]) -> bool:
    """Lock an open file until it is closed; False if another run has the lock."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # the drive has no locks
    return True


def lock(file: int | IO[Any], path: str | Path) -> None:
    """The same, or an error that names the path."""
    if not is_free(file):
        raise BadFile(path, BUSY)
