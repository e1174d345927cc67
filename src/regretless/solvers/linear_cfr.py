"""Linear CFR (Brown & Sandholm 2019): iteration t counts t times, in regrets and average."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.solvers._regret_minimiser import RegretMinimiser


class Method(RegretMinimiser):
    """Sum of t * r(t), kept as a mean."""

    def positive(self, t: Floats) -> Floats:
        return t / (t + 1)

    def negative(self, t: Floats) -> Floats:
        return t / (t + 1)

    def average(self, t: Floats) -> Floats:
        return t
