"""MIP-Nash (Sandholm, Gilpin & Conitzer 2005): the best equilibrium by an objective, two players.

Formulation 1: a binary variable per pure strategy says whether it is unplayed or has no regret.
Any linear objective is possible; here it is the welfare, one player's value, the smaller of
both values, or the support size. The supports found are re-solved by a linear program, so
that the integrality tolerance leaves no error."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter
from regretless.forms.form import Form
from regretless.programs.highs import WAIT_S, Blocks, Running, optimum
from regretless.solvers._bimatrix import BimatrixSolver, Pair, Search, pair_of
from regretless.solvers._exact import aside

PROGRAM_BYTES = 1000  # per pair of pure strategies: four entries, as HiGHS solves them


class Objective(StrEnum):
    """What the best equilibrium maximises."""

    ANY = "any"  # nothing: the first one found
    WELFARE = "welfare"  # the sum of both values
    FIRST = "player1"
    SECOND = "player2"
    FAIR = "fair"  # the smaller of both values
    SMALL = "small-support"  # fewest pure strategies played


class Method(BimatrixSolver):
    """One mixed-integer program by HiGHS."""

    def __init__(self, form: Form, *, objective: str = "any") -> None:
        """`objective`: any, welfare, player1, player2, fair, small-support."""
        try:
            self.objective = Objective(objective)
        except ValueError:
            allowed = ", ".join(Objective)
            raise BadParameter(f"objective={objective}: must be one of {allowed}") from None
        super().__init__(form)
        self._told: dict[str, Any] = {}
        self._program: Program | None = None
        self._running: Running | None = None

    @staticmethod
    def table_bytes(rows: int, columns: int) -> int:
        return BimatrixSolver.table_bytes(rows, columns) + PROGRAM_BYTES * rows * columns

    def search(self) -> Search:
        self._program = program = Program(self, self.objective)
        options = {"mip_rel_gap": 0.0, "mip_abs_gap": 1e-9}
        mixed = yield from aside("building the program", program.model)
        self._running = running = Running(mixed, options=options)
        try:
            while not running.wait(WAIT_S):
                yield running.news()
            running.result()
            self._told = running.details()
            columns = np.array(running.highs.getSolution().col_value)
            best = yield from aside("polishing", partial(program.polished, columns))
            if best is not None:
                yield best
        finally:
            running.cancel()

    def settle(self) -> None:
        """Unlike a linear program it may already have an equilibrium, if not the best one."""
        if self._running is not None and self._program is not None and not self.finished:
            self._running.cancel()
            solution = self._running.highs.getSolution()
            if solution.value_valid and len(solution.col_value):
                self.plan = self.plans(self._program.pair(np.array(solution.col_value)))
        super().settle()

    def details(self) -> dict[str, Any]:
        told = super().details()
        if self.found:
            x, y = self.chosen()
            told |= {
                "objective": str(self.objective),
                "values": [float(x @ table @ y) for table in self.game],
                "program": self._told,
            }
        return told


class Program:
    """Columns: x, y, the binary b of all pure strategies, both values, the smaller of them."""

    def __init__(self, solver: BimatrixSolver, objective: Objective) -> None:
        self.tables = solver.game.normalised()
        self.lows = [float(table.min()) for table in solver.game]
        self.spreads = [float(np.ptp(table)) or 1.0 for table in solver.game]
        self.m, self.n = solver.game.A.shape
        self.objective = objective

    def model(self, binary: Floats | None = None) -> Any:
        """The program, or the linear one that remains if the binary variables are given."""
        from scipy import sparse

        m, k, goal = self.m, self.m + self.n, self.objective
        value, sums, fair = np.zeros((k, 2)), np.zeros((2, k)), np.diag(self.spreads)
        value[:m, 0] = value[m:, 1] = 1.0  # of the player of each pure strategy
        sums[0, :m] = sums[1, m:] = 1.0
        gains = [goal in (Objective.WELFARE, one) for one in (Objective.FIRST, Objective.SECOND)]
        low, high = (0.0, 1.0) if binary is None else (binary, binary)
        small = float(goal is Objective.SMALL)
        program = Blocks()
        p = program.columns(k, 0.0, 1.0)
        b = program.columns(k, low, high, gain=small, integer=binary is None)
        u = program.columns(2, 0.0, 1.0, gain=np.where(gains, self.spreads, 0.0))
        w = program.columns(1, -np.inf, gain=float(goal is Objective.FAIR))
        A, B = (sparse.csr_matrix(table) for table in self.tables)
        lost = -sparse.bmat([[None, A], [B.T, None]])  # [pure strategy, probability of the other's]
        own = sparse.identity(k)
        program.rows({p: sums}, 1.0, 1.0)
        program.rows({p: lost, u: value}, 0.0, np.inf)  # regrets are not negative …
        program.rows({p: lost, b: -own, u: value}, -np.inf, 0.0)  # … and zero unless b is 1
        program.rows({p: own, b: own}, -np.inf, 1.0)  # unplayed where b is 1
        # spread * u - w >= -low, with u from 0 to 1: w is at most each value in the game's units.
        program.rows({u: fair, w: -np.ones((2, 1))}, -np.array(self.lows), np.inf)
        return program.model()

    def pair(self, columns: Floats) -> Pair:
        """The strategies in a solution."""
        return pair_of(columns[: self.m], columns[self.m : self.m + self.n])

    def polished(self, columns: Floats) -> Pair | None:
        """The best equilibrium with the same pure strategies without regret."""
        k = self.m + self.n
        best = optimum(self.model(np.round(columns[k : 2 * k])))
        return None if best is None else self.pair(best)
