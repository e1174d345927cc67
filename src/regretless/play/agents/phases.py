"""Plays early rounds by a blueprint, and solves the rest of the hand while it plays (GS1, GS2).

Gilpin & Sandholm 2006 and 2007. When a later round begins, its subgame is re-solved with
both players' ranges by Bayes' rule, or by a trembling hand if the blueprint never reaches it,
and played from. Time is limited: if nothing is solved by then, it plays the blueprint.

    phases:blueprint=leduc.strategy,by=reach,limit_ms=200

As long as no limit is reached, its actions depend only on the hand, as with other agents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from regretless.core import folders
from regretless.core.arrays import Floats, Indices
from regretless.core.errors import BadParameter, Interrupted, TooLarge, one_of, whole
from regretless.core.interrupts import time_limit
from regretless.forms.sequence import sequence_form
from regretless.forms.subgame import public_part
from regretless.forms.subgames import finder
from regretless.games._betting import Betting, PokerRules
from regretless.games._poker import poker_game
from regretless.play.agents import _saved
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.rules import Playable
from regretless.play.table import View, opening
from regretless.refinement._local import Reach, localised
from regretless.refinement._resolving import Effort, Rule, resolve
from regretless.runs.opening import Openable, on_its_form
from regretless.runs.phases import ROLLOUT, first_phase
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy
from regretless.strategy.tree_walk import tokens

RULES = ("unsafe", "resolving", "maxmargin", "reach")
METHOD = "sapcfr+"  # it has an answer after every iteration, unlike a linear program
LOOSE = 1e-3  # of the largest payoff: what re-solving may add to exploitability


class Answer(NamedTuple):
    """What a player does in a subgame that was solved."""

    sequences: Indices
    behaviour: Floats


class Agent(MixingAgent):
    """A blueprint, and subgames that are solved when they are reached."""

    def __init__(
        self,
        game: Playable,
        *,
        blueprint: str = ROLLOUT,
        strategy: Openable | None = None,
        by: str = "maxmargin",
        round: int | None = None,
        nested: bool = False,
        limit_ms: int = 1000,
        iterations: int = 1000,
        seed: int = 0,
    ) -> None:
        """`blueprint`: a strategy file, or `rollout`: then the first rounds are solved here. In
        Python `strategy` is the blueprint itself.

        `by`: unsafe, resolving, maxmargin or reach. `round`: the first one that is solved while it
        is played (the last one by default). `nested`: solve again at every later decision."""
        super().__init__(game, seed=seed)
        one_of("by", by, RULES)
        whole("limit_ms", limit_ms, 1, 10**7)
        last = self.rules.rounds
        if last < 2:
            raise BadParameter(
                "agent phases: the game has one round of betting, expected two or more"
            )
        self.round = (last if round is None else whole("round", round, 2, last)) - 1
        self.strategy = (
            _given(game, blueprint, self.round) if strategy is None else on_its_form(strategy)
        )
        self.saved = _saved.Agent(game, strategy=self.strategy, seed=seed)
        self.rule: Rule = folders.module("regretless.refinement", by).RULE
        loose = LOOSE * self.strategy.form.largest_payoff if self.rule.safe else None
        self.effort = Effort(METHOD, iterations, loose)
        self.limit_s, self.nested = limit_ms / 1000, nested
        self.subgames = finder(self.strategy.form)
        self.playing = self.strategy.behaviour.copy()  # with the subgames of this hand
        self._replaced: list[Answer] = []  # those subgames
        # Public states and players; None if there was no time, or it was not worth it.
        self.solved: dict[tuple[str, int], Answer | None] = {}
        solver(METHOD, sequence_form("kuhn")).step(1)  # compiled before the clock starts

    def mixture(self, view: View) -> Mixture:
        if view.betting.round < self.round:
            return self.saved.mixture(view)
        self._follow(self._path(view), view.position)
        return self.saved.drawn(view, self.playing)

    def _path(self, view: View) -> list[str]:
        """Public states in which this hand's subgames begin, the present one last: the first of
        each round, or those of all decisions of this position."""
        line = tokens(view.betting.history)
        bettings = accumulate(line, Betting.act, initial=opening(self.rules))
        return [
            self._public(view, betting)
            for betting in bettings
            if betting.round >= self.round
            and (betting.actor == view.position if self.nested else betting.history[-1] == "/")
        ]

    def _public(self, view: View, betting: Betting) -> str:
        """The public state after a part of this hand's betting."""
        board = view.board[: sum(self.rules.board[: betting.round + 1])]
        return public_part(self.saved.label(view._replace(betting=betting, board=board)))

    def _follow(self, path: Sequence[str], player: int) -> None:
        """Play the blueprint, and on this path its subgames: no others, as they belong to other
        hands, and none of the other player, whom this one does not play."""
        for sequences, _ in self._replaced:
            self.playing[sequences] = self.strategy.behaviour[sequences]
        self._replaced = []
        for where in path:
            if (where, player) not in self.solved:
                self.solved[where, player] = self._solve(where, player)
            answer = self.solved[where, player]
            if answer is not None:
                self.playing[answer.sequences] = answer.behaviour
                self._replaced.append(answer)

    def _solve(self, where: str, player: int) -> Answer | None:
        """Solve a subgame for this player, who plays as now until there."""
        form = self.strategy.form
        with time_limit(self.limit_s):
            try:
                reach = Reach(form, self.playing)
                local = localised(self.subgames.at(where), player, reach)
                (limit,) = self.rule.limits([local], reach)
                resolved = reach.behaviour.copy()
                if resolve(self.rule, local, limit, reach, self.effort, resolved).kept:
                    return None
            except (Interrupted, TooLarge):
                return None
        mine = [point.sequences for point in local.subgame.points[player]]
        sequences = np.concatenate(mine) + form.blocks.roots[player]
        return Answer(sequences, resolved[sequences])


def _given(game: Playable, blueprint: str, round: int) -> Strategy:
    if blueprint != ROLLOUT:
        return on_its_form(blueprint)
    made = poker_game("the game at this table", game) if isinstance(game, PokerRules) else game
    return first_phase(made, rounds=round)
