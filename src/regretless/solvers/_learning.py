"""Solvers that learn at every decision point: counterfactual learning, shared by all.

A form sweeps; the learner (kernels/learner.py) plays and observes; the memory is owned
here. Methods differ in the learner and its weights by iteration."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput
from regretless.forms.form import Form, behaviour_of, size
from regretless.forms.public import SINGLE_ABOVE, PublicForm
from regretless.kernels.treeplex import written
from regretless.solvers._solver import Iterate, Solver, checked


def keeps_last(form: Form) -> bool:
    """Whether the last strategy is kept beside the memory: not in large games."""
    return form.real is np.float64 and sum(form.sizes.sequences) <= SINGLE_ABOVE


class LearningSolver(Solver):
    """The loop, the average and the files; subclasses name a learner and its weights."""

    vectors = 2  # numbers that it keeps per sequence

    def __init__(self, form: Form, *, simultaneous: bool = False) -> None:
        """`simultaneous`: all players see the same plans, instead of updating in turn."""
        super().__init__(form)
        self.simultaneous = simultaneous
        self.memory = self.empty_memory(size(form))
        self.learner = self.first_learner()
        self.weight = 0.0  # sum of the average's weights
        keeps = keeps_last(form)
        self.iterates = tuple(Iterate) if keeps else (Iterate.AVERAGE, Iterate.CURRENT)
        self.last = self._next_behaviour() if keeps else np.empty(0)

    @classmethod
    def memory_bytes(cls, form: Form) -> int:
        kept = cls.vectors + keeps_last(form)
        return kept * form.number_bytes * sum(form.sizes.sequences)

    @abstractmethod
    def empty_memory(self, count: int) -> Any:
        """The learner's memory at its start: a named tuple of vectors, one of them `average`."""

    @abstractmethod
    def first_learner(self) -> Any:
        """The learner, before its weights are tuned."""

    @abstractmethod
    def weights(self, t: Floats, steps: Floats) -> Floats:
        """[iteration, weight] as the learner's `tuned` reads them; `steps` are the average's."""

    def average(self, t: Floats) -> Floats | float:
        """Weight of iteration t in the average strategy."""
        return 1.0

    def step(self, count: int = 1) -> None:
        t = self.iteration + np.arange(1.0, count + 1)
        added = self.average(t) * np.ones(count)
        sums = np.cumsum(np.concatenate([[self.weight], added]))  # one by one, in order
        weights = self.weights(t, added / sums[1:])
        if self.last.size:
            self._sweep(weights[:-1])
            if count:
                self.last = self._next_behaviour()
            self._sweep(weights[-1:])
        else:
            self._sweep(weights)
        self.iteration += count
        self.weight = float(sums[-1])

    def _sweep(self, weights: Floats) -> None:
        self.form.sweep(self.learner, self.memory, weights, self.simultaneous)

    def _written(self, *, averages: bool) -> Floats:
        behaviour: Floats = np.empty(size(self.form), self.form.real)
        written(self.form.blocks, self.learner, self.memory, averages, behaviour)
        return behaviour

    def _next_behaviour(self) -> Floats:
        return self._written(averages=False)

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        which = self.kept(which)
        if which == Iterate.AVERAGE:
            if self.form.real is np.float64:
                return behaviour_of(self.form, self.memory.average)
            return self._written(averages=True)
        return self._next_behaviour() if which == Iterate.CURRENT else self.last.copy()

    def judged(self, which: Iterate = Iterate.AVERAGE) -> list[tuple[float, float]] | None:
        form = self.form
        if self.kept(which) != Iterate.AVERAGE or not isinstance(form, PublicForm):
            return None
        if form.real is np.float64 or not form.looks_at(self.memory):
            return None
        players = range(form.players)
        return [form.respond_to_average(player, self.learner, self.memory) for player in players]

    def state(self) -> dict[str, np.ndarray]:
        clock = np.array([float(self.iteration), self.weight])
        return {**self.memory._asdict(), "last": self.last, "clock": clock}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        clock = state.get("clock")
        if clock is None or clock.shape != (2,):
            raise BadInput("saved state has no clock: it is not from a regret minimiser")
        fields = self.memory._asdict()
        vectors = {name: checked(state, name, vector) for name, vector in fields.items()}
        self.memory = self.memory._replace(**vectors)
        if self.last.size and not state.get("last", self.last).size:
            self.last = self._next_behaviour()  # a run in single precision kept none
        else:
            self.last = checked(state, "last", self.last)
        self.iteration, self.weight = int(clock[0]), float(clock[1])
