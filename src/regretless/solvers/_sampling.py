"""What the sampling methods share: an enumerated game, tables by slot, a counter of draws.

Baselines differ from those of Schmid et al. 2019: each belongs to a node, as in Davis, Schmid &
Bowling 2020, not to an action at an information set."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput, TooLarge, Unsuitable, within
from regretless.forms.form import Form, size
from regretless.forms.public import PublicForm
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import GameTree, first_slots, game_tree
from regretless.kernels.mccfr import Draw, Learned
from regretless.kernels.sampling import Tree
from regretless.solvers._needs import learners
from regretless.solvers._solver import Iterate, Solver, checked, restored_rng, saved_rng

KEPT = ("regret", "policy", "sums", "baselines")  # the rest of `Learned` is workspace


class Sampler(Solver):
    """Regret matching on sampled parts of the game tree. A method names its kernel."""

    name = ""  # of the method
    iterates = (Iterate.AVERAGE, Iterate.CURRENT)

    def __init__(self, form: Form, *, baseline: float = 0.0) -> None:
        """`baseline`: rate at which baselines learn, 0 for none (Schmid et al. 2019)."""
        within("baseline", baseline, 0, 1)
        super().__init__(form)
        self.game = self._enumerated(form)
        self.slots, self._places, tree = _tables(self.game, form)
        self.tree = tree
        count = np.diff(self.slots)
        baselines = np.zeros((len(tree.nodes) if baseline else 0, form.players))
        self.learned = Learned(
            regret=np.zeros(self.slots[-1]),
            policy=np.repeat(1.0 / np.maximum(count, 1), count),
            sums=np.zeros(self.slots[-1]),
            baselines=baselines,
            values=np.zeros(len(tree.nodes)),
            frames=np.zeros((len(self.game.levels), 2), dtype=np.int64),
            reach=np.zeros((len(self.game.levels), 3)),
            touched=np.zeros(1 + 2 * len(tree.nodes), dtype=np.int64),
        )
        self.counter = np.zeros(1, dtype=np.uint64)
        self.draw = Draw(self.counter, float(baseline), 0.0)

    def _enumerated(self, form: Form) -> GameTree:
        if not isinstance(form, SequenceForm | PublicForm) or form.game is None:
            raise Unsuitable(
                f"method {self.name} samples paths of a game tree and needs a form built "
                f"from a game; methods for any form: {learners()}"
            )
        if isinstance(form, PublicForm) and (any(form.layout.cells) or form.leaves is not None):
            raise Unsuitable(
                f"method {self.name} samples paths to the end of the game, hand by hand: it "
                f"supports neither shared cells nor leaves; methods that do: {learners()}"
            )
        try:
            return game_tree(form.game, form)
        except TooLarge as error:
            poker = "public-chance-sampling, " if isinstance(form, PublicForm) else ""
            raise TooLarge(f"{error}; methods without a game tree: {poker}{learners()}") from None

    @abstractmethod
    def sample(self, tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
        """Run this many iterations."""

    def step(self, count: int = 1) -> None:
        if count and self.iteration == 0:
            self.counter[0] = self.rng.integers(2**64, dtype=np.uint64)
        self.sample(self.tree, self.learned, self.draw, count)
        self.iteration += count

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        which = self.kept(which)
        behaviour: Floats = np.ones(size(self.form), self.form.real)
        if which is Iterate.CURRENT:
            behaviour[self._places] = self.learned.policy
            return behaviour
        counts = np.diff(self.slots)
        sums = self.learned.sums
        totals = np.add.reduceat(sums, self.slots[:-1]) if sums.size else sums
        shared = np.repeat(totals, counts)
        even = np.repeat(1.0 / np.maximum(counts, 1), counts)
        behaviour[self._places] = np.divide(sums, shared, out=even, where=shared > 0)
        return behaviour

    def state(self) -> dict[str, np.ndarray]:
        kept = {name: getattr(self.learned, name) for name in KEPT}
        clock = np.array([float(self.iteration)])
        return {**kept, "counter": self.counter, "rng": saved_rng(self.rng), "clock": clock}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        clock = state.get("clock")
        if clock is None or clock.shape != (1,):
            raise BadInput(f"saved state has no clock: it is not from method {self.name}")
        fields = {name: checked(state, name, getattr(self.learned, name)) for name in KEPT}
        counter = checked(state, "counter", self.counter)
        self.rng = restored_rng(state.get("rng", np.empty(0)))
        self.learned = self.learned._replace(**fields)
        self.counter[:] = counter
        self.iteration = int(clock[0])


def _tables(game: GameTree, form: Form) -> tuple[Ints, Ints, Tree]:
    """The first slot of every decision point, then the total; the sequence of every slot, counted
    over all players; the tree, whose decisions refer to slots. On a public form, decision points
    that differ only in the names of suits share slots."""
    slots = first_slots(game.form)
    if not isinstance(form, PublicForm):
        return slots, _sequence_of_slots(game.form, slots), game.tree
    shared: dict[int, int] = {}  # first slot of the decision point whose first sequence is this
    starts, places, moved = [0], [], np.empty(slots[-1], np.int64)
    labels = [(i, label) for i, plex in enumerate(game.form.treeplexes) for label in plex.labels]
    for slot, (player, label) in zip(slots[:-1], labels, strict=True):
        point = form.find(player, label)
        assert point is not None
        sequences = point.sequences + int(form.layout.roots[player])
        first = shared.setdefault(int(sequences[0]), starts[-1])
        if first == starts[-1]:
            starts.append(first + len(sequences))
            places.append(sequences)
        moved[slot] = first
    nodes = game.tree.nodes.copy()
    deciding = nodes[:, 0] >= 0
    nodes[deciding, 3] = moved[nodes[deciding, 3]]
    where = np.concatenate([*places, np.empty(0, np.int64)]).astype(np.int64)
    return np.array(starts), where, game.tree._replace(nodes=nodes)


def _sequence_of_slots(form: SequenceForm, slots: Ints) -> Ints:
    """The sequence, counted over all players, of every slot."""
    sequences = np.empty(slots[-1], dtype=np.int64)
    for first, actions, lanes, point in form.plex.blocks:
        grid = first + np.arange(actions * lanes).reshape(actions, lanes)
        sequences[slots[point] : slots[point + lanes]] = grid.T.ravel()
    return sequences
