"""Agents by name: the modules of this folder, and files of saved strategies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from regretless.core import folders
from regretless.core.errors import BadFile, UnknownName
from regretless.games._betting import PokerRules
from regretless.play.agents import _saved
from regretless.play.agents._agent import Agent

PACKAGE = "regretless.play.agents"


def agent_names() -> tuple[str, ...]:
    """Names of the built-in agents."""
    return tuple(name.replace("_", "-") for name in folders.listed(PACKAGE))


def agent(name: str, rules: PokerRules, *, seed: int = 0) -> Agent:
    """A built-in agent, or one that plays a file written by `regretless solve`."""
    return agents([name], rules, seed=seed)[0]


def agents(names: Sequence[str], rules: PokerRules, *, seed: int = 0) -> list[Agent]:
    """An agent for every name; a file that is named twice is loaded once."""
    from regretless.strategy.files import load_strategy

    files = {name for name in names if name not in agent_names()}
    for name in files:
        require_named(name)
    strategies = {name: load_strategy(name) for name in files}
    return [
        _saved.Agent(rules, strategy=strategies[name], seed=seed)
        if name in files
        else _built_in(name, rules, seed)
        for name in names
    ]


def require_named(name: str) -> None:
    """Refuse what is neither an agent nor a file, by what it looks like."""
    if name in agent_names() or Path(name).exists():
        return
    if Path(name).suffix or Path(name).name != name:
        raise BadFile(name, "no such file")
    raise UnknownName("agent", name, (*agent_names(), "FILE"))


def _built_in(name: str, rules: PokerRules, seed: int) -> Agent:
    made: Agent = folders.module(PACKAGE, name.replace("-", "_")).Agent(rules, seed=seed)
    return made
