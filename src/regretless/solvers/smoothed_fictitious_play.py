"""Smoothed fictitious play (Fudenberg & Levine 1995): logit responses that sharpen.

Every player plays the smoothed best response to the others' averages: at every decision point
in proportion to exp(value / T). Differs from the paper, where T is constant: T decreases as
`temperature` / √t, in units of what a player could gain against the uniform strategy, so that
averages converge to an equilibrium."""

from __future__ import annotations

from math import sqrt

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.solvers._follower import Follower


class Method(Follower):
    """Logit responses to averages."""

    name = "smoothed-fictitious-play"

    def __init__(
        self, form: Form, *, temperature: float = 0.01, simultaneous: bool = False
    ) -> None:
        within("temperature", temperature, 1e-6, 1e6)
        super().__init__(form, simultaneous=simultaneous)
        self.temperature = temperature

    def answer(self, player: int, gradient: Floats, behaviour: Floats) -> None:
        T = self.temperature * self.numbers[player] / sqrt(self.iteration + 1)
        self.dilated.respond(player, T, gradient, behaviour)
