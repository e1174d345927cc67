"""Agents out of Python files: `mybot.py:Bot` is the class Bot of that file.

Bot is an `Agent`, made as `Bot(game, seed=…)`; or a function that gets a view and returns an
action. `mybot.py` alone is its class `Agent`, or the only agent it defines. The file is run
when it is loaded, with the rights of whoever named it."""

from __future__ import annotations

import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from regretless.core.errors import BadFile, UnknownName
from regretless.play.agents import _human
from regretless.play.agents._agent import Agent
from regretless.play.rules import Playable


def names_one(text: str) -> bool:
    """Whether a text means a Python file."""
    return _split(text)[0].endswith(".py")


def require_file(text: str) -> None:
    """Refuse a file that is not there."""
    path = _split(text)[0]
    if not Path(path).is_file():
        raise BadFile(path, "is a directory" if Path(path).is_dir() else "no such file")


def made(text: str, game: Playable, *, seed: int = 0) -> Agent:
    """The agent that a text such as `mybot.py:Bot` means."""
    path, name = _split(text)
    require_file(text)
    module = _module(Path(path).resolve())
    found = _named(module, name, path) if name else _only(module, path)
    if isinstance(found, type) and issubclass(found, Agent):
        try:
            return found(game, seed=seed)
        except TypeError as error:
            problem = f"{found.__name__}(game, seed=…) failed: {error}"
            raise BadFile(path, problem) from error
    if callable(found) and not isinstance(found, type):
        return _human.Agent(game, ask=found, seed=seed)
    raise BadFile(path, f"{name} is neither a class derived from regretless.Agent nor a function")


def _split(text: str) -> tuple[str, str]:
    path, colon, name = text.rpartition(":")
    # A colon may also be that of a drive, as in C:\bots\mybot.py.
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
        raise BadFile(path, f"defines these agents: {listed}; say which, as in {path}:Bot")
    return own["Agent"] if "Agent" in own else next(iter(own.values()))


@lru_cache
def _module(path: Path) -> ModuleType:
    """The file, run once; what it imports may lie beside it."""
    name = f"_regretless_file_{path.stem}_{abs(hash(path)):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # as dataclasses look their module up
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        sys.modules.pop(name, None)
        line = error.lineno if isinstance(error, SyntaxError) else _line_of(error, path)
        problem = f"cannot be imported: {type(error).__name__}: {error}"
        raise BadFile(path, problem, line=line or 0, column=min(line or 0, 1)) from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def _line_of(error: BaseException, path: Path) -> int:
    """The last line of that file on the way to an error."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
