"""The decision process of one player when the others' strategies are fixed (an MDP).

A policy is a plan of the player's own sequences for every state. Undiscounted processes need care
(Ganzfried & Sandholm 2009): policy iteration begins with a policy that earns something, takes the
smallest non-negative values, and keeps the action chosen last time if it is still optimal; value
iteration begins with values that are too low."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved
from regretless.forms.stage import own_sequences
from regretless.kernels.kept_response import kept_response
from regretless.programs.highs import model, optimum
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.values import Profile, total_rewards

Policy: TypeAlias = list[Floats]  # [state] a plan of the player's own sequences
TIE = 1e-10  # actions closer than this share of the largest value are equally good
MOST_ROUNDS = 100_000  # of value iteration


class InducedProcess:
    """What a player can do: the chance of every outcome by its own sequences."""

    def __init__(self, game: StochasticGame, player: int, chances: Sequence[Floats]) -> None:
        """`chances[state]` is [outcome, own sequence], against the others' plans."""
        self.game, self.player, self.chances = game, player, chances
        self.rewards = game.outcomes.rewards[:, player]

    @classmethod
    def against(cls, game: StochasticGame, player: int, profile: Profile) -> InducedProcess:
        """The process that the others' plans of a profile leave to a player."""
        pairs = zip(game.states, profile, strict=True)
        return cls(game, player, [state.stage.chances(player, plan) for state, plan in pairs])

    def own(self, profile: Profile) -> Policy:
        """The player's part of a profile."""
        pairs = zip(self.game.states, profile, strict=True)
        return [plan[own_sequences(state.stage, self.player)] for state, plan in pairs]

    def evaluated(self, policy: Policy) -> Floats:
        """[state] what a policy earns."""
        return total_rewards(self.game, self._outcomes(policy), self.rewards)

    def improved(self, values: Floats, policy: Policy) -> tuple[Policy, Floats]:
        """The best plans if states are worth this, as near to `policy` as ties allow; and
        [state] what they are worth then."""
        joint = self.game.outcomes
        utility = self.rewards + self.game.discount * (joint.moves @ values)
        scale = float(np.abs(utility).max(initial=0.0))
        plans, best = [], np.empty(len(policy))
        for s, (here, before) in enumerate(zip(self.game.states, policy, strict=True)):
            earned = utility[joint.starts[s] : joint.starts[s + 1]] @ self.chances[s]
            plan = np.empty_like(before)
            plex = here.stage.plex
            best[s] = kept_response(plex, self.player, earned, before, TIE * scale, plan)
            plans.append(plan)
        return plans, best

    def policy_iteration(self, start: Policy) -> tuple[Policy, Floats]:
        """A best policy and its values, beginning with one that earns at least nothing."""
        policy, values = start, self.evaluated(start)
        while True:
            following, best = self.improved(values, policy)
            if (best <= values + TIE * max(1.0, float(np.abs(values).max()))).all():
                return policy, values
            policy, values = following, self.evaluated(following)

    def value_iteration(self, start: Floats, precision: float) -> tuple[Policy, Floats]:
        """A best policy, up to rounds that change values by less than this.

        `start` must be too low: values of a policy are."""
        policy: Policy = [np.zeros(own.shape[1]) for own in self.chances]
        values = start
        for _ in range(MOST_ROUNDS):
            policy, best = self.improved(values, policy)
            change, values = float(np.abs(best - values).max()), best
            if change <= precision:
                return policy, values
        raise Unsolved(f"value iteration has not converged after {MOST_ROUNDS:,} rounds")

    def linear_program(self, start: Policy) -> tuple[Policy, Floats]:
        """A best policy by the linear program: the smallest values that no plan exceeds.

        It has a row per plan, far too many to list: rows are added for best plans against the
        values so far, until none exceeds them. Rewards must not be negative in an undiscounted
        game, unless all play ends."""
        rows: list[tuple[Floats, Floats]] = [self._rows(start)]
        policy, low = start, 0.0 if (self.rewards >= 0).all() else -np.inf
        while True:
            values = self._smallest(rows, low)
            following, best = self.improved(values, policy)
            if (best <= values + 1e-8 * max(1.0, float(np.abs(values).max()))).all():
                return self._earning(following, values, policy)
            policy = following
            rows.append(self._rows(policy))

    def _earning(self, policy: Policy, values: Floats, before: Policy) -> tuple[Policy, Floats]:
        """A policy with these values: ties may hide plans that earn nothing forever."""
        if np.allclose(self.evaluated(policy), values, rtol=1e-6, atol=1e-9):
            return policy, values
        return self.policy_iteration(before)

    def _smallest(self, rows: list[tuple[Floats, Floats]], low: float) -> Floats:
        count = len(self.chances)
        matrix = np.concatenate([np.eye(count) - moves for moves, _ in rows])
        paid = np.concatenate([paid for _, paid in rows])
        bounds = (np.full(count, low), np.full(count, np.inf))
        limits = (paid, np.full(len(paid), np.inf))
        found = optimum(model(matrix, -np.ones(count), bounds, limits))
        if found is None:
            raise Unsolved("the linear program of a decision process has no solution")
        return found

    def _rows(self, policy: Policy) -> tuple[Floats, Floats]:
        """[state, state] discounted chances to move, and [state] what is paid."""
        from scipy import sparse

        joint, flat = self.game.outcomes, self._outcomes(policy)
        shape = (len(policy), len(flat))
        by_state = sparse.csr_matrix((flat, np.arange(len(flat)), joint.starts), shape=shape)
        moves = self.game.discount * (by_state @ joint.moves).toarray()
        return moves, by_state @ self.rewards

    def _outcomes(self, policy: Policy) -> Floats:
        pairs = zip(self.chances, policy, strict=True)
        return np.concatenate([chances @ plan for chances, plan in pairs])
