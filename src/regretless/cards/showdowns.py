"""All-in hands by class: the chance of every deal of two or three classes, and of every result.

Results are **weak orders**: the rank of every hand, the best with 0, equal hands with the same.
Entries are chances of deal and order together, with exact card removal, and sum to one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.cards.deck import HOLDINGS
from regretless.cards.equities import preflop_results
from regretless.cards.holdings import CLASSES, class_names, class_of, disjoint
from regretless.cards.orders import MOST_IN, orders
from regretless.cards.three_hands import DEALS, three_hands
from regretless.core.arrays import Floats, Ints
from regretless.core.caches import cached_array
from regretless.core.progress import Listener, nobody
from regretless.kernels.showdowns import add_rows
from regretless.kernels.third_hand import third_comes_in, third_earns

ROUNDING = 1e-9
LEAST = 1e-15  # weights are read as whole within this
_CACHED = "preflop-pairs-1"  # includes the version of the layout


@dataclass(frozen=True, eq=False)
class Showdowns:
    """Chances of deals and orders of two or three hands, by class."""

    names: tuple[str, ...]
    pairs: Floats  # [class, class, order]
    triples: npt.NDArray[Any] | None = None  # [class, class, class, order]

    @property
    def classes(self) -> int:
        return len(self.names)

    @cached_property
    def alone(self) -> Floats:
        """[class] the chance of being dealt it."""
        chances: Floats = self.pairs.sum(axis=(1, 2))
        return chances

    @cached_property
    def pairs_among_three(self) -> Floats:
        """[class, class, order of three hands] the triples, summed over the first hand."""
        assert self.triples is not None
        chances: Floats = self.triples.sum(axis=0, dtype=np.float64)
        return chances

    def without_first(self, weights: Floats) -> Floats:
        """[class, class, order] the triples, summed over the first hand with these weights.

        Where most of them are one, what is missing to that is taken from the sum of all."""
        missing = 1.0 - weights
        missing[np.abs(missing) <= LEAST] = 0.0
        if np.count_nonzero(missing) < np.count_nonzero(weights):
            return self.pairs_among_three - self._summed(missing)
        return self._summed(weights)

    def _summed(self, weights: Floats) -> Floats:
        assert self.triples is not None
        found = np.zeros(self.triples[0].size)
        add_rows(weights, self.triples.reshape(self.classes, -1), found)
        return found.reshape(self.classes, self.classes, -1)

    def third_in(self, jams: Floats, worth: Floats) -> tuple[Floats, Floats]:
        """A third player comes in after two, with these frequencies of its hands.

        [player, class, class] the chance times what is earned, worth[order, player], and
        [class, class] the chance."""
        assert self.triples is not None
        joined = np.empty((worth.shape[1], self.classes, self.classes))
        chance = np.empty((self.classes, self.classes))
        table = self.triples.reshape(self.classes, self.classes, -1)
        turned, met = worth[_last_first()], np.empty(self.triples[0, 0].size)
        third_comes_in(jams, table, turned, met, joined, chance)
        return joined, chance

    def third(self, reach: Floats, lost: Floats) -> tuple[Floats, Floats]:
        """[class, order], [class] of a third player: sums over pairs of hands with these weights.

        The second is summed with `lost`, which must be 0 where `reach` is."""
        assert self.triples is not None
        met, folded = np.zeros((2, self.triples[0, 0].size))
        table = self.triples.reshape(self.classes**2, -1)
        third_earns(reach.ravel(), lost.ravel(), table, met, folded)
        return met.reshape(self.classes, -1), folded.reshape(self.classes, -1).sum(axis=1)


def holdem_showdowns(hands: int = 2, listen: Listener = nobody) -> Showdowns:
    """Showdowns of the 169 classes of hold'em; those of three hands need their table."""
    triples = None
    if hands == MOST_IN:
        # Counts as chances: single precision is right to seven digits, entry by entry.
        triples = three_hands().astype(np.float32)
        triples /= np.float32(DEALS)
    pairs = cached_array(_CACHED, lambda: _pairs(listen), _plausible)
    return Showdowns(class_names(), pairs, triples)


def _pairs(listen: Listener) -> Floats:
    """[class, class, order] from all pairs of hands."""
    belongs = np.zeros((CLASSES, HOLDINGS))
    belongs[class_of(), np.arange(HOLDINGS)] = 1.0
    net, ties = preflop_results(listen)
    won, tied = (belongs @ part @ belongs.T for part in ((disjoint() - ties + net) / 2, ties))
    # In the order of `orders(2)`: a tie, the first wins, the second wins.
    found: Floats = np.stack([tied, won, won.T], axis=-1) / disjoint().sum()
    return found


def _plausible(pairs: npt.NDArray[Any]) -> bool:
    shape = (CLASSES, CLASSES, len(orders(2)))
    return pairs.shape == shape and bool(abs(pairs.sum() - 1) < ROUNDING)


@cache
def _last_first() -> Ints:
    """[order of three hands, the last one first] the same order in turn."""
    known = {order: at for at, order in enumerate(orders(MOST_IN))}
    return np.array([known[first, second, last] for last, first, second in orders(MOST_IN)])
