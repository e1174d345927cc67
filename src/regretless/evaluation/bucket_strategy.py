"""Strategies over buckets: a betting tree, a map of hands, a table per decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._hand_map import HandMap
from regretless.cards.deck_hands import Cards
from regretless.core.arrays import Indices
from regretless.games._betting import Betting, PokerRules
from regretless.strategy.face import Play, hands_of, place, split, text_of

_KEPT = 1024  # boards whose buckets are kept


class BucketStrategy(ABC):
    """A strategy that plays all hands of a bucket alike.

    Tables over buckets are storage: one-on-one traverses them directly, everybody else asks for
    hands."""

    map: HandMap  # hands on boards to buckets

    @property
    @abstractmethod
    def rules(self) -> PokerRules:
        """With the sizes of its betting tree."""

    @abstractmethod
    def table(self, betting: Betting) -> npt.NDArray[np.floating[Any]]:
        """[bucket, move] probabilities at a decision of its tree."""

    def rows(self, betting: Betting, buckets: Indices) -> npt.NDArray[np.floating[Any]]:
        """Some rows of the table."""
        return self.table(betting)[buckets]

    def at(self, betting: str | Betting, board: str | Sequence[int] = ()) -> Play:
        """What it plays after a betting of its tree on a board, with every hand."""
        node, cards = place(self.rules, betting, board)
        buckets = self._buckets(split(self.rules, cards, node.round))
        chances = np.asarray(self.rows(node, buckets), np.float64) * (buckets >= 0)[:, None]
        actions = tuple(text_of(move, self.rules) for move in node.choices)
        return Play(actions, chances, hands_of(self.rules))

    @cached_property
    def _buckets(self) -> Any:
        def buckets(dealt: tuple[Cards, ...]) -> Indices:
            return self.map.buckets(dealt)[-1]

        return lru_cache(maxsize=_KEPT)(buckets)
