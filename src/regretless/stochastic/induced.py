"""What every player can do when the others' strategies are fixed: a decision process (MDP).

Its states are the seats: a policy is a plan of the player's own sequences for every seat. Where
players keep their places these are separate processes, one per player. Undiscounted processes need
care (Ganzfried & Sandholm 2009): policy iteration begins with a policy that earns something, takes
the smallest non-negative values, and keeps the action chosen last time if it is still optimal;
value iteration begins with values that are too low."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved
from regretless.forms.stage import own_sequences
from regretless.kernels.kept_response import kept_response
from regretless.programs.highs import model, optimum
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.values import Profile, total_rewards

if TYPE_CHECKING:
    from scipy import sparse

Policy: TypeAlias = list[Floats]  # [seat] a plan of the player's own sequences
TIE = 1e-10  # actions closer than this share of the largest value are equally good
OPTIMAL = 1e-8  # values of the linear program may be exceeded by this share of the largest
MOST_ROUNDS = 100_000  # of value iteration


class InducedProcess:
    """Seats, and the chance of every outcome by their own sequences."""

    def __init__(self, game: StochasticGame, chances: Sequence[Floats]) -> None:
        """`chances[seat]` is [outcome, own sequence], against the others' plans."""
        self.game, self.chances = game, chances
        self.places = [
            (state, player)
            for state, here in enumerate(game.states)
            for player in range(here.stage.players)
        ]

    @classmethod
    def against(cls, game: StochasticGame, profile: Profile) -> InducedProcess:
        """The process that the plans of a profile leave to each player."""
        chances = []
        for state, plan in zip(game.states, profile, strict=True):
            averages = state.stage.averages(plan)
            chances += [averages.chances(player) for player in range(state.stage.players)]
        return cls(game, chances)

    def own(self, profile: Profile) -> Policy:
        """A profile as a policy."""
        return [
            profile[state][own_sequences(self.game.states[state].stage, player)]
            for state, player in self.places
        ]

    def profile(self, policy: Policy) -> Profile:
        """A policy as a profile."""
        seats = self.game.seats
        return [np.concatenate(policy[a:b]) for a, b in pairwise(seats)]

    def evaluated(self, policy: Policy) -> Floats:
        """[seat] what a policy earns."""
        return total_rewards(self.game, self._rows(policy))

    def improved(self, values: Floats, policy: Policy) -> tuple[Policy, Floats]:
        """The best plans if seats are worth this, as near to `policy` as ties allow; and
        [seat] what they are worth then."""
        utilities = self.game.utilities(values)
        tie = TIE * max(float(np.abs(utility).max(initial=0.0)) for utility in utilities)
        plans, best = [], np.empty(len(policy))
        for seat, (state, player) in enumerate(self.places):
            earned = utilities[state][:, player] @ self.chances[seat]
            plan = np.empty_like(policy[seat])
            plex = self.game.states[state].stage.plex
            best[seat] = kept_response(plex, player, earned, policy[seat], tie, plan)
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
        programs = [self._program(start)]
        policy = start
        while True:
            values = self._smallest(programs)
            following, best = self.improved(values, policy)
            if (best <= values + OPTIMAL * max(1.0, float(np.abs(values).max()))).all():
                return policy, values
            policy = following
            programs.append(self._program(policy))

    def _smallest(self, programs: list[tuple[sparse.csr_matrix, Floats]]) -> Floats:
        from scipy import sparse

        count = len(self.chances)
        low = 0.0 if (self.game.rows.rewards >= 0).all() else -np.inf
        same = sparse.identity(count, format="csr")
        matrix = sparse.vstack([same - moves for moves, _ in programs])
        paid = np.concatenate([paid for _, paid in programs])
        bounds = (np.full(count, low), np.full(count, np.inf))
        limits = (paid, np.full(len(paid), np.inf))
        found = optimum(model(matrix, -np.ones(count), bounds, limits))
        if found is None:
            raise Unsolved("the linear program of a decision process has no solution")
        return found

    def _program(self, policy: Policy) -> tuple[sparse.csr_matrix, Floats]:
        """[seat, seat] discounted chances to move, and [seat] what is paid."""
        from scipy import sparse

        rows, flat = self.game.rows, self._rows(policy)
        shape = (len(policy), len(flat))
        by_seat = sparse.csr_matrix((flat, (rows.seats, np.arange(len(flat)))), shape=shape)
        return self.game.discount * (by_seat @ rows.moves), by_seat @ rows.rewards

    def _rows(self, policy: Policy) -> Floats:
        """[row] the chance of every outcome for those whose policy it is."""
        parts = [chances @ plan for chances, plan in zip(self.chances, policy, strict=True)]
        seats = self.game.seats
        return np.concatenate([np.stack(parts[a:b], axis=1).ravel() for a, b in pairwise(seats)])
