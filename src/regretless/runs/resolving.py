"""Solving a spot again from a line that a solution never or rarely takes.

Both players reach the line with the ranges that the solution has there. If an action is
never taken, that player keeps its range from before the action: the strategy below then says
what to do if it is taken anyway."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from regretless.cards.holdings import meeting, without
from regretless.core.amounts import amount
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput
from regretless.core.progress import Listener, nobody
from regretless.evaluation.spot_values import NEVER, SpotView
from regretless.games._betting import Betting
from regretless.games._poker import Root, poker_game
from regretless.games._state import Game
from regretless.runs.solution import Solution
from regretless.runs.solve import solve
from regretless.strategy.node_index import Board


@dataclass(frozen=True, eq=False)
class Resolved:
    """A part of a spot, solved by itself."""

    solution: Solution
    view: SpotView

    def facts(self) -> dict[str, Any]:
        """How accurately it is solved."""
        names = ("iterations", "seconds", "exploitability", "exploitability_percent", "stop")
        known = self.solution.facts()
        return {name: known[name] for name in names}

    def text(self) -> str:
        """The accuracy in words."""
        facts = self.facts()
        chips, percent = (
            amount(facts["exploitability"], "chips", 3),
            facts["exploitability_percent"],
        )
        return f"re-solved from here, to {chips}, {percent:.2g} % of the pot"


def resolved(
    view: SpotView, line: str, *, target: str | float = "0.5%", listen: Listener = nobody
) -> Resolved:
    """Solve again from a line; percentages are of the pot there."""
    betting, board = view.place(line)
    game = subgame(view, betting, board)
    solution = solve(game, target=target, form="public", listen=listen)
    return Resolved(solution, SpotView.of(solution.strategy))


def subgame(view: SpotView, betting: Betting, board: Board) -> Game:
    """The game from a decision on, with the ranges that reach it."""
    ranges = arriving(view, betting, board)
    if not ranges[0] @ meeting(ranges[1]) > 0:
        raise BadInput("the ranges at this line block each other: no two hands are compatible")
    spot = view.spot
    made = poker_game(
        f"{spot.spec}+{betting.history}",
        spot.rules,
        suits_distinct=True,
        root=Root(betting, board, ranges),
    )
    locks = [lock for lock in spot.game.locks if _below(lock, betting, board)]
    return replace(made, spot=spot, locks=tuple(locks))


def arriving(view: SpotView, betting: Betting, board: Board) -> tuple[Floats, Floats]:
    """[player][hand] the weight with which it reaches a decision."""
    live = without(tuple(card for cards in board for card in cards))
    weights = [np.where(live, own, 0.0) for own in view.ranges]
    for before, move in view.path(betting):
        player = before.actor
        chosen = np.nan_to_num(view.probabilities(before, board)[:, move])
        taken = weights[player] * chosen
        if taken.sum() > NEVER * weights[player].sum():
            weights[player] = taken
    return weights[0], weights[1]


def _below(lock: Any, betting: Betting, board: Board) -> bool:
    """Whether a lock lies in this part of the tree."""
    named = lock.board[: len(board)]
    fits = all(
        not cards or set(cards) == set(ours) for cards, ours in zip(named, board, strict=False)
    )
    return fits and str(lock.history).startswith(betting.history)
