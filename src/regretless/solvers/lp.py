"""Sequence-form linear program (Koller, Megiddo & von Stengel 1994), exact, two players."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.solvers._exact import ExactSolver
from regretless.solvers._maximin import maximin, zero_sum_form


class Method(ExactSolver):
    """One linear program; its duals are the second player's plan."""

    def __init__(self, form: Form) -> None:
        self.explicit = zero_sum_form(form, "lp")
        super().__init__(form)

    def solve(self) -> Floats:
        first, second = self.explicit.treeplexes
        saddle = maximin(self.explicit.matrix(), first.constraints, second.constraints)
        return np.concatenate([saddle.rows, saddle.columns])
