"""Complementary pivoting on dense tableaux: Lemke & Howson 1964, Lemke 1965.

A tableau is [row, column] with the right-hand side in the last column; `basis[row]` is the
column that is basic there. Ties are broken lexicographically, by the columns that were basic at
the start, so that no basis repeats even in a degenerate game."""

from __future__ import annotations

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import lean

SMALL = 1e-10  # an entry below this is not a pivot, a difference of ratios below it is a tie
NOISE = 1e-14  # rounding errors left by pivoting
RAY = -1  # no variable leaves: the path does not end
DONE, PAUSED = 0, 1


@lean
def pivot(tableau: Floats, row: int, column: int) -> None:
    """Make a column basic in a row."""
    rows, columns = tableau.shape
    factor = 1.0 / tableau[row, column]
    for j in range(columns):
        tableau[row, j] *= factor
    tableau[row, column] = 1.0
    for i in range(rows):
        times = tableau[i, column]
        if i == row or times == 0.0:
            continue
        for j in range(columns):
            value = tableau[i, j] - times * tableau[row, j]
            tableau[i, j] = value if abs(value) > NOISE else 0.0
        tableau[i, column] = 0.0


@lean
def leaving(tableau: Floats, column: int, first: int, count: int, candidates: Ints) -> int:
    """The row in which a column becomes basic: the lexicographically least ratio.

    Columns `first` to `first + count` were basic at the start; `candidates` is a workspace."""
    found = 0
    for i in range(tableau.shape[0]):
        if tableau[i, column] > SMALL:
            candidates[found] = i
            found += 1
    if found == 0:
        return RAY
    for k in range(-1, count):
        if found == 1:
            break
        at = first + k if k >= 0 else tableau.shape[1] - 1  # the right-hand side first
        least = tableau[candidates[0], at] / tableau[candidates[0], column]
        for c in range(1, found):
            least = min(least, tableau[candidates[c], at] / tableau[candidates[c], column])
        kept = 0
        for c in range(found):
            i = candidates[c]
            if tableau[i, at] / tableau[i, column] <= least + SMALL:
                candidates[kept] = i
                kept += 1
        found = kept
    best = candidates[0]
    for c in range(1, found):  # equal up to rounding: take the largest pivot
        if tableau[candidates[c], column] > tableau[best, column]:
            best = candidates[c]
    return int(best)


@lean
def lemke_howson(
    first: Floats,
    second: Floats,
    first_basis: Ints,
    second_basis: Ints,
    path: Ints,
    most: int,
    candidates: Ints,
) -> int:
    """Continue along a path for at most `most` pivots.

    Columns are labels: m pure strategies of player 1, then n of player 2. `first` has the n rows
    of B'x + s = 1, `second` the m rows of Ay + r = 1. `path` is the missing label, the label
    to enter, the tableau to enter it in, and the number of pivots so far."""
    n, m = first.shape[0], second.shape[0]
    for _ in range(most):
        entering = path[1]
        if path[2] == 0:
            row = leaving(first, entering, m, n, candidates)
            if row == RAY:
                return RAY
            left = first_basis[row]
            pivot(first, row, entering)
            first_basis[row] = entering
        else:
            row = leaving(second, entering, 0, m, candidates)
            if row == RAY:
                return RAY
            left = second_basis[row]
            pivot(second, row, entering)
            second_basis[row] = entering
        path[3] += 1
        if left == path[0]:
            return DONE
        path[1], path[2] = left, 1 - path[2]
    return PAUSED


@lean
def lemke(tableau: Floats, basis: Ints, path: Ints, most: int, candidates: Ints) -> int:
    """Continue Lemke's algorithm for a limited number of pivots.

    Columns: n that were basic at the start, the artificial one, the complements of the n, the
    parameter that drives the artificial one to zero, the right-hand side. `path` is the column
    to enter and the number of pivots so far."""
    n = tableau.shape[0] - 1
    for _ in range(most):
        entering = path[0]
        row = leaving(tableau, entering, 0, n + 1, candidates)
        if row == RAY:
            return RAY
        left = basis[row]
        pivot(tableau, row, entering)
        basis[row] = entering
        path[1] += 1
        if left == n:
            return DONE
        if left == 2 * n + 1:
            return RAY
        path[0] = left + n + 1 if left < n else left - n - 1
    return PAUSED
