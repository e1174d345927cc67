"""Finite stochastic games of two players: every level is a set of states, each a matrix game.

In a state both players choose simultaneously; they are paid, and chance moves to a state of the
next level. Both players see the state. After the last level the game is over.

    pennies = [[1, -1], [-1, 1]]
    game = stochastic_game([
        {"start": Stage(pennies, moves=[[{"hot": 1}, {"cold": 1}], [{"cold": 1}, {"hot": 1}]])},
        {"hot": Stage([[3, -3], [-3, 3]]), "cold": Stage(pennies)},
    ])"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput
from regretless.forms.matrix_stage import MatrixStage
from regretless.stochastic.game import (
    SLACK,
    GameState,
    OpenGame,
    Stage,
    StochasticGame,
    open_game,
    stage_arrays,
    stage_chances,
    staying,
)


@dataclass(frozen=True, eq=False)
class StageGame:
    """A state as arrays."""

    name: str
    actions: tuple[tuple[str, ...], tuple[str, ...]]
    payoffs: Floats  # [player, row, column]
    chances: Floats  # [row, column, state of the next level]

    @property
    def shape(self) -> tuple[int, int]:
        _, rows, columns = self.payoffs.shape
        return rows, columns


@dataclass(frozen=True)
class LevelGame(StochasticGame):
    """Levels of states, first level first: as states, one level after the other."""

    levels: tuple[tuple[StageGame, ...], ...] = field(repr=False)
    spec: str = "stochastic game"
    players: int = field(default=2, init=False)
    discount: float = field(default=1.0, init=False)
    states: tuple[GameState, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "states", self._states())

    def _states(self) -> tuple[GameState, ...]:
        total = sum(map(len, self.levels))
        made: list[GameState] = []
        for level in self.levels:
            below = len(made) + len(level)
            for stage in level:
                rewards = stage.payoffs.reshape(2, -1).T
                moves = np.zeros((len(rewards), total))
                after = stage.chances.reshape(len(rewards), -1)
                moves[:, below : below + after.shape[1]] = after
                form = MatrixStage(stage.actions)
                made.append(GameState(stage.name, form, rewards, staying(moves, 2)))
        return tuple(made)

    @property
    def size(self) -> int:
        """Number of states."""
        return sum(map(len, self.levels))

    @property
    def actions(self) -> int:
        """Actions of both players in all states."""
        return sum(sum(stage.shape) for level in self.levels for stage in level)

    def __str__(self) -> str:
        return f"{self.spec}: {len(self.levels)} levels, {self.size} states"


@overload
def stochastic_game(levels: Sequence[Mapping[str, Stage]], spec: str = ...) -> LevelGame: ...
@overload
def stochastic_game(
    levels: Mapping[str, Stage], spec: str = ..., *, discount: float = ...
) -> OpenGame: ...
def stochastic_game(
    levels: Sequence[Mapping[str, Stage]] | Mapping[str, Stage],
    spec: str = "stochastic game",
    *,
    discount: float = 1.0,
) -> LevelGame | OpenGame:
    """A game from its levels, first level first, each a dictionary: name of a state → its stage;
    or without a horizon from one such dictionary, where moves may lead to any state and what is
    missing to 1 ends the game."""
    if isinstance(levels, Mapping):
        return open_game(levels, discount, spec)
    if discount != 1:
        raise BadInput(f"discount={discount}: a game with levels is undiscounted")
    if not isinstance(levels, list | tuple) or not levels or not all(levels):
        raise BadInput("a stochastic game needs at least one level, and every level a state")
    if not all(isinstance(level, Mapping) for level in levels):
        raise BadInput("every level of a stochastic game must be a dictionary: state → its stage")
    following = [*levels[1:], {}]
    made = [
        tuple(_stage(name, stage, list(below)) for name, stage in level.items())
        for level, below in zip(levels, following, strict=True)
    ]
    return LevelGame(tuple(made), spec)


def _stage(name: str, stage: Any, below: list[str]) -> StageGame:
    table, names = stage_arrays(name, stage)
    if len(table) != 2:
        raise BadInput(f"payoffs of state {name!r}: a game with levels has two players")
    shape = table.shape[1:]
    if not below and stage.moves is not None:
        raise BadInput(f"moves of state {name!r}: there is no level after the last one")
    if below and stage.moves is None:
        raise BadInput(f"moves of state {name!r}: must be {shape[0]} rows of {shape[1]} cells")
    chances = stage_chances(name, stage.moves, shape, below)
    totals = chances.sum(axis=2)
    if below and not (abs(totals - 1) <= SLACK).all():
        row, column = np.argwhere(abs(totals - 1) > SLACK)[0]
        raise BadInput(
            f"moves of state {name!r}, row {row + 1}, column {column + 1}: chances must sum to 1, "
            f"not {totals[row, column]:g}"
        )
    for array in (table, chances):
        array.setflags(write=False)
    return StageGame(name, (names[0], names[1]), table, chances)


def random_stochastic_game(
    rng: np.random.Generator,
    *,
    levels: int = 3,
    states: int = 3,
    actions: int = 3,
    kinds: int | None = None,
    noise: float = 0.1,
    zero_sum: bool = False,
) -> LevelGame:
    """A random game for tests and studies.

    Every level has `kinds` of states (default: all different), and the actions of a kind come in
    as many kinds; states and actions of one kind differ only by `noise`, so there is something to
    abstract."""
    kinds = kinds or states
    made: list[dict[str, Stage]] = []
    below: list[str] = []
    for level in range(levels, 0, -1):
        alike = min(kinds, actions)
        shape = (kinds, alike, alike)
        payoffs = rng.uniform(-1, 1, (2, *shape))
        chances = rng.dirichlet(np.ones(len(below)), shape) if below else None
        stages = {}
        for state in range(states):
            own = np.arange(actions) % alike
            chosen = (state % kinds, own[:, None], own[None, :])
            table = payoffs[(slice(None), *chosen)]
            table = table + noise * rng.uniform(-1, 1, table.shape)
            if zero_sum:
                table[1] = -table[0]
            moves = None
            if chances is not None:
                mixed = rng.dirichlet(np.ones(len(below)), (actions, actions))
                cells = (1 - noise / 2) * chances[chosen] + noise / 2 * mixed
                moves = [[dict(zip(below, cell, strict=True)) for cell in row] for row in cells]
            stages[f"{level}.{state + 1}"] = Stage(table, moves)
        made.append(stages)
        below = list(stages)
    return stochastic_game(made[::-1], "random stochastic game")
