"""Predictive CFR+ (Farina, Kroer & Sandholm 2021): predicts that the last regret repeats.

Differs from the paper: averaging weights t^5 instead of t^2, as in later comparisons
(docs/measurements/methods.md)."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.solvers._regret_minimiser import RegretMinimiser


class Method(RegretMinimiser):
    """Predictive regret matching+; the prediction is the last instantaneous regret."""

    prediction = 1.0

    def __init__(self, form: Form, *, gamma: float = 5.0, simultaneous: bool = False) -> None:
        super().__init__(form, simultaneous=simultaneous)
        within("gamma", gamma, 0, 20)
        self.gamma = gamma

    def negative(self, t: Floats) -> float:
        return 0.0

    def average(self, t: Floats) -> Floats:
        return t**self.gamma
