"""Regretless: solve games of hidden information, poker first.

    import regretless as rl
    solution = rl.solve("leduc", target=1e-6)
    solution.strategy.probabilities("K:")

    rules = rl.rules_of("leduc")
    agents = [rl.agent("leduc.strategy", rules), rl.agent("random", rules)]
    hands = list(rl.play_match(rules, agents, hands=1000, seed=7))

Nothing heavy is imported before it is used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regretless.cards.equities import equity
    from regretless.cards.ranges import read_range, write_range
    from regretless.core.errors import RegretlessError
    from regretless.evaluation.aivat import aivat
    from regretless.evaluation.exploitability import (
        Evaluation,
        best_response,
        evaluate,
        expected_values,
        exploitability,
    )
    from regretless.evaluation.league import League, league
    from regretless.evaluation.spot_difference import SpotDifference, spot_difference
    from regretless.forms.choice import form_of
    from regretless.forms.public import PublicForm, public_form
    from regretless.forms.sequence import SequenceForm, game_sizes, sequence_form
    from regretless.games._catalog import game_names, load
    from regretless.games._efg import write_efg
    from regretless.games._nfg import write_nfg
    from regretless.games._normal_form import normal_form_game
    from regretless.games._spot import Spot, spot
    from regretless.games._spot_files import read_spot, write_spot
    from regretless.games._spot_tree import tree_size
    from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State
    from regretless.play.agents._agent import Agent
    from regretless.play.agents._catalog import agent
    from regretless.play.histories.acpc_log import read_log
    from regretless.play.less_noise import less_noise
    from regretless.play.match import play_match, rules_of
    from regretless.play.records import Hand
    from regretless.play.table import Table, View
    from regretless.runs.limits import Limits, Stop
    from regretless.runs.report import Report, report
    from regretless.runs.run import run
    from regretless.runs.solution import Solution
    from regretless.runs.solve import evaluate_file, load_strategy, solve
    from regretless.solvers._catalog import method_names, solver
    from regretless.strategy.strategy import Strategy

_HOMES = {
    "cards.equities": ["equity"],
    "cards.ranges": ["read_range", "write_range"],
    "core.errors": ["RegretlessError"],
    "evaluation.aivat": ["aivat"],
    "evaluation.exploitability": [
        "Evaluation",
        "best_response",
        "evaluate",
        "expected_values",
        "exploitability",
    ],
    "evaluation.league": ["League", "league"],
    "evaluation.spot_difference": ["SpotDifference", "spot_difference"],
    "forms.choice": ["form_of"],
    "forms.public": ["PublicForm", "public_form"],
    "forms.sequence": ["SequenceForm", "game_sizes", "sequence_form"],
    "games._catalog": ["game_names", "load"],
    "games._efg": ["write_efg"],
    "games._nfg": ["write_nfg"],
    "games._normal_form": ["normal_form_game"],
    "games._spot": ["Spot", "spot"],
    "games._spot_files": ["read_spot", "write_spot"],
    "games._spot_tree": ["tree_size"],
    "games._state": ["CHANCE", "TERMINAL", "Game", "Sizes", "State"],
    "play.agents._agent": ["Agent"],
    "play.agents._catalog": ["agent"],
    "play.histories.acpc_log": ["read_log"],
    "play.less_noise": ["less_noise"],
    "play.match": ["play_match", "rules_of"],
    "play.records": ["Hand"],
    "play.table": ["Table", "View"],
    "runs.limits": ["Limits", "Stop"],
    "runs.report": ["Report", "report"],
    "runs.run": ["run"],
    "runs.solution": ["Solution"],
    "runs.solve": ["evaluate_file", "load_strategy", "solve"],
    "solvers._catalog": ["method_names", "solver"],
    "strategy.strategy": ["Strategy"],
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Agent",
    "Evaluation",
    "Game",
    "Hand",
    "League",
    "Limits",
    "PublicForm",
    "RegretlessError",
    "Report",
    "SequenceForm",
    "Sizes",
    "Solution",
    "Spot",
    "SpotDifference",
    "State",
    "Stop",
    "Strategy",
    "Table",
    "View",
    "agent",
    "aivat",
    "best_response",
    "equity",
    "evaluate",
    "evaluate_file",
    "expected_values",
    "exploitability",
    "form_of",
    "game_names",
    "game_sizes",
    "league",
    "less_noise",
    "load",
    "load_strategy",
    "method_names",
    "normal_form_game",
    "play_match",
    "public_form",
    "read_log",
    "read_range",
    "read_spot",
    "report",
    "rules_of",
    "run",
    "sequence_form",
    "solve",
    "solver",
    "spot",
    "spot_difference",
    "tree_size",
    "write_efg",
    "write_nfg",
    "write_range",
    "write_spot",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("regretless")
    if name not in _HOME:
        raise AttributeError(f"module 'regretless' has no attribute {name!r}")
    return getattr(import_module(f"regretless.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
