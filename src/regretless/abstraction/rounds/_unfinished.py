"""Work that survives Ctrl-C: arrays kept once they are made, or filled part by part."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction.rounds._context import Context
from regretless.core.files import write_array, write_atomically
from regretless.core.interrupts import interrupted
from regretless.core.threads import threaded

TASKS = 8  # per thread between two checks for Ctrl-C
SAVE_S = 60.0  # seconds between two saves
HANDS, DONE = "hands.npy", "done"  # the files of an unfinished pass


def kept(
    context: Context, name: str, make: Callable[[], npt.NDArray[Any]], *, shared: bool = False
) -> npt.NDArray[Any]:
    """An array that is made once; if it is shared, for all rounds of a map."""
    path = (context.shared if shared and context.shared else context.folder) / f"{name}.npy"
    with suppress(OSError, ValueError, EOFError):
        return np.asarray(np.load(path))
    made = make()
    context.check()  # what was made after Ctrl-C may be unfinished
    path.parent.mkdir(parents=True, exist_ok=True)
    write_array(path, made)
    return made


def filled(
    context: Context,
    stage: str,
    empty: npt.NDArray[Any],
    total: int,
    work: Callable[[int, int, npt.NDArray[Any]], None],
    *,
    chunk: int,
) -> npt.NDArray[Any]:
    """What `work(begin, end, out)` writes to an array like `empty`, for `total` items on threads.

    Which items write where does not matter, as long as no two write to the same place. A round
    has at most one such pass under way."""
    out, done = _resumed(context, empty)
    saved = time.monotonic()
    with threaded(context.threads) as each:
        while done < total:
            stop = min(done + chunk * TASKS * context.threads, total)
            parts = [(at, min(at + chunk, stop)) for at in range(done, stop, chunk)]
            list(each(lambda part: work(part[0], part[1], out), parts))
            done = stop
            if interrupted() or time.monotonic() - saved > SAVE_S:
                write_array(context.folder / HANDS, out)
                write_atomically(context.folder / DONE, str(done).encode())
                saved = time.monotonic()
            context.report(stage, done / total)
    return out


def _resumed(context: Context, empty: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """What is known so far, and the number of items."""
    with suppress(OSError, ValueError, EOFError):
        saved = np.load(context.folder / HANDS)
        done = int((context.folder / DONE).read_text())
        if saved.shape == empty.shape and saved.dtype == empty.dtype:
            return saved, done
    return empty, 0
