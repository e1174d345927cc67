"""Agents by name: the modules of this folder, strategy files, and classes in Python files.

The file of a blueprint is played by the agent `nyx`.

Parameters of a built-in agent follow a colon, as in `phases:limit_ms=200`: they are the
keyword-only arguments of its class, except the seed.

A Python file is code: naming it runs it, which is the choice of the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from regretless.core import specs
from regretless.core.errors import BadParameter, UnknownName, shown
from regretless.core.files import is_file, require_readable
from regretless.core.folders import Registry
from regretless.games._catalog import named_in
from regretless.play.agents import _python_file, _saved
from regretless.play.agents._agent import Agent
from regretless.play.rules import Playable
from regretless.strategy.face import Face, Result
from regretless.strategy.strategy import Strategy

AGENTS: Registry[type[Agent]] = Registry("regretless.play.agents", "agent", "Agent")
agent_names, agent_about, agent_class = AGENTS.names, AGENTS.about, AGENTS.made
NOT_GIVEN = {"seed": "it is that of the match", "strategy": "a strategy is named by its file"}
Seatable: TypeAlias = str | Path | Strategy | Face | Result | Mapping[Any, Any] | Agent


def is_built_in(name: object) -> bool:
    """Whether a text names a built-in agent, with or without parameters."""
    return isinstance(name, str) and name.partition(":")[0] in agent_names()


def agent(given: Seatable, game: Playable, *, seed: int = 0) -> Agent:
    """An agent: a name, a strategy or its file, or `mybot.py:Bot`."""
    return agents([given], game, seed=seed)[0]


def agents(given: Sequence[Seatable], game: Playable, *, seed: int = 0) -> list[Agent]:
    """An agent for every entry; a file that appears twice is loaded once."""
    from regretless.runs.opening import open_strategy

    for one in given:
        if not isinstance(one, str | Path | Agent | Strategy | Result | Face | Mapping):
            raise BadParameter(
                f"agent {shown(one)}: must be a name, a file, a Strategy or an Agent, not its class"
            )
    texts = {str(one) for one in given if isinstance(one, str | Path)}
    for name in texts:
        require_named(name)
    files = {t for t in texts if not is_built_in(t) and not _python_file.names_one(t)}
    strategies = {name: open_strategy(name) for name in sorted(files)}
    seated: list[Agent] = []
    for one in given:
        if isinstance(one, Agent):
            seated.append(one)
        elif not isinstance(one, str | Path):
            named: Any = game if isinstance(one, Mapping) else None  # it fits many games
            seated.append(_playing(open_strategy(one, game=named), game, seed))
        elif str(one) in strategies:
            seated.append(_playing(strategies[str(one)], game, seed))
        elif not is_built_in(one) and _python_file.names_one(str(one)):
            seated.append(_python_file.made(str(one), game, seed=seed))
        else:
            seated.append(_built_in(str(one), game, seed))
    return seated


def _playing(strategy: Face, game: Playable, seed: int) -> Agent:
    """Who plays a strategy: one that is not of a form may need bets translated."""
    if isinstance(strategy, Strategy):
        return _saved.Agent(game, strategy=strategy, seed=seed)
    from regretless.play.agents.nyx import Agent as Nyx

    return Nyx(game, strategy=strategy, seed=seed)


def table_of(path: str | Path) -> str:
    """The game to play against a strategy file; against a blueprint any bet is allowed."""
    from regretless.blueprints.files import is_blueprint, opened
    from regretless.strategy.files import read

    if not is_blueprint(path):
        return named_in(path, read(path).about["game"])
    name, given = specs.split(named_in(path, opened(path).about["game"]))
    kept = ",".join(f"{key}={value}" for key, value in given.items() if key != "sizes")
    return f"{name}:{kept}" if kept else name


def require_named(name: str) -> None:
    """Refuse what is neither an agent nor a file, with a fitting message."""
    if is_built_in(name):
        _parameters(name)
        return
    if _python_file.names_one(name):
        _python_file.require_named_file(name)
        return
    if not is_file(name) and not Path(name).suffix and Path(name).name == name:
        raise UnknownName("agent", name, (*agent_names(), "FILE"))
    require_readable(name)


def called(given: Sequence[Seatable], *, taken: Sequence[str] = ()) -> list[str]:
    """Names of players: file names without folder and suffix, or of several agents in one Python
    file their own; numbered if they repeat."""
    names: list[str] = []
    texts = [text_of(one) for one in given]
    for text in texts:
        file, inside = _python_file.split(text)
        shared = len({other for other in texts if _python_file.split(other)[0] == file}) > 1
        if is_built_in(text):
            plain = text.partition(":")[0]
        elif inside and shared and _python_file.names_one(text):
            plain = inside
        else:
            plain = Path(text).stem.translate(str.maketrans(":|", "--")) or "agent"
        name, number = plain, 1
        while name in names or name in taken:
            number += 1
            name = f"{plain}-{number}"
        names.append(name)
    return names


def text_of(one: Seatable) -> str:
    """The name of an agent in a log."""
    if isinstance(one, str | Path):
        return str(one)
    strategy = one.strategy if isinstance(one, Result) else one
    return strategy.form.spec if isinstance(strategy, Strategy) else type(one).__name__


def _built_in(text: str, game: Playable, seed: int) -> Agent:
    made, given = _parameters(text)
    player: Agent = made(game, **given, seed=seed)
    return player


def _parameters(text: str) -> tuple[type[Agent], dict[str, Any]]:
    """The class of a built-in agent, and its parameters."""
    name, given = specs.split(text)
    made = agent_class(name)
    for key, instead in NOT_GIVEN.items():
        if key in given:
            raise BadParameter(f"agent {name}: {key} is not a parameter here: {instead}")
    return made, specs.bind(made, given, f"agent {name}")
