"""Regretless: solve games of hidden information, poker first.

    import regretless as rl
    solution = rl.solve("leduc", target=1e-6)
    solution.strategy.probabilities("K:")

    rules = rl.rules_of("leduc")
    agents = [rl.agent("leduc.strategy", rules), rl.agent("random", rules)]
    hands = list(rl.play_match(rules, agents, hands=1000, seed=7))

Nothing heavy is imported before it is used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regretless.abstraction._abstraction import Abstraction
    from regretless.abstraction._catalog import abstract
    from regretless.abstraction._composition import hand_map
    from regretless.abstraction._files import load_abstraction
    from regretless.abstraction._hand_map import HandMap
    from regretless.abstraction._hand_map_files import load_hand_map
    from regretless.blueprints.betting_tree import BettingTree
    from regretless.blueprints.blueprint import Blueprint
    from regretless.blueprints.files import load_blueprint
    from regretless.cards.equities import equity
    from regretless.cards.hand_index import HandIndex
    from regretless.cards.ranges import read_range, write_range
    from regretless.cards.strengths import strength, strength_table
    from regretless.core.errors import RegretlessError
    from regretless.evaluation.aivat import aivat
    from regretless.evaluation.correlation import JointPlay, coarse_correlated_gap
    from regretless.evaluation.equilibrium_opponents import EquilibriumOpponents
    from regretless.evaluation.exploitability import (
        Evaluation,
        best_response,
        evaluate,
        expected_values,
        exploitability,
    )
    from regretless.evaluation.kuhn_family import Member, in_family, kuhn_equilibrium
    from regretless.evaluation.league import League
    from regretless.evaluation.local_best_response import LocalBestResponse
    from regretless.evaluation.one_on_one import OneOnOne
    from regretless.evaluation.outcomes import Outcomes, outcomes
    from regretless.evaluation.pathologies import Pathology, find_pathologies
    from regretless.evaluation.spot_difference import SpotDifference, spot_difference
    from regretless.evaluation.spot_values import SpotView
    from regretless.forms.choice import form_of
    from regretless.forms.public import PublicForm, public_form
    from regretless.forms.sequence import SequenceForm, game_sizes, sequence_form
    from regretless.forms.subgame import Subgame
    from regretless.forms.subgames import subgame_at, subgames
    from regretless.games._catalog import game_names, load
    from regretless.games._efg import write_efg
    from regretless.games._nfg import write_nfg
    from regretless.games._normal_form import normal_form_game
    from regretless.games._spot import Spot, spot
    from regretless.games._spot_files import read_spot, write_spot
    from regretless.games._spot_tree import tree_size
    from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State
    from regretless.interfaces.acpc.client import connect
    from regretless.play.agents._agent import Agent, MixingAgent, Mixture
    from regretless.play.agents._catalog import agent
    from regretless.play.histories.acpc_log import read_log
    from regretless.play.league import league
    from regretless.play.match import play_match
    from regretless.play.match_run import Match
    from regretless.play.records import Hand
    from regretless.play.rules import rules_of
    from regretless.play.seen_play import strategy_of_play
    from regretless.play.table import Table, View
    from regretless.play.variance_reduction import variance_reduced
    from regretless.refinement._catalog import refinement_names
    from regretless.refinement._grafts import graft
    from regretless.runs.blueprint_matches import local_best_response, one_on_one
    from regretless.runs.blueprint_runs import train_blueprint
    from regretless.runs.compare import Comparison, compare
    from regretless.runs.equilibria import (
        CorrelatedEquilibrium,
        coarse_correlated_equilibrium,
        correlated_equilibrium,
        equilibria,
    )
    from regretless.runs.least_exploitable import least_exploitable
    from regretless.runs.limits import Limits, Stop
    from regretless.runs.phases import first_phase
    from regretless.runs.purifying import Purified, purify
    from regretless.runs.refine import Refined, refine
    from regretless.runs.report import Report, report
    from regretless.runs.resolving import resolved
    from regretless.runs.run import run
    from regretless.runs.solution import Solution
    from regretless.runs.solve import evaluate_file, solve
    from regretless.solvers._catalog import method_names, solver
    from regretless.solvers.tabu import pure_equilibrium
    from regretless.stochastic.game import Stage, StochasticGame, stochastic_game
    from regretless.stochastic.induction import solve_stochastic
    from regretless.stochastic.levels import abstract_stochastic
    from regretless.strategy.files import load_strategy
    from regretless.strategy.strategy import Strategy
_HOMES = {
    "forms.subgame": ["Subgame"],
    "forms.subgames": ["subgame_at", "subgames"],
    "refinement._grafts": ["graft"],
    "runs.phases": ["first_phase"],
    "play.seen_play": ["strategy_of_play"],
    "abstraction._abstraction": ["Abstraction"],
    "abstraction._catalog": ["abstract"],
    "abstraction._composition": ["hand_map"],
    "abstraction._files": ["load_abstraction"],
    "abstraction._hand_map": ["HandMap"],
    "abstraction._hand_map_files": ["load_hand_map"],
    "blueprints.betting_tree": ["BettingTree"],
    "blueprints.blueprint": ["Blueprint"],
    "blueprints.files": ["load_blueprint"],
    "cards.equities": ["equity"],
    "cards.hand_index": ["HandIndex"],
    "cards.ranges": ["read_range", "write_range"],
    "cards.strengths": ["strength", "strength_table"],
    "core.errors": ["RegretlessError"],
    "evaluation.aivat": ["aivat"],
    "evaluation.correlation": ["JointPlay", "coarse_correlated_gap"],
    "evaluation.equilibrium_opponents": ["EquilibriumOpponents"],
    "evaluation.exploitability": [
        "Evaluation",
        "best_response",
        "evaluate",
        "expected_values",
        "exploitability",
    ],
    "evaluation.kuhn_family": ["Member", "in_family", "kuhn_equilibrium"],
    "evaluation.league": ["League"],
    "evaluation.local_best_response": ["LocalBestResponse"],
    "evaluation.one_on_one": ["OneOnOne"],
    "evaluation.outcomes": ["Outcomes", "outcomes"],
    "evaluation.pathologies": ["Pathology", "find_pathologies"],
    "evaluation.spot_difference": ["SpotDifference", "spot_difference"],
    "evaluation.spot_values": ["SpotView"],
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
    "interfaces.acpc.client": ["connect"],
    "play.agents._agent": ["Agent", "MixingAgent", "Mixture"],
    "play.agents._catalog": ["agent"],
    "play.histories.acpc_log": ["read_log"],
    "play.league": ["league"],
    "play.match": ["play_match"],
    "play.match_run": ["Match"],
    "play.records": ["Hand"],
    "play.rules": ["rules_of"],
    "play.table": ["Table", "View"],
    "play.variance_reduction": ["variance_reduced"],
    "runs.equilibria": [
        "CorrelatedEquilibrium",
        "coarse_correlated_equilibrium",
        "correlated_equilibrium",
        "equilibria",
    ],
    "runs.blueprint_matches": ["local_best_response", "one_on_one"],
    "runs.blueprint_runs": ["train_blueprint"],
    "runs.compare": ["Comparison", "compare"],
    "runs.least_exploitable": ["least_exploitable"],
    "runs.limits": ["Limits", "Stop"],
    "runs.purifying": ["Purified", "purify"],
    "refinement._catalog": ["refinement_names"],
    "runs.refine": ["Refined", "refine"],
    "runs.report": ["Report", "report"],
    "runs.resolving": ["resolved"],
    "runs.run": ["run"],
    "runs.solution": ["Solution"],
    "runs.solve": ["evaluate_file", "solve"],
    "solvers._catalog": ["method_names", "solver"],
    "solvers.tabu": ["pure_equilibrium"],
    "stochastic.game": ["Stage", "StochasticGame", "stochastic_game"],
    "stochastic.induction": ["solve_stochastic"],
    "stochastic.levels": ["abstract_stochastic"],
    "strategy.files": ["load_strategy"],
    "strategy.strategy": ["Strategy"],
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Abstraction",
    "Agent",
    "BettingTree",
    "Blueprint",
    "Comparison",
    "CorrelatedEquilibrium",
    "EquilibriumOpponents",
    "Evaluation",
    "Game",
    "Hand",
    "HandIndex",
    "HandMap",
    "JointPlay",
    "League",
    "Limits",
    "LocalBestResponse",
    "Match",
    "Member",
    "MixingAgent",
    "Mixture",
    "OneOnOne",
    "Outcomes",
    "Pathology",
    "PublicForm",
    "Purified",
    "Refined",
    "RegretlessError",
    "Report",
    "SequenceForm",
    "Sizes",
    "Solution",
    "Spot",
    "SpotDifference",
    "SpotView",
    "Stage",
    "State",
    "StochasticGame",
    "Stop",
    "Strategy",
    "Subgame",
    "Table",
    "View",
    "abstract",
    "abstract_stochastic",
    "agent",
    "aivat",
    "best_response",
    "coarse_correlated_equilibrium",
    "coarse_correlated_gap",
    "compare",
    "connect",
    "correlated_equilibrium",
    "equilibria",
    "equity",
    "evaluate",
    "evaluate_file",
    "expected_values",
    "exploitability",
    "find_pathologies",
    "first_phase",
    "form_of",
    "game_names",
    "game_sizes",
    "graft",
    "hand_map",
    "in_family",
    "kuhn_equilibrium",
    "league",
    "least_exploitable",
    "load",
    "load_abstraction",
    "load_blueprint",
    "load_hand_map",
    "load_strategy",
    "local_best_response",
    "method_names",
    "normal_form_game",
    "one_on_one",
    "outcomes",
    "play_match",
    "public_form",
    "pure_equilibrium",
    "purify",
    "read_log",
    "read_range",
    "read_spot",
    "refine",
    "refinement_names",
    "report",
    "resolved",
    "rules_of",
    "run",
    "sequence_form",
    "solve",
    "solve_stochastic",
    "solver",
    "spot",
    "spot_difference",
    "stochastic_game",
    "strategy_of_play",
    "strength",
    "strength_table",
    "subgame_at",
    "subgames",
    "train_blueprint",
    "tree_size",
    "variance_reduced",
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
    return _front(name)


@cache
def _front(name: str) -> Any:
    found = getattr(import_module(f"regretless.{_HOME[name]}"), name)
    if not isinstance(found, FunctionType):
        return found
    from regretless.core.arguments import guarded

    return guarded(found, name)


def __dir__() -> list[str]:
    return __all__
