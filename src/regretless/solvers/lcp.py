"""Sequence-form complementarity by Lemke (Koller, Megiddo & von Stengel 1996), two players, exact.

An equilibrium of any two-player game of perfect recall, in time that depends on its sequences,
not on its pure strategies. Differs from the paper: the path starts at the uniform strategies,
as in von Stengel, van den Elzen & Talman 2002, and the values of decision points, which are
free, are eliminated beforehand. Ties are broken lexicographically, which acts as an implicit
perturbation."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from regretless.core import memory
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsolved
from regretless.forms.form import Form, behaviour_of, own, plan_of, uniform
from regretless.forms.sequence import SequenceForm
from regretless.forms.treeplex import Treeplex
from regretless.kernels import pivoting
from regretless.solvers._exact import SLICE_S, ExactSolver, Work, aside
from regretless.solvers._needs import TWO_PLAYERS, explicit_form

REFRESH = 50  # pivots after which the tableau is recomputed: rounding accumulates


class Method(ExactSolver):
    """Pivot from best responses to the uniform strategies to best responses to each other."""

    needs = (TWO_PLAYERS,)

    def __init__(self, form: Form) -> None:
        self.explicit = explicit_form(self, form)
        super().__init__(form)
        self.rows = 1 + sum(plex.size for plex in self.explicit.treeplexes)
        self.pivots = 0
        memory.require(4 * 16 * self.rows**2, f"the tableau of {form.spec} ({self.rows:,} rows)")

    def solve(self) -> Work:
        whole, swapped = yield from aside("building the tableau", partial(start, self.explicit))
        n = self.rows - 1
        tableau, basis = whole.copy(), np.arange(n + 1)
        path, workspace = np.array([2 * n + 1, 0]), np.empty(n + 1, np.int64)
        at_once, fresh = 1.0, 0
        while True:
            before = time.perf_counter()
            status = pivoting.lemke(tableau, basis, path, int(at_once), workspace)
            self.pivots = int(path[1])
            if status == pivoting.DONE:
                return (yield from aside("plans", partial(self._plans, whole, basis, swapped)))
            if status == pivoting.RAY:
                raise Unsolved(
                    f"Lemke's path met a ray after {self.pivots:,} pivots: rounding is too large"
                )
            pace = int(at_once) / max(time.perf_counter() - before, 1e-9)
            at_once = max(1.0, min(8 * at_once, pace * SLICE_S, REFRESH))
            if self.pivots - fresh >= REFRESH:
                again = partial(_solved, whole[:, basis], whole, self.pivots)
                tableau[:] = yield from aside("recomputing the tableau", again)
                fresh = self.pivots
            yield f"{self.pivots:,} pivots of {n + 1:,} rows"

    def _plans(self, whole: Floats, basis: Ints, swapped: Floats) -> Floats:
        """Plans from the last basis, recomputed so that pivots leave no error."""
        n = self.rows - 1
        values = np.zeros(whole.shape[1] - 1)
        values[basis] = _solved(whole[:, basis], whole[:, -1], self.pivots)
        plan = np.where(swapped == 1, values[:n], values[n + 1 : 2 * n + 1])
        return plan_of(self.form, behaviour_of(self.form, np.maximum(plan, 0.0)))

    def details(self) -> dict[str, Any]:
        return {"rows": self.rows, "pivots": self.pivots} if self.pivots else {}


def _solved(basis: Floats, right: Floats, pivots: int) -> Floats:
    try:
        return np.asarray(np.linalg.solve(basis, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise Unsolved(
            f"Lemke's path met a singular basis after {pivots:,} pivots: rounding is too large"
        ) from None


class _Side(NamedTuple):
    """One player at the start of the path; S are the sequences of a pure best response."""

    S: Ints  # one sequence for every decision point, and the empty one
    N: Ints  # the others
    H: Floats  # x[S] = response[S] * theta - H x[N]
    response: Floats  # plan of the best response
    prior: Floats  # plan at which the path starts

    @classmethod
    def of(cls, plex: Treeplex, worth: Floats, prior: Floats) -> _Side:
        """`worth`: what every sequence earns against the other's prior."""
        chosen, response = _best(plex, worth)
        rest = np.setdiff1d(np.arange(plex.size), chosen)
        E = plex.constraints.toarray()
        return cls(chosen, rest, np.linalg.solve(E[:, chosen], E[:, rest]), response, prior)


def start(form: SequenceForm) -> tuple[Floats, Floats]:
    """The first tableau, and flags: 1 if a sequence is basic, 0 if its slack is.

    With priors s and t, plans x + (1 - theta) s and y + (1 - theta) t: x and y may only play
    best responses to them. At theta = 0 that is easy, at theta = 1 it is an equilibrium.
    Slacks are r = E'p - Ay at player 1; p is eliminated by the rows S of this equation."""
    tables = [_scaled(form, 0), _scaled(form, 1).T]  # [own sequence, the other's]
    prior = plan_of(form, uniform(form))
    parts = [own(form, player) for player in range(2)]
    sides = [
        _Side.of(form.treeplexes[i], tables[i] @ prior[parts[1 - i]], prior[parts[i]])
        for i in range(2)
    ]
    n = len(prior)
    whole = np.zeros((n + 1, 2 * n + 3))
    whole[:, : n + 1] = np.eye(n + 1)
    whole[n, 2 * n + 1] = whole[n, -1] = 1.0  # the artificial variable is 1 - theta
    swapped = np.zeros(n)
    for i, (mine, theirs) in enumerate((sides, sides[::-1])):
        at, there = parts[i].start, parts[1 - i].start
        S, N = at + mine.S, at + mine.N
        swapped[S] = 1.0
        right = n + 1  # where complements begin
        whole[np.ix_(S, right + N)] = mine.H
        whole[S, 2 * n + 1] = -mine.response[mine.S]
        whole[np.ix_(N, right + S)] = -mine.H.T
        D = mine.H.T @ tables[i][mine.S] - tables[i][mine.N]
        whole[np.ix_(N, right + there + theirs.N)] = -(D[:, theirs.N] - D[:, theirs.S] @ theirs.H)
        whole[N, 2 * n + 1] = -D @ (theirs.response - theirs.prior)
        whole[N, -1] = np.maximum(D @ theirs.prior, 0.0)
    return whole, swapped


def _best(plex: Treeplex, worth: Floats) -> tuple[Ints, Floats]:
    """The best sequence of every decision point, the empty one in front, and their plan."""
    total = worth.copy()
    chosen = np.zeros(len(plex.sequences) + 1, np.int64)
    for point in reversed(range(len(plex.sequences))):
        options = plex.sequences[point]
        chosen[point + 1] = options[np.argmax(total[options])]
        total[plex.parents[point]] += total[chosen[point + 1]]
    plan = np.zeros(plex.size)
    plan[0] = 1.0
    for point, parent in enumerate(plex.parents):
        plan[chosen[point + 1]] = plan[parent]
    return chosen, plan


def _scaled(form: SequenceForm, player: int) -> Floats:
    """The payoffs of pairs of sequences, [first, second], with terminals scaled to 0 to 1."""
    paid = form.payoffs[:, player]
    scaled = (paid - paid.min()) / (float(np.ptp(paid)) or 1.0)
    table = np.zeros(tuple(plex.size for plex in form.treeplexes))
    sequences = form.sequences - form.plex.roots[:-1]
    np.add.at(table, (sequences[:, 0], sequences[:, 1]), form.chance * scaled)
    return table
