"""FTPL-MDP: follow the perturbed leader (Kalai & Vempala 2005) with linear programs as best
responses, which takes polynomial time (Ganzfried & Sandholm 2009).

Differs from the slides, which leave the noise open: the others' plans are mixed with random ones,
in every state with a share that is uniform up to `noise` / √t, as t iterations with noise of
order √t would be on average."""

from __future__ import annotations

from math import sqrt

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import within
from regretless.core.progress import Listener, nobody
from regretless.kernels.treeplex import behaviour_to_plan, plan_to_behaviour
from regretless.stochastic.algorithms._outer import OuterPlay
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.induced import InducedProcess
from regretless.stochastic.values import Profile


class Method(OuterPlay):
    """Linear programs inside, the perturbed leader outside."""

    name = "ftpl-mdp"

    def __init__(
        self,
        game: StochasticGame,
        *,
        noise: float = 0.5,
        seed: int = 0,
        values: Floats | None = None,
        profile: Profile | None = None,
        threads: int = 1,
        listen: Listener = nobody,
    ) -> None:
        within("noise", noise, 0, 1)
        within("seed", seed, 0, 2**63 - 1)
        super().__init__(game, values=values, profile=profile, threads=threads, listen=listen)
        self.noise, self.seed = noise, seed

    def best(self) -> Profile:
        rng = np.random.default_rng([self.seed, self.iteration])
        process = InducedProcess.against(self.game, self._perturbed(rng))
        policy, _ = process.linear_program(process.own(self.profile))
        return process.profile(policy)

    def _perturbed(self, rng: np.random.Generator) -> Profile:
        share = self.noise / sqrt(self.iteration + 1)
        noisy = []
        for state, plan in zip(self.game.states, self.profile, strict=True):
            plex, drawn = state.stage.plex, np.empty_like(plan)
            behaviour = rng.exponential(size=len(plan))
            for player in range(state.stage.players):
                plan_to_behaviour(plex, player, behaviour, drawn)
                behaviour_to_plan(plex, player, drawn, behaviour)
            noisy.append(plan + share * rng.random() * (behaviour - plan))
        return noisy
