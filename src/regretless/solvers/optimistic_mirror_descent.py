"""Optimistic mirror descent with dilated distances; its last iterate converges.

Rakhlin & Sridharan 2013; in extensive games Lee, Kroer & Luo 2021, where the last iterate is
shown to converge: `--iterate current`. The prediction of the next gradient is the last one.

Differs from the papers: with `step=0` the step η starts large and is halved whenever
η <g - prediction, z' - w> > D(z', w) + D(w, z), the condition in the proof for the average;
the average then restarts."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form, plan_of, uniform
from regretless.solvers._first_order import FirstOrder
from regretless.solvers._prox import inner
from regretless.solvers._solver import LEAST_PAID, Iterate

FIRST_STEP = 4.0  # divided by the largest entry of the first gradient
SMALLEST = 1e-12
STEP, FIRST, TOTAL = 0, 1, 2  # places in `numbers`; the sum is since η changed


class Method(FirstOrder):
    """Play as if the next gradient were the last one."""

    name = "optimistic-mirror-descent"
    iterates = tuple(Iterate)

    def __init__(
        self,
        form: Form,
        *,
        prox: str = "euclidean",
        weights: str = "hoda",
        step: float = 0.0,
    ) -> None:
        """`prox`: euclidean or entropy; `weights`: hoda or kroer; `step`: 0 is adaptive."""
        within("step", step, 0, 1e6)
        super().__init__(form, prox=prox, weights=weights)
        self.given = step
        self.centre = uniform(form)  # z
        self.played = uniform(form)  # w: what the next iteration plays
        self.predicted = self.empty()
        self.last = self.average.copy()
        self._gradient, self._next, self._plan = self.empty(), self.empty(), self.empty()

    def vectors(self) -> tuple[str, ...]:
        return ("average", "centre", "played", "predicted", "last", "numbers")

    def shown(self, which: Iterate) -> Floats:
        if which is Iterate.CURRENT:
            return plan_of(self.form, self.played)
        return self.average if which is Iterate.AVERAGE else self.last

    def iterate(self) -> None:
        self.plans(self.played, self.last)
        self.gradients(self.last, self._gradient)
        if self.iteration == 0:
            first = FIRST_STEP / max(float(np.abs(self._gradient).max()), LEAST_PAID)
            self.numbers[[STEP, FIRST]] = self.given or first
        step = float(self.numbers[STEP])
        self.move(1.0 / step, self._gradient, self.centre, self._next)
        if self._is_too_long(step):
            self.numbers[STEP] /= 2.0
            self.numbers[TOTAL] = 0.0  # iterates of steps that were too long do not count
        self.numbers[TOTAL] += step
        self.average += step / self.numbers[TOTAL] * (self.last - self.average)
        self.centre, self._next = self._next, self.centre
        self.predicted, self._gradient = self._gradient, self.predicted
        self.move(1.0 / float(self.numbers[STEP]), self.predicted, self.centre, self.played)

    def _is_too_long(self, step: float) -> bool:
        if self.given or step < SMALLEST * self.numbers[FIRST]:
            return False
        self.plans(self._next, self._plan)
        surprise = self._gradient - self.predicted
        error = step * inner(surprise, self._plan - self.last)
        near = self.distance(self._plan, self._next, self.played)
        return error > near + self.distance(self.last, self.played, self.centre)
