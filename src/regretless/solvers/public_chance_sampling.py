"""Public chance sampling (Johanson et al. 2012): one run of boards per iteration, all hands.

An iteration samples a board of the last round with its chance probability, and sweeps over
it and the boards that lead to it, for all hands of all players at once. Payoffs of a site are
divided by the probability of sampling it, so that regrets are unbiased. Strategies are summed
instead of averaged: sites are not sampled equally often.

With `baseline`, sites keep estimates of their values, per hand and betting line, as in Schmid et
al. 2019: the site above sums all estimates, and adds the error of the sampled one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, Unsuitable, within
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.solvers._regret_minimiser import RegretMinimiser
from regretless.solvers._solver import checked, restored_rng, saved_rng


class Method(RegretMinimiser):
    """CFR on the sampled boards; boards that share a site are sampled together."""

    def __init__(self, form: Form, *, plus: bool = False, baseline: float = 0.0) -> None:
        """`plus`: regrets never fall below zero. `baseline`: rate at which baselines learn, 0 for
        none (Schmid et al. 2019)."""
        if not isinstance(form, PublicForm):
            raise Unsuitable(
                "method public-chance-sampling needs the public form of a poker game; "
                "external-sampling and chance-sampling run on the sequence form"
            )
        if not isinstance(plus, bool):
            raise BadParameter(f"plus={plus}: must be true or false")
        within("baseline", baseline, 0, 1)
        super().__init__(form)
        self.public, self.plus = form, plus
        self.baselines = form.baselines(baseline) if baseline else None
        chances = form.site_chances()
        self.chances = chances
        self.ends = np.array(form.layout.round_sites[-1])
        self.cumulative = np.cumsum(chances[self.ends])

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        return "public"

    def negative(self, t: Floats) -> float:
        return 0.0 if self.plus else 1.0

    def step(self, count: int = 1) -> None:
        if not count:
            super().step(0)  # compiles
        for _ in range(count):
            if self.last.size:
                self.last = self._next_behaviour()
            t = np.array([self.iteration + 1.0])
            weights = self.weights(t, -t)
            memories = self.learner, self.memory
            self.public.sweep(*memories, weights, False, self.sample(), self.baselines)
            self.iteration += 1

    def sample(self) -> dict[int, float]:
        """The sites of one sample, and the inverse of the probability of each."""
        at = np.searchsorted(self.cumulative, self.rng.random() * self.cumulative[-1], side="right")
        return self.sample_at(int(self.ends[min(at, len(self.ends) - 1)]))

    def sample_at(self, site: int) -> dict[int, float]:
        """The sample that ends at this site."""
        factors = {}
        while site >= 0:
            factors[site] = float(1 / self.chances[site])
            site = self.public.parent_of(site)
        return factors

    def state(self) -> dict[str, np.ndarray]:
        return {**super().state(), **self._estimates(), "rng": saved_rng(self.rng)}

    def _estimates(self) -> dict[str, np.ndarray]:
        if self.baselines is None:
            return {}
        # By lane: files with "guess_sums" have them by deal, and are refused.
        return {"guesses": self.baselines.guesses, "guess_sums_by_lane": self.baselines.sums}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        super().restore(state)
        kept = self._estimates()
        vectors = [checked(state, name, vector) for name, vector in kept.items()]
        if self.baselines is not None:
            self.baselines = self.baselines._replace(guesses=vectors[0], sums=vectors[1])
        self.rng = restored_rng(checked(state, "rng", saved_rng(self.rng)))
