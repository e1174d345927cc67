"""Hand strength, the obvious way: the best five cards, or all of them if fewer.

With fewer than five cards only equal ranks count, then high cards: straights and
flushes need five. A hand's strength is a tuple that compares like the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

Card = tuple[int, int]  # rank, suit; an ace has the highest of thirteen ranks
Strength = tuple[int, ...]

# Groups of equal ranks, largest first -> category. A straight is 4, a flush 5.
_GROUPS = {(4,): 7, (3, 2): 6, (3,): 3, (2, 2): 2, (2,): 1, (): 0}
ACE, WHEEL = 12, [12, 3, 2, 1, 0]


def strength(cards: Sequence[Card]) -> Strength:
    """Strength of the best hand within these cards."""
    return max(_five(hand) for hand in combinations(cards, min(5, len(cards))))


def _five(cards: Sequence[Card]) -> Strength:
    counts = Counter(rank for rank, _ in cards)
    groups = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    category = _GROUPS[tuple(counts[rank] for rank in groups if counts[rank] > 1)]
    if len(cards) < 5 or category:
        return (category, *groups)
    straight = groups[0] - groups[4] == 4 or groups == WHEEL
    flush = len({suit for _, suit in cards}) == 1
    if groups == WHEEL:
        groups = [*groups[1:], -1]
    if straight and flush:
        return (8, *groups)
    return (5 if flush else 4 if straight else 0, *groups)
