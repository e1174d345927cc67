"""Solvers that are done after one step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form, behaviour_of, plan_of, uniform
from regretless.solvers._solver import Iterate, Solver, checked


class ExactSolver(Solver):
    """One step finds the plans of all players."""

    is_exact = True

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.plan = plan_of(form, uniform(form))

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        return "sequence"

    @property
    def finished(self) -> bool:
        return self.iteration > 0

    @abstractmethod
    def solve(self) -> Floats:
        """Equilibrium plans of all players."""

    def step(self, count: int = 1) -> None:
        if count and not self.finished:
            self.plan = self.solve()
            self.iteration = 1

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        return behaviour_of(self.form, self.plan)

    def state(self) -> dict[str, np.ndarray]:
        return {"plan": self.plan.copy(), "clock": np.array([float(self.iteration), 0.0])}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        self.plan = checked(state, "plan", self.plan)
        self.iteration = 1
