"""Products of the table of three hands that follow small changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.kernels.compiled import kernel

Singles = npt.NDArray[np.float32]


@kernel
def add_slices(table: npt.NDArray[Any], change: Floats, total: Singles) -> None:
    """total += change @ table, where few entries of `change` are not zero."""
    for hand in range(change.size):
        weight = np.float32(change[hand])
        if weight != 0:
            row = table[hand]
            for entry in range(total.size):
                total[entry] += weight * row[entry]


@kernel
def move_towards(total: Singles, goal: Singles, step: float) -> None:
    """total += step * (goal - total)"""
    share = np.float32(step)
    for entry in range(total.size):
        total[entry] += share * (goal[entry] - total[entry])
