"""Methods that are one linear program of a two-player zero-sum game (programs/saddle.py).

The program has the payoffs of the first player alone, so the sum may be any constant."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form, behaviour_of, own, plan_of
from regretless.forms.sequence import SequenceForm, is_zero_sum, table
from regretless.programs.highs import WAIT_S, Algorithm, Running
from regretless.programs.saddle import SaddleProgram, saddle_program
from regretless.solvers._exact import ExactSolver, Work, aside
from regretless.solvers._needs import CONSTANT_SUM, TWO_PLAYERS, ZERO_SUM, explicit_form, require
from regretless.solvers._solver import payoff_spread

if TYPE_CHECKING:
    from scipy import sparse


FAR = 10.0  # times the range of payoffs


class MaximinSolver(ExactSolver):
    """One linear program, by the algorithm that suits its size."""

    needs = (TWO_PLAYERS, CONSTANT_SUM)

    def __init__(self, form: Form, *, algorithm: str = "auto") -> None:
        """`algorithm`: simplex, ipm (interior point), pdlp (first-order), or auto, by size."""
        self.explicit = centred(explicit_form(self, form))
        self.algorithm = Algorithm.named(algorithm)
        self._told: dict[str, Any] = {}
        self._running: Running | None = None
        self._program: SaddleProgram | None = None
        super().__init__(form)

    @abstractmethod
    def matrices(self) -> tuple[sparse.csr_matrix, sparse.csr_matrix, sparse.csr_matrix]:
        """A, E and F of the game x'Ay with E x = e and F y = f."""

    @abstractmethod
    def plans(self, rows: Floats, columns: Floats) -> Floats:
        """Plans of both players from x and y."""

    def solve(self) -> Work:
        program = yield from aside(
            "building the linear program", lambda: saddle_program(*self.matrices())
        )
        self._program = program
        self._running = running = Running(program.model, self.algorithm)
        try:
            while not running.wait(WAIT_S):
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
        assert self._program is not None
        saddle = self._program.read(self._running)
        return self.plans(saddle.rows, saddle.columns)

    def _keep(self, plan: Floats) -> None:
        """Keep those plans of a stopped HiGHS that guarantee more than the plans so far."""
        if plan.shape != self.plan.shape or not np.isfinite(plan).all():
            return
        now, then = behaviour_of(self.form, plan), behaviour_of(self.form, self.plan)
        for player in range(2):
            # What the other's best response earns is what this player's plan loses.
            if self.form.respond(1 - player, now)[1] < self.form.respond(1 - player, then)[1]:
                self.plan[own(self.form, player)] = plan_of(self.form, now)[own(self.form, player)]

    def details(self) -> dict[str, Any]:
        return dict(self._told)

    def remarks(self) -> list[tuple[str, str]]:
        if not self._told:
            return []
        size = "{rows:,} rows, {columns:,} columns, {entries:,} entries".format(**self._told)
        return [("linear program", f"{size}; {self._told['algorithm']}")]


def centred(form: SequenceForm) -> SequenceForm:
    """The form with payoffs around zero, if a constant in them would hide their differences.

    HiGHS's tolerances are relative to the largest payoff once a program is scaled."""
    middle = (form.payoffs.max(axis=0) + form.payoffs.min(axis=0)) / 2
    if form.largest_payoff <= FAR * payoff_spread(form):
        return form
    payoffs = form.payoffs - middle
    moved = table(form.sequences, form.chance[:, None] * payoffs)
    return replace(form, payoffs=payoffs, table=moved, zero_sum=is_zero_sum(payoffs), game=None)


def require_two_zero_sum(form: Form, method: str) -> None:
    """Refuse games that these programs cannot solve."""
    require(form, method, (TWO_PLAYERS, ZERO_SUM))
