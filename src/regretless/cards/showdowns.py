"""All-in hands by class: the chance of every deal of two or three classes, and of every result.

Results are **weak orders**: the rank of every hand, the best with 0, equal hands with the same.
Entries are chances of deal and order together, with exact card removal, and sum to one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

import numpy as np

from regretless.core.arrays import Floats, Ints

MOST_IN = 3  # hands of a showdown


@cache
def orders(hands: int) -> tuple[tuple[int, ...], ...]:
    """The weak orders of some hands, in lexicographic order: 1, 3, 13."""
    found = product(range(hands), repeat=hands)
    return tuple(order for order in found if set(order) == set(range(max(order) + 1)))


@cache
def narrowed(places: tuple[int, ...], hands: int) -> Ints:
    """[order of some hands] the order of those at these places."""
    known = {order: at for at, order in enumerate(orders(len(places)))}
    found = []
    for order in orders(hands):
        ranks = [order[place] for place in places]
        dense = sorted(set(ranks))
        found.append(known[tuple(dense.index(rank) for rank in ranks)])
    return np.array(found, np.int64)


@dataclass(frozen=True, eq=False)
class Showdowns:
    """Chances of deals and orders of two or three hands, by class."""

    names: tuple[str, ...]
    pairs: Floats  # [class, class, order]
    triples: Floats | None = None  # [class, class, class, order]

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
