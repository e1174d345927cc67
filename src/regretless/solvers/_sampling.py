"""What the sampling methods share: an enumerated game, tables by slot, a counter of draws."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput, Unsuitable, within
from regretless.forms.form import Form
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import GameTree, first_slots, game_tree
from regretless.kernels.mccfr import Draw, Learned
from regretless.kernels.sampling import Tree
from regretless.solvers._solver import Iterate, Solver, checked, restored_rng, saved_rng

KEPT = ("regret", "policy", "sums", "baselines")  # the rest of `Learned` is workspace
FULL_SWEEPS = "cfr+, dcfr and pcfr+"


class Sampler(Solver):
    """Regret matching on sampled parts of the game tree. A method names its kernel."""

    name = ""  # of the method
    iterates = (Iterate.AVERAGE, Iterate.CURRENT)

    def __init__(self, form: Form, *, baseline: float = 0.0) -> None:
        """`baseline`: rate at which baselines learn, 0 for none (Schmid et al. 2019)."""
        within("baseline", baseline, 0, 1)
        super().__init__(form)
        self.game = self._enumerated(form)
        tree = self.game.tree
        slots = first_slots(self.game.form)
        count = np.diff(slots)
        baselines = np.zeros((len(tree.nodes) if baseline else 0, form.players))
        self.learned = Learned(
            regret=np.zeros(slots[-1]),
            policy=np.repeat(1.0 / np.maximum(count, 1), count),
            sums=np.zeros(slots[-1]),
            baselines=baselines,
            values=np.zeros(len(tree.nodes)),
            frames=np.zeros((len(self.game.levels), 2), dtype=np.int64),
            reach=np.zeros((len(self.game.levels), 3)),
            touched=np.zeros(1 + 2 * len(tree.nodes), dtype=np.int64),
        )
        self.counter = np.zeros(1, dtype=np.uint64)
        self.draw = Draw(self.counter, float(baseline), 0.0)
        self._places = _sequence_of_slots(self.game.form, slots)

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        return "sequence"

    def _enumerated(self, form: Form) -> GameTree:
        if not isinstance(form, SequenceForm) or form.game is None:
            raise Unsuitable(
                f"method {self.name} draws paths in a game tree and needs a sequence form that was "
                f"built from a game; {FULL_SWEEPS} run on any form"
            )
        return game_tree(form.game, form)

    @abstractmethod
    def sample(self, tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
        """Make this many iterations."""

    def step(self, count: int = 1) -> None:
        if count and self.iteration == 0:
            self.counter[0] = self.rng.integers(2**64, dtype=np.uint64)
        self.sample(self.game.tree, self.learned, self.draw, count)
        self.iteration += count

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        which = self.kept(which)
        found = np.ones(int(self.game.form.plex.roots[-1]))
        if which is Iterate.CURRENT:
            found[self._places] = self.learned.policy
            return found
        slots = first_slots(self.game.form)
        counts = np.diff(slots)
        sums = self.learned.sums
        totals = np.add.reduceat(sums, slots[:-1]) if sums.size else sums
        shared = np.repeat(totals, counts)
        even = np.repeat(1.0 / np.maximum(counts, 1), counts)
        found[self._places] = np.divide(sums, shared, out=even, where=shared > 0)
        return found

    def state(self) -> dict[str, np.ndarray]:
        kept = {name: getattr(self.learned, name) for name in KEPT}
        clock = np.array([float(self.iteration)])
        return {**kept, "counter": self.counter, "rng": saved_rng(self.rng), "clock": clock}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        clock = state.get("clock")
        if clock is None or clock.shape != (1,):
            raise BadInput(f"saved state has no clock: it is not one of method {self.name}")
        fields = {name: checked(state, name, getattr(self.learned, name)) for name in KEPT}
        counter = checked(state, "counter", self.counter)
        self.rng = restored_rng(state.get("rng", np.empty(0)))
        self.learned = self.learned._replace(**fields)
        self.counter[:] = counter
        self.iteration = int(clock[0])


def _sequence_of_slots(form: SequenceForm, slots: Ints) -> Ints:
    """The sequence, counted over all players, of every slot."""
    found = np.empty(slots[-1], dtype=np.int64)
    for first, actions, lanes, point in form.plex.blocks:
        grid = first + np.arange(actions * lanes).reshape(actions, lanes)
        found[slots[point] : slots[point + lanes]] = grid.T.ravel()
    return found
