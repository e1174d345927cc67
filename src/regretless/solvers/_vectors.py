"""Solvers whose state is a few named vectors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput
from regretless.forms.form import Form, behaviour_of, own, plan_of, size, uniform
from regretless.solvers._solver import Iterate, Solver, checked


class VectorSolver(Solver):
    """Vectors over the sequences of all players, saved and restored by name."""

    name = ""  # of the method
    iterates: tuple[Iterate, ...] = (Iterate.AVERAGE,)

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.average = plan_of(form, uniform(form))  # the plans of the result
        self.numbers = np.zeros(4)  # scalars that a method keeps

    def vectors(self) -> tuple[str, ...]:
        """Names of the attributes that the next step depends on."""
        return ("average", "numbers")

    def empty(self) -> Floats:
        """A vector over the sequences of all players."""
        return np.zeros(size(self.form))

    def own(self, player: int) -> slice:
        """The player's part of such a vector."""
        return own(self.form, player)

    def iterate(self) -> None:
        """Run one iteration; `iteration` counts those before it."""
        raise NotImplementedError

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.iterate()
            self.iteration += 1

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        return behaviour_of(self.form, self.shown(self.kept(which)))

    def shown(self, which: Iterate) -> Floats:
        """The plans of the average, current or last iterate."""
        return self.average

    def state(self) -> dict[str, np.ndarray]:
        vectors = {name: np.asarray(getattr(self, name)) for name in self.vectors()}
        return {**vectors, "clock": np.array([float(self.iteration)])}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        clock = state.get("clock")
        if clock is None or clock.shape != (1,):
            raise BadInput(f"saved state has no clock: it is not from method {self.name}")
        vectors = {name: checked(state, name, getattr(self, name)) for name in self.vectors()}
        for name, vector in vectors.items():
            setattr(self, name, vector)
        self.iteration = int(clock[0])
