"""Chance-sampling CFR (Zinkevich, Johanson, Bowling & Piccione 2007).

An iteration samples the moves of chance, separately for every player, and tries all actions
of all players. Optional baselines at chance nodes: Schmid et al. 2019."""

from __future__ import annotations

from regretless.kernels.mccfr import Draw, Learned, iterate_chance
from regretless.kernels.sampling import Tree
from regretless.solvers._sampling import Sampler


class Method(Sampler):
    """One outcome of chance, all actions."""

    name = "chance-sampling"

    def sample(self, tree: Tree, learned: Learned, draw: Draw, count: int) -> None:
        iterate_chance(tree, learned, draw, count)
