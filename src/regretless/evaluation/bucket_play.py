"""The contract of strategies over buckets: a betting tree, a map of hands, a table per decision."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from regretless.abstraction._hand_map import HandMap
from regretless.core.arrays import Floats
from regretless.forms.public_rows import Cards, Chances
from regretless.games._betting import Betting, PokerRules


class BucketPlay(Protocol):
    """A strategy that plays all hands of a bucket alike."""

    @property
    def rules(self) -> PokerRules:
        """With the sizes of its betting tree."""
        ...

    @property
    def map(self) -> HandMap:
        """Hands on boards to buckets."""
        ...

    def table(self, betting: Betting) -> npt.NDArray[np.floating[Any]]:
        """[bucket, move] probabilities at a decision of its tree."""
        ...


def by_hand(play: BucketPlay) -> Chances:
    """What it plays with every hand, at decisions of its tree."""
    table, buckets = cache(play.table), cache(play.map.buckets)

    def chances(betting: Betting, dealt: tuple[Cards, ...]) -> Floats:
        return np.asarray(table(betting)[buckets(dealt)[-1]], np.float64)

    return chances
