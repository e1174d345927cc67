"""Linear program of the normal form (von Neumann 1928), exact, for tiny two-player games."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.solvers._maximin import MaximinSolver
from regretless.solvers._needs import pure_strategies, require_normal_form

if TYPE_CHECKING:
    from scipy import sparse

CELL_BYTES = 250  # per pair of pure strategies, as HiGHS solves them


class Method(MaximinSolver):
    """Mixed strategies over all pure ones, then their realization plans."""

    def __init__(self, form: Form, *, algorithm: str = "auto") -> None:
        super().__init__(form, algorithm=algorithm)
        require_normal_form(self.explicit, lambda rows, columns: CELL_BYTES * rows * columns)

    @cached_property
    def pure(self) -> tuple[Floats, ...]:
        """Plans of the pure strategies of both players."""
        return pure_strategies(self.explicit)

    def matrices(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix, sparse.csr_matrix]:
        from scipy import sparse

        rows, columns = self.pure
        table = sparse.csr_matrix(rows @ self.explicit.matrix() @ columns.T)
        first, second = (sparse.csr_matrix(np.ones((1, len(plans)))) for plans in self.pure)
        return table, first, second

    def plans(self, rows: Floats, columns: Floats) -> Floats:
        first, second = self.pure
        return np.concatenate([rows @ first, columns @ second])
