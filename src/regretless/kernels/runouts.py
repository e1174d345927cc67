"""Sums of showdown results of pairs of two-card hands over the boards to come."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Indices
from regretless.kernels.compiled import kernel


class Shown(NamedTuple):
    """The lanes of one player on a last board."""

    cards: Indices  # [lane, 2]
    counts: Floats  # number of actual hands it represents, times boards
    below: Indices  # rival lanes that are weaker
    upto: Indices  # and those that are not stronger
    above: Indices  # lane on the parent board


@kernel
def add_showdowns(
    mine: Shown, cards: Indices, lanes: Indices, across: Indices, won: Floats, tied: Floats
) -> None:
    """Add wins minus losses, and ties, of all pairs of hands to the lanes of the parent board.

    `cards` and `lanes` are the rival's actual hands, `across` their lanes on the parent board."""
    for i in range(mine.counts.size):
        a, b, row = mine.cards[i, 0], mine.cards[i, 1], mine.above[i]
        for k in range(lanes.size):
            c, d = cards[k, 0], cards[k, 1]
            if a in (c, d) or b in (c, d):
                continue
            lane = lanes[k]
            if lane < mine.below[i]:
                won[row, across[lane]] += mine.counts[i]
            elif lane >= mine.upto[i]:
                won[row, across[lane]] -= mine.counts[i]
            elif tied.size:
                tied[row, across[lane]] += mine.counts[i]


@kernel
def gather(found: Floats, above: Indices, across: Indices, weight: float, out: Floats) -> None:
    """Add a matrix over lanes to that of the parent board."""
    for i in range(found.shape[0]):
        for j in range(found.shape[1]):
            out[above[i], across[j]] += weight * found[i, j]
