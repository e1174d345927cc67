"""Iterated smoothing (Gilpin, Peña & Sandholm 2012): O(log 1/ε) steps, times a condition number.

A round minimises the gap, smoothed by a Euclidean distance, with Nesterov's accelerated
gradient method, until the gap itself has fallen by a factor of e. The next round starts
where it ended, with less smoothing. Near the equilibria the gap is at least a constant times
the distance to them, so every round takes about as many steps as the one before.

Distances are between plans, not dilated: the proof requires it, and it requires the exact
projection onto a treeplex. Differs from the paper: the smoothing is centred where a round
starts; the norm of the payoffs is found by power iteration. The result is the best plan so far."""

from __future__ import annotations

from math import e, sqrt
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.solvers._first_order import FirstOrder
from regretless.solvers._nearest import Nearest
from regretless.solvers._prox import inner

POWERS = 60  # of power iteration
MARGIN = 1.02  # on its result, which is an underestimate
# Places in `numbers`: smoothed until this gap; η; steps in the round; the norm squared; the
# least gap so far; rounds.
GOAL, ETA, STEPS, NORM, LEAST, ROUNDS = range(6)


class Method(FirstOrder):
    """Smooth, descend, and restart with less smoothing."""

    name = "iterated-smoothing"

    def __init__(self, form: Form) -> None:
        super().__init__(form, prox="euclidean", weights="hoda")
        self.numbers = np.zeros(6)
        self.nearest = Nearest(form)
        # z, w and where the round began; what they earn; the weighted sum of directions.
        self.plan, self.leading, self.origin = (self.average.copy() for _ in range(3))
        self.earned, self.leading_earned = self.empty(), self.empty()
        self.pushed = self.empty()
        self._answer, self._spent = self.empty(), self.empty()
        self._direction = self.empty()

    def vectors(self) -> tuple[str, ...]:
        moving = ("plan", "leading", "origin", "earned", "leading_earned", "pushed")
        return ("average", *moving, "numbers")

    def details(self) -> dict[str, Any]:
        return {"rounds": int(self.numbers[ROUNDS]), "gap": float(self.numbers[LEAST])}

    def news(self) -> str:
        return f"round {int(self.numbers[ROUNDS])}"

    def iterate(self) -> None:
        numbers = self.numbers
        if self.iteration == 0:
            numbers[NORM] = self._norm_squared()
            self.gradients(self.plan, self.earned)
            numbers[LEAST] = self._gap(self.earned)
            self._begin_round()
        if numbers[GOAL] <= 0.0:
            return  # solved, up to rounding
        eta, k = numbers[ETA], numbers[STEPS]
        share = 2.0 / (k + 2.0)
        between = share * self.leading + (1 - share) * self.plan
        earned = share * self.leading_earned + (1 - share) * self.earned
        self.nearest(self.origin + earned / eta, self._answer)
        self.gradients(self._answer, self._direction)
        step = eta / numbers[NORM]
        self.nearest(between + step * self._direction, self.plan)
        self.pushed += (k + 1.0) / 2.0 * self._direction
        self.nearest(self.origin + step * self.pushed, self.leading)
        self.gradients(self.plan, self.earned)
        self.gradients(self.leading, self.leading_earned)
        numbers[STEPS] += 1
        self._look()

    def _look(self) -> None:
        gap = self._gap(self.earned)
        if gap < self.numbers[LEAST]:
            self.numbers[LEAST] = gap
            self.average[:] = self.plan
        if gap < self.numbers[GOAL]:
            self._begin_round()

    def _begin_round(self) -> None:
        """Start at the current plan, with its gap over e as the target and smoothing to match."""
        self.origin[:] = self.leading[:] = self.plan
        self.leading_earned[:] = self.earned
        self.pushed[:] = 0.0
        self.numbers[GOAL] = self._gap(self.earned) / e
        if self.numbers[GOAL] <= 0.0:
            return
        # Half the squared distance to a pure plan u, from c: linear in u, since u is 0 or 1.
        farthest = self._gap(0.5 - self.plan) + 0.5 * inner(self.plan, self.plan)
        if farthest <= 0.0:  # nobody has a choice: the gap is rounding
            self.numbers[GOAL] = 0.0
            return
        self.numbers[ETA] = max(self.numbers[GOAL] / (2.0 * farthest), 1e-300)
        self.numbers[STEPS] = 0
        self.numbers[ROUNDS] += 1

    def _gap(self, earned: Floats) -> float:
        """What both best responses earn in total."""
        return sum(self.dilated.best(i, earned, self._spent) for i in (0, 1))

    def _norm_squared(self) -> float:
        """The largest eigenvalue of A'A, from gradients alone: they are A y and -A' x."""
        vector = np.random.default_rng(0).random(self.average.size)
        product = np.empty_like(vector)
        norm = 1.0
        for _ in range(POWERS):
            self.gradients(vector / sqrt(inner(vector, vector)), product)
            norm = max(sqrt(inner(product, product)), 1e-30)
            vector, product = product.copy(), vector
        return (MARGIN * norm) ** 2
