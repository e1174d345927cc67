"""A small dense linear program that changes a little from one solve to the next.

Maximise c'x subject to M x = b + t d and x >= 0, for one c and t after another. The last basis is
kept: a new t is repaired by dual simplex steps with the old c, then the new c by primal ones.
Variables with the lowest numbers go first (Bland 1977), so that no basis repeats."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import inlined, lean

ROUNDING = 1e-11  # of values and reduced costs
PIVOT = 1e-8  # smaller entries may be rounding, and dividing by them spoils the rest
MOST_STEPS = 10_000
CONSTANT, SLOPE = range(2)  # columns of the sides


class Tableau(NamedTuple):
    """The basic variables in terms of the others: basic = sides - entries · others."""

    entries: Floats  # [row, column]
    sides: Floats  # [row, (constant, times t)]
    basic: Ints  # [row] variable
    others: Ints  # [column] variable
    costs: Floats  # [variable] of the program that was solved last
    reduced: Floats  # [column] scratch space


@lean
def solve(tableau: Tableau, costs: Floats, t: float, solution: Floats) -> int:
    """Write the first variables of an optimal solution; returns the steps, -1 if there is none.

    `costs` has an entry for every variable that is written, others cost nothing."""
    entries, sides, basic, _others, known, _ = tableau
    steps = 0
    while True:  # dual simplex: feasible again
        row = -1
        for i in range(basic.size):
            low = sides[i, CONSTANT] + t * sides[i, SLOPE] < -ROUNDING
            if low and (row < 0 or basic[i] < basic[row]):
                row = i
        if row < 0:
            break
        column = _entering_dual(tableau, row)
        steps += 1
        if column < 0 or steps > MOST_STEPS:
            return -1
        _pivot(tableau, row, column)
    for variable in range(costs.size):
        known[variable] = costs[variable]
    while True:  # primal simplex: optimal again
        column = _entering_primal(tableau)
        if column < 0:
            break
        row, least = -1, 0.0
        for i in range(basic.size):
            if entries[i, column] > PIVOT:
                ratio = max(sides[i, CONSTANT] + t * sides[i, SLOPE], 0.0) / entries[i, column]
                if row < 0 or ratio < least or (ratio == least and basic[i] < basic[row]):
                    row, least = i, ratio
        steps += 1
        if row < 0 or steps > MOST_STEPS:
            return -1
        _pivot(tableau, row, column)
    for variable in range(costs.size):
        solution[variable] = 0.0
    for i in range(basic.size):
        if basic[i] < costs.size:
            solution[basic[i]] = max(sides[i, CONSTANT] + t * sides[i, SLOPE], 0.0)
    return steps


@inlined
def _reduce(tableau: Tableau) -> None:
    """Reduced costs: what the solution gains per unit of every other variable."""
    entries, _, basic, others, costs, reduced = tableau
    for j in range(others.size):
        reduced[j] = costs[others[j]]
    for i in range(basic.size):
        cost = costs[basic[i]]
        if cost != 0.0:
            for j in range(others.size):
                reduced[j] -= cost * entries[i, j]


@inlined
def _entering_primal(tableau: Tableau) -> int:
    """The column with the lowest variable that gains, -1 if there is none."""
    _reduce(tableau)
    column = -1
    for j in range(tableau.others.size):
        if tableau.reduced[j] > ROUNDING and (
            column < 0 or tableau.others[j] < tableau.others[column]
        ):
            column = j
    return column


@inlined
def _entering_dual(tableau: Tableau, row: int) -> int:
    """The column that repairs a row at the least loss, -1 if there is none."""
    _reduce(tableau)
    entries, others, reduced = tableau.entries, tableau.others, tableau.reduced
    column, least = -1, 0.0
    for j in range(others.size):
        if entries[row, j] < -PIVOT:
            ratio = min(reduced[j], 0.0) / entries[row, j]
            if column < 0 or ratio < least or (ratio == least and others[j] < others[column]):
                column, least = j, ratio
    return column


@inlined
def _pivot(tableau: Tableau, row: int, column: int) -> None:
    """Swap the basic variable of a row and the other one of a column."""
    entries, sides, basic, others, _, _ = tableau
    factor = 1.0 / entries[row, column]
    for j in range(others.size):
        entries[row, j] *= factor
    entries[row, column] = factor
    sides[row, CONSTANT] *= factor
    sides[row, SLOPE] *= factor
    for i in range(basic.size):
        times = entries[i, column]
        if i == row or times == 0.0:
            continue
        entries[i, column] = 0.0
        for j in range(others.size):
            entries[i, j] -= times * entries[row, j]
        sides[i, CONSTANT] -= times * sides[row, CONSTANT]
        sides[i, SLOPE] -= times * sides[row, SLOPE]
    basic[row], others[column] = others[column], basic[row]
