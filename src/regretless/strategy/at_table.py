"""A strategy at a table with other bet sizes than its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.games._betting import Betting, PokerRules
from regretless.strategy.face import Face, Play, hands_of, place
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import TreeWalk

_KEPT_LINES = 65_536


class _Line(NamedTuple):
    """A betting history at the table, as the strategy understands it."""

    node: Betting | None  # of its tree
    actions: tuple[str, ...]
    same: Floats  # [move of the node, action] 1 where they are the same


class AtTable:
    """A strategy whose bets are translated, deterministically: the translation then
    does not depend on the hand. A player that has left its tree checks and calls."""

    def __init__(
        self, strategy: Face, table: PokerRules | None = None, *, by: str = "pseudo-harmonic"
    ) -> None:
        """`table`: the rules of the table, by default with any bet size."""
        self.rules = table or replace(strategy.rules, sizing=None, menus=())
        self.strategy = strategy
        self.walk = TreeWalk(self.rules, strategy.rules, Translation(by, randomised=False))
        self._line = lru_cache(maxsize=_KEPT_LINES)(self._followed)

    def at(self, betting: str | Betting, board: str | Sequence[int] = ()) -> Play:
        real, cards = place(self.rules, betting, board)
        node, actions, same = self._line(real.history)
        hands = hands_of(self.rules)
        if node is None:
            return Play(actions, hands.free(cards)[:, None].astype(np.float64), hands)
        return Play(actions, self.strategy.at(node, cards).chances @ same, hands)

    def _followed(self, history: str) -> _Line:
        """The decision of its tree that it sees here, if it is still in it."""
        step = self.walk.follow(history)
        if step.node is None or step.node.over:
            return _Line(None, ("c",), np.ones((1, 1)))
        texts = [self.walk.reverse(step, index) for index in range(len(step.node.choices))]
        actions = tuple(dict.fromkeys(texts))
        # Sizes that are the same at the table are one action.
        same = np.array([[text == action for action in actions] for text in texts], np.float64)
        return _Line(step.node, actions, same)
