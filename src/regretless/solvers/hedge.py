"""CFR with Hedge at every decision point: exponential weights instead of regret matching."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.kernels.hedge import Gains, Hedge
from regretless.solvers._learning import LearningSolver
from regretless.solvers._solver import LEAST_PAID


class Method(LearningSolver):
    """The rate of iteration t is rate / sqrt(t), with payoffs scaled to 1, and so is its weight in
    the average: gains summed with decreasing rates bound the regret of that average only."""

    def __init__(self, form: Form, *, rate: float = 10.0, simultaneous: bool = False) -> None:
        within("rate", rate, 1e-9, 1e9)
        self.rate = rate
        super().__init__(form, simultaneous=simultaneous)

    def empty_memory(self, count: int) -> Gains:
        return Gains(np.zeros(count, self.form.real), np.zeros(count, self.form.real))

    def first_learner(self) -> Hedge:
        return Hedge(0.0, 0.0)

    def weights(self, t: Floats, steps: Floats) -> Floats:
        rate = self.rate / max(self.form.largest_payoff, LEAST_PAID)
        return np.stack([rate / np.sqrt(t), steps], axis=1)

    def average(self, t: Floats) -> Floats:
        return t**-0.5
