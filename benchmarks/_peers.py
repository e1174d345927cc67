"""CFR+ of other programs, each called in the fastest way it offers from Python.

OpenSpiel: the C++ solver and the C++ best responses. LiteEFG: its own baseline, one thread,
alternating updates. LiteEFG updates the average strategy on request; with the request before the
update, not after it as in its example, the average is that of Tammelin 2014."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import Any
from unittest.mock import patch

from benchmarks._timing import Work, progress, repeated

OPENSPIEL = "OpenSpiel"
LITEEFG = "LiteEFG"
MODULES = {OPENSPIEL: "pyspiel", LITEEFG: "LiteEFG"}


@dataclass(frozen=True, slots=True)
class Peer:
    """A solver before its first iteration."""

    step: Work
    nash_conv: Callable[[], float]  # of the average strategy


@cache
def installed(name: str) -> bool:
    """Whether a peer is installed; reports a missing one once."""
    is_there = find_spec(MODULES[name]) is not None
    if not is_there:
        progress(f"{name} is not installed: skipped")
    return is_there


def spiel_game(name: str) -> Any:
    """An OpenSpiel game by its OpenSpiel name."""
    return import_module("pyspiel").load_game(name)


def spiel_game_of_efg(text: str) -> Any:
    """Any game in OpenSpiel, through a Gambit file."""
    return import_module("pyspiel").load_efg_game(text)


def openspiel(game: Any, *, plus: bool = True) -> Peer:
    """CFR+ or CFR in OpenSpiel."""
    pyspiel = import_module("pyspiel")
    solver = pyspiel.CFRPlusSolver(game) if plus else pyspiel.CFRSolver(game)
    return Peer(
        repeated(solver.evaluate_and_update_policy),
        lambda: float(pyspiel.nash_conv(game, solver.average_policy())),
    )


def openspiel_policy(game: Any, iterations: int) -> Any:
    """A table of probabilities to evaluate: the average of some iterations of CFR+."""
    solver = import_module("pyspiel").CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()


def best_responses(game: Any, policy: Any) -> Callable[[], list[float]]:
    """Values of best responses in OpenSpiel, from trees that are already built."""
    tabular = import_module("pyspiel").TabularBestResponse
    responders = [tabular(game, player, policy) for player in range(game.num_players())]
    root = game.new_initial_state()

    def values() -> list[float]:
        for responder in responders:
            responder.set_policy(policy)  # clears the values it has cached
        return [responder.value_from_state(root) for responder in responders]

    return values


def liteefg(game: Any) -> Peer:
    """CFR+ in LiteEFG, for two players."""
    # It caches games in the home directory and prints banners: we leave neither behind.
    with (
        redirect_stdout(StringIO()),
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, HOME=folder, USERPROFILE=folder),
    ):
        leg: Any = import_module("LiteEFG")
        leg.set_threads(1)
        env = leg.OpenSpielEnv(game, traverse_type="Enumerate")
        graph = import_module("LiteEFG.baselines.CFRplus").graph()
    env.set_graph(graph)
    strategy = graph.current_strategy()

    def iterate() -> None:
        env.update_strategy(strategy)
        graph.update_graph(env)

    return Peer(
        repeated(iterate), lambda: float(sum(env.exploitability(strategy, "linear-avg-iterate")))
    )
