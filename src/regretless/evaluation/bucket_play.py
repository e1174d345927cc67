"""The contract of strategies over buckets: a betting tree, a map of hands, a table per decision."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from regretless.abstraction._hand_map import HandMap
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
