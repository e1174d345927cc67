"""External-sampling MCCFR (Lanctot, Waugh, Zinkevich & Bowling 2009).

An iteration traverses the tree once per player: all own actions are tried, those of the
opponent and of chance are sampled. Optional baselines: Schmid et al. 2019, with a learned
baseline per node. Two players, because the average is updated where the opponent is sampled."""

from __future__ import annotations

from regretless.forms.form import Form
from regretless.kernels.mccfr import Draw, Learned, iterate_external
from regretless.kernels.sampling import Tree
from regretless.solvers._needs import TWO_PLAYERS, require
from regretless.solvers._sampling import Sampler


class Method(Sampler):
    """All own actions, one action of everybody else."""

    name = "external-sampling"
    needs = (TWO_PLAYERS,)

    def __init__(self, form: Form, *, baseline: float = 0.0) -> None:
        require(form, self.name, self.needs)
        super().__init__(form, baseline=baseline)

    def sample(self, tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
        iterate_external(tree, learned, draw, count)
