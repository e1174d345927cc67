"""Sequence-form complementarity by Lemke (Koller, Megiddo & von Stengel 1996), two players, exact.

An equilibrium of any two-player game of perfect recall, in time that depends on its sequences, not on
its pure strategies. Payoffs are shifted below zero, which the proof of termination needs, and
ties are broken lexicographically, which is a perturbation of the right-hand side that need not be
made."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from regretless.core import memory
from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved
from regretless.forms.form import Form, behaviour_of, plan_of
from regretless.forms.sequence import SequenceForm
from regretless.kernels import pivoting
from regretless.solvers._exact import SLICE_S, ExactSolver, Work
from regretless.solvers._needs import TWO_PLAYERS, explicit_form


REFRESH = 50  # pivots after which the tableau is computed anew: rounding adds up


class Method(ExactSolver):
    """Pivot from an artificial solution to one in which every best reply is complementary."""

    needs = (TWO_PLAYERS,)

    def __init__(self, form: Form) -> None:
        self.explicit = explicit_form(self, form)
        super().__init__(form)
        sizes = [plex.size + 2 * (1 + len(plex.labels)) for plex in self.explicit.treeplexes]
        self.rows = sum(sizes)
        self.pivots = 0
        memory.require(3 * 16 * self.rows**2, f"the tableau of {form.spec} ({self.rows:,} rows)")

    def solve(self) -> Work:
        self.pivots = 0
        M, b = complementarity(self.explicit)
        n = len(b)
        whole = np.concatenate([np.eye(n), -M, -np.ones((n, 1)), b[:, None]], axis=1)
        tableau, basis = whole.copy(), np.arange(n)
        # The artificial variable enters where b is least; of equals, the last is least.
        row = n - 1 - int(np.argmin(b[::-1]))
        pivoting.pivot(tableau, row, 2 * n)
        basis[row] = 2 * n
        path, workspace = np.array([n + row, 1]), np.empty(n, np.int64)
        at_once, fresh = 4.0, 0
        while True:
            before = time.perf_counter()
            status = pivoting.lemke(tableau, basis, path, int(at_once), workspace)
            self.pivots = int(path[1])
            if status == pivoting.DONE:
                return self._plans(whole, basis)
            if status == pivoting.RAY:
                raise Unsolved(
                    f"Lemke's path ended in a ray after {self.pivots:,} pivots: rounding is too large"
                )
            pace = int(at_once) / max(time.perf_counter() - before, 1e-9)
            at_once = max(1.0, min(8 * at_once, pace * SLICE_S, REFRESH))
            if self.pivots - fresh >= REFRESH:
                tableau[:] = np.linalg.solve(whole[:, basis], whole)
                fresh = self.pivots
            yield f"{self.pivots:,} pivots of {n:,} rows"

    def _plans(self, whole: Floats, basis: np.ndarray) -> Floats:
        """Plans out of the last basis, computed anew so that pivots leave no error."""
        n = len(basis)
        values = np.zeros(2 * n + 1)
        values[basis] = np.linalg.solve(whole[:, basis], whole[:, -1])
        sequences = sum(plex.size for plex in self.explicit.treeplexes)
        plan = np.maximum(values[n : n + sequences], 0.0)
        return plan_of(self.form, behaviour_of(self.form, plan))

    def details(self) -> dict[str, Any]:
        return {"rows": self.rows, "pivots": self.pivots} if self.pivots else {}


def complementarity(form: SequenceForm) -> tuple[Floats, Floats]:
    """M and b of: z >= 0, Mz + b >= 0, z'(Mz + b) = 0, with z = (x, y, p, p', q, q').

    x and y are plans; E'(p - p') >= Ay and F'(q - q') >= B'x bound what sequences are worth."""
    A, B = (_negative(form, player) for player in range(2))
    E, F = (plex.constraints.toarray() for plex in form.treeplexes)
    (k, m), (size, n) = E.shape, F.shape
    M = np.zeros((m + n + 2 * k + 2 * size,) * 2)
    M[:m, m : m + n], M[m : m + n, :m] = -A, -B.T
    b = np.zeros(len(M))
    at = m + n
    for matrix, own in ((E, slice(0, m)), (F, slice(m, m + n))):
        for sign in (1.0, -1.0):
            rows = slice(at, at + len(matrix))
            M[own, rows], M[rows, own] = sign * matrix.T, -sign * matrix
            b[at] = sign
            at += len(matrix)
    return M, b


def _negative(form: SequenceForm, player: int) -> Floats:
    """The payoffs of pairs of sequences, with every terminal's from -2 to -1."""
    paid = form.payoffs[:, player]
    scaled = (paid - paid.max()) / (float(np.ptp(paid)) or 1.0) - 1.0
    table = np.zeros(tuple(plex.size for plex in form.treeplexes))
    own = form.sequences - form.plex.roots[:-1]
    np.add.at(table, (own[:, 0], own[:, 1]), form.chance * scaled)
    return table
