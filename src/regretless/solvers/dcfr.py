"""Discounted CFR (Brown & Sandholm 2019): past regrets are discounted, by sign."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.solvers._regret_minimiser import RegretMinimiser


def faded(t: Floats, power: float | Floats) -> Floats:
    """t^p / (t^p + 1), without overflow."""
    return 1.0 / (1.0 + t**-power)


class Method(RegretMinimiser):
    """DCFR(α, β, γ)."""

    def __init__(
        self,
        form: Form,
        *,
        alpha: float = 1.5,
        beta: float = 0.0,
        gamma: float = 2.0,
        simultaneous: bool = False,
    ) -> None:
        super().__init__(form, simultaneous=simultaneous)
        within("alpha", alpha, -20, 20)
        within("beta", beta, -20, 20)
        within("gamma", gamma, 0, 20)
        self.alpha, self.beta, self.gamma = alpha, beta, gamma

    def positive(self, t: Floats) -> Floats:
        return faded(t, self.alpha)

    def negative(self, t: Floats) -> Floats:
        return faded(t, self.beta)

    def average(self, t: Floats) -> Floats:
        return t**self.gamma
