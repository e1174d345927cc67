"""Linear programs of two-player zero-sum games, by HiGHS.

Von Stengel 1996: maximise q[0] subject to E x = e, F'q <= A'x, x >= 0. The duals of the
inequalities are the other player's plan, so one solve gives both. A matrix game is the
special case of one decision point each."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form, behaviour_of, own, plan_of
from regretless.solvers._exact import SLICE_S, ExactSolver, Work
from regretless.solvers._highs import Algorithm, Running, model
from regretless.solvers._needs import TWO_PLAYERS, ZERO_SUM, explicit_form, require

if TYPE_CHECKING:
    from scipy import sparse


class Saddle(NamedTuple):
    """Plans of both players and the value of the first."""

    rows: Floats
    columns: Floats
    value: float


def program(A: sparse.csr_matrix, E: sparse.csr_matrix, F: sparse.csr_matrix) -> Any:
    """The linear program of the game x'Ay with E x = e and F y = f, as HiGHS reads it."""
    from scipy import sparse

    rows, columns = A.shape
    free = F.shape[0]
    start = np.eye(1, E.shape[0]).ravel()
    unbounded = np.full(columns, -np.inf)
    return model(
        sparse.bmat([[E, None], [-A.T, F.T]]),
        np.eye(1, rows + free, rows).ravel(),
        (np.concatenate([np.zeros(rows), np.full(free, -np.inf)]), np.full(rows + free, np.inf)),
        (np.concatenate([start, unbounded]), np.concatenate([start, np.zeros(columns)])),
    )


def maximin(A: sparse.csr_matrix, E: sparse.csr_matrix, F: sparse.csr_matrix) -> Saddle:
    """Optimal plans x, y of the game x'Ay with E x = e and F y = f."""
    running = Running(program(A, E, F))
    try:
        running.wait()
    finally:
        running.cancel()
    running.result()
    return saddle_of(running, A.shape[0], E.shape[0])


def saddle_of(running: Running, rows: int, constraints: int) -> Saddle:
    """HiGHS's result: optimal plans, or, if it was stopped early, vectors near them."""
    solution = running.highs.getSolution()
    x = np.array(solution.col_value[:rows])
    y = np.abs(np.array(solution.row_dual[constraints:]))
    value = float(running.highs.getInfo().objective_function_value)
    return Saddle(np.maximum(x, 0.0), y, value)


class MaximinSolver(ExactSolver):
    """One linear program, by the algorithm that suits its size."""

    needs = (TWO_PLAYERS, ZERO_SUM)

    def __init__(self, form: Form, *, algorithm: str = "auto") -> None:
        """`algorithm`: simplex, ipm (interior point), pdlp (first-order), or auto, by size."""
        self.explicit = explicit_form(self, form)
        self.algorithm = Algorithm.named(algorithm)
        self._told: dict[str, Any] = {}
        self._running: Running | None = None
        self._sizes = (0, 0)  # unknowns x, and constraints of them
        super().__init__(form)

    @abstractmethod
    def matrices(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix, sparse.csr_matrix]:
        """A, E and F of the game x'Ay with E x = e and F y = f."""

    @abstractmethod
    def plans(self, rows: Floats, columns: Floats) -> Floats:
        """Plans of both players from x and y."""

    def solve(self) -> Work:
        A, E, F = self.matrices()
        self._sizes = (A.shape[0], E.shape[0])
        self._running = running = Running(program(A, E, F), self.algorithm)
        try:
            while not running.wait(SLICE_S):
                yield running.news()
            running.result()
            return self._plans()
        finally:
            running.cancel()
            self._told = running.details()

    def settle(self) -> None:
        if self._running is not None and not self.finished:
            self._running.cancel()
            self._keep(self._plans())
        super().settle()

    def _plans(self) -> Floats:
        assert self._running is not None
        found = saddle_of(self._running, *self._sizes)
        return self.plans(found.rows, found.columns)

    def _keep(self, plan: Floats) -> None:
        """Keep those plans of a stopped HiGHS that guarantee more than the plans so far."""
        if plan.shape != self.plan.shape or not np.isfinite(plan).all():
            return
        now, then = behaviour_of(self.form, plan), behaviour_of(self.form, self.plan)
        for player in range(2):
            # Zero-sum: what the other's best response earns is what this player's plan loses.
            if self.form.respond(1 - player, now)[1] < self.form.respond(1 - player, then)[1]:
                self.plan[own(self.form, player)] = plan_of(self.form, now)[own(self.form, player)]

    def details(self) -> dict[str, Any]:
        return dict(self._told)

    def remarks(self) -> list[tuple[str, str]]:
        if not self._told:
            return []
        size = "{rows:,} rows, {columns:,} columns, {entries:,} entries".format(**self._told)
        return [("linear program", f"{size}; {self._told['algorithm']}")]


def require_two_zero_sum(form: Form, method: str) -> None:
    """Refuse games that these programs cannot solve."""
    require(form, method, (TWO_PLAYERS, ZERO_SUM))
