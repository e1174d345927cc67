"""The array types that cross module boundaries."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.uint8]  # 1 for true
Indices: TypeAlias = npt.NDArray[np.int32]  # positions in a vector of sequences
