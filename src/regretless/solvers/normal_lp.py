"""Linear program of the normal form (von Neumann 1928), exact, for tiny two-player games."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.forms.normal import pure_plans
from regretless.solvers._exact import ExactSolver
from regretless.solvers._maximin import maximin, zero_sum_form


class Method(ExactSolver):
    """Mixed strategies over all pure ones, then their realization plans."""

    def __init__(self, form: Form) -> None:
        self.explicit = zero_sum_form(form, "normal-lp")
        super().__init__(form)

    def solve(self) -> Floats:
        from scipy import sparse

        rows, columns = (pure_plans(plex) for plex in self.explicit.treeplexes)
        table = sparse.csr_matrix(rows @ self.explicit.matrix() @ columns.T)
        sums = [sparse.csr_matrix(np.ones((1, len(plans)))) for plans in (rows, columns)]
        saddle = maximin(table, *sums)
        return np.concatenate([saddle.rows @ rows, saddle.columns @ columns])
