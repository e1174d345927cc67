"""Games in Python files: `mygame.py:Name` or `mygame.py:Name:ranks=5`.

Loading such a game runs the file, which is the user's choice. Only the user can name one: a
strategy file made for it does not load it by itself."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from types import ModuleType
from typing import Any

from regretless.core import specs
from regretless.core.errors import BadFile, RegretlessError, UnknownName
from regretless.core.python_files import fault, run_file
from regretless.games._catalog import python_file
from regretless.games._state import TERMINAL, Game, State

DEFAULT_NAME = "game"  # as in the files of this folder
DEFAULT_PLAYERS = 2
MOST_MOVES = 10_000  # to the end of a game, to see how many players it pays


def read_python(spec: str) -> Game:
    """Run the file and return its game: a Game, a function that returns one, or a root State."""
    path = python_file(spec) or spec
    name, _, parameters = spec.removeprefix(path).removeprefix(":").partition(":")
    name = name.strip() or DEFAULT_NAME
    module = run_file(path)
    if not hasattr(module, name):
        offered = [key for key, value in vars(module).items() if _is_game(value, module)]
        raise UnknownName(f"game in {path}", name, offered)
    _, given = specs.split(f"{name}:{parameters}")
    return _made(path, name, getattr(module, name), given)


def _paid(root: State) -> int:
    """The number of players of a root state that does not say it: how many its first line pays.

    A faulty game has two: whoever walks it reports what is wrong."""
    state = root
    with suppress(Exception):
        for _ in range(MOST_MOVES):
            if state.player == TERMINAL:
                return len(state.payoff)
            state = state.child(0)
    return DEFAULT_PLAYERS


def _is_game(value: Any, module: ModuleType) -> bool:
    mine = getattr(value, "__module__", None) == module.__name__
    return isinstance(value, Game | State) or (mine and callable(value))


def _made(path: str, name: str, value: Any, given: dict[str, str]) -> Game:
    spec = f"{path}:{name}"
    if isinstance(value, Game | State):
        if given:
            raise BadFile(path, f"{name} has no parameters: got {next(iter(given))!r}")
        made: Any = value
    elif callable(value):
        bound = specs.bind(value, given, f"game {spec}") if given else {}
        try:
            made = value(**bound)
        except RegretlessError:
            raise
        except Exception as error:
            raise fault(error, path) from error
        changed = specs.join("", value, bound).removeprefix(":") if bound else ""
        spec += f":{changed}" if changed else ""
    else:
        made = None
    if isinstance(made, State):
        made = Game(spec, getattr(made, "players", None) or _paid(made), made)
    if not isinstance(made, Game):
        raise BadFile(path, f"{name} must be a Game, a State, or a function that returns one")
    return replace(made, spec=spec)
