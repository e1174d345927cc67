"""Hand strength, computed the obvious way: the best five cards, or all of them if fewer.

With fewer than five cards only equal ranks count, then high cards: straights and
flushes need five. Rhode Island hold'em has its own order for three cards. A hand's
strength is a tuple that compares like the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

Card = tuple[int, int]  # rank, suit; an ace has the highest of thirteen ranks
Strength = tuple[int, ...]

# Groups of equal ranks, largest first -> category. A straight is 4, a flush 5.
_GROUPS = {(4,): 7, (3, 2): 6, (3,): 3, (2, 2): 2, (2,): 1, (): 0}
ACE, WHEEL = 12, [12, 3, 2, 1, 0]

# Categories of three cards: a straight is rarer than a flush, and trips are rarer still.
_HIGH_CARD, _PAIR, _FLUSH, _STRAIGHT, _TRIPS, _STRAIGHT_FLUSH = range(6)
THREE_CARD_WHEEL = [ACE, 1, 0]


def strength(cards: Sequence[Card]) -> Strength:
    """Strength of the best hand within these cards."""
    return max(_five(hand) for hand in combinations(cards, min(5, len(cards))))


def three_card_strength(cards: Sequence[Card], *, wheel: bool = True) -> Strength:
    """Strength in Rhode Island hold'em; with `wheel`, A-2-3 is the lowest straight."""
    _, groups = _grouped(cards)
    if len(groups) < 3:
        return (_PAIR if len(groups) == 2 else _TRIPS, *groups)
    flush = len({suit for _, suit in cards}) == 1
    straight = groups[0] - groups[2] == 2
    if wheel and groups == THREE_CARD_WHEEL:
        straight, groups = True, [*groups[1:], -1]
    if straight:
        return (_STRAIGHT_FLUSH if flush else _STRAIGHT, *groups)
    return (_FLUSH if flush else _HIGH_CARD, *groups)


def _grouped(cards: Sequence[Card]) -> tuple[Counter[int], list[int]]:
    """How often each rank occurs, and the ranks: most frequent first, then highest."""
    counts = Counter(rank for rank, _ in cards)
    return counts, sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)


def _five(cards: Sequence[Card]) -> Strength:
    counts, groups = _grouped(cards)
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
