"""Agents from Python files: `mybot.py:Bot` is the class Bot of that file.

Bot is an `Agent`, created as `Bot(game, seed=…)`; or a function that takes a view and returns an
action. `mybot.py` alone is its class `Agent`, or the only agent it defines. The file is run when
it is loaded, with the rights of the user."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

from regretless.core.errors import BadFile, UnknownName
from regretless.core.files import require_readable
from regretless.core.python_files import run_file
from regretless.play.agents._agent import Agent
from regretless.play.rules import Playable
from regretless.play.table import View


def names_one(text: str) -> bool:
    """Whether a text names a Python file."""
    return split(text)[0].endswith(".py")


def made(text: str, game: Playable, *, seed: int = 0) -> Agent:
    """The agent named by a text such as `mybot.py:Bot`."""
    path, name = split(text)
    module = run_file(path)
    inside = _named(module, name, path) if name else _only(module, path)
    if isinstance(inside, type) and issubclass(inside, Agent):
        _require_call(inside.act, 2, path, "a view")
        _require_call(inside.finished, 2, path, "a hand")
        try:
            return inside(game, seed=seed)
        except TypeError as error:
            problem = f"{inside.__name__}(game, seed=…) failed: {error}"
            raise BadFile(path, problem) from error
    if callable(inside) and not isinstance(inside, type):
        _require_call(inside, 1, path, "a view")
        return Asked(game, ask=inside, seed=seed)
    raise BadFile(path, f"{name} is neither a class derived from regretless.Agent nor a function")


def _require_call(function: Any, arguments: int, path: str, given: str) -> None:
    """Refuse what cannot be called so; not every callable has a signature."""
    with suppress(ValueError):
        try:
            inspect.signature(function).bind(*range(arguments))
        except TypeError as error:
            called = getattr(function, "__qualname__", "it")
            raise BadFile(path, f"{called} is called with {given}: {error}") from None


def split(text: str) -> tuple[str, str]:
    """The file of a text such as `mybot.py:Bot`, and the name in it, if there is one."""
    path, colon, name = text.rpartition(":")
    # A colon may also belong to a drive, as in C:\bots\mybot.py.
    return (path, name) if colon and name.isidentifier() else (text, "")


def _named(module: ModuleType, name: str, path: str) -> Any:
    if not hasattr(module, name):
        known = [each for each in vars(module) if not each.startswith("_")]
        raise UnknownName(f"agent in {path}:", name, known)
    return getattr(module, name)


def _only(module: ModuleType, path: str) -> type[Agent]:
    own = {
        name: found
        for name, found in vars(module).items()
        if isinstance(found, type)
        and issubclass(found, Agent)
        and found.__module__ == module.__name__
    }
    if len(own) != 1 and "Agent" not in own:
        listed = ", ".join(sorted(own)) or "none"
        raise BadFile(path, f"defines these agents: {listed}; name one, e.g. {path}:Bot")
    return own["Agent"] if "Agent" in own else next(iter(own.values()))


def require_named_file(text: str) -> None:
    """Refuse a file that does not exist."""
    require_readable(split(text)[0])


class Asked(Agent):
    """Plays what `ask` answers, as ACPC text."""

    def __init__(self, game: Playable, *, ask: Callable[[View], Any], seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.ask = ask

    def act(self, view: View) -> str:
        answer = self.ask(view)
        # The function may be a user's: what is not a text is refused at the table.
        return answer.strip() if isinstance(answer, str) else answer
