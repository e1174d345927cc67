"""PI-FP: values by the evaluation step of policy iteration (Ganzfried & Sandholm 2009).

States are worth what the profile earns to the end of the game. If values converge, the profile
is an equilibrium, whatever the values were at the start."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.stochastic.algorithms._outer import InnerPlay
from regretless.stochastic.inner import Played
from regretless.stochastic.values import profile_values


class Method(InnerPlay):
    """Fictitious play inside, policy iteration outside."""

    name = "pi-fp"

    def valued(self, played: list[Played]) -> Floats:
        return profile_values(self.game, [one.chances for one in played])
