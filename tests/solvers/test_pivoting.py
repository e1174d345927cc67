"""Pivots of dense tableaux, against fractions and by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.kernels import pivoting


def slow_leaving(table, column, first, count):
    """The lexicographically least row, over the right-hand side and the first basis."""
    rows = [i for i, row in enumerate(table) if row[column] > 0]
    keys = {
        i: [table[i][-1] / table[i][column]]
        + [table[i][first + k] / table[i][column] for k in range(count)]
        for i in rows
    }
    return {i for i in rows if keys[i] == min(keys.values())}


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 5), columns=st.integers(1, 4))
def test_pivots_are_those_of_fractions(seed, rows, columns):
    rng = np.random.default_rng(seed)
    body = rng.integers(-2, 4, (rows, columns))
    table = np.hstack([np.eye(rows), body, rng.integers(0, 3, (rows, 1))]).astype(float)
    column = rows + int(rng.integers(columns))
    exact = [[Fraction(int(value)) for value in row] for row in table]
    workspace = np.empty(rows, np.int64)
    row = pivoting.leaving(table, column, 0, rows, workspace)
    allowed = slow_leaving(exact, column, 0, rows)
    assert row == pivoting.RAY if not allowed else row in allowed
    if row != pivoting.RAY:
        pivoting.pivot(table, row, column)
        turned = [value / exact[row][column] for value in exact[row]]
        wanted = [
            turned
            if i == row
            else [a - line[column] * b for a, b in zip(line, turned, strict=True)]
            for i, line in enumerate(exact)
        ]
        np.testing.assert_allclose(table, np.array(wanted, dtype=float), atol=1e-12)
        assert min(line[-1] for line in wanted) >= 0


def test_what_a_pivot_should_cancel_is_zero():
    """0.3 - 3 * 0.1 is not 0 in floating point, and a tie would be missed."""
    table = np.array([[1.0, 0.1, 1.0], [3.0, 0.3, 2.0]])
    assert 0.3 - 3 * 0.1 != 0
    pivoting.pivot(table, 0, 0)
    np.testing.assert_array_equal(table, [[1.0, 0.1, 1.0], [0.0, 0.0, -1.0]])


def lemke_tableau(d):
    """One pair of complements. The parameter enters in the first row, then the complement: in the
    first row again for d = 0, where the parameter leaves; otherwise in the second."""
    return np.array([[1.0, 0.0, 1.0, 1.0, 1.0], [0.0, 1.0, d, 1.0, 2.0]])


@pytest.mark.parametrize(("d", "status"), [(0.0, pivoting.RAY), (3.0, pivoting.DONE)])
def test_lemkes_path_ends_at_a_ray_if_the_parameter_leaves(d, status):
    basis, path = np.array([0, 1]), np.array([3, 0])
    found = pivoting.lemke(lemke_tableau(d), basis, path, 10, np.empty(2, np.int64))
    assert (found, path[1]) == (status, 2)


def test_lemkes_path_can_be_followed_a_pivot_at_a_time():
    tableau, basis, path = lemke_tableau(3.0), np.array([0, 1]), np.array([3, 0])
    workspace = np.empty(2, np.int64)
    assert pivoting.lemke(tableau, basis, path, 1, workspace) == pivoting.PAUSED
    assert list(path) == [2, 1]  # the complement of what left enters next
    assert pivoting.lemke(tableau, basis, path, 1, workspace) == pivoting.DONE


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ([[1, 0, 1e-12, 0], [0, 1, 1, 1]], 1),  # rounding is not a pivot
        ([[1, 0, 1e-12, 0], [0, 1, 0, 1]], pivoting.RAY),
        ([[1, 0, 1, 1], [0, 1, 1, 1 + 1e-12]], 1),  # a tie up to rounding: the first column decides
        ([[1, 0, 1, 1], [0, 1, 1, 1 + 1e-8]], 0),
        ([[1, 1, 1, 1], [2, 2, 2, 2]], 1),  # equal in all columns: the larger pivot
    ],
)
def test_rounding_decides_nothing(table, row):
    tableau = np.array(table, dtype=float)
    assert pivoting.leaving(tableau, 2, 0, 2, np.empty(2, np.int64)) == row


def test_the_artificial_column_breaks_ties_too():
    """Of rows that are equal in all other columns, that of the artificial variable leaves."""
    tableau = np.array([[1.0, 1.0, 0.0, 1.0, 2.0], [1.0, 0.0, 0.0, 1.0, 2.0]])
    basis, path = np.array([0, 1]), np.array([3, 0])
    found = pivoting.lemke(tableau, basis, path, 1, np.empty(2, np.int64))
    assert found == pivoting.DONE
    assert list(basis) == [0, 3]
