"""Counterfactual regret minimisation, once for all its variants.

Variants share one learner (kernels/regret_matching.py) and differ in four weights of
iteration t = 1, 2, …:

    R <- R + r, then R times positive(t) where R > 0 and negative(t) where R < 0
    next behaviour proportional to max(R + prediction * r, 0)
    average strategy with weights average(t)

Discounting after the update instead of before it changes no strategy: regret matching
does not see a common factor, and the factors of iteration t act before t + 1 adds."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.kernels.regret_matching import TINY, RegretMatching, Regrets
from regretless.solvers._learning import LearningSolver


class RegretMinimiser(LearningSolver):
    """Regret matching at every decision point. A variant overrides weights."""

    prediction = 0.0

    @classmethod
    def memory_bytes(cls, form: Form) -> int:
        vector = np.dtype(form.real).itemsize * sum(form.sizes.sequences)
        return super().memory_bytes(form) + (vector if cls.prediction > 0 else 0)

    def empty_memory(self, count: int) -> Regrets:
        predicted = count if self.prediction > 0 else 0
        regret, wanted, average = (np.zeros(n, self.form.real) for n in (count, predicted, count))
        return Regrets(regret, wanted, average)

    def first_learner(self) -> RegretMatching:
        # In single precision rounding is too coarse to be told from small regrets.
        exact = self.form.real is np.float64
        tiny = TINY * self.form.largest_payoff if exact else 0.0
        return RegretMatching(1.0, 1.0, self.prediction, 0.0, tiny)

    def weights(self, t: Floats, steps: Floats) -> Floats:
        rows = np.empty((t.size, 4))
        rows[:, 0], rows[:, 1] = self.positive(t), self.negative(t)
        rows[:, 2], rows[:, 3] = self.prediction, steps
        return rows

    def positive(self, t: Floats) -> Floats | float:
        """Factor of positive regrets after iteration t."""
        return 1.0

    def negative(self, t: Floats) -> Floats | float:
        """Factor of negative regrets after iteration t."""
        return 1.0
