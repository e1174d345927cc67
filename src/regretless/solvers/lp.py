"""Sequence-form linear program (Koller, Megiddo & von Stengel 1994), exact, two players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from regretless.core.arrays import Floats
from regretless.solvers._maximin import MaximinSolver

if TYPE_CHECKING:
    from scipy import sparse


class Method(MaximinSolver):
    """One linear program; its duals are the second player's plan."""

    def matrices(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix, sparse.csr_matrix]:
        first, second = self.explicit.treeplexes
        return self.explicit.matrix(), first.constraints, second.constraints

    def plans(self, rows: Floats, columns: Floats) -> Floats:
        return np.concatenate([rows, columns])
