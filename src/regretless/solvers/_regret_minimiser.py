"""Counterfactual regret minimisation, once for all its variants.

At every decision point a regret-matching learner sees the values of its actions. All
variants share one sweep and differ in four weights of iteration t = 1, 2, …:

    R <- R + r, then R times positive(t) where R > 0 and negative(t) where R < 0
    next behaviour proportional to max(R + prediction * r, 0)
    average strategy with weights average(t)

Discounting after the update instead of before it changes no strategy: regret matching
does not see a common factor, and the factors of iteration t act before t + 1 adds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput
from regretless.forms.form import Form
from regretless.solvers._solver import Iterate, Solver, checked


class RegretMinimiser(Solver):
    """The shared sweep. A variant overrides weights."""

    prediction = 0.0

    def __init__(self, form: Form, *, simultaneous: bool = False) -> None:
        """`simultaneous`: all players see the same plans, instead of one after the other."""
        super().__init__(form)
        self.simultaneous = simultaneous
        self.regrets = form.start(predictive=self.prediction > 0)
        self.weight = 0.0  # sum of the average's weights

    def positive(self, t: Floats) -> Floats | float:
        """Factor of positive regrets after iteration t."""
        return 1.0

    def negative(self, t: Floats) -> Floats | float:
        """Factor of negative regrets after iteration t."""
        return 1.0

    def average(self, t: Floats) -> Floats | float:
        """Weight of iteration t in the average strategy."""
        return 1.0

    def step(self, count: int = 1) -> None:
        t = self.iteration + np.arange(1.0, count + 1)
        added = self.average(t) * np.ones(count)
        sums = np.cumsum(np.concatenate([[self.weight], added]))  # one by one, in order
        weights = np.empty((count, 4))
        weights[:, 0], weights[:, 1] = self.positive(t), self.negative(t)
        weights[:, 2], weights[:, 3] = self.prediction, added / sums[1:]
        self.form.sweep(self.regrets, weights, self.simultaneous)
        self.iteration += count
        self.weight = float(sums[-1])

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        return self.form.played(self.regrets, which)

    def state(self) -> dict[str, np.ndarray]:
        return {**self.regrets._asdict(), "clock": np.array([float(self.iteration), self.weight])}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        clock = state.get("clock")
        if clock is None or clock.shape != (2,):
            raise BadInput("saved state has no clock: it is not one of a regret minimiser")
        fields = self.regrets._asdict()
        found = {name: checked(state, name, vector) for name, vector in fields.items()}
        self.regrets = self.regrets._replace(**found)
        self.iteration, self.weight = int(clock[0]), float(clock[1])
