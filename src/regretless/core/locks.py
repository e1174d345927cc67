"""One writer per file: a lock that dies with its process.

The lock is advisory and lies on the open file itself, so nothing is left behind. On
systems without such locks, such as Windows, nothing is locked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

from regretless.core.errors import BadFile


def lock(stream: IO[Any], path: Path) -> None:
    """Lock an open file until it is closed, or refuse if another process has the lock."""
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadFile(path, "is being written by another process") from None
    except OSError:
        return  # some network drives do not support locks
