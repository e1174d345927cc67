"""Lemke–Howson without rounding: integer pivoting (von Stengel 2002, section 2.6).

Every float is a fraction, so payoffs times their common denominator are integers. A pivot
multiplies a row by the new pivot and divides by the last one, which leaves no remainder."""

from __future__ import annotations

import time
from fractions import Fraction
from math import lcm

import numpy as np

from regretless.core.memory import require
from regretless.kernels.pivoting import DONE, PAUSED, RAY
from regretless.solvers._bimatrix import Bimatrix, Pair
from regretless.solvers._exact import SLICE_S

INTEGER_BYTES = 200  # of an entry of a tableau, and the fractions that it is made from


class IntegerPath:
    """The path of one missing label. Columns are labels, the last one is the right-hand side."""

    def __init__(self, game: Bimatrix, label: int) -> None:
        m, n = game.A.shape
        require(INTEGER_BYTES * (m + n) ** 2, "pivoting with integers")
        A, B = (_integers(table) for table in game)
        self.label, self.pivots = label, 0
        self.tables = [_tableau(B.T, m, m + n), _tableau(A, 0, m + n)]
        self.bases = [list(range(m, m + n)), list(range(m))]
        self.slacks = [range(m, m + n), range(m)]
        self.last = [1, 1]  # the previous pivot, which is the divisor
        self.entering, self.side = label, 0 if label < m else 1
        self.status = PAUSED

    def go_on(self, until: int | None = None) -> None:
        """Follow the path for some time, or for this many pivots."""
        end = time.perf_counter() + SLICE_S
        while self.status == PAUSED and time.perf_counter() < end and self.pivots != until:
            self.status = self._pivot()

    def _pivot(self) -> int:
        table, basis = self.tables[self.side], self.bases[self.side]
        row = self._leaving(table, self.entering)
        if row is None:
            return RAY
        left, pivot = basis[row], table[row, self.entering]
        for other in range(len(table)):  # row by row, so that other threads have their turn
            if other != row:
                rest = table[other] * pivot - table[other, self.entering] * table[row]
                table[other] = rest // self.last[self.side]
        self.last[self.side] = pivot
        basis[row] = self.entering
        self.pivots += 1
        if left == self.label:
            return DONE
        self.entering, self.side = left, 1 - self.side
        return PAUSED

    def _leaving(self, table: np.ndarray, column: int) -> int | None:
        rows = [row for row in range(len(table)) if table[row, column] > 0]
        for at in (-1, *self.slacks[self.side]):
            if len(rows) < 2:
                break
            ratios = [Fraction(table[row, at], table[row, column]) for row in rows]
            least = min(ratios)
            rows = [row for row, ratio in zip(rows, ratios, strict=True) if ratio == least]
        return rows[0] if rows else None

    def end(self) -> Pair:
        """The equilibrium at its end."""
        m = len(self.bases[1])
        whole = []
        for table, basis in zip(self.tables, self.bases, strict=True):
            values = [Fraction(0)] * (table.shape[1] - 1)
            for row, label in enumerate(basis):
                values[label] = Fraction(table[row, -1])  # times a pivot that all rows share
            whole.append(values)
        x, y = whole[0][:m], whole[1][m:]
        return Pair(_shares(x), _shares(y))


def _shares(parts: list[Fraction]) -> np.ndarray:
    total = sum(parts)
    return np.array([float(part / total) for part in parts])


def _integers(table: np.ndarray) -> np.ndarray:
    """Positive integers with the same differences, up to a factor."""
    exact = [[Fraction(float(value)) for value in row] for row in table]
    factor = lcm(*(value.denominator for row in exact for value in row))
    least = min(min(row) for row in exact)
    shifted = [[int((value - least) * factor) + 1 for value in row] for row in exact]
    whole = np.empty(table.shape, dtype=object)
    whole[:] = shifted
    return whole


def _tableau(payoffs: np.ndarray, first: int, labels: int) -> np.ndarray:
    rows = len(payoffs)
    table = np.zeros((rows, labels + 1), dtype=object)
    table[:, : labels + 1] = 0
    other = [label for label in range(labels) if not first <= label < first + rows]
    table[:, other] = payoffs
    for row in range(rows):
        table[row, first + row] = 1
    table[:, -1] = 1
    return table
