"""Mirror prox (Nemirovski 2004) with dilated distances, O(1/ε) steps.

From z, a prox step along the gradients leads to w; from z again, one along the gradients at w
leads to the next z. The result is the average of w, weighted by the steps η.

Differs from the paper: η is not derived from a norm of the payoffs. It grows by a tenth per
step, and is halved until η <g(w) - g(z), z' - w> <= D(z', w) + D(w, z), which is all that
the proof requires."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form, uniform
from regretless.solvers._first_order import FirstOrder
from regretless.solvers._prox import inner
from regretless.solvers._solver import LEAST_PAID, Iterate

GROWTH = 1.1
SMALLEST, LARGEST = 1e-12, 1e6  # of η, relative to the first one: beyond these, rounding dominates
STEP, FIRST, TOTAL = 0, 1, 2  # places in `numbers`: η, the first η, sum of all


class Method(FirstOrder):
    """Look ahead, then step."""

    name = "mirror-prox"
    iterates = (Iterate.AVERAGE, Iterate.LAST)

    def __init__(self, form: Form, *, prox: str = "euclidean", weights: str = "hoda") -> None:
        """`prox`: euclidean or entropy; `weights`: hoda or kroer."""
        super().__init__(form, prox=prox, weights=weights)
        self.centre = uniform(form)  # z
        self.last = self.average.copy()  # the plan of w
        self._plan = self.average.copy()  # of z
        self._ahead, self._next = self.empty(), self.empty()  # w and z' as behaviours
        self._here, self._there, self._next_plan = self.empty(), self.empty(), self.empty()

    def vectors(self) -> tuple[str, ...]:
        return ("average", "centre", "last", "numbers")

    def shown(self, which: Iterate) -> Floats:
        return self.average if which is Iterate.AVERAGE else self.last

    def iterate(self) -> None:
        self.plans(self.centre, self._plan)
        self.gradients(self._plan, self._here)
        if self.iteration == 0:
            self.numbers[[STEP, FIRST]] = 1.0 / max(float(np.abs(self._here).max()), LEAST_PAID)
        first = float(self.numbers[FIRST])
        step = min(float(self.numbers[STEP]) * GROWTH, LARGEST * first)
        while not self._try(step) and step > SMALLEST * first:
            step /= 2.0
        self.numbers[STEP] = step
        self.numbers[TOTAL] += step
        self.average += step / self.numbers[TOTAL] * (self.last - self.average)
        self.centre, self._next = self._next, self.centre

    def _try(self, step: float) -> bool:
        self.move(1.0 / step, self._here, self.centre, self._ahead)
        self.plans(self._ahead, self.last)
        self.gradients(self.last, self._there)
        self.move(1.0 / step, self._there, self.centre, self._next)
        self.plans(self._next, self._next_plan)
        error = step * inner(self._there - self._here, self._next_plan - self.last)
        near = self.distance(self._next_plan, self._next, self._ahead)
        return error <= near + self.distance(self.last, self._ahead, self.centre)
