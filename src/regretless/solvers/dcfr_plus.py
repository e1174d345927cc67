"""DCFR+ (Xu et al. 2024): CFR+ with regrets discounted as in DCFR."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.solvers._regret_minimiser import RegretMinimiser
from regretless.solvers.dcfr import faded


class Method(RegretMinimiser):
    """Regret matching+ with discount t^α / (t^α + 1) and averaging weights t^γ."""

    def __init__(
        self,
        form: Form,
        *,
        alpha: float = 1.5,
        gamma: float = 4.0,
        simultaneous: bool = False,
    ) -> None:
        super().__init__(form, simultaneous=simultaneous)
        within("alpha", alpha, -20, 20)
        within("gamma", gamma, 0, 20)
        self.alpha, self.gamma = alpha, gamma

    def positive(self, t: Floats) -> Floats:
        return faded(t, self.alpha)

    def negative(self, t: Floats) -> float:
        return 0.0

    def average(self, t: Floats) -> Floats:
        return t**self.gamma
