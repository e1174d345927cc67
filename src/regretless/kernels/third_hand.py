"""A third player comes in after two: sums over its hand, and over theirs."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart


@apart
def third_comes_in(
    jams: Floats,
    table: npt.NDArray[Any],
    worth: Floats,
    met: Floats,
    joined: Floats,
    chance: Floats,
) -> None:
    """Sums over the hands of the third player, with how often it comes in with them.

    table[third, first, second and order]; worth[order, player]. joined[player, first, second]
    becomes the chance times what is earned, chance[first, second] the chance; `met` is scratch."""
    hands, (orders, players) = table.shape[0], worth.shape
    for first in range(hands):
        met[:] = 0.0
        for third in range(hands):
            often = jams[third]
            if often != 0:
                row = table[third, first]
                for e in range(met.size):
                    met[e] += often * row[e]
        for second in range(hands):
            total = 0.0
            for order in range(orders):
                total += met[second * orders + order]
            chance[first, second] = total
            for player in range(players):
                earned = 0.0
                for order in range(orders):
                    earned += met[second * orders + order] * worth[order, player]
                joined[player, first, second] = earned


@apart
def third_earns(
    reach: Floats, lost: Floats, table: npt.NDArray[Any], met: Floats, folded: Floats
) -> None:
    """Sums over the hands of two players, with two weights of their pairs.

    table[pair, third and order]; met[third and order] are sums with `reach`, `folded` with `lost`,
    which must be 0 where `reach` is."""
    for pair in range(reach.size):
        weight, share = reach[pair], lost[pair]
        if weight != 0:
            row = table[pair]
            for e in range(met.size):
                met[e] += weight * row[e]
                folded[e] += share * row[e]
