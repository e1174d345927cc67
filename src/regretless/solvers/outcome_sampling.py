"""Outcome-sampling MCCFR (Lanctot, Waugh, Zinkevich & Bowling 2009).

An iteration samples one path per player, who explores: with probability `explore` an own
action is chosen uniformly at random. Averages are weighted by the own reach over the probability
of the path (stochastically weighted averaging). Differs from the paper: that probability is
without chance's part, which is the same in all iterations; it leaves the average unbiased, with
less variance. Optional baselines: VR-MCCFR of Schmid et al. 2019, one per node."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.forms.form import Form
from regretless.kernels.mccfr import Draw, Learned, iterate_outcome
from regretless.kernels.sampling import Tree
from regretless.solvers._sampling import Sampler


class Method(Sampler):
    """One path per player."""

    name = "outcome-sampling"

    def __init__(self, form: Form, *, explore: float = 0.6, baseline: float = 0.0) -> None:
        within("explore", explore, 0.001, 1)
        super().__init__(form, baseline=baseline)
        self.draw = self.draw._replace(explore=float(explore))

    def sample(self, tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
        iterate_outcome(tree, learned, draw, count)
