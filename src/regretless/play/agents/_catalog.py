"""Agents by name: the modules of this folder, strategy files, and classes in Python files.

A Python file is code: naming it runs it. That is the choice of whoever names it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from regretless.core import folders
from regretless.core.errors import BadFile, UnknownName
from regretless.play.agents import _python_file, _saved
from regretless.play.agents._agent import Agent
from regretless.play.rules import Playable
from regretless.strategy.strategy import Strategy

PACKAGE = "regretless.play.agents"
Seatable: TypeAlias = str | Path | Strategy | Agent


def agent_names() -> tuple[str, ...]:
    """Names of the built-in agents."""
    return tuple(name.replace("_", "-") for name in folders.listed(PACKAGE))


def agent(given: Seatable, game: Playable, *, seed: int = 0) -> Agent:
    """An agent by name, or one that plays a strategy; a file of it, or `mybot.py:Bot`."""
    return agents([given], game, seed=seed)[0]


def agents(given: Sequence[Seatable], game: Playable, *, seed: int = 0) -> list[Agent]:
    """An agent for every entry; a file that is named twice is loaded once."""
    from regretless.strategy.files import load_strategy

    texts = {str(one) for one in given if isinstance(one, str | Path)}
    for name in texts:
        require_named(name)
    files = {t for t in texts if t not in agent_names() and not _python_file.names_one(t)}
    strategies = {name: load_strategy(name) for name in sorted(files)}
    found: list[Agent] = []
    for one in given:
        if isinstance(one, Agent):
            found.append(one)
        elif isinstance(one, Strategy) or str(one) in strategies:
            strategy = one if isinstance(one, Strategy) else strategies[str(one)]
            found.append(_saved.Agent(game, strategy=strategy, seed=seed))
        elif _python_file.names_one(str(one)):
            found.append(_python_file.made(str(one), game, seed=seed))
        else:
            found.append(_built_in(str(one), game, seed))
    return found


def require_named(name: str) -> None:
    """Refuse what is neither an agent nor a file, by what it looks like."""
    if name in agent_names():
        return
    if _python_file.names_one(name):
        _python_file.require_named_file(name)
        return
    if Path(name).exists():
        return
    if Path(name).suffix or Path(name).name != name:
        raise BadFile(name, "no such file")
    raise UnknownName("agent", name, (*agent_names(), "FILE"))


def called(given: Sequence[Seatable], *, taken: Sequence[str] = ()) -> list[str]:
    """Names of players: files without folder and ending, told apart by numbers."""
    found: list[str] = []
    for one in given:
        plain = Path(text_of(one)).stem.translate(str.maketrans(":|", "--")) or "agent"
        name, number = plain, 1
        while name in found or name in taken:
            number += 1
            name = f"{plain}-{number}"
        found.append(name)
    return found


def text_of(one: Seatable) -> str:
    """What a log says of an agent."""
    if isinstance(one, Strategy):
        return one.form.spec
    return type(one).__name__ if isinstance(one, Agent) else str(one)


def _built_in(name: str, game: Playable, seed: int) -> Agent:
    made: Agent = folders.module(PACKAGE, name.replace("-", "_")).Agent(game, seed=seed)
    return made
