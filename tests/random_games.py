"""Random games with perfect recall, for properties.

Who moves and how many actions there are depends on the depth alone. A player remembers
its own actions and sees the others' moves modulo some number (1: not at all)."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from hypothesis import strategies as st

from regretless.games._state import CHANCE, TERMINAL, Game, State


@dataclass(frozen=True)
class Plan:
    players: int
    moves: tuple[tuple[int, int], ...]  # who, number of actions
    sees: tuple[tuple[int, ...], ...]  # [depth][player] modulus
    seed: int
    zero_sum: bool


@dataclass(frozen=True)
class RandomState(State):
    plan: Plan
    path: tuple[int, ...] = ()

    @property
    def player(self):
        return TERMINAL if len(self.path) == len(self.plan.moves) else self._move()[0]

    def _move(self):
        return self.plan.moves[len(self.path)]

    def _random(self, *key):
        return zlib.crc32(repr((self.plan.seed, self.path, key)).encode()) / 2**32

    @property
    def actions(self):
        return [f"a{i}" for i in range(self._move()[1])] if self.player != TERMINAL else []

    @property
    def chances(self):
        if self.player != CHANCE:
            return []
        weights = [0.1 + self._random(i) for i in range(self._move()[1])]
        return [weight / sum(weights) for weight in weights]

    def child(self, index):
        return RandomState(self.plan, (*self.path, index))

    def view(self, player):
        seen = []
        for depth, action in enumerate(self.path):
            own = self.plan.moves[depth][0] == player
            seen.append(action if own else action % self.plan.sees[depth][player])
        return f"{len(self.path)}:" + "".join(map(str, seen))

    @property
    def payoff(self):
        paid = [round(10 * self._random("pay", i) - 5, 3) for i in range(self.plan.players)]
        if self.plan.zero_sum:
            paid[-1] = -sum(paid[:-1])
        return tuple(paid)


@st.composite
def random_games(draw, players=(2, 3), zero_sum=None):
    count = draw(st.integers(*players))
    depth = draw(st.integers(1, 5))
    mover = st.integers(CHANCE, count - 1)
    moves = tuple((draw(mover), draw(st.integers(1, 3))) for _ in range(depth))
    sees = tuple(tuple(draw(st.integers(1, 3)) for _ in range(count)) for _ in range(depth))
    fair = draw(st.booleans()) if zero_sum is None else zero_sum
    plan = Plan(count, moves, sees, draw(st.integers(0, 10**6)), fair)
    return Game(f"random-{plan.seed}", count, RandomState(plan))
