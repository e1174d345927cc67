"""Weak orders: the rank of every hand, the best with 0, equal hands with the same."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from regretless.core.arrays import Ints

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
