"""The ex-post check: what every player could gain by any other strategy, whatever was computed.

The others' strategies leave each player a decision process (Ganzfried & Sandholm 2009). This file
solves it by policy iteration on its own: it asks the stages for chances of outcomes, anew and in
full precision, and shares nothing with what the algorithms do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Interrupted, Unsolved
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.threads import threaded
from regretless.forms.treeplex import Treeplex
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.values import Profile

PRECISION = 1e-10  # improvements of less than this share of the largest value are rounding
MOST_ROUNDS = 1_000


@dataclass(frozen=True, eq=False)
class Certificate:
    """Values of a profile, and of every player's best reply to it, in all seats."""

    values: Floats  # [seat] of the profile
    best: Floats  # [seat] of the player's best strategy against it
    rounds: int  # of policy iteration

    @property
    def gains(self) -> Floats:
        """[seat] what the player could gain from there on."""
        return np.asarray(self.best - self.values)

    @property
    def epsilon(self) -> float:
        """The most that any player could gain in any state: the profile is an epsilon-equilibrium
        wherever play begins."""
        return float(self.gains.max())


def certified(
    game: StochasticGame, profile: Profile, *, threads: int = 1, listen: Listener = nobody
) -> Certificate:
    """Check a profile: exactly, up to rounding."""
    check = _Check(game, profile, threads, listen)
    policy = [plan for _, _, plan in check.seats()]
    worth = values = check.sums(policy)
    for round_ in range(MOST_ROUNDS):
        listen(Progress("checking", round_, news=f"round {round_ + 1}"))
        better = check.better(values, policy)
        if better is None:
            return Certificate(worth, values, round_)
        policy, values = better, check.sums(better)
    raise Unsolved(f"the check has not ended after {MOST_ROUNDS:,} rounds")


class _Check:
    """Policies against a profile, seat by seat."""

    def __init__(
        self, game: StochasticGame, profile: Profile, threads: int, listen: Listener
    ) -> None:
        self.game, self.profile = game, profile

        def chances(state: int) -> list[Floats]:
            if interrupted():
                return []
            stage = game.states[state].stage
            return [stage.chances(player, profile[state]) for player in range(stage.players)]

        self.chances: list[Floats] = []
        count = len(game.states)
        with threaded(threads) as run:
            for state, found in enumerate(run(chances, range(count))):
                if not found:
                    raise Interrupted("the profile was not checked")
                self.chances += found
                listen(Progress("checking", done=(state + 1) / count))

    def seats(self) -> Iterator[tuple[int, int, Floats]]:
        """State, player, and the player's plan there."""
        for state, (here, plan) in enumerate(zip(self.game.states, self.profile, strict=True)):
            roots = here.stage.plex.roots
            for player in range(here.stage.players):
                yield state, player, plan[roots[player] : roots[player + 1]]

    def better(self, values: Floats, policy: list[Floats]) -> list[Floats] | None:
        """Plans that earn more wherever there are such; nothing if there are none."""
        found, changed = [], False
        slack = PRECISION * max(1.0, float(np.abs(values).max()))
        worth: Floats = np.empty(0)
        for seat, (state, player, _) in enumerate(self.seats()):
            here = self.game.states[state]
            if player == 0:
                worth = here.rewards.ravel() + self.game.discount * (here.moves @ values)
            earned = worth[player :: here.stage.players] @ self.chances[seat]
            best = _best(here.stage.treeplexes[player], earned)
            if earned @ best > earned @ policy[seat] + slack:
                found.append(best)
                changed = True
            else:
                found.append(policy[seat])
        return found if changed else None

    def sums(self, policy: list[Floats]) -> Floats:
        """[seat] what a policy is paid in all: the smallest solution of v = r + P v."""
        from scipy import sparse

        game, count = self.game, len(policy)
        moves, paid, ending = [], np.empty(count), np.empty(count, dtype=bool)
        for seat, (state, player, _) in enumerate(self.seats()):
            here = game.states[state]
            reached = self.chances[seat] @ policy[seat]
            mine = slice(player, None, here.stage.players)
            moves.append(sparse.csr_matrix(reached) @ here.moves[mine])
            paid[seat] = reached @ here.rewards[:, player]
            ending[seat] = game.discount < 1 or moves[-1].sum() < reached.sum() - 1e-12
        chain = sparse.vstack(moves, format="csr")
        while True:  # seats from which the end can be reached
            more = ending | (chain @ ending.astype(float) > 0)
            if (more == ending).all():
                break
            ending = more
        if np.abs(paid[~ending]).max(initial=0.0) > PRECISION:
            raise Unsolved("play never ends and is paid again and again")
        values = np.zeros(count)
        inside = chain[ending][:, ending].toarray()
        system = np.eye(len(inside)) - game.discount * inside
        values[ending] = np.linalg.solve(system, paid[ending])
        return values


def _best(treeplex: Treeplex, earned: Floats) -> Floats:
    """The plan of a best response, decision by decision from the last one up."""
    worth, choices = earned.copy(), []
    for point in reversed(range(len(treeplex.labels))):
        sequences = treeplex.sequences[point]
        choice = sequences[np.argmax(worth[sequences])]
        choices.append((treeplex.parents[point], choice))
        worth[treeplex.parents[point]] += worth[choice]
    best = np.zeros_like(earned)
    best[0] = 1.0
    for parent, choice in reversed(choices):
        best[choice] = best[parent]
    return best
