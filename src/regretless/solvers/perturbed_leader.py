"""Follow the perturbed leader (Kalai & Vempala 2005): best responses to noisy totals.

Every player plays a best response to the sum of all gradients so far plus one random number
per sequence, redrawn each time. Sums of gradients are t times the gradient against the
average, so noise of size √t is noise of size `noise` / √t on that, in units of what a player
could gain against the uniform strategy, over the root of the number of sequences."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.solvers._follower import Follower
from regretless.solvers._solver import restored_rng, saved_rng


class Method(Follower):
    """Best responses to averages plus noise."""

    name = "perturbed-leader"

    def __init__(self, form: Form, *, noise: float = 0.1, simultaneous: bool = False) -> None:
        within("noise", noise, 0, 1e6)
        super().__init__(form, simultaneous=simultaneous)
        self.noise = noise
        self.sequences = np.diff(form.plex.roots)

    def answer(self, player: int, gradient: Floats, behaviour: Floats) -> None:
        mine = self.own(player)
        size = self.noise * self.numbers[player] / sqrt(self.iteration + 1)
        drawn = self.rng.random(mine.stop - mine.start)
        gradient[mine] += size * drawn / sqrt(float(self.sequences[player]))
        self.dilated.best(player, gradient, behaviour)

    def state(self) -> dict[str, np.ndarray]:
        return {**super().state(), "rng": saved_rng(self.rng)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        rng = restored_rng(state.get("rng", np.empty(0)))
        super().restore(state)
        self.rng = rng
