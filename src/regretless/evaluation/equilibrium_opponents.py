"""What a strategy earns against equilibrium opponents: the minimum and maximum over all of them.

The equilibrium strategies of a player of a zero-sum game are a polytope: plans y with A y <= E'p,
with p[0] the value of the game. What a fixed strategy earns against y is linear, so two
linear programs find its range. It matters: a weak strategy loses little against one equilibrium
and much against another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, Unsolved, number
from regretless.forms.form import own, plan_of
from regretless.forms.sequence import SequenceForm
from regretless.programs.highs import Blocks, optimum
from regretless.programs.saddle import maximin
from regretless.solvers._maximin import require_two_zero_sum
from regretless.strategy.strategy import Strategy

if TYPE_CHECKING:
    from scipy import sparse

SLACK = 1e-8  # of the largest payoff: opponents this near to an equilibrium count


class Range(NamedTuple):
    """What is earned against the equilibria of the other player."""

    least: float
    given: float  # against the equilibrium that the linear program finds
    most: float


class EquilibriumOpponents:
    """All equilibrium strategies of both players of a game.

    With `epsilon`, all that give up at most that much against a best response."""

    def __init__(self, form: SequenceForm, *, epsilon: float = 0.0) -> None:
        require_two_zero_sum(form, "equilibrium opponents")
        if not number("epsilon", epsilon) >= 0:
            raise BadParameter(f"epsilon={epsilon}: must be 0 or more")
        self.form, self.slack = form, max(epsilon, SLACK * form.largest_payoff)
        first, second = (plex.constraints for plex in form.treeplexes)
        A = form.matrix(0)
        saddle = maximin(A, first, second)
        self.value = saddle.value
        self.plans = (saddle.rows, saddle.columns)  # one equilibrium
        # [player]: payoffs of the player (rows) against the other, constraints of both.
        self._games = ((A, first, second), (-A.T, second, first))

    def range(self, strategy: Strategy, player: int) -> Range:
        """What a player's part of a strategy earns; players count from 1."""
        plan = plan_of(self.form, strategy.behaviour)[own(self.form, player - 1)]
        plans = [self.extreme(player, plan, -1.0), self.plans[2 - player]]
        plans.append(self.extreme(player, plan, 1.0))
        return Range(*(float(self.earned(player, other) @ plan) for other in plans))

    def earned(self, player: int, other: Floats) -> Floats:
        """What each sequence of a player earns against a plan of the other."""
        A, _, _ = self._games[player - 1]
        return np.asarray(A @ other)

    def extreme(self, player: int, plan: Floats, sign: float) -> Floats:
        """The equilibrium plan of the other against which a plan earns least (-1) or most (1)."""
        A, E, F = self._games[player - 1]
        return self._extreme(A, E, F, self._value(player), sign * (A.T @ plan))

    def own_extreme(self, player: int, gain: Floats) -> Floats:
        """The player's own equilibrium plan that maximises a linear gain."""
        A, E, F = self._games[2 - player]
        return self._extreme(A, E, F, self._value(3 - player), gain)

    def _value(self, player: int) -> float:
        return self.value if player == 1 else -self.value

    def _extreme(
        self,
        A: sparse.csr_matrix,
        E: sparse.csr_matrix,
        F: sparse.csr_matrix,
        value: float,
        gain: Floats,
    ) -> Floats:
        """The other's equilibrium plan that maximises a linear gain."""
        highest = np.full(E.shape[0], np.inf)
        highest[0] = value + self.slack
        start = np.eye(1, F.shape[0]).ravel()
        program = Blocks()
        y, p = program.columns(A.shape[1], gain=gain), program.columns(E.shape[0], -np.inf, highest)
        program.rows({y: F}, start, start)
        program.rows({y: A, p: -E.T}, -np.inf, 0.0)
        plan = optimum(program.model())
        if plan is None:
            raise Unsolved(f"HiGHS could not search the equilibria of {self.form.spec}")
        return plan[: A.shape[1]]
