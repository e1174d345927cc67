"""What first-order methods share: two players, zero-sum, prox steps, plans and gradients."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, Unsuitable
from regretless.forms.form import Form, behaviour_of, own, plan_of, size, uniform
from regretless.solvers._prox import Dilated
from regretless.solvers._solver import Iterate, Solver, checked

ANY_GAME = "cfr+, dcfr and fictitious-play"  # they run on any game, and epsilon is measured


def require_saddle(form: Form, method: str) -> None:
    """Refuse games that are not one bilinear saddle point, and say what runs on them."""
    if form.players == 2 and form.zero_sum:
        return
    kind = f"{form.players} players" if form.players != 2 else "payoffs that are not zero-sum"
    raise Unsuitable(
        f"method {method} solves two-player zero-sum games: {form.spec} has {kind}; "
        f"{ANY_GAME} run on it"
    )


class FirstOrder(Solver):
    """Vectors over the sequences of both players, saved and restored by name."""

    name = ""  # of the method
    iterates: tuple[Iterate, ...] = (Iterate.AVERAGE,)

    def __init__(self, form: Form, *, prox: str, weights: str) -> None:
        require_saddle(form, self.name)
        super().__init__(form)
        self.dilated = Dilated(form, prox, weights)
        self.average = plan_of(form, uniform(form))  # the plans to be shown
        self.numbers = np.zeros(4)  # what a method keeps beside vectors

    def vectors(self) -> tuple[str, ...]:
        """Names of the attributes that the next step depends on."""
        return ("average", "numbers")

    def empty(self) -> Floats:
        """A vector over the sequences of both players."""
        return np.zeros(size(self.form))

    def own(self, player: int) -> slice:
        """The player's part of such a vector."""
        return own(self.form, player)

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        return behaviour_of(self.form, self.shown(which))

    def shown(self, which: Iterate) -> Floats:
        """The plans that are average, current or last."""
        if which is not Iterate.AVERAGE:
            raise Unsuitable(f"strategy={which}: method {self.name} has {self._has()} only")
        return self.average

    def _has(self) -> str:
        return " and ".join(self.iterates)

    def state(self) -> dict[str, np.ndarray]:
        found = {name: np.asarray(getattr(self, name)) for name in self.vectors()}
        return {**found, "clock": np.array([float(self.iteration)])}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        clock = state.get("clock")
        if clock is None or clock.shape != (1,):
            raise BadInput(f"saved state has no clock: it is not one of method {self.name}")
        found = {name: checked(state, name, getattr(self, name)) for name in self.vectors()}
        for name, vector in found.items():
            setattr(self, name, vector)
        self.iteration = int(clock[0])
