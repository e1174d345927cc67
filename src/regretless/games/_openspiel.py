"""Any game of OpenSpiel as a Game: `openspiel:leduc_poker(players=3)`.

OpenSpiel itself turns simultaneous moves into sequential hidden ones. The package is
optional, so it is imported only when needed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from regretless.core.errors import BadInput, BadParameter, UnknownName, Unsuitable
from regretless.games._state import CHANCE, TERMINAL, Game, State

PREFIX = "openspiel:"


class OpenSpielState(State):
    """An OpenSpiel state; ours are immutable, so theirs is never modified either."""

    __slots__ = ("_moves", "_state", "player")

    def __init__(self, state: Any) -> None:
        self._state = state
        self._moves: tuple[int, ...] = tuple(state.legal_actions())
        self.player: int = self._mover()

    def _mover(self) -> int:
        if self._state.is_terminal():
            return TERMINAL
        return CHANCE if self._state.is_chance_node() else int(self._state.current_player())

    @property
    def actions(self) -> list[str]:
        mover = self._state.current_player()
        return [_line(self._state.action_to_string(mover, move)) for move in self._moves]

    @property
    def chances(self) -> list[float]:
        if self.player != CHANCE:
            return []
        chance = dict(self._state.chance_outcomes())
        return [chance[move] for move in self._moves]

    @property
    def theirs(self) -> Any:
        """The underlying OpenSpiel state; do not modify it."""
        return self._state

    def child(self, index: int) -> OpenSpielState:
        return OpenSpielState(self._state.child(self._moves[index]))

    def view(self, player: int) -> str:
        return _line(self._state.information_state_string(player))

    @property
    def payoff(self) -> tuple[float, ...]:
        return tuple(self._state.returns())


def read_openspiel(text: str) -> Game:
    """The game of a whole spec, `openspiel:` included."""
    try:
        import pyspiel
    except ImportError as error:
        raise BadInput(f"{text}: needs OpenSpiel: pip install regretless[openspiel]") from error
    wanted = text.removeprefix(PREFIX).strip()
    name = wanted.partition("(")[0]
    if name not in pyspiel.registered_names():
        raise UnknownName("OpenSpiel game", name, pyspiel.registered_names())
    try:
        with _silenced():
            theirs = pyspiel.load_game(wanted)
    except Exception as error:  # mostly SpielError, but some games let C++ errors through
        raise BadParameter(f"{text}: OpenSpiel reports: {_line(str(error))}") from error
    kind = theirs.get_type()
    _check(text, kind)
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        theirs = pyspiel.convert_to_turn_based(theirs)
    root = OpenSpielState(theirs.new_initial_state())
    return Game(text, theirs.num_players(), root, f"{kind.long_name}, from OpenSpiel")


def _check(text: str, kind: Any) -> None:
    """Refuse games that cannot be walked as a tree of decision points."""
    if kind.dynamics.name == "MEAN_FIELD":
        raise Unsuitable(f"{text}: a mean field game has no tree of moves")
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        raise Unsuitable(f"{text}: its chance moves have no known probabilities")
    if not kind.provides_information_state_string:
        raise Unsuitable(f"{text}: OpenSpiel does not provide its information states")


def _line(text: str) -> str:
    return text.rstrip("\n").replace("\n", " ")


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """Hide what C++ writes to the error stream: OpenSpiel prints every error it raises."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)
