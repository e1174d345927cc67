"""The precision of a form: how many bits a number in the memory of its learner has."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import numpy as np


class Precision(StrEnum):
    """16, 32 or 64 bits per number."""

    COMPACT = "compact"
    SINGLE = "single"
    DOUBLE = "double"

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its regrets."""
        return np.dtype(_DTYPES[self])

    @classmethod
    def of(cls, state: Mapping[str, np.ndarray]) -> Precision | None:
        """That of the saved memory of a learner; None if it is not a learner's."""
        if "regret" not in state:
            return None
        return next((one for one in cls if one.dtype == state["regret"].dtype), None)


_DTYPES = {
    Precision.COMPACT: np.int16,
    Precision.SINGLE: np.float32,
    Precision.DOUBLE: np.float64,
}
