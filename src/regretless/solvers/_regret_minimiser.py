"""Counterfactual regret minimisation, shared by all its variants.

Variants share one learner (kernels/regret_matching.py) and differ in four weights of
iteration t = 1, 2, …:

    R <- R + r, then R times positive(t) where R > 0 and negative(t) where R < 0
    next behaviour proportional to max(R + prediction * r, 0)
    average strategy with weights average(t)

Discounting after the update instead of before it changes no strategy: regret matching
ignores a common factor, and the factors of iteration t apply before t + 1 adds."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.forms.precision import Precision
from regretless.forms.public import PublicForm
from regretless.kernels.compact_regrets import CompactMatching, CompactRegrets
from regretless.kernels.regret_matching import TINY, RegretMatching, Regrets
from regretless.solvers._learning import LearningSolver, keeps_last


class RegretMinimiser(LearningSolver):
    """Regret matching at every decision point. A variant overrides weights."""

    prediction = 0.0

    @classmethod
    def memory_bytes(cls, form: Form) -> int:
        if not cls.prediction:
            return super().memory_bytes(form)
        vectors = cls.vectors + 1 + keeps_last(form)
        return vectors * np.dtype(form.real).itemsize * sum(form.sizes.sequences)

    def empty_memory(self, count: int) -> Regrets | CompactRegrets:
        if self.is_compact:
            scales = np.zeros((2, (count >> self._shift) + 1), np.float32)
            whole = np.zeros(count, np.int16), np.zeros(count, np.uint16)
            return CompactRegrets(whole[0], scales[0], whole[1], scales[1])
        predicted = count if self.prediction > 0 else 0
        regret, wanted, average = (np.zeros(n, self.form.real) for n in (count, predicted, count))
        return Regrets(regret, wanted, average)

    def first_learner(self) -> RegretMatching | CompactMatching:
        if self.is_compact:
            return CompactMatching(1.0, 1.0, 0.0, self._shift)
        # In single precision rounding cannot be distinguished from small regrets.
        exact = self.form.real is np.float64
        tiny = TINY * self.form.largest_payoff if exact else 0.0
        return RegretMatching(1.0, 1.0, self.prediction, 0.0, tiny)

    def proportions(self, *, final: bool) -> np.ndarray | None:
        if not isinstance(self.memory, CompactRegrets):
            return None
        average: np.ndarray = self.memory.average
        if final:
            self.memory = self.empty_memory(0)
        return average

    @property
    def is_compact(self) -> bool:
        """Whether memories keep 16 bits per number."""
        form = self.form
        # A prediction would need a third vector.
        compact = isinstance(form, PublicForm) and form.precision is Precision.COMPACT
        return compact and not self.prediction

    @property
    def _shift(self) -> int:
        assert isinstance(self.form, PublicForm)
        return self.form.shortest_run.bit_length() - 1

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
