"""Restricted Nash response (Johanson, Zinkevich & Bowling 2007): exploit a model, safely.

For each player: the best strategy against an opponent who follows a model with probability
`p`, and otherwise adapts. With p = 0 that is an equilibrium, with p = 1 a best response to the
model; in between, it earns as much against the model as its own exploitability allows. The model
is a strategy, a model of an opponent or the uniform strategy; `solve` opens files of these. The
result is the response of each player.

Each of the two restricted games is solved by CFR+."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, shown, within
from regretless.forms.form import Form, plan_of, size, uniform
from regretless.kernels.matching import match
from regretless.solvers._first_order import FirstOrder
from regretless.solvers._prox import inner


class Method(FirstOrder):
    """Responses to a model that may be wrong."""

    name = "restricted-nash"

    def __init__(self, form: Form, *, p: float = 0.5, model: str = "uniform") -> None:
        """`p`: probability that the opponent follows the `model`, a strategy file or uniform."""
        within("p", p, 0, 1)
        super().__init__(form, prox="entropy", weights="hoda")
        self.p = p
        self.model = plan_of(form, _behaviour(model, form))
        # `played` responds to the model and the rival; the rival adapts, each as one vector:
        # player 2's part of `rival` plays against player 1's part of `played`, and vice versa.
        self.played, self.rival = uniform(form), uniform(form)
        self.regret, self.rival_regret = self.empty(), self.empty()
        self.rival_average = self.average.copy()
        self._plan, self._rival_plan = self.average.copy(), self.average.copy()
        self._gradient = self.empty()
        self._work = np.empty((2, form.plex.parents.size + 1))

    def vectors(self) -> tuple[str, ...]:
        played = ("played", "rival", "regret", "rival_regret")
        return ("average", "rival_average", "model", *played, "numbers")

    def iterate(self) -> None:
        plex, gradient, work = self.form.plex, self._gradient, self._work
        step = 2.0 / (self.iteration + 2)
        self.plans(self.rival, self._rival_plan)
        self.plans(self.played, self._plan)
        self.average += step * (self._plan - self.average)
        self.rival_average += step * (self._rival_plan - self.rival_average)
        faced = self.p * self.model + (1 - self.p) * self._rival_plan
        for i in (0, 1):
            self.form.gradient(i, faced, gradient)
            match(plex, i, self.regret, self.played, gradient, work, 0.0)
        self.plans(self.played, self._plan)
        for j in (0, 1):
            self.form.gradient(j, self._plan, gradient)
            match(plex, j, self.rival_regret, self.rival, gradient, work, 0.0)

    def details(self) -> dict[str, Any]:
        """Per player: payoff against the model, what the response may lose to a best response,
        and the gap of the restricted game, which is 0 in its equilibrium."""
        spent, earned = self.empty(), self.empty()
        faced = self.p * self.model + (1 - self.p) * self.rival_average
        won, lost, gaps = [], [], []
        for i, j in ((0, 1), (1, 0)):
            mine = self.own(i)
            self.form.gradient(i, self.model, earned)
            won.append(inner(earned[mine], self.average[mine]))
            self.form.gradient(i, faced, earned)
            best = self.dilated.best(i, earned, spent)
            self.form.gradient(j, self.average, earned)
            worst = self.dilated.best(j, earned, spent)
            lost.append(-worst)
            gaps.append(best + (1 - self.p) * worst - self.p * won[-1])
        return {"p": self.p, "against_model": won, "at_worst": lost, "restricted_gap": gaps}

    def remarks(self) -> list[tuple[str, str]]:
        told = self.details()
        lines = zip(told["against_model"], told["at_worst"], strict=True)
        return [
            (f"response of player {i}", f"{won:.6f} against the model, at worst {worst:.6f}")
            for i, (won, worst) in enumerate(lines, start=1)
        ] + [("restricted gap", f"{max(told['restricted_gap']):.3e}")]


def _behaviour(model: Any, form: Form) -> Floats:
    """Of the uniform strategy, or of anything that has one on this form."""
    if isinstance(model, str) and model == "uniform":
        return uniform(form)
    known = getattr(model, "behaviour", None)
    if not isinstance(known, np.ndarray) or known.shape != (size(form),):
        raise BadParameter(
            f"model={shown(model)}: must be uniform, or a strategy or model on the form of the game"
        )
    return np.asarray(known, dtype=np.float64)
