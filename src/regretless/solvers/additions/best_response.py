"""The sequences of the best response and nothing else."""

from __future__ import annotations

from regretless.core.arrays import Flags
from regretless.solvers.additions._addition import Addition


class Rule(Addition):
    """As in Bošanský et al. 2014."""

    def add(self, player: int, response: Flags) -> Flags:
        return response
