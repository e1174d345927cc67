"""Linear programs of two-player zero-sum games, by HiGHS.

Von Stengel 1996: maximise q[0] subject to E x = e, F'q <= A'x, x >= 0. The duals of the
inequalities are the other player's plan, so one solve gives both. A matrix game is the
special case of one decision point each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved, Unsuitable
from regretless.forms.form import Form
from regretless.forms.sequence import SequenceForm
from regretless.solvers._highs import run_highs

if TYPE_CHECKING:
    from scipy import sparse


class Saddle(NamedTuple):
    """Plans of both players and the value of the first."""

    rows: Floats
    columns: Floats
    value: float


def program(A: sparse.csr_matrix, E: sparse.csr_matrix, F: sparse.csr_matrix) -> Any:
    """The linear program of the game x'Ay with E x = e and F y = f, as HiGHS reads it."""
    import highspy
    from scipy import sparse

    rows, columns = A.shape
    matrix = sparse.bmat([[E, None], [-A.T, F.T]], format="csc")
    inf = highspy.kHighsInf
    lp = highspy.HighsLp()
    lp.num_col_ = rows + F.shape[0]
    lp.num_row_ = E.shape[0] + columns
    lp.col_cost_ = np.eye(1, lp.num_col_, rows).ravel()
    lp.col_lower_ = np.concatenate([np.zeros(rows), np.full(F.shape[0], -inf)])
    lp.col_upper_ = np.full(lp.num_col_, inf)
    start = np.eye(1, E.shape[0]).ravel()
    lp.row_lower_ = np.concatenate([start, np.full(columns, -inf)])
    lp.row_upper_ = np.concatenate([start, np.zeros(columns)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = matrix.indptr
    lp.a_matrix_.index_ = matrix.indices
    lp.a_matrix_.value_ = matrix.data
    lp.sense_ = highspy.ObjSense.kMaximize
    return lp


def maximin(A: sparse.csr_matrix, E: sparse.csr_matrix, F: sparse.csr_matrix) -> Saddle:
    """Optimal plans x, y of the game x'Ay with E x = e and F y = f."""
    import highspy

    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.passModel(program(A, E, F))
    run_highs(highs)
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        status = highs.modelStatusToString(highs.getModelStatus())
        raise Unsolved(f"HiGHS could not solve the linear program: status {status}")
    solution = highs.getSolution()
    rows = np.array(solution.col_value[: A.shape[0]])
    columns = np.abs(np.array(solution.row_dual[E.shape[0] :]))
    return Saddle(np.maximum(rows, 0.0), columns, float(highs.getInfo().objective_function_value))


def require_two_zero_sum(form: Form, method: str) -> None:
    """Refuse what these programs cannot solve."""
    if form.players != 2 or not form.zero_sum:
        kind = f"{form.players} players" if form.players != 2 else "payoffs that are not zero-sum"
        raise Unsuitable(
            f"method {method} solves two-player zero-sum games: {form.spec} has {kind}"
        )


def zero_sum_form(form: Form, method: str) -> SequenceForm:
    """The form, if it is one that these programs can solve."""
    require_two_zero_sum(form, method)
    if not isinstance(form, SequenceForm):
        raise Unsuitable(f"method {method} needs an explicit sequence form")
    return form
