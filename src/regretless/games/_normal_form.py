"""Games in normal form: all players choose at once, and a table gives the payoffs.

As states, the players choose one after another without seeing earlier choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, shown, within
from regretless.games._state import TERMINAL, Game, Sizes, State

MOST_PLAYERS = 63  # NumPy has arrays of at most 64 dimensions, one is for the players
VIEW = "choose"  # all that a player ever knows is that it is time to choose


@dataclass(frozen=True, eq=False)
class PayoffTable:
    """payoffs[player, choice of player 0, choice of player 1, …]."""

    payoffs: Floats
    actions: tuple[tuple[str, ...], ...]  # per player


class NormalFormState(State):
    """The choices made so far."""

    __slots__ = ("choices", "table")

    def __init__(self, table: PayoffTable, choices: tuple[int, ...] = ()) -> None:
        self.table, self.choices = table, choices

    @property
    def player(self) -> int:
        chosen = len(self.choices)
        return chosen if chosen < len(self.table.actions) else TERMINAL

    @property
    def actions(self) -> tuple[str, ...]:
        return self.table.actions[self.player] if self.player >= 0 else ()

    def child(self, index: int) -> NormalFormState:
        return NormalFormState(self.table, (*self.choices, index))

    def view(self, player: int) -> str:
        return VIEW

    @property
    def payoff(self) -> tuple[float, ...]:
        return tuple(float(own[self.choices]) for own in self.table.payoffs)


def normal_form_game(
    spec: str,
    payoffs: npt.ArrayLike,
    actions: Sequence[Sequence[str]] | None = None,
    about: str = "",
) -> Game:
    """`payoffs[i]` is the table of player i; actions are by default numbers from 1."""
    try:
        table = np.array(payoffs, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(
            f"payoffs={shown(payoffs)}: must be one table of numbers per player"
        ) from None
    _check_table(table)
    table.setflags(write=False)
    choices = table.shape[1:]
    if actions is None:
        actions = [[str(number + 1) for number in range(count)] for count in choices]
    _check_actions(actions, choices)
    names = tuple(tuple(own) for own in actions)
    root = NormalFormState(PayoffTable(table, names))
    return Game(spec, len(choices), root, about, lambda: _sizes(choices))


def zero_sum_game(
    spec: str, wins: npt.ArrayLike, actions: Sequence[Sequence[str]], about: str = ""
) -> Game:
    """Two players; `wins` is what the first one wins from the second."""
    first = np.asarray(wins, dtype=np.float64)
    return normal_form_game(spec, np.stack([first, 0 - first]), actions, about)


def _check_table(table: Floats) -> None:
    players = table.shape[0] if table.ndim else 0
    within("players", players, 1, MOST_PLAYERS)
    if table.ndim != players + 1:
        raise BadParameter(
            f"payoffs of shape {table.shape}: {players} players need {players + 1} dimensions"
        )
    for player, count in enumerate(table.shape[1:]):
        within(f"actions of player {player + 1}", count, 1, 2**31)
    if not np.isfinite(table).all():
        raise BadParameter("payoffs contain infinity or NaN: must be finite")


def _check_actions(actions: Sequence[Sequence[str]], choices: tuple[int, ...]) -> None:
    counts = tuple(len(own) for own in actions)
    if counts != choices:
        raise BadParameter(f"got names for {counts} actions: the payoffs need {choices}")
    for player, own in enumerate(actions):
        if len(set(own)) != len(own):
            raise BadParameter(f"actions of player {player + 1}: a name is used twice")


def _sizes(choices: tuple[int, ...]) -> Sizes:
    nodes = sum(prod(choices[:depth]) for depth in range(len(choices) + 1))
    sequences = tuple(1 + count for count in choices)
    return Sizes(nodes, prod(choices), (1,) * len(choices), sequences)
