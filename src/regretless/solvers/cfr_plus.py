"""CFR+ (Tammelin 2014): regrets never fall below zero, later iterations count more."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.solvers._regret_minimiser import RegretMinimiser


class Method(RegretMinimiser):
    """Regret matching+ with linear averaging."""

    def negative(self, t: Floats) -> float:
        return 0.0

    def average(self, t: Floats) -> Floats:
        return t
