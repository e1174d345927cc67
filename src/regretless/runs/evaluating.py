"""How good any strategy is: evaluation of files, blueprints, agents and tables of probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from regretless.core.errors import BadInput
from regretless.evaluation import exploitability as exact
from regretless.evaluation.exploitability import Evaluation
from regretless.games._spot import Spot
from regretless.games._state import Game
from regretless.runs.opening import GameLike, Openable, on_its_form
from regretless.strategy.strategy import Strategy


def evaluate(game: GameLike | Openable, strategy: Openable | None = None) -> Evaluation:
    """Expected values of a strategy and what best responses to it would earn.

    `evaluate(strategy)`, or `evaluate(game, strategy)` with a strategy of any kind: a Strategy,
    a Blueprint, a Solution, an agent that knows its probabilities, a dictionary as in
    `Strategy.from_dict`, a strategy file, or a name such as always-call."""
    return exact.evaluate(_strategy(game, strategy))


def exploitability(game: GameLike | Openable, strategy: Openable | None = None) -> float:
    """Mean of what the players could gain by best responses; arguments as in `evaluate`."""
    return evaluate(game, strategy).exploitability


def expected_values(
    game: GameLike | Openable, strategy: Openable | None = None
) -> tuple[float, ...]:
    """What every player earns; arguments as in `evaluate`."""
    return evaluate(game, strategy).values


def best_response(strategy: Openable, player: int) -> tuple[float, Strategy]:
    """Value of a player's best response, and the strategy with it; players count from 1.

    Ties go to the first action."""
    return exact.best_response(on_its_form(strategy), player)


def evaluate_file(
    path: str | Path, *, game: GameLike | None = None, threads: int = 1
) -> Evaluation:
    """Evaluate a saved strategy from its probabilities alone; or a blueprint of a small deck."""
    return exact.evaluate(on_its_form(path, game=game, threads=threads))


def _strategy(game: Any, strategy: Any) -> Strategy:
    if strategy is not None:
        if isinstance(game, Strategy):
            raise BadInput("evaluate(strategy) or evaluate(game, strategy): the game comes first")
        return on_its_form(strategy, game=game)
    if isinstance(game, str | Game | Spot):
        raise BadInput("strategy=None: must be a Strategy or a file, after the game")
    return on_its_form(game)
