"""A linear program that is solved many times, with other costs and another bound.

Every solve starts from the same basis, so that a result does not depend on earlier ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Interrupted, Unsolved
from regretless.core.interrupts import seconds_left
from regretless.programs.highs import TIGHT


class RepeatedProgram:
    """HiGHS, and the optimal basis for the costs and bounds that the program came with."""

    def __init__(self, program: Any, what: str) -> None:
        import highspy

        self.what, self.columns = what, int(program.num_col_)
        self.highs = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in {"output_flag": False, "threads": 1, **TIGHT}.items():
            self.highs.setOptionValue(name, value)
        self.highs.passModel(program)
        self.first = self._run()
        self.basis = self.highs.getBasis()
        self._every = np.arange(self.columns, dtype=np.int32)

    def optimum(self, cost: Floats, column: int, low: float) -> Floats:
        """The optimal columns for these costs, with a column of at least `low`."""
        self.highs.changeColsCost(self.columns, self._every, np.asarray(cost, dtype=np.float64))
        self.highs.changeColBounds(column, low, np.inf)
        self.highs.setBasis(self.basis)
        return self._run()

    def _run(self) -> Floats:
        import highspy

        # HiGHS adds up the time of all runs.
        limit = self.highs.getRunTime() + max(seconds_left(), 0.0)
        self.highs.setOptionValue("time_limit", limit)
        self.highs.run()
        status = self.highs.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise Interrupted(f"HiGHS had not solved {self.what} yet")
        if status != highspy.HighsModelStatus.kOptimal:
            text = self.highs.modelStatusToString(status)
            raise Unsolved(f"HiGHS could not solve {self.what}: status {text}")
        return np.array(self.highs.getSolution().col_value)
