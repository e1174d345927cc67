"""Stochastic games (Shapley 1953): states, each with a stage of any number of players.

Every outcome of a stage pays at once and leads to a next state by chance, or ends the game. There
need not be a horizon. A player's payoff is the sum of what it is paid, discounted by `discount`
per stage; with 1 the game is undiscounted. Every player sees the state and plays the same way
whenever it is there.

    game = stochastic_game(
        {
            "play": Stage([[1, 0], [0, 1]], moves=[[{"play": 0.5}, {}], [{}, {}]]),
        }
    )"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput, UnknownName, number, shown
from regretless.forms.matrix_stage import MatrixStage
from regretless.forms.stage import StageForm

if TYPE_CHECKING:
    from scipy import sparse

SLACK = 1e-9  # tolerance of chances that may sum to at most 1


@dataclass(frozen=True, eq=False)
class Stage:
    """A state's actions, payoffs and transitions, as they are written down.

    `payoffs` is [row, column], what player 1 wins from player 2, or [player, choice of player 1,
    choice of player 2, …]. `moves` has a dictionary for every combination of choices: next state
    → probability."""

    payoffs: npt.ArrayLike
    moves: Sequence[Any] | None = None
    actions: Sequence[Sequence[str]] | None = None


@dataclass(frozen=True, eq=False)
class GameState:
    """A state: its stage, and what every outcome pays and leads to.

    A **seat** is a player in a state; seats are numbered state by state. `moves` has a row per
    outcome and player, players running fastest: chances of the seats where the player goes on.
    What is missing to 1 ends the game for it. A player may sit elsewhere in the next state, as
    after the button has moved."""

    name: str
    stage: StageForm
    rewards: Floats  # [outcome, player]
    moves: sparse.csr_matrix  # [outcome × player, seat]


class Rows(NamedTuple):
    """Every outcome of every state as each player sees it: rows are as in `moves`."""

    starts: Ints  # [state] its first row, then the total
    seats: Ints  # [row] whose it is
    rewards: Floats  # [row]
    moves: sparse.csr_matrix  # [row, seat]
    ends: Floats  # [row] the chance that the game ends


class StochasticGame:
    """What every stochastic game has."""

    spec: str
    players: int  # at most
    discount: float
    states: tuple[GameState, ...]  # all but the ends

    @cached_property
    def seats(self) -> Ints:
        """[state] its first seat, then the total."""
        return np.cumsum([0] + [state.stage.players for state in self.states])

    @cached_property
    def rows(self) -> Rows:
        """The outcomes of all states."""
        from scipy import sparse

        starts = np.cumsum([0] + [state.rewards.size for state in self.states])
        owners = [
            first + np.tile(np.arange(here.stage.players), here.stage.outcomes)
            for first, here in zip(self.seats, self.states, strict=False)
        ]
        moves = sparse.csr_matrix(sparse.vstack([state.moves for state in self.states]))
        ends = 1.0 - np.asarray(moves.sum(axis=1)).ravel()
        ends[ends <= SLACK] = 0.0
        rewards = np.concatenate([state.rewards.ravel() for state in self.states])
        return Rows(starts, np.concatenate(owners), rewards, moves, ends)

    def utilities(self, values: Floats) -> list[Floats]:
        """[state][outcome, player] what outcomes pay if seats are worth values[seat]."""
        rows = self.rows
        worth = rows.rewards + self.discount * (rows.moves @ values)
        parts = np.split(worth, rows.starts[1:-1])
        pairs = zip(parts, self.states, strict=True)
        return [part.reshape(-1, state.stage.players) for part, state in pairs]

    def __str__(self) -> str:
        horizon = "undiscounted" if self.discount == 1 else f"discount {self.discount:g}"
        return f"{self.spec}: {len(self.states)} states, {self.players} players, {horizon}"


def staying(chances: npt.ArrayLike, players: int) -> sparse.csr_matrix:
    """Moves [outcome × player, seat] from chances [outcome, state], if all keep their places."""
    from scipy import sparse

    return sparse.csr_matrix(sparse.kron(sparse.csr_matrix(chances), sparse.identity(players)))


@dataclass(frozen=True)
class OpenGame(StochasticGame):
    """A stochastic game without a horizon, as a list of states."""

    states: tuple[GameState, ...] = field(repr=False)
    players: int
    discount: float = 1.0
    spec: str = "stochastic game"

    __str__ = StochasticGame.__str__


def open_game(stages: Mapping[str, Stage], discount: float, spec: str) -> OpenGame:
    """A game without a horizon from its states: name → its stage."""
    if not stages or not all(isinstance(name, str) for name in stages):
        raise BadInput("a stochastic game needs at least one state, and names of states are text")
    if not 0 < number("discount", discount) <= 1:
        raise BadInput(f"discount={discount}: must be above 0 and at most 1")
    names, made, counts = list(stages), [], set()
    for name, stage in stages.items():
        payoffs, actions = stage_arrays(name, stage)
        counts.add(len(actions))
        chances = stage_chances(name, stage.moves, payoffs.shape[1:], names)
        rewards = payoffs.reshape(len(actions), -1).T
        moves = staying(chances.reshape(len(rewards), len(names)), len(actions))
        made.append(GameState(name, MatrixStage(actions), rewards, moves))
    if len(counts) > 1:
        raise BadInput(f"states have {shown(sorted(counts))} players: must be as many everywhere")
    return OpenGame(tuple(made), counts.pop(), float(discount), spec)


def stage_arrays(name: str, stage: object) -> tuple[Floats, tuple[tuple[str, ...], ...]]:
    """Payoffs [player, choice of player 1, …], and the names of all actions."""
    if not isinstance(stage, Stage):
        raise BadInput(f"state {name!r}: must be a Stage, not {shown(stage)}")
    try:
        table = np.array(stage.payoffs, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"payoffs of state {name!r}: must be a matrix of numbers") from None
    if table.ndim == 2:
        table = np.stack([table, 0 - table])
    shape = table.shape[1:]
    if table.ndim < 3 or len(shape) != len(table) or 0 in shape or not np.isfinite(table).all():
        raise BadInput(
            f"payoffs of state {name!r}: must be finite, [row, column] or [player, choice of "
            f"player 1, choice of player 2, …], not of shape {table.shape}"
        )
    given = stage.actions or [[str(k + 1) for k in range(count)] for count in shape]
    try:
        names = tuple(tuple(own) for own in given)
    except TypeError:
        names = ()
    if tuple(map(len, names)) != shape or any(len(set(own)) < len(own) for own in names):
        wanted = " and ".join(map(str, shape))
        raise BadInput(f"actions of state {name!r}: must be {wanted} different names")
    return table, names


def stage_chances(name: str, moves: Any, shape: tuple[int, ...], following: list[str]) -> Floats:
    """[choice of player 1, …, next state] chances, at most 1 in sum; none if moves are absent."""
    chances = np.zeros((*shape, len(following)))
    if moves is None:
        return chances
    for cell, where in _cells(name, moves, shape):
        here = f"moves of state {name!r}, " + _place(where)
        if not isinstance(cell, Mapping):
            raise BadInput(f"{here}: must be a dictionary: state → its probability")
        for state, chance in cell.items():
            if state not in following:
                raise UnknownName(f"state after {name!r}", state, following)
            number(f"{here}: chance of {state}", chance)
            chances[(*where, following.index(state))] = chance
        total = chances[where].sum()
        if not (total <= 1 + SLACK and (chances[where] >= 0).all()):
            raise BadInput(f"{here}: chances must be ≥ 0 and sum to at most 1, not {total:g}")
    return chances


def _cells(name: str, moves: Any, shape: tuple[int, ...]) -> list[tuple[Any, tuple[int, ...]]]:
    """Every cell of nested lists, with its place."""
    cells: list[tuple[Any, tuple[int, ...]]] = [(moves, ())]
    for count in shape:
        if not all(isinstance(part, list | tuple) and len(part) == count for part, _ in cells):
            needed = " × ".join(map(str, shape))
            rows = f"{shape[0]} rows of {shape[1]}" if len(shape) == 2 else needed
            raise BadInput(f"moves of state {name!r}: must be {rows} cells")
        cells = [(part[k], (*where, k)) for part, where in cells for k in range(count)]
    return cells


def _place(where: tuple[int, ...]) -> str:
    if len(where) == 2:
        return f"row {where[0] + 1}, column {where[1] + 1}"
    return "choices " + ", ".join(str(k + 1) for k in where)
