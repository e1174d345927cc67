"""What strategies are worth in every state: the sum of what they are paid, without a horizon.

A strategy profile is a plan of all players for every state. Where play never ends, the system of
equations v = r + P v has many solutions; the sum of what is paid is the smallest non-negative
one if nothing is negative (Puterman 1994, section 7.2): zero where play stays forever unpaid."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved
from regretless.forms.stage import StageForm, own_sequences
from regretless.kernels.kept_response import kept_response
from regretless.kernels.treeplex import behaviour_to_plan, plan_to_behaviour
from regretless.stochastic.game import StochasticGame

if TYPE_CHECKING:
    from scipy import sparse

Profile: TypeAlias = list[Floats]  # [state] the plan of all players there
UNPAID = 1e-12  # a reward that rounding may leave


def uniform_profile(game: StochasticGame) -> Profile:
    """Every action with equal probability, everywhere."""
    profile = []
    for state in game.states:
        plex = state.stage.plex
        nothing, behaviour = np.zeros(int(plex.roots[-1])), np.empty(int(plex.roots[-1]))
        plan = np.empty_like(behaviour)
        for player in range(state.stage.players):
            plan_to_behaviour(plex, player, nothing, behaviour)
            behaviour_to_plan(plex, player, behaviour, plan)
        profile.append(plan)
    return profile


def first_plan(stage: StageForm) -> Floats:
    """The first action everywhere: to fold, in a game of jam or fold."""
    plan = np.zeros(int(stage.plex.roots[-1]))
    for player in range(stage.players):
        mine = plan[own_sequences(stage, player)]
        nothing = np.zeros(len(mine))
        kept_response(stage.plex, player, nothing, nothing, 0.0, mine)
    return plan


def outcome_chances(game: StochasticGame, profile: Profile) -> list[Floats]:
    """[state][outcome] the chance to end there."""
    return [
        here.stage.chances(0, plan) @ plan[own_sequences(here.stage, 0)]
        for here, plan in zip(game.states, profile, strict=True)
    ]


def profile_values(game: StochasticGame, chances: list[Floats]) -> Floats:
    """[seat] what every seat is worth when outcomes have these chances, [state][outcome]."""
    pairs = zip(chances, game.states, strict=True)
    return total_rewards(
        game, np.concatenate([np.repeat(own, state.stage.players) for own, state in pairs])
    )


def total_rewards(game: StochasticGame, chances: Floats) -> Floats:
    """[seat] sums of all rewards when the rows of the game have these chances."""
    from scipy import sparse
    from scipy.sparse.linalg import splu

    rows, count = game.rows, int(game.seats[-1])
    by_seat = sparse.csr_matrix(
        (chances, (rows.seats, np.arange(len(chances)))), shape=(count, len(chances))
    )
    moves = by_seat @ rows.moves
    paid = np.asarray(by_seat @ rows.rewards, dtype=np.float64)
    values: Floats = np.zeros(count)
    live = np.arange(count)
    if game.discount == 1:
        ending = _ending(moves, by_seat @ rows.ends)
        endless = ~ending & (np.abs(paid) > UNPAID)
        if endless.any():
            state = int(np.searchsorted(game.seats, np.argmax(endless), side="right")) - 1
            name = game.states[state].name
            raise Unsolved(f"play from state {name!r} never ends and is paid again and again")
        live = np.flatnonzero(ending)
    if len(live):
        inside = moves[live][:, live]
        system = sparse.identity(len(live), format="csc") - game.discount * inside.tocsc()
        values[live] = splu(system.tocsc()).solve(paid[live])
    return values


def _ending(moves: sparse.csr_matrix, ends: Floats) -> np.ndarray:
    """Which seats have a positive chance that the game ends sooner or later."""
    from scipy import sparse
    from scipy.sparse.csgraph import breadth_first_order

    count = len(ends)
    last = sparse.csr_matrix(ends[:, None])
    graph = sparse.vstack(
        [sparse.hstack([moves, last]), sparse.csr_matrix((1, count + 1))], format="csr"
    )
    graph.eliminate_zeros()
    found = breadth_first_order(graph.T.tocsr(), count, return_predecessors=False)
    reached = np.zeros(count + 1, dtype=bool)
    reached[found] = True
    return reached[:count]
