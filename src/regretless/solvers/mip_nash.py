"""MIP-Nash (Sandholm, Gilpin & Conitzer 2005): the best equilibrium by an objective, two players.

Formulation 1: a binary variable per pure strategy says whether it is unplayed or has no regret.
Any linear objective is possible; here it is the welfare, one player's value, the smaller of
both values, or the support size. The supports found are re-solved by a linear program, so
that the integrality tolerance leaves no error."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter
from regretless.forms.form import Form
from regretless.programs.highs import WAIT_S, Running, model, optimum
from regretless.solvers._bimatrix import BimatrixSolver, Pair, Search, pair_of
from regretless.solvers._exact import aside

if TYPE_CHECKING:
    from scipy import sparse

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
        k = self.m + self.n
        lower, upper = np.zeros(2 * k + 3), np.ones(2 * k + 3)
        lower[-1], upper[-1] = -np.inf, np.inf
        if binary is not None:
            lower[k : 2 * k] = upper[k : 2 * k] = binary
        integer = np.zeros(2 * k + 3)
        integer[k : 2 * k] = 1
        matrix, low, high = self._rows()
        given = None if binary is not None else integer
        return model(matrix, self._cost(), (lower, upper), (low, high), given)

    def _cost(self) -> Floats:
        k = self.m + self.n
        cost = np.zeros(2 * k + 3)
        first, second = self.spreads
        if self.objective in (Objective.WELFARE, Objective.FIRST):
            cost[-3] = first
        if self.objective in (Objective.WELFARE, Objective.SECOND):
            cost[-2] = second
        if self.objective is Objective.FAIR:
            cost[-1] = 1.0
        if self.objective is Objective.SMALL:
            cost[k : 2 * k] = 1.0
        return cost

    def _rows(self) -> tuple[sparse.spmatrix, Floats, Floats]:
        from scipy import sparse

        m, n = self.m, self.n
        k = m + n
        value = np.zeros((k, 2))  # of the player of each pure strategy
        value[:m, 0] = value[m:, 1] = 1.0
        sums, fair = np.zeros((2, 2 * k)), np.zeros((2, 3))
        sums[0, :m] = sums[1, m:k] = 1.0
        fair[0, 0], fair[1, 1] = self.spreads  # the smaller value is at most each of them
        fair[:, 2] = -1.0
        A, B = (sparse.csr_matrix(table) for table in self.tables)
        lost = -sparse.bmat([[None, A], [B.T, None]])  # [pure strategy, probability of the other's]
        own = sparse.identity(k)
        blocks = [
            [sums, None, None],
            [sparse.hstack([lost, sparse.csr_matrix((k, k))]), value, None],  # regrets are >= 0 …
            [sparse.hstack([lost, -own]), value, None],  # … and zero unless b is 1
            [sparse.hstack([own, own]), None, None],  # unplayed where b is 1
            [None, fair[:, :2], fair[:, 2:]],
        ]
        low = np.concatenate([np.ones(2), np.zeros(k), np.full(2 * k, -np.inf), _negative(self)])
        high = np.concatenate(
            [np.ones(2), np.full(k, np.inf), np.zeros(k), np.ones(k), np.full(2, np.inf)]
        )
        return sparse.bmat(blocks, format="csc"), low, high

    def pair(self, columns: Floats) -> Pair:
        """The strategies in a solution."""
        return pair_of(columns[: self.m], columns[self.m : self.m + self.n])

    def polished(self, columns: Floats) -> Pair | None:
        """The best equilibrium with the same pure strategies without regret."""
        k = self.m + self.n
        best = optimum(self.model(np.round(columns[k : 2 * k])))
        return None if best is None else self.pair(best)


def _negative(program: Program) -> Floats:
    """spread * u - w >= -low, with u from 0 to 1: w is at most each value in the game's units."""
    return -np.array(program.lows)
