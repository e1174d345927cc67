"""The ex-post check: what every player could gain by any other strategy, whatever was computed.

For every player, the others' strategies leave a decision process (Ganzfried & Sandholm 2009).
This file solves it by policy iteration on its own: stages are asked for chances of outcomes and
for best responses of the forms `paying` the present values, and nothing is shared with what the
algorithms do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved
from regretless.core.progress import Listener, Progress, nobody
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.values import Profile

PRECISION = 1e-10  # improvements of less than this share of the largest value are rounding
MOST_ROUNDS = 1_000


@dataclass(frozen=True, eq=False)
class Certificate:
    """Values of a profile, and of every player's best reply to it, in all states."""

    values: Floats  # [state, player] of the profile
    best: Floats  # [state, player] of the player's best strategy against it

    @property
    def gains(self) -> Floats:
        """[state, player] what a player could gain from there on."""
        return np.asarray(self.best - self.values)

    @property
    def epsilon(self) -> float:
        """The most that any player could gain in any state: the profile is an epsilon-equilibrium
        wherever play begins."""
        return float(self.gains.max())


def certified(game: StochasticGame, profile: Profile, listen: Listener = nobody) -> Certificate:
    """Check a profile: exactly, up to rounding."""
    columns = [_replies(game, profile, player, listen) for player in range(game.players)]
    values, best = (np.stack(parts, axis=1) for parts in zip(*columns, strict=True))
    return Certificate(values, best)


def _replies(
    game: StochasticGame, profile: Profile, player: int, listen: Listener
) -> tuple[Floats, Floats]:
    """[state] the value of the profile to a player, and of its best reply."""
    chances, own = [], []
    for state, plan in zip(game.states, profile, strict=True):
        roots = state.stage.plex.roots
        chances.append(state.stage.chances(player, plan))
        own.append(plan[roots[player] : roots[player + 1]])
    worth = _sums(game, chances, own, player)
    values, policy = worth, own
    for round_ in range(MOST_ROUNDS):
        stage = f"checking player {player + 1}"
        listen(Progress(stage, done=(player + 0.5) / game.players, news=f"round {round_ + 1}"))
        slack = PRECISION * max(1.0, float(np.abs(values).max()))
        better = [
            _better(game, s, player, chances[s], values, slack, policy[s])
            for s in range(len(policy))
        ]
        policy, changed = [plan for plan, _ in better], any(new for _, new in better)
        if not changed:
            return worth, values
        values = _sums(game, chances, policy, player)
    raise Unsolved(f"the check has not ended after {MOST_ROUNDS:,} rounds")


def _better(
    game: StochasticGame,
    state: int,
    player: int,
    chances: Floats,
    values: Floats,
    slack: float,
    plan: Floats,
) -> tuple[Floats, bool]:
    """A better plan in a state, and whether there is one: otherwise the plan is kept."""
    here = game.states[state]
    utility = here.rewards[:, player] + game.discount * (here.moves @ values)
    earned = utility @ chances
    treeplex = here.stage.treeplexes[player]
    worth = earned.copy()
    choices = []
    for point in reversed(range(len(treeplex.labels))):
        sequences = treeplex.sequences[point]
        choice = sequences[np.argmax(worth[sequences])]
        choices.append((point, choice))
        worth[treeplex.parents[point]] += worth[choice]
    if worth[0] <= earned @ plan + slack:
        return plan, False
    better = np.zeros_like(plan)
    better[0] = 1.0
    for point, choice in reversed(choices):
        better[choice] = better[treeplex.parents[point]]
    return better, True


def _sums(game: StochasticGame, chances: list[Floats], policy: list[Floats], player: int) -> Floats:
    """[state] what a policy is paid in all: the smallest solution of v = r + P v."""
    count = len(policy)
    moves, paid, live = np.zeros((count, count)), np.zeros(count), np.zeros(count, dtype=bool)
    for s, (here, table, plan) in enumerate(zip(game.states, chances, policy, strict=True)):
        reached = table @ plan
        moves[s] = here.moves.T @ reached
        paid[s] = reached @ here.rewards[:, player]
        live[s] = game.discount < 1 or reached @ (1 - here.moves.sum(axis=1).A1) > 1e-12
    while True:  # states from which the end can be reached
        more = live | (moves[:, live].sum(axis=1) > 0)
        if (more == live).all():
            break
        live = more
    if np.abs(paid[~live]).max(initial=0.0) > PRECISION:
        raise Unsolved("play never ends and is paid again and again")
    values = np.zeros(count)
    inside = moves[np.ix_(live, live)]
    values[live] = np.linalg.solve(np.eye(len(inside)) - game.discount * inside, paid[live])
    return values
