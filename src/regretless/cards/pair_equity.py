"""The result type of an equity; `equities` computes it, with kernels."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats


class Equity(NamedTuple):
    """Equities of two ranges against each other."""

    first: float
    second: float
    by_hand: tuple[Floats, Floats]  # [hand], nan without weight or without an opposing hand
