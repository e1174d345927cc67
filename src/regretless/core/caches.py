"""Results computed once per machine, in the user's cache directory.

A file that is missing, damaged or cannot be written costs time, never the result."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.core.errors import BadFile
from regretless.core.files import write_array


def cache_folder() -> Path:
    """The directory for files that can be rebuilt; REGRETLESS_CACHE overrides the system's."""
    if own := os.environ.get("REGRETLESS_CACHE"):
        return Path(own)
    system = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(system) if system else Path.home() / ".cache") / "regretless"


def cached_array(
    name: str,
    make: Callable[[], npt.NDArray[Any]],
    valid: Callable[[npt.NDArray[Any]], bool],
) -> npt.NDArray[Any]:
    """The cached array of this name, or the one that `make` returns, which is then cached."""
    path = cache_folder() / f"{name}.npy"
    try:
        array: npt.NDArray[Any] = np.load(path)
        if valid(array):
            return array
    except (OSError, ValueError, EOFError):
        pass
    made = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_array(path, made)
    except (OSError, BadFile):
        pass  # the home directory is not writable
    return made
