"""VI-FP: values by one step of value iteration (Ganzfried & Sandholm 2008).

States are worth what the profile is worth there if the next states are worth what they were
before. It may converge to a profile that is not an equilibrium: values that are too high and
confirm each other are never corrected."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.stochastic.algorithms._outer import InnerPlay
from regretless.stochastic.inner import Played


class Method(InnerPlay):
    """Fictitious play inside, value iteration outside."""

    name = "vi-fp"

    def valued(self, played: list[Played]) -> Floats:
        return np.concatenate([one.values for one in played])
