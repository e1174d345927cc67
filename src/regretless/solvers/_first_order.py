"""What first-order methods share: two players, zero-sum, prox steps."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.solvers._needs import TWO_PLAYERS, ZERO_SUM, require
from regretless.solvers._prox import Dilated
from regretless.solvers._vectors import VectorSolver


class FirstOrder(VectorSolver):
    """Plans move by prox steps along gradients."""

    needs = (TWO_PLAYERS, ZERO_SUM)

    def __init__(self, form: Form, *, prox: str, weights: str) -> None:
        require(form, self.name, self.needs)
        super().__init__(form)
        self.dilated = Dilated(form, prox, weights)

    def gradients(self, plan: Floats, out: Floats) -> None:
        """What the sequences of both players earn against the other's plan."""
        for player in (0, 1):
            self.form.gradient(player, plan, out)

    def move(self, mu: float, gradient: Floats, centre: Floats, behaviour: Floats) -> None:
        """A prox step of both players."""
        for player in (0, 1):
            self.dilated.step(player, mu, gradient, centre, behaviour)

    def plans(self, behaviour: Floats, plan: Floats) -> None:
        """The plans of both players' behaviours."""
        for player in (0, 1):
            self.dilated.plan(player, behaviour, plan)

    def distance(self, plan: Floats, behaviour: Floats, centre: Floats) -> float:
        """How far both players are from a centre."""
        distances = (self.dilated.distance(i, plan, behaviour, centre) for i in (0, 1))
        return sum(distances)
