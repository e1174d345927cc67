"""Support enumeration in the order of Porter, Nudelman & Shoham 2004, exact, two players.

Small and balanced supports come first, and strategies that are dominated given the other
support are skipped. Supports with more than one solution, which occur in degenerate games,
go to a linear program, which maximises the smallest probability. Differs from the paper: within
the supports probabilities must be positive, so that `every` finds no equilibrium twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.forms.form import Form
from regretless.kernels import supports
from regretless.programs.highs import model, optimum
from regretless.solvers._bimatrix import Bimatrix, BimatrixSolver, Pair, Search, pair_of
from regretless.solvers._exact import SLICE_S

AT_ONCE = 256  # pairs of supports in the first call
INSIDE = 1e-9  # larger probabilities are in the support


class Method(BimatrixSolver):
    """Fix both supports, and check whether some probabilities make them an equilibrium."""

    def __init__(self, form: Form, *, every: bool = False) -> None:
        """`every`: continue to the end and keep all equilibria, one per pair of supports."""
        super().__init__(form)
        self.every = every
        self.tried = 0

    @staticmethod
    def table_bytes(rows: int, columns: int) -> int:
        return BimatrixSolver.table_bytes(rows, columns) + 8 * (max(rows, columns) + 2) ** 2

    def search(self) -> Search:
        self.tried = 0
        for event in enumerated(self.game):
            if isinstance(event, int):
                self.tried += event
                yield f"{self.tried:,} pairs of supports"
            else:
                yield event

    def more(self) -> bool:
        return self.every

    def failure(self) -> str:
        return f"none of {self.tried:,} pairs of supports passed the check: rounding is too large"

    def details(self) -> dict[str, Any]:
        return {**super().details(), "supports_tried": self.tried} if self.found else {}


def enumerated(game: Bimatrix) -> Iterator[Pair | int]:
    """Equilibria as they are found; in between, how many pairs of supports were tried since."""
    A, B = game.normalised()
    tables = (np.ascontiguousarray(A), np.ascontiguousarray(B.T))
    m, n = A.shape
    longest = max(m, n)
    system = np.empty((longest + 1, longest + 2))
    at_once = float(AT_ONCE)
    for k, size in _sizes(m, n):
        rows = (np.arange(m), np.zeros(n, np.int64), np.arange(n), np.arange(n))
        cursor = np.zeros(5, np.int64)
        x, y = np.zeros(m), np.zeros(n)
        while True:
            before = time.perf_counter()
            how = supports.search(tables, (k, size), rows, cursor, system, x, y, int(at_once))
            if how == supports.FOUND:
                yield pair_of(x, y)
            elif how == supports.UNDECIDED:
                # A side with a unique solution already has it.
                known = (
                    x if cursor[supports.FIRST] == supports.ONE else None,
                    y if cursor[supports.SECOND] == supports.ONE else None,
                )
                pair = _inside(tables, rows[0][:k].copy(), rows[1][:size].copy(), known)
                if pair is not None:
                    yield pair
            elif how == supports.PAUSED:
                pace = at_once / max(time.perf_counter() - before, 1e-9)
                at_once = max(1.0, min(8 * at_once, pace * SLICE_S))
            yield int(cursor[supports.TRIED])
            cursor[supports.TRIED] = 0
            if how == supports.EXHAUSTED:
                break


def _sizes(m: int, n: int) -> Iterator[tuple[int, int]]:
    """Sizes of pairs of supports: equal ones first, small ones first."""
    for difference in range(max(m, n)):
        for least in range(1, min(m, n) + 1):
            for pair in dict.fromkeys([(least, least + difference), (least + difference, least)]):
                if pair[0] <= m and pair[1] <= n:
                    yield pair


def _inside(
    tables: tuple[Floats, Floats],
    first: Ints,
    second: Ints,
    known: tuple[Floats | None, Floats | None],
) -> Pair | None:
    """An equilibrium with exactly these supports, if there is one."""
    x, y = known
    y = y if y is not None else widest(tables[0], first, second)
    if x is None and y is not None:
        x = widest(tables[1], second, first)
    return pair_of(x, y) if x is not None and y is not None else None


def widest(payoffs: Floats, rows: Ints, columns: Ints) -> Floats | None:
    """Probabilities of the columns that make these rows best, with the smallest maximised."""
    count, c = len(payoffs), len(columns)
    if c == 1:  # nothing to choose
        alone = payoffs[:, columns[0]]
        fits = np.ptp(alone[rows]) <= INSIDE and alone.max() <= alone[rows].max() + INSIDE
        return np.eye(1, payoffs.shape[1], int(columns[0])).ravel() if fits else None
    # Unknowns: c probabilities, the value, the least probability.
    best = np.hstack([payoffs[:, columns], -np.ones((count, 1)), np.zeros((count, 1))])
    least = np.hstack([np.eye(c), np.zeros((c, 1)), -np.ones((c, 1))])
    total = np.concatenate([np.ones(c), [0.0, 0.0]])
    lower = np.concatenate([np.full(count, -np.inf), np.zeros(c), [1.0]])
    lower[rows] = 0.0
    upper = np.concatenate([np.zeros(count), np.full(c, np.inf), [1.0]])
    program = model(
        np.vstack([best, least, total]),
        np.eye(1, c + 2, c + 1).ravel(),
        (np.concatenate([np.zeros(c), [-np.inf, 0.0]]), np.full(c + 2, np.inf)),
        (lower, upper),
    )
    optimal = optimum(program)
    if optimal is None:
        return None
    if optimal[-1] <= INSIDE:
        return None
    whole = np.zeros(payoffs.shape[1])
    whole[columns] = optimal[:c]
    return whole
