"""CFR-BR (Johanson, Bard, Burch & Bowling 2012): regret minimisers against best responses.

Each player runs CFR against an opponent who plays a best response to its current strategy,
so the two halves are independent, and the result combines one strategy of each. If only the
learner's side of a game is abstracted, it finds the least exploitable strategy that the
abstraction can express; `least_exploitable`, and `solve` with an abstraction, do so for both
players.

Differs from the paper: regret matching+ with linear averaging by default; `plus=false` is
plain CFR with a plain average."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form, plan_of, uniform
from regretless.kernels.matching import match
from regretless.solvers._first_order import FirstOrder
from regretless.solvers._solver import Iterate


class Method(FirstOrder):
    """A learner against a best-responding opponent."""

    name = "cfr-br"
    iterates = tuple(Iterate)

    def __init__(self, form: Form, *, plus: bool = True) -> None:
        super().__init__(form, prox="entropy", weights="hoda")
        self.plus = plus
        self.regret = self.empty()
        self.played = uniform(form)  # what the next iteration plays
        self.last = self.average.copy()
        self._gradient, self._answer, self._plan = self.empty(), self.empty(), self.empty()
        self._work = np.empty((2, form.plex.parents.size + 1))

    def vectors(self) -> tuple[str, ...]:
        return ("average", "regret", "played", "last", "numbers")

    def shown(self, which: Iterate) -> Floats:
        if which is Iterate.CURRENT:
            return plan_of(self.form, self.played)
        return self.average if which is Iterate.AVERAGE else self.last

    def iterate(self) -> None:
        self.plans(self.played, self.last)
        for i, j in ((0, 1), (1, 0)):
            self.form.gradient(j, self.last, self._gradient)
            self.dilated.best(j, self._gradient, self._answer)
            self.dilated.plan(j, self._answer, self._plan)
            self.form.gradient(i, self._plan, self._gradient)
            floor = 0.0 if self.plus else -np.inf
            given = (self.form.plex, i, self.regret, self.played, self._gradient, self._work)
            match(*given, floor)
        t = self.iteration + 1
        step = 2.0 / (t + 1) if self.plus else 1.0 / t
        self.average += step * (self.last - self.average)
