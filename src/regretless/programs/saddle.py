"""The linear program of a two-player zero-sum game.

Von Stengel 1996: maximise q[0] subject to E x = e, F'q <= A'x, x >= 0. The duals of the
inequalities are the other player's plan, so one solve gives both. A matrix game is the special
case of one decision point each. HiGHS's tolerances are absolute, so A is scaled first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.programs.highs import Running, model, solved

if TYPE_CHECKING:
    from scipy import sparse


class Saddle(NamedTuple):
    """Plans of both players and the value of the first."""

    rows: Floats
    columns: Floats
    value: float


class SaddleProgram(NamedTuple):
    """A program as HiGHS reads it, and how to read its solution."""

    model: Any
    scale: float  # of the payoffs
    rows: int  # sequences of the first player
    constraints: int  # of them

    def read(self, running: Running) -> Saddle:
        """HiGHS's result: optimal plans, or, if it was stopped early, vectors near them."""
        solution = running.highs.getSolution()
        x = np.array(solution.col_value[: self.rows])
        y = np.abs(np.array(solution.row_dual[self.constraints :]))
        value = self.scale * float(running.highs.getInfo().objective_function_value)
        return Saddle(np.maximum(x, 0.0), y, value)


def saddle_program(
    A: sparse.csr_matrix | Floats, E: sparse.csr_matrix | Floats, F: sparse.csr_matrix | Floats
) -> SaddleProgram:
    """The program of the game x'Ay with E x = e and F y = f; all sparse, or all dense."""
    rows, columns = A.shape
    free = F.shape[0]
    scale = scale_of(A)
    if isinstance(A, np.ndarray):
        matrix = np.block([[E, np.zeros((E.shape[0], free))], [A.T / -scale, F.T]])
    else:
        from scipy import sparse

        matrix = sparse.bmat([[E, None], [A.T / -scale, F.T]])
    start = np.eye(1, E.shape[0]).ravel()
    unbounded = np.full(columns, -np.inf)
    made = model(
        matrix,
        np.eye(1, rows + free, rows).ravel(),
        (np.concatenate([np.zeros(rows), np.full(free, -np.inf)]), np.full(rows + free, np.inf)),
        (np.concatenate([start, unbounded]), np.concatenate([start, np.zeros(columns)])),
    )
    return SaddleProgram(made, scale, rows, E.shape[0])


def scale_of(payoffs: sparse.spmatrix | Floats) -> float:
    """The largest entry, by which a program divides payoffs; 1 if there is none."""
    return float(abs(payoffs).max()) or 1.0 if min(payoffs.shape) else 1.0


def maximin(A: sparse.csr_matrix, E: sparse.csr_matrix, F: sparse.csr_matrix) -> Saddle:
    """Optimal plans x, y of the game x'Ay with E x = e and F y = f."""
    program = saddle_program(A, E, F)
    return program.read(solved(program.model))
