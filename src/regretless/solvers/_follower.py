"""What variants of fictitious play share: respond to averages, and average the responses."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.kernels.treeplex import behaviour_to_plan
from regretless.solvers._prox import Dilated, inner
from regretless.solvers._solver import LEAST_PAID, Iterate
from regretless.solvers._vectors import VectorSolver


class Follower(VectorSolver):
    """Any number of players. The uniform strategy counts as the first response."""

    iterates = (Iterate.AVERAGE, Iterate.LAST)

    def __init__(self, form: Form, *, simultaneous: bool = False) -> None:
        """`simultaneous`: all players respond to the same averages, instead of in turn."""
        super().__init__(form)
        self.simultaneous = simultaneous
        self.dilated = Dilated(form, "entropy", "hoda")
        self.numbers = np.zeros(form.players)  # what every player could gain at the start
        self.last = self.average.copy()
        self._gradient, self._behaviour = self.empty(), self.empty()

    def vectors(self) -> tuple[str, ...]:
        return ("average", "last", "numbers")

    def shown(self, which: Iterate) -> Floats:
        return self.average if which is Iterate.AVERAGE else self.last

    @abstractmethod
    def answer(self, player: int, gradient: Floats, behaviour: Floats) -> None:
        """The player's response when its sequences earn this, after `iteration` iterations."""

    def gain(self, player: int, gradient: Floats) -> float:
        """How much more a best response earns than the uniform strategy, bounded away from 0."""
        mine = self.own(player)
        best = self.dilated.best(player, gradient, self._behaviour)
        return max(best - inner(gradient[mine], self.average[mine]), LEAST_PAID)

    def iterate(self) -> None:
        players = range(self.form.players)
        gradient = self._gradient
        if self.simultaneous or self.iteration == 0:
            for player in players:
                self.form.gradient(player, self.average, gradient)
        if self.iteration == 0:
            self.numbers = np.array([self.gain(player, gradient) for player in players])
        for player in players:
            if not self.simultaneous:
                self.form.gradient(player, self.average, gradient)
            self.answer(player, gradient, self._behaviour)
            behaviour_to_plan(self.form.plex, player, self._behaviour, self.last)
            mine = self.own(player)
            step = 1.0 / (self.iteration + 2)
            self.average[mine] += step * (self.last[mine] - self.average[mine])
