"""Regret minimisation on a growing game: rough but fast solutions."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.gradient_form import Scratch
from regretless.forms.restriction import Restriction
from regretless.forms.sequence import table
from regretless.kernels import sequence as kernels
from regretless.kernels import treeplex
from regretless.kernels.regret_matching import TINY, RegretMatching, Regrets

PREDICTION, GAMMA = 1 / 3, 5.0  # those of sapcfr+, the best on small games


class RestrictedRegrets:
    """Continues with the regrets of the smaller game."""

    def __init__(self, size: int) -> None:
        self.regret = np.zeros(size)  # of the sequences of the whole game

    def solve(self, game: Restriction, iterations: int) -> Floats:
        """Plans of the restricted game, averaged over some iterations."""
        start = self.regret[game.kept]
        tiny = TINY * np.abs(game.payoffs).max(initial=0.0)
        learner = RegretMatching(1.0, 0.0, PREDICTION, 0.0, tiny)
        memory = Regrets(start, start.copy(), np.zeros_like(start))
        if not game.payoffs.size:  # all payoffs are zero
            behaviour, plan = np.empty_like(start), np.empty_like(start)
            treeplex.written(game.plex, learner, memory, False, behaviour)
            for player in range(2):
                treeplex.behaviour_to_plan(game.plex, player, behaviour, plan)
            return plan
        payoffs = table(game.pairs, np.stack([game.payoffs, -game.payoffs], axis=1))
        counted = np.arange(1.0, iterations + 1) ** GAMMA
        weights = np.zeros((iterations, 4))
        weights[:, 0], weights[:, 2] = 1.0, PREDICTION
        weights[:, 3] = counted / np.cumsum(counted)
        playing = Scratch(game.plex).playing
        kernels.iterate(game.plex, payoffs, learner, memory, playing, weights, False)
        self.regret[game.kept] = memory.regret
        return memory.average
