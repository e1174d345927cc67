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
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, UnknownName, number, shown

SLACK = 1e-9  # tolerance of chances that must sum to 1


@dataclass(frozen=True, eq=False)
class Stage:
    """A state's actions, payoffs and transitions.

    `payoffs` is [row, column], what player 1 wins from player 2, or [player, row, column].
    `moves` is [row][column], each a dictionary: state of the next level → probability."""

    payoffs: npt.ArrayLike
    moves: Sequence[Sequence[Mapping[str, float]]] | None = None
    actions: tuple[Sequence[str], Sequence[str]] | None = None


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
class StochasticGame:
    """Levels of states, first level first."""

    levels: tuple[tuple[StageGame, ...], ...] = field(repr=False)
    spec: str = "stochastic game"

    @property
    def states(self) -> int:
        return sum(map(len, self.levels))

    @property
    def actions(self) -> int:
        """Actions of both players in all states."""
        return sum(sum(stage.shape) for level in self.levels for stage in level)

    def __str__(self) -> str:
        return f"{self.spec}: {len(self.levels)} levels, {self.states} states"


def stochastic_game(
    levels: Sequence[Mapping[str, Stage]], spec: str = "stochastic game"
) -> StochasticGame:
    """A game from its levels, first level first: name of a state → its stage."""
    if not isinstance(levels, list | tuple) or not levels or not all(levels):
        raise BadInput("a stochastic game needs at least one level, and every level a state")
    if not all(isinstance(level, Mapping) for level in levels):
        raise BadInput("every level of a stochastic game must be a dictionary: state → its stage")
    following = [*levels[1:], {}]
    made = [
        tuple(_stage(name, stage, list(below)) for name, stage in level.items())
        for level, below in zip(levels, following, strict=True)
    ]
    return StochasticGame(tuple(made), spec)


def _stage(name: str, stage: Stage, below: list[str]) -> StageGame:
    if not isinstance(stage, Stage):
        raise BadInput(f"state {name!r}: must be a Stage, not {shown(stage)}")
    try:
        table = np.array(stage.payoffs, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"payoffs of state {name!r}: must be a matrix of numbers") from None
    if table.ndim == 2:
        table = np.stack([table, 0 - table])
    if table.ndim != 3 or table.shape[0] != 2 or 0 in table.shape or not np.isfinite(table).all():
        raise BadInput(
            f"payoffs of state {name!r}: must be finite, [row, column] or [player, row, column], "
            f"not of shape {table.shape}"
        )
    _, rows, columns = table.shape
    given = stage.actions or [[str(k + 1) for k in range(count)] for count in (rows, columns)]
    try:
        names = (tuple(given[0]), tuple(given[1]))
    except (TypeError, LookupError):
        names = ((), ())
    if tuple(map(len, names)) != (rows, columns) or any(len(set(own)) < len(own) for own in names):
        raise BadInput(f"actions of state {name!r}: must be {rows} and {columns} different names")
    chances = _chances(name, stage.moves, (rows, columns), below)
    for array in (table, chances):
        array.setflags(write=False)
    return StageGame(name, names, table, chances)


def _chances(name: str, moves: Any, shape: tuple[int, int], below: list[str]) -> Floats:
    chances = np.zeros((*shape, len(below)))
    if not below:
        if moves is not None:
            raise BadInput(f"moves of state {name!r}: there is no level after the last one")
        return chances
    if not _has_shape(moves, shape):
        raise BadInput(f"moves of state {name!r}: must be {shape[0]} rows of {shape[1]} cells")
    for row, cells in enumerate(moves):
        for column, cell in enumerate(cells):
            where = f"moves of state {name!r}, row {row + 1}, column {column + 1}"
            if not isinstance(cell, Mapping):
                raise BadInput(f"{where}: must be a dictionary: state → its probability")
            for state, chance in cell.items():
                if state not in below:
                    raise UnknownName(f"state after {name!r}", state, below)
                number(f"{where}: chance of {state}", chance)
                chances[row, column, below.index(state)] = chance
            total = chances[row, column].sum()
            if not (abs(total - 1) <= SLACK and (chances[row, column] >= 0).all()):
                raise BadInput(f"{where}: chances must be ≥ 0 and sum to 1, not {total:g}")
    return chances


def _has_shape(moves: Any, shape: tuple[int, int]) -> bool:
    try:
        return len(moves) == shape[0] and all(len(row) == shape[1] for row in moves)
    except TypeError:
        return False


def random_stochastic_game(
    rng: np.random.Generator,
    *,
    levels: int = 3,
    states: int = 3,
    actions: int = 3,
    kinds: int | None = None,
    noise: float = 0.1,
    zero_sum: bool = False,
) -> StochasticGame:
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
