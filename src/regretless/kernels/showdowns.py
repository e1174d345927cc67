"""Sums over the first of three hands all-in."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart

TILE = 2048  # entries of a row at a time: their sums stay in the cache


@apart
def add_rows(weights: Floats, table: npt.NDArray[Any], out: Floats) -> None:
    """Add to out[e] the sum of weights[r] * table[r, e]; rows of weight 0 are not read."""
    for begin in range(0, out.size, TILE):
        end = min(begin + TILE, out.size)
        tile = out[begin:end]
        for r in range(weights.size):
            times = weights[r]
            if times != 0:
                row = table[r, begin:end]
                for e in range(end - begin):
                    tile[e] += times * row[e]
